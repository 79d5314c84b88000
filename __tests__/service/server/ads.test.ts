import { DEMO_SURFACES } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { atOnce, ServiceCaller, sign } from './ServiceCaller.js';

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Of Matroska, and of WebM with it. */
const EBML_SIGNATURE = [0x1a, 0x45, 0xdf, 0xa3];

describe('ads', () => {
  let service: RunningService;
  let caller: ServiceCaller;

  beforeEach(async () => {
    service = await startService();
    caller = new ServiceCaller(service);
  });
  afterEach(() => service.close());

  const ad = async (adSurfaceId: string) => (await caller.get(`/v1/ad-surfaces/${adSurfaceId}/ad`)).body;

  test('the surfaces of the application are listed in the order of the portal', async () => {
    const { body } = await caller.get('/v1/ad-surfaces');
    expect(body).toEqual({
      items: DEMO_SURFACES.map(({ adSurfaceId, name, width, height }) => ({ adSurfaceId, name, width, height })),
    });
  });

  test('an application without surfaces gets an empty list', async () => {
    await service.db.run('DELETE FROM ads');
    await service.db.run('DELETE FROM ad_surfaces');
    expect(await caller.get('/v1/ad-surfaces')).toMatchObject({ status: 200, body: { items: [] } });
  });

  test('the ads of a surface take turns, each serve with an id of its own', async () => {
    const served = [];
    for (let turn = 0; turn < 6; turn += 1) served.push(await ad('main-street-billboard'));
    const ids = served.map((each) => each['adId']);
    expect(new Set(ids).size).toBe(3);
    expect(ids.slice(3)).toEqual(ids.slice(0, 3));
    expect(new Set(served.map((each) => each['serveId'])).size).toBe(6);
  });

  test('nine requests at the same time get each of three ads three times', async () => {
    const ids = (await atOnce(9, () => ad('main-street-billboard'))).map((each) => String(each['adId']));
    expect([...new Set(ids)].map((id) => ids.filter((other) => other === id).length)).toEqual([3, 3, 3]);
  });

  test('a request that reads no answer serves no ad', async () => {
    const target = '/api/v1/ad-surfaces/main-street-billboard/ad';
    const method = 'HEAD';
    const answer = await fetch(service.origin + target, {
      method,
      headers: sign({ method, target, created: Math.floor(service.clock.now() / 1000) }),
    });
    expect(answer.status).toBe(404);
    expect(await service.db.all('SELECT * FROM serves')).toEqual([]);
  });

  test('without fill the answer is an empty object', async () => {
    expect(await ad('empty-lot-board')).toEqual({});
  });

  test('an unknown surface is answered with 404', async () => {
    const answer = await caller.get('/v1/ad-surfaces/nowhere/ad');
    expect(answer).toMatchObject({ status: 404, body: { error: 'unknown_ad_surface' } });
  });

  test('a surface of another application is unknown', async () => {
    await service.db.run(
      `INSERT INTO applications VALUES ('app_other', 'Other', 'other-key', 'other-private', '["loopback"]')`,
    );
    const credential = { 'Api-Key': 'other-key', 'Private-Key': 'other-private' };
    expect((await caller.get('/v1/ad-surfaces', { credential })).body).toEqual({ items: [] });
    expect((await caller.get('/v1/ad-surfaces/park-board/ad', { credential })).status).toBe(404);
  });

  test('every creative is a PNG of the size the ad says or a film, light enough, readable by pages of every origin', async () => {
    const types = new Set<string | null>();
    for (const surface of DEMO_SURFACES) {
      if (surface.adSurfaceId === 'broken-sign') continue;
      for (let turn = 0; turn < surface.ads.length; turn += 1) {
        const served = await ad(surface.adSurfaceId);
        const response = await fetch(String(served['url']), { headers: { Origin: 'https://game.example' } });
        const bytes = Buffer.from(await response.arrayBuffer());
        expect(response.status).toBe(200);
        expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
        expect([served['width'], served['height']]).toEqual([surface.width, surface.height]);
        const type = response.headers.get('Content-Type');
        types.add(type);
        if (type === 'video/webm') {
          expect([...bytes.subarray(0, 4)]).toEqual(EBML_SIGNATURE);
          expect(bytes.length).toBeLessThanOrEqual(150_000);
          continue;
        }
        expect([...bytes.subarray(0, 8)]).toEqual(PNG_SIGNATURE);
        expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([served['width'], served['height']]);
        expect(bytes.length).toBeLessThanOrEqual(60_000);
      }
    }
    expect([...types].sort()).toEqual(['image/png', 'video/webm']);
  });

  test('the image of the broken sign is missing: 404', async () => {
    const served = await ad('broken-sign');
    const response = await fetch(String(served['url']));
    expect(response.status).toBe(404);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  test('a creative that was fetched before is answered with 304', async () => {
    const url = String((await ad('park-board'))['url']);
    const etag = (await fetch(url)).headers.get('ETag') ?? '';
    const again = await fetch(url, { headers: { 'If-None-Match': etag } });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  });

  test.each(['..%2fstartService.ts', '%2e%2e/pages.ts', 'render.ts', 'art', 'x.png%00'])(
    '/creatives/%s gives nothing but a 404',
    async (name) => {
      expect((await fetch(`${service.origin}/creatives/${name}`)).status).toBe(404);
    },
  );
});

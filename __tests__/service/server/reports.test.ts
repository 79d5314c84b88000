import { request } from 'node:http';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { adEvent } from './adEvents.js';
import { ServiceCaller } from './ServiceCaller.js';

describe('the report page', () => {
  let service: RunningService;
  let caller: ServiceCaller;

  beforeEach(async () => {
    service = await startService();
    caller = new ServiceCaller(service);
  });
  afterEach(() => service.close());

  const report = (...events: unknown[]) => caller.post('/v1/events', { events });
  const open = (path = '', headers: Record<string, string> = {}) =>
    fetch(`${service.origin}/reports${path}`, { headers });
  const text = async (path = '') => (await open(path)).text();
  const shownIds = (page: string) => [...page.matchAll(/data-id="([^"]+)"/g)].map(([, id]) => id);

  test('says so while nothing has arrived', async () => {
    expect(await text()).toContain('Nothing has arrived yet');
  });

  test('lists the newest event first', async () => {
    const events = [adEvent(), adEvent({ kind: 'click' }), adEvent({ kind: 'finish', finishReason: 'destroyed' })];
    for (const event of events) await report(event);
    expect(shownIds(await text())).toEqual(events.map(({ id }) => id).reverse());
  });

  test('filters by surface, by kind and by both, and ignores what is neither', async () => {
    const board = adEvent();
    const click = adEvent({ kind: 'click' });
    const bridge = adEvent({ adSurfaceId: 'bridge-banner', kind: 'click' });
    await report(board, click, bridge);
    expect(shownIds(await text('?surface=park-board'))).toEqual([click.id, board.id]);
    expect(shownIds(await text('?kind=click'))).toEqual([bridge.id, click.id]);
    expect(shownIds(await text('?surface=park-board&kind=click'))).toEqual([click.id]);
    expect(shownIds(await text('?surface=&kind=nonsense'))).toHaveLength(3);
    expect(await text('?surface=moon')).toContain('No event fits this choice');
  });

  test('counts per surface and kind, whatever the filter shows', async () => {
    await report(adEvent(), adEvent(), adEvent({ kind: 'click' }), adEvent({ adSurfaceId: undefined, kind: 'click' }));
    const page = await text('?kind=error');
    const row = (name: string) => {
      const [, cells = ''] =
        new RegExp(`${name}[^]*?</th>([^]*?)</tr>`).exec(page.slice(page.indexOf('<tbody>'))) ?? [];
      return [...cells.matchAll(/data-kind="([^"]+)">(\d+)</g)].flatMap(([, kind, n]) => (n === '0' ? [] : [kind, n]));
    };
    expect(row('Board at the park')).toEqual(['Visible', '2', 'Click', '1']);
    expect(row('Sprites of the game')).toEqual(['Click', '1']);
    expect(row('All')).toEqual(['Visible', '2', 'Click', '2']);
  });

  test('shows the newest hundred and says how many there are', async () => {
    for (let batch = 0; batch < 3; batch += 1) await report(...Array.from({ length: 40 }, () => adEvent()));
    const page = await text();
    expect(shownIds(page)).toHaveLength(100);
    expect(page).toContain('Newest 100 of 120 events');
  });

  test('shows what is new to a page that is open, and nothing while there is nothing new', async () => {
    await report(adEvent());
    const first = await open('/live');
    const tag = first.headers.get('ETag') ?? '';
    expect(shownIds(await first.text())).toHaveLength(1);
    expect((await open('/live', { 'If-None-Match': tag })).status).toBe(304);
    await report(adEvent());
    expect(shownIds(await (await open('/live', { 'If-None-Match': tag })).text())).toHaveLength(2);
  });

  test('shows markup in names as text', async () => {
    await service.db.run(`UPDATE ad_surfaces SET name = '<img src=x onerror=alert(1)>'`);
    await report(adEvent({ adId: '<script>alert(2)</script>' }));
    const page = await text('?surface=%22%3E%3Cscript%3Ealert(3)%3C/script%3E');
    const all = page + (await text());
    expect(all).not.toMatch(/<img|<script(?! src="\/reports\/reports\.js" defer>)/);
    expect(all).toContain('&lt;img');
    expect(all).toContain('&lt;script&gt;alert(2)');
  });

  test.each(['', '/live', '/reports.css', '/reports.js', '/nowhere'])(
    'the answer under /reports%s carries strict security headers and no inline code',
    async (path) => {
      await report(adEvent());
      const answer = await open(path);
      const policy = answer.headers.get('Content-Security-Policy') ?? '';
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        expect(policy).toContain(part);
      }
      expect(policy).not.toContain('unsafe');
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
      expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+="/);
    },
  );

  test('is refused under any name but the machine’s own, so that no page of the web can read it', async () => {
    const status = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const call = request(`${service.origin}/reports`, { headers: { Host: host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        call.on('error', reject).end();
      });
    expect(await status('rebound.example')).toBe(403);
    expect(await status('127.0.0.1.example:8080')).toBe(403);
    expect(await status('localhost:8080')).toBe(200);
    expect(await status('[::1]:8080')).toBe(200);
  });
});

import { FaultPlan, type Fault, type FaultRule } from '../../../demo/service/faults/FaultPlan.js';
import { createService } from '../../../demo/service/createService.js';
import { DEMO_APPLICATION } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { until } from '../../helpers/until.js';

const SURFACES = '/api/v1/ad-surfaces';
const HEADERS = {
  'Api-Key': DEMO_APPLICATION.apiKey,
  'Private-Key': DEMO_APPLICATION.privateKey,
  Origin: 'http://localhost:3000',
};

describe('a service with a fault plan', () => {
  let service: RunningService;

  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  const get = (path = SURFACES, init: RequestInit = {}) =>
    fetch(service.origin + path, { headers: HEADERS, redirect: 'manual', ...init });
  const strike = (fault: Fault, rule: Partial<FaultRule> = {}) =>
    service.faults.add({ fault, path: '/api/v1', ...rule });
  const serveCount = async () =>
    (await service.db.first<{ n: number }>('SELECT SUM(serve_count) AS n FROM ad_surfaces'))?.n;

  test('drop-before breaks the connection and nothing has happened', async () => {
    strike({ kind: 'drop-before' });
    await expect(get(`${SURFACES}/park-board/ad`)).rejects.toThrow();
    expect(await serveCount()).toBe(0);
  });

  test('drop-after breaks the connection after the work is done', async () => {
    strike({ kind: 'drop-after' });
    await expect(get(`${SURFACES}/park-board/ad`)).rejects.toThrow();
    expect(await serveCount()).toBe(1);
  });

  test('delay answers rightly, but late', async () => {
    strike({ kind: 'delay', ms: 300 });
    const start = performance.now();
    expect((await get()).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(295);
  });

  test('a request that waits for an hour does not keep the service from closing', async () => {
    strike({ kind: 'delay', ms: 3_600_000 });
    const hanging = get().catch(() => 'broken');
    await until(() => service.faults.strikes.length > 0);
    await service.close();
    expect(await hanging).toBe('broken');
    service = await startService();
  });

  test('drip sends the right body byte by byte', async () => {
    strike({ kind: 'drip', everyMs: 1 });
    const pieces: number[] = [];
    const response = await get(`${SURFACES}/empty-lot-board/ad`);
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) pieces.push(piece.length);
    expect(pieces).toEqual([1, 1]);
  });

  test.each([500, 502, 503, 429, 520, 404])('status refuses with %d, readable by the page', async (status) => {
    strike({ kind: 'status', status, retryAfter: '120' });
    const response = await get();
    expect([response.status, response.headers.get('Retry-After')]).toEqual([status, '120']);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(HEADERS.Origin);
    expect(await response.json()).toMatchObject({ error: 'injected_fault' });
  });

  test('header sets and removes headers of the answer', async () => {
    strike({ kind: 'header', name: 'Content-Type', value: 'text/plain' }, { times: 1 });
    strike({ kind: 'header', name: 'Content-Type', value: null }, { times: 1 });
    expect((await get()).headers.get('Content-Type')).toBe('text/plain');
    expect((await get()).headers.get('Content-Type')).not.toContain('json');
  });

  test('mutate answers another body: no surfaces, no fill, wrong shapes', async () => {
    for (const body of [{ items: [] }, {}, { items: 'none' }, null, [1, 2]]) {
      service.faults.clear();
      strike({ kind: 'mutate', body });
      const response = await get();
      expect([response.status, await response.json()]).toEqual([200, body]);
    }
  });

  test('truncate answers 200 with half of the JSON', async () => {
    const whole = await (await get()).text();
    strike({ kind: 'truncate' });
    const response = await get();
    const half = await response.text();
    expect(response.status).toBe(200);
    expect(whole.startsWith(half)).toBe(true);
    expect(() => JSON.parse(half) as unknown).toThrow();
  });

  test('html answers 200 with a web page, as a captive portal does', async () => {
    strike({ kind: 'html' });
    const response = await get();
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  test('redirect leads elsewhere', async () => {
    strike({ kind: 'redirect', location: 'http://127.0.0.1:9/' });
    const response = await get();
    expect([response.status, response.headers.get('Location')]).toEqual([307, 'http://127.0.0.1:9/']);
  });

  test('no-cors answers rightly, but pages cannot read it', async () => {
    strike({ kind: 'no-cors' });
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect(response.headers.get('Access-Control-Expose-Headers')).toBeNull();
  });

  test('big answers valid JSON of the ordered size', async () => {
    strike({ kind: 'big', bytes: 300_001 });
    const text = await (await get()).text();
    expect(text).toHaveLength(300_001);
    expect(JSON.parse(text)).toEqual({});
  });

  test('a rule strikes its path and method only, after and as often as it says; a preflight is no try', async () => {
    strike({ kind: 'status', status: 500 }, { path: SURFACES, method: 'GET', after: 1, times: 2 });
    const statuses = [];
    for (let request = 0; request < 5; request += 1) {
      await get(SURFACES, { method: 'OPTIONS' });
      statuses.push((await get()).status);
    }
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
    expect((await get('/creatives/fizzwick-320x180.png')).status).toBe(200);
    expect(service.faults.strikes).toHaveLength(2);
  });

  test.each([
    ['not-found', 404, 'application/problem+json'],
    ['unavailable', 503, 'application/problem+json'],
    ['html', 200, 'text/html; charset=utf-8'],
    ['unknown-name', 200, 'image/png'],
  ])('an image address with ?fault=%s is answered with %d %s', async (name, status, type) => {
    const response = await get(`/creatives/fizzwick-320x180.png?fault=${name}`);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([status, type]);
  });

  test('an image address with ?fault=no-cors gives the image without the headers a texture needs', async () => {
    const response = await get('/creatives/fizzwick-320x180.png?fault=no-cors');
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'image/png']);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect(response.headers.get('Cross-Origin-Resource-Policy')).toBeNull();
  });

  test('rules can be ordered, read and taken back over HTTP, even while everything fails', async () => {
    const admin = (method: string, body?: unknown, type = 'application/json') =>
      fetch(`${service.origin}/faults`, {
        method,
        ...(body === undefined ? {} : { headers: { 'Content-Type': type }, body: JSON.stringify(body) }),
      });
    const rules = [{ fault: { kind: 'status', status: 503, retryAfter: '1' } }];
    expect(await (await admin('POST', rules)).json()).toEqual({ rules });
    expect((await get()).status).toBe(503);
    expect(await (await admin('GET')).json()).toMatchObject({ rules, strikes: [{ path: SURFACES }] });
    expect((await admin('DELETE')).status).toBe(200);
    expect((await get()).status).toBe(200);

    for (const bad of [{}, [{ fault: { kind: 'explode' } }], [{ fault: { kind: 'delay', ms: -1 } }]]) {
      expect((await admin('POST', bad)).status).toBe(400);
    }
    // A form of another site needs no preflight; it must not order anything.
    expect((await admin('POST', rules, 'text/plain')).status).toBe(400);
    expect((await get()).status).toBe(200);
  });

  test('a service without a plan has no switches: no /faults, and ?fault= means nothing', async () => {
    const { app } = createService({ database: service.db, directory: `${process.cwd()}/demo/service` });
    expect((await app.request('/faults')).status).toBe(404);
    expect((await app.request('/creatives/fizzwick-320x180.png?fault=not-found')).status).toBe(200);
  });
});

describe('a fault plan', () => {
  const rule: FaultRule = { fault: { kind: 'drop-before' }, probability: 0.2 };
  const strikesOf = (seed: number) => {
    const plan = new FaultPlan(seed).add(rule);
    return Array.from({ length: 10_000 }, () => plan.next('GET', '/') !== undefined);
  };

  test('with the same seed strikes the same requests, with another seed others', () => {
    expect(strikesOf(7)).toEqual(strikesOf(7));
    expect(strikesOf(7)).not.toEqual(strikesOf(8));
  });

  test('strikes as often as its probability says', () => {
    const struck = strikesOf(42).filter(Boolean).length;
    // 2000 expected, standard deviation 40.
    expect(Math.abs(struck - 2000)).toBeLessThan(200);
  });

  test('asks its rules in order and takes the first that strikes', () => {
    const plan = new FaultPlan().add({ fault: { kind: 'html' }, times: 1 }, { fault: { kind: 'truncate' } });
    expect([plan.next('GET', '/'), plan.next('GET', '/')]).toEqual([{ kind: 'html' }, { kind: 'truncate' }]);
    expect(plan.clear().next('GET', '/')).toBeUndefined();
  });
});

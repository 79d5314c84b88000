import { getEventListeners } from 'node:events';

import { AdsError } from '../../../src/errors.js';
import { AD_BODIES, endOfAsking, everyAnswer } from '../../helpers/adAnswers.js';
import { createHttp, MAX_ANSWER_BYTES } from '../../../src/service/http.js';
import { operations } from '../../../src/service/operations.js';
import { Requester } from '../../../src/service/Requester.js';
import { retryWait } from '../../../src/service/retry.js';
import { FakeWorld, settle } from './FakeWorld.js';
import { BASE_URL, CONNECT, GRANT } from './FakeService.js';
import { faultOf, outcomeOf, startClient, stopClients, watch } from './startClient.js';

const SURFACES = '/v1/ad-surfaces';
const EMPTY = { body: { items: [] } };
const lost = (): Error => new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
/** What a browser tells a page of a request that did not come through: nothing. */
const unexplained = (): Error => new TypeError('Failed to fetch');

afterEach(stopClients);

describe('faults of the network', () => {
  it('F1 offline from the start: rejects net/offline within 10 s, and works again once the network is back', async () => {
    const { service, world, client } = startClient();
    world.online = false;
    service.on(SURFACES, unexplained(), unexplained(), unexplained(), EMPTY);
    const call = watch(client.getAdSurfaces());
    await world.advance(10_000);
    expect(call.code).toBe('net/offline');
    world.online = true;
    world.tell('online');
    expect(await client.getAdSurfaces()).toEqual({ items: [] });
  });

  it('F2 offline in mid-request: tries again first, then rejects net/offline', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, () => {
      world.online = false;
      return lost();
    });
    const call = watch(client.getAdSurfaces());
    await world.advance(10_000);
    expect(call.code).toBe('net/offline');
    expect(service.seen).toHaveLength(3);
  });

  it('F3 with 30 % of the requests failing, at least 97 % of 10,000 calls succeed and the rest are typed', async () => {
    const world = new FakeWorld();
    world.after = (_ms, callback) => {
      queueMicrotask(callback);
      return () => undefined;
    };
    let seed = 7;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const flaky = {
      send: () =>
        random() < 0.3
          ? Promise.reject(new AdsError('net/unreachable', 'lost'))
          : Promise.resolve({ status: 200, body: { items: [] }, retryAfterMs: undefined }),
      isBlocked: () => false,
      reset: () => undefined,
    };
    const open = {
      headersFor: async () => ({}),
      correctClock: () => false,
      renew: () => false,
      destroy: () => undefined,
    };
    const requester = new Requester(BASE_URL, flaky, open, world);
    let succeeded = 0;
    for (let i = 0; i < 10_000; i++) {
      const end = await outcomeOf(requester.call(operations.getAdSurfaces, { deadline: Infinity }));
      if (end === 'ok') succeeded++;
      else expect(end).toBe('net/unreachable');
    }
    expect(succeeded).toBeGreaterThanOrEqual(9_700);
  });

  it('F4 a request that never reached the service is sent again', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, lost(), EMPTY);
    const call = watch(client.getAdSurfaces());
    await world.advance(5_000);
    expect(call.value).toEqual({ items: [] });
    expect(service.seen).toHaveLength(2);
    // A repeated request is a new one: the same nonce would be taken for a replay.
    const nonces = service.seen.map(({ headers }) => /nonce="(\w+)"/.exec(headers.get('signature-input')!)?.[1]);
    expect(new Set(nonces).size).toBe(2);
  });

  it('F5 an answer that was lost is asked for again, but no login or connect is ever sent twice', async () => {
    const { service, world, client } = startClient();
    service.on('', lost());
    const calls = [client.login('a@b.c', 'secret'), client.getAdSurfaces()].map((call) => watch<unknown>(call));
    await world.advance(10_000);
    const connect = watch(client.connect('a@b.c'));
    await world.advance(10_000);
    expect([...calls, connect].map(({ code }) => code)).toEqual(Array(3).fill('net/unreachable'));
    const counts = ['/v1/login', SURFACES, '/v1/bc-authorize'].map((path) => service.to(path).length);
    expect(counts).toEqual([1, 3, 1]);
  });

  it('F6 a service that never answers: net/timeout at 10 s ± 0.25, and the socket is closed', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, 'silence');
    const call = watch(client.getAdSurfaces());
    await world.advance(9_990);
    expect(call.settled).toBe(false);
    await world.advance(260);
    expect(call.code).toBe('net/timeout');
    expect(service.seen).toHaveLength(1);
  });

  it.each([
    ['F24 CORS headers missing: the host answers, but not to be read', () => ({ status: 200 })],
    ['F25 an ad blocker cuts every request while online, told after the third', unexplained],
  ])('%s', async (_title, probe) => {
    const { service, world, client } = startClient();
    service.on(SURFACES, unexplained()).on('', (request) => (request.mode === 'no-cors' ? probe() : unexplained()));
    const call = watch(client.getAdSurfaces());
    await world.advance(10_000);
    expect(call.code).toBe('net/blocked-or-cors');
    expect((await faultOf(client.getAdSurfaces()))['hint']).toContain('Access-Control-Allow-Origin');
    // The probe is made once, and like all else without cookies and without anything that says who asks.
    const probes = service.seen.filter(({ mode }) => mode === 'no-cors');
    expect(probes).toHaveLength(1);
    expect(probes[0]!.headers.get('signature')).toBeNull();
    // Its answer is not read, and may have no end.
    expect(probes[0]!.signal.aborted).toBe(true);
    expect(new Set(service.seen.map(({ credentials }) => credentials))).toEqual(new Set(['omit']));
  });

  it('F25 blocked: each call makes one try and no more, until the network changes', async () => {
    const { service, world, client } = startClient();
    service.on('', unexplained());
    const call = watch(client.getAdSurfaces());
    await world.advance(10_000);
    expect(call.code).toBe('net/blocked-or-cors');
    const before = service.to(SURFACES).length;
    expect(await outcomeOf(client.getAdSurfaces())).toBe('net/blocked-or-cors');
    expect(service.to(SURFACES).length - before).toBe(1);
    world.tell('online');
    const later = watch(client.getAdSurfaces());
    await world.advance(10_000);
    expect(later.settled).toBe(true);
    expect(service.to(SURFACES).length - before).toBe(4);
  });

  it('F26 a fetch that never settles and ignores its signal: the deadline holds', async () => {
    const { world, client } = startClient();
    globalThis.fetch = () => new Promise(() => undefined);
    const call = watch(client.getAdSurfaces());
    await world.advance(10_250);
    expect(call.code).toBe('net/timeout');
  });

  it('F27 a fetch patched to throw at once: a typed error', async () => {
    const { world, client } = startClient();
    globalThis.fetch = () => {
      throw new Error('patched');
    };
    const call = watch(client.getAdSurfaces());
    await world.advance(10_250);
    expect(call.code).toBe('net/blocked-or-cors');
  });
});

describe('faults of the service', () => {
  it('F8 500: tried three times, then service/unavailable with the request id', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, { status: 500, body: { error: 'oops', request_id: 'r-7' } });
    const call = faultOf(client.getAdSurfaces());
    await world.advance(10_000);
    expect(await call).toMatchObject({ code: 'service/unavailable', status: 500, requestId: 'r-7', retryable: true });
    expect(service.seen).toHaveLength(3);
  });

  it('F8 500, and then no answer in what is left of the time: the fault that was answered is told', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, { status: 500, body: { error: 'oops', request_id: 'r-7' } }, 'silence');
    const call = faultOf(client.getAdSurfaces());
    await world.advance(10_250);
    expect(await call).toMatchObject({ code: 'service/unavailable', requestId: 'r-7' });
    expect(service.seen).toHaveLength(2);
  });

  it('F9 503 with Retry-After 120: fails with retryAfterMs, and sends nothing for 120 s', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, { status: 503, headers: { 'Retry-After': '120' } }, EMPTY);
    expect(await faultOf(client.getAdSurfaces())).toMatchObject({ code: 'service/unavailable', retryAfterMs: 120_000 });
    await world.advance(60_000);
    // The status tells that the service was not even asked: what was to be reported cannot have been counted.
    const unasked = { code: 'service/unavailable', status: 503, retryAfterMs: 60_000 };
    expect(await faultOf(client.getAd('s1'))).toMatchObject(unasked);
    expect(service.seen).toHaveLength(1);
    await world.advance(60_000);
    expect(await client.getAdSurfaces()).toEqual({ items: [] });
  });

  it('F9 503 with a Retry-After that fits the deadline is waited for', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, { status: 503, headers: { 'Retry-After': '3' } }, EMPTY);
    const call = watch(client.getAdSurfaces());
    await world.advance(2_990);
    expect(service.seen).toHaveLength(1);
    await world.advance(20);
    expect(call.value).toEqual({ items: [] });
  });

  it.each([
    ['seconds', '12', 12_000],
    ['a date', 'Sat, 21 Nov 2026 00:01:00 GMT', 60_000],
    ['a date long past', 'Sat, 21 Nov 2020 00:01:00 GMT', 60_000],
    ['text', 'soon', 60_000],
    ['text with a number', '3 apples', 60_000],
    ['negative', '-5', 60_000],
    ['10 days', '864000', 300_000],
  ])(
    'F10 429 with Retry-After as %s: at most 300 s, and 60 s where it makes no sense',
    async (_form, header, pauseMs) => {
      const { service, world, client } = startClient();
      service.on(SURFACES, { status: 429, headers: { 'Retry-After': header } }, EMPTY);
      const call = watch(client.getAdSurfaces());
      await world.advance(100);
      expect(call.code).toBe('service/rate-limited');
      expect(await faultOf(client.getAdSurfaces())).toMatchObject({ status: 429, retryAfterMs: pauseMs - 100 });
    },
  );

  it('F10 429 with a Retry-After of 0 is repeated at once', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, { status: 429, headers: { 'Retry-After': '0' } }, EMPTY);
    const call = watch(client.getAdSurfaces());
    await world.advance(100);
    expect(call.value).toEqual({ items: [] });
  });

  const DAY_MS = 86_400_000;
  it.each([
    ['a day fast', DAY_MS, 60_000, 30_000],
    ['a day slow', -DAY_MS, 300_000, 30_000],
    ['right', 0, 30_000, 30_000],
  ])(
    'S18: a Retry-After as a date on a device whose clock is %s asks for a pause all the same, and for the right one where the answer says when it was made',
    async (_what, offMs, withoutDate, withDate) => {
      const { service, world, client } = startClient();
      const answeredAt = new Date(world.wall).toUTCString();
      const headers = { 'Retry-After': new Date(world.wall + 30_000).toUTCString() };
      world.wall += offMs;
      service.on(SURFACES, { status: 503, headers }).on('/v1/ad-surfaces/s1/ad', { status: 429, headers: { ...headers, Date: answeredAt } }); // prettier-ignore
      expect(await faultOf(client.getAd('s1'))).toMatchObject({ retryAfterMs: withDate });
      expect(await faultOf(client.getAdSurfaces())).toMatchObject({ retryAfterMs: withoutDate });
      expect(service.seen).toHaveLength(2);
    },
  );

  it('F11 429 without Retry-After: that operation rests for 60 s, others go on', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, { status: 429 }, EMPTY).on('/v1/ad-surfaces/s1/ad', { body: {} });
    expect(await faultOf(client.getAdSurfaces())).toMatchObject({ retryAfterMs: 60_000 });
    expect(await outcomeOf(client.getAd('s1'))).toBe('ok');
    await world.advance(45_000);
    expect(await outcomeOf(client.getAdSurfaces())).toBe('service/rate-limited');
    await world.advance(14_000);
    // The rest of the pause fits into this call's time, so it waits.
    const call = watch(client.getAdSurfaces());
    await world.advance(990);
    expect(service.to(SURFACES)).toHaveLength(1);
    await world.advance(20);
    expect(call.value).toEqual({ items: [] });
  });

  it.each([408, 425, 460, 499, 500, 502, 520, 525, 530])('F12 %d is transient and tried again', async (status) => {
    const { service, world, client } = startClient();
    service.on(SURFACES, { status }, EMPTY);
    const call = watch(client.getAdSurfaces());
    await world.advance(5_000);
    expect(call.value).toEqual({ items: [] });
  });

  it('F13 an HTML page with 502: service/unavailable, no parse error', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, { status: 502, text: '<html><h1>Bad Gateway</h1>' });
    const call = watch(client.getAdSurfaces());
    await world.advance(10_000);
    expect(call.code).toBe('service/unavailable');
  });

  it.each([
    ['F14 a captive portal: 200 with HTML', '<!doctype html><title>Welcome</title>'],
    ['F15 truncated JSON', '{"items":[{"adSu'],
    ['F15 an empty body', ''],
    ['B26 UTF-16', '\0{\0}\0'],
    ['B26 half a surrogate pair', '{"items":[],"x":"\\ud800"}'],
    ['B27 NaN as a number', '{"items":[{"adSurfaceId":"a","width":NaN}]}'],
  ])('%s is response/not-json, and no success', async (_title, text) => {
    const { service, world, client } = startClient();
    service.on(SURFACES, { text });
    const call = watch(client.getAdSurfaces());
    await world.advance(10_000);
    expect(call.code).toBe('response/not-json');
  });

  it.each([
    ['response/too-large', `{"items":[],"x":"${'x'.repeat(262_144)}"}`],
    ['response/too-deep', `{"items":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['response/forbidden-key', '{"items":[{"adSurfaceId":"a","__proto__":{"polluted":1}}]}'],
    ['response/forbidden-key', '{"items":[],"constructor":{"prototype":{"polluted":1}}}'],
  ])('F16 B24 B25 %s for a body that would hurt', async (code, text) => {
    const { service, world, client } = startClient();
    service.on(SURFACES, { text });
    const call = watch(client.getAdSurfaces());
    await world.advance(10_000);
    expect(call.code).toBe(code);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('F16 an answer of exactly as many bytes as are allowed is read, one of one more is not', async () => {
    const { service, client } = startClient();
    const list = '{"items":[]}';
    const paddedTo = (bytes: number) => ({ text: list + ' '.repeat(bytes - list.length) });
    const declared = { ...paddedTo(MAX_ANSWER_BYTES), headers: { 'Content-Length': String(MAX_ANSWER_BYTES) } };
    service.on(SURFACES, paddedTo(MAX_ANSWER_BYTES), declared, paddedTo(MAX_ANSWER_BYTES + 1));
    expect(await client.getAdSurfaces()).toEqual({ items: [] });
    expect(await client.getAdSurfaces()).toEqual({ items: [] });
    expect(await outcomeOf(client.getAdSurfaces())).toBe('response/too-large');
  });

  it('an answer that arrives in pieces, cut anywhere, is read as a whole', async () => {
    const { client } = startClient();
    const bytes = new TextEncoder().encode('{"items":[{"adSurfaceId":"s1","name":"Wände"}]}');
    globalThis.fetch = async () =>
      new Response(
        new ReadableStream({
          start(stream) {
            for (const byte of bytes) stream.enqueue(Uint8Array.of(byte));
            stream.close();
          },
        }),
      );
    expect(await client.getAdSurfaces()).toEqual({ items: [{ adSurfaceId: 's1', name: 'Wände' }] });
  });

  it.each([
    ['says so', { 'Content-Length': '50000000' }, 3 * 65_536],
    ['does not say so', {}, MAX_ANSWER_BYTES + 3 * 65_536],
  ])('F16 of a body of 50 MB that %s no more is read than tells that it is too large', async (_what, headers, most) => {
    const { client } = startClient();
    let bytes = 0;
    let isCancelled = false;
    globalThis.fetch = async () => {
      const body = new ReadableStream({
        pull(stream) {
          stream.enqueue(new Uint8Array(65_536));
          if ((bytes += 65_536) > 50_000_000) stream.close();
        },
        cancel: () => void (isCancelled = true),
      });
      return new Response(body, { headers });
    };
    expect(await outcomeOf(client.getAdSurfaces())).toBe('response/too-large');
    await settle();
    expect(bytes).toBeLessThanOrEqual(most);
    expect(isCancelled).toBe(true);
  });

  it('B26 B38 a byte order mark and a wrong content type do no harm', async () => {
    const { service, client } = startClient();
    service.on(SURFACES, { text: '\ufeff{"items":[]}', headers: { 'Content-Type': 'text/html' } });
    expect(await client.getAdSurfaces()).toEqual({ items: [] });
  });

  it('F17 a redirect is refused, not followed', async () => {
    const { service, client } = startClient();
    service.on(SURFACES, { status: 307, headers: { Location: 'https://evil.example/' } });
    const fault = await faultOf(client.getAdSurfaces());
    expect(fault.code).toBe('service/redirected');
    // Browsers do not tell which.
    expect(fault['status']).toBeUndefined();
    expect(service.seen).toHaveLength(1);
  });

  it.each([401, 400])('F18 %i, application credentials rejected: one request, then none for 5 min', async (status) => {
    const { service, world, client } = startClient();
    service.on('', { status, body: { error: 'invalid_client' } });
    expect(await outcomeOf(client.getAdSurfaces())).toBe('config/credentials-rejected');
    for (let i = 0; i < 20; i++) {
      expect(await outcomeOf(i % 2 === 0 ? client.getAd('s1') : client.login('a@b.c', 'x'))).toBe(
        'config/credentials-rejected',
      );
      await world.advance(14_000);
    }
    expect(service.seen).toHaveLength(1);
    await world.advance(20_000);
    await outcomeOf(client.getAdSurfaces());
    expect(service.seen).toHaveLength(2);
  });

  it('F18 an application that may not use one way to sign in may make all other calls', async () => {
    const { service, client } = startClient();
    service.on('/v1/login', { status: 400, body: { error: 'unauthorized_client' } }).on(SURFACES, EMPTY);
    expect(await outcomeOf(client.login('a@b.c', 'x'))).toBe('config/credentials-rejected');
    expect(await outcomeOf(client.getAdSurfaces())).toBe('ok');
  });

  it.each([401, 400])('F18 %i, a rejected application token is minted anew once', async (status) => {
    let minted = 0;
    const getToken = async () => ({ token: `minted-${++minted}`, expiresInSeconds: 600 });
    const { service, client } = startClient({ privateKey: undefined, getToken } as never);
    service.on(SURFACES, { status, body: { error: 'invalid_client' } }, EMPTY);
    expect(await outcomeOf(client.getAdSurfaces())).toBe('ok');
    expect(service.seen.map(({ headers }) => headers.get('application-token'))).toEqual(['minted-1', 'minted-2']);
  });

  it('F19 origin not allowed: config/origin-not-allowed with a hint, and no loop', async () => {
    const { service, client } = startClient();
    service.on('', { status: 403, body: { error: 'origin_not_allowed' } });
    const fault = await faultOf(client.getAdSurfaces());
    expect(fault).toMatchObject({ code: 'config/origin-not-allowed', status: 403, retryable: false });
    expect(fault['hint']).toMatch(/origin/);
    expect(await outcomeOf(client.getAd('s1'))).toBe('config/origin-not-allowed');
    expect(service.seen).toHaveLength(1);
  });

  it.each([-24, 24])('F37 the wall clock off by %d h: corrected once from the service’s time', async (hours) => {
    const { service, world, client } = startClient();
    const serverTime = world.wall / 1_000;
    world.wall += hours * 3_600_000 + 700;
    service.on(SURFACES, ({ headers }) => {
      const [, created] = /;created=(\d+);nonce="[\da-f]{32}";/.exec(headers.get('signature-input')!)!.map(Number);
      const isOff = Math.abs(created! - serverTime) > 1;
      return isOff ? { status: 401, body: { error: 'clock_skew', server_time: serverTime } } : EMPTY;
    });
    await client.getAdSurfaces();
    await client.getAdSurfaces();
    expect(service.seen).toHaveLength(3);
  });

  it.each([0, 253_402_300_799, 'now', undefined])('B37 a service time of %p is not believed', async (time) => {
    const { service, client } = startClient();
    service.on(SURFACES, { status: 401, body: { error: 'clock_skew', server_time: time } });
    expect(await outcomeOf(client.getAdSurfaces())).toBe('service/clock-skew');
    expect(service.seen).toHaveLength(1);
  });

  it('F37 a service time that comes with another refusal is no reason to ask again', async () => {
    const { service, world, client } = startClient();
    const body = { error: 'invalid_token', server_time: Math.floor(world.wall / 1_000) + 600 };
    service.on(SURFACES, { status: 401, body }, EMPTY);
    expect(await outcomeOf(client.getAdSurfaces())).toBe('session/user-required');
    expect(service.seen).toHaveLength(1);
  });

  it('F37 a service that calls every time wrong is asked twice, and no more', async () => {
    const { service, world, client } = startClient();
    const skew = { status: 401, body: { error: 'clock_skew', server_time: Math.floor(world.wallNow() / 1_000) + 600 } };
    service.on(SURFACES, skew, skew, skew, EMPTY);
    expect(await outcomeOf(client.getAdSurfaces())).toBe('service/clock-skew');
    expect(service.seen).toHaveLength(2);
  });

  it('F38 a wall clock that jumps during a call changes no deadline', async () => {
    const { service, world, client } = startClient();
    service.on(SURFACES, 'silence');
    const call = watch(client.getAdSurfaces());
    await world.advance(5_000);
    world.wall += 86_400_000;
    await world.advance(4_990);
    expect(call.settled).toBe(false);
    await world.advance(260);
    expect(call.code).toBe('net/timeout');
  });
});

describe('S1: an answer that has arrived', () => {
  it('S1: means what the table says, whatever its status and its body', async () => {
    const world = new FakeWorld();
    world.randomValue = 0;
    const cases = everyAnswer();
    const ends = cases.map(({ status, body }, i) => {
      const { service, client } = startClient({}, world);
      const { text = '', type } = AD_BODIES[body];
      service.on(`/v1/ad-surfaces/s${i}/ad`, { status, text, ...(type && { headers: { 'Content-Type': type } }) });
      return client.getAd(`s${i}`).then(
        ({ adId }) => adId || 'no ad',
        (error: unknown) => (error as AdsError).code,
      );
    });
    await world.advance(0);
    const wrong = (await Promise.all(ends)).flatMap((end, i) => {
      const { name, status, body } = cases[i]!;
      return end === endOfAsking(status, body) ? [] : [`${name}: ${end}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each([204, 205, 304])(
    'S1: %d is asked for once, and no look is taken whether the host answers',
    async (status) => {
      const { service, client } = startClient();
      service.on('', { status });
      expect(await client.getAd('s1')).toEqual({ adId: '', url: '' });
      expect(service.seen).toHaveLength(1);
    },
  );

  const brokenOff = (status: number) => async () => {
    const stream = new ReadableStream({ pull: (pipe) => pipe.error(new TypeError('network error')) });
    return Object.defineProperty(new Response(stream), 'status', { value: status });
  };

  it.each([
    [200, 'net/unreachable', 3],
    [403, 'service/refused', 1],
    [503, 'service/unavailable', 3],
  ])('S1: and breaks off under %d is %s', async (status, code, tries) => {
    const { service, world, client } = startClient();
    world.randomValue = 0;
    let asked = 0;
    globalThis.fetch = () => (asked++, brokenOff(status)());
    const call = watch(client.getAd('s1'));
    await world.advance(10_000);
    expect([call.code, asked, service.seen]).toEqual([code, tries, []]);
  });

  it('S14: an empty 200 is no ad, and no answer where something was asked for', async () => {
    const { service, world, client } = startClient();
    world.randomValue = 0;
    service.on('', { text: '' });
    expect(await client.getAd('s1')).toEqual({ adId: '', url: '' });
    const call = watch(client.getAdSurfaces());
    await world.advance(1_000);
    expect([call.code, service.to(SURFACES).length]).toEqual(['response/not-json', 3]);
  });
});

describe('R7: what http counts and keeps', () => {
  it('R7: an answer in between starts the count of unexplained failures anew', async () => {
    const { service, world } = startClient();
    const http = createHttp(BASE_URL, world);
    const send = () => outcomeOf(http.send({ method: 'GET', path: '/x', headers: {}, timeoutMs: 1_000 }));
    service.on('', unexplained());
    await send();
    await send();
    service.on('', { status: 500 });
    await send();
    service.on('', unexplained());
    await send();
    await send();
    expect(http.isBlocked()).toBe(false);
    await send();
    expect(http.isBlocked()).toBe(true);
  });

  it('R7: a request that outlives its page says nothing of the network: nothing is looked at, and it does not count', async () => {
    const { service, world } = startClient();
    const http = createHttp(BASE_URL, world);
    service.on('', unexplained());
    const request = { method: 'POST', path: '/x', headers: {}, timeoutMs: 1_000, outlivesPage: true } as const;
    for (let i = 0; i < 5; i++) expect(await outcomeOf(http.send(request))).toBe('net/unreachable');
    expect(service.seen.map(({ mode }) => mode)).not.toContain('no-cors');
    expect(http.isBlocked()).toBe(false);
  });

  it('requests that are cancelled say nothing of the network', async () => {
    const { service, world } = startClient();
    const http = createHttp(BASE_URL, world);
    service.on('', 'silence');
    for (let i = 0; i < 4; i++) {
      const controller = new AbortController();
      const { signal } = controller;
      const sent = outcomeOf(http.send({ method: 'GET', path: '/x', headers: {}, timeoutMs: 1_000, signal }));
      await settle();
      controller.abort();
      expect(await sent).toBe('net/aborted');
      await settle();
    }
    expect([http.isBlocked(), service.seen.length]).toEqual([false, 4]);
  });

  it('no answer to GET comes from a cache, and only what must outlive its page is kept alive', async () => {
    const { service, world } = startClient();
    const http = createHttp(BASE_URL, world);
    service.on('', EMPTY);
    const request = { path: '/x', headers: {}, timeoutMs: 1_000 };
    await http.send({ ...request, method: 'GET' });
    await http.send({ ...request, method: 'POST', body: '{}' });
    await http.send({ ...request, method: 'POST', body: '{}', outlivesPage: true });
    expect(service.seen.map(({ cache, keepalive }) => [cache, keepalive])).toEqual([
      ['no-store', false],
      ['default', false],
      ['default', true],
    ]);
  });

  it('no redirect is followed, as it would take the proofs along, but where that is asked for', async () => {
    const { service, world } = startClient();
    const http = createHttp(BASE_URL, world);
    service.on('', EMPTY);
    const request = { method: 'GET', path: '/x', headers: {}, timeoutMs: 1_000 } as const;
    await http.send(request);
    await http.send({ ...request, followsRedirects: true });
    expect(service.seen.map(({ redirect }) => redirect)).toEqual(['manual', 'follow']);
  });

  it('the bound of the random wait before a repetition doubles', () => {
    expect([0, 1, 2].map((attempt) => retryWait(attempt, 0.5))).toEqual([250, 500, 1_000]);
  });

  it('R7: whether the host answers is looked at anew after an answer', async () => {
    const { service, world } = startClient();
    const http = createHttp(BASE_URL, world);
    const send = () => outcomeOf(http.send({ method: 'GET', path: '/x', headers: {}, timeoutMs: 1_000 }));
    const looks = () => service.seen.filter(({ mode }) => mode === 'no-cors').length;
    service.on('', unexplained());
    await send();
    await send();
    expect(looks()).toBe(1);
    service.on('', EMPTY);
    await send();
    service.on('', ({ mode }) => (mode === 'no-cors' ? EMPTY : unexplained()));
    expect(await send()).toBe('net/blocked-or-cors');
    expect(looks()).toBe(2);
    service.on('', unexplained());
    http.reset();
    expect(await send()).toBe('net/unreachable');
    expect(looks()).toBe(3);
  });

  it.each([
    ['outside of a page', null],
    ['on a page of the service itself', { hostname: 'ads.example', origin: 'https://ads.example' }],
  ])('%s there is nothing to learn from whether the host answers: nobody looks', async (_where, page) => {
    const { service, world } = startClient();
    world.page = page;
    const http = createHttp(BASE_URL, world);
    service.on('', unexplained());
    expect(await outcomeOf(http.send({ method: 'GET', path: '/x', headers: {}, timeoutMs: 1_000 }))).toBe('net/unreachable'); // prettier-ignore
    expect(service.seen.map(({ mode }) => mode)).not.toContain('no-cors');
  });

  it.each([
    ['require-corp', 'net/blocked-or-cors'],
    ['unsafe-none', 'net/unreachable'],
  ])('on a page that says %s of the answers it accepts, one that does not come is %s', async (policy, code) => {
    const { service, world } = startClient();
    const http = createHttp(BASE_URL, world);
    const send = () => outcomeOf(http.send({ method: 'GET', path: '/x', headers: {}, timeoutMs: 1_000 }));
    Object.defineProperty(globalThis, 'location', {
      value: { href: 'http://localhost:9000/game' },
      configurable: true,
    });
    service.on('/game', { headers: { 'Cross-Origin-Embedder-Policy': policy } });
    service.on('', EMPTY).on('/x', unexplained());
    // The host answers, so there is no need to know what the page accepts.
    expect(await send()).toBe('net/blocked-or-cors');
    expect(service.to('/game')).toEqual([]);
    http.reset();
    service.on('', unexplained());
    expect([await send(), await send()]).toEqual([code, code]);
    expect(service.to('/game')).toHaveLength(1);
    Reflect.deleteProperty(globalThis, 'location');
  });

  it('a service on this machine that cannot be reached is down, and never called blocked', async () => {
    const { service, world } = startClient();
    const http = createHttp('http://localhost:8080/api', world);
    service.on('', unexplained());
    for (let i = 0; i < 4; i++) {
      expect(await outcomeOf(http.send({ method: 'GET', path: '/x', headers: {}, timeoutMs: 1_000 }))).toBe('net/unreachable'); // prettier-ignore
    }
  });

  it('R7: what a service says to a report that outlives its page holds for that report alone', async () => {
    const { service, client } = startClient();
    const pause = { status: 503, headers: { 'Retry-After': '120' } };
    service.on('/v1/events', { status: 403, body: { error: 'origin_not_allowed' } }, pause).on(SURFACES, EMPTY);
    const report = () => outcomeOf(client.reportEvents([{ id: 'e' }], { outlivesPage: true }));
    expect([await report(), await report()]).toEqual(['config/origin-not-allowed', 'service/unavailable']);
    expect(await client.getAdSurfaces()).toEqual({ items: [] });
  });

  it('R7: a call that is cancelled between two tries leaves no timer behind', async () => {
    const { service, world, client } = startClient();
    const resting = world.leftovers;
    const controller = new AbortController();
    service.on(SURFACES, lost());
    const call = watch(client.getAdSurfaces({ signal: controller.signal }));
    await settle();
    expect([call.settled, service.seen.length]).toEqual([false, 1]);
    controller.abort();
    await settle();
    expect([call.code, world.leftovers]).toEqual(['net/aborted', resting]);
  });

  it('R7: a call that was repeated leaves no listener on the signal of its caller', async () => {
    const { service, world, client } = startClient();
    const { signal } = new AbortController();
    service.on(SURFACES, lost(), lost(), EMPTY);
    const call = watch(client.getAdSurfaces({ signal }));
    await world.advance(9_000);
    expect([call.value, service.seen.length]).toEqual([{ items: [] }, 3]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('R7: leaves no listener on the signals of its callers, and no timer, whatever the end', async () => {
    const { service, world } = startClient();
    const http = createHttp(BASE_URL, world);
    const resting = world.leftovers;
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    }) as typeof add;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    }) as typeof remove;
    for (const script of [EMPTY, { status: 500 }, unexplained(), lost(), { status: 302 }, { text: '<html>' }]) {
      service.on('', script);
      await outcomeOf(http.send({ method: 'GET', path: '/x', headers: {}, timeoutMs: 1_000, signal }));
    }
    service.on('', 'silence');
    const call = watch(http.send({ method: 'GET', path: '/x', headers: {}, timeoutMs: 1_000, signal }));
    await world.advance(1_000);
    expect(call.code).toBe('net/timeout');
    expect([listeners, world.leftovers]).toEqual([0, resting]);
  });
});

describe('what has succeeded', () => {
  it('is never aborted: neither the request, nor the answer, nor getToken', async () => {
    const aborted: string[] = [];
    const follow = (name: string, signal: AbortSignal | null | undefined): void =>
      signal?.addEventListener('abort', () => aborted.push(name));
    const getToken = async ({ signal }: { signal: AbortSignal }) => {
      follow('getToken', signal);
      return { token: 't', expiresInSeconds: 300 };
    };
    const { service, world, client } = startClient({ privateKey: undefined, getToken } as never);
    service.on('', EMPTY).on('/v1/login', { status: 401, body: { error: 'invalid_credentials' } });
    const answer = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      follow('fetch', (input as Request).signal);
      return answer(input, init);
    };
    await client.getAdSurfaces();
    expect(await outcomeOf(client.login('a@b.c', 'x'))).toBe('session/invalid-credentials');
    await world.advance(60_000);
    client.destroy();
    await settle();
    expect([service.seen.length, aborted]).toEqual([2, []]);
  });
});

describe('getToken', () => {
  const tokenClient = (getToken: unknown) => startClient({ privateKey: undefined, getToken } as never);

  it('R7: that answers or fails leaves no timer, whoever has waited for it', async () => {
    const answers = [async () => ({ token: 't', expiresInSeconds: 1 }), () => Promise.reject(new Error('x'))];
    const { service, world, client } = tokenClient(() => (answers.length > 1 ? answers.shift()! : answers[0]!)());
    const resting = world.leftovers;
    service.on('', EMPTY);
    await Promise.all([client.getAdSurfaces(), client.getAd('s1')]);
    expect(world.leftovers).toBe(resting);
    await world.advance(1_000);
    expect(await outcomeOf(client.getAdSurfaces())).toBe('config/token-provider');
    expect(world.leftovers).toBe(resting);
  });

  it('R7: that hangs is told by its signal when the client ends, and leaves no timer', async () => {
    let isTold = false;
    const { world, client } = tokenClient(
      ({ signal }: { signal: AbortSignal }) =>
        new Promise(() => signal.addEventListener('abort', () => (isTold = true))),
    );
    const call = watch(client.getAdSurfaces());
    await settle();
    client.destroy();
    await settle();
    expect([call.code, isTold, world.leftovers]).toEqual(['lifecycle/destroyed', true, 0]);
  });

  it('has the life of its token counted from when it was asked, for the token may be older than its arrival', async () => {
    let asked = 0;
    const { service, world, client } = tokenClient(() => {
      asked++;
      return new Promise((resolve) => world.after(8_000, () => resolve({ token: 't', expiresInSeconds: 60 })));
    });
    service.on('', EMPTY);
    const first = watch(client.getAdSurfaces());
    await world.advance(8_100);
    expect(first.settled).toBe(true);
    // Renewed 30 s before its end: 30 s after it was asked for.
    await world.advance(21_800);
    await client.getAdSurfaces();
    expect(asked).toBe(1);
    await world.advance(200);
    void client.getAdSurfaces().catch(() => undefined);
    await settle();
    expect(asked).toBe(2);
  });

  it('is asked for one new token by all calls whose token was refused, however late each of them hears of it', async () => {
    let minted = 0;
    const { service, world, client } = tokenClient(async () => ({
      token: `minted-${++minted}`,
      expiresInSeconds: 600,
    }));
    const lateness = [0, 500];
    service.on(SURFACES, async ({ headers }) => {
      if (headers.get('application-token') === 'minted-2') return EMPTY;
      const ms = lateness.shift()!;
      await new Promise<void>((resolve) => world.after(ms, resolve));
      return { status: 401, body: { error: 'invalid_client' } };
    });
    const calls = [client.getAdSurfaces(), client.getAdSurfaces()].map((call) => watch(call));
    await world.advance(1_000);
    expect([calls.map(({ value }) => value), minted]).toEqual([[{ items: [] }, { items: [] }], 2]);
  });

  it('is asked for one new token, and no more, when the service refuses whatever it gives', async () => {
    let minted = 0;
    const { service, client } = tokenClient(async () => ({ token: `minted-${++minted}`, expiresInSeconds: 600 }));
    service.on(SURFACES, () => (service.seen.length > 5 ? { status: 404 } : { status: 401 }));
    expect(await outcomeOf(client.getAdSurfaces())).toBe('service/refused');
    expect([minted, service.seen.length]).toEqual([2, 2]);
  });

  it.each([
    ['service/refused', {}],
    ['config/origin-not-allowed', { error: 'origin_not_allowed' }],
  ])('is not asked for another token by a 403, which is not about the token: %s', async (code, body) => {
    let minted = 0;
    const { service, client } = tokenClient(async () => ({ token: `minted-${++minted}`, expiresInSeconds: 600 }));
    service.on(SURFACES, { status: 403, body });
    expect(await outcomeOf(client.getAdSurfaces())).toBe(code);
    expect([minted, service.seen.length]).toEqual([1, 1]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no secret-in-text');
      },
    ],
    ['gives nothing', async () => undefined],
    ['gives null', async () => null],
    ['gives no token', async () => ({ expires_in: 60 })],
    ['gives a token with a line break', async () => ({ token: 'a\r\nb', expiresInSeconds: 60 })],
    ['gives a lifetime in words', async () => ({ access_token: 'abc', expires_in: 'an hour' })],
    ['gives a lifetime of nothing', async () => ({ token: 'abc', expiresInSeconds: 0 })],
    ['gives a lifetime in milliseconds', async () => ({ token: 'abc', expiresInSeconds: 900_000 })],
    [
      'gives a trap',
      async () =>
        new Proxy(
          {},
          {
            get: (_, key) => {
              if (key === 'token') throw new Error('x');
            },
          },
        ),
    ],
    ['gives a lifetime above a day', async () => ({ token: 'abc', expiresInSeconds: 86_401 })],
    ['gives a token of more than 8192 characters', async () => ({ token: 'a'.repeat(8_193), expiresInSeconds: 60 })],
  ])('F80 that %s: config/token-provider, without its words', async (_what, getToken) => {
    const { service, client } = tokenClient(getToken);
    const fault = await faultOf(client.getAdSurfaces());
    expect(fault.code).toBe('config/token-provider');
    expect(JSON.stringify(fault) + String(fault['stack'])).not.toContain('secret-in-text');
    expect(service.seen).toEqual([]);
  });

  it.each([
    ['an error', new TypeError('secret-in-text'), 'TypeError'],
    ['text', 'secret-in-text', 'no Error'],
    ['nothing', undefined, 'no Error'],
    ['an error that names itself with a number', Object.assign(new Error(), { name: 7 }), '7'],
    ['an error with a long name', Object.assign(new Error(), { name: 'x'.repeat(41) }), 'x'.repeat(40)],
  ])('F80 that rejects with %s: config/token-provider, with the kind of error alone', async (_what, reason, kind) => {
    const { client } = tokenClient(jest.fn().mockRejectedValue(reason));
    const fault = await faultOf(client.getAdSurfaces());
    expect([fault.code, fault['message']]).toEqual([
      'config/token-provider',
      expect.stringContaining(`getToken failed with ${kind} [`),
    ]);
  });

  it('may live for a day and have 8192 characters', async () => {
    const { service, client } = tokenClient(async () => ({ token: 'a'.repeat(8_192), expiresInSeconds: 86_400 }));
    service.on('', EMPTY);
    expect(await outcomeOf(client.getAdSurfaces())).toBe('ok');
  });

  it('F80 that hangs: config/token-provider at 10 s, its signal aborted, and the next time as the first', async () => {
    const told: string[] = [];
    const { world, client } = tokenClient(({ signal }: { signal: AbortSignal }) => {
      told.push(signal.aborted ? 'aborted at once' : 'asked');
      return new Promise(() => signal.addEventListener('abort', () => told.push('aborted')));
    });
    for (let times = 1; times <= 2; times++) {
      const call = watch(client.getAdSurfaces());
      await world.advance(9_900);
      expect([call.settled, told.length]).toEqual([false, 2 * times - 1]);
      await world.advance(200);
      expect(call.code).toBe('config/token-provider');
    }
    expect(told).toEqual(['asked', 'aborted', 'asked', 'aborted']);
  });

  it.each([
    { token: 't', expiresInSeconds: 60 },
    { token: 't', expires_in: 60 },
    { access_token: 't', token_type: 'Bearer', expires_in: 60 },
    { token: 't', access_token: 'other', expiresInSeconds: 60, expires_in: 1 },
  ])('may answer %j: used for 30 s', (answer) => expectUsedFor(30_000, answer));

  it.each([
    [20, 10_000],
    [59, 29_500],
    [61, 31_000],
    [86_400, 86_370_000],
  ])(
    'is asked again 30 s before the end of a token of %d s, or at half of its life if that is later',
    (seconds, usedMs) => expectUsedFor(usedMs, { token: 't', expiresInSeconds: seconds }),
  );

  const expectUsedFor = async (usedMs: number, answer: object) => {
    let asked = 0;
    const { service, world, client } = tokenClient(async () => {
      asked++;
      return answer;
    });
    service.on('', EMPTY);
    await client.getAdSurfaces();
    await world.advance(usedMs - 100);
    await client.getAdSurfaces();
    expect(service.seen.map(({ headers }) => headers.get('application-token'))).toEqual(['t', 't']);
    expect(asked).toBe(1);
    await world.advance(200);
    await client.getAdSurfaces();
    expect(asked).toBe(2);
  };

  it('S16: may write its lifetime as text, or leave it out: then the token is used until it is refused', async () => {
    for (const [answer, used] of [
      [{ access_token: 't', expires_in: '60' }, 31_000],
      [{ access_token: 't', expires_in: null }, 30 * 86_400_000],
      [{ access_token: 't' }, 30 * 86_400_000],
    ] as const) {
      let asked = 0;
      const { service, world, client } = tokenClient(async () => (asked++, answer));
      service.on('', EMPTY);
      await client.getAdSurfaces();
      world.monotonic += used - 2_000;
      await client.getAdSurfaces();
      expect(asked).toBe(1);
      world.monotonic += 2_000;
      service.on('', { status: 401, body: { error: 'invalid_client' } }, EMPTY);
      if ('expires_in' in answer && answer.expires_in !== null) service.on('', EMPTY);
      await client.getAdSurfaces();
      expect(asked).toBe(2);
    }
  });

  it('is asked once for calls at the same time, and again 30 s before the end of the token', async () => {
    let asked = 0;
    const { service, world, client } = tokenClient(async () => ({ token: `t${++asked}`, expiresInSeconds: 300 }));
    service.on('', EMPTY);
    await Promise.all([client.getAdSurfaces(), client.getAdSurfaces(), client.getAdSurfaces()]);
    await world.advance(269_000);
    await client.getAdSurfaces();
    expect(asked).toBe(1);
    await world.advance(1_000);
    await client.getAdSurfaces();
    expect(asked).toBe(2);
    expect(service.seen.at(-1)!.headers.get('application-token')).toBe('t2');
    expect(service.seen.at(-1)!.headers.get('signature')).toBeNull();
  });

  it('is not asked again because one caller has left', async () => {
    let asked = 0;
    const { service, client } = tokenClient(async () => {
      asked++;
      await settle();
      return { token: 't', expiresInSeconds: 300 };
    });
    service.on('', EMPTY);
    const abort = new AbortController();
    const left = outcomeOf(client.getAdSurfaces({ signal: abort.signal }));
    const stays = outcomeOf(client.getAdSurfaces());
    abort.abort();
    expect([await left, await stays]).toEqual(['net/aborted', 'ok']);
    expect(asked).toBe(1);
  });
});

describe('a private key in a page', () => {
  it('is warned of once where the page is not on this machine', () => {
    const world = new FakeWorld();
    world.page = { hostname: 'game.example', origin: 'https://game.example' };
    startClient({}, world);
    expect(world.warnings).toHaveLength(1);
    expect(world.warnings[0]).toContain('getToken');
  });

  it('is silent on localhost, in a page that is a file, and outside of a browser', () => {
    for (const page of [null, { hostname: '', origin: 'null' }]) {
      const nowhere = new FakeWorld();
      nowhere.page = page;
      expect(startClient({}, nowhere).world.warnings).toEqual([]);
    }
    expect(startClient().world.warnings).toEqual([]);
  });

  it.each(['invalid_client', 'clock_skew'])('that travels is sent once, whatever is wrong: %s', async (error) => {
    const { service, client } = startClient({ allowPlainPrivateKey: true });
    service.on(SURFACES, { status: 401, body: { error, server_time: 1_764_000_000 } });
    await outcomeOf(client.getAdSurfaces());
    expect(service.seen).toHaveLength(1);
  });

  it('travels only where allowPlainPrivateKey asks for it', async () => {
    const { service, client } = startClient({ allowPlainPrivateKey: true });
    service.on('', EMPTY);
    await client.getAdSurfaces();
    expect(service.seen[0]!.headers.get('private-key')).toBe('test-private-key');
    const signing = startClient().client;
    await signing.getAdSurfaces();
    expect([...service.seen[1]!.headers.values()].join()).not.toContain('test-private-key');
  });
});

describe('destroy', () => {
  it('ends every open call and leaves no timer, listener or channel', async () => {
    const { service, world, client } = startClient();
    service.on('', 'silence');
    const calls = [client.getAdSurfaces(), client.getAd('a'), client.login('a@b.c', 'x')].map((call) =>
      watch<unknown>(call),
    );
    await settle();
    client.destroy();
    await settle();
    expect(calls.map(({ code }) => code)).toEqual(Array(3).fill('lifecycle/destroyed'));
    expect(world.leftovers).toBe(0);
  });

  it('F26 leaves no timer behind after any settled call either', async () => {
    const { service, world, client } = startClient();
    const resting = world.leftovers;
    service.on(SURFACES, EMPTY).on('/v1/bc-authorize', { body: CONNECT }).on('/v1/login', { body: GRANT });
    await client.getAdSurfaces();
    await outcomeOf(client.getAdSurfaces({ signal: AbortSignal.abort() }));
    expect(world.leftovers).toBe(resting);
  });
});

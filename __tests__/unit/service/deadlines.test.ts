import { LAST_WORD_MS } from '../../../src/service/SessionMachine.js';
import type { ServiceClient } from '../../../src/service/ServiceClient.js';
import { API_KEY, CONNECT, GRANT, type Script } from './FakeService.js';
import { startClient, stopClients, watch } from './startClient.js';

/*
 * Every promise the client gives settles by its deadline + 250 ms, whatever the network, the service or the game's own
 * backend does. The clock is the test's own, so the law is exact on any machine.
 */

const TIMEOUT_MS = 4_000;
const GRACE_MS = 250;

const EMAIL = 'ada@example.com';
const lost = (): Error => new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });

/** Answers with a body that never ends: one byte each time somebody reads on, until the request is aborted. */
const drip: typeof fetch = async (input, init) => {
  const { signal } = new Request(input, init);
  const body = new ReadableStream({
    async pull(stream) {
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) stream.error(signal.reason);
      else stream.enqueue(new Uint8Array([0x20]));
    },
  });
  return new Response(body);
};

const faults: readonly [what: string, install: (started: ReturnType<typeof startClient>) => unknown][] = [
  ['F6 the service is silent', ({ service }) => service.on('', 'silence')],
  ['F7 the answer drips and never ends', () => (globalThis.fetch = drip)],
  ['F26 fetch neither settles nor heeds its signal', () => (globalThis.fetch = () => new Promise(() => undefined))],
  ['F26 the body neither comes nor ends', () => (globalThis.fetch = async () => new Response(new ReadableStream()))],
  [
    'F27 fetch throws at once',
    () =>
      (globalThis.fetch = () => {
        throw new Error('patched');
      }),
  ],
  ['F1 the device is offline', ({ world, service }) => ((world.online = false), service.on('', lost()))],
  ['F4 every request is lost', ({ service }) => service.on('', lost())],
  ['F24 the browser lets nothing through', ({ service }) => service.on('', new TypeError('Failed to fetch'))],
  ...(
    [
      ['F8 500', { status: 500 }],
      ['F9 503 with Retry-After 1', { status: 503, headers: { 'Retry-After': '1' } }],
      ['F9 503 with Retry-After 3', { status: 503, headers: { 'Retry-After': '3' } }],
      ['F9 503 with Retry-After 120', { status: 503, headers: { 'Retry-After': '120' } }],
      ['F10 429 with Retry-After 0', { status: 429, headers: { 'Retry-After': '0' } }],
      ['F11 429', { status: 429 }],
      ['F13 502 with HTML', { status: 502, text: '<html>' }],
      ['F14 200 with HTML', { text: '<html>' }],
      ['F17 a redirect', { status: 307, headers: { Location: 'https://evil.example/' } }],
      ['F18 credentials rejected', { status: 401, body: { error: 'invalid_client' } }],
      ['F77 the player refused', { status: 401, body: { error: 'invalid_token' } }],
      [
        'F37 a wrong clock, corrected in vain',
        { status: 401, body: { error: 'clock_skew', server_time: 1_764_000_000 } },
      ],
      ['F19 403', { status: 403 }],
      ['B1 null', { body: null }],
    ] satisfies [string, Script][]
  ).map(([what, script]): (typeof faults)[number] => [what, ({ service }) => service.on('', script)]),
];

/** Everything that gives a promise. `logout` waits for the service, but never longer than a call. */
const calls: Readonly<Record<string, (client: ServiceClient) => Promise<unknown>>> = {
  getAdSurfaces: (client) => client.getAdSurfaces(),
  getAd: (client) => client.getAd('a'),
  reportEvents: (client) => client.reportEvents([{ id: 'e' }]),
  connect: (client) => client.connect(EMAIL, { replace: true }),
  login: (client) => client.login(EMAIL, 'secret', { replace: true }),
  getPlayer: (client) => client.getPlayer(),
  logout: (client) => client.logout(),
};

async function expectInTime(started: ReturnType<typeof startClient>, names = Object.keys(calls)): Promise<void> {
  const begun = names.map((name) => ({ name, end: watch(calls[name]!(started.client)) }));
  await started.world.advance(TIMEOUT_MS + GRACE_MS);
  expect(begun.filter(({ end }) => !end.settled).map(({ name }) => name)).toEqual([]);
  for (const { end } of begun)
    expect(end.code ?? 'ok').toMatch(/^(ok|(net|service|response|config|session|ad)\/[a-z-]+)$/);
}

afterEach(stopClients);

describe('every call settles by its deadline + 250 ms, while', () => {
  it.each(faults)('%s: without a player', async (_what, install) => {
    const started = startClient({ timeoutMs: TIMEOUT_MS });
    install(started);
    await expectInTime(started);
  });

  it.each(faults)('%s: one by one with a player whose token is over', async (_what, install) => {
    for (const name of Object.keys(calls)) {
      const started = startClient({ timeoutMs: TIMEOUT_MS });
      started.service.on('', { body: GRANT });
      await started.client.login(EMAIL, 'secret');
      // Asleep past the end of the token: the call has to renew it first.
      started.world.monotonic += 3_600_000;
      install(started);
      await expectInTime(started, [name]);
      stopClients();
    }
  });

  it.each(faults)(
    '%s: a confirmation waited for, at most 180 s after the end of its request',
    async (_what, install) => {
      const started = startClient({ timeoutMs: TIMEOUT_MS });
      started.service.on('', { body: { ...CONNECT, expires_in: 30 } });
      const { game } = await started.client.connect(EMAIL);
      const wait = watch(game.waitForGameConnect());
      install(started);
      await started.world.advance(30_000 + LAST_WORD_MS + GRACE_MS);
      expect(wait.settled).toBe(true);
      expect(wait.value).not.toBe(true);
    },
  );

  it.each([
    ['hangs', () => new Promise(() => undefined)],
    ['throws', () => { throw new Error('no'); }], // prettier-ignore
  ])('F80 getToken %s', async (_what, getToken) => {
    const started = startClient({ apiKey: API_KEY, privateKey: undefined, getToken, timeoutMs: TIMEOUT_MS } as never);
    await expectInTime(started);
  });
});

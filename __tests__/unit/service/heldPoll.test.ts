import { contractTimes } from '../../helpers/contractTimes.js';
import { CONNECT, GRANT } from './FakeService.js';
import type { Answer, SeenRequest } from './FakeService.js';
import { FakeWorld, settle } from './FakeWorld.js';
import { startClient, stopClients, watch } from './startClient.js';

/* A4: the game learns of the player's decision as it is made, from a poll the service holds. */

const EMAIL = 'ada@example.com';
const TOKEN_PATH = '/v1/token';
const HOLD = contractTimes().longestHoldSeconds;
const CONFIRM_URL = 'https://accounts.example/app/requests/connect_1';
const PENDING: Answer = { body: { status: 'authorization_pending' } };

/** A service that holds polls, and knows which of them the client has given up. */
function start(world = new FakeWorld(), connect: object = {}) {
  const started = startClient({ persistSession: 'tab' }, world);
  const { service } = started;
  const polls: { at: number; wait: unknown; give: (answer: Answer | Error) => void; isGivenUp: boolean }[] = [];
  service
    .on('/v1/bc-authorize', { body: { ...CONNECT, hold: HOLD, confirm_url: CONFIRM_URL, ...connect } })
    .on('/v1/bc-cancel', { body: {} })
    .on('/v1/revoke', { body: {} })
    .on(TOKEN_PATH, (request: SeenRequest) => {
      const { wait } = request.body;
      if (wait === undefined) {
        polls.push({ at: world.monotonic, wait, give: () => undefined, isGivenUp: false });
        return PENDING;
      }
      return new Promise<Answer>((resolve, reject) => {
        const give = (answer: Answer | Error): void => (answer instanceof Error ? reject(answer) : resolve(answer));
        const poll = { at: world.monotonic, wait, give, isGivenUp: false };
        polls.push(poll);
        const cancelTimer = world.after(Number(wait) * 1_000, () => resolve(PENDING));
        request.signal.addEventListener('abort', () => {
          poll.isGivenUp = true;
          cancelTimer();
        });
      });
    });
  return { ...started, polls };
}

afterEach(stopClients);

it('A4: the game learns of the decision at once', async () => {
  const { world, client, polls } = start();
  const { game, confirmUrl } = await client.connect(EMAIL);
  expect(confirmUrl).toBe(CONFIRM_URL);
  expect(client.session.confirmUrl).toBe(CONFIRM_URL);
  const wait = watch(game.waitForGameConnect());
  await world.advance(40_000);
  expect(polls.map(({ wait: seconds }) => seconds)).toEqual([HOLD, HOLD]);
  polls[1]!.give({ body: GRANT });
  await settle();
  expect(wait.value).toBe(true);
  expect(client.session.confirmUrl).toBeNull();
});

it('A4: held polls follow one another until the request ends, and the last word is asked for without', async () => {
  const { world, client, polls } = start();
  await client.connect(EMAIL);
  const begin = world.monotonic;
  await world.advance(301_000);
  expect(polls.map(({ at, wait }) => [Math.round((at - begin) / 1_000), wait])).toEqual([
    ...Array.from({ length: 12 }, (_, i) => [i * HOLD, HOLD]),
    [300, undefined],
  ]);
  expect(client.session).toMatchObject({ state: 'expired', expiredReason: 'request' });
});

it('A4: a service that says nothing of holding is polled at its interval, with the first after one', async () => {
  const { world, client, polls } = start(new FakeWorld(), { hold: undefined });
  await client.connect(EMAIL);
  const begin = world.monotonic;
  await world.advance(16_000);
  expect(polls.map(({ at, wait }) => [at - begin, wait])).toEqual([5, 10, 15].map((s) => [s * 1_000, undefined]));
});

it.each([
  ['answers at once', PENDING],
  ['refuses the wait', { status: 400, body: { error: 'invalid_request' } }],
])('A4: a service that %s is polled without holding from then on', async (_what, answer) => {
  const { world, client, polls } = start();
  await client.connect(EMAIL);
  await settle();
  await world.advance(10);
  polls[0]!.give(answer);
  await world.advance(16_000);
  expect(polls.map(({ wait }) => wait)).toEqual([HOLD, undefined, undefined, undefined]);
});

it('A4: held polls that are cut are tried shorter, then the game goes back to polling', async () => {
  const { world, client, polls } = start();
  await client.connect(EMAIL);
  for (let i = 0; i < 70; i++) {
    await world.advance(1_000);
    const last = polls.at(-1)!;
    // A proxy between cuts what says nothing for three seconds.
    if (world.monotonic - last.at >= 3_000) last.give(new TypeError('cut'));
  }
  const waits = polls.map(({ wait }) => wait);
  expect(waits.slice(0, 3)).toEqual([HOLD, Math.floor(HOLD / 2), Math.floor(HOLD / 4)]);
  expect(waits.slice(3).every((wait) => wait === undefined)).toBe(true);
  expect(client.session.state).toBe('pending');
});

it.each(['cancel', 'destroy', 'a second connect', 'logout', 'the aborted signal'])(
  'A4: %s leaves no poll held, no timer and no listener',
  async (end) => {
    const { world, client, polls } = start();
    const before = world.leftovers;
    const abort = new AbortController();
    const { cancel } = await client.connect(EMAIL, { signal: abort.signal });
    await settle();
    await world.advance(1_000);
    expect(polls).toHaveLength(1);
    if (end === 'cancel') cancel();
    else if (end === 'destroy') client.destroy();
    else if (end === 'logout') await client.logout();
    else if (end === 'the aborted signal') abort.abort();
    else await client.connect(EMAIL);
    await settle();
    expect(polls[0]!.isGivenUp).toBe(true);
    if (end !== 'a second connect') expect(world.leftovers).toBeLessThanOrEqual(before);
  },
);

it.each([
  ['wakes', 'visible'],
  ['is back in the network', 'online'],
] as const)('A4: a page that %s asks anew, since the held connection may have died meanwhile', async (_what, event) => {
  const { world, client, polls } = start();
  const { game } = await client.connect(EMAIL);
  const wait = watch(game.waitForGameConnect());
  await world.advance(2_000);
  world.tell(event);
  await settle();
  expect(polls).toHaveLength(1);
  await world.advance(8_000);
  world.tell(event);
  await settle();
  expect([polls.length, polls[0]!.isGivenUp]).toEqual([2, true]);
  // Giving up the first is no failure: the second is held as long as any, and so is the one after it.
  await world.advance(HOLD * 1_000 - 100);
  expect(polls).toHaveLength(2);
  await world.advance(200);
  expect(polls.map(({ wait: seconds }) => seconds)).toEqual([HOLD, HOLD, HOLD]);
  polls[2]!.give({ body: GRANT });
  await settle();
  expect(wait.value).toBe(true);
});

it('A4: a page that reloads goes on with the request, its address and holding', async () => {
  const { world, client } = start();
  await client.connect(EMAIL);
  await world.advance(1_000);
  world.tell('hidden');
  const next = new FakeWorld();
  next.wall = world.wall;
  world.storage.entries.forEach((value, key) => next.storage.setItem(key, value));
  const { client: reloaded, polls } = start(next);
  expect(reloaded.session).toMatchObject({ state: 'pending', confirmUrl: CONFIRM_URL });
  await next.advance(6_000);
  expect(polls.map(({ wait }) => wait)).toEqual([HOLD]);
});

it.each([undefined, null])(
  'A4: a service that gives no address (%p) has done nothing that the developer is told of',
  async (none) => {
    const { service, world, client } = startClient({ debug: true });
    service.on('/v1/bc-authorize', { body: { ...CONNECT, confirm_url: none, popup_url: none } });
    expect((await client.connect(EMAIL)).confirmUrl).toBe('');
    expect(world.notes).toEqual([]);
  },
);

it.each([
  ['javascript:alert(1)', ''],
  ['http://accounts.example/app', ''],
  ['https://user:secret@accounts.example/app', ''],
  ['https://user@accounts.example/app', ''],
  ['https://:secret@accounts.example/app', ''],
  [{ toString: (): string => CONFIRM_URL }, ''],
  [`https://accounts.example/${'x'.repeat(2_100)}`, ''],
  ['/app', ''],
  ['ftp://localhost/app', ''],
  ['http://127.0.0.1:8321/app/requests/1', 'http://127.0.0.1:8321/app/requests/1'],
])('A4: of an address %p the game gets %p; of one that is left out the developer is told', async (address, shown) => {
  for (const name of ['confirm_url', 'popup_url']) {
    const { service, world, client } = startClient({ debug: true });
    service.on('/v1/bc-authorize', { body: { ...CONNECT, [name]: address } });
    expect((await client.connect(EMAIL)).confirmUrl).toBe(name === 'confirm_url' ? shown : '');
    expect(world.notes).toHaveLength(shown === '' ? 1 : 0);
  }
});

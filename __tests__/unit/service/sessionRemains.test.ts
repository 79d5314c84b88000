import { getEventListeners } from 'node:events';

import { SessionMachine } from '../../../src/service/SessionMachine.js';
import { CONNECT, GRANT } from './FakeService.js';
import type { Answer } from './FakeService.js';
import { settle } from './FakeWorld.js';
import { outcomeOf, startClient, stopClients, watch } from './startClient.js';

/*
 * What is over leaves nothing behind: no listener on what the game has handed in, no request the service need not hear,
 * no fault or flight of an earlier session in a later one.
 */

const EMAIL = 'ada@example.com';
const TOKEN_PATH = '/v1/token';
const REVOKE_PATH = '/v1/revoke';

const refusal = (error: string, status = 400): Answer => ({ status, body: { error } });

function start() {
  const started = startClient();
  started.service
    .on('/v1/bc-authorize', { body: CONNECT })
    .on(TOKEN_PATH, refusal('authorization_pending'))
    .on('/v1/login', { body: GRANT })
    .on('/v1/player', { body: GRANT.player })
    .on(REVOKE_PATH, { body: {} })
    .on('/v1/bc-cancel', { body: {} });
  return started;
}

/** Answers the test gives when it wants to, in the order of their requests. */
function held(): { answer: () => Promise<Answer>; give: (index: number, answer: Answer) => void } {
  const waiting: ((answer: Answer) => void)[] = [];
  return {
    answer: () => new Promise((resolve) => waiting.push(resolve)),
    give: (index, answer) => waiting[index]!(answer),
  };
}

const listenersOf = ({ signal }: AbortController): number => getEventListeners(signal, 'abort').length;

afterEach(stopClients);

it.each(['confirmed', 'denied', 'expired', 'cancelled', 'destroyed'])(
  'a signal handed to connect and to its wait is let go when the request is %s; only if it is cancelled, the service is told',
  async (end) => {
    const { service, world, client } = start();
    const [first, second] = [new AbortController(), new AbortController()];
    const { game, cancel } = await client.connect(EMAIL, { signal: first.signal });
    const wait = watch(game.waitForGameConnect({ signal: second.signal }));
    expect([first, second].map(listenersOf)).toEqual([1, 1]);
    const word = end === 'expired' ? 'expired_token' : 'access_denied';
    service.on(TOKEN_PATH, end === 'confirmed' ? { body: GRANT } : refusal(word));
    if (end === 'cancelled') cancel();
    else if (end === 'destroyed') client.destroy();
    else await world.advance(5_000);
    await settle();
    expect(wait.settled).toBe(true);
    await outcomeOf(game.waitForGameConnect({ signal: second.signal }));
    expect([first, second].map(listenersOf)).toEqual([0, 0]);
    expect(service.to('/v1/bc-cancel')).toHaveLength(end === 'cancelled' ? 1 : 0);
  },
);

it('a signal handed to a login or a connect that fails, or is replaced, is let go', async () => {
  const { service, client } = start();
  const controller = new AbortController();
  const { signal } = controller;
  service.on('/v1/login', refusal('invalid_credentials', 401)).on('/v1/bc-authorize', 'silence');
  expect(await outcomeOf(client.login(EMAIL, 'x', { signal }))).toBe('session/invalid-credentials');
  const connect = outcomeOf(client.connect(EMAIL, { signal }));
  await client.logout();
  expect([await connect, listenersOf(controller)]).toEqual(['session/superseded', 0]);
});

it('a signal that is aborted between the answer to connect and the game’s next line cancels the request', async () => {
  const { service, client } = start();
  const abort = new AbortController();
  client.on('sessionchange', ({ session }) => {
    if (session.state === 'pending') queueMicrotask(() => abort.abort());
  });
  const { game } = await client.connect(EMAIL, { signal: abort.signal });
  await settle();
  expect(await game.waitForGameConnect()).toBe(false);
  expect([client.session.state, listenersOf(abort)]).toEqual(['application', 0]);
  expect(service.to('/v1/bc-cancel')).toHaveLength(1);
});

it.each(['refused', 'destroyed'])('a session that is %s leaves nothing to revoke', async (end) => {
  const { service, world, client } = start();
  await client.login(EMAIL, 'x');
  if (end === 'destroyed') {
    client.destroy();
    expect(world.leftovers).toBe(0);
  } else {
    service.on(TOKEN_PATH, refusal('invalid_grant'));
    await world.advance(510_000);
    expect(client.session.state).toBe('expired');
  }
  await settle();
  expect(service.to(REVOKE_PATH)).toEqual([]);
});

it('a call waits for the refresh of its own session, though one of an earlier session ends meanwhile', async () => {
  const { service, world, client } = start();
  const refreshes = held();
  service.on(TOKEN_PATH, refreshes.answer);
  await client.login(EMAIL, 'x');
  await world.advance(510_000);
  await client.logout();
  await client.login(EMAIL, 'x');
  // The first refresh would have timed out before the second: its answer is late and it is still in flight.
  world.monotonic += 600_000;
  const call = watch(client.getPlayer());
  await settle();
  expect(service.to(TOKEN_PATH)).toHaveLength(2);
  refreshes.give(0, { body: GRANT });
  await settle();
  const later = watch(client.getPlayer());
  await settle();
  expect([call.settled, later.settled]).toEqual([false, false]);
  refreshes.give(1, { body: { ...GRANT, access_token: 'access-2' } });
  await settle();
  expect([call.value, later.value]).toEqual([GRANT.player, GRANT.player]);
});

it('the fault of a refresh is forgotten when the next one succeeds', async () => {
  const { service, world, client } = start();
  await client.login(EMAIL, 'x');
  service.on(TOKEN_PATH, refusal('down', 500));
  world.monotonic += 600_000;
  expect(await outcomeOf(client.getPlayer())).toBe('service/unavailable');
  // A lifetime so short that it is over on arrival: there is no token, and no fault either.
  service.on(TOKEN_PATH, { body: { ...GRANT, expires_in: Number.MIN_VALUE } });
  await world.advance(2_000);
  expect(client.session).toMatchObject({ state: 'connected', isStale: true });
  expect(await outcomeOf(client.getPlayer())).toBe('session/refresh-failed');
});

it('a token that is over as it arrives is not renewed in a storm', async () => {
  const { service, world, client } = start();
  service.on('/v1/login', { body: { ...GRANT, expires_in: Number.MIN_VALUE } });
  await client.login(EMAIL, 'x');
  service.on(TOKEN_PATH, { body: { ...GRANT, expires_in: 0.001 } });
  await world.advance(10_500);
  expect(service.to(TOKEN_PATH)).toHaveLength(10);
});

it('a pause the service asks for is kept, though the request ends within it', () => {
  const machine = new SessionMachine();
  machine.apply({ type: 'connect' }, 0);
  const { generation } = machine;
  machine.apply({ type: 'connectAccepted', generation, expiresInMs: 60_000, intervalMs: 5_000, holdMs: 0 }, 0);
  expect(machine.apply({ type: 'time' }, 5_000).request).toBe('poll');
  machine.apply({ type: 'pollFailed', generation, retryAfterMs: 120_000 }, 6_000);
  expect(machine.dueAt).toBe(126_000);
});

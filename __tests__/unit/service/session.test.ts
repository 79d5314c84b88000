import { MAX_SESSION_MS } from '../../../src/service/decode.js';
import { SessionStore, type StoredSession } from '../../../src/service/SessionStore.js';
import type { SessionSnapshot } from '../../../src/service/SessionSnapshot.js';
import { contractTimes } from '../../helpers/contractTimes.js';
import { CONNECT, GRANT } from './FakeService.js';
import type { Answer } from './FakeService.js';
import { FakePopup, FakeStorage, FakeTabs, FakeWorld, settle } from './FakeWorld.js';
import { faultOf, outcomeOf, startClient, stopClients, watch } from './startClient.js';

const EMAIL = 'ada@example.com';
const CONNECT_PATH = '/v1/bc-authorize';
const TOKEN_PATH = '/v1/token';
const REVOKE_PATH = '/v1/revoke';
const CANCEL_PATH = '/v1/bc-cancel';

const refusal = (error: string, status = 400): Answer => ({ status, body: { error } });
const lost = (): Error => new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
const ok: Answer = { body: {} };

function start(...args: Parameters<typeof startClient>) {
  const started = startClient(...args);
  const { client, service } = started;
  service
    .on(CONNECT_PATH, { body: CONNECT })
    .on(TOKEN_PATH, refusal('authorization_pending'))
    .on('/v1/login', { body: GRANT })
    .on('/v1/player', { body: GRANT.player })
    .on(REVOKE_PATH, ok)
    .on(CANCEL_PATH, ok);
  const changes: SessionSnapshot[] = [];
  client.on('sessionchange', ({ session }) => changes.push(session));
  return { ...started, changes, states: () => changes.map(({ state }) => state) };
}

type Started = ReturnType<typeof start>;

/** An answer the test gives when it wants to. */
function held(): { answer: () => Promise<Answer>; give: (answer: Answer) => void } {
  let give!: (answer: Answer) => void;
  const promise = new Promise<Answer>((resolve) => (give = resolve));
  return { answer: () => promise, give };
}

afterEach(stopClients);

it('R7: a token that is refused after it has been renewed is not renewed once more', async () => {
  const { service, client } = start();
  await client.login(EMAIL, 'secret');
  const late = held();
  service.on('/v1/player', late.answer, refusal('invalid_token', 401), { body: GRANT.player });
  service.on(TOKEN_PATH, { body: { ...GRANT, access_token: 'access-2' } });
  const calls = [client.getPlayer(), client.getPlayer()];
  await calls[1];
  late.give(refusal('invalid_token', 401));
  expect(await calls[0]).toEqual(GRANT.player);
  expect(service.to(TOKEN_PATH)).toHaveLength(1);
});

it('tokens that two polls bring, as when a page wakes on its popup’s answer, are those of the session: none is revoked', async () => {
  const { service, world, client } = start();
  const popup = (world.popup = new FakePopup());
  service.on(CONNECT_PATH, { body: { ...CONNECT, popup_url: 'https://accounts.example/p', hold: 20 } });
  const exchange = held();
  service.on(TOKEN_PATH, exchange.answer);
  await client.connect(EMAIL, { popup: true });
  await world.advance(6_000);
  popup.say({ state: service.to(CONNECT_PATH)[0]!.body['state'], code: 'code_1' });
  await settle();
  world.tell('visible');
  await settle();
  exchange.give({ body: GRANT });
  await settle();
  expect(await client.getPlayer()).toEqual(GRANT.player);
  expect([service.to(TOKEN_PATH).length, service.to(REVOKE_PATH)]).toEqual([1, []]);
  expect(service.to(CONNECT_PATH)[0]!.body).toMatchObject({
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
  });
  const code_verifier = expect.stringMatching(/^[\w-]{43}$/) as string;
  expect(service.to(TOKEN_PATH)[0]!.body).toEqual({ grant_type: 'authorization_code', code: 'code_1', code_verifier });
});

it('a code that the service refuses leaves the request to the e-mail; one it cannot judge now is told again', async () => {
  const { service, world, client } = start();
  const popup = (world.popup = new FakePopup());
  service.on(CONNECT_PATH, { body: { ...CONNECT, popup_url: 'https://accounts.example/p' } });
  service.on(TOKEN_PATH, { status: 500 }, refusal('invalid_grant'), refusal('authorization_pending'), { body: GRANT });
  await client.connect(EMAIL, { popup: true });
  popup.say({ state: service.to(CONNECT_PATH)[0]!.body['state'], code: 'code_1' });
  await world.advance(60_000);
  expect(client.session.state).toBe('connected');
  const ciba = 'urn:openid:params:grant-type:ciba';
  const asked = service.to(TOKEN_PATH).map(({ body }) => body['grant_type']);
  expect(asked).toEqual(['authorization_code', 'authorization_code', ciba, ciba]);
});

it('the popup goes with the client', async () => {
  const { service, world, client } = start();
  const popup = (world.popup = new FakePopup());
  service.on(CONNECT_PATH, { body: { ...CONNECT, popup_url: 'https://accounts.example/p' } });
  await client.connect(EMAIL, { popup: true });
  expect(popup.isClosed).toBe(false);
  client.destroy();
  expect([popup.isClosed, popup.listeners.size, world.leftovers]).toEqual([true, 0, 0]);
});

it('a session that cannot be renewed lives until its token is over, and asks for no other', async () => {
  const { service, world, client } = start();
  service.on('/v1/login', { body: { ...GRANT, refresh_token: undefined } });
  await client.login(EMAIL, 'x');
  await world.advance(GRANT.expires_in * 1_000 - 1);
  expect([client.session.state, client.session.isStale]).toEqual(['connected', false]);
  await world.advance(1);
  expect(client.session).toMatchObject({ state: 'expired', expiredReason: 'session' });
  expect(service.to(TOKEN_PATH)).toEqual([]);
});

it('tokens for a request that a login has replaced are revoked, and the session of the login goes on', async () => {
  const { service, world, client } = start();
  const late = held();
  service.on(TOKEN_PATH, late.answer);
  const { game } = await client.connect(EMAIL);
  await world.advance(5_000);
  await client.login(EMAIL, 'x');
  late.give({ body: { ...GRANT, refresh_token: 'refresh-late' } });
  await settle();
  expect(service.to(REVOKE_PATH).map(({ body }) => body['token'])).toEqual(['refresh-late']);
  expect([client.session.state, await game.waitForGameConnect()]).toEqual(['connected', false]);
});

it('before anything has happened a session knows nothing', () => {
  const nothing = { player: null, expiredReason: null, bindingCode: null, confirmUrl: null, requestExpiresAt: null };
  expect(start().client.session).toEqual({ state: 'application', level: 'application', isStale: false, ...nothing });
});

describe('connect', () => {
  it('asks the player, polls at the interval, and resolves true on confirmation', async () => {
    const { service, world, client, states, changes } = start();
    service.on(TOKEN_PATH, refusal('authorization_pending'), { body: GRANT });
    const result = await client.connect(EMAIL);
    expect(result).toMatchObject({ bindingCode: 'AB12', expiresAt: world.wall + 300_000 });
    expect(client.session.requestExpiresAt).toBe(result.expiresAt);
    expect(service.to(CONNECT_PATH)[0]!.body).toEqual({ login_hint: EMAIL });
    const wait = watch(result.game.waitForGameConnect());
    await world.advance(4_990);
    expect(service.to(TOKEN_PATH)).toHaveLength(0);
    await world.advance(20);
    expect(service.to(TOKEN_PATH)).toHaveLength(1);
    await world.advance(5_010);
    expect(wait.value).toBe(true);
    expect(states()).toEqual(['connecting', 'pending', 'connected']);
    expect(changes[1]).toMatchObject({ bindingCode: 'AB12', level: 'application', player: null });
    expect(changes[2]).toMatchObject({ bindingCode: null, level: 'user', player: { displayName: 'Ada' } });
    expect(await client.getPlayer()).toEqual(GRANT.player);
    expect(await result.game.waitForGameConnect()).toBe(true);
  });

  it('gives every waiter of one request the same result', async () => {
    const { service, world, client } = start();
    service.on(TOKEN_PATH, { body: GRANT });
    const { game } = await client.connect(EMAIL);
    const waits = [game.waitForGameConnect(), game.waitForGameConnect(), client.waitForGameConnect()].map(watch);
    await world.advance(5_000);
    expect(waits.map(({ value }) => value)).toEqual([true, true, true]);
  });

  it('F36 polls at once when the page is shown again, at most once a second', async () => {
    const { service, world, client } = start();
    await client.connect(EMAIL);
    await world.advance(900);
    world.tell('hidden');
    world.tell('visible');
    await settle();
    expect(service.to(TOKEN_PATH)).toHaveLength(0);
    await world.advance(200);
    world.tell('visible');
    world.tell('visible');
    await settle();
    expect(service.to(TOKEN_PATH)).toHaveLength(1);
  });

  it('F39 after a sleep of 8 h a pending request turns out expired, and a session is renewed', async () => {
    const { service, world, client, states } = start();
    service.on(TOKEN_PATH, refusal('expired_token'));
    const { game } = await client.connect(EMAIL);
    const wait = watch(game.waitForGameConnect());
    await world.advance(2_000);
    world.sleep(8 * 3_600_000);
    world.tell('visible');
    await settle();
    expect(wait.value).toBe(false);
    expect(client.session).toMatchObject({ state: 'expired', expiredReason: 'request' });

    await client.login(EMAIL, 'secret');
    service.on(TOKEN_PATH, { body: { ...GRANT, access_token: 'access-2' } });
    world.sleep(8 * 3_600_000);
    world.tell('visible');
    await settle();
    await client.getPlayer();
    expect(service.seen.at(-1)!.headers.get('authorization')).toBe('Bearer access-2');
    expect(states().at(-1)).toBe('connected');
  });

  it('F39 a session is renewed within half a minute after a sleep that no event of the page tells of', async () => {
    const { service, world, client } = start();
    await client.login(EMAIL, 'secret');
    service.on(TOKEN_PATH, { body: { ...GRANT, access_token: 'access-2' } });
    world.sleep((GRANT.expires_in - 80) * 1_000);
    await world.advance(30_000);
    expect(service.to(TOKEN_PATH)).toHaveLength(1);
  });

  it('F71 a player who never answers: expired at the service’s deadline, false', async () => {
    const { world, client } = start();
    const { game } = await client.connect(EMAIL);
    const wait = watch(game.waitForGameConnect());
    await world.advance(299_900);
    expect(wait.settled).toBe(false);
    await world.advance(100);
    expect(wait.value).toBe(false);
    expect(client.session).toMatchObject({ state: 'expired', expiredReason: 'request' });
    expect(await game.waitForGameConnect()).toBe(false);
  });

  it('F72 a player who denies: denied, false', async () => {
    const { service, world, client } = start();
    service.on(TOKEN_PATH, refusal('access_denied'));
    const { game } = await client.connect(EMAIL);
    const wait = watch(game.waitForGameConnect());
    await world.advance(5_000);
    expect(wait.value).toBe(false);
    expect(client.session).toMatchObject({ state: 'denied', level: 'application' });
  });

  it('F73 slow_down lengthens the interval by 5 s each time, for good', async () => {
    const { service, world, client } = start();
    const times: number[] = [];
    const script = [1, 2, 3].map(() => refusal('slow_down'));
    service.on(TOKEN_PATH, () => {
      times.push(world.monotonic);
      return script.shift() ?? refusal('authorization_pending');
    });
    await client.connect(EMAIL);
    const begin = world.monotonic;
    await world.advance(90_000);
    const gaps = times.map((time, i) => time - (times[i - 1] ?? begin));
    expect(gaps).toEqual([5_000, 10_000, 15_000, 20_000, 20_000, 20_000]);
  });

  it.each(['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'invalid_grant', 'half_confirmed'])(
    'a poll answered %s means the same as the error of a 400, as CIBA has it, and as the status of a 200',
    async (word) => {
      const lives = [refusal(word), { body: { status: word } }, { body: { error: word } }].map(async (answer) => {
        const { service, world, client, states } = start();
        service.on(TOKEN_PATH, answer);
        const { game } = await client.connect(EMAIL);
        const wait = watch(game.waitForGameConnect());
        const polls: number[] = [];
        for (let second = 1; second <= 60; second++) {
          await world.advance(1_000);
          polls.push(service.to(TOKEN_PATH).length);
        }
        return [polls, states(), wait.value, client.session.expiredReason];
      });
      const [first, ...others] = await Promise.all(lives);
      for (const life of others) expect(life).toEqual(first);
    },
  );

  it('F74 a request the service has forgotten: expired as unknown-request, false', async () => {
    const { service, world, client } = start();
    service.on(TOKEN_PATH, refusal('invalid_grant'));
    const { game } = await client.connect(EMAIL);
    const wait = watch(game.waitForGameConnect());
    await world.advance(5_000);
    expect(wait.value).toBe(false);
    expect(client.session).toMatchObject({ state: 'expired', expiredReason: 'unknown-request' });
  });

  it('F75 a second connect replaces the first: false for the first, its late confirmation is dropped', async () => {
    const { service, world, client } = start();
    const late = held();
    service.on(CONNECT_PATH, { body: CONNECT }, { body: { ...CONNECT, auth_req_id: 'request-2' } });
    service.on(TOKEN_PATH, late.answer, refusal('authorization_pending'));
    const first = await client.connect(EMAIL);
    const wait = watch(first.game.waitForGameConnect());
    await world.advance(5_000);
    const connecting = client.connect('eve@example.com');
    // It is over, and cannot end the other.
    first.cancel();
    const second = await connecting;
    await settle();
    expect(wait.value).toBe(false);
    late.give({ body: GRANT });
    await settle();
    expect(client.session.state).toBe('pending');
    expect(service.to(CANCEL_PATH)[0]!.body).toEqual({ auth_req_id: 'request-1' });
    expect(service.to(REVOKE_PATH)[0]!.body).toEqual({ token: 'refresh-1' });
    service.on(TOKEN_PATH, { body: GRANT });
    const secondWait = watch(second.game.waitForGameConnect());
    await world.advance(5_000);
    expect(secondWait.value).toBe(true);
  });

  it('F75 a second connect while the first is on its way: the first rejects, its request is withdrawn', async () => {
    const { service, client } = start();
    const slow = held();
    service.on(CONNECT_PATH, slow.answer, { body: { ...CONNECT, auth_req_id: 'request-2' } });
    const first = watch(client.connect(EMAIL));
    await settle();
    await client.connect(EMAIL);
    expect(first.code).toBe('session/superseded');
    slow.give({ body: CONNECT });
    await settle();
    expect(service.to(CANCEL_PATH).map(({ body }) => body)).toEqual([{ auth_req_id: 'request-1' }]);
    expect(client.session.state).toBe('pending');
  });

  it('cancel: false for the waiters, the service is told, and the application level stays', async () => {
    const { service, client } = start();
    const { game, cancel } = await client.connect(EMAIL);
    const wait = watch(game.waitForGameConnect());
    cancel();
    cancel();
    await settle();
    expect(wait.value).toBe(false);
    expect(client.session.state).toBe('application');
    expect(service.to(CANCEL_PATH)).toHaveLength(1);
  });

  it('polls again after 5 s and then every 10 s while the network fails, and for 3 min beyond the end', async () => {
    const { service, world, client } = start();
    const times: number[] = [];
    service.on(TOKEN_PATH, () => {
      times.push(world.monotonic);
      return lost();
    });
    const { game } = await client.connect(EMAIL);
    const begin = world.monotonic;
    const wait = watch(game.waitForGameConnect());
    await world.advance(45_000);
    expect(times.map((time) => time - begin)).toEqual([5_000, 10_000, 20_000, 30_000, 40_000]);
    await world.advance(434_000);
    expect(wait.settled).toBe(false);
    await world.advance(1_100);
    expect(wait.value).toBe(false);
  });

  it('polls again right after the pause that the service asks for', async () => {
    const { service, world, client } = start();
    const times: number[] = [];
    service.on(TOKEN_PATH, () => {
      times.push(world.monotonic);
      return times.length > 1 ? refusal('authorization_pending') : { status: 429, headers: { 'Retry-After': '17' } };
    });
    await client.connect(EMAIL);
    const begin = world.monotonic;
    await world.advance(25_000);
    expect(times.map((time) => time - begin)).toEqual([5_000, 22_000]);
  });

  it('S3: a confirmation at the very end is heard of, though the answers to the last polls are lost', async () => {
    const { service, world, client } = start();
    const { game } = await client.connect(EMAIL);
    const wait = watch(game.waitForGameConnect());
    await world.advance(298_000);
    service.on(TOKEN_PATH, lost(), lost(), lost(), { body: GRANT });
    await world.advance(30_000);
    expect(wait.value).toBe(true);
  });

  it('S2: a refresh whose answer is lost is repeated soon, and several times within the grace of the contract', async () => {
    const { service, world, client } = start();
    await client.login(EMAIL, 'x');
    const times: number[] = [];
    service.on(TOKEN_PATH, () => {
      times.push(world.monotonic);
      return 'silence';
    });
    await world.advance(510_000 + contractTimes().repeatGraceSeconds * 1_000);
    const first = times[0]!;
    expect(times.map((time) => Math.round((time - first) / 1_000)).slice(0, 6)).toEqual([0, 12, 26, 44, 70, 110]);
    expect(times.length).toBeGreaterThan(15);
    service.on(TOKEN_PATH, { body: GRANT });
    await world.advance(40_000);
    expect(client.session).toMatchObject({ state: 'connected', isStale: false });
  });

  it.each([400, 401])('rejects for the waiters when a fault breaks the request, such as rejected credentials (%d)', async (status) => {
    const { service, world, client } = start();
    service.on(TOKEN_PATH, refusal('invalid_client', status));
    const { game } = await client.connect(EMAIL);
    const wait = watch(game.waitForGameConnect());
    await world.advance(5_000);
    expect(wait.code).toBe('config/credentials-rejected');
    expect(client.session.state).toBe('expired');
  }); // prettier-ignore

  it('rejects for the waiters when the tokens come in a form that cannot be read', async () => {
    const { service, world, client } = start();
    service.on(TOKEN_PATH, { body: { ...GRANT, player: undefined } });
    const { game } = await client.connect(EMAIL);
    const wait = watch(game.waitForGameConnect());
    await world.advance(5_000);
    expect([wait.code, client.session.state]).toEqual(['response/schema', 'expired']);
  });

  const PASSING: readonly [string, Answer][] = [
    ...[301, 401, 403, 404, 405, 410, 451, 500].map((status): [string, Answer] => [`a ${status}`, { status, text: '<html>' }]), // prettier-ignore
    ['an empty answer', { status: 204 }],
    ['a web page', { text: '<!doctype html>' }],
    ['a page of 1 MB', { text: 'x'.repeat(1_000_000) }],
  ];
  it.each(PASSING)(
    'S17: %s in answer to a poll is not the end: the player confirms, and it is true',
    async (_what, answer) => {
      const { service, world, client } = start();
      service.on(TOKEN_PATH, answer, answer, { body: GRANT });
      const { game } = await client.connect(EMAIL);
      const wait = watch(game.waitForGameConnect());
      await world.advance(5_000);
      expect(wait.settled).toBe(false);
      await world.advance(20_000);
      expect(wait.value).toBe(true);
    },
  );

  it('a failed connect rejects typed and falls back to the former state', async () => {
    const { service, client } = start();
    service.on(CONNECT_PATH, refusal('oops', 500));
    expect(await outcomeOf(client.connect(EMAIL))).toBe('service/unavailable');
    expect(client.session.state).toBe('application');
    await client.logout();
    expect(await outcomeOf(client.connect(EMAIL))).toBe('service/unavailable');
    expect(client.session.state).toBe('signedOut');
  });
});

describe('F79 a signal', () => {
  it('aborted before: net/aborted and nothing sent', async () => {
    const { service, client, states } = start();
    const signal = AbortSignal.abort();
    const calls = [
      client.connect(EMAIL, { signal }),
      client.login(EMAIL, 'x', { signal }),
      client.getAdSurfaces({ signal }),
      client.getAd('s', { signal }),
    ];
    for (const call of calls) expect(await outcomeOf(call)).toBe('net/aborted');
    expect(service.seen).toEqual([]);
    expect(states()).toEqual([]);
    const { game } = await client.connect(EMAIL);
    expect(await outcomeOf(game.waitForGameConnect({ signal }))).toBe('net/aborted');
    expect(client.session.state).toBe('pending');
  });

  it('aborted during connect or login: net/aborted, the former state, and a late success is undone', async () => {
    const { service, client } = start();
    const connect = held();
    const login = held();
    service.on(CONNECT_PATH, connect.answer).on('/v1/login', login.answer);
    const abort = new AbortController();
    const first = watch(client.connect(EMAIL, { signal: abort.signal }));
    await settle();
    abort.abort();
    await settle();
    expect([first.code, client.session.state]).toEqual(['net/aborted', 'application']);
    const again = new AbortController();
    const second = watch(client.login(EMAIL, 'secret', { signal: again.signal }));
    await settle();
    again.abort();
    await settle();
    expect([second.code, client.session.state]).toEqual(['net/aborted', 'application']);
    connect.give({ body: CONNECT });
    login.give({ body: GRANT });
    await settle();
    expect(client.session.state).toBe('application');
    expect(service.to(CANCEL_PATH)).toHaveLength(1);
    expect(service.to(REVOKE_PATH)).toHaveLength(1);
  });

  it.each(['connect', 'login'] as const)(
    'aborted by a handler of the change that %s brings: nothing is sent',
    async (name) => {
      const { service, client } = start();
      const abort = new AbortController();
      client.on('sessionchange', () => abort.abort());
      const call = name === 'login' ? client.login(EMAIL, 'x', abort) : client.connect(EMAIL, abort);
      expect(await outcomeOf(call)).toBe('net/aborted');
      await settle();
      expect([service.seen, client.session.state]).toEqual([[], 'application']);
    },
  );

  it('aborted while waiting: that waiter rejects, the request is withdrawn, other waiters get false', async () => {
    const { client } = start();
    const { game } = await client.connect(EMAIL);
    const abort = new AbortController();
    const one = watch(game.waitForGameConnect({ signal: abort.signal }));
    const other = watch(game.waitForGameConnect());
    abort.abort();
    await settle();
    expect([one.code, other.value, client.session.state]).toEqual(['net/aborted', false, 'application']);
  });

  it('given to connect holds for the request too', async () => {
    const { client } = start();
    const abort = new AbortController();
    const { game } = await client.connect(EMAIL, { signal: abort.signal });
    const wait = watch(game.waitForGameConnect());
    abort.abort();
    await settle();
    expect([wait.code, client.session.state]).toEqual(['net/aborted', 'application']);
  });

  it('aborted after: no effect', async () => {
    const { service, world, client } = start();
    service.on(TOKEN_PATH, { body: GRANT });
    const abort = new AbortController();
    const { signal } = abort;
    const { game } = await client.connect(EMAIL, { signal });
    const wait = watch(game.waitForGameConnect({ signal }));
    await world.advance(5_000);
    abort.abort();
    await settle();
    expect([wait.value, client.session.state]).toEqual([true, 'connected']);
  });
});

describe('login', () => {
  it('resolves with the player and no token, and is told as authenticating → connected', async () => {
    const { service, world, client, states } = start();
    const result = await client.login(`  ${EMAIL} `, 'correct horse');
    expect(result).toEqual({ player: GRANT.player, expiresAt: world.wall + 600_000 });
    expect(service.seen[0]!.body).toEqual({ email: EMAIL, password: 'correct horse' });
    expect(states()).toEqual(['authenticating', 'connected']);
  });

  it('with a wrong password: session/invalid-credentials, one request, the former state', async () => {
    const { service, client } = start();
    service.on('/v1/login', refusal('invalid_credentials', 401));
    expect(await outcomeOf(client.login(EMAIL, 'wrong'))).toBe('session/invalid-credentials');
    expect(service.to('/v1/login')).toHaveLength(1);
    expect(client.session.state).toBe('application');
    // Not to be taken for rejected application credentials, which would stop everything.
    expect(await outcomeOf(client.connect(EMAIL))).toBe('ok');
  });

  it('while signed in is refused, unless it replaces: then the former session is revoked', async () => {
    const { service, client, states } = start();
    await client.login(EMAIL, 'x', { replace: true });
    expect(states()).toEqual(['authenticating', 'connected']);
    expect(await outcomeOf(client.login(EMAIL, 'x'))).toBe('session/already-connected');
    expect(await outcomeOf(client.connect(EMAIL))).toBe('session/already-connected');
    await client.login(EMAIL, 'x', { replace: true });
    expect(service.to(REVOKE_PATH)).toHaveLength(1);
    expect(client.session.state).toBe('connected');
  });

  it('begun from a pending request ends that with false', async () => {
    const { client } = start();
    const { game } = await client.connect(EMAIL);
    const wait = watch(game.waitForGameConnect());
    await client.login(EMAIL, 'x');
    expect([wait.value, client.session.state]).toEqual([false, 'connected']);
  });
});

describe('logout', () => {
  it('is local first and succeeds without the service', async () => {
    const { service, world, client, states } = start();
    await client.login(EMAIL, 'x');
    service.on(REVOKE_PATH, 'silence');
    const out = watch(client.logout());
    expect(states().at(-1)).toBe('signedOut');
    await world.advance(2_100);
    expect(out).toMatchObject({ settled: true, value: undefined });
    expect(await outcomeOf(client.getPlayer())).toBe('session/user-required');
    expect(await outcomeOf(client.logout())).toBe('ok');
  });

  it('succeeds and signs out the other tabs, too, when a handler of it ends the client', async () => {
    const tabs = new FakeTabs();
    const [a, b] = [start({}, new FakeWorld(tabs)), start({}, new FakeWorld(tabs))];
    await Promise.all([a.client.login(EMAIL, 'x'), b.client.login(EMAIL, 'x')]);
    a.client.on('sessionchange', () => a.client.destroy());
    expect(await outcomeOf(a.client.logout())).toBe('ok');
    expect([a.client.session.state, b.client.session.state]).toEqual(['destroyed', 'signedOut']);
  });

  it('in another tab changes nothing where nobody is signed in, and withdraws a request that is open', async () => {
    const tabs = new FakeTabs();
    const [a, idle, asking] = [1, 2, 3].map(() => start({}, new FakeWorld(tabs))) as [Started, Started, Started];
    await a.client.login(EMAIL, 'x');
    await asking.client.connect(EMAIL);
    await a.client.logout();
    expect(idle.states()).toEqual([]);
    expect(asking.client.session.state).toBe('signedOut');
    expect(asking.service.to(CANCEL_PATH)).toHaveLength(1);
  });

  it('reaches the service, though the client is destroyed at once', async () => {
    const { service, client } = start();
    await client.login(EMAIL, 'x');
    const out = outcomeOf(client.logout());
    client.destroy();
    expect(await out).toBe('ok');
    expect(service.to(REVOKE_PATH).map(({ body }) => body)).toEqual([{ token: GRANT.refresh_token }]);
  });

  it('of a game that ends: a request that was withdrawn just before is withdrawn at the service, too', async () => {
    const { service, client } = start();
    const { cancel } = await client.connect(EMAIL);
    cancel();
    client.destroy();
    await settle();
    expect(service.to(CANCEL_PATH).map(({ body }) => body)).toEqual([{ auth_req_id: CONNECT.auth_req_id }]);
  });

  it.each(['login', 'connect', 'poll', 'refresh'] as const)(
    'F76 while %s is in flight: the late success is dropped and undone',
    async (what) => {
      const { service, world, client } = start();
      const late = held();
      if (what === 'login') void outcomeOf(client.login(EMAIL, 'x'));
      if (what === 'connect') service.on(CONNECT_PATH, late.answer);
      if (what === 'login') service.on('/v1/login', late.answer);
      if (what === 'connect') void outcomeOf(client.connect(EMAIL));
      if (what === 'poll') {
        service.on(TOKEN_PATH, late.answer);
        await client.connect(EMAIL);
        await world.advance(5_000);
      }
      if (what === 'refresh') {
        await client.login(EMAIL, 'x');
        service.on(TOKEN_PATH, late.answer);
        await world.advance(510_000);
        expect(service.to(TOKEN_PATH)).toHaveLength(1);
      }
      await settle();
      await client.logout();
      expect(await outcomeOf(client.getPlayer())).toBe('session/user-required');
      const revokedBefore = service.to(REVOKE_PATH).length;
      late.give({ body: what === 'connect' ? CONNECT : { ...GRANT, refresh_token: 'refresh-late' } });
      await settle();
      expect(client.session).toMatchObject({ state: 'signedOut', player: null });
      if (what === 'connect') expect(service.to(CANCEL_PATH)).toHaveLength(1);
      else expect(service.to(REVOKE_PATH).slice(revokedBefore).map(({ body }) => body)).toEqual([{ token: 'refresh-late' }]); // prettier-ignore
    },
  );

  it('of a session that cannot be renewed revokes its access token, also of one that comes too late', async () => {
    const { service, client } = start();
    const late = held();
    const body = { ...GRANT, refresh_token: undefined };
    service.on('/v1/login', { body }, late.answer);
    await client.login(EMAIL, 'x');
    await client.logout();
    void outcomeOf(client.login(EMAIL, 'x'));
    await settle();
    await client.logout();
    late.give({ body: { ...body, access_token: 'access-late' } });
    await settle();
    expect(service.to(REVOKE_PATH).map(({ body: { token } }) => token)).toEqual(['access-1', 'access-late']);
  });

  it('F47 in another tab while this one refreshes: signed out here too, the new token revoked', async () => {
    const tabs = new FakeTabs();
    const a = start({}, new FakeWorld(tabs));
    const b = start({}, new FakeWorld(tabs));
    await a.client.login(EMAIL, 'x');
    await b.client.login(EMAIL, 'x');
    const late = held();
    b.service.on(TOKEN_PATH, late.answer);
    await b.world.advance(510_000);
    await a.client.logout();
    late.give({ body: { ...GRANT, refresh_token: 'refresh-late' } });
    await settle();
    expect([a.client.session.state, b.client.session.state]).toEqual(['signedOut', 'signedOut']);
    expect(b.service.to(REVOKE_PATH).map(({ body }) => body)).toContainEqual({ token: 'refresh-late' });
  });
});

describe('refresh', () => {
  const second = { body: { ...GRANT, access_token: 'access-2', refresh_token: 'refresh-2' } };

  it('happens 90 s before the end of the access token, once, with rotation', async () => {
    const { service, world, client } = start();
    await client.login(EMAIL, 'x');
    service.on(TOKEN_PATH, second);
    await world.advance(509_900);
    expect(service.to(TOKEN_PATH)).toHaveLength(0);
    await world.advance(200);
    expect(service.to(TOKEN_PATH).map(({ body }) => body)).toEqual([
      { grant_type: 'refresh_token', refresh_token: 'refresh-1' },
    ]);
    await world.advance(510_000);
    expect(service.to(TOKEN_PATH)[1]!.body).toMatchObject({ refresh_token: 'refresh-2' });
  });

  it('that brings no new refresh token leaves the player and the end of the session as they were', async () => {
    const { service, world, client } = start();
    service.on('/v1/login', { body: { ...GRANT, refresh_expires_in: 1_200 } });
    await client.login(EMAIL, 'x');
    const renewed = { access_token: 'access-2', token_type: 'Bearer', expires_in: 600 };
    service.on(TOKEN_PATH, { body: renewed }, lost());
    await world.advance(1_199_900);
    expect(service.to(TOKEN_PATH)[1]!.body).toMatchObject({ refresh_token: 'refresh-1' });
    expect(client.session).toMatchObject({ state: 'connected', isStale: true, player: GRANT.player });
    await world.advance(200);
    expect(client.session).toMatchObject({ state: 'expired', expiredReason: 'session' });
  });

  it('does not follow a call that fails for another reason than its token, nor is that call made again', async () => {
    const { service, client } = start();
    await client.login(EMAIL, 'x');
    service.on('/v1/player', refusal('gone', 410));
    expect(await outcomeOf(client.getPlayer())).toBe('service/refused');
    expect([service.to('/v1/player').length, service.to(TOKEN_PATH).length]).toEqual([1, 0]);
  });

  it('happens once for many calls refused with 401 at the same time, and they succeed', async () => {
    const { service, client } = start();
    await client.login(EMAIL, 'x');
    service.on(TOKEN_PATH, second);
    service.on('/v1/player', ({ headers }) =>
      headers.get('authorization') === 'Bearer access-2' ? { body: GRANT.player } : refusal('invalid_token', 401),
    );
    const calls = await Promise.all(Array.from({ length: 5 }, () => outcomeOf(client.getPlayer())));
    expect(calls).toEqual(Array(5).fill('ok'));
    expect(service.to(TOKEN_PATH)).toHaveLength(1);
  });

  it('F77 a token revoked on the server: one refresh, then expired; ads go on at the application level', async () => {
    const { service, client } = start();
    await client.login(EMAIL, 'x');
    service.on('/v1/player', refusal('invalid_token', 401)).on(TOKEN_PATH, refusal('invalid_grant'));
    service.on('/v1/ad-surfaces', ({ headers }) =>
      headers.has('authorization') ? refusal('invalid_token', 401) : { body: { items: [] } },
    );
    expect(await outcomeOf(client.getAdSurfaces())).toBe('ok');
    await settle();
    expect(client.session).toMatchObject({ state: 'expired', expiredReason: 'session' });
    expect(await outcomeOf(client.getPlayer())).toBe('session/user-required');
    expect(await outcomeOf(client.getAdSurfaces())).toBe('ok');
    expect(service.to(TOKEN_PATH)).toHaveLength(1);
  });

  it('F78 that fails by the network while the token is valid: stays connected, tries again after 2 s', async () => {
    const { service, world, client, states } = start();
    await client.login(EMAIL, 'x');
    service.on(TOKEN_PATH, lost(), second);
    await world.advance(510_000);
    expect(await outcomeOf(client.getPlayer())).toBe('ok');
    expect(client.session).toMatchObject({ state: 'connected', isStale: false });
    await world.advance(1_900);
    expect(service.to(TOKEN_PATH)).toHaveLength(1);
    await world.advance(200);
    expect(service.to(TOKEN_PATH)).toHaveLength(2);
    expect(states()).toEqual(['authenticating', 'connected']);
  });

  it('F78 that fails until the token is dead: still signed in, 50 calls reject with the fault after one request', async () => {
    const { service, world, client } = start();
    await client.login(EMAIL, 'x');
    service.on(TOKEN_PATH, lost());
    await world.advance(600_500);
    expect(client.session).toMatchObject({ state: 'connected', isStale: true, player: GRANT.player });
    const before = service.to(TOKEN_PATH).length;
    for (let i = 0; i < 50; i++) expect(await outcomeOf(client.getPlayer())).toBe('net/unreachable');
    expect(service.to(TOKEN_PATH).length - before).toBeLessThanOrEqual(1);
    expect(service.to('/v1/player')).toHaveLength(0);
    service.on(TOKEN_PATH, second);
    await world.advance(60_000);
    expect(await outcomeOf(client.getPlayer())).toBe('ok');
  });

  it.each([
    { status: 500 },
    { status: 503 },
    { status: 429 },
    { status: 403 },
    { status: 404 },
    refusal('invalid_grant', 503),
    refusal('expired_token', 500),
    refusal('invalid_request', 400),
    { status: 204 },
    { status: 304 },
    { text: '<html>' },
    { body: { ...GRANT, access_token: 7 } },
  ])('%j in answer to it never signs the player out', async (answer) => {
    const { service, world, client } = start();
    await client.login(EMAIL, 'x');
    service.on(TOKEN_PATH, answer);
    await world.advance(700_000);
    expect(client.session.state).toBe('connected');
  });

  it('that fails after one that succeeded is repeated as soon as the first that ever failed', async () => {
    const { service, world, client } = start();
    await client.login(EMAIL, 'x');
    service.on(TOKEN_PATH, lost(), lost(), lost(), second, lost());
    await world.advance(510_000 + 14_100);
    expect(service.to(TOKEN_PATH)).toHaveLength(4);
    await world.advance(509_000);
    expect(service.to(TOKEN_PATH)).toHaveLength(4);
    await world.advance(4_000);
    expect(service.to(TOKEN_PATH)).toHaveLength(6);
  });

  it('of a token that lives a minute waits for half of its life, however often the page is shown', async () => {
    const { service, world, client } = start();
    service.on('/v1/login', { body: { ...GRANT, expires_in: 60 } }).on(TOKEN_PATH, second);
    await client.login(EMAIL, 'x');
    for (let i = 0; i < 5; i++) {
      await world.advance(5_000);
      world.tell('visible');
    }
    await settle();
    expect(service.to(TOKEN_PATH)).toHaveLength(0);
    await world.advance(5_000);
    expect(service.to(TOKEN_PATH)).toHaveLength(1);
  });

  it('F49 waits for no lock of another tab', async () => {
    const locks = { request: jest.fn(() => new Promise(() => undefined)) };
    const { navigator } = globalThis;
    Object.defineProperty(globalThis, 'navigator', { value: { locks, onLine: true }, configurable: true });
    const { service, world, client } = start();
    await client.login(EMAIL, 'x');
    service.on(TOKEN_PATH, second);
    await world.advance(512_000);
    await client.getPlayer();
    expect(service.seen.at(-1)!.headers.get('authorization')).toBe('Bearer access-2');
    expect(locks.request).not.toHaveBeenCalled();
    Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  });

  it('a session without a refresh token ends with its access token', async () => {
    const { service, world, client } = start();
    service.on('/v1/login', { body: { ...GRANT, refresh_token: undefined, refresh_expires_in: undefined } });
    await client.login(EMAIL, 'x');
    await world.advance(599_900);
    expect(client.session.state).toBe('connected');
    await world.advance(200);
    expect(client.session).toMatchObject({ state: 'expired', expiredReason: 'session' });
  });
});

describe('a session kept for the tab', () => {
  it('is written only while the page is hidden, and taken up by the next page with one refresh', async () => {
    const { service, world, client } = start({ persistSession: 'tab' });
    await client.login(EMAIL, 'x');
    expect(world.storage.entries.size).toBe(0);
    world.tell('hidden');
    expect(world.storage.entries.size).toBe(1);
    const next = new FakeWorld();
    world.storage.entries.forEach((value, key) => next.storage.setItem(key, value));
    service.on(TOKEN_PATH, { body: { ...GRANT, access_token: 'access-2' } });
    const reloaded = startClient({ persistSession: 'tab' }, next).client;
    expect(next.storage.entries.size).toBe(0);
    expect(reloaded.session).toMatchObject({ state: 'connected', player: GRANT.player });
    expect(await outcomeOf(reloaded.getPlayer())).toBe('ok');
    expect(service.to(TOKEN_PATH)).toHaveLength(1);
  });

  it('is not for another service, even with the same key', async () => {
    const { world, client } = start({ persistSession: 'tab' });
    await client.login(EMAIL, 'x');
    world.tell('hidden');
    const next = new FakeWorld();
    world.storage.entries.forEach((value, key) => next.storage.setItem(key, value));
    const other = startClient({ persistSession: 'tab', baseUrl: 'https://staging.example/v1' }, next).client;
    expect(other.session.state).toBe('application');
    expect(next.storage.entries).toEqual(world.storage.entries);
  });

  it('goes on after a reload, and ends, also where no channel joins the tabs', async () => {
    const alone = () => Object.assign(new FakeWorld(), { openChannel: () => null });
    const world = alone();
    const { service, client } = start({ persistSession: 'tab' }, world);
    await client.login(EMAIL, 'x');
    world.tell('hidden');
    const next = alone();
    world.storage.entries.forEach((value, key) => next.storage.setItem(key, value));
    service.on(TOKEN_PATH, { body: { ...GRANT, access_token: 'access-2' } });
    const reloaded = startClient({ persistSession: 'tab' }, next).client;
    expect(await outcomeOf(reloaded.getPlayer())).toBe('ok');
    expect(await outcomeOf(reloaded.logout())).toBe('ok');
    expect([reloaded.session.state, service.to(REVOKE_PATH).length]).toEqual(['signedOut', 1]);
    expect(() => reloaded.destroy()).not.toThrow();
  });

  it('takes a pending request up again after a reload', async () => {
    const { service, world, client } = start({ persistSession: 'tab' });
    await client.connect(EMAIL);
    world.tell('hidden');
    const next = new FakeWorld();
    world.storage.entries.forEach((value, key) => next.storage.setItem(key, value));
    service.on(TOKEN_PATH, { body: GRANT });
    const reloaded = startClient({ persistSession: 'tab' }, next).client;
    expect(reloaded.session).toMatchObject({ state: 'pending', bindingCode: 'AB12' });
    const wait = watch(reloaded.waitForGameConnect());
    await next.advance(5_000);
    expect(wait.value).toBe(true);
  });

  it.each([
    ['request', 'connect', CONNECT.expires_in],
    ['session', 'login', GRANT.refresh_expires_in],
  ] as const)('a %s that was taken up ends when it would have ended', async (expiredReason, begin, seconds) => {
    const { service, world, client } = start({ persistSession: 'tab' });
    await (begin === 'connect' ? client.connect(EMAIL) : client.login(EMAIL, 'x'));
    world.tell('hidden');
    const next = new FakeWorld();
    next.wall += 100_000;
    world.storage.entries.forEach((value, key) => next.storage.setItem(key, value));
    service.on(TOKEN_PATH, begin === 'connect' ? refusal('authorization_pending') : lost());
    const reloaded = startClient({ persistSession: 'tab' }, next).client;
    await next.advance(seconds * 1_000 - 101_000);
    expect(reloaded.session.expiredReason).toBe(null);
    await next.advance(2_000);
    expect(reloaded.session).toMatchObject({ state: 'expired', expiredReason });
  });

  it('F48 twenty tabs duplicated from a live one never present one refresh token twice', async () => {
    const { service, world, client } = start({ persistSession: 'tab' });
    await client.login(EMAIL, 'x');
    const presented: unknown[] = [];
    let rotation = 1;
    service.on(TOKEN_PATH, ({ body }) => {
      presented.push(body['refresh_token']);
      return { body: { ...GRANT, refresh_token: `refresh-${++rotation}` } };
    });
    world.tell('hidden');
    world.tell('visible');
    const copies = Array.from({ length: 20 }, () => {
      const copy = new FakeWorld();
      world.storage.entries.forEach((value, key) => copy.storage.setItem(key, value));
      return { world: copy, client: startClient({ persistSession: 'tab' }, copy).client };
    });
    await Promise.all([world.advance(1_000_000), ...copies.map((copy) => copy.world.advance(1_000_000))]);
    expect(client.session.state).toBe('connected');
    expect(presented.length).toBeGreaterThan(0);
    expect(new Set(presented).size).toBe(presented.length);
    expect(copies.every((copy) => copy.client.session.state === 'application')).toBe(true);
  });

  describe('F48 and copied, with its tab, while the page is hidden', () => {
    /** A tab the player duplicates, another one with a session of its own, and a third that looks on. */
    async function startTabs(begin: (client: Started['client']) => Promise<unknown>) {
      const tabs = new FakeTabs();
      const first = start({ persistSession: 'tab' }, new FakeWorld(tabs));
      await begin(first.client);
      const other = startClient({}, new FakeWorld(tabs));
      other.world.randomBytes = (length) => new Uint8Array(length).fill(7);
      await other.client.login(EMAIL, 'x');
      /** The hidden tab of `world` is duplicated. */
      const copyOf = (world: FakeWorld) => {
        world.tell('hidden');
        const copy = new FakeWorld(tabs);
        copy.randomBytes = (length) => new Uint8Array(length).fill(8);
        world.storage.entries.forEach((value, key) => copy.storage.setItem(key, value));
        return startClient({ persistSession: 'tab' }, copy);
      };
      return { ...first, other, copyOf };
    }

    it('goes on in the latest copy alone; neither the service nor another tab is told of an end', async () => {
      const { service, world, client, other, copyOf } = await startTabs((one) => one.login(EMAIL, 'x'));
      const second = copyOf(world);
      const third = copyOf(second.world);
      const states = [client, second.client, third.client, other.client].map(({ session }) => session.state);
      expect(states).toEqual(['signedOut', 'signedOut', 'connected', 'connected']);
      expect([service.to(REVOKE_PATH), service.to(TOKEN_PATH)]).toEqual([[], []]);
      expect(world.storage.entries.size).toBe(0);
    });

    it('goes on in the copy when it is a request; whoever waits for it before hears that it was superseded', async () => {
      const { service, world, client, copyOf } = await startTabs((one) => one.connect(EMAIL));
      const wait = watch(client.waitForGameConnect());
      const copy = copyOf(world);
      await settle();
      expect([client.session.state, wait.code]).toEqual(['signedOut', 'session/superseded']);
      expect([copy.client.session.state, service.to(CANCEL_PATH)]).toEqual(['pending', []]);
    });

    it.each<[arrives: string, late: Answer | Error]>([
      ['arrive', { body: { ...GRANT, access_token: 'access-2', refresh_token: 'refresh-2' } }],
      ['are lost', lost()],
    ])('is renewed by the copy, and by no other tab, when tokens for the page before %s', async (_arrives, late) => {
      const { service, world, client, other, copyOf } = await startTabs((one) => one.login(EMAIL, 'x'));
      const answer = held();
      service.on(TOKEN_PATH, answer.answer, {
        body: { ...GRANT, access_token: 'access-3', refresh_token: 'refresh-3' },
      });
      service.on('/v1/player', refusal('invalid_token', 401), { body: GRANT.player });
      const call = outcomeOf(client.getPlayer());
      await settle();
      const copy = copyOf(world);
      await settle();
      answer.give(late as Answer);
      await settle();
      expect(await call).toBe('session/user-required');
      const kept = GRANT.refresh_token;
      expect(service.to(TOKEN_PATH).map(({ body }) => body['refresh_token'])).toEqual([kept, kept, 'refresh-3']);
      expect([copy.client.session.state, other.client.session.isStale]).toEqual(['connected', false]);
      expect([await outcomeOf(copy.client.getPlayer()), service.to(REVOKE_PATH)]).toEqual(['ok', []]);
    });
  });

  it.each([
    ['is garbage', 'garbage'],
    ['has run out', JSON.stringify({ kind: 'session', mark: 'm', refreshToken: 'r', player: GRANT.player, endsAt: 1 })],
    [
      'claims to live for years',
      JSON.stringify({ kind: 'session', mark: 'm', refreshToken: 'r', player: GRANT.player, endsAt: 9e15 }),
    ],
    ['holds a token no header can carry', JSON.stringify({ kind: 'session', mark: 'm', refreshToken: 'a\r\nb', player: GRANT.player, endsAt: Date.UTC(2026, 10, 22) })], // prettier-ignore
  ])('is ignored when the stored entry %s', async (_what, entry) => {
    const { world, client } = start({ persistSession: 'tab' });
    await client.login(EMAIL, 'x');
    world.tell('hidden');
    const next = new FakeWorld();
    for (const key of world.storage.entries.keys()) next.storage.setItem(key, entry);
    expect(startClient({ persistSession: 'tab' }, next).client.session.state).toBe('application');
    expect(next.storage.entries.size).toBe(0);
  });

  const NOW = Date.UTC(2026, 10, 21);
  const PLAYER = { playerId: 'p'.repeat(256), displayName: 'd'.repeat(256) };
  const SESSION = {
    kind: 'session',
    mark: 'm'.repeat(32),
    refreshToken: 'r'.repeat(8_192),
    player: PLAYER,
    endsAt: NOW + MAX_SESSION_MS,
  };
  const REQUEST = { kind: 'request', mark: '', requestId: 'r'.repeat(1_024), bindingCode: 'b'.repeat(20), confirmUrl: 'u'.repeat(2_048), holdMs: 60_000, endsAt: NOW + 1, intervalMs: 3_600_000 }; // prettier-ignore
  it.each<[what: string, entry: object, isTaken: boolean]>([
    ['a session that is as large as one may be', SESSION, true],
    ['a token that is too long', { ...SESSION, refreshToken: 'r'.repeat(8_193) }, false],
    ['an id of the player that is too long', { ...SESSION, player: { ...PLAYER, playerId: 'p'.repeat(257) } }, false],
    ['a name that is too long', { ...SESSION, player: { ...PLAYER, displayName: 'd'.repeat(257) } }, false],
    ['a mark that is too long', { ...SESSION, mark: 'm'.repeat(33) }, false],
    ['a request without a mark', { ...REQUEST, mark: undefined }, false],
    ['a session that outlives all sessions', { ...SESSION, endsAt: NOW + MAX_SESSION_MS + 1 }, false],
    ['a session that ends now', { ...SESSION, endsAt: NOW }, false],
    ['a request that is as large as one may be', REQUEST, true],
    ['a request that is as small as one may be', { ...REQUEST, requestId: 'r', intervalMs: 1_000, holdMs: 0 }, true],
    ['a request without an id', { ...REQUEST, requestId: '' }, false],
    ['an id of a request that is too long', { ...REQUEST, requestId: 'r'.repeat(1_025) }, false],
    ['a code that is too long', { ...REQUEST, bindingCode: 'b'.repeat(21) }, false],
    ['an address that is too long', { ...REQUEST, confirmUrl: 'u'.repeat(2_049) }, false],
    ['a hold below nothing', { ...REQUEST, holdMs: -1 }, false],
    ['a hold that is too long', { ...REQUEST, holdMs: 60_001 }, false],
    ['polls that are too close', { ...REQUEST, intervalMs: 999 }, false],
    ['polls that are too far apart', { ...REQUEST, intervalMs: 3_600_001 }, false],
  ])('is within bounds, whoever has written it: %s', (_what, entry, isTaken) => {
    const storage = new FakeStorage();
    storage.setItem('key', JSON.stringify(entry).padEnd(isTaken ? 16_384 : 0));
    const taken = new SessionStore(storage, 'key').take(NOW);
    expect(taken).toEqual(isTaken ? entry : null);
    expect(storage.entries.size).toBe(0);
  });

  it('is read no further than any is long', () => {
    const storage = new FakeStorage();
    storage.setItem('key', JSON.stringify(SESSION).padEnd(16_385));
    expect(new SessionStore(storage, 'key').take(NOW)).toBeNull();
  });

  it('goes when it is over and the storage takes no other in its place', () => {
    const storage = new FakeStorage();
    const store = new SessionStore(storage, 'key');
    store.save(SESSION as StoredSession);
    storage.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    store.save(REQUEST as StoredSession);
    expect(storage.entries.size).toBe(0);
  });

  it('is not cleared by the client before, whose place it has taken', () => {
    const storage = new FakeStorage();
    const [former, latter] = [new SessionStore(storage, 'key'), new SessionStore(storage, 'key')];
    former.save(SESSION as StoredSession);
    latter.save(REQUEST as StoredSession);
    former.clear();
    expect(latter.take(NOW)).toEqual(REQUEST);
  });

  it('is not that of another game of the same portal', async () => {
    const { world, client } = start({ persistSession: 'tab' });
    await client.login(EMAIL, 'x');
    world.tell('hidden');
    const other = startClient({ persistSession: 'tab', apiKey: 'another-key' }, world).client;
    expect([other.session.state, world.storage.entries.size]).toEqual(['application', 1]);
  });

  it('is not cleared by another client of the page that has none to keep', async () => {
    const { service, world, client } = start({ persistSession: 'tab' });
    const other = startClient({ persistSession: 'tab' }, world).client;
    await client.login(EMAIL, 'x');
    world.tell('hidden');
    await other.getAdSurfaces().catch(() => undefined);
    const next = new FakeWorld();
    world.storage.entries.forEach((value, key) => next.storage.setItem(key, value));
    service.on(TOKEN_PATH, { body: { ...GRANT, access_token: 'access-2' } });
    expect(startClient({ persistSession: 'tab' }, next).client.session.state).toBe('connected');
    // Its own end is another matter.
    await client.logout();
    expect(world.storage.entries.size).toBe(0);
  });

  describe('when the client ends and the page goes on, as where a framework mounts the game anew', () => {
    const kept = { persistSession: 'tab' } as const;

    it.each<[order: string, isBefore: boolean, begin: 'login' | 'connect', state: string]>([
      ['that begins later', false, 'login', 'connected'],
      ['that has begun before its end', true, 'login', 'connected'],
      ['that begins later, a request that is pending', false, 'connect', 'pending'],
      ['that has begun before its end, a request that is pending', true, 'connect', 'pending'],
    ])('goes to the next client of the page %s', async (_order, isBefore, begin, state) => {
      const { service, world, client } = start(kept);
      await (begin === 'login' ? client.login(EMAIL, 'x') : client.connect(EMAIL));
      const before = isBefore ? startClient(kept, world).client : null;
      const told: string[] = [];
      before?.on('sessionchange', ({ session }) => told.push(session.state));
      expect(before?.session.state ?? 'application').toBe('application');
      service.on(TOKEN_PATH, { body: { ...GRANT, access_token: 'access-2' } });
      client.destroy();
      const next = before ?? startClient(kept, world).client;
      expect([next.session.state, told]).toEqual([state, isBefore ? [state] : []]);
      if (begin === 'connect') await world.advance(6_000);
      expect(await outcomeOf(next.getPlayer())).toBe('ok');
      expect([service.to(TOKEN_PATH).length, service.to(REVOKE_PATH), service.to(CANCEL_PATH)]).toEqual([1, [], []]);
      expect(world.storage.entries.size).toBe(0);
      expect(startClient(kept, world).client.session.state).toBe('application');
    });

    it('goes on where React mounts twice after a reload: the client that has taken it up ends at once', async () => {
      const { world, client } = start(kept);
      await client.login(EMAIL, 'x');
      world.tell('hidden');
      const next = new FakeWorld();
      world.storage.entries.forEach((value, key) => next.storage.setItem(key, value));
      const [first, second] = [startClient(kept, next).client, startClient(kept, next).client];
      first.destroy();
      expect(second.session).toMatchObject({ state: 'connected', player: GRANT.player });
    });

    it('is not revoked by the answer to a renewal that comes after the end', async () => {
      const { service, world, client } = start(kept);
      await client.login(EMAIL, 'x');
      const late = held();
      service.on('/v1/player', refusal('invalid_token', 401), { body: GRANT.player });
      service.on(TOKEN_PATH, late.answer, { body: { ...GRANT, access_token: 'access-3' } });
      void client.getPlayer().catch(() => undefined);
      await settle();
      client.destroy();
      late.give({ body: { ...GRANT, access_token: 'access-2' } });
      await settle();
      expect(await outcomeOf(startClient(kept, world).client.getPlayer())).toBe('ok');
      expect(service.to(REVOKE_PATH)).toEqual([]);
    });

    it.each<[who: string, end: (started: Started) => Promise<unknown>, next: Parameters<typeof startClient>[0]]>([
      ['one after a sign-out', ({ client }) => client.logout(), kept],
      ['one with another key', () => Promise.resolve(), { ...kept, apiKey: 'another-key' }],
      ['one of another service', () => Promise.resolve(), { ...kept, baseUrl: 'https://staging.example/v1' }],
      ['one that keeps none', () => Promise.resolve(), {}],
      ['one that comes when it is over', ({ world }) => world.advance(0).then(() => void (world.wall += GRANT.refresh_expires_in * 1_000)), kept], // prettier-ignore
    ])('does not go to %s', async (_who, end, next) => {
      const started = start(kept);
      await started.client.login(EMAIL, 'x');
      if (next === kept && started.client.session.state === 'connected') await end(started);
      started.client.destroy();
      expect(startClient(next, started.world).client.session.state).toBe('application');
    });

    it('does not replace the session of another client of the page, now or later', async () => {
      const { world, client } = start(kept);
      const other = startClient(kept, world).client;
      await client.login(EMAIL, 'x');
      await other.login(EMAIL, 'x');
      client.destroy();
      await other.logout();
      other.destroy();
      expect(startClient(kept, world).client.session.state).toBe('application');
    });

    it('goes to one of two clients, also while the page is hidden', async () => {
      const { world, client } = start(kept);
      const others = [startClient(kept, world).client, startClient(kept, world).client];
      await client.login(EMAIL, 'x');
      world.tell('hidden');
      client.destroy();
      expect(others.map(({ session }) => session.state)).toEqual(['connected', 'application']);
      expect(world.storage.entries.size).toBe(1);
    });

    it.each(['login', 'connect'] as const)(
      'goes to a client that has withdrawn a request, whose late tokens are revoked: after a %s',
      async (begin) => {
        const { service, world, client } = start(kept);
        const late = held();
        service.on(TOKEN_PATH, late.answer, refusal('authorization_pending'));
        const { cancel } = await client.connect(EMAIL);
        await world.advance(5_000);
        cancel();
        const other = startClient(kept, world).client;
        service.on(CONNECT_PATH, { body: { ...CONNECT, auth_req_id: 'request-2' } });
        await (begin === 'login' ? other.login(EMAIL, 'x') : other.connect(EMAIL));
        service.on('/v1/player', { body: GRANT.player });
        service.on(TOKEN_PATH, { body: { ...GRANT, access_token: 'access-2', refresh_token: 'refresh-2' } });
        other.destroy();
        const { state } = client.session;
        const withdrawn = { ...GRANT, access_token: 'access-3', refresh_token: 'refresh-3' };
        late.give({ body: { ...withdrawn, player: { playerId: 'p2', displayName: 'Eve' } } });
        await settle();
        expect(client.session).toMatchObject({ state, player: begin === 'login' ? GRANT.player : null });
        expect(service.to(REVOKE_PATH).map(({ body }) => body)).toEqual([{ token: 'refresh-3' }]);
      },
    );

    it('does not go on in a client that was not told to keep it', async () => {
      const { world, client } = start();
      await client.login(EMAIL, 'x');
      client.destroy();
      expect(startClient(kept, world).client.session.state).toBe('application');
    });
  });

  it('does without a storage that is denied or full', async () => {
    const world = new FakeWorld();
    const denied = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    world.openTabStorage = () => ({ getItem: denied, setItem: denied, removeItem: denied });
    const { client } = start({ persistSession: 'tab' }, world);
    await client.login(EMAIL, 'x');
    world.tell('hidden');
    world.tell('visible');
    expect(client.session.state).toBe('connected');
  });
});

describe('session events', () => {
  it('reach every handler even if one throws', async () => {
    const { world, client } = start();
    const seen: string[] = [];
    const fault = new Error('the game’s own');
    const warn = jest.spyOn(world, 'warn');
    client.on('sessionchange', () => {
      throw fault;
    });
    const handler = ({ session }: { session: SessionSnapshot }): void => void seen.push(session.state);
    client.on('sessionchange', handler);
    await client.login(EMAIL, 'x');
    client.off('sessionchange', handler);
    await client.logout();
    expect(seen).toEqual(['authenticating', 'connected']);
    expect(warn).toHaveBeenCalledWith(expect.any(String), fault);
  });

  it('may begin something new from within', async () => {
    const { service, client } = start();
    client.on('sessionchange', ({ session }) => {
      if (session.state === 'connecting') void client.logout();
    });
    expect(await outcomeOf(client.connect(EMAIL))).toBe('session/superseded');
    await settle();
    expect([client.session.state, service.seen]).toEqual(['signedOut', []]);
  });

  it('reach every handler in the order things happened, whatever an earlier handler brings about', async () => {
    const { client } = start();
    const told: string[][] = [[], []];
    client.on('sessionchange', ({ previous, session }) => {
      told[0]!.push(`${previous} ${session.state}`);
      if (session.state === 'connected') void client.logout();
    });
    client.on('sessionchange', ({ previous, session }) => void told[1]!.push(`${previous} ${session.state}`));
    expect(await outcomeOf(client.login(EMAIL, 'x'))).toBe('session/superseded');
    expect(client.session.state).toBe('signedOut');
    expect(told[1]).toEqual(['application authenticating', 'authenticating connected', 'connected signedOut']);
    expect(told[0]).toEqual(told[1]);
  });

  it('reach every handler though one destroys the client', async () => {
    const { client } = start();
    const told: string[] = [];
    client.on('sessionchange', ({ session }) => {
      if (session.state === 'authenticating') client.destroy();
    });
    client.on('sessionchange', ({ session }) => void told.push(session.state));
    expect(await outcomeOf(client.login(EMAIL, 'x'))).toBe('lifecycle/destroyed');
    expect(told).toEqual(['authenticating', 'destroyed']);
    const { client: another } = start();
    await another.login(EMAIL, 'x');
    another.on('sessionchange', () => another.destroy());
    expect(await outcomeOf(another.connect(EMAIL, { replace: true }))).toBe('lifecycle/destroyed');
  });

  it('B65 tell of destroy, whose waiters reject and after which every call rejects', async () => {
    const { client, states } = start();
    const { game, cancel } = await client.connect(EMAIL);
    const wait = watch(game.waitForGameConnect());
    client.destroy();
    client.destroy();
    await settle();
    expect(wait.code).toBe('lifecycle/destroyed');
    expect(states().at(-1)).toBe('destroyed');
    cancel();
    const calls = [
      client.getAdSurfaces(),
      client.getAd('s'),
      client.getPlayer(),
      client.connect(EMAIL),
      client.login(EMAIL, 'x'),
      client.logout(),
      client.waitForGameConnect(),
      game.waitForGameConnect(),
    ];
    for (const call of calls) expect(await faultOf(call)).toMatchObject({ code: 'lifecycle/destroyed' });
  });
});

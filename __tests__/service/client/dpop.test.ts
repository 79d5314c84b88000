import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import type { AdsOptions } from '../../../src/options.js';
import { browserEnvironment, type ClientEnvironment, type PageWatcher } from '../../../src/service/environment.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { FakeKeyStore, FakeStorage } from '../../unit/service/FakeWorld.js';
import { until } from '../../helpers/until.js';

const { apiKey, privateKey } = DEMO_APPLICATION;
const { email, password } = DEMO_PLAYER;

let service: RunningService;
const clients: ServiceClient[] = [];

beforeEach(async () => (service = await startService({ connect: { intervalSeconds: 1 } })));
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await service.close();
});

/** A page of one browser: what it stores, and its keys. */
function openPage(storage = new FakeStorage(), keys = new FakeKeyStore(), world: Partial<ClientEnvironment> = {}) {
  let watchers: PageWatcher[] = [];
  const environment: ClientEnvironment = {
    ...browserEnvironment(),
    openTabStorage: () => storage,
    openKeyStore: () => keys,
    watchPage(watcher) {
      watchers.push(watcher);
      return () => (watchers = watchers.filter((one) => one !== watcher));
    },
    warn: () => undefined,
    ...world,
  };
  const options = { apiKey, privateKey, baseUrl: service.baseUrl, persistSession: 'tab', sessionBinding: 'dpop' };
  const client = new ServiceClient(options as AdsOptions, environment);
  clients.push(client);
  return { client, storage, keys, hide: () => watchers.forEach((watcher) => watcher.hidden()) };
}

const copyOf = (storage: FakeStorage): FakeStorage => {
  const copy = new FakeStorage();
  storage.entries.forEach((value, key) => copy.setItem(key, value));
  return copy;
};

test('A5: a player logs in, is asked for and renewed with proofs of a key that cannot be exported', async () => {
  const { client, keys } = openPage();
  await client.login(email, password);
  expect(await client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
  const [pair] = keys.pairs.values();
  expect(pair!.privateKey.extractable).toBe(false);
  await expect(crypto.subtle.exportKey('jwk', pair!.privateKey)).rejects.toThrow();
  service.clock.advance(11 * 60_000);
  expect(await client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
  await client.logout();
  expect(await service.db.first('SELECT 1 AS one FROM player_sessions WHERE revoked_at IS NULL')).toBeUndefined();
});

test('A5: a connect request is bound from its start', async () => {
  const { client } = openPage();
  const { game } = await client.connect(email);
  await service.db.run(`UPDATE connect_requests SET state = 'confirmed'`);
  expect(await game.waitForGameConnect()).toBe(true);
  expect(await client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
  const rows = await service.db.all<{ key_thumbprint: string | null }>(
    'SELECT key_thumbprint FROM connect_requests UNION ALL SELECT key_thumbprint FROM player_sessions',
  );
  expect(rows[0]!.key_thumbprint).toMatch(/^[\w-]{43}$/);
  expect(rows[1]).toEqual(rows[0]);
});

test('A5: stolen storage is worth nothing to another browser, and the player’s own page goes on with it', async () => {
  const own = openPage();
  await own.client.login(email, password);
  own.hide();
  const [left, stolen] = [copyOf(own.storage), copyOf(own.storage)];
  expect(stolen.entries.size).toBe(1);
  own.client.destroy();

  const thief = openPage(stolen, new FakeKeyStore());
  await until(() => thief.client.session.state !== 'connected');
  expect(thief.client.session).toMatchObject({ state: 'expired', expiredReason: 'session' });

  const reloaded = openPage(left, own.keys);
  expect(await reloaded.client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
});

test.each([-3_600_000, 3_600_000])(
  'A5: a device whose clock is %i ms off proves itself all the same',
  async (offMs) => {
    const { client } = openPage(undefined, undefined, { wallNow: () => Date.now() + offMs });
    await client.login(email, password);
    expect(await client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
  },
);

test('A5: where keys cannot be kept, one holds for the page; without WebCrypto the login fails typed', async () => {
  const none = openPage(undefined, undefined, { openKeyStore: () => null });
  await none.client.login(email, password);
  const keys = new FakeKeyStore();
  keys.keep = () => Promise.reject(new DOMException('no clone', 'DataCloneError'));
  await openPage(undefined, keys).client.login(email, password);
  const insecure = openPage(undefined, undefined, { subtle: () => null });
  await expect(insecure.client.login(email, password)).rejects.toMatchObject({ code: 'config/browser' });
});

describe('in a sandboxed frame, which has no storage', () => {
  const denied = (): never => {
    throw new DOMException('denied', 'SecurityError');
  };
  afterEach(() => void Reflect.deleteProperty(globalThis, 'indexedDB'));

  test.each([
    ['the database cannot be opened', { value: { open: denied } }],
    ['the database cannot even be named', { get: denied }],
  ])('one key holds for the page: %s', async (_what, indexedDB: PropertyDescriptor) => {
    Object.defineProperty(globalThis, 'indexedDB', { configurable: true, ...indexedDB });
    const { openKeyStore } = browserEnvironment();
    const { client } = openPage(undefined, undefined, { openKeyStore });
    await client.login(email, password);
    expect(await client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
  });
});

test('A5: while the key cannot be read, a session is not renewed with another one, and lives', async () => {
  const own = openPage();
  await own.client.login(email, password);
  own.hide();
  const left = copyOf(own.storage);
  own.client.destroy();
  const keys = new FakeKeyStore();
  let isBroken = true;
  keys.get = (name) => (isBroken ? Promise.reject(new Error('blocked')) : own.keys.get(name));
  const { client } = openPage(left, keys);
  await expect(client.getPlayer()).rejects.toMatchObject({ code: 'session/refresh-failed' });
  expect(client.session).toMatchObject({ state: 'connected', isStale: true });
  isBroken = false;
  await until(() => !client.session.isStale);
  expect(await client.getPlayer()).toMatchObject({ displayName: DEMO_PLAYER.displayName });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startService } from '../../../demo/service/startService.js';
import type { RunningService } from '../../../demo/service/startService.js';
import type { Fault } from '../../../demo/service/faults/FaultPlan.js';
import { DEMO_APPLICATION, DEMO_PLAYER, DEMO_SURFACES } from '../../../demo/service/seedDemo.js';
import { isAdsError } from '../../../src/errors.js';
import type { AdsOptions } from '../../../src/options.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { createSigner } from '../../../src/service/signing.js';
import { until } from '../../helpers/until.js';

const { apiKey, privateKey } = DEMO_APPLICATION;
const { email, password } = DEMO_PLAYER;
/** Of calls that end by an answer: no machine is so slow. */
const LONG_MS = 60_000;
/** Of calls that end by the deadline. */
const SHORT_MS = 1_500;
const GRACE_MS = 250;

let service: RunningService;
const clients: ServiceClient[] = [];

function newClient(options: Partial<AdsOptions> = {}): ServiceClient {
  const client = new ServiceClient({
    apiKey,
    privateKey,
    baseUrl: service.baseUrl,
    timeoutMs: LONG_MS,
    ...options,
  } as AdsOptions);
  clients.push(client);
  return client;
}

/** Settles to the code of a call's end, `ok` when it succeeds. */
function endOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    (error: unknown) => (isAdsError(error) ? error.code : `not an AdsError: ${String(error)}`),
  );
}

/**
 * As {@link endOf}, or `late` when the call is still open 250 ms after a timer of the same deadline, started alongside
 * it, has rung. The timers share an event loop: a slow machine makes both late, and neither later than the other.
 */
function endInTime(timeoutMs: number, begin: () => Promise<unknown>): Promise<string> {
  const call = begin();
  let timer: NodeJS.Timeout;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => (timer = setTimeout(() => resolve('late'), GRACE_MS)), timeoutMs);
  });
  return Promise.race([endOf(call), late]).finally(() => clearTimeout(timer));
}

/** What the player does on the web app. */
const decide = (state: 'confirmed' | 'denied'): Promise<unknown> =>
  service.db.run(`UPDATE connect_requests SET state = ? WHERE state = 'pending'`, state);

beforeEach(async () => {
  service = await startService({ port: 0, connect: { intervalSeconds: 1, expiresInSeconds: 30 } });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await service.close();
});

describe('against the real service', () => {
  it('the document’s call order for an ad runs as far as the sprite', async () => {
    const client = newClient();
    const { items } = await client.getAdSurfaces();
    expect(items.map(({ adSurfaceId }) => adSurfaceId)).toEqual(DEMO_SURFACES.map(({ adSurfaceId }) => adSurfaceId));
    const ad = await client.getAd(items[0]!.adSurfaceId);
    expect(ad.adId).toBeTruthy();
    const image = await fetch(ad.url);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(await client.getAd('empty-lot-board')).toEqual({ adId: '', url: '' });
    expect(await endOf(client.getAd('no-such-surface'))).toBe('ad/unknown-surface');
  });

  it('login, the private profile, and logout, after which the token is worth nothing', async () => {
    const client = newClient();
    expect((await client.login(email, password)).player.displayName).toBe(DEMO_PLAYER.displayName);
    expect((await client.getPlayer()).displayName).toBe(DEMO_PLAYER.displayName);
    await client.logout();
    expect(await endOf(client.getPlayer())).toBe('session/user-required');
    const left = await service.db.first('SELECT 1 FROM player_sessions WHERE revoked_at IS NULL');
    expect(left).toBeUndefined();
  });

  it('a wrong password is told as such', async () => {
    expect(await endOf(newClient().login(email, 'wrong'))).toBe('session/invalid-credentials');
  });

  it('connect: pending until the player confirms, then true and signed in', async () => {
    const client = newClient();
    const { game, bindingCode } = await client.connect(email);
    expect(bindingCode).toMatch(/^\w{4}$/);
    const waiting = game.waitForGameConnect();
    await until(() => service.db.first('SELECT 1 FROM connect_requests WHERE polled_at IS NOT NULL'));
    expect(client.session.state).toBe('pending');
    await decide('confirmed');
    expect(await waiting).toBe(true);
    expect((await client.getPlayer()).displayName).toBe(DEMO_PLAYER.displayName);
  });

  it('F72 connect: the player denies, false', async () => {
    const client = newClient();
    const { game } = await client.connect(email);
    await decide('denied');
    expect(await game.waitForGameConnect()).toBe(false);
    expect(client.session.state).toBe('denied');
  });

  it('F71 connect to an address nobody has looks the same, and expires', async () => {
    const client = newClient();
    const { game, bindingCode } = await client.connect('nobody@example.com');
    expect(bindingCode).toMatch(/^\w{4}$/);
    service.clock.advance(31_000);
    expect(await game.waitForGameConnect()).toBe(false);
    expect(client.session).toMatchObject({ state: 'expired', expiredReason: 'request' });
  });

  it('cancel: the service takes the request back', async () => {
    const { cancel } = await newClient().connect(email);
    cancel();
    await until(() => service.db.first(`SELECT 1 FROM connect_requests WHERE state = 'cancelled'`));
  });

  it('F77 a session revoked on the server: expired, and ads go on', async () => {
    const client = newClient();
    await client.login(email, password);
    await service.db.run('UPDATE player_sessions SET revoked_at = 1');
    expect(await endOf(client.getPlayer())).toBe('session/user-required');
    expect(client.session).toMatchObject({ state: 'expired', expiredReason: 'session' });
    expect((await client.getAdSurfaces()).items.length).toBeGreaterThan(0);
  });

  it('an access token that runs out early on the server is renewed by rotation, unseen by the game', async () => {
    const client = newClient();
    await client.login(email, password);
    await service.db.run('DELETE FROM access_tokens');
    expect((await client.getPlayer()).displayName).toBe(DEMO_PLAYER.displayName);
    expect(client.session.state).toBe('connected');
  });

  it('F37 a clock a day off is corrected from the service’s time', async () => {
    service.clock.advance(24 * 3_600_000);
    expect((await newClient().getAdSurfaces()).items.length).toBeGreaterThan(0);
  });

  it('F18 wrong credentials of each kind: config/credentials-rejected', async () => {
    const rejected = 'config/credentials-rejected';
    expect(await endOf(newClient({ privateKey: 'wrong' }).getAdSurfaces())).toBe(rejected);
    const plain = { privateKey: 'wrong', allowPlainPrivateKey: true };
    expect(await endOf(newClient(plain).getAdSurfaces())).toBe(rejected);
    const getToken = async () => ({ token: 'wrong', expiresInSeconds: 60 });
    const minting = newClient({ privateKey: undefined, getToken } as never);
    expect(await endOf(minting.getAdSurfaces())).toBe(rejected);
  });

  it('a token minted by the game’s backend, and the plain key, are each enough', async () => {
    const getToken = async () => {
      const body = '{}';
      const sign = createSigner(apiKey, privateKey);
      const nonce = 'ab'.repeat(16);
      const request = { method: 'POST', path: '/api/v1/app-token', query: '', body };
      const headers = { ...sign(request, Math.floor(Date.now() / 1_000), nonce), 'Content-Type': 'application/json' };
      const answer = await fetch(`${service.baseUrl}/v1/app-token`, { method: 'POST', headers, body });
      return answer.json() as Promise<{ token: string; expires_in: number }>;
    };
    const minting = newClient({ privateKey: undefined, getToken } as never);
    expect((await minting.getAdSurfaces()).items.length).toBeGreaterThan(0);
    expect((await minting.login(email, password)).player.displayName).toBe(DEMO_PLAYER.displayName);
    const plain = newClient({ allowPlainPrivateKey: true });
    expect((await plain.getAdSurfaces()).items.length).toBeGreaterThan(0);
  });

  it('two clients share nothing', async () => {
    const one = newClient();
    const other = newClient();
    await one.login(email, password);
    expect(other.session).toMatchObject({ state: 'application', player: null });
    await one.logout();
    expect(other.session.state).toBe('application');
  });
});

describe('every call settles by its deadline + 250 ms, typed, while the service', () => {
  it.each<[row: string, fault: Fault, code: string]>([
    ['F4 loses requests', { kind: 'drop-before' }, 'net/unreachable'],
    ['F5 loses answers', { kind: 'drop-after' }, 'net/unreachable'],
    ['F6 never answers', { kind: 'delay', ms: 3_600_000 }, 'net/timeout'],
    ['F7 drips one byte at a time', { kind: 'drip', everyMs: 200 }, 'net/timeout'],
    ['F8 answers 500', { kind: 'status', status: 500 }, 'service/unavailable'],
    ['F9 answers 503 with Retry-After', { kind: 'status', status: 503, retryAfter: '120' }, 'service/unavailable'],
    ['F10 answers 429', { kind: 'status', status: 429, retryAfter: '120' }, 'service/rate-limited'],
    ['F12 answers 521', { kind: 'status', status: 521 }, 'service/unavailable'],
    ['F14 is hidden by a captive portal', { kind: 'html' }, 'response/not-json'],
    ['F15 truncates its answers', { kind: 'truncate' }, 'response/not-json'],
    ['F16 sends 50 MB', { kind: 'big', bytes: 50_000_000 }, 'response/too-large'],
    ['F17 redirects', { kind: 'redirect', location: 'http://127.0.0.1:9/' }, 'service/redirected'],
    ['B1 answers null', { kind: 'mutate', body: null }, 'response/schema'],
  ])('%s', async (_row, fault, code) => {
    service.faults.add({ fault });
    const calls = async (timeoutMs: number): Promise<string[]> => {
      const client = newClient({ timeoutMs });
      const ends = await Promise.all([
        endInTime(timeoutMs, () => client.getAdSurfaces()),
        endInTime(timeoutMs, () => newClient({ timeoutMs }).login(email, password)),
        endInTime(timeoutMs, () => newClient({ timeoutMs }).connect(email)),
      ]);
      expect(await endInTime(timeoutMs, () => client.getAd('main-street-billboard'))).not.toBe('late');
      return ends;
    };
    // On a slow machine an answer may come after the short deadline: then that ends the call.
    for (const end of await calls(SHORT_MS)) expect([code, 'net/timeout']).toContain(end);
    if (code !== 'net/timeout') expect(await calls(LONG_MS)).toEqual([code, code, code]);
  });

  it('F17 redirects: the other host hears nothing, above all no credentials', async () => {
    let heard = 0;
    const other = createServer((_request, response) => {
      heard++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    service.faults.add({ fault: { kind: 'redirect', location } });
    const client = newClient({ allowPlainPrivateKey: true });
    expect(await endOf(client.getAdSurfaces())).toBe('service/redirected');
    expect(await endOf(client.login(email, password))).toBe('service/redirected');
    expect(heard).toBe(0);
    await new Promise((resolve) => other.close(resolve));
  });

  it('F4 F5 F8 fails now and then: the call succeeds all the same', async () => {
    for (const fault of [{ kind: 'drop-before' }, { kind: 'drop-after' }, { kind: 'status', status: 503 }] as const) {
      service.faults.clear().add({ fault, times: 1 });
      expect(await endOf(newClient().getAdSurfaces())).toBe('ok');
    }
  });

  it('F1 is not there: net/unreachable', async () => {
    const gone = await startService({ port: 0, seed: false });
    await gone.close();
    const client = newClient({ baseUrl: gone.baseUrl });
    expect(await endOf(client.getAdSurfaces())).toBe('net/unreachable');
  });

  it('F78 loses the answer of a refresh: the call rejects, the player stays signed in', async () => {
    const client = newClient();
    await client.login(email, password);
    await service.db.run('DELETE FROM access_tokens');
    service.faults.add({ fault: { kind: 'drop-after' }, path: '/api/v1/token', times: 1 });
    expect(await endOf(client.getPlayer())).toBe('net/unreachable');
    expect(client.session).toMatchObject({ state: 'connected', isStale: true });
  });
});

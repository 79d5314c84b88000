import { createHmac } from 'node:crypto';

import { isAdsError } from '../../../src/errors.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { type Answer, API_KEY, BASE_URL, FakeService, GRANT, PRIVATE_KEY } from './FakeService.js';
import { FakeWorld, settle } from './FakeWorld.js';

let service: FakeService;
let world: FakeWorld;
let client: ServiceClient;

beforeEach(() => {
  service = new FakeService();
  world = new FakeWorld();
  client = new ServiceClient({ apiKey: API_KEY, privateKey: PRIVATE_KEY, baseUrl: BASE_URL }, world);
});
afterEach(() => {
  client.destroy();
  service.restore();
});

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'resolved',
    (error: unknown) => (isAdsError(error) ? error.code : `not an AdsError: ${String(error)}`),
  );

describe('getAdSurfaces and getAd', () => {
  it('give what the service answers, as frozen copies without unknown fields', async () => {
    service.on('/v1/ad-surfaces', {
      body: { items: [{ adSurfaceId: 's1', name: 'Wall', width: 320, height: 180, x: 1 }] },
    });
    service.on('/v1/ad-surfaces/s1/ad', { body: { adId: 'a1', url: 'https://cdn.example/a.png', alt: null } });
    const surfaces = await client.getAdSurfaces();
    expect(surfaces).toEqual({ items: [{ adSurfaceId: 's1', name: 'Wall', width: 320, height: 180 }] });
    expect(Object.isFrozen(surfaces.items[0])).toBe(true);
    expect(await client.getAd('s1')).toEqual({ adId: 'a1', url: 'https://cdn.example/a.png' });
  });

  it('name no library, and ask nothing of a preflight beyond the contract', async () => {
    service.on('/v1/ad-surfaces', { body: { items: [] } });
    await client.getAdSurfaces();
    await codeOf(client.login('ada@example.com', 'secret'));
    const [get, post] = service.seen.map(({ headers }) => headers);
    expect(service.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect([...get!.keys()].sort()).toEqual(['accept', 'signature', 'signature-input']);
    expect([...post!.keys()].sort()).toEqual(['accept', 'content-digest', 'content-type', 'signature', 'signature-input']); // prettier-ignore
    expect(post!.get('content-type')).toBe('application/json');
  });

  it('carry the player’s token once a player is signed in', async () => {
    service.on('/v1/login', { body: GRANT }).on('/v1/ad-surfaces', { body: { items: [] } });
    await client.login('ada@example.com', 'secret');
    await client.getAdSurfaces();
    expect(service.seen[1]!.headers.get('authorization')).toBe('Bearer access-1');
    expect(service.seen[1]!.headers.get('signature-input')).toContain('"authorization"');
  });
});

describe('a request is proven for its method, host and path, as the service sees them', () => {
  it.each([BASE_URL, 'https://ads.example', 'https://ads.example:8443/a/b/'])('below %s', async (baseUrl) => {
    service.on('', { body: { ...GRANT, token_type: 'DPoP' } });
    const options = { apiKey: 'key"1"\\', privateKey: PRIVATE_KEY, baseUrl, sessionBinding: 'dpop' } as const;
    const other = new ServiceClient(options, world);
    world.wall += 999.5;
    await other.login('ada@example.com', 'secret');
    other.destroy();
    const { headers } = service.seen[0]!;
    const { host, pathname, origin } = new URL(`${baseUrl.replace(/\/$/, '')}/v1/login`);
    const [, parameters] = /^sig1=(.*)$/.exec(headers.get('signature-input')!)!;
    expect(parameters).toContain('keyid="key\\"1\\"\\\\"');
    // In whole seconds that are over.
    expect(parameters).toContain(`;created=${Math.floor(world.wall / 1_000)};`);
    const base = [
      '"@method": POST',
      `"@path": ${pathname}`,
      '"@query": ?',
      `"@authority": ${host}`,
      `"content-digest": ${headers.get('content-digest')!}`,
      `"@signature-params": ${parameters!}`,
    ].join('\n');
    const signature = createHmac('sha256', PRIVATE_KEY).update(base).digest('base64');
    expect(headers.get('signature')).toBe(`sig1=:${signature}:`);
    const claims = Buffer.from(headers.get('dpop')!.split('.')[1]!, 'base64url').toString();
    expect(JSON.parse(claims)).toMatchObject({ htm: 'POST', htu: origin + pathname });
  });
});

describe('a private operation', () => {
  it('is refused before any request while no player is signed in', async () => {
    expect(await codeOf(client.getPlayer())).toBe('session/user-required');
    expect(service.seen).toEqual([]);
  });

  it('carries the token of the signed-in player', async () => {
    service.on('/v1/login', { body: GRANT }).on('/v1/player', { body: GRANT.player });
    await client.login('ada@example.com', 'secret');
    expect(await client.getPlayer()).toEqual({ playerId: 'p1', displayName: 'Ada' });
    await settle();
  });
});

describe('with tokens bound to a key', () => {
  const dpopOf = ({ headers }: { headers: Headers }): Record<string, unknown> =>
    JSON.parse(Buffer.from(headers.get('dpop')!.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
  let bound: ServiceClient;

  beforeEach(() => {
    const getToken = () => Promise.resolve({ token: 't', expiresInSeconds: 600 });
    bound = new ServiceClient({ apiKey: API_KEY, getToken, baseUrl: BASE_URL, sessionBinding: 'dpop' }, world);
    service.on('', { body: { ...GRANT, token_type: 'DPoP', items: [], accepted: [] } });
  });
  afterEach(() => bound.destroy());

  it('the key is proven where tokens are asked for or used, and nowhere else', async () => {
    await bound.getAdSurfaces();
    await bound.login('ada@example.com', 'secret');
    await bound.getAdSurfaces();
    await bound.reportEvents([{ id: 'e1' }]);
    expect(service.seen.map(({ headers }) => headers.has('dpop'))).toEqual([false, true, true, true]);
    expect(service.seen[2]!.headers.get('authorization')).toBe('DPoP access-1');
    expect(dpopOf(service.seen[2]!)).toHaveProperty('ath');
  });

  it('a report that outlives its page names no player: nobody waits for a proof then', async () => {
    await bound.login('ada@example.com', 'secret');
    await bound.reportEvents([{ id: 'e1' }], { outlivesPage: true });
    expect(Object.keys(service.seen[1]!.body['headers'] as object)).toEqual(['Application-Token']);
  });

  it('the time of a proof is corrected once by the time of the service', async () => {
    const serverTime = world.wall / 1_000;
    world.wall += 86_400_000;
    const skew = { status: 401, body: { error: 'clock_skew', server_time: serverTime } };
    service.on('/v1/login', skew, { body: { ...GRANT, token_type: 'DPoP' } });
    await bound.login('ada@example.com', 'secret');
    expect(service.seen.map((seen) => dpopOf(seen)['iat'])).toEqual([serverTime + 86_400, serverTime]);
  });
});

describe('reports', () => {
  it('that outlive the page are plain text that holds headers and body, since no preflight is answered any more', async () => {
    service.on('', { body: { ...GRANT, accepted: [] } });
    await client.login('ada@example.com', 'secret');
    await client.reportEvents([{ id: 'e1' }], { outlivesPage: true });
    const { headers, body, keepalive } = service.seen[1]!;
    expect([headers.get('content-type'), keepalive]).toEqual(['text/plain;charset=UTF-8', true]);
    expect([...headers.keys()].sort()).toEqual(['accept', 'content-type']);
    expect(body).toMatchObject({ headers: { Authorization: 'Bearer access-1' }, body: expect.any(String) as unknown });
    expect(body['headers']).not.toHaveProperty('Content-Type');
    expect(JSON.parse(body['body'] as string)).toMatchObject({ events: [{ id: 'e1' }] });
  });

  const report = () => client.reportEvents([{ id: 'e1' }, { id: 'e2' }, { id: 'e3' }]);

  it('say when they are sent, where they were kept, and how the books stand', async () => {
    service.on('/v1/events', { body: { accepted: [] } });
    world.wall += 0.6;
    const sentAt = Math.round(world.wall);
    const ledger = { outboxId: 'o', revision: 3 };
    await client.reportEvents([{ id: 'e1' }], { durability: 'disk', ledger });
    await client.reportEvents([{ id: 'e2' }], { ledger: null });
    expect(service.seen.map(({ body }) => body)).toEqual([
      { sentAt, durability: 'disk', ledger, events: [{ id: 'e1' }] },
      { sentAt, durability: 'memory', events: [{ id: 'e2' }] },
    ]);
  });

  it.each(['a token', 'the disk', 'a right clock'])('say when they are sent, not when they began to wait for %s', async (what) => {
    const before = Math.round(world.wall);
    const sleep = (): void => void (world.wall = before + 3_600_000);
    const getToken = () => {
      if (what === 'a token') sleep();
      return Promise.resolve({ token: 't', expiresInSeconds: 600 });
    };
    const leaves = async (): Promise<void> => {
      if (what === 'the disk') sleep();
    };
    const proof = what === 'a right clock' ? { privateKey: PRIVATE_KEY } : { getToken };
    const waiting = new ServiceClient({ apiKey: API_KEY, baseUrl: BASE_URL, ...proof }, world);
    const accepted = { body: { accepted: [] } };
    if (what === 'a right clock') {
      const asleep = (): Answer => {
        sleep();
        return { status: 401, body: { error: 'clock_skew', server_time: Math.floor(world.wall / 1_000) } };
      };
      service.on('/v1/events', asleep, accepted);
    } else service.on('/v1/events', accepted);
    await waiting.reportEvents([{ id: 'e1' }], { leaves });
    expect(service.seen.at(-1)!.body['sentAt']).toBe(before + 3_600_000);
    waiting.destroy();
  }); // prettier-ignore

  it('R2: leave once there is a token, and each request waits for what is written down as it leaves', async () => {
    const order: string[] = [];
    const getToken = () => {
      order.push('token');
      return Promise.resolve({ token: 't', expiresInSeconds: 600 });
    };
    const leaves = async (): Promise<void> => {
      await settle();
      order.push('left');
    };
    service.on('/v1/events', ...[{ status: 401 }, { body: { accepted: ['e1'] } }].map((answer) => () => {
      order.push('request');
      return answer;
    })); // prettier-ignore
    const minting = new ServiceClient({ apiKey: API_KEY, getToken, baseUrl: BASE_URL }, world);
    expect([client.isReady, minting.isReady]).toEqual([true, false]);
    await minting.reportEvents([{ id: 'e1' }], { leaves });
    expect(minting.isReady).toBe(true);
    expect(order).toEqual(['token', 'left', 'request', 'token', 'left', 'request']);
    await minting.reportEvents([{ id: 'e1' }], {
      outlivesPage: true,
      leaves: () => void order.push('left'),
    });
    expect(order.slice(6)).toEqual(['left', 'request']);
    minting.destroy();
  });

  it('on their way are let through when the client ends, other calls are not; then none begins', async () => {
    service.on('', async () => {
      await settle();
      return { body: { accepted: ['e1'] } };
    });
    const [call, sent] = [codeOf(client.getAdSurfaces()), report()];
    client.destroy();
    expect([await call, (await sent).accepted]).toEqual(['lifecycle/destroyed', ['e1']]);
    expect(await codeOf(report())).toBe('lifecycle/destroyed');
    expect(service.to('/v1/events')).toHaveLength(1);
  });

  it('and other calls share a token on its way, also when the one it was asked for is left', async () => {
    const give: ((token: object) => void)[] = [];
    const getToken = jest.fn(() => new Promise<never>((resolve) => give.push(resolve as () => void)));
    const minting = new ServiceClient({ apiKey: API_KEY, getToken, baseUrl: BASE_URL }, world);
    service.on('/v1/events', { body: { accepted: ['e1'] } });
    const left = new AbortController();
    const call = codeOf(minting.getAdSurfaces({ signal: left.signal }));
    await settle();
    left.abort();
    expect(await call).toBe('net/aborted');
    const sent = minting.reportEvents([{ id: 'e1' }]);
    await settle();
    expect(getToken).toHaveBeenCalledTimes(1);
    give[0]!({ token: 't', expiresInSeconds: 60 });
    expect((await sent).accepted).toEqual(['e1']);
    minting.destroy();
  });

  it('as well as a sign-out, go on when the client ends while they wait for a token of the application', async () => {
    let give!: (token: object) => void;
    const getToken = () => new Promise<never>((resolve) => (give = resolve as typeof give));
    const minting = new ServiceClient({ apiKey: API_KEY, getToken, baseUrl: BASE_URL }, world);
    service.on('/v1/login', { body: GRANT }).on('/v1/revoke', { body: {} }).on('/v1/events', { body: { accepted: ['e1'] } }); // prettier-ignore
    const login = minting.login('ada@example.com', 'secret');
    await settle();
    give({ token: 't1', expiresInSeconds: 60 });
    await login;
    await world.advance(30_000);
    const [call, sent] = [codeOf(minting.getAdSurfaces()), minting.reportEvents([{ id: 'e1' }])];
    void minting.logout();
    minting.destroy();
    expect(await call).toBe('lifecycle/destroyed');
    give({ token: 't2', expiresInSeconds: 60 });
    expect((await sent).accepted).toEqual(['e1']);
    await settle();
    expect(service.seen.slice(1).map(({ path }) => path)).toEqual(['/v1/events', '/v1/revoke']);
    client.destroy();
    expect(world.leftovers).toBe(0);
  });

  it.each([{}, { accepted: null }, { accepted: 'e1', duplicate: {}, rejected: 3 }])(
    'are not known to have arrived from an answer without any list, such as %j',
    async (body) => {
      service.on('/v1/events', { body });
      expect(await codeOf(report())).toBe('response/schema');
    },
  );

  it('have become what one list says, of those that were sent', async () => {
    service.on(
      '/v1/events',
      { body: { duplicate: ['e2', 'another', 7] } },
      { body: { rejected: [{ id: 'e3' }, null] } },
    );
    expect(await report()).toEqual({ accepted: [], duplicate: ['e2'], rejected: [] });
    expect(await report()).toEqual({ accepted: [], duplicate: [], rejected: ['e3'] });
  });
});

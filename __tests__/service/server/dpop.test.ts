import { createHash, generateKeyPairSync, randomUUID, sign as signBytes, type KeyObject } from 'node:crypto';
import { DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { CIBA, ServiceCaller, tokens, type Answer } from './ServiceCaller.js';
import { WebAppVisitor } from './WebAppVisitor.js';

const MINUTE_MS = 60_000;
const INVALID_PROOF = { error: 'invalid_dpop_proof' };
const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } };
const INVALID_TOKEN = { status: 401, body: { error: 'invalid_token' } };
const LOGIN = { email: DEMO_PLAYER.email, password: DEMO_PLAYER.password };

interface Changes {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A browser with a key of its own, written independently of the client. */
class Holder {
  readonly #privateKey: KeyObject;
  readonly #jwk: Record<string, unknown>;

  constructor(private readonly service: RunningService) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#jwk = { ...publicKey.export({ format: 'jwk' }) };
  }

  get privateJwk(): Record<string, unknown> {
    return { ...this.#privateKey.export({ format: 'jwk' }) };
  }

  proof(method: string, path: string, accessToken?: string, changes: Changes = {}): string {
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: this.#jwk, ...changes.header };
    const claims = {
      jti: randomUUID(),
      htm: method,
      htu: this.service.baseUrl + path,
      iat: Math.floor(this.service.clock.now() / 1000),
      ...(accessToken === undefined ? {} : { ath: createHash('sha256').update(accessToken).digest('base64url') }),
      ...changes.claims,
    };
    const text = `${base64url(header)}.${base64url(claims)}`;
    const signature = signBytes('sha256', Buffer.from(text), { key: this.#privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }
}

describe('A5: where the service knows its own address', () => {
  let service: RunningService;
  beforeEach(async () => (service = await startService({ publicOrigin: 'https://accounts.example' })));
  afterEach(() => service.close());

  test('A5: a proof made for another address that leads to it is worth nothing', async () => {
    const holder = new Holder(service);
    const login = (htu: string) =>
      new ServiceCaller(service).post('/v1/login', LOGIN, {
        headers: { DPoP: holder.proof('POST', '', undefined, { claims: { htu } }) },
      });
    expect((await login(`${service.baseUrl}/v1/login`)).body).toMatchObject({ error: 'invalid_dpop_proof' });
    expect(tokens(await login('https://accounts.example/api/v1/login')).token_type).toBe('DPoP');
  });
});

describe('A5: tokens that are bound to a key (DPoP)', () => {
  let service: RunningService;
  let caller: ServiceCaller;
  let owner: Holder;
  let thief: Holder;

  beforeEach(async () => {
    service = await startService();
    service.clock.stop();
    caller = new ServiceCaller(service);
    owner = new Holder(service);
    thief = new Holder(service);
  });
  afterEach(() => service.close());

  const post = (path: string, body: object, holder: Holder | undefined): Promise<Answer> =>
    caller.post(path, body, holder === undefined ? {} : { headers: { DPoP: holder.proof('POST', path) } });
  const login = async (holder: Holder | undefined) => tokens(await post('/v1/login', LOGIN, holder));
  const refresh = (refresh_token: string, holder: Holder | undefined) =>
    post('/v1/token', { grant_type: 'refresh_token', refresh_token }, holder);
  const poll = (auth_req_id: string, holder: Holder | undefined) =>
    post('/v1/token', { grant_type: CIBA, auth_req_id }, holder);

  /** The profile, with the token used as bound. The plain key, since a signature would cover another scheme. */
  const player = (accessToken: string, proof: string | undefined, scheme = 'DPoP') =>
    caller.get('/v1/player', {
      credential: { 'Api-Key': 'demo-api-key', 'Private-Key': 'demo-private-key-for-localhost-only' },
      headers: { Authorization: `${scheme} ${accessToken}`, ...(proof === undefined ? {} : { DPoP: proof }) },
    });

  test('A5: the holder of the key uses and renews them', async () => {
    const { access_token, refresh_token, token_type } = await login(owner);
    expect(token_type).toBe('DPoP');
    expect((await player(access_token, owner.proof('GET', '/v1/player', access_token))).body).toMatchObject({
      displayName: 'Ada',
    });
    const next = tokens(await refresh(refresh_token, owner));
    expect(next.token_type).toBe('DPoP');
    expect((await player(next.access_token, owner.proof('GET', '/v1/player', next.access_token))).status).toBe(200);
  });

  test('A5: a stolen access token is worth nothing without the key', async () => {
    const { access_token } = await login(owner);
    const other = await login(owner);
    const attempts = [
      player(access_token, undefined, 'Bearer'),
      player(access_token, undefined),
      player(access_token, thief.proof('GET', '/v1/player', access_token)),
      player(access_token, owner.proof('GET', '/v1/player', other.access_token)),
      player(access_token, owner.proof('GET', '/v1/player')),
      player(access_token, owner.proof('POST', '/v1/player', access_token)),
    ];
    for (const attempt of await Promise.all(attempts)) expect(attempt.status).toBe(401);
    expect((await player(access_token, owner.proof('GET', '/v1/player', access_token))).status).toBe(200);
  });

  test('A5: a stolen refresh token, new or used, neither renews the session nor ends it', async () => {
    const first = await login(owner);
    const second = tokens(await refresh(first.refresh_token, owner));
    const third = tokens(await refresh(second.refresh_token, owner));
    service.clock.advance(30 * MINUTE_MS);
    for (const { refresh_token } of [first, second, third]) {
      expect(await refresh(refresh_token, undefined)).toMatchObject({ status: 400, body: INVALID_PROOF });
      expect(await refresh(refresh_token, thief)).toMatchObject(INVALID_GRANT);
    }
    tokens(await refresh(third.refresh_token, owner));
  });

  test('A5: reuse by the holder of the key is still noticed', async () => {
    const first = await login(owner);
    const second = tokens(await refresh(first.refresh_token, owner));
    const third = tokens(await refresh(second.refresh_token, owner));
    expect(await refresh(first.refresh_token, owner)).toMatchObject(INVALID_GRANT);
    expect(await refresh(third.refresh_token, owner)).toMatchObject(INVALID_GRANT);
  });

  test('A5: a stolen request id is worth nothing either, before the decision and after', async () => {
    const { body } = await post('/v1/bc-authorize', { login_hint: DEMO_PLAYER.email }, owner);
    const id = String(body['auth_req_id']);
    expect(await poll(id, undefined)).toMatchObject({ status: 400, body: INVALID_PROOF });
    expect(await poll(id, thief)).toMatchObject(INVALID_GRANT);
    expect((await poll(id, owner)).body).toEqual({ status: 'authorization_pending' });
    const visitor = new WebAppVisitor(service);
    await visitor.signIn();
    await visitor.decide('confirm');
    expect(await poll(id, thief)).toMatchObject(INVALID_GRANT);
    const { token_type } = tokens(await poll(id, owner));
    expect(token_type).toBe('DPoP');
    // The answer may have been lost: the holder alone gets it again.
    expect(await poll(id, thief)).toMatchObject(INVALID_GRANT);
    tokens(await poll(id, owner));
  });

  test('A5: of a request that is not bound, the session is bound to the key that fetched it', async () => {
    const { authReqId } = await caller.connect();
    const visitor = new WebAppVisitor(service);
    await visitor.signIn();
    await visitor.decide('confirm');
    tokens(await poll(authReqId, owner));
    expect((await poll(authReqId, undefined)).status).toBe(400);
    expect((await poll(authReqId, thief)).status).toBe(400);
  });

  test('A5: a session from before is bound at its first renewal with a proof', async () => {
    const { refresh_token, token_type } = await login(undefined);
    expect(token_type).toBe('Bearer');
    const next = tokens(await refresh(refresh_token, owner));
    expect(next.token_type).toBe('DPoP');
    expect((await refresh(next.refresh_token, undefined)).status).toBe(400);
    tokens(await refresh(next.refresh_token, owner));
  });

  test('A5: a token that is not bound cannot be used as if it were', async () => {
    const { access_token } = await login(undefined);
    expect(await player(access_token, thief.proof('GET', '/v1/player', access_token))).toMatchObject(INVALID_TOKEN);
  });

  test('A5: signing out needs no key', async () => {
    const { refresh_token } = await login(owner);
    expect((await caller.post('/v1/revoke', { token: refresh_token })).status).toBe(200);
    expect(await refresh(refresh_token, owner)).toMatchObject(INVALID_GRANT);
  });

  const WRONG: readonly [string, (holder: Holder, path: string) => string][] = [
    ['of another method', (holder, path) => holder.proof('GET', path)],
    ['of another address', (holder) => holder.proof('POST', '/v1/revoke')],
    ['of another host', (h, path) => h.proof('POST', path, undefined, { claims: { htu: `https://evil.example/api${path}` } })], // prettier-ignore
    ['without an id', (holder, path) => holder.proof('POST', path, undefined, { claims: { jti: undefined } })],
    ['with a time that is text', (holder, path) => holder.proof('POST', path, undefined, { claims: { iat: '1' } })],
    ['of another kind', (holder, path) => holder.proof('POST', path, undefined, { header: { typ: 'JWT' } })],
    ['signed with nothing', (holder, path) => holder.proof('POST', path, undefined, { header: { alg: 'none' } })],
    ['signed with a shared key', (holder, path) => holder.proof('POST', path, undefined, { header: { alg: 'HS256' } })],
    ['with its private key inside', (holder, path) => holder.proof('POST', path, undefined, { header: { jwk: holder.privateJwk } })], // prettier-ignore
    ['with a key that is no point', (holder, path) => holder.proof('POST', path, undefined, { header: { jwk: { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'B'.repeat(43) } } })], // prettier-ignore
    ['whose key is somebody else’s', (holder, path) => holder.proof('POST', path, undefined, { header: { jwk: { ...new Holder(service).privateJwk, d: undefined } } })], // prettier-ignore
    [
      'that was changed',
      (holder, path) => holder.proof('POST', path).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')),
    ],
    ['with four parts', (holder, path) => `${holder.proof('POST', path)}.x`],
    ['that is none', () => 'proof'],
    ['that is very long', () => `${'a'.repeat(5_000)}.b.${'c'.repeat(86)}`],
  ];
  test.each(WRONG)('A5: a proof %s is refused, and nothing is granted', async (_what, make) => {
    const answer = await caller.post('/v1/login', LOGIN, { headers: { DPoP: make(owner, '/v1/login') } });
    expect(answer).toMatchObject({ status: 400, body: INVALID_PROOF });
    expect(await service.db.all('SELECT * FROM player_sessions')).toEqual([]);
  });

  test('A5: a proof counts once', async () => {
    const headers = { DPoP: owner.proof('POST', '/v1/login') };
    expect((await caller.post('/v1/login', LOGIN, { headers })).status).toBe(200);
    expect(await caller.post('/v1/login', LOGIN, { headers })).toMatchObject({ status: 400, body: INVALID_PROOF });
  });

  test.each([-301, 301])('A5: a proof %i s off is told the time of the service', async (seconds) => {
    const now = Math.floor(service.clock.now() / 1000);
    const proof = owner.proof('POST', '/v1/login', undefined, { claims: { iat: now + seconds } });
    expect(await caller.post('/v1/login', LOGIN, { headers: { DPoP: proof } })).toMatchObject({
      status: 401,
      body: { error: 'clock_skew', server_time: now },
    });
  });
});

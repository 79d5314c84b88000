import { DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { hashPassword, verifyPassword } from '../../../demo/service/accounts/passwords.js';
import { RateLimiter, type RateLimit } from '../../../demo/service/accounts/RateLimiter.js';
import { contractTimes } from '../../helpers/contractTimes.js';
import { ODD_EMAILS } from '../../helpers/oddEmails.js';
import { atOnce, ServiceCaller, tokens } from './ServiceCaller.js';

const MINUTE_MS = 60_000;
const GRACE_MS = contractTimes().repeatGraceSeconds * 1000;
const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } };
const INVALID_TOKEN = { status: 401, body: { error: 'invalid_token' } };

describe('player sessions', () => {
  let service: RunningService;
  let caller: ServiceCaller;

  beforeEach(async () => {
    service = await startService();
    service.clock.stop();
    caller = new ServiceCaller(service);
  });
  afterEach(() => service.close());

  describe('login', () => {
    test('the right password gives tokens and the player', async () => {
      const answer = await caller.login();
      expect(answer).toMatchObject({
        token_type: 'Bearer',
        expires_in: 600,
        refresh_expires_in: 28_800,
        player: { displayName: DEMO_PLAYER.displayName },
      });
      expect(answer.access_token).not.toBe(answer.refresh_token);
    });

    test('S22: the e-mail may hold invisible characters and letters of other keyboards', async () => {
      for (const email of ODD_EMAILS.slice(0, 9)) {
        expect((await caller.post('/v1/login', { email, password: DEMO_PLAYER.password })).status).toBe(200);
      }
    });

    test.each(['  ADA@Example.com ', 'ada@example.com'])('the e-mail may be written %j', async (email) => {
      expect((await caller.post('/v1/login', { email, password: DEMO_PLAYER.password })).status).toBe(200);
    });

    test('a wrong password and an unknown e-mail get the same answer', async () => {
      const answers = [
        await caller.post('/v1/login', { email: DEMO_PLAYER.email, password: 'wrong' }),
        await caller.post('/v1/login', { email: 'nobody@example.com', password: 'wrong' }),
      ];
      for (const answer of answers) expect(answer.status).toBe(401);
      const [known, unknown] = answers.map(({ body }) => ({ ...body, request_id: '' }));
      expect(known).toMatchObject({ error: 'invalid_credentials' });
      expect(unknown).toEqual(known);
    });

    test('the eleventh wrong password in a row is refused with 429 and Retry-After, for unknown e-mails too', async () => {
      for (const email of [DEMO_PLAYER.email, 'nobody@example.com']) {
        for (let attempt = 0; attempt < 10; attempt += 1) {
          expect((await caller.post('/v1/login', { email, password: 'wrong' })).status).toBe(401);
        }
        const answer = await caller.post('/v1/login', { email, password: DEMO_PLAYER.password });
        expect(answer).toMatchObject({ status: 429, body: { error: 'too_many_requests' } });
        const retryAfter = Number(answer.headers.get('Retry-After'));
        expect(retryAfter).toBeGreaterThan(0);
        expect(retryAfter).toBeLessThanOrEqual(60);
      }
      service.clock.advance(MINUTE_MS);
      await caller.login();
    });

    test('a right password gives the e-mail its attempts back', async () => {
      for (let round = 0; round < 3; round += 1) {
        for (let attempt = 0; attempt < 9; attempt += 1) {
          await caller.post('/v1/login', { email: DEMO_PLAYER.email, password: 'wrong' });
        }
        await caller.login();
      }
    });

    test('one address trying many e-mails is refused with 429', async () => {
      const statuses = [];
      for (let attempt = 0; attempt < 61; attempt += 1) {
        const body = { email: `player${String(attempt)}@example.com`, password: 'guess' };
        statuses.push((await caller.post('/v1/login', body)).status);
      }
      expect(statuses.slice(0, 60).every((status) => status === 401)).toBe(true);
      expect(statuses[60]).toBe(429);
    });
  });

  describe('the access token', () => {
    test('opens the profile for ten minutes', async () => {
      const { access_token, player } = await caller.login();
      expect((await caller.player(access_token)).body).toEqual(player);
      service.clock.advance(10 * MINUTE_MS + 1);
      expect(await caller.player(access_token)).toMatchObject(INVALID_TOKEN);
    });

    test('the profile without a token, with an invented or a refresh token is refused with invalid_token', async () => {
      const { refresh_token } = await caller.login();
      expect(await caller.get('/v1/player')).toMatchObject(INVALID_TOKEN);
      for (const token of ['at_invented', refresh_token]) {
        const answer = await caller.player(token);
        expect(answer).toMatchObject(INVALID_TOKEN);
        expect(answer.headers.get('WWW-Authenticate')).toContain('invalid_token');
      }
    });

    test('tokens of one application are worth nothing in another', async () => {
      await service.db.run(
        `INSERT INTO applications VALUES ('app_other', 'Other', 'other-key', 'other-private', '["loopback"]')`,
      );
      const credential = { 'Api-Key': 'other-key', 'Private-Key': 'other-private' };
      const { access_token, refresh_token } = await caller.login();
      expect(await caller.get('/v1/player', { credential, bearer: access_token })).toMatchObject(INVALID_TOKEN);
      const refresh = { grant_type: 'refresh_token', refresh_token };
      expect(await caller.post('/v1/token', refresh, { credential })).toMatchObject(INVALID_GRANT);
      await caller.post('/v1/revoke', { token: refresh_token }, { credential });
      expect((await caller.player(access_token)).status).toBe(200);
    });
  });

  describe('refreshing', () => {
    test('gives new tokens again and again, and never moves the end of the session', async () => {
      let current = await caller.login();
      for (let round = 1; round <= 47; round += 1) {
        service.clock.advance(10 * MINUTE_MS);
        const next = tokens(await caller.refresh(current.refresh_token));
        expect(next.refresh_token).not.toBe(current.refresh_token);
        expect(next.refresh_expires_in).toBeLessThanOrEqual(28_800 - round * 600);
        current = next;
      }
      expect((await caller.player(current.access_token)).status).toBe(200);
      service.clock.advance(10 * MINUTE_MS);
      expect(await caller.refresh(current.refresh_token)).toMatchObject(INVALID_GRANT);
      expect(await caller.player(current.access_token)).toMatchObject(INVALID_TOKEN);
    });

    test('an access token never outlives its session', async () => {
      const { refresh_token } = await caller.login();
      service.clock.advance(480 * MINUTE_MS - 5000);
      const { expires_in, refresh_expires_in } = tokens(await caller.refresh(refresh_token));
      expect(expires_in).toBeLessThanOrEqual(5);
      expect(refresh_expires_in).toBeLessThanOrEqual(5);
    });

    test('S2: the token just replaced still works for the grace the contract states: the answer with its successor may have been lost', async () => {
      const { refresh_token } = await caller.login();
      const lost = tokens(await caller.refresh(refresh_token));
      service.clock.advance(GRACE_MS - 1_000);
      const second = tokens(await caller.refresh(refresh_token));
      for (const token of [lost.access_token, second.access_token]) {
        expect((await caller.player(token)).status).toBe(200);
      }
    });

    test('S2: the token just replaced comes back after that grace: the whole session is revoked', async () => {
      const { refresh_token } = await caller.login();
      const next = tokens(await caller.refresh(refresh_token));
      service.clock.advance(GRACE_MS + 1_000);
      expect(await caller.refresh(refresh_token)).toMatchObject(INVALID_GRANT);
      expect(await caller.player(next.access_token)).toMatchObject(INVALID_TOKEN);
      expect(await caller.refresh(next.refresh_token)).toMatchObject(INVALID_GRANT);
    });

    test.each([
      ['first', 0],
      ['last', 1],
    ])(
      'R5: a copied token used within the grace ends the session at the next use of the %s of the two chains',
      async (_which, n) => {
        const { refresh_token } = await caller.login();
        const chains = [tokens(await caller.refresh(refresh_token)), tokens(await caller.refresh(refresh_token))];
        service.clock.advance(8 * MINUTE_MS);
        const used = await caller.refresh(chains[n]!.refresh_token);
        // The newest is taken for the answer to a lost one; then the other chain cannot go on.
        if (n === 1) expect(used.status).toBe(200);
        service.clock.advance(8 * MINUTE_MS);
        const other = n === 1 ? await caller.refresh(chains[0]!.refresh_token) : used;
        expect(other).toMatchObject(INVALID_GRANT);
        for (const { access_token } of chains) expect(await caller.player(access_token)).toMatchObject(INVALID_TOKEN);
        if (n === 1) expect(await caller.player(String(used.body['access_token']))).toMatchObject(INVALID_TOKEN);
      },
    );

    test('R5: chains of one token that were each renewed within the grace do not both live on', async () => {
      const { refresh_token } = await caller.login();
      const [mine, copied] = [tokens(await caller.refresh(refresh_token)), tokens(await caller.refresh(refresh_token))];
      const next = tokens(await caller.refresh(mine.refresh_token));
      const stolen = tokens(await caller.refresh(copied.refresh_token));
      service.clock.advance(8 * MINUTE_MS);
      expect(await caller.refresh(next.refresh_token)).toMatchObject(INVALID_GRANT);
      expect(await caller.refresh(stolen.refresh_token)).toMatchObject(INVALID_GRANT);
    });

    test('an older token comes back, even at once: the whole session is revoked', async () => {
      const first = await caller.login();
      const second = tokens(await caller.refresh(first.refresh_token));
      const third = tokens(await caller.refresh(second.refresh_token));
      expect(await caller.refresh(first.refresh_token)).toMatchObject(INVALID_GRANT);
      expect(await caller.player(third.access_token)).toMatchObject(INVALID_TOKEN);
    });

    test('a revoked session does not touch another one of the same player', async () => {
      const [one, other] = [await caller.login(), await caller.login()];
      await caller.post('/v1/revoke', { token: one.refresh_token });
      expect((await caller.player(other.access_token)).status).toBe(200);
    });

    test('twenty tabs that refresh with the same token at the same time all stay signed in', async () => {
      const { refresh_token } = await caller.login();
      const answers = await atOnce(20, () => caller.refresh(refresh_token));
      for (const answer of answers) {
        expect((await caller.player(tokens(answer).access_token)).status).toBe(200);
        service.clock.advance(1000);
        expect((await caller.refresh(tokens(answer).refresh_token)).status).toBe(200);
      }
    });

    test('an invented refresh token is refused with invalid_grant', async () => {
      expect(await caller.refresh('rt_invented')).toMatchObject(INVALID_GRANT);
    });
  });

  describe('revoking', () => {
    test.each(['access_token', 'refresh_token'] as const)('by the %s ends the session', async (which) => {
      const session = await caller.login();
      expect(await caller.post('/v1/revoke', { token: session[which] })).toMatchObject({ status: 200, body: {} });
      expect(await caller.player(session.access_token)).toMatchObject(INVALID_TOKEN);
      expect(await caller.refresh(session.refresh_token)).toMatchObject(INVALID_GRANT);
    });

    test('what is unknown or already revoked is no error', async () => {
      const { refresh_token } = await caller.login();
      for (const token of ['unknown', refresh_token, refresh_token]) {
        expect((await caller.post('/v1/revoke', { token })).status).toBe(200);
      }
    });

    test('of a revocation and a refresh at the same time, the session ends in either order', async () => {
      const { refresh_token } = await caller.login();
      const [, refreshed] = await Promise.all([
        caller.post('/v1/revoke', { token: refresh_token }),
        caller.refresh(refresh_token),
      ]);
      if (refreshed.status === 200) {
        expect(await caller.player(tokens(refreshed).access_token)).toMatchObject(INVALID_TOKEN);
      }
      expect(await caller.refresh(refresh_token)).toMatchObject(INVALID_GRANT);
    });
  });

  test('sessions survive a restart of the service', async () => {
    const { mkdtempSync, rmSync } = await import('node:fs');
    const { join } = await import('node:path');
    const { tmpdir } = await import('node:os');
    const folder = mkdtempSync(join(tmpdir(), 'service-'));
    const databasePath = join(folder, 'service.db');
    try {
      const before = await startService({ databasePath });
      const { access_token, refresh_token } = await new ServiceCaller(before).login();
      await before.close();
      const after = await startService({ databasePath });
      expect((await new ServiceCaller(after).player(access_token)).status).toBe(200);
      expect((await new ServiceCaller(after).refresh(refresh_token)).status).toBe(200);
      await after.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('passwords', () => {
  const cost = { cost: 16, parallelization: 1 };

  test('are verified against a hash with a salt of its own', async () => {
    const [one, two] = [await hashPassword('correct horse', cost), await hashPassword('correct horse', cost)];
    expect(one).not.toBe(two);
    expect(await verifyPassword('correct horse', one)).toBe(true);
    expect(await verifyPassword('correct horsf', one)).toBe(false);
    expect(await verifyPassword('', one)).toBe(false);
  });

  test('typed with composed or combining letters are the same password', async () => {
    expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9', cost))).toBe(true);
  });

  test('never fit a stored text that is not such a hash', async () => {
    for (const stored of ['', 'plain', 'md5$1$2$3$4', 'scrypt$16']) {
      expect(await verifyPassword('plain', stored)).toBe(false);
    }
  });

  test('take scrypt with 32 MiB by default', async () => {
    expect(await hashPassword('x')).toMatch(/^scrypt\$32768\$3\$/);
  });
});

describe('the rate limiter', () => {
  let service: RunningService;

  beforeAll(async () => {
    service = await startService({ seed: false });
  });
  afterAll(() => service.close());

  const limiterOf = (name: string, limit: RateLimit) => new RateLimiter(service.db, name, limit);

  test('grants its limit plus what came back in the time, and no more', async () => {
    const limiter = limiterOf('steady', { limit: 5, windowMs: 1000 });
    let granted = 0;
    for (let now = 0; now <= 5000; now += 20) if ((await limiter.take('key', now)) === 0) granted += 1;
    expect(granted).toBeLessThanOrEqual(5 + 25);
    expect(granted).toBeGreaterThanOrEqual(5 + 24);
  });

  test('says exactly how long to wait', async () => {
    const limiter = limiterOf('exact', { limit: 1, windowMs: 1000 });
    await limiter.take('key', 0);
    const wait = await limiter.take('key', 300);
    expect(await limiter.take('key', 300 + wait - 1)).toBeGreaterThan(0);
    expect(await limiter.take('key', 300 + wait)).toBe(0);
  });

  test('a clock set back grants nothing extra, and locks nobody out for longer than the window', async () => {
    const limiter = limiterOf('back', { limit: 2, windowMs: 1000 });
    await limiter.take('key', 90_000);
    const wait = await limiter.take('key', 0);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(1000);
    expect(await limiter.take('key', wait - 1)).toBeGreaterThan(0);
    expect(await limiter.take('key', wait)).toBe(0);
    expect(await limiter.take('key', wait)).toBeGreaterThan(0);
  });

  test('keys do not share their allowance, nor do limiters of another name', async () => {
    const limit = { limit: 1, windowMs: 1e6 };
    const limiter = limiterOf('one', limit);
    expect(await limiter.take('key', 0)).toBe(0);
    expect(await limiter.take('other key', 0)).toBe(0);
    expect(await limiterOf('two', limit).take('key', 0)).toBe(0);
    expect(await limiter.take('key', 0)).toBeGreaterThan(0);
    await limiter.reset('key');
    expect(await limiter.take('key', 0)).toBe(0);
  });

  test('of many at the same time it grants its limit, and forgets who could use all of it again', async () => {
    const limiter = limiterOf('crowd', { limit: 3, windowMs: 1000 });
    const waits = await atOnce(10, () => limiter.take('key', 0));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
    await limiterOf('later', { limit: 1, windowMs: 1000 }).take('key', 10_000_000);
    expect(await service.db.all('SELECT * FROM rate_limits WHERE full_at < 10000000')).toEqual([]);
  });

  test('keeps no e-mail address in the clear', async () => {
    await limiterOf('secret', { limit: 1, windowMs: 1000 }).take('ada@example.com', 20_000_000);
    expect(JSON.stringify(await service.db.all('SELECT * FROM rate_limits'))).not.toContain('ada@');
  });
});

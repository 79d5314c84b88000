import { createHash, randomBytes } from 'node:crypto';
import { AccountData } from '../../../demo/service/accounts/AccountData.js';
import { AccountSessions } from '../../../demo/service/accounts/AccountSessions.js';
import { BlockedGames } from '../../../demo/service/accounts/BlockedGames.js';
import { ConnectRequests, DEFAULT_CONNECT_TIMES } from '../../../demo/service/accounts/ConnectRequests.js';
import { deviceName } from '../../../demo/service/accounts/deviceName.js';
import { Passkeys, passkeySite } from '../../../demo/service/accounts/Passkeys.js';
import { Players } from '../../../demo/service/accounts/Players.js';
import { PlayerSessions } from '../../../demo/service/accounts/PlayerSessions.js';
import { PopupSignIns } from '../../../demo/service/accounts/PopupSignIns.js';
import type { Database, Sql } from '../../../demo/service/database/Database.js';
import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { WebSessions } from '../../../demo/service/webapp/WebSessions.js';

import { atOnce, ServiceCaller, tokens } from './ServiceCaller.js';
import { SoftAuthenticator } from './SoftAuthenticator.js';
import { WebAppVisitor } from './WebAppVisitor.js';

const WINDOWS_FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } };
const INVALID_TOKEN = { status: 401, body: { error: 'invalid_token' } };

describe('A6: the sessions of an account', () => {
  let service: RunningService;
  let caller: ServiceCaller;
  let visitor: WebAppVisitor;
  let sessions: AccountSessions;
  let data: AccountData;
  let passkeys: Passkeys;
  let playerId: string;

  beforeEach(async () => {
    service = await startService();
    service.clock.stop();
    caller = new ServiceCaller(service);
    visitor = new WebAppVisitor(service);
    sessions = new AccountSessions(service.db, service.clock.now);
    passkeys = new Passkeys(service.db, service.clock.now, randomBytes);
    data = new AccountData(service.db, sessions, passkeys, service.clock.now);
    playerId = (await caller.login()).player.playerId;
  });
  afterEach(() => service.close());

  const loginFrom = async (userAgent: string) =>
    tokens(
      await caller.post(
        '/v1/login',
        { email: DEMO_PLAYER.email, password: DEMO_PLAYER.password },
        { headers: { 'User-Agent': userAgent } },
      ),
    );

  /** A request the player has confirmed and whose game has not asked yet. */
  async function confirmed(): Promise<string> {
    const { authReqId } = await caller.connect();
    await visitor.signIn();
    await visitor.decide('confirm');
    return authReqId;
  }

  test('A6: are listed with game, device, start and last use, the web app among them', async () => {
    const start = service.clock.now();
    service.clock.advance(5_000);
    const { access_token } = await loginFrom(WINDOWS_FIREFOX);
    service.clock.advance(120_000);
    await visitor.signIn();
    service.clock.advance(120_000);
    await caller.player(access_token);
    const list = await sessions.list(playerId, visitor.cookies.get('inview_session'));
    expect(list).toMatchObject([
      { kind: 'game', applicationName: DEMO_APPLICATION.name, device: 'Firefox on Windows', startedAt: start + 5_000, usedAt: start + 245_000, isCurrent: false }, // prettier-ignore
      { kind: 'web', applicationName: undefined, startedAt: start + 125_000, usedAt: start + 125_000, isCurrent: true },
      { kind: 'game', device: 'A browser', startedAt: start, usedAt: start, isCurrent: false },
    ]);
  });

  test('A6: one is ended and the others live on; another player’s cannot be ended', async () => {
    const [one, other] = [await caller.login(), await caller.login()];
    await visitor.signIn();
    const stranger = await new Players(service.db, randomBytes, { cost: 2, parallelization: 1 }).create(
      'eve@example.com',
      'secret',
      'Eve',
    );
    for (const { sessionId } of await sessions.list(playerId)) {
      expect(await sessions.end(stranger.playerId, sessionId)).toBe(false);
    }
    const before = await sessions.list(playerId);
    expect(before).toHaveLength(4);
    const row = await service.db.first<{ id: string }>(
      'SELECT MAX(player_session_id) AS id FROM refresh_tokens r WHERE token_hash = ?',
      hash(one.refresh_token),
    );
    expect(await sessions.end(playerId, row!.id)).toBe(true);
    expect(await sessions.end(playerId, row!.id)).toBe(false);
    expect(await caller.player(one.access_token)).toMatchObject(INVALID_TOKEN);
    expect((await caller.player(other.access_token)).status).toBe(200);
    const web = before.find(({ kind }) => kind === 'web')!;
    expect(await sessions.end(playerId, web.sessionId)).toBe(true);
    expect((await visitor.open()).text).toContain('Sign in');
    expect(await sessions.list(playerId)).toHaveLength(2);
  });

  test('A6: “log out everywhere” ends games and web app, and what was confirmed and not fetched yet', async () => {
    const session = await caller.login();
    const authReqId = await confirmed();
    await sessions.endAll(playerId);
    expect(await caller.refresh(session.refresh_token)).toMatchObject(INVALID_GRANT);
    expect(await caller.player(session.access_token)).toMatchObject(INVALID_TOKEN);
    expect(await caller.poll(authReqId)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    expect((await visitor.open()).text).toContain('Sign in');
    expect(await sessions.list(playerId)).toEqual([]);
  });

  test('A6: “log out everywhere” leaves nothing to repeat: a poll whose answer was lost is not answered again', async () => {
    const authReqId = await confirmed();
    tokens(await caller.poll(authReqId));
    await sessions.endAll(playerId);
    expect(await caller.poll(authReqId)).toMatchObject(INVALID_GRANT);
  });

  test('a game that is disconnected gets no session by a request confirmed before', async () => {
    const authReqId = await confirmed();
    await visitor.submit(`/games/${DEMO_APPLICATION.applicationId}/disconnect`);
    expect(await caller.poll(authReqId)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
  });

  test('A6: the export holds all of the player’s and nothing that opens anything', async () => {
    const session = await caller.login();
    const authReqId = await confirmed();
    const exported = await data.export(playerId);
    expect(exported).toMatchObject({
      account: { playerId, email: DEMO_PLAYER.email, displayName: DEMO_PLAYER.displayName },
      connectRequests: [{ applicationName: DEMO_APPLICATION.name, state: 'confirmed' }],
    });
    expect(exported!.sessions).toHaveLength(3);
    const text = JSON.stringify(exported);
    const { password_hash } = (await service.db.first<{ password_hash: string }>('SELECT * FROM players'))!;
    const secrets = [session.access_token, session.refresh_token, authReqId, visitor.cookies.get('inview_session')!];
    for (const secret of [...secrets, ...secrets.map(hash), password_hash]) expect(text).not.toContain(secret);
    expect(await data.export('player_unknown')).toBeUndefined();
  });

  test('A6: a passkey is kept, and of answers with one count a single one is taken, however many come at once', async () => {
    const site = passkeySite('https://accounts.example')!;
    const key = new SoftAuthenticator(site.origin);
    const made = key.create(await passkeys.creationOptions(site, { playerId, displayName: 'Ada' }, 'holder'));
    const kept = await atOnce(4, () => passkeys.add(site, playerId, 'holder', made, 'A browser'));
    expect(kept.filter(Boolean)).toHaveLength(1);
    const answers = await atOnce(8, async () => key.get(await passkeys.signInOptions(site, 'holder'), { counter: 1 }));
    const taken = await atOnce(8, (index) => passkeys.playerOf(site, 'holder', answers[index]!));
    expect(taken.filter((player) => player !== undefined)).toEqual([playerId]);
    const [passkey] = await passkeys.of(playerId);
    expect(passkey).toMatchObject({ createdAt: service.clock.now(), usedAt: service.clock.now() });
    expect([await passkeys.remove(playerId, passkey!.passkeyId), await passkeys.of(playerId)]).toEqual([true, []]);
  });

  test('A6: a deleted account is gone with all that was its own, and the e-mail is as one nobody ever had', async () => {
    const session = await caller.login();
    const confirmedId = await confirmed();
    const { authReqId: pendingId } = await caller.connect();
    await data.delete(playerId);
    expect(await caller.refresh(session.refresh_token)).toMatchObject(INVALID_GRANT);
    expect(await caller.player(session.access_token)).toMatchObject(INVALID_TOKEN);
    expect(await caller.poll(confirmedId)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    expect((await caller.poll(pendingId)).body).toEqual({ status: 'authorization_pending' });
    expect((await visitor.open()).text).toContain('Sign in');
    const { email, password } = DEMO_PLAYER;
    expect((await caller.post('/v1/login', { email, password })).body).toMatchObject({ error: 'invalid_credentials' });
    for (const table of ['players', 'player_sessions', 'web_sessions', 'access_tokens', 'refresh_tokens']) {
      expect(await service.db.all(`SELECT * FROM ${table}`)).toEqual([]);
    }
    expect(JSON.stringify(await service.db.all('SELECT * FROM connect_requests'))).not.toContain(playerId);
  });

  test('A6: what begins in the moment its account is deleted begins for nobody, and is no fault', async () => {
    const { db, clock } = service;
    const games = new PlayerSessions(db, clock.now, randomBytes);
    const web = new WebSessions(db, clock.now, randomBytes);
    const requests = new ConnectRequests(db, games, clock.now, randomBytes, DEFAULT_CONNECT_TIMES);
    const popups = new PopupSignIns(db, games, clock.now, randomBytes);
    const { applicationId } = DEMO_APPLICATION;
    const asker = { email: DEMO_PLAYER.email, device: 'A browser', address: '127.0.0.1' };
    const open = await requests.start(applicationId, playerId, asker);
    const verifier = 'x'.repeat(43);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const popupId = await popups.offer(open.connectRequestId, {
      challenge,
      state: 's',
      origin: 'https://game.example',
    });
    await data.delete(playerId);

    const login = { applicationId, playerId, device: 'A browser', keyThumbprint: undefined };
    await expect(games.begin(login)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await web.playerOf(await web.begin(playerId, 'A browser'))).toBeUndefined();
    const { message } = (await popups.approve(popupId, playerId))!;
    const { code } = message as { code: string };
    await expect(popups.exchange(applicationId, code, verifier, 'A browser', undefined)).rejects.toMatchObject({ code: 'invalid_grant' }); // prettier-ignore
    const started = await requests.start(applicationId, playerId, asker);
    expect(await requests.poll(applicationId, started.authReqId, 'A browser')).toBe('authorization_pending');
    await new BlockedGames(db, clock.now).block(playerId, applicationId);
    for (const table of ['player_sessions', 'web_sessions', 'blocked_games'])
      expect(await db.all(`SELECT * FROM ${table}`)).toEqual([]);
  });

  test('A6: an account that is deleted between the steps of a sign-in ends it, and is no fault', async () => {
    const { db, clock } = service;
    const deletions: Promise<void>[] = [];
    const deletingIn = (sql: Sql): Sql => ({
      all: sql.all.bind(sql),
      first: sql.first.bind(sql),
      async run(statement, ...values) {
        const changed = await sql.run(statement, ...values);
        if (!statement.includes('INTO player_sessions')) return changed;
        deletions.push(data.delete(playerId));
        // Within a transaction it may wait for the end of that.
        if (sql === db) await deletions[0];
        return changed;
      },
    });
    const deleting: Database = {
      ...deletingIn(db),
      transaction: (work) => db.transaction((sql) => work(deletingIn(sql))),
      close: () => db.close(),
    };
    const games = new PlayerSessions(deleting, clock.now, randomBytes);
    const { applicationId } = DEMO_APPLICATION;
    const begun = games.begin({ applicationId, playerId, device: 'A browser', keyThumbprint: undefined });
    const outcome = await begun.then(
      () => 'begun',
      (error: unknown) => (error as { code: string }).code,
    );
    expect(['begun', 'invalid_credentials']).toContain(outcome);
    await Promise.all(deletions);
    expect(deletions).not.toEqual([]);
    for (const table of ['players', 'player_sessions', 'access_tokens', 'refresh_tokens'])
      expect(await db.all(`SELECT * FROM ${table}`)).toEqual([]);
  });

  test('A6: what began while its account was being deleted waits for that, and is no fault', async () => {
    const { db, clock } = service;
    const web = new WebSessions(db, clock.now, randomBytes);
    let begun: Promise<string> | undefined;
    await db.transaction(async (sql) => {
      for (const table of ['web_sessions', 'player_sessions', 'players'])
        await sql.run(`DELETE FROM ${table} WHERE player_id = ?`, playerId);
      begun = web.begin(playerId, 'A browser');
      // On a server it has seen the player, and waits for the row.
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(await web.playerOf((await begun)!)).toBeUndefined();
  });

  test('the password of a signed-in player is asked for before what cannot be undone', async () => {
    const players = new Players(service.db, randomBytes, { cost: 2, parallelization: 1 });
    expect(await players.isPasswordOf(playerId, DEMO_PLAYER.password)).toBe(true);
    expect(await players.isPasswordOf(playerId, 'wrong')).toBe(false);
    expect(await players.isPasswordOf('player_unknown', DEMO_PLAYER.password)).toBe(false);
  });
});

test.each([
  [WINDOWS_FIREFOX, 'Firefox on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1', 'Safari on iPhone'], // prettier-ignore
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0', 'Edge on Windows'], // prettier-ignore
  ['Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36', 'Chrome on Android'], // prettier-ignore
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15', 'Safari on macOS'], // prettier-ignore
  ['<script>alert(1)</script>', 'A browser'],
  [undefined, 'A browser'],
])('a device is named in fixed words: %j', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

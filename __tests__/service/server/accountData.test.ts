import { randomBytes } from 'node:crypto';
import { BlockedGames } from '../../../demo/service/accounts/BlockedGames.js';
import { ConnectRequests, DEFAULT_CONNECT_TIMES } from '../../../demo/service/accounts/ConnectRequests.js';
import { Passkeys, passkeySite } from '../../../demo/service/accounts/Passkeys.js';
import { PlayerSessions } from '../../../demo/service/accounts/PlayerSessions.js';
import { migrationsFrom } from '../../../demo/service/database/migrations.js';
import { DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { ServiceCaller, tokens } from './ServiceCaller.js';
import { SoftAuthenticator } from './SoftAuthenticator.js';
import { WebAppVisitor } from './WebAppVisitor.js';

/**
 * What a column holds of a player: `told` is in the export, `untold` would open something or is a hash, `of the game`
 * says nothing of a player. All but the last is gone with the account; `told, stays` is of the game, too.
 */
type Holds = 'told' | 'untold' | 'told, stays' | 'of the game';

const OF_PLAYERS: Readonly<Record<string, Readonly<Record<string, Holds>>>> = {
  players: { player_id: 'told', email: 'told', display_name: 'told', password_hash: 'untold' },
  player_sessions: {
    player_session_id: 'told',
    application_id: 'of the game',
    player_id: 'told',
    generation: 'of the game',
    expires_at: 'of the game',
    revoked_at: 'untold',
    newest_token_hash: 'untold',
    renewed_at: 'untold',
    created_at: 'told',
    last_used_at: 'told',
    device: 'told',
    key_thumbprint: 'untold',
  },
  access_tokens: { token_hash: 'untold', player_session_id: 'told', expires_at: 'of the game' },
  refresh_tokens: { token_hash: 'untold', player_session_id: 'told', generation: 'of the game', used_at: 'untold' },
  web_sessions: {
    session_hash: 'untold',
    player_id: 'told',
    expires_at: 'untold',
    created_at: 'told',
    last_used_at: 'told',
    device: 'told',
  },
  connect_requests: {
    connect_request_id: 'of the game',
    auth_req_id_hash: 'of the game',
    application_id: 'of the game',
    player_id: 'told',
    binding_code: 'of the game',
    state: 'told, stays',
    interval_ms: 'of the game',
    created_at: 'told, stays',
    expires_at: 'told, stays',
    polled_at: 'of the game',
    player_session_id: 'told',
    redeemed_at: 'of the game',
    subject_hash: 'untold',
    choices: 'of the game',
    device: 'told',
    network_hash: 'untold',
    place: 'told',
    // Of the game's key: without it the game would be answered differently once the account is deleted.
    key_thumbprint: 'of the game',
  },
  popup_sign_ins: {
    connect_request_id: 'of the game',
    popup_id: 'of the game',
    code_challenge: 'of the game',
    popup_state: 'of the game',
    origin: 'told, stays',
    code_hash: 'untold',
    code_expires_at: 'of the game',
    player_id: 'told',
  },
  blocked_games: { player_id: 'told', application_id: 'of the game', blocked_at: 'told' },
  familiar_places: { place_hash: 'untold', expires_at: 'told', player_id: 'told' },
  passkeys: {
    passkey_id: 'told',
    credential_id: 'untold',
    player_id: 'told',
    public_key: 'untold',
    counter: 'untold',
    device: 'told',
    created_at: 'told',
    last_used_at: 'told',
  },
};
const OF_NOBODY = [
  'applications',
  'application_tokens',
  'nonces',
  'ad_surfaces',
  'ads',
  'events',
  'summaries',
  'summary_verdicts',
  'summary_reasons',
  'outboxes',
  'serves',
  // Of browsers, for five minutes.
  'passkey_challenges',
  // Hashes of e-mail addresses and networks, for ten minutes.
  'rate_limits',
];

type Row = Record<string, string | number | null>;

describe('what the service knows of a player', () => {
  let service: RunningService;
  let visitor: WebAppVisitor;
  let playerId: string;
  let openRequest: string;

  const rowsOf = (table: string) => service.db.all<Row>(`SELECT * FROM ${table}`);
  /** What columns of this kind hold, without what is not set. */
  async function valuesOf(...kinds: Holds[]): Promise<Set<string>> {
    const values = new Set<string>();
    for (const [table, columns] of Object.entries(OF_PLAYERS))
      for (const row of await rowsOf(table))
        for (const [column, value] of Object.entries(row))
          if (kinds.includes(columns[column]!) && value !== null) values.add(String(value));
    return values;
  }

  /** Something in every table and column a player can have something in. */
  beforeEach(async () => {
    service = await startService();
    const { db, clock } = service;
    clock.stop();
    const later = () => clock.advance(1_234);
    const caller = new ServiceCaller(service);
    visitor = new WebAppVisitor(service);
    const { email, password } = DEMO_PLAYER;
    const headers = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' };
    const login = tokens(await caller.post('/v1/login', { email, password }, { headers }));
    playerId = login.player.playerId;
    later();
    const ended = tokens(await caller.post('/v1/login', { email, password }));
    await caller.post('/v1/revoke', { token: ended.refresh_token });
    later();
    await visitor.signIn();
    const connect = await caller.connect();
    await visitor.decide('confirm');
    await caller.poll(connect.authReqId);
    later();
    const site = passkeySite('https://accounts.example')!;
    const passkeys = new Passkeys(db, clock.now, randomBytes);
    const key = new SoftAuthenticator(site.origin);
    const made = key.create(await passkeys.creationOptions(site, { playerId, displayName: 'Ada' }, 'holder'));
    await passkeys.add(site, playerId, 'holder', made, 'Edge on Windows');
    later();
    await passkeys.playerOf(site, 'holder', key.get(await passkeys.signInOptions(site, 'holder'), { counter: 1 }));
    later();
    await db.run(`INSERT INTO applications VALUES ('app_other', 'Other', 'other-key', 'other-private', '[]')`);
    await new BlockedGames(db, clock.now).block(playerId, 'app_other');
    const requests = new ConnectRequests(
      db,
      new PlayerSessions(db, clock.now, randomBytes),
      clock.now,
      randomBytes,
      DEFAULT_CONNECT_TIMES,
    );
    later();
    // Of the blocked game: it never reaches the player, and is about the player all the same.
    const asker = { email, device: 'Chrome on Android', address: '203.0.113.77' };
    await requests.start('app_other', undefined, asker);
    await requests.start('app_other', undefined, asker);
    later();
    const popup = await caller.post(
      '/v1/bc-authorize',
      { login_hint: email, code_challenge: 'x'.repeat(43), state: 'y'.repeat(22) },
      { headers: { Origin: 'http://localhost:4000' } },
    );
    await visitor.submit(`/popup/${String(popup.body['popup_url']).split('/').at(-1)!}/approve`);
    openRequest = String(popup.body['auth_req_id']);
  });
  afterEach(() => service.close());

  test('is in columns that are all known here', async () => {
    const scripts = migrationsFrom(0, { ownNumber: 'INTEGER PRIMARY KEY' }).map(({ script }) => script);
    const tables = [...scripts.join('').matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g)].map(([, table]) => table);
    expect([...Object.keys(OF_PLAYERS), ...OF_NOBODY].sort()).toEqual(tables.sort());
    for (const [table, columns] of Object.entries(OF_PLAYERS)) {
      const [row] = await rowsOf(table);
      expect([table, Object.keys(row ?? {}).sort()]).toEqual([table, Object.keys(columns).sort()]);
    }
    for (const table of OF_NOBODY) expect(JSON.stringify(await rowsOf(table))).not.toContain(playerId);
  });

  test('is in the export, each value', async () => {
    const { text } = await visitor.open('/account/export');
    for (const value of await valuesOf('told', 'told, stays')) expect(text).toContain(value);
    for (const told of ['Firefox on Windows', 'Chrome on Android', '203.0.113.…', 'http://localhost:4000', '"Other"'])
      expect(text).toContain(told);
    for (const value of await valuesOf('untold')) if (/\D/.test(value)) expect(text).not.toContain(value);
  });

  test('is gone with the account, but for the hash by which an open request is found', async () => {
    const pending = async () =>
      (await rowsOf('connect_requests'))
        .filter(({ state }) => state === 'pending')
        .map((row) => row['subject_hash'])
        .sort();
    const open = await pending();
    expect(open).toHaveLength(2);
    const gone = [...(await valuesOf('told', 'untold'))].filter(
      (value) => /\D/.test(value) && value !== 'A browser' && !open.includes(value),
    );
    const answer = await visitor.submit('/account/delete', { password: DEMO_PLAYER.password });
    expect(answer.text).toContain('Your account is deleted');

    const stays = ['connect_requests', 'popup_sign_ins'];
    for (const table of Object.keys(OF_PLAYERS))
      if (!stays.includes(table)) expect([table, await rowsOf(table)]).toEqual([table, []]);
    for (const table of [...stays, ...OF_NOBODY]) {
      const text = JSON.stringify(await rowsOf(table));
      for (const value of gone) expect(text).not.toContain(value);
    }
    expect(await pending()).toEqual(open);
    const caller = new ServiceCaller(service);
    expect((await caller.poll(openRequest)).body).toEqual({ status: 'authorization_pending' });
    // The game cannot tell: as for any other e-mail, a newer request takes the place of the open one.
    await caller.connect();
    expect(await caller.poll(openRequest)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    service.clock.advance(25 * 3_600_000);
    await caller.connect('somebody.else@example.com');
    const left = JSON.stringify(await rowsOf('connect_requests'));
    for (const hash of open) expect(left).not.toContain(hash);
  });
});

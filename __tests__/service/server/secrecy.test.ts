import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { ServiceCaller, tokens } from './ServiceCaller.js';
import { WebAppVisitor } from './WebAppVisitor.js';

const CANARY_EMAIL = 'canary-mail@example.com';
const CANARY_PASSWORD = 'canary-password';
const CANARY_QUERY = 'canary-query';
const CANARY_PATH = 'canary-path';

describe('secrets that pass through the service', () => {
  let service: RunningService;
  let lines: string[];
  let secrets: string[];

  /** Uses every operation, rightly and wrongly, and gathers all that is secret on the way. */
  beforeAll(async () => {
    lines = [];
    service = await startService({ log: (line) => lines.push(line) });
    const caller = new ServiceCaller(service);
    const visitor = new WebAppVisitor(service);
    const { apiKey, privateKey } = DEMO_APPLICATION;

    await visitor.signIn(CANARY_EMAIL, CANARY_PASSWORD);
    const formCookies = [...visitor.cookies.values()];
    await visitor.signIn();
    await visitor.open(`?token=${CANARY_QUERY}`);
    await caller.get(`/v1/ad-surfaces?key=${CANARY_QUERY}`);
    await caller.get(`/v1/ad-surfaces/${CANARY_PATH}/ad`);
    await fetch(`${service.origin}/${CANARY_PATH}?${CANARY_QUERY}`);
    await fetch(`${service.baseUrl}/v1/login`, { method: 'POST', body: `{"password": "${CANARY_PASSWORD}"` });
    await caller.get('/v1/ad-surfaces', { credential: { 'Api-Key': apiKey, 'Private-Key': privateKey } });
    await caller.get('/v1/ad-surfaces', { credential: { 'Api-Key': apiKey, 'Private-Key': CANARY_PASSWORD } });
    await caller.post('/v1/login', { email: CANARY_EMAIL, password: CANARY_PASSWORD });
    const login = await caller.login();
    const refreshed = tokens(await caller.refresh(login.refresh_token));
    await caller.player(refreshed.access_token);
    const { body: minted } = await caller.post('/v1/app-token', {});
    const connect = await caller.connect();
    await caller.connect(CANARY_EMAIL);
    await visitor.decide('confirm');
    const connected = tokens(await caller.poll(connect.authReqId));
    await caller.post('/v1/revoke', { token: connected.refresh_token });

    // A fault in the middle of the work, whose stack goes to the log.
    await service.db.run('ALTER TABLE connect_requests RENAME TO elsewhere');
    await caller.post('/v1/bc-authorize', { login_hint: CANARY_EMAIL });
    await service.db.run('ALTER TABLE elsewhere RENAME TO connect_requests');

    secrets = [
      ...[CANARY_EMAIL, CANARY_PASSWORD, CANARY_QUERY, CANARY_PATH],
      ...[privateKey, DEMO_PLAYER.password, String(minted['token']), connect.authReqId],
      ...[login, refreshed, connected].flatMap((session) => [session.access_token, session.refresh_token]),
      ...formCookies,
      ...visitor.cookies.values(),
    ];
  });
  afterAll(() => service.close());

  test('are in no line of the log, nor is any e-mail address or API key', () => {
    expect(lines.length).toBeGreaterThan(20);
    const log = lines.join('\n');
    for (const secret of [...secrets, DEMO_PLAYER.email, DEMO_APPLICATION.apiKey]) expect(log).not.toContain(secret);
  });

  test('each request has its line: id, method, route, status, milliseconds', () => {
    const requests = lines.filter((line) => !line.includes(' unexpected '));
    for (const line of requests) {
      expect(line).toMatch(/^req_[0-9a-f]{24} [A-Z]+ (\/\S*|\(no such route\)|\(preflight\)) \d{3} \d+ms$/);
    }
    expect(requests.some((line) => line.includes('GET /api/v1/ad-surfaces/:adSurfaceId/ad 404'))).toBe(true);
  });

  test('are not readable in the database, but for the private key that signatures are verified with', async () => {
    const tables = await service.db.all<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`);
    let dump = '';
    for (const { name } of tables) dump += JSON.stringify(await service.db.all(`SELECT * FROM ${name}`));
    expect(dump).toContain(DEMO_PLAYER.email);
    for (const secret of secrets) {
      if (secret !== DEMO_APPLICATION.privateKey) expect(dump).not.toContain(secret);
    }
  });
});

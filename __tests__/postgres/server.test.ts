import { connect, createServer, type AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { AccountData } from '../../demo/service/accounts/AccountData.js';
import { AccountSessions } from '../../demo/service/accounts/AccountSessions.js';
import { Passkeys } from '../../demo/service/accounts/Passkeys.js';
import type { Database } from '../../demo/service/database/Database.js';
import { startService, type RunningService } from '../../demo/service/startService.js';
import { adEvent } from '../service/server/adEvents.js';
import { atOnce, ServiceCaller } from '../service/server/ServiceCaller.js';
import { sharedStorage, type SharedStorage } from '../service/server/sharedStorage.js';

describe('the service on a PostgreSQL server', () => {
  let storage: SharedStorage;
  let service: RunningService;
  let other: RunningService;
  let caller: ServiceCaller;
  const lines: string[] = [];

  beforeEach(async () => {
    storage = sharedStorage();
    service = await startService({ ...storage.options, log: (line) => lines.push(line) });
    other = await startService(storage.options);
    caller = new ServiceCaller(service);
    lines.length = 0;
  });
  afterEach(async () => {
    await service.close();
    await other.close();
    await storage.remove();
  });

  /** Ends the connections of the first copy, as a server that restarts does. */
  async function cutConnections(): Promise<number> {
    const own = await service.db.first<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const cut = await other.db.all('SELECT pg_terminate_backend(?)', own?.pid ?? 0);
    return cut.length;
  }

  test('F31 a connection cut in the middle of a batch counts nothing of it; sent again, it is counted once', async () => {
    const event = adEvent();
    const pid = { now: 0 };
    const failed = service.db.transaction(async (sql) => {
      pid.now = (await sql.first<{ pid: number }>('SELECT pg_backend_pid() AS pid'))?.pid ?? 0;
      await sql.run(`UPDATE ad_surfaces SET serve_count = 99`);
      await other.db.all('SELECT pg_terminate_backend(?)', pid.now);
      return sql.all('SELECT 1');
    });
    await expect(failed).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(await other.db.all('SELECT * FROM ad_surfaces WHERE serve_count = 99')).toEqual([]);
    expect((await caller.post('/v1/events', { events: [event] })).body).toMatchObject({ accepted: [event.id] });
  });

  test('F31 an event whose commit went through without a word is not refused by the pause that means it was not counted', async () => {
    const wire = await startWire();
    const cutOff = await startService({ postgres: { ...storage.options.postgres!, url: wire.url } });
    const event = adEvent();
    wire.cutAfterCommit();
    const answer = await new ServiceCaller(cutOff).post('/v1/events', { events: [event] });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([500, null]);
    expect(await other.db.all('SELECT event_id FROM events')).toEqual([{ event_id: event.id }]);
    expect((await caller.post('/v1/events', { events: [event] })).body).toMatchObject({ duplicate: [event.id] });
    await cutOff.close();
    await wire.close();
  });

  test('an account is deleted though its player signs in at another copy in the middle of it', async () => {
    const { player } = await caller.login();
    let signIns = 0;
    const { db } = service;
    const slow: Database = {
      ...db,
      transaction: (work) =>
        db.transaction((sql) =>
          work({
            all: (...asked) => sql.all(...asked),
            first: (...asked) => sql.first(...asked),
            async run(statement, ...values) {
              if (statement.startsWith('DELETE FROM players') && signIns++ === 0)
                await new ServiceCaller(other).login();
              return sql.run(statement, ...values);
            },
          }),
        ),
    };
    const now = () => Date.now();
    const sessions = new AccountSessions(slow, now);
    await new AccountData(slow, sessions, new Passkeys(slow, now, randomBytes), now).delete(player.playerId);
    expect(signIns).toBe(2);
    for (const table of ['players', 'player_sessions', 'access_tokens', 'refresh_tokens', 'familiar_places']) {
      expect([table, await db.all(`SELECT 1 FROM ${table}`)]).toEqual([table, []]);
    }
  });

  test('lives on when the server cuts its idle connections', async () => {
    expect(await cutConnections()).toBe(1);
    const answers = await atOnce(4, () => caller.get('/v1/ad-surfaces'));
    const again = await caller.get('/v1/ad-surfaces');
    for (const { status } of answers) expect([200, 503]).toContain(status);
    expect(again.status).toBe(200);
  });

  test('F8 says 503 with Retry-After while the server lets nobody in, and tells no inside of it', async () => {
    const cutOff = service;
    await cutOff.db.close();
    // The pool is closed: the nearest thing to a server that is gone which needs no server to be stopped.
    const answer = await caller.get('/v1/ad-surfaces');
    expect(answer).toMatchObject({ status: 503, body: { error: 'database_unavailable' } });
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(JSON.stringify(answer.body)).not.toMatch(/postgres|pool|inview/i);
    service = await startService(storage.options);
    await expect(cutOff.close()).rejects.toThrow('end');
  });
});

/** A way to the server of these tests that can be cut between a commit and the word of it. */
async function startWire() {
  const target = new URL(process.env['SERVICE_TEST_POSTGRES'] ?? '');
  const port = Number(target.port || 5432);
  const folder = target.searchParams.get('host');
  let isArmed = false;
  const server = createServer((client) => {
    const upstream = connect(
      folder === null ? { host: target.hostname, port } : { path: `${folder}/.s.PGSQL.${port}` },
    );
    let isCommitting = false;
    client.on('data', (bytes) => {
      isCommitting = isArmed && bytes.includes('COMMIT');
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isCommitting) client.destroy();
      else client.write(bytes);
    });
    for (const [one, another] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('close', () => another.destroy());
      one.on('error', () => another.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cutAfterCommit: () => void (isArmed = true),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

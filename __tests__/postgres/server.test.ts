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

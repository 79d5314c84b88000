import { randomUUID } from 'node:crypto';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { MemoryStore } from '../../unit/report/MemoryStore.js';
import { noLocks } from '../../../src/report/OwnerLocks.js';
import { Reporter } from '../../../src/report/Reporter.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { adEvent } from './adEvents.js';

const PATH = '/api/v1/events';

describe('reports from the client to the service', () => {
  let service: RunningService;
  let client: ServiceClient;

  beforeEach(async () => {
    service = await startService();
    const { apiKey, privateKey } = DEMO_APPLICATION;
    client = new ServiceClient({ apiKey, privateKey, baseUrl: service.baseUrl, timeoutMs: 60_000 });
  });
  afterEach(async () => {
    client.destroy();
    await service.close();
  });

  /** Real clocks, but pauses a hundred times as short. */
  function startReporter(): Reporter {
    return new Reporter({
      disk: new MemoryStore(),
      locks: noLocks,
      send: ({ events, durability, ledger }, { leaves }) => client.reportEvents(events, { durability, ledger, leaves }),
      isReady: () => true,
      now: () => performance.now() * 100,
      wallNow: Date.now,
      after: (ms, callback) => {
        const timer = setTimeout(callback, Math.min(ms, 2_000_000) / 100);
        return () => clearTimeout(timer);
      },
      random: Math.random,
      newId: randomUUID,
      isOnline: () => true,
      mayReport: () => true,
      warn: () => undefined,
    });
  }

  const storedIds = async () =>
    (await service.db.all<{ event_id: string }>('SELECT event_id FROM events')).map((row) => row.event_id);

  test('are acknowledged by id: accepted, duplicate and rejected', async () => {
    const [first, second, bad] = [adEvent(), adEvent(), adEvent({ kind: 'nonsense' })];
    await client.reportEvents([first]);
    expect(await client.reportEvents([first, second, bad])).toEqual({
      accepted: [second.id],
      duplicate: [first.id],
      rejected: [bad.id],
    });
  });

  test('go with a signed-in player’s requests like all others, and store nothing about the player', async () => {
    const { email, password } = DEMO_PLAYER;
    const { player } = await client.login(email, password);
    const event = adEvent();
    expect((await client.reportEvents([event])).accepted).toEqual([event.id]);
    expect(JSON.stringify(await service.db.all('SELECT * FROM events'))).not.toContain(player?.playerId);
  });

  test.each<[string, unknown]>([
    ['no lists', { ok: true }],
    ['a list', []],
    ['words for lists', { accepted: 'all', duplicate: 'none', rejected: {} }],
  ])('are not acknowledged by an answer with %s', async (_, body) => {
    service.faults.add({ path: PATH, fault: { kind: 'mutate', body } });
    const named = await client.reportEvents([adEvent()]).catch((error: unknown) => (error as { code: string }).code);
    expect(named).toBe('response/schema');
  });

  test('are acknowledged by their own ids only, whatever else the answer holds', async () => {
    const [mine, other] = [adEvent(), adEvent()];
    const body = { accepted: [other.id, 7, null, mine.id], duplicate: 'x', rejected: [null, 'y', { id: other.id }] };
    service.faults.add({ path: PATH, fault: { kind: 'mutate', body } });
    expect(await client.reportEvents([mine])).toEqual({ accepted: [mine.id], duplicate: [], rejected: [] });
  });

  test('on their way survive the end of the client; later ones are refused', async () => {
    const event = adEvent();
    const sent = client.reportEvents([event]);
    client.destroy();
    expect((await sent).accepted).toEqual([event.id]);
    await expect(client.reportEvents([adEvent()])).rejects.toMatchObject({ code: 'lifecycle/destroyed' });
  });

  test('all arrive and are counted once, though requests and answers are lost and the service stumbles', async () => {
    service.faults.add(
      { path: PATH, fault: { kind: 'drop-before' }, probability: 0.2 },
      { path: PATH, fault: { kind: 'drop-after' }, probability: 0.25 },
      { path: PATH, fault: { kind: 'status', status: 503 }, probability: 0.1 },
      { path: PATH, fault: { kind: 'status', status: 429, retryAfter: '0' }, probability: 0.1 },
      { path: PATH, fault: { kind: 'truncate' }, probability: 0.1 },
    );
    const reporter = startReporter();
    for (let i = 0; i < 400; i++) void reporter.record({ kind: 'click', adSurfaceId: 'park-board', adId: `ad-${i}` });
    expect(await reporter.flush({ timeoutMs: 4_000_000 })).toBe(true);
    const { accepted, duplicate, ...rest } = reporter.ledger;
    expect(rest).toMatchObject({ created: 400, rejected: 0, pending: 0 });
    expect(accepted + duplicate).toBe(400);
    expect(service.faults.strikes.length).toBeGreaterThan(5);
    const ids = await storedIds();
    expect([ids.length, new Set(ids).size]).toEqual([400, 400]);
    const ads = await service.db.all<{ event: string }>('SELECT event FROM events');
    expect(new Set(ads.map(({ event }) => (JSON.parse(event) as { adId: string }).adId)).size).toBe(400);
    reporter.destroy();
  });
});

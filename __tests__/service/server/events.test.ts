import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { adEvent } from './adEvents.js';
import { atOnce, ServiceCaller, type Answer } from './ServiceCaller.js';

describe('POST /v1/events', () => {
  let service: RunningService;
  let caller: ServiceCaller;

  beforeEach(async () => {
    service = await startService();
    caller = new ServiceCaller(service);
  });
  afterEach(() => service.close());

  const report = (...events: unknown[]): Promise<Answer> => caller.post('/v1/events', { events });
  const storedIds = async (db = service.db) =>
    (await db.all<{ event_id: string }>('SELECT event_id FROM events ORDER BY arrival')).map((row) => row.event_id);

  test('accepts an event of every kind and names it in the answer', async () => {
    const events = [
      adEvent({ kind: 'loaded' }),
      adEvent({ kind: 'noFill', adId: undefined, serveId: undefined }),
      adEvent({ kind: 'visible' }),
      adEvent({ kind: 'blocked', percentageInView: 12.5, reasons: ['obstructed', 'clipped'], blockerCount: 3 }),
      adEvent({ kind: 'click' }),
      adEvent({ kind: 'error', errorCode: 'ad/http-status' }),
      adEvent({ kind: 'finish', finishReason: 'scene-ended' }),
    ];
    const ids = events.map(({ id }) => id);
    expect((await report(...events)).body).toEqual({ accepted: ids, duplicate: [], rejected: [] });
    expect(await storedIds()).toEqual(ids);
  });

  test('accepts an event of a sprite that hangs on no surface', async () => {
    const event = adEvent({ adSurfaceId: undefined });
    expect((await report(event)).body).toMatchObject({ accepted: [event.id] });
  });

  test('tells a repeated id as a duplicate, whatever the rest says, and keeps the first', async () => {
    const event = adEvent();
    await report(event);
    const again = await report({ ...event, kind: 'click' }, event);
    expect(again.body).toEqual({ accepted: [], duplicate: [event.id, event.id], rejected: [] });
    expect(await service.db.all('SELECT kind FROM events')).toEqual([{ kind: 'visible' }]);
  });

  test('stores an id once when it is sent many times at once', async () => {
    const event = adEvent();
    const answers = await atOnce(8, () => report(event));
    const accepted = answers.flatMap(({ body }) => body['accepted'] as string[]);
    expect(accepted).toEqual([event.id]);
    expect(await storedIds()).toEqual([event.id]);
  });

  /** Registers another application. */
  const startOther = async () => {
    await service.db.run(
      `INSERT INTO applications (application_id, name, api_key, private_key, allowed_origins)
       VALUES ('app_other', 'Other', 'other-key', 'other-private-key', '[]')`,
    );
    const credential = { 'Api-Key': 'other-key', 'Private-Key': 'other-private-key' };
    return (...events: unknown[]) => caller.post('/v1/events', { events }, { credential });
  };

  test('keeps the same id of two applications apart', async () => {
    const reportAsOther = await startOther();
    const event = adEvent({ adSurfaceId: undefined });
    await report(event);
    expect((await reportAsOther(event)).body).toMatchObject({ accepted: [event.id] });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown kind', { kind: 'teleported' }, '$.kind'],
    ['no kind', { kind: undefined }, '$.kind'],
    ['a time before the session', { time: -1 }, '$.time'],
    ['a share above 100', { percentageInView: 101 }, '$.percentageInView'],
    ['no measurement', { visibleArea: undefined }, '$.visibleArea'],
    ['a reason with markup', { reasons: ['<b>'] }, '$.reasons.0'],
    ['half a blocker', { blockerCount: 0.5 }, '$.blockerCount'],
    ['an endless name', { adId: 'x'.repeat(257) }, '$.adId'],
    ['a foreign error code', { kind: 'error', errorCode: 'DROP TABLE events' }, '$.errorCode'],
    ['an invented end', { kind: 'finish', finishReason: 'bored' }, '$.finishReason'],
  ])('rejects an event with %s by its id, naming the place, and accepts the others', async (_, fields, place) => {
    const bad = adEvent(fields);
    const good = adEvent();
    const { body } = await report(bad, good);
    expect(body).toEqual({
      accepted: [good.id],
      duplicate: [],
      rejected: [{ id: bad.id, error: 'invalid_event', error_description: `Missing or malformed: ${place}.` }],
    });
    expect(await storedIds()).toEqual([good.id]);
  });

  test('rejects an event of a surface the application does not have, though another may have it', async () => {
    const event = adEvent({ adSurfaceId: 'moon-board' });
    const rejected = [{ id: event.id, error: 'unknown_ad_surface' }];
    expect((await report(event)).body).toMatchObject({ rejected });
    const reportAsOther = await startOther();
    expect((await reportAsOther({ ...event, adSurfaceId: 'park-board' })).body).toMatchObject({ rejected });
    expect(await storedIds()).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['no list', { events: 'all of them' }],
    ['an empty list', { events: [] }],
    ['an event that is no object', { events: [7] }],
    ['an event without an id', { events: [adEvent({ id: undefined })] }],
    ['an id that is no UUID', { events: [adEvent({ id: '1' })] }],
    ['51 events', { events: Array.from({ length: 51 }, () => adEvent()) }],
  ])('refuses a batch with %s as a whole and stores nothing', async (_, body) => {
    expect(await caller.post('/v1/events', body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await storedIds()).toEqual([]);
  });

  test('refuses more than 64 KiB', async () => {
    const events = [adEvent({ padding: 'x'.repeat(70_000) })];
    expect(await caller.post('/v1/events', { events })).toMatchObject({ status: 413 });
  });

  test('stores only what the contract names: nothing else a game sends is kept', async () => {
    await report(adEvent({ email: 'ada@example.com', __proto__: { polluted: true } }));
    const row = await service.db.first<{ event: string }>('SELECT event FROM events');
    expect(Object.keys(JSON.parse(row?.event ?? '{}') as object).sort()).toEqual(Object.keys(adEvent()).sort());
  });

  test('keeps events, and knows their ids again, after a restart on the same file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inview-events-'));
    try {
      const databasePath = join(folder, 'service.db');
      const event = adEvent();
      const first = await startService({ databasePath });
      await new ServiceCaller(first).post('/v1/events', { events: [event] });
      await first.close();

      const second = await startService({ databasePath });
      const fresh = adEvent({ id: randomUUID() });
      const { body } = await new ServiceCaller(second).post('/v1/events', { events: [event, fresh] });
      expect(body).toEqual({ accepted: [fresh.id], duplicate: [event.id], rejected: [] });
      expect(await storedIds(second.db)).toEqual([event.id, fresh.id]);
      await second.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

import { randomUUID } from 'node:crypto';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { adEvent } from './adEvents.js';
import { IMPRESSION, ledgerOf, placement, SEEN, SUMMARY, video, VIEWABLE } from './placements.js';
import { ServiceCaller, sign, type Answer } from './ServiceCaller.js';

describe('the envelope of reported events', () => {
  let service: RunningService;
  let caller: ServiceCaller;

  beforeAll(async () => {
    service = await startService();
    caller = new ServiceCaller(service);
  });
  afterAll(() => service.close());

  const report = (...events: unknown[]): Promise<Answer> => caller.post('/v1/events', { events });
  const stored = async (id: string) =>
    service.db.first<{ happened_at: number; received_at: number; natural_key: string | null }>(
      'SELECT happened_at, received_at, natural_key FROM events WHERE event_id = ?',
      id,
    );

  test('accepts the events of a whole placement with their evidence', async () => {
    const events = placement([
      { kind: 'loaded' },
      IMPRESSION,
      { kind: 'visible', ...SEEN },
      VIEWABLE,
      { ...VIEWABLE, standard: 'mrc-display', trace: [[0, 80, 4.2]] },
      { kind: 'click' },
      ...['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'].map((kind) => video(kind)),
      { kind: 'blocked', ...SEEN },
      { ...SUMMARY, isFinal: false, finishReason: undefined },
      { kind: 'error', errorCode: 'render/context-lost' },
      SUMMARY,
    ]);
    expect((await report(...events)).body).toEqual({
      accepted: events.map(({ id }) => id),
      duplicate: [],
      rejected: [],
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no number', { sequence: undefined }, '$.sequence'],
    ['no ordinal', { ordinal: undefined }, '$.ordinal'],
    ['ordinal 0', { ordinal: 0 }, '$.ordinal'],
    ['no wall time', { wallTime: undefined }, '$.wallTime'],
    ['no hash of the event before', { previousHash: undefined }, '$.previousHash'],
    ['a hash that is none', { previousHash: 'A'.repeat(64) }, '$.previousHash'],
    ['a hash though it is the first', { sequence: 0 }, '$.previousHash'],
    ['a number beyond 32 bits', { sequence: 2 ** 31 }, '$.sequence'],
    ['a control character in a name', { serveId: 'a\u0000b' }, '$.serveId'],
    ['a verdict nobody knows', { verdicts: { 'iig-display': 'perhaps' } }, '$.verdicts.iig-display'],
    ['too many points of time', { timeline: Array.from({ length: 65 }, (_, t) => [t, 0]) }, '$.timeline'],
    ['a share above 100 in the timeline', { timeline: [[0, 101]] }, '$.timeline.0.1'],
    ['a reason with markup', { reasonsMs: { '<b>': 1 } }, '$.reasonsMs.<b>'],
  ])('F23 rejects an event of a placement with %s, and no other', async (_, fields, place) => {
    const [first, last] = placement([IMPRESSION, SUMMARY]);
    const bad = { ...last, ...fields, id: randomUUID() };
    expect((await report(first, bad)).body).toEqual({
      accepted: [first?.id],
      duplicate: [],
      rejected: [{ id: bad.id, error: 'invalid_event', error_description: `Missing or malformed: ${place}.` }],
    });
  });

  test('F23 rejects an event above 4 KiB or nested beyond all measure by its id, and accepts the others', async () => {
    let deep: unknown = 0;
    for (let level = 0; level < 3000; level += 1) deep = [deep];
    const [large, nested, good] = [adEvent({ padding: 'x'.repeat(4096) }), adEvent({ deep }), adEvent()];
    const { body } = await report(large, nested, good);
    expect(body).toMatchObject({
      accepted: [good.id],
      rejected: [
        { id: large.id, error: 'event_too_large' },
        { id: nested.id, error: 'event_too_large' },
      ],
    });
  });

  test('F5 a logic duplicate, the same happening under another id, is told as a duplicate and not stored', async () => {
    const [impression, viewable] = placement([IMPRESSION, VIEWABLE]);
    await report(impression);
    const twin = { ...viewable, id: randomUUID() };
    expect((await report({ ...impression, id: randomUUID() }, viewable, twin)).body).toMatchObject({
      accepted: [viewable?.id],
      duplicate: [expect.any(String), twin.id],
    });
    expect(await stored(twin.id)).toBeUndefined();
  });

  test('the next event of the same kind, and the same serve in another placement, are no duplicates', async () => {
    const first = placement([SUMMARY, SUMMARY], { serveId: 'serve_shared' });
    const second = placement([SUMMARY], { serveId: 'serve_shared' });
    expect((await report(...first, ...second)).body).toMatchObject({ duplicate: [], rejected: [] });
  });

  describe('the time of an event', () => {
    const HOUR_MS = 3_600_000;

    test.each([-24, 24])('F37 is right to the second though the device’s clock is %d h off', async (hours) => {
      const offMs = hours * HOUR_MS;
      const [event] = placement([IMPRESSION], { wallTime: Date.now() + offMs - 60_000 });
      await caller.post('/v1/events', { sentAt: Date.now() + offMs, events: [event] });
      const row = await stored(event?.id ?? '');
      expect(Math.abs((row?.received_at ?? 0) - 60_000 - (row?.happened_at ?? 0))).toBeLessThan(5000);
    });

    test('is never later than its arrival, and that of its arrival when the event tells none', async () => {
      const [ahead] = placement([IMPRESSION], { wallTime: Date.now() + HOUR_MS });
      const plain = adEvent();
      await caller.post('/v1/events', { sentAt: Date.now(), events: [ahead, plain] });
      for (const id of [ahead?.id ?? '', plain.id]) {
        const row = await stored(id);
        expect(row?.happened_at).toBe(row?.received_at);
      }
    });
  });

  describe('the ledger of an outbox', () => {
    const kept = (outboxId: string) =>
      service.db.first('SELECT revision, created, pending, durability FROM outboxes WHERE outbox_id = ?', outboxId);

    test('is kept in its newest revision, whatever the order of arrival', async () => {
      const ledger = ledgerOf({ revision: 7, created: 12, pending: 4 });
      await caller.post('/v1/events', { durability: 'disk', ledger, events: [adEvent()] });
      await caller.post('/v1/events', { ledger: ledgerOf({ outboxId: ledger.outboxId, revision: 6 }), events: [] });
      expect(await kept(ledger.outboxId)).toEqual({ revision: 7, created: 12, pending: 4, durability: 'disk' });
      await caller.post('/v1/events', { ledger: { ...ledger, revision: 8, pending: 0 }, events: [] });
      expect(await kept(ledger.outboxId)).toMatchObject({ revision: 8, pending: 0 });
    });

    test.each<[string, object]>([
      ['a negative count', { pending: -1 }],
      ['half an event', { created: 1.5 }],
      ['no reasons', { dropped: 3 }],
      ['no outbox', { outboxId: 'mine' }],
    ])('with %s is refused with the whole batch', async (_, fields) => {
      const event = adEvent();
      const answer = await caller.post('/v1/events', {
        ledger: ledgerOf(fields as Record<string, unknown>),
        events: [event],
      });
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
      expect(await stored(event.id)).toBeUndefined();
    });
  });

  describe('a copy sent at unload', () => {
    const TARGET = '/api/v1/events';
    const headersOf = (body: string, nonce?: string) =>
      sign({ method: 'POST', target: TARGET, body, ...(nonce === undefined ? {} : { nonce }) });
    const send = async (copy: unknown, headers: Record<string, string> = {}) => {
      const response = await fetch(`${service.origin}${TARGET}`, {
        method: 'POST',
        headers: { 'Content-Type': 'text/plain;charset=UTF-8', ...headers },
        body: typeof copy === 'string' ? copy : JSON.stringify(copy),
      });
      return { status: response.status, headers: response.headers, body: (await response.json()) as object };
    };

    test('is taken for the signed request it stands for, and may be read by the page it came from', async () => {
      const event = adEvent();
      const body = JSON.stringify({ sentAt: Date.now(), events: [event] });
      const origin = 'http://localhost:8080';
      const answer = await send({ headers: headersOf(body), body }, { Origin: origin });
      expect(answer).toMatchObject({ status: 200, body: { accepted: [event.id] } });
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(origin);
      expect((await report(event)).body).toMatchObject({ duplicate: [event.id] });
    });

    test('works with an application token and with the plain key, written in any case', async () => {
      const { body: minted } = await caller.post('/v1/app-token', {});
      for (const headers of [
        { 'Application-Token': String(minted['token']) },
        { 'api-key': 'demo-api-key', 'PRIVATE-KEY': 'demo-private-key-for-localhost-only' },
      ]) {
        const event = adEvent();
        expect(await send({ headers, body: JSON.stringify({ events: [event] }) })).toMatchObject({
          body: { accepted: [event.id] },
        });
      }
    });

    test('cannot be changed, nor replayed', async () => {
      const body = JSON.stringify({ events: [adEvent()] });
      const headers = headersOf(body);
      const other = JSON.stringify({ events: [adEvent()] });
      expect(await send({ headers, body: other })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect(await send({ headers, body })).toMatchObject({ status: 200 });
      expect(await send({ headers, body })).toMatchObject({ status: 401, body: { error: 'replayed_request' } });
    });

    test('proves itself by what is inside alone, and from a registered page', async () => {
      const body = JSON.stringify({ events: [adEvent()] });
      expect(await send({ headers: {}, body }, headersOf(body))).toMatchObject({ status: 401 });
      const stranger = { Origin: 'https://stranger.example' };
      expect(await send({ headers: headersOf(body), body }, stranger)).toMatchObject({ status: 403 });
    });

    test.each<[string, unknown]>([
      ['no JSON', 'hello'],
      ['no body', { headers: {} }],
      ['a body that is no text', { headers: {}, body: { events: [] } }],
      ['a header that proves nothing', { headers: { Origin: 'http://localhost' }, body: '{}' }],
      ['a header of two lines', { headers: { 'Api-Key': 'a\r\nb' }, body: '{}' }],
    ])('with %s is refused with invalid_request', async (_, copy) => {
      expect(await send(copy)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    });

    test('has the limits of the request it stands for', async () => {
      const body = JSON.stringify({ events: [adEvent({ padding: 'x'.repeat(66_000) })] });
      expect(await send({ headers: headersOf(body), body })).toMatchObject({ status: 413 });
      const many = JSON.stringify({ events: Array.from({ length: 51 }, () => adEvent()) });
      expect(await send({ headers: headersOf(many), body: many })).toMatchObject({ status: 400 });
    });
  });
});

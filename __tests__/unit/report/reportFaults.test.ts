import {
  BACKOFF_BASE_MS,
  MAX_AGE_MS,
  FLUSH_AFTER_MS,
  FLUSH_COUNT,
  MAX_COPY_BYTES,
  REFUSAL_PAUSE_MS,
} from '../../../src/report/limits.js';
import { imbalanceOf } from '../../../src/report/ReportLedger.js';
import type { AdEvent, AdFact } from '../../../src/report/AdEvent.js';
import { decodeAcknowledgement } from '../../../src/service/decode.js';
import { MemoryStore } from './MemoryStore.js';
import { ReportingWorld, RETRY_AFTER_MS, TRIP_MS, type Fate } from './ReportingWorld.js';

const BIG: AdFact = { kind: 'error', errorCode: 'x'.repeat(3_700) };
const HOUR_MS = 3_600_000;

let world: ReportingWorld;

beforeEach(() => {
  world = new ReportingWorld();
});

function expectCountedOnce(count: number): void {
  expect(world.service.counted.size).toBe(count);
  expect([...world.service.seen.values()].every((texts) => texts.size === 1)).toBe(true);
  expect(world.reporter.ledger.pending).toBe(0);
  expect(imbalanceOf(world.reporter.ledger)).toBe(0);
}

describe('the way to the service', () => {
  it('F2 F4 F5 what is lost on the way there or back is sent again, and counted once', async () => {
    world.fates.push('offline', 'request lost', 'answer lost', 'request lost', 'answer lost');
    world.record(FLUSH_COUNT);
    await world.pass(120_000);
    expectCountedOnce(FLUSH_COUNT);
    expect(world.reporter.ledger).toMatchObject({ accepted: 0, duplicate: FLUSH_COUNT });
  });

  it('F2 offline, everything is kept, and sent as soon as the network is back', async () => {
    world.isOnline = false;
    world.usualFate = () => 'offline';
    world.record(30);
    await world.pass(HOUR_MS);
    expect([world.reporter.isBlocked, world.reporter.ledger.pending]).toEqual([false, 30]);
    world.usualFate = () => 'ok';
    world.isOnline = true;
    world.reporter.networkIsBack();
    await world.pass(3 * TRIP_MS);
    expectCountedOnce(30);
  });

  it('F9 F10 F11 a pause the service asks for holds up the whole queue, whatever happens meanwhile', async () => {
    world.fates.push('429');
    world.record(FLUSH_COUNT);
    await world.pass(TRIP_MS);
    world.record(50);
    void world.reporter.flush({ timeoutMs: 1_000 });
    world.reporter.networkIsBack();
    world.reporter.pageHidden();
    world.reporter.pageShown();
    await world.pass(RETRY_AFTER_MS - 1);
    expect(world.requests).toHaveLength(1);
    await world.pass(10_000);
    expectCountedOnce(60);
  });

  it.each([404, 410])('F20 at %i the service is asked every five minutes, the developer told once', async (status) => {
    world.usualFate = () => status;
    world.record(FLUSH_COUNT);
    await world.pass(HOUR_MS);
    expect(world.requests.length).toBeLessThanOrEqual(HOUR_MS / REFUSAL_PAUSE_MS + 1);
    expect(world.requests.length).toBeGreaterThan(5);
    expect(world.warnings).toHaveLength(1);
    world.usualFate = () => 'ok';
    await world.pass(REFUSAL_PAUSE_MS + 1_000);
    expectCountedOnce(FLUSH_COUNT);
  });

  it('F21 409 about one event alone means that it is there; about several it names none', async () => {
    world.usualFate = () => 409;
    world.record(1);
    await world.pass(FLUSH_AFTER_MS + TRIP_MS);
    expect(world.reporter.ledger).toMatchObject({ duplicate: 1, pending: 0 });
    world.usualFate = ({ events }) => (events.length > 1 ? 409 : 'ok');
    world.record(4);
    await world.pass(60_000);
    expect(world.reporter.ledger).toMatchObject({ accepted: 4, pending: 0 });
  });

  it('F22 a batch that is too large is halved until it fits; an event that never fits is dropped as too large', async () => {
    const sizeOf = ({ events }: { readonly events: readonly unknown[] }): number => JSON.stringify(events).length;
    world.usualFate = (batch) => (sizeOf(batch) > 5_000 ? 413 : 'ok');
    world.record(19);
    world.record(1, BIG);
    await world.pass(60_000);
    expectCountedOnce(20);
    expect(world.requests.length).toBeLessThanOrEqual(2 * Math.log2(20) + 1);

    world = new ReportingWorld();
    world.usualFate = (batch) => (sizeOf(batch) > 3_000 ? 413 : 'ok');
    world.record(7);
    world.record(1, BIG);
    world.record(12);
    await world.pass(60_000);
    expectCountedOnce(19);
    expect(world.reporter.ledger.dropped.tooLarge).toBe(1);
    expect(world.requests.length).toBeLessThanOrEqual(2 * Math.log2(20) + 2);
  });

  it.each([400, 422, 'surface refused'] as const)(
    'F23 one event for which the service refuses all with %s is found, the others arrive',
    async (status) => {
      for (let bad = 0; bad < 20; bad++) {
        world = new ReportingWorld();
        world.usualFate = ({ events }) => (events.some(({ kind }) => kind === 'noFill') ? status : 'ok');
        world.record(bad);
        world.record(1, { kind: 'noFill' });
        world.record(19 - bad);
        await world.pass(REFUSAL_PAUSE_MS);
        expectCountedOnce(19);
        expect(world.reporter.ledger.rejected).toBe(1);
        expect(world.requests.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(20)) + 2);
      }
    },
  );

  it('F23 an event the service has refused alone does not go with others again', async () => {
    world.usualFate = ({ events }) => (events.some(({ kind }) => kind === 'noFill') ? 400 : 'ok');
    world.record(1, { kind: 'noFill' });
    await world.pass(FLUSH_AFTER_MS + TRIP_MS);
    world.record(5);
    await world.pass(120_000);
    expect(world.batchSizes).toEqual([1, 5, 1]);
    expectCountedOnce(5);
    expect(world.reporter.ledger).toMatchObject({ created: 6, accepted: 5, rejected: 1, pending: 0 });
  });

  it('no event is to blame while the service refuses the application, now and then, with 400', async () => {
    world.usualFate = () => (world.requests.length % 2 > 0 ? 'application refused' : 'ok');
    world.record(3);
    await world.pass(FLUSH_AFTER_MS + TRIP_MS);
    world.record(3);
    await world.pass(HOUR_MS);
    expectCountedOnce(6);
    expect(world.reporter.ledger).toMatchObject({ rejected: 0, pending: 0 });
  });

  it('F23 several bad events are found one by one', async () => {
    world.usualFate = ({ events }) => (events.some(({ kind }) => kind === 'noFill') ? 422 : 'ok');
    for (let i = 0; i < 40; i++) world.record(1, i % 7 === 3 ? { kind: 'noFill' } : { kind: 'click' });
    // A service that takes the others is not left alone for the bad ones.
    await world.pass(REFUSAL_PAUSE_MS / 2);
    expectCountedOnce(34);
    expect(world.reporter.ledger.rejected).toBe(6);
  });

  it.each([0, 3])(
    'F23 a service that refuses everything, after %i events, costs none, and is not flooded',
    async (taken) => {
      world.record(taken);
      await world.pass(FLUSH_AFTER_MS + TRIP_MS);
      world.requests.length = 0;
      world.usualFate = () => 400;
      world.record(100);
      await world.pass(HOUR_MS);
      expect(world.reporter.ledger).toMatchObject({ rejected: 0, pending: 100 });
      expect(world.requests.length).toBeLessThanOrEqual(150);
      world.usualFate = () => 'ok';
      await world.pass(REFUSAL_PAUSE_MS + 60_000);
      expectCountedOnce(100 + taken);
    },
  );

  it('F25 after three failures nobody explains nothing is tried until the network changes or the game asks', async () => {
    // Browsers tell of a blocker in either way.
    world.fates.push('unexplained', 'blocked');
    world.usualFate = () => 'blocked';
    world.record(FLUSH_COUNT);
    await world.pass(HOUR_MS);
    expect(world.batchSizes).toEqual([FLUSH_COUNT, FLUSH_COUNT, FLUSH_COUNT]);
    expect([world.reporter.isBlocked, world.runningTimers]).toEqual([true, 0]);
    world.record(30);
    world.reporter.pageHidden();
    await world.pass(HOUR_MS);
    world.reporter.pageShown();
    await world.pass(HOUR_MS);
    expect(world.requests).toHaveLength(3);

    const flushed = world.reporter.flush({ timeoutMs: 500 });
    await world.pass(500);
    expect(await flushed).toBe(false);
    expect(world.requests.length).toBeGreaterThan(3);
    await world.pass(HOUR_MS);
    const after = world.requests.length;
    await world.pass(HOUR_MS);
    expect(world.requests).toHaveLength(after);

    // Another network that is no better is tried as often as the first.
    world.reporter.networkIsBack();
    await world.pass(HOUR_MS);
    expect(world.requests).toHaveLength(after + 3);

    world.usualFate = () => 'ok';
    world.reporter.networkIsBack();
    await world.pass(3 * TRIP_MS);
    expectCountedOnce(FLUSH_COUNT + 30);
  });

  it.each<[between: string, fate: Fate]>([
    ['an answer', 'ok'],
    ['a failure that explains itself', '503'],
    ['an answer that names nobody', 'nobody named'],
    ['an answer that there is no address for reports', 404],
  ])('F25 three failures nobody explains with %s between them stop nothing', async (_between, fate) => {
    world.randomValue = 0;
    world.fates.push('unexplained', 'unexplained', fate, 'unexplained', 'unexplained');
    world.record(FLUSH_COUNT);
    await world.pass(4 * TRIP_MS);
    world.record(FLUSH_COUNT);
    await world.pass(REFUSAL_PAUSE_MS + 10_000);
    expect(world.reporter.isBlocked).toBe(false);
    expectCountedOnce(2 * FLUSH_COUNT);
  });

  it('F2 failures while the device is offline are explained, and stop nothing', async () => {
    world.isOnline = false;
    world.usualFate = () => 'unexplained';
    world.record(FLUSH_COUNT);
    await world.pass(HOUR_MS);
    expect(world.requests.length).toBeGreaterThan(3);
    expect(world.reporter.isBlocked).toBe(false);
  });

  it('F6 F26 a service that never answers is asked again after each deadline, at growing distances', async () => {
    world.usualFate = () => 'request lost';
    world.record(FLUSH_COUNT);
    await world.pass(HOUR_MS);
    expect(world.reporter.isBlocked).toBe(false);
    expect(world.requests.length).toBeLessThanOrEqual(150);
    expect(world.reporter.ledger.pending).toBe(FLUSH_COUNT);
  });

  it('F37 F38 the wall clock may jump by a day either way: nothing is dropped, and what was written stays', async () => {
    world.usualFate = () => '503';
    world.record(5);
    await world.pass(1_000);
    world.wallOffset = 24 * HOUR_MS;
    world.record(5);
    await world.pass(1_000);
    world.wallOffset = -24 * HOUR_MS;
    world.record(5);
    world.usualFate = () => 'ok';
    await world.pass(120_000);
    expectCountedOnce(15);
    const events = [...world.service.seen.values()].map(([text]) => JSON.parse(text!) as { time: number });
    expect(Math.max(...events.map(({ time }) => time))).toBe(2_000);
  });

  it('events that may be counted and are older than the service is sure to know ids are given up, by when they were recorded', async () => {
    world.usualFate = () => 'answer lost';
    world.record(3);
    await world.pass(MAX_AGE_MS + 120_000);
    expect(world.reporter.ledger).toMatchObject({ pending: 0, dropped: { tooOld: 3 } });
  });

  it('R2: F31 what was on its way as the device went to sleep is not copied by a page that goes a day later', async () => {
    world.fates.push('never');
    world.record(FLUSH_COUNT);
    await world.pass(0);
    world.wallOffset = 24 * HOUR_MS;
    world.record(2);
    await world.pass(TRIP_MS);
    world.reporter.pageHidden();
    world.reporter.pageLeaving();
    expect(world.batchSizes).toEqual([FLUSH_COUNT, 2]);
  });

  it('R2: what an answer leaves unnamed may be counted, though the device said that it was offline', async () => {
    world.isOnline = false;
    world.fates.push('half');
    world.record(4);
    await world.pass(FLUSH_AFTER_MS);
    world.wallOffset += MAX_AGE_MS;
    await world.pass(60_000);
    expect(world.requests).toHaveLength(1);
    expect(world.reporter.ledger).toMatchObject({ accepted: 2, pending: 0, dropped: { tooOld: 2 } });
  });

  it('R2: what waited for a token while the device slept for a day does not come again then', async () => {
    world.fates.push('answer lost');
    world.record(3);
    await world.pass(FLUSH_AFTER_MS + TRIP_MS);
    world.proofMs = TRIP_MS;
    // The next try has begun, and waits.
    await world.pass(BACKOFF_BASE_MS / 2 + TRIP_MS / 2);
    world.wallOffset = 24 * HOUR_MS;
    world.service.forgetIds();
    await world.pass(60_000);
    expect(world.batchSizes).toEqual([3]);
    expect(world.reporter.ledger).toMatchObject({ pending: 0, dropped: { tooOld: 3 } });
  });

  it('R2: what was refused for the clock of its proof is sent again at once, however old the clock makes it', async () => {
    world.wallOffset = -48 * HOUR_MS;
    world.record(3);
    world.wallOffset = 0;
    world.leavings = 2;
    await world.pass(2 * FLUSH_AFTER_MS);
    expectCountedOnce(3);
  });

  it.each<[how: string, fate: Fate]>([
    ['offline', 'offline'],
    ['refused', '503'],
  ])('R2: events that were never counted wait on a page that stays open, however long it is %s', async (how, fate) => {
    world.isOnline = how !== 'offline';
    world.usualFate = () => fate;
    world.record(30);
    await world.pass(2 * MAX_AGE_MS);
    expect(world.reporter.ledger).toMatchObject({ pending: 30, dropped: { tooOld: 0 } });
    world.isOnline = true;
    world.usualFate = () => 'ok';
    world.reporter.networkIsBack();
    await world.pass(60_000);
    expectCountedOnce(30);
  });
});

describe('the wire', () => {
  it('carries each event once while all goes well', async () => {
    for (let second = 0; second < 3_000; second++) {
      world.record(second % 3);
      if (second % 60 === 30) world.reporter.pageHidden();
      if (second % 60 === 35) world.reporter.pageShown();
      await world.pass(1_000);
    }
    await world.pass(10_000);
    expectCountedOnce(3_000);
    expect(world.service.arrivals / 3_000).toBeLessThanOrEqual(1.02);
    expect(world.mostAtOnce).toBe(1);
  });

  it('carries one request at a time, whoever asks for more meanwhile', async () => {
    for (const ask of [
      () => void world.reporter.flush(),
      () => world.reporter.networkIsBack(),
      () => world.reporter.pageShown(),
    ]) {
      world.record(FLUSH_COUNT);
      await world.pass(TRIP_MS / 2);
      world.record(FLUSH_COUNT);
      ask();
      await world.pass(10_000);
    }
    expect([world.mostAtOnce, world.counted.size]).toEqual([1, 6 * FLUSH_COUNT]);
  });

  it.each<Fate>(['503', 'request lost', 'unexplained'])(
    'is left alone by one tab, at most 150 requests, in an hour of: %s',
    async (fate) => {
      let state = 7;
      world.usualFate = () => fate;
      world.random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
      for (let minute = 0; minute < 60; minute++) {
        world.record(12);
        if (minute % 10 === 5) world.reporter.pageHidden();
        if (minute % 10 === 6) world.reporter.pageShown();
        await world.pass(60_000);
      }
      expect(world.requests.length).toBeLessThanOrEqual(150);
    },
  );
});

describe('the page', () => {
  it('F29 when it is hidden sends what waits, and what is recorded on that occasion, in one request that outlives it', async () => {
    world.record(3);
    await world.pass(10);
    world.reporter.pageHidden();
    world.record(1, { kind: 'noFill' });
    await world.pass(10);
    expect(world.requests).toMatchObject([{ outlivesPage: true }]);
    expect(world.batchSizes).toEqual([4]);
    await world.pass(60_000);
    expect(world.requests).toHaveLength(1);
    expectCountedOnce(4);
    // So does what is recorded while it stays hidden.
    world.record(1);
    await world.pass(0);
    expect(world.requests[1]).toMatchObject({ outlivesPage: true });
  });

  it('F29 while it is hidden sends what is recorded, whether or not a request is on its way', async () => {
    world.reporter.pageHidden();
    for (let i = 0; i < 3; i++) {
      world.record(1);
      await world.pass(1);
    }
    expect(world.requests).toMatchObject(Array(3).fill({ outlivesPage: true }));
    await world.pass(TRIP_MS);
    expectCountedOnce(3);
  });

  it('F29 when it is hidden sends all that waits, in as many requests as that takes', async () => {
    world.record(45);
    world.reporter.pageHidden();
    await world.pass(0);
    expect(world.requests.every(({ outlivesPage }) => outlivesPage)).toBe(true);
    expect(world.batchSizes).toEqual([20, 20, 5]);
    await world.pass(TRIP_MS);
    expectCountedOnce(45);
  });

  it('F31 when it goes sends once more what is on its way by requests that end with it', async () => {
    world.fates.push('never');
    world.record(FLUSH_COUNT);
    await world.pass(0);
    world.reporter.pageHidden();
    await world.pass(0);
    expect(world.requests).toHaveLength(1);
    world.reporter.pageLeaving();
    expect(world.requests).toMatchObject([{ outlivesPage: false }, { outlivesPage: true }]);
    await world.pass(TRIP_MS);
    expect(world.service.counted.size).toBe(FLUSH_COUNT);
  });

  it('F28 sends no more by requests that outlive it than browsers allow; the rest waits', async () => {
    world.record(40, BIG);
    await world.pass(0);
    world.requests.length = 0;
    world.usualFate = () => 'never';
    world.reporter.pageLeaving();
    const bytes = world.requests
      .filter(({ outlivesPage }) => outlivesPage)
      .reduce((sum, { events }) => sum + JSON.stringify(JSON.stringify(events)).length, 0);
    expect(bytes).toBeLessThanOrEqual(MAX_COPY_BYTES);
    expect(bytes).toBeGreaterThan(MAX_COPY_BYTES / 2);
    expect(world.reporter.ledger.pending).toBe(40);
  });

  it('R7: F28 may copy as much each time it is hidden, once the copies before have left', async () => {
    const copied: number[] = [];
    for (let times = 0; times < 5; times++) {
      world.record(9, BIG);
      await world.pass(TRIP_MS);
      world.requests.length = 0;
      world.reporter.pageHidden();
      await world.pass(TRIP_MS);
      copied.push(world.requests.filter(({ outlivesPage }) => outlivesPage).flatMap(({ events }) => events).length);
      world.reporter.pageShown();
      await world.pass(TRIP_MS);
    }
    expect(copied).toEqual([9, 9, 9, 9, 9]);
  });

  it('R7: what a copy did not bring goes with the copy of the next time the page goes', async () => {
    world.usualFate = () => '503';
    world.record(3);
    await world.pass(0);
    for (let times = 0; times < 3; times++) {
      world.requests.length = 0;
      world.reporter.pageLeaving();
      expect(world.requests).toMatchObject([{ outlivesPage: true }]);
      expect(world.batchSizes).toEqual([3]);
      await world.pass(TRIP_MS);
      world.reporter.pageShown();
    }
  });

  it('F28 reckons with what quotes and letters beyond ASCII weigh inside a copy', async () => {
    for (const text of ['"\\'.repeat(450), 'ö\u20ac'.repeat(350)]) {
      world = new ReportingWorld();
      world.record(40, { kind: 'error', errorCode: text });
      await world.pass(0);
      world.requests.length = 0;
      world.usualFate = () => 'never';
      world.reporter.pageLeaving();
      const copies = world.requests.filter(({ outlivesPage }) => outlivesPage);
      const bytes = copies.map(({ events }) => Buffer.byteLength(JSON.stringify(JSON.stringify(events))));
      expect(bytes.length).toBeGreaterThan(0);
      expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_COPY_BYTES);
    }
  });

  it('sends a service in trouble one copy, and no second one while that is on its way', async () => {
    world.usualFate = () => '503';
    world.record(45);
    await world.pass(TRIP_MS);
    world.requests.length = 0;
    world.usualFate = () => 'never';
    world.reporter.pageHidden();
    await world.pass(0);
    world.reporter.pageLeaving();
    expect(world.requests.filter(({ outlivesPage }) => outlivesPage)).toHaveLength(1);
  });

  it('sends a service in trouble no copy of what is recorded while it is hidden', async () => {
    world.usualFate = () => '503';
    world.record();
    world.reporter.pageHidden();
    await world.pass(TRIP_MS);
    expect(world.requests).toMatchObject([{ outlivesPage: true }]);
    for (let i = 0; i < 3; i++) {
      world.record();
      await world.pass(TRIP_MS);
    }
    expect(world.requests.filter(({ outlivesPage }) => outlivesPage)).toHaveLength(1);
  });

  it('F28 tries less when the page itself has used up the allowance, and keeps what does not fit', async () => {
    world.usualFate = ({ events }, { outlivesPage }) => (outlivesPage && events.length > 5 ? 'unexplained' : 'ok');
    world.record(8);
    await world.pass(0);
    world.reporter.pageHidden();
    await world.pass(TRIP_MS + 1);
    expect(world.batchSizes).toEqual([8, 4]);
    await world.pass(60_000);
    expectCountedOnce(8);
    expect(world.reporter.isBlocked).toBe(false);
  });

  it('F30 that comes back from the back/forward cache goes on where it was, and sends nothing twice', async () => {
    world.record(3);
    await world.pass(10);
    world.reporter.pageHidden();
    world.reporter.pageLeaving();
    await world.pass(TRIP_MS);
    world.reporter.pageShown();
    world.record(2);
    await world.pass(60_000);
    expectCountedOnce(5);
    expect(world.service.arrivals).toBe(5);
  });
});

describe('the page that is shown again', () => {
  it('R7: sends in batches as before, and no copies any more', async () => {
    world.reporter.pageHidden();
    await world.pass(0);
    world.reporter.pageShown();
    world.record(2);
    await world.pass(FLUSH_AFTER_MS - 1);
    expect(world.requests).toEqual([]);
    await world.pass(1);
    expect(world.requests).toMatchObject([{ outlivesPage: false }]);
  });
});

describe('what the game allows', () => {
  it('only is recorded: an event it refuses, or throws at, leaves no trace', async () => {
    world = new ReportingWorld({ mayReport: ({ kind }) => kind !== 'click' });
    world.record(3, { kind: 'click', placementId: 'p' });
    world.record(2, { kind: 'loaded', placementId: 'p' });
    await world.pass(60_000);
    expectCountedOnce(2);
    expect(world.reporter.ledger.created).toBe(2);
    const events = [...world.service.seen.values()].map(([text]) => JSON.parse(text!) as { sequence: number });
    expect(events.map(({ sequence }) => sequence)).toEqual([0, 1]);
  });

  it.each<[why: string, bytes: number, mayReport: (event: AdEvent) => boolean]>([
    ['the game refuses', 0, ({ kind }) => kind !== 'summary'],
    ['is too large', 5_000, () => true],
  ])('R7: nothing is kept of a placement whose last event %s', async (_why, bytes, mayReport) => {
    world = new ReportingWorld({ mayReport });
    const summary = { kind: 'summary', isFinal: true, finishReason: 'x'.repeat(bytes) } as unknown as AdFact;
    for (const fact of [{ kind: 'loaded' } as const, summary, { kind: 'click' } as const]) {
      world.record(1, { ...fact, placementId: 'p' });
    }
    await world.pass(60_000);
    expect(world.requests[0]!.events).toMatchObject([{ sequence: 0 }, { sequence: 0 }]);
  });

  it('is asked, and changes nothing: what is sent is what was stored, and what the next event of the chain is hashed with', async () => {
    const disk = new MemoryStore();
    const mayReport = ({ verdicts }: { readonly verdicts?: object }): boolean =>
      verdicts === undefined || Object.assign(verdicts, { standard: 'viewable' }) === verdicts;
    const { service } = (world = new ReportingWorld({ disk, mayReport: mayReport as (event: AdEvent) => boolean }));
    const fact = { kind: 'summary', isFinal: false, placementId: 'p', verdicts: { standard: 'notViewable' } };
    world.record(1, fact as unknown as AdFact);
    world.usualFate = () => 'answer lost';
    await world.pass(FLUSH_AFTER_MS + TRIP_MS);
    world.reporter.pageLeaving();
    const next = new ReportingWorld({ disk, service });
    await next.pass(600_000);
    const [texts] = [...service.seen.values()];
    expect([...texts!].map((text) => (JSON.parse(text) as typeof fact).verdicts)).toEqual([fact.verdicts]);
  });

  it('is asked one event after the other: one that the game brings about as it answers follows in the chain', async () => {
    const end = { kind: 'summary', isFinal: true, placementId: 'p' } as unknown as AdFact;
    const mayReport = ({ kind }: AdEvent): boolean => {
      if (kind === 'loaded') world.record(1, end);
      return true;
    };
    world = new ReportingWorld({ mayReport });
    world.record(1, { kind: 'loaded', placementId: 'p' });
    await world.pass(0);
    world.record(1, { kind: 'click', placementId: 'p' });
    await world.pass(60_000);
    const told = world.requests[0]!.events.map(({ kind, sequence }) => [kind, sequence]);
    expect(told).toEqual([['loaded', 0], ['summary', 1], ['click', 0]]); // prettier-ignore
  });

  it('is asked to the end: what the end of the game brings about while it answers is sent, too', async () => {
    const end = { kind: 'summary', isFinal: true, placementId: 'p' } as unknown as AdFact;
    const mayReport = ({ kind }: AdEvent): boolean => {
      if (kind !== 'loaded') return true;
      world.record(1, end);
      world.reporter.destroy();
      return true;
    };
    world = new ReportingWorld({ mayReport });
    world.record(1, { kind: 'loaded', placementId: 'p' });
    await world.pass(TRIP_MS);
    expectCountedOnce(2);
    expect(world.runningTimers).toBe(0);
  });

  it.each([
    ['on disk', new MemoryStore()],
    ['in memory', null],
  ])('evidence is left off when it makes an event too large, and when the room runs short %s', async (_where, disk) => {
    world = new ReportingWorld({ disk });
    const fact = (runs: number): AdFact =>
      ({ kind: 'summary', trace: { runs: Array.from({ length: runs }, (_, i) => [i, 16, 100]) } }) as unknown as AdFact;
    world.usualFate = () => '503';
    world.record(1, fact(20));
    world.record(1, fact(2_000));
    await world.pass(0);
    world.record(160, BIG);
    await world.pass(1_000);
    world.record(1, fact(20));
    await world.pass(1_000);
    world.usualFate = () => 'ok';
    await world.pass(300_000);
    const summaries = [...world.service.seen.values()]
      .map(([text]) => JSON.parse(text!) as { kind: string; trace?: unknown })
      .filter(({ kind }) => kind === 'summary');
    expect(summaries.map(({ trace }) => trace !== undefined)).toEqual([true, false, false]);
  });
});

describe('answers that do not name what was sent', () => {
  const sent = (): string[] => world.requests[0]!.events.map(({ id }) => id);

  it.each<[what: string, answer: (ids: string[]) => unknown, counts: Record<string, number>]>([
    ['B35 ids of others are ignored, only our own are settled', ([a]) => ({ accepted: ['strange', a, a, 7, null], duplicate: [a], rejected: [{ id: 'other' }] }), { accepted: 1, pending: 2 }], // prettier-ignore
    ['B35 an answer of nothing but ids of others settles nothing', () => ({ accepted: ['x'], duplicate: ['__proto__'] }), { accepted: 0, pending: 3 }], // prettier-ignore
    ['B36 without a list nothing is settled', () => ({}), { accepted: 0, pending: 3 }],
    ['B36 lists that are none settle nothing', () => ({ accepted: 'all', duplicate: 3 }), { accepted: 0, pending: 3 }],
    ['B36 an answer that is a list settles nothing', (ids) => ids, { accepted: 0, pending: 3 }],
  ])('%s; the rest is sent again', async (_what, answer, counts) => {
    world.answer = (batch) => decodeAcknowledgement(answer(batch), new Set(batch));
    world.record(3);
    await world.pass(FLUSH_AFTER_MS + TRIP_MS);
    expect(world.reporter.ledger).toMatchObject({ created: 3, ...counts });
    const first = sent();
    world.answer = null;
    await world.pass(120_000);
    expect(world.requests[1]!.events.map(({ id }) => id)).toEqual(first.slice(3 - counts['pending']!));
    expect(world.reporter.ledger.pending).toBe(0);
    expect(imbalanceOf(world.reporter.ledger)).toBe(0);
  });
});

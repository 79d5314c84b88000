import fc from 'fast-check';
import {
  FLUSH_AFTER_MS,
  FLUSH_COUNT,
  LAST_BATCHES,
  MAX_AGE_MS,
  MAX_BATCH_BYTES,
  MAX_BATCH_EVENTS,
  MAX_WAITING,
} from '../../../src/report/limits.js';
import { imbalanceOf, type ReportLedger } from '../../../src/report/ReportLedger.js';
import type { AdFact } from '../../../src/report/AdEvent.js';
import { ReportingWorld, RETRY_AFTER_MS, TRIP_MS, type Fate } from './ReportingWorld.js';

const FATES: readonly Fate[] = ['ok', 'request lost', 'answer lost', 'half', 'nobody named', 'strangers named', 'rejected', '503', '429']; // prettier-ignore

/** A fact of about this many bytes. */
const bigFact = (bytes: number): AdFact => ({ kind: 'error', errorCode: 'x'.repeat(bytes - 150) });

function missing(world: ReportingWorld): number {
  return imbalanceOf(world.reporter.ledger);
}

/** Of two versions of the books that the service is told, the later one has the higher revision. */
function expectNewerVersions({ requests }: ReportingWorld): void {
  const newest = new Map<string, ReportLedger>();
  for (const { ledger } of requests) {
    const known = newest.get(ledger!.outboxId);
    if (known !== undefined && !(ledger!.revision > known.revision)) expect(ledger).toEqual(known);
    newest.set(ledger!.outboxId, ledger!);
  }
}

describe('a report', () => {
  let world: ReportingWorld;

  beforeEach(() => {
    world = new ReportingWorld();
  });

  const batchSizes = () => world.batchSizes;

  it('is sent with others five seconds after the first of them', async () => {
    world.record();
    await world.pass(FLUSH_AFTER_MS - 1);
    world.record(2);
    expect(batchSizes()).toEqual([]);
    await world.pass(1);
    expect(batchSizes()).toEqual([3]);
  });

  it('is sent at once when ten wait, yet never from inside the call that records it', async () => {
    world.record(FLUSH_COUNT);
    expect(batchSizes()).toEqual([]);
    await world.pass(0);
    expect(batchSizes()).toEqual([FLUSH_COUNT]);
  });

  it('is sent at once also when those that make ten are committed together', async () => {
    world.record(FLUSH_COUNT - 1);
    await world.pass(100);
    world.record(3);
    await world.pass(0);
    expect(batchSizes()).toEqual([FLUSH_COUNT + 2]);
  });

  it('carries the fact, an id of its own, the session and the time since it began', async () => {
    world.record(1, { kind: 'loaded', adSurfaceId: 'board', adId: 'a1', serveId: 's1' });
    await world.pass(1_500);
    world.record(1, { kind: 'error', errorCode: 'ad/decode' });
    await world.pass(FLUSH_AFTER_MS);
    const events = world.requests[0]?.events ?? [];
    expect(events).toMatchObject([
      { kind: 'loaded', adSurfaceId: 'board', adId: 'a1', serveId: 's1', time: 0 },
      { kind: 'error', errorCode: 'ad/decode', time: 1_500 },
    ]);
    expect(new Set(events.flatMap(({ id, sessionId }) => [id, sessionId])).size).toBe(3);
  });

  it('is the same to the byte however often it is sent', async () => {
    world.fates.push('answer lost', 'request lost', 'answer lost');
    world.record(3);
    await world.pass(600_000);
    expect(world.requests).toHaveLength(4);
    expect([...world.service.seen.values()].map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(world.reporter.ledger).toMatchObject({ accepted: 0, duplicate: 3, pending: 0 });
  });

  it('travels in batches of at most twenty events and 48 KiB, one batch at a time', async () => {
    world.record(25);
    world.record(30, bigFact(4_000));
    for (let bytes = 2_500; bytes < 4_000; bytes += 13) world.record(1, bigFact(bytes));
    await world.pass(60_000);
    for (const { events, ...envelope } of world.requests) {
      expect(events.length).toBeLessThanOrEqual(MAX_BATCH_EVENTS);
      expect(Buffer.byteLength(JSON.stringify({ events, ...envelope }))).toBeLessThanOrEqual(MAX_BATCH_BYTES);
    }
    expect(Math.max(...batchSizes())).toBe(MAX_BATCH_EVENTS);
    expect(world.mostAtOnce).toBe(1);
    expect(world.counted.size).toBe(171);
  });

  it('leaves nothing running once it is answered for', async () => {
    world.record(3);
    await world.pass(FLUSH_AFTER_MS + TRIP_MS);
    expect(world.runningTimers).toBe(0);
    await world.pass(3_600_000);
    expect(world.requests).toHaveLength(1);
    // Nor the time of the first, when those that follow make it due at once.
    world.record();
    await world.pass(0);
    world.record(FLUSH_COUNT);
    await world.pass(TRIP_MS);
    expect([world.requests.length, world.runningTimers]).toEqual([2, 0]);
  });

  it.each<[Fate, number]>([
    ['nobody named', 2],
    ['half', 2],
    ['strangers named', 1],
  ])('is kept until an answer names it: %s', async (fate, requests) => {
    world.fates.push(fate);
    world.record(4);
    await world.pass(60_000);
    expect(world.requests).toHaveLength(requests);
    expect([...world.counted.values()]).toEqual([1, 1, 1, 1]);
    expect([world.reporter.ledger.pending, missing(world)]).toEqual([0, 0]);
  });

  it('is not sent again when the service rejects it', async () => {
    world.fates.push('rejected');
    world.record(2);
    await world.pass(600_000);
    expect(world.requests).toHaveLength(1);
    expect(world.reporter.ledger).toMatchObject({ rejected: 2, pending: 0 });
  });

  describe('after a failure', () => {
    const gaps = () => world.requests.slice(1).map(({ at }, i) => at - (world.requests[i]?.at ?? 0) - TRIP_MS);

    it('waits a random time below a bound that doubles from one second to one minute', async () => {
      world.randomValue = 0.999_999;
      world.fates.push(...Array<Fate>(8).fill('503'));
      world.record(FLUSH_COUNT);
      await world.pass(600_000);
      const bounds = [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000);
      expect(gaps().map((gap) => Math.round(gap))).toEqual(bounds);
      world.randomValue = 0;
      world.fates.push('503');
      world.record(FLUSH_COUNT);
      await world.pass(1_000);
      expect(gaps().at(-1)).toBe(0);
    });

    it('begins with the short wait again once the service has answered', async () => {
      world.fates.push('503', '503', '503', 'ok', '503');
      world.record(FLUSH_COUNT);
      await world.pass(60_000);
      world.record(FLUSH_COUNT);
      await world.pass(60_000);
      expect(gaps().at(-1)).toBe(500);
    });

    it('waits as long as Retry-After says, flush or not', async () => {
      world.fates.push('429');
      world.record(FLUSH_COUNT);
      await world.pass(TRIP_MS);
      void world.reporter.flush({ timeoutMs: 120_000 });
      await world.pass(RETRY_AFTER_MS - 1);
      expect(world.requests).toHaveLength(1);
      await world.pass(1);
      expect(world.requests).toHaveLength(2);
    });

    it('asks a service that is down for an hour at most 150 times', async () => {
      world.fates.push(...Array<Fate>(1_000).fill('503'));
      for (let minute = 0; minute < 60; minute++) {
        world.record(7);
        await world.pass(60_000);
      }
      expect(world.requests.length).toBeLessThan(150);
    });
  });

  describe('flush', () => {
    it.each([
      ['on disk', {}],
      ['in memory', { disk: null }],
    ])('waits for what was recorded right before, %s', async (_where, parts) => {
      world = new ReportingWorld(parts);
      world.record();
      const flushed = world.reporter.flush();
      await world.pass(TRIP_MS);
      expect([await flushed, world.counted.size]).toEqual([true, 1]);
    });

    it('sends at once and resolves to true when nothing waits any more', async () => {
      world.record(3);
      const flushed = world.reporter.flush();
      await world.pass(0);
      expect(batchSizes()).toEqual([3]);
      await world.pass(TRIP_MS);
      expect(await flushed).toBe(true);
      expect(await world.reporter.flush()).toBe(true);
      expect(world.runningTimers).toBe(0);
    });

    it('sends every batch, and what is recorded meanwhile', async () => {
      world.record(45);
      const flushed = world.reporter.flush();
      await world.pass(TRIP_MS / 2);
      world.record();
      await world.pass(3 * TRIP_MS);
      expect([await flushed, world.counted.size]).toEqual([true, 46]);
    });

    it('does not wait out our own pause', async () => {
      world.randomValue = 0.9;
      world.fates.push('503', '503', '503', '503', '503', '503');
      world.record(FLUSH_COUNT);
      await world.pass(30_000);
      const before = world.requests.length;
      void world.reporter.flush();
      await world.pass(0);
      expect(world.requests).toHaveLength(before + 1);
    });

    it('resolves to false when its time is over, and the report is kept', async () => {
      world.fates.push('never');
      world.record(2);
      const flushed = world.reporter.flush({ timeoutMs: 300 });
      await world.pass(300);
      expect([await flushed, world.reporter.ledger.pending]).toEqual([false, 2]);
    });
  });

  describe('that cannot be kept is entered in the ledger:', () => {
    it.each([
      ['on disk', {}],
      ['in memory', { disk: null }],
    ])('the oldest beyond a thousand, but none that was sent and may be counted already, %s', async (_where, parts) => {
      world = new ReportingWorld(parts);
      world.fates.push('answer lost');
      world.record(FLUSH_COUNT);
      await world.pass(TRIP_MS);
      for (const count of [MAX_WAITING, 5]) {
        world.record(count);
        await world.pass(0);
      }
      expect(world.reporter.ledger).toMatchObject({ pending: MAX_WAITING, dropped: { overflow: FLUSH_COUNT + 5 } });
      await world.pass(60_000);
      expect(world.counted.size).toBe(MAX_WAITING);
      expect(world.reporter.ledger).toMatchObject({ accepted: MAX_WAITING - FLUSH_COUNT, duplicate: FLUSH_COUNT });
      expect([...world.counted.keys()].slice(0, FLUSH_COUNT)).toEqual(world.requests[0]?.events.map(({ id }) => id));
      expect(missing(world)).toBe(0);
    });

    it('none that is about to be sent, while it is written down that it is', async () => {
      world.record();
      await world.pass(0);
      void world.reporter.flush();
      world.record(MAX_WAITING);
      await world.pass(60_000);
      const { accepted, dropped } = world.reporter.ledger;
      expect([accepted, world.counted.size, dropped.overflow]).toEqual([MAX_WAITING, MAX_WAITING, 1]);
    });

    it('one of more than 4 KiB', async () => {
      world.record(1, { kind: 'error', errorCode: '' });
      await world.pass(60_000);
      const empty = JSON.stringify(world.requests[0]!.events[0]).length;
      world = new ReportingWorld();
      for (const size of [4_096, 4_097]) world.record(1, { kind: 'error', errorCode: 'e'.repeat(size - empty) });
      await world.pass(60_000);
      expect(world.batchSizes).toEqual([1]);
      expect(world.reporter.ledger).toMatchObject({ created: 2, dropped: { tooLarge: 1 } });

      world = new ReportingWorld();
      world.record(1, bigFact(5_000));
      world.record(1, { kind: 'error', errorCode: 'ü'.repeat(2_040) });
      await world.pass(60_000);
      expect(world.requests).toEqual([]);
      expect(world.reporter.ledger).toMatchObject({ created: 2, dropped: { tooLarge: 2 } });
    });

    it('one that may be counted and is older than the service is sure to know ids', async () => {
      world.randomValue = 0.999;
      world.fates.push(...Array<Fate>(6_000).fill('answer lost'));
      world.record(3);
      await world.pass(MAX_AGE_MS / 2);
      world.record(2);
      await world.pass(MAX_AGE_MS / 2 + 120_000);
      expect(world.reporter.ledger).toMatchObject({ pending: 2, dropped: { tooOld: 3 } });
    });

    it.each<[was: string, fate: Fate, isOnline?: boolean]>([
      ['its answer was lost', 'answer lost'],
      ['its answer was lost, and the device said wrongly that it is offline', 'answer lost', false],
      ['its answer names nobody', 'nobody named'],
      ['the service says it timed out, which something before it may say too', 408],
      ['the service failed in the middle of it', 500],
      ['a gateway says 503 and names no pause, as the service itself would', 503],
      ['a gateway lost the client meanwhile', 499],
      ['a balancer lost the client meanwhile', 460],
      ['a gateway had it too early', 425],
      ['the device has lost the network since it was sent', 'offline'],
    ])(
      'F39 one that may be counted already, for %s, when the device has slept until the service may have forgotten its id',
      async (_was, fate, isOnline = true) => {
        world.isOnline = isOnline;
        world.fates.push(fate);
        world.record(3);
        await world.pass(FLUSH_AFTER_MS + TRIP_MS);
        world.record(2);
        // Asleep: the monotonic clock stands still.
        world.wallOffset += MAX_AGE_MS;
        await world.pass(600_000);
        expect(world.requests).toHaveLength(2);
        expect(world.reporter.ledger).toMatchObject({ accepted: 2, pending: 0, dropped: { tooOld: 3 } });
      },
    );

    it.each<[why: string, fate: Fate, isOnline?: boolean]>([
      ['the game is not set up to send', 'not set up'],
      ['the service does not know such requests', 501],
      ['the service lets nobody in', 403],
      ['the service asked for a pause', '503'],
      ['the device was offline', 'offline', false],
    ])('F39 none that cannot have been counted, since %s, however long the device has slept', async (_why, fate, isOnline = true) => {
      world.isOnline = isOnline;
      world.fates.push(fate);
      world.record(3);
      await world.pass(FLUSH_AFTER_MS + TRIP_MS);
      world.wallOffset += MAX_AGE_MS;
      await world.pass(600_000);
      expect(world.requests).toHaveLength(2);
      expect(world.reporter.ledger).toMatchObject({ accepted: 3, pending: 0, dropped: { tooOld: 0 } });
    }); // prettier-ignore

    it('none that is on its way, however old: its answer decides', async () => {
      world.fates.push('answer lost');
      world.usualFate = () => 'never';
      world.record(3);
      await world.pass(MAX_AGE_MS);
      world.reporter.pageHidden();
      await world.pass(0);
      expect(world.requests).toHaveLength(2);
      expect(world.reporter.ledger).toMatchObject({ pending: 3, dropped: { tooOld: 0 } });
    });
  });

  it('F37 is sent though the wall clock was set a day ahead, when it cannot have been counted before', async () => {
    world.fates.push('503');
    world.record(2);
    await world.pass(FLUSH_AFTER_MS + TRIP_MS);
    world.record(2);
    world.wallOffset += 24 * 3_600_000;
    await world.pass(600_000);
    expect(world.reporter.ledger).toMatchObject({ accepted: 4, pending: 0 });
  });

  it('F37 is sent again though the wall clock was set a day back', async () => {
    world.fates.push('answer lost');
    world.record(2);
    await world.pass(FLUSH_AFTER_MS + TRIP_MS);
    world.wallOffset -= 24 * 3_600_000;
    await world.pass(600_000);
    expect(world.reporter.ledger).toMatchObject({ duplicate: 2, pending: 0 });
  });

  describe('at the end of the game', () => {
    it('is sent one last time, and nothing is left running', async () => {
      world.record(25);
      world.reporter.destroy();
      expect(batchSizes()).toEqual([20, 5]);
      await world.pass(TRIP_MS);
      expect(world.reporter.ledger).toMatchObject({ accepted: 25, pending: 0 });
      expect(world.runningTimers).toBe(0);
    });

    it('is not tried again, and stays pending in the ledger when that fails', async () => {
      world.fates.push('request lost');
      world.record(2);
      world.reporter.destroy();
      await world.pass(3_600_000);
      expect([world.requests.length, world.reporter.ledger.pending]).toEqual([1, 2]);
    });

    it('floods no service: a few batches, and none during a pause it asked for', async () => {
      world.record(500);
      world.reporter.destroy();
      expect(world.requests).toHaveLength(LAST_BATCHES);

      const paused = new ReportingWorld();
      paused.fates.push('429');
      paused.record(FLUSH_COUNT);
      await paused.pass(TRIP_MS);
      paused.record();
      paused.reporter.destroy();
      await paused.pass(0);
      expect(paused.requests).toHaveLength(1);
      expect(paused.runningTimers).toBe(0);

      const blocked = new ReportingWorld();
      blocked.usualFate = () => 'unexplained';
      blocked.record(FLUSH_COUNT);
      await blocked.pass(60_000);
      expect(blocked.reporter.isBlocked).toBe(true);
      const { length } = blocked.requests;
      blocked.reporter.destroy();
      expect(blocked.requests).toHaveLength(length);
    });

    it('is not sent once more when it may be counted already and its id may be forgotten', async () => {
      world.fates.push('answer lost');
      world.record(3);
      await world.pass(FLUSH_AFTER_MS + TRIP_MS);
      world.wallOffset += MAX_AGE_MS;
      world.reporter.destroy();
      await world.pass(TRIP_MS);
      expect(world.requests).toHaveLength(1);
      expect(world.reporter.ledger).toMatchObject({ pending: 0, dropped: { tooOld: 3 } });
    });

    it('waits for the next page when the browser does not send the copy that was on its way', async () => {
      world.usualFate = () => 'unexplained';
      world.record(8);
      world.reporter.pageHidden();
      await world.pass(0);
      world.reporter.destroy();
      await world.pass(10 * TRIP_MS);
      expect([world.requests.length, world.reporter.ledger.pending, world.runningTimers]).toEqual([1, 8, 0]);
    });

    it('hears of nothing more: whatever becomes of the page, nothing is sent, looked for or left running', async () => {
      world.fates.push('request lost');
      world.record(2);
      const looked: string[] = [];
      world.reporter.destroy();
      await world.pass(TRIP_MS);
      for (const call of ['pageHidden', 'pageLeaving', 'pageShown', 'networkIsBack', 'destroy'] as const) {
        world.reporter[call]();
        await world.pass(60_000);
        if (world.requests.length > 1 || world.runningTimers > 0) looked.push(call);
      }
      expect([looked, await world.reporter.flush()]).toEqual([[], false]);
      expect(world.reporter.ledger.pending).toBe(2);

      const done = new ReportingWorld();
      done.record();
      await done.pass(FLUSH_AFTER_MS + TRIP_MS);
      done.reporter.destroy();
      expect(await done.reporter.flush()).toBe(true);
    });

    it('is not sent twice when it is on its way already; what comes later is not recorded', async () => {
      world.record(FLUSH_COUNT);
      await world.pass(0);
      const flushed = world.reporter.flush();
      world.reporter.destroy();
      world.reporter.destroy();
      world.record();
      await world.pass(TRIP_MS);
      expect(world.requests).toHaveLength(1);
      expect(await flushed).toBe(false);
      expect(world.reporter.ledger).toMatchObject({ created: FLUSH_COUNT, accepted: FLUSH_COUNT });
    });
  });

  it('is counted once and accounted for, whatever is lost on the way', async () => {
    const step = fc.oneof(
      fc.record({ record: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ burst: fc.integer({ min: 900, max: 1_100 }) }),
      fc.record({ pass: fc.integer({ min: 0, max: 90_000 }) }),
      fc.record({ large: fc.constant(true) }),
      fc.record({ flush: fc.constant(true) }),
    );
    const schedule = fc.record({
      fates: fc.array(fc.constantFrom(...FATES), { maxLength: 60 }),
      steps: fc.array(step, { minLength: 1, maxLength: 25 }),
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(schedule, async ({ fates, steps, random }) => {
        const run = new ReportingWorld();
        run.randomValue = random;
        run.fates.push(...fates);
        for (const one of steps) {
          if ('record' in one) run.record(one.record);
          if ('burst' in one) run.record(one.burst);
          if ('large' in one) run.record(1, bigFact(9_000));
          if ('flush' in one) void run.reporter.flush();
          if ('pass' in one) await run.pass(one.pass);
          expect(missing(run)).toBe(0);
        }
        // The rest of the faults wears off, then everything is told.
        await run.pass(4 * 3_600_000);
        const { created, accepted, duplicate, rejected, pending, dropped } = run.reporter.ledger;
        expect(pending).toBe(0);
        expect(missing(run)).toBe(0);
        expect([...run.counted.values()].every((times) => times === 1)).toBe(true);
        expect(run.counted.size).toBe(accepted + duplicate);
        expect(run.service.rejected.size).toBe(rejected);
        expect(created).toBe(run.counted.size + run.service.rejected.size + dropped.overflow + dropped.tooLarge);
        expectNewerVersions(run);
        expect(run.mostAtOnce).toBeLessThanOrEqual(1);
        expect(run.runningTimers).toBe(0);
        expect(Math.max(0, ...[...run.service.seen.values()].map(({ size }) => size))).toBeLessThanOrEqual(1);
      }),
      { numRuns: process.env['DEEP'] === '1' ? 5_000 : 150 },
    );
  });
});

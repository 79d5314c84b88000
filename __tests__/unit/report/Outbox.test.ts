import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import type { AdEvent, AdFact } from '../../../src/report/AdEvent.js';
import { IndexedDbStore } from '../../../src/report/IndexedDbStore.js';
import {
  BACKOFF_BASE_MS,
  FLUSH_AFTER_MS,
  FLUSH_COUNT,
  LEFT_BEHIND_AFTER_MS,
  LOOK_AGAIN_MS,
  MAX_AGE_MS,
  MAX_BATCH_BYTES,
  MAX_WAITING,
  STORAGE_DEADLINE_MS,
} from '../../../src/report/limits.js';
import { emptyContent, MemoryStore, type MemoryContent, type MemoryTransaction } from './MemoryStore.js';
import { worthOf } from '../../../src/report/outboxRow.js';
import type { OutboxRow, OutboxStore, StoreTransaction } from '../../../src/report/OutboxStore.js';
import { noLocks, type OwnerLocks } from '../../../src/report/OwnerLocks.js';
import { imbalanceOf } from '../../../src/report/ReportLedger.js';
import { CountingService, ReportingWorld, TRIP_MS, WALL_START, type Fate, type WorldParts } from './ReportingWorld.js';
import { SimulatedTime } from './SimulatedTime.js';

const NAME = 'phaser-inview:test';
const HOUR_MS = 3_600_000;

/** Real transactions of fake-indexeddb, counted, so that simulated time waits for them. */
class CountedStore implements OutboxStore {
  busy = 0;
  readonly #store = new IndexedDbStore(NAME);

  get onLost(): (() => void) | null {
    return this.#store.onLost;
  }

  set onLost(listener: (() => void) | null) {
    this.#store.onLost = listener;
  }

  async transact<T>(work: (transaction: StoreTransaction) => Promise<T>, takesPutAtOnce: boolean): Promise<T> {
    this.busy++;
    try {
      return await this.#store.transact(work, takesPutAtOnce);
    } finally {
      this.busy--;
    }
  }

  putAtOnce(rows: readonly OutboxRow[]): void {
    this.#store.putAtOnce(rows);
  }

  renew(): void {
    this.#store.renew();
  }

  close(): void {
    this.#store.close();
  }
}

/** Locks of a browser whose tabs are worlds of a test. */
class TestLocks {
  readonly living = new Set<string>();

  /** Locks of one tab, and how they all come free when the tab dies. Nobody gets a lock that is held, not even its holder. */
  forTab(): OwnerLocks & { die(): void } {
    const held = new Set<string>();
    const hold = (owner: string): (() => void) => {
      if (this.living.has(owner)) return () => undefined;
      held.add(owner);
      this.living.add(owner);
      return () => {
        if (held.delete(owner)) this.living.delete(owner);
      };
    };
    return {
      hold,
      take: (owner) => Promise.resolve(this.living.has(owner) ? 'held' : { release: hold(owner) }),
      die: () => held.forEach((owner) => this.living.delete(owner)),
    };
  }
}

type Tab = ReportingWorld & { die(): void };

/** Several tabs, one after another or at once, on one disk, one service and one clock. */
function startBrowser(kind: 'IndexedDB' | 'memory') {
  const content: MemoryContent = emptyContent();
  const stores: CountedStore[] = [];
  const time = new SimulatedTime(() => stores.some(({ busy }) => busy > 0));
  const service = new CountingService();
  const locks = new TestLocks();
  const openDisk = (): OutboxStore => {
    if (kind === 'memory') return new MemoryStore(content);
    const store = new CountedStore();
    stores.push(store);
    return store;
  };
  const openTab = (parts: Partial<WorldParts> = {}): Tab => {
    const tabLocks = locks.forTab();
    const disk = openDisk();
    const world = new ReportingWorld({ disk, locks: tabLocks, time, service, ...parts });
    return Object.assign(world, {
      die() {
        // A dead page neither sends nor hears an answer, nor writes.
        world.usualFate = () => 'never';
        world.fates.length = 0;
        tabLocks.die();
        disk.onLost = null;
        disk.transact = () => new Promise(() => undefined);
        disk.close();
      },
    });
  };
  return { time, service, content, locks, openTab };
}

async function flushed({ reporter }: Tab, time: SimulatedTime): Promise<boolean> {
  const flush = reporter.flush({ timeoutMs: 20_000 });
  await time.pass(20_000);
  return flush;
}

function expectAllCountedOnce(service: CountingService, count: number): void {
  expect(service.counted.size).toBe(count);
  expect([...service.counted.values()].every((times) => times === 1)).toBe(true);
  expect([...service.seen.values()].every((texts) => texts.size === 1)).toBe(true);
}

beforeEach(() => {
  indexedDB = new IDBFactory();
});

describe.each(['IndexedDB', 'memory'] as const)('an outbox in %s', (kind) => {
  it('announces an event after it is committed, and never before', async () => {
    const { time, openTab } = startBrowser(kind);
    const tab = openTab();
    let isAnnounced = false;
    void tab.reporter.record({ kind: 'click' }).then(() => (isAnnounced = true));
    expect([isAnnounced, tab.reporter.ledger.created]).toEqual([false, 0]);
    await time.pass(0);
    expect([isAnnounced, tab.reporter.ledger.created, tab.reporter.durability]).toEqual([true, 1, 'disk']);
  });

  it('R7: the end of the game waits for what is being written down, and the next page sends it', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const first = openTab();
    first.usualFate = () => '429';
    first.record(1);
    await time.pass(FLUSH_AFTER_MS + TRIP_MS);
    first.record(1);
    await Promise.resolve();
    first.record(1);
    first.reporter.destroy();
    await time.pass(1_000);
    const second = openTab();
    expect(await flushed(second, time)).toBe(true);
    expectAllCountedOnce(service, 3);
  });

  it('F31 F33 hands what a dead page had committed to the next one, which sends the same bytes; counted once', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const first = openTab();
    first.usualFate = () => 'answer lost';
    first.record(10);
    // The page goes while the answer is on its way.
    await time.pass(TRIP_MS / 2);
    first.die();
    await time.pass(TRIP_MS);
    const second = openTab();
    second.record(3);
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 13);
    expect(second.reporter.ledger).toMatchObject({ created: 13, accepted: 3, duplicate: 10, pending: 0 });
    expect(imbalanceOf(second.reporter.ledger)).toBe(0);
  });

  it('F31 is not called empty by a flush before what a page that is gone has left behind is sent', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const first = openTab();
    first.usualFate = () => 'never';
    first.record(12);
    await time.pass(TRIP_MS);
    const second = openTab();
    await time.pass(TRIP_MS);
    // It has looked around already, and found the first alive.
    expect([await flushed(second, time), service.counted.size]).toEqual([true, 0]);
    first.die();
    expect([await flushed(second, time), second.reporter.ledger.pending]).toEqual([true, 0]);
    const third = openTab();
    third.usualFate = () => 'never';
    third.record(3);
    await time.pass(TRIP_MS);
    third.die();
    const fourth = openTab();
    expect([await flushed(fourth, time), fourth.reporter.ledger.pending]).toEqual([true, 0]);
    expectAllCountedOnce(service, 15);
  });

  it('finds what another page has left behind while it plays on and reports', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const [first, second] = [openTab(), openTab()];
    // Whoever looks finds nothing yet.
    await time.pass(TRIP_MS);
    first.usualFate = () => 'never';
    first.record(3);
    await time.pass(LOOK_AGAIN_MS / 2);
    first.die();
    await time.pass(LOOK_AGAIN_MS);
    expect(service.counted.size).toBe(0);
    second.record();
    await time.pass(3 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 4);
  });

  it('F37 F38 sends at once what a page has left whose wall clock was a day ahead', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const ahead = openTab();
    ahead.wallOffset = 86_400_000;
    ahead.usualFate = () => 'never';
    ahead.record(3);
    await time.pass(TRIP_MS);
    ahead.die();
    const heir = openTab();
    // Lost on the way, it is sent again: nobody can have forgotten it yet.
    heir.fates.push('request lost');
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
  });

  it('F31 sends what another page has left as its own: in requests of a size, and as what was kept on disk', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const dead = openTab();
    dead.usualFate = () => 'never';
    dead.record(18, { kind: 'error', errorCode: 'x'.repeat(3_700) });
    await time.pass(TRIP_MS);
    dead.die();
    const heir = openTab();
    await time.pass(4 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 18);
    for (const { events, durability, ledger } of heir.requests) {
      expect(Buffer.byteLength(JSON.stringify({ events }))).toBeLessThanOrEqual(MAX_BATCH_BYTES);
      expect([durability, ledger?.created]).toEqual(['disk', 18]);
    }
  });

  it('R2: F37 F38 what was never sent is never too old by a wall clock: 48 hours behind in one page, right in the next', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const behind = openTab();
    behind.wallOffset = -48 * HOUR_MS;
    behind.isOnline = false;
    behind.usualFate = () => 'offline';
    for (let i = 0; i < 7; i++) {
      behind.record(7, { kind: i % 2 === 0 ? 'click' : 'loaded' });
      await time.pass(20_000);
    }
    behind.die();
    const next = openTab();
    await time.pass(120_000);
    expectAllCountedOnce(service, 49);
    expect(next.reporter.ledger).toMatchObject({ created: 49, accepted: 49, pending: 0, dropped: { tooOld: 0 } });
  });

  it.each<[was: string, fate: Fate, drops: number]>([
    ['may have been counted, its answer lost', 'answer lost', 3],
    ['was under way when the page ended', 'never', 3],
    ['was refused', '503', 0],
    ['was never sent', 'ok', 0],
  ])(
    'R2: what %s is judged by the wall clock of a later page only where it may come twice',
    async (was, fate, drops) => {
      const { time, service, openTab } = startBrowser(kind);
      const first = openTab();
      first.usualFate = () => fate;
      first.record(3);
      await time.pass(was === 'was never sent' ? TRIP_MS : FLUSH_AFTER_MS + 2 * TRIP_MS);
      first.die();
      // Pages in between that do not get to send it pass on what they know.
      const between = openTab({ wallStart: WALL_START + MAX_AGE_MS });
      between.isOnline = false;
      between.usualFate = () => 'offline';
      await time.pass(TRIP_MS);
      between.die();
      const last = openTab({ wallStart: WALL_START + MAX_AGE_MS });
      await time.pass(2 * FLUSH_AFTER_MS);
      expect(last.reporter.ledger.dropped.tooOld).toBe(drops);
      expect(last.reporter.ledger.pending).toBe(0);
      expect(service.counted.size).toBe(fate === 'answer lost' ? 3 : 3 - drops);
    },
  );

  it('R2: what never left, since its page ended before there was a token, waits for the next page, however late', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const short = openTab();
    short.proofMs = Infinity;
    short.record(3);
    await time.pass(FLUSH_AFTER_MS + TRIP_MS);
    short.reporter.pageHidden();
    short.reporter.pageLeaving();
    await time.pass(TRIP_MS);
    short.die();
    const next = openTab({ wallStart: WALL_START + 24 * HOUR_MS });
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
    expect(next.reporter.ledger).toMatchObject({ created: 3, accepted: 3, pending: 0, dropped: { tooOld: 0 } });
  });

  it('R2: what left once there was a token does not come again a day later, though the device was offline before', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const first = openTab();
    first.isOnline = false;
    first.proofMs = TRIP_MS;
    first.usualFate = () => 'answer lost';
    first.record(3);
    await time.pass(FLUSH_AFTER_MS + TRIP_MS / 2);
    first.isOnline = true;
    await time.pass(TRIP_MS);
    first.die();
    await time.pass(TRIP_MS);
    expectAllCountedOnce(service, 3);
    service.forgetIds();
    const next = openTab({ wallStart: WALL_START + 24 * HOUR_MS });
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
    expect(next.reporter.ledger).toMatchObject({ pending: 0, dropped: { tooOld: 3 } });
  });

  it.each<[wrong: string, aheadMs: number, drops: number]>([
    ['48 hours ahead', 48 * HOUR_MS, 3],
    ['ten minutes ahead', HOUR_MS / 6, 0],
  ])(
    'R2: F37 what may have been counted by a page whose clock was %s does not come again when the service may have forgotten it',
    async (_wrong, aheadMs, drops) => {
      const { time, service, openTab } = startBrowser(kind);
      const ahead = openTab({ wallStart: WALL_START + aheadMs });
      ahead.usualFate = () => 'answer lost';
      ahead.record(3);
      await time.pass(FLUSH_AFTER_MS + 2 * TRIP_MS);
      ahead.die();
      // What nobody knows the age of comes a day later, or at once.
      const isDayLater = drops > 0;
      if (isDayLater) service.forgetIds();
      const last = openTab({ wallStart: isDayLater ? WALL_START + 24 * HOUR_MS : WALL_START });
      await time.pass(2 * FLUSH_AFTER_MS);
      expectAllCountedOnce(service, 3);
      expect(last.reporter.ledger).toMatchObject({ duplicate: 3 - drops, pending: 0, dropped: { tooOld: drops } });
    },
  );

  it('R2: F37 what may have been counted by an earlier page ages with the page that waits to send it, though its clock is set back', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const first = openTab();
    first.usualFate = () => 'answer lost';
    first.record(3);
    await time.pass(FLUSH_AFTER_MS + 2 * TRIP_MS);
    first.die();
    const next = openTab({ wallStart: WALL_START + 10 * HOUR_MS });
    next.isOnline = false;
    next.usualFate = () => 'offline';
    await time.pass(FLUSH_AFTER_MS);
    next.wallOffset = -10 * HOUR_MS;
    await time.pass(14 * HOUR_MS);
    service.forgetIds();
    next.isOnline = true;
    next.usualFate = () => 'ok';
    next.reporter.networkIsBack();
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
    expect(next.reporter.ledger).toMatchObject({ duplicate: 0, pending: 0, dropped: { tooOld: 3 } });
  });

  it('R2: whatever the clocks of the pages, what was never sent is counted, once, and everything is accounted for', async () => {
    const page = fc.record({
      clock: fc.constantFrom(0, 0, -48 * HOUR_MS, 48 * HOUR_MS, -30 * 365 * 24 * HOUR_MS),
      jump: fc.constantFrom(0, 0, -30 * HOUR_MS, 30 * HOUR_MS),
      network: fc.constantFrom<Fate>('ok', 'offline', '503', 'answer lost', 'request lost', 'never'),
      count: fc.integer({ min: 0, max: 14 }),
      stays: fc.constantFrom(TRIP_MS, FLUSH_AFTER_MS + TRIP_MS, 40_000),
      isLeft: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 6 }), async (pages) => {
        indexedDB = new IDBFactory();
        const { time, service, openTab } = startBrowser(kind);
        const carried = new Set<string>();
        let recorded = 0;
        for (const { clock, jump, network, count, stays, isLeft } of pages) {
          const tab = openTab();
          tab.wallOffset = clock;
          tab.isOnline = network !== 'offline';
          tab.usualFate = () => network;
          tab.record(count);
          recorded += count;
          await time.pass(stays / 2);
          tab.wallOffset = clock + jump;
          await time.pass(stays / 2);
          if (isLeft) {
            tab.reporter.pageHidden();
            tab.reporter.pageLeaving();
            await time.pass(0);
          }
          // A refusal that is on its way is not heard any more.
          const isOpen = (at: number): boolean => network !== '503' || at + TRIP_MS > time.now;
          const tried = network === 'offline' ? [] : tab.requests.filter(({ at }) => isOpen(at));
          for (const { events } of tried) for (const { id } of events) carried.add(id);
          tab.die();
          await time.pass(TRIP_MS);
        }
        const last = openTab();
        await time.pass(600_000);
        const { created, accepted, duplicate, pending, dropped } = last.reporter.ledger;
        expect([created, pending, imbalanceOf(last.reporter.ledger)]).toEqual([recorded, 0, 0]);
        expect(dropped.tooOld).toBeLessThanOrEqual(carried.size);
        expect(accepted + duplicate + dropped.tooOld).toBe(recorded);
        expect([...service.counted.values()].every((times) => times === 1)).toBe(true);
      }),
      { numRuns: process.env['DEEP'] ? 400 : 40 },
    );
  });

  it('R2: what another page may have brought to the service makes no room for new events', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const first = openTab();
    first.usualFate = () => 'answer lost';
    first.record(FLUSH_COUNT, { kind: 'loaded' });
    await time.pass(TRIP_MS / 2);
    first.die();
    await time.pass(TRIP_MS);
    const second = openTab({ locks: noLocks });
    second.isOnline = false;
    second.usualFate = () => 'offline';
    await time.pass(TRIP_MS);
    second.record(MAX_WAITING);
    await time.pass(TRIP_MS);
    expect(second.reporter.ledger).toMatchObject({ pending: MAX_WAITING, dropped: { overflow: FLUSH_COUNT } });
    second.die();
    const last = openTab();
    await time.pass(600_000);
    const kinds = [...service.seen.values()].map(([text]) => (JSON.parse(text!) as AdFact).kind);
    expect(kinds.filter((one) => one === 'loaded')).toHaveLength(FLUSH_COUNT);
    expect(service.arrivals).toBeGreaterThanOrEqual(MAX_WAITING + FLUSH_COUNT);
    expect(last.reporter.ledger).toMatchObject({
      accepted: MAX_WAITING - FLUSH_COUNT,
      duplicate: FLUSH_COUNT,
      pending: 0,
    });
  });

  it('where no tab can tell whether another lives, takes over what is two minutes old and nothing younger', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const silent = openTab({ locks: noLocks });
    silent.usualFate = () => 'never';
    silent.record(3);
    await time.pass(TRIP_MS);
    const other = openTab({ locks: noLocks });
    await time.pass(LEFT_BEHIND_AFTER_MS - TRIP_MS);
    expect([await flushed(other, time), service.counted.size]).toEqual([true, 3]);
    const young = openTab({ locks: noLocks });
    young.usualFate = () => 'never';
    young.record(3);
    await time.pass(LEFT_BEHIND_AFTER_MS / 2);
    expect([await flushed(other, time), service.counted.size]).toEqual([true, 3]);
  });

  it('F30 gives back what it has taken over when it goes itself', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const dead = openTab();
    dead.usualFate = () => 'never';
    dead.record(3);
    await time.pass(TRIP_MS);
    dead.die();
    const heir = openTab();
    heir.usualFate = () => 'never';
    await time.pass(TRIP_MS);
    heir.reporter.pageLeaving();
    openTab();
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
  });

  it.each<[how: string, go: (tab: Tab) => void]>([
    ['the game ends', ({ reporter }) => reporter.destroy()],
    ['the browser keeps the page without running it', ({ reporter }) => reporter.pageLeaving()],
  ])('R7: takes no place of a page that is gone once %s: other tabs do', async (_how, go) => {
    const { time, service, locks, openTab } = startBrowser(kind);
    const dead = openTab();
    dead.usualFate = () => 'never';
    dead.record(3);
    await time.pass(TRIP_MS);
    dead.die();
    const slow = locks.forTab();
    const heir = openTab({
      locks: { ...slow, take: (owner) => time.wait(3 * TRIP_MS).then(() => slow.take(owner)) },
    });
    await time.pass(TRIP_MS);
    go(heir);
    await time.pass(10 * TRIP_MS);
    expect(locks.living.size).toBe(0);
    openTab();
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
  });

  it('F30 leaves its reports to others while the browser keeps it without running it', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const kept = openTab();
    kept.usualFate = () => 'request lost';
    kept.record(3);
    await time.pass(TRIP_MS);
    kept.reporter.pageHidden();
    kept.reporter.pageLeaving();
    await time.pass(TRIP_MS);
    const other = openTab();
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
    kept.usualFate = () => 'ok';
    kept.reporter.pageShown();
    kept.record();
    await time.pass(2 * LOOK_AGAIN_MS);
    expectAllCountedOnce(service, 4);
    expect(other.reporter.ledger).toMatchObject({ created: 3, pending: 0 });
    expect(kept.reporter.ledger).toMatchObject({ created: 4, pending: 0 });
  });

  it.each<[fate: string, isOnline: boolean]>([
    ['was refused', true],
    ['was never sent', false],
  ])(
    'F30 what another page has brought to the service meanwhile does not come again a day later, though it %s here',
    async (_fate, isOnline) => {
      const { time, service, openTab } = startBrowser(kind);
      const kept = openTab();
      kept.isOnline = isOnline;
      kept.usualFate = () => (isOnline ? 403 : 'offline');
      kept.record(3);
      await time.pass(TRIP_MS);
      kept.reporter.pageHidden();
      kept.reporter.pageLeaving();
      await time.pass(TRIP_MS);
      openTab();
      await time.pass(2 * FLUSH_AFTER_MS);
      expectAllCountedOnce(service, 3);
      kept.reporter.pageShown();
      await time.pass(2 * FLUSH_AFTER_MS);
      // The device sleeps for a day, and the service forgets ids.
      kept.wallOffset += 25 * 3_600_000;
      service.forgetIds();
      kept.usualFate = () => 'ok';
      kept.isOnline = true;
      kept.reporter.networkIsBack();
      await time.pass(2 * LOOK_AGAIN_MS);
      expectAllCountedOnce(service, 3);
      expect(kept.reporter.ledger).toMatchObject({ created: 3, accepted: 3, pending: 0 });
    },
  );

  it('R7: F30 a page that is shown again is alive to the others, who leave its reports to it', async () => {
    const { time, service, locks, openTab } = startBrowser(kind);
    const kept = openTab();
    await time.pass(TRIP_MS);
    expect(locks.living.size).toBe(1);
    for (let times = 0; times < 3; times++) {
      // Another tab was in front of it.
      kept.reporter.pageHidden();
      kept.reporter.pageShown();
      kept.reporter.pageLeaving();
      expect(locks.living.size).toBe(0);
      kept.reporter.pageShown();
      expect(locks.living.size).toBe(1);
    }
    kept.usualFate = () => 'never';
    kept.record(3);
    await time.pass(TRIP_MS);
    openTab();
    await time.pass(2 * LOOK_AGAIN_MS);
    expect(service.counted.size).toBe(0);
  });

  it('R7: F30 what a page leaves that lived on after others had taken its place is found by them, too', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const [first, second] = [openTab(), openTab()];
    const leave = ({ reporter }: Tab): void => reporter.pageLeaving();
    first.usualFate = () => 'request lost';
    first.record(2);
    await time.pass(TRIP_MS);
    leave(first);
    await time.pass(LOOK_AGAIN_MS);
    expect(await flushed(second, time)).toBe(true);
    leave(second);
    first.usualFate = () => 'never';
    first.reporter.pageShown();
    first.record(3);
    await time.pass(TRIP_MS);
    first.die();
    second.reporter.pageShown();
    expect(await flushed(second, time)).toBe(true);
    expectAllCountedOnce(service, 5);
  });

  it('looks for what other pages have left when the network is back, though it has nothing of its own', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const [other, idle] = [openTab(), openTab()];
    await time.pass(TRIP_MS);
    other.usualFate = () => 'never';
    other.record(3);
    await time.pass(LOOK_AGAIN_MS);
    other.die();
    idle.reporter.networkIsBack();
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
  });

  it.each([
    ['does not say in time whether another lives', 'unknown' as const],
    ['has not yet freed the lock of one that is gone', 'held' as const],
  ])('an idle page looks again by itself where the browser %s', async (_, answer) => {
    const { time, service, locks, openTab } = startBrowser(kind);
    const other = openTab();
    other.usualFate = () => 'never';
    other.record(3);
    await time.pass(TRIP_MS);
    other.die();
    const slow = locks.forTab();
    let asked = 0;
    const take: OwnerLocks['take'] = (owner) => (asked++ === 0 ? Promise.resolve(answer) : slow.take(owner));
    openTab({ locks: { hold: slow.hold, take } });
    await time.pass(LOOK_AGAIN_MS + 2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
    // Nothing is left over, so nothing is looked for.
    await time.pass(2 * LOOK_AGAIN_MS);
    expect(time.runningTimers).toBe(0);
  });

  it('a page that ends looks for nothing any more', async () => {
    const { time, openTab } = startBrowser(kind);
    const other = openTab();
    other.usualFate = () => 'never';
    other.record(3);
    await time.pass(2 * FLUSH_AFTER_MS);
    const timersOfOther = time.runningTimers;
    const tab = openTab();
    await time.pass(TRIP_MS);
    expect(time.runningTimers).toBeGreaterThan(timersOfOther);
    // It looks once more before its time.
    expect(await flushed(tab, time)).toBe(true);
    tab.reporter.destroy();
    await time.pass(TRIP_MS);
    expect(time.runningTimers).toBe(timersOfOther);
    // Nor if it ends while it looks.
    openTab().reporter.destroy();
    await time.pass(TRIP_MS);
    expect(time.runningTimers).toBe(timersOfOther);
  });

  it('what a page recorded that came back after its place was taken, and then died, is sent by who has the place', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const [first, second] = [openTab(), openTab()];
    first.usualFate = () => 'request lost';
    first.record(2);
    await time.pass(TRIP_MS);
    first.reporter.pageLeaving();
    await time.pass(LOOK_AGAIN_MS);
    // The second page must not end in between: it holds the place of the first.
    second.record();
    await time.pass(2 * FLUSH_AFTER_MS);
    first.usualFate = () => 'never';
    first.reporter.pageShown();
    first.record(3);
    await time.pass(TRIP_MS);
    first.die();
    await time.pass(LEFT_BEHIND_AFTER_MS);
    second.record();
    await time.pass(LOOK_AGAIN_MS);
    expectAllCountedOnce(service, 7);
  });

  it('F35 loses and doubles nothing when the page is loaded anew ten times a second', async () => {
    const { time, service, openTab } = startBrowser(kind);
    for (let i = 0; i < 50; i++) {
      const tab = openTab();
      tab.record(3);
      await time.pass(50 + i);
      tab.reporter.pageHidden();
      tab.reporter.pageLeaving();
      await time.pass(10);
      tab.die();
    }
    const last = openTab();
    await time.pass(60_000);
    expectAllCountedOnce(service, 150);
    expect(last.reporter.ledger).toMatchObject({ created: 150, pending: 0 });
  });

  it('F46 is emptied by twenty tabs together, each sending its own: counted once, hardly any twice on the wire', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const dead = openTab({});
    dead.usualFate = () => 'never';
    dead.record(30);
    await time.pass(TRIP_MS);
    dead.die();
    const tabs = Array.from({ length: 20 }, () => openTab());
    for (const tab of tabs) tab.record(12);
    await time.pass(60_000);
    expectAllCountedOnce(service, 30 + 20 * 12);
    expect(service.arrivals).toBeLessThanOrEqual(1.2 * 270);
    await tabs[0]!.reporter.record({ kind: 'click' });
    expect(tabs[0]!.reporter.ledger).toMatchObject({ created: 271, pending: 1 });
  });

  it('F69 is shared by two games of a page, each with a session of its own', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const [one, two] = [openTab(), openTab()];
    one.record(2);
    two.record(2);
    await time.pass(2 * FLUSH_AFTER_MS);
    const sessions = [...service.seen.values()].map(([text]) => (JSON.parse(text!) as { sessionId: string }).sessionId);
    expect(new Set(sessions).size).toBe(2);
    expectAllCountedOnce(service, 4);
    two.record();
    await time.pass(0);
    expect(two.reporter.ledger).toMatchObject({ created: 5, pending: 1 });
  });

  it('gives back the room of what is answered for, however much goes through it', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const tab = openTab();
    for (let i = 0; i < 4; i++) {
      tab.record(100, { kind: 'error', errorCode: 'x'.repeat(3_700) });
      await time.pass(60_000);
    }
    expectAllCountedOnce(service, 400);
    expect(tab.reporter.ledger).toMatchObject({ created: 400, accepted: 400, dropped: { overflow: 0 } });
  });

  it('keeps the more valuable when there is no room for all, and says how many it has dropped', async () => {
    const { time, service, openTab } = startBrowser(kind);
    const tab = openTab();
    tab.isOnline = false;
    tab.usualFate = () => 'offline';
    const seen = { percentageInView: 1, visibleArea: 1, totalArea: 1, screenCoveragePercentage: 1, reasons: [], blockerCount: 0 }; // prettier-ignore
    tab.record(3, { kind: 'visible', ...seen });
    await time.pass(0);
    tab.record(3, { kind: 'impression', ...seen });
    tab.record(3, { kind: 'loaded' });
    await time.pass(0);
    expect(tab.reporter.ledger).toMatchObject({ pending: 9, dropped: { overflow: 0 } });
    tab.record(MAX_WAITING - 4);
    await time.pass(1_000);
    expect(tab.reporter.ledger).toMatchObject({ created: MAX_WAITING + 5, pending: MAX_WAITING });
    tab.usualFate = () => 'ok';
    tab.reporter.networkIsBack();
    await time.pass(300_000);
    const kinds = [...service.seen.values()].map(([text]) => (JSON.parse(text!) as AdFact).kind);
    const countOf = (kind: string): number => kinds.filter((one) => one === kind).length;
    expect(['visible', 'loaded', 'impression', 'click'].map(countOf)).toEqual([0, 1, 3, MAX_WAITING - 4]);
    expect(tab.reporter.ledger).toMatchObject({ pending: 0, dropped: { overflow: 5 } });
    expect(imbalanceOf(tab.reporter.ledger)).toBe(0);
  });
});

it('a page whose game has ended is never alive to others again, though it is shown again', async () => {
  const locks = new TestLocks();
  const world = new ReportingWorld({ locks: locks.forTab() });
  world.record(1);
  await world.pass(TRIP_MS);
  expect(locks.living.size).toBe(1);
  world.reporter.destroy();
  await world.pass(10 * TRIP_MS);
  world.reporter.pageShown();
  await world.pass(TRIP_MS);
  expect(locks.living.size).toBe(0);
});

describe('damaged storage', () => {
  const openRaw = (): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(`${NAME}:outbox-2`);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(new Error('The database does not open'));
    });

  async function spoil(change: (transaction: IDBTransaction) => void): Promise<void> {
    const database = await openRaw();
    await new Promise<void>((resolve) => {
      const transaction = database.transaction(['events', 'state'], 'readwrite');
      change(transaction);
      transaction.oncomplete = () => resolve();
    });
    database.close();
  }

  it('F43 damaged rows are entered as corrupt and removed, the others are sent', async () => {
    const { time, service, openTab } = startBrowser('IndexedDB');
    const first = openTab();
    first.usualFate = () => 'never';
    first.record(7);
    await time.pass(10);
    first.die();
    await spoil((transaction) => {
      const store = transaction.objectStore('events');
      store.getAll().onsuccess = (event) => {
        const rows = (event.target as IDBRequest<Record<string, unknown>[]>).result;
        store.put({ ...rows[0], json: '{"id":' });
        store.put({ ...rows[1], json: 7, bytes: 'many' });
        store.put({ id: 'unknown', form: 9, whatever: [1, 2, 3] });
        store.put({ ...rows[2], owner: 5 });
        // Sound, but another event: it would be settled under a name it does not have.
        store.put({ ...rows[3], json: String(rows[3]!['json']).replace(String(rows[3]!['id']), crypto.randomUUID()) });
      };
    });
    const second = openTab();
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
    expect(second.reporter.ledger).toMatchObject({
      created: 8,
      accepted: 3,
      pending: 0,
      dropped: { corrupt: 5, storageLost: 0 },
    });
    expect(imbalanceOf(second.reporter.ledger)).toBe(0);
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['text', 'x'],
    ['out of balance', { generation: 'g', bytes: 0, ledger: { outboxId: 'o', revision: 1, created: 9, accepted: 1, duplicate: 0, rejected: 0, pending: 0, dropped: { overflow: 0, tooOld: 0, tooLarge: 0, corrupt: 0, storageLost: 0 } } }], // prettier-ignore
  ])('F43 books that are %s are begun anew over the rows that are there', async (_, state) => {
    const { time, service, openTab } = startBrowser('IndexedDB');
    const first = openTab();
    first.usualFate = () => 'never';
    first.record(4);
    await time.pass(10);
    first.die();
    await spoil((transaction) => {
      const store = transaction.objectStore('state');
      if (state === undefined) store.clear();
      else store.put(state, 'books');
    });
    const second = openTab();
    await time.pass(2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 4);
    expect(second.reporter.ledger).toMatchObject({ created: 4, accepted: 4, pending: 0 });
  });

  it('rows that are gone while their ledger is there are entered as lost', async () => {
    const { time, openTab } = startBrowser('IndexedDB');
    const first = openTab();
    first.usualFate = () => 'never';
    first.record(4);
    await time.pass(10);
    first.die();
    await spoil((transaction) => transaction.objectStore('events').clear());
    const second = openTab();
    second.record(1);
    await time.pass(2 * FLUSH_AFTER_MS);
    expect(second.reporter.ledger).toMatchObject({ created: 5, accepted: 1, pending: 0, dropped: { storageLost: 4 } });
  });

  it('F44 storage cleared under a running page gets back what that page knows; the rest is entered as lost', async () => {
    const { time, service, openTab } = startBrowser('IndexedDB');
    const dead = openTab();
    dead.usualFate = () => 'never';
    dead.record(3);
    await time.pass(10);
    const tab = openTab();
    tab.usualFate = () => 'offline';
    tab.record(5);
    await time.pass(10);
    // Nobody knows the rows of a page that is gone.
    dead.die();
    await new Promise<void>((resolve) => {
      indexedDB.deleteDatabase(`${NAME}:outbox-2`).onsuccess = () => resolve();
    });
    await time.pass(10);
    expect([tab.reporter.durability, tab.reporter.ledger.pending]).toEqual(['disk', 5]);
    tab.record(2);
    tab.usualFate = () => 'ok';
    await time.pass(60_000);
    expectAllCountedOnce(service, 7);
    expect(tab.reporter.ledger).toMatchObject({ created: 10, accepted: 7, pending: 0, dropped: { storageLost: 3 } });
    expect(imbalanceOf(tab.reporter.ledger)).toBe(0);
  });

  it('F44 storage cleared under two living pages gets back what both know, and what one gave up as lost is found', async () => {
    const { time, service, openTab } = startBrowser('IndexedDB');
    const tabs = [openTab(), openTab()];
    for (const tab of tabs) {
      tab.usualFate = () => 'offline';
      tab.record(1);
      await time.pass(10);
    }
    // The one that will be told first knows the books least well.
    for (let i = 0; i < 6; i++) await tabs[1]!.reporter.record({ kind: 'click' });
    await time.pass(FLUSH_AFTER_MS + TRIP_MS);
    await new Promise<void>((resolve) => {
      indexedDB.deleteDatabase(`${NAME}:outbox-2`).onsuccess = () => resolve();
    });
    await time.pass(10);
    for (const tab of tabs) {
      tab.usualFate = () => 'ok';
      tab.reporter.networkIsBack();
    }
    await time.pass(60_000);
    expectAllCountedOnce(service, 8);
    await tabs[0]!.reporter.record({ kind: 'click' });
    expect(tabs[0]!.reporter.ledger).toMatchObject({
      created: 9,
      accepted: 8,
      pending: 1,
      dropped: { storageLost: 0 },
    });
  });
});

describe('a connection to the storage that is dead though a new one works', () => {
  const gone = (): DOMException => new DOMException('Connection to Indexed Database server lost', 'UnknownError');

  /** From now on requests on connections that are open fail, as WebKit has it; those opened later work. */
  function lose(how: 'every request' | 'some requests'): void {
    const dead = new Set<IDBDatabase>();
    const transactionOf = IDBDatabase.prototype.transaction;
    const open = IDBFactory.prototype.open;
    const opened = new WeakSet<IDBDatabase>();
    IDBFactory.prototype.open = function (this: IDBFactory, ...args: Parameters<typeof open>) {
      const request = open.apply(this, args);
      request.addEventListener('success', () => opened.add(request.result));
      return request;
    };
    IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<typeof transactionOf>) {
      if (!opened.has(this)) dead.add(this);
      const transaction = transactionOf.apply(this, args);
      if (!dead.has(this)) return transaction;
      if (how === 'every request') throw gone();
      transaction.abort();
      return transaction;
    };
    restore = () => {
      IDBDatabase.prototype.transaction = transactionOf;
      IDBFactory.prototype.open = open;
    };
  }

  let restore = (): void => undefined;
  afterEach(() => restore());

  it.each(['every request', 'some requests'] as const)(
    'S5: is opened anew when %s fails; nothing is lost or doubled',
    async (how) => {
      const { time, service, openTab } = startBrowser('IndexedDB');
      const tab = openTab();
      tab.record(3);
      await time.pass(TRIP_MS);
      lose(how);
      tab.record(4);
      await time.pass(TRIP_MS);
      expect([tab.reporter.durability, tab.reporter.ledger.pending]).toEqual(['disk', 7]);
      tab.record(5);
      await time.pass(2 * FLUSH_AFTER_MS);
      expectAllCountedOnce(service, 12);
      expect(tab.reporter.ledger).toMatchObject({ created: 12, accepted: 12, pending: 0 });
      expect(tab.reporter.durability).toBe('disk');
    },
  );
});

describe('storage that does not work', () => {
  type Trouble = (task: () => Promise<unknown>) => Promise<never> | Promise<unknown>;

  /** A disk whose transactions go through `trouble`. */
  class TroubledStore extends MemoryStore {
    trouble: Trouble | null = null;

    override transact<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
      const task = (): Promise<T> => super.transact(work);
      return this.trouble === null ? task() : (this.trouble(task) as Promise<T>);
    }
  }

  /** A disk that takes so many bytes of rows and no more. */
  class SmallStore extends MemoryStore {
    room = Infinity;
    size = 0;

    protected override async commit(transaction: MemoryTransaction): Promise<void> {
      const rows = (await transaction.all()).map(({ value }) => value as OutboxRow);
      const size = rows.reduce((sum, { bytes }) => sum + bytes, 0);
      if (size > Math.max(this.room, this.size)) throw new DOMException('Full', 'QuotaExceededError');
      this.size = size;
      transaction.apply();
    }
  }

  const denied: Trouble = () => Promise.reject(new DOMException('The operation is insecure', 'SecurityError'));
  const full: Trouble = () => Promise.reject(new DOMException('Full', 'QuotaExceededError'));
  const hanging: Trouble = () => new Promise<never>(() => undefined);

  let disk: TroubledStore;
  let world: ReportingWorld;

  function start(trouble: Trouble | null, content?: MemoryContent): void {
    disk = new TroubledStore(content);
    disk.trouble = trouble;
    world = new ReportingWorld({ disk });
  }

  it('F40 F45 denied storage is replaced by memory at once, and that is said', async () => {
    for (const store of [null, denied]) {
      if (store === null) world = new ReportingWorld({ disk: null });
      else start(store);
      world.record(3);
      await world.pass(0);
      expect([world.reporter.durability, world.reporter.ledger.pending]).toEqual(['memory', 3]);
      await world.pass(FLUSH_AFTER_MS + TRIP_MS);
      expect(world.requests).toMatchObject([{ durability: 'memory', ledger: { created: 3 } }]);
      expect(world.reporter.ledger).toMatchObject({ accepted: 3, pending: 0 });
      for (const happens of ['pageHidden', 'pageLeaving', 'pageShown', 'networkIsBack'] as const)
        world.reporter[happens]();
      world.record(2);
      world.reporter.destroy();
      await world.pass(TRIP_MS);
      expect(world.reporter.ledger).toMatchObject({ accepted: 5, pending: 0 });
      expect(new Set(world.requests.map(({ durability }) => durability))).toEqual(new Set(['memory']));
      expect(world.runningTimers).toBe(0);
    }
  });

  it('F41 storage that never opens is given up after two seconds; nothing hangs', async () => {
    start(hanging);
    let isAnnounced = false;
    void world.reporter.record({ kind: 'click' }).then(() => (isAnnounced = true));
    await world.pass(STORAGE_DEADLINE_MS - 1);
    expect(isAnnounced).toBe(false);
    await world.pass(1);
    expect([isAnnounced, world.reporter.durability]).toEqual([true, 'memory']);
  });

  it('F41 a flush waits for no disk that hangs: what is in memory goes at once', async () => {
    start(hanging);
    world.record(2);
    await world.pass(STORAGE_DEADLINE_MS);
    const flushed = world.reporter.flush();
    await world.pass(TRIP_MS);
    expect(world.batchSizes).toEqual([2]);
    await world.pass(STORAGE_DEADLINE_MS);
    expect(await flushed).toBe(true);
  });

  /** Three events are in memory, and the disk opens when it is told to. */
  async function startLate(content = emptyContent()) {
    let open!: () => void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    start((task) => opened.then(task), content);
    world.usualFate = () => 'offline';
    world.record(3, { kind: 'loaded' });
    await world.pass(STORAGE_DEADLINE_MS);
    return { open, content };
  }

  it('F41 storage that opens late takes over what is in memory', async () => {
    const { open, content } = await startLate();
    expect(world.reporter.durability).toBe('memory');
    open();
    disk.trouble = null;
    await world.pass(10);
    expect([world.reporter.durability, content.rows.size]).toEqual(['disk', 3]);
    expect(world.reporter.ledger).toMatchObject({ created: 3, pending: 3 });
    world.usualFate = () => 'ok';
    await world.pass(120_000);
    expect(world.reporter.ledger).toMatchObject({ created: 3, accepted: 3, pending: 0 });
    expect(world.requests.at(-1)).toMatchObject({ durability: 'disk', ledger: { created: 3, pending: 3 } });
    expect(content.rows.size).toBe(0);
  });

  it('F41 storage that opens late is named only once what was in memory is there', async () => {
    const { open, content } = await startLate();
    disk.trouble = (task) => world.time.wait(TRIP_MS).then(task);
    open();
    await world.pass(TRIP_MS / 2);
    expect([world.reporter.durability, content.rows.size]).toEqual(['memory', 0]);
    // What comes now goes to the disk, by whose books it is told of.
    world.record(1);
    world.requests.length = 0;
    world.reporter.pageHidden();
    await world.pass(0);
    expect(world.requests.map(({ durability, events }) => [durability, events.length])).toContainEqual(['disk', 1]);
    world.reporter.pageShown();
    await world.pass(10 * TRIP_MS);
    expect([world.reporter.durability, content.rows.size]).toEqual(['disk', 4]);
  });

  it('F41 what is given up while it moves from memory to the disk is gone from both', async () => {
    const { open, content } = await startLate();
    world.usualFate = () => 'answer lost';
    await world.pass(FLUSH_AFTER_MS - STORAGE_DEADLINE_MS + TRIP_MS);
    disk.trouble = (task) => world.time.wait(3 * TRIP_MS).then(task);
    open();
    await world.pass(TRIP_MS);
    world.wallOffset += MAX_AGE_MS;
    // A page that is hidden waits for nothing.
    world.reporter.pageHidden();
    await world.pass(20 * TRIP_MS);
    const flushed = world.reporter.flush();
    await world.pass(FLUSH_AFTER_MS);
    expect([await flushed, world.requests.length, content.rows.size]).toEqual([true, 1, 0]);
    expect(world.reporter.ledger).toMatchObject({ created: 3, pending: 0, dropped: { tooOld: 3 } });
  });

  it('F41 what finds no room on a disk that opens late is dropped, and not sent', async () => {
    const content = emptyContent();
    const other = new ReportingWorld({ disk: new MemoryStore(content) });
    other.record(MAX_WAITING);
    await other.pass(0);
    const { open } = await startLate(content);
    world.usualFate = () => 'ok';
    open();
    await world.pass(2 * FLUSH_AFTER_MS);
    expect(world.reporter.ledger).toMatchObject({ pending: MAX_WAITING, dropped: { overflow: 3 } });
    expect(world.requests).toEqual([]);
  });

  it('F41 storage that begins to hang in mid-session gives way to memory, and what it had is sent all the same', async () => {
    start(null);
    world.record(2);
    await world.pass(0);
    disk.trouble = hanging;
    world.record(2);
    await world.pass(STORAGE_DEADLINE_MS);
    expect(world.reporter.durability).toBe('memory');
    await world.pass(60_000);
    expectAllCountedOnce(world.service, 4);
    // What the service is told of where events were kept, and by which books, is true of all of a request.
    expect(world.requests).toMatchObject([{ durability: 'disk' }, { durability: 'memory' }]);
    expect(world.batchSizes).toEqual([2, 2]);
  });

  it.each<[when: string, calls: number, isDone: boolean]>([
    ['the first look', 1, true],
    ['the look for owners', 2, true],
    ['the take-over, which is done after all', 3, true],
    ['the take-over, which is never done', 3, false],
  ])('what a dead page left is sent by an idle one though the disk was too slow at %s', async (_, slowCall, isDone) => {
    const content = emptyContent();
    const locks = new TestLocks();
    const time = new SimulatedTime(() => false);
    const service = new CountingService();
    const gone = new ReportingWorld({ disk: new MemoryStore(content), locks: locks.forTab(), time, service });
    gone.usualFate = () => 'never';
    gone.record(3);
    await time.pass(TRIP_MS);
    locks.living.clear();
    disk = new TroubledStore(content);
    let calls = 0;
    disk.trouble = (task) => {
      if (++calls !== slowCall) return task();
      return isDone ? time.wait(2 * STORAGE_DEADLINE_MS).then(task) : hanging(task);
    };
    disk.renew = () => undefined;
    world = new ReportingWorld({ disk, locks: locks.forTab(), time, service });
    await time.pass(2 * LOOK_AGAIN_MS + 2 * FLUSH_AFTER_MS);
    expectAllCountedOnce(service, 3);
    expect([world.reporter.durability, world.reporter.ledger.pending]).toEqual(['disk', 0]);
  });

  it('R2: that events are sent is on disk before they are sent', async () => {
    const content = emptyContent();
    start(null, content);
    const marks: unknown[] = [];
    world.usualFate = ({ events }) => {
      for (const { id } of events) marks.push((content.rows.get(id) as OutboxRow).wasSent);
      return 'ok';
    };
    disk.trouble = (task) => world.time.wait(10).then(task);
    world.record(3);
    await world.pass(2 * FLUSH_AFTER_MS);
    expect(marks).toEqual([true, true, true]);
  });

  it.each([
    ['at hand', 0, [[true]]],
    ['to be waited for', TRIP_MS, [[false], [true]]],
  ])(
    'R2: a page that goes with a token %s puts what leaves on disk in one go, as sent once it leaves',
    async (_token, proofMs, puts) => {
      start(null);
      await world.pass(0);
      world.proofMs = proofMs;
      const put = jest.spyOn(disk, 'putAtOnce');
      world.record(1);
      world.reporter.pageLeaving();
      await world.pass(TRIP_MS);
      expect(put.mock.calls.map(([rows]) => rows.map(({ wasSent }) => wasSent))).toEqual(puts);
    },
  );

  it('R2: what may have been counted does not leave again after the device has slept for a day while that was written down', async () => {
    start(null);
    world.fates.push('answer lost');
    world.record(3);
    await world.pass(FLUSH_AFTER_MS + TRIP_MS);
    world.record(2);
    disk.trouble = (task) => world.time.wait(TRIP_MS).then(task);
    // The next try has begun.
    await world.pass((BACKOFF_BASE_MS + TRIP_MS) / 2);
    world.wallOffset = 24 * HOUR_MS;
    world.service.forgetIds();
    await world.pass(60_000);
    expectAllCountedOnce(world.service, 5);
    expect(world.reporter.ledger).toMatchObject({ accepted: 2, pending: 0, dropped: { tooOld: 3 } });
  });

  it('F41 storage that hangs is asked by another way, and used again once that works', async () => {
    start(null);
    world.record(1);
    await world.pass(0);
    disk.trouble = hanging;
    disk.renew = () => (disk.trouble = null);
    world.record(1);
    await world.pass(STORAGE_DEADLINE_MS);
    expect(world.reporter.durability).toBe('memory');
    await world.pass(LOOK_AGAIN_MS);
    world.record(1);
    await world.pass(LOOK_AGAIN_MS);
    expect(world.reporter.durability).toBe('disk');
    expectAllCountedOnce(world.service, 3);
  });

  it('an event that is answered for before it is written down is settled once it is', async () => {
    const content = emptyContent();
    start(null, content);
    await world.pass(0);
    disk.trouble = (task) => world.time.wait(3 * TRIP_MS).then(task);
    world.reporter.pageHidden();
    world.record(2);
    await world.pass(2 * TRIP_MS);
    expect([world.service.counted.size, world.reporter.ledger.created]).toEqual([2, 0]);
    await world.pass(60_000);
    expect(world.reporter.ledger).toMatchObject({ created: 2, accepted: 2, pending: 0 });
    expect([world.requests.length, content.rows.size]).toEqual([1, 0]);
  });

  it('an event committed too late to be waited for is in the books once', async () => {
    const late: (() => void)[] = [];
    start(null);
    await world.pass(0);
    disk.trouble = (task) => new Promise((resolve) => late.push(() => resolve(task())));
    world.record(1);
    await world.pass(STORAGE_DEADLINE_MS);
    disk.trouble = null;
    for (const go of late) go();
    await world.pass(120_000);
    expectAllCountedOnce(world.service, 1);
    expect(world.reporter.ledger).toMatchObject({ created: 1, pending: 0 });
  });

  it('F42 a full disk costs the least of our own rows, then we go on in memory', async () => {
    const content = emptyContent();
    start(null, content);
    world.record(4, { kind: 'loaded' });
    world.record(4);
    await world.pass(0);
    let refusals = 1;
    disk.trouble = (task) => (refusals-- > 0 ? full(task) : task());
    world.record(1);
    await world.pass(10);
    expect([world.reporter.durability, world.reporter.ledger.dropped.overflow]).toEqual(['disk', 2]);
    disk.trouble = full;
    world.record(1);
    await world.pass(10);
    expect([world.reporter.durability, world.reporter.ledger.pending]).toEqual(['memory', 8]);
    expect(imbalanceOf(world.reporter.ledger)).toBe(0);
    disk.trouble = null;
    await world.pass(180_000);
    world.reporter.pageShown();
    await world.pass(10);
    expect(world.reporter.durability).toBe('disk');
    expect(world.reporter.ledger).toMatchObject({ created: 10, accepted: 8, pending: 0, dropped: { overflow: 2 } });
    expectAllCountedOnce(world.service, 8);
  });

  it('F40 a disk that fails at whatever it is asked is asked by another way, and until that works it is not said to keep anything', async () => {
    start(null);
    world.record(1);
    await world.pass(TRIP_MS);
    const renew = jest.spyOn(disk, 'renew');
    disk.trouble = denied;
    await world.pass(FLUSH_AFTER_MS);
    expect([world.reporter.durability, renew.mock.calls.length > 0]).toEqual(['memory', true]);
    disk.trouble = null;
    await world.pass(2 * LOOK_AGAIN_MS);
    world.reporter.networkIsBack();
    await world.pass(TRIP_MS);
    expectAllCountedOnce(world.service, 1);
    expect([world.reporter.durability, world.reporter.ledger.pending]).toEqual(['disk', 0]);
  });

  it('F40 a disk that fails, and not for want of room, costs none of our rows', async () => {
    start(null);
    world.record(4, { kind: 'loaded' });
    await world.pass(0);
    let failures = 1;
    disk.trouble = (task) => (failures-- > 0 ? denied(task) : task());
    world.record(1);
    await world.pass(10);
    expect(world.reporter.ledger).toMatchObject({ created: 5, pending: 5 });
    await world.pass(120_000);
    expectAllCountedOnce(world.service, 5);
  });

  it('F42 nothing is dropped from a full disk but for what is worth more and then is there; the rest goes on in memory', async () => {
    const kind = fc.constantFrom('blocked', 'loaded', 'impression', 'click');
    const step = fc.record({ kinds: fc.array(kind, { minLength: 1, maxLength: 4 }), lacking: fc.nat({ max: 900 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const small = new SmallStore();
        const one = new ReportingWorld({ disk: small });
        one.isOnline = false;
        one.usualFate = () => 'offline';
        await one.pass(10);
        const isOnDisk = (): boolean => one.reporter.durability === 'disk';
        const recorded: string[] = [];
        for (const { kinds, lacking } of steps) {
          const before = one.reporter.ledger.dropped.overflow;
          const wasOnDisk = isOnDisk();
          for (const name of kinds) one.record(1, { kind: name, adId: String(recorded.push(name) - 1) } as AdFact);
          await one.pass(10);
          if (wasOnDisk && !isOnDisk()) expect(one.reporter.ledger.dropped.overflow).toBe(before);
          // From now on there is a little more room than is taken, or less.
          small.room = small.size + 450 - lacking;
        }
        const { overflow } = one.reporter.ledger.dropped;
        one.isOnline = true;
        one.usualFate = () => 'ok';
        one.reporter.networkIsBack();
        await one.pass(300_000);
        const texts = [...one.service.seen.values()].map(([text]) => text!);
        const arrived = new Set(texts.map((text) => Number((JSON.parse(text) as { adId: string }).adId)));
        const worth = recorded.map((name) => worthOf({ kind: name } as AdEvent));
        const dropped = worth.flatMap((_, i) => (arrived.has(i) ? [] : i));
        expect(dropped).toHaveLength(overflow);
        for (const i of dropped) expect(worth.slice(i).some((other) => other > worth[i]!)).toBe(true);
      }),
      { numRuns: process.env['DEEP'] ? 5_000 : 150 },
    );
  });

  it('F55 the end of the game lets go of storage and leaves no timer, whenever it comes', async () => {
    for (let at = 0; at < 100; at++) {
      const content = emptyContent();
      const store = new TroubledStore(content);
      let isClosed = false;
      store.close = () => void (isClosed = true);
      const one = new ReportingWorld({ disk: store });
      one.record(12);
      await one.pass(at * 3);
      one.record(1);
      one.reporter.destroy();
      await one.pass(TRIP_MS + 10);
      expect([isClosed, one.runningTimers]).toEqual([true, 0]);
      expectAllCountedOnce(one.service, 13);
      expect(content.rows.size).toBe(0);
    }
  });
});

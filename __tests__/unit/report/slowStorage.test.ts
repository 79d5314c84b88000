import fc from 'fast-check';
import { LOOK_AGAIN_MS, MAX_EVENT_BYTES } from '../../../src/report/limits.js';
import type { OutboxRow, StoreTransaction } from '../../../src/report/OutboxStore.js';
import { imbalanceOf } from '../../../src/report/ReportLedger.js';
import { emptyContent, MemoryStore, type MemoryContent } from './MemoryStore.js';
import { ReportingWorld, type Fate } from './ReportingWorld.js';
import { SimulatedTime } from './SimulatedTime.js';

/*
 * Storage that takes its time, seems dead and is not, and fails, at any step: nothing is lost, and the books are right.
 */

/** How one transaction fares: how long it waits for its turn, and what comes of it. `again`: it fails and is tried once more, after as long a time. */
interface Turn {
  readonly waitMs: number;
  readonly ends: 'well' | 'failed' | 'full' | 'again';
}

/** A disk whose transactions wait in no order, as those of a connection that dies and of the one that takes its place. */
class SlowStore extends MemoryStore {
  turns: Turn[] = [];
  isDead = false;

  constructor(
    content: MemoryContent,
    private readonly time: SimulatedTime,
  ) {
    super(content);
  }

  override async transact<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
    const { waitMs, ends } = this.turns.shift() ?? { waitMs: 0, ends: 'well' };
    for (let tries = ends === 'again' ? 2 : 1; tries > 0; tries--) await this.time.wait(waitMs);
    if (this.isDead) return new Promise(() => undefined);
    if (ends === 'failed') throw new DOMException('Lost', 'UnknownError');
    if (ends === 'full') throw new DOMException('Full', 'QuotaExceededError');
    return super.transact(work);
  }

  override putAtOnce(rows: readonly OutboxRow[]): void {
    if (!this.isDead) super.putAtOnce(rows);
  }
}

const turn = fc.record({
  waitMs: fc.constantFrom(0, 0, 0, 1, 60, 150, 1_900, 2_100, 4_500, 30_000, 70_000),
  ends: fc.constantFrom<Turn['ends']>('well', 'well', 'well', 'failed', 'full', 'again'),
});
const step = fc.record({
  count: fc.nat({ max: 3 }),
  isLarge: fc.constantFrom(false, false, false, true),
  fate: fc.constantFrom<Fate>('ok', 'ok', 'answer lost', '503', 'offline', 'unexplained'),
  does: fc.constantFrom('nothing', 'nothing', 'hide', 'leave', 'show', 'flush', 'network'),
  passMs: fc.constantFrom<number>(0, 1, 50, 99, 100, 101, 1_000, 2_000, 5_000, 20_000, 61_000),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(world: ReportingWorld, { count, isLarge, fate, does, passMs }: Step): Promise<void> {
  const { reporter } = world;
  world.isOnline = fate !== 'offline';
  world.usualFate = () => fate;
  world.record(count);
  if (isLarge) world.record(1, { kind: 'error', errorCode: 'x'.repeat(MAX_EVENT_BYTES) });
  if (does === 'hide' || does === 'leave') reporter.pageHidden();
  if (does === 'leave') reporter.pageLeaving();
  if (does === 'show') reporter.pageShown();
  if (does === 'network') reporter.networkIsBack();
  if (does === 'flush') void reporter.flush();
  await world.pass(passMs);
}

/** A page on a disk that goes through the given turns. */
function worldOf(turns: readonly Turn[]) {
  const content = emptyContent();
  const time = new SimulatedTime();
  const disk = new SlowStore(content, time);
  disk.turns = [...turns];
  return { content, disk, time, world: new ReportingWorld({ disk, time }) };
}

/** Nothing can be sent, and the page looks whether the disk works. */
const LOOK: Step = { count: 0, isLarge: false, fate: 'offline', does: 'show', passMs: 2 * LOOK_AGAIN_MS };

const RUNS = { numRuns: process.env['DEEP'] ? 3_000 : 300 };

it('whenever the disk comes, goes and comes back: each event is counted once, and entered once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { maxLength: 12 }),
      fc.array(step, { minLength: 1, maxLength: 10 }),
      async (turns, steps) => {
        const { content, disk, world } = worldOf(turns);
        for (const one of steps) await play(world, one);
        disk.turns = [];
        for (let i = 0; i < 2; i++) await play(world, LOOK);
        expect(world.reporter.durability).toBe('disk');
        await play(world, { ...LOOK, fate: 'ok', passMs: 600_000 });
        await Promise.all([world.reporter.flush(), world.pass(10_000)]);
        const sent = steps.reduce((sum, { count }) => sum + count, 0);
        const large = steps.filter(({ isLarge }) => isLarge).length;
        const { created, accepted, duplicate, pending, dropped } = world.reporter.ledger;
        expect(world.counted.size).toBe(sent);
        expect([...world.counted.values()].every((times) => times === 1)).toBe(true);
        expect(imbalanceOf(world.reporter.ledger)).toBe(0);
        expect({ created, pending, counted: accepted + duplicate, tooLarge: dropped.tooLarge }).toEqual({
          created: sent + large,
          pending: 0,
          counted: sent,
          tooLarge: large,
        });
        const { bytes } = content.state as { readonly bytes: number };
        expect([content.rows.size, content.atOnce.size, bytes]).toEqual([0, 0, 0]);
      },
    ),
    RUNS,
  );
});

it('whenever the page ends: what was kept on disk is sent by the next one, whatever the disk went through', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { maxLength: 12 }),
      fc.array(step, { minLength: 1, maxLength: 10 }),
      async (turns, steps) => {
        const { content, disk, time, world: first } = worldOf(turns);
        const announced: number[] = [];
        let recorded = 0;
        for (const one of steps) {
          for (let i = 0; i < one.count; i++) {
            const name = recorded++;
            void first.reporter.record({ kind: 'click', adId: String(name) }).then(() => announced.push(name));
          }
          await play(first, { ...one, count: 0, isLarge: false });
        }
        const kept = first.reporter.durability === 'disk' ? [...announced] : [];
        disk.isDead = true;
        first.usualFate = () => 'never';
        const second = new ReportingWorld({ disk: new MemoryStore(content), time, service: first.service });
        await second.pass(600_000);
        const counted = [...second.service.seen.values()].map(([text]) => Number((JSON.parse(text!) as { adId: string }).adId)); // prettier-ignore
        expect(kept.filter((name) => !counted.includes(name))).toEqual([]);
        expect(imbalanceOf(second.reporter.ledger)).toBe(0);
      },
    ),
    RUNS,
  );
});

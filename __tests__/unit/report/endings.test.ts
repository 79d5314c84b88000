import fc from 'fast-check';
import { emptyContent, MemoryStore, type MemoryTransaction } from '../../../src/report/MemoryStore.js';
import type { OutboxRow, StoreTransaction } from '../../../src/report/OutboxStore.js';
import type { OwnerLocks } from '../../../src/report/OwnerLocks.js';
import { imbalanceOf, type ReportLedger } from '../../../src/report/ReportLedger.js';
import { CountingService, ReportingWorld, type Fate } from './ReportingWorld.js';
import { SimulatedTime } from './SimulatedTime.js';

/*
 * Pages that record and end at any instant: between the steps of a transaction, while a copy is on its way, hidden, kept
 * by the browser and shown again, two at once. What the service holds must be what the books know.
 */

const COMMIT_MS = 2;
const TABS = 3;

/** One browser: a disk as all its pages see it, and which owners live. */
class Browser {
  readonly time = new SimulatedTime();
  readonly service = new CountingService();
  readonly content = emptyContent();
  readonly living = new Set<string>();
  /** Transactions under way that take what was put at once; meanwhile nothing can be put so. */
  taking = 0;
  /** Put at once by pages that ended while that was so. */
  readonly lost = new Set<string>();
  fate: Fate = 'ok';

  open(): Tab {
    return new Tab(this);
  }

  get ledger(): ReportLedger {
    return (this.content.state as { ledger: ReportLedger }).ledger;
  }
}

class Tab {
  isAlive = true;
  readonly world: ReportingWorld;
  readonly #browser: Browser;
  readonly #held = new Set<string>();

  constructor(browser: Browser) {
    this.#browser = browser;
    const { time, service } = browser;
    this.world = new ReportingWorld({ disk: new PageStore(browser, () => this.isAlive), locks: this.#locks(), time, service }); // prettier-ignore
    this.world.usualFate = () => (this.isAlive ? browser.fate : 'never');
  }

  /** Nothing of the page runs any more; what it holds comes free, and what it has sent goes on its way. */
  kill(): void {
    this.isAlive = false;
    for (const owner of this.#held) this.#browser.living.delete(owner);
  }

  #locks(): OwnerLocks {
    const { living } = this.#browser;
    const hold = (owner: string): (() => void) => {
      living.add(owner);
      this.#held.add(owner);
      return () => {
        if (this.#held.delete(owner)) living.delete(owner);
      };
    };
    return { hold, take: (owner) => Promise.resolve(living.has(owner) ? 'held' : { release: hold(owner) }) };
  }
}

/** A transaction of a page that has ended writes nothing, but for what needs no more of it. */
class PageStore extends MemoryStore {
  readonly #browser: Browser;
  readonly #isAlive: () => boolean;

  constructor(browser: Browser, isAlive: () => boolean) {
    super(browser.content);
    this.#browser = browser;
    this.#isAlive = isAlive;
  }

  override async transact<T>(work: (transaction: StoreTransaction) => Promise<T>, takes: boolean): Promise<T> {
    if (!this.#isAlive()) return new Promise(() => undefined);
    if (takes) this.#browser.taking++;
    try {
      return await super.transact(work, takes);
    } finally {
      if (takes) this.#browser.taking--;
    }
  }

  override putAtOnce(rows: readonly OutboxRow[]): void {
    if (!this.#isAlive()) return;
    const { taking, content, lost } = this.#browser;
    if (taking === 0) {
      super.putAtOnce(rows);
      return;
    }
    content.last = content.last.then(() => {
      if (this.#isAlive()) super.putAtOnce(rows);
      else for (const { id } of rows) lost.add(id);
    });
  }

  protected override async commit(transaction: MemoryTransaction): Promise<void> {
    await this.#browser.time.wait(COMMIT_MS);
    if (!this.#isAlive()) throw new Error('The page has ended');
    transaction.apply();
  }
}

const STEPS = ['record', 'record', 'hide', 'show', 'leave', 'leave', 'kill', 'destroy', 'wait', 'rest'] as const;
const step = fc.record({
  does: fc.constantFrom(...STEPS),
  tab: fc.nat({ max: TABS - 1 }),
  ms: fc.nat({ max: 2 * COMMIT_MS + 1 }),
  fate: fc.constantFrom<Fate>('ok', 'ok', 'request lost', 'answer lost', '503'),
  isLast: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(browser: Browser, tabs: Tab[], { does, tab: index, ms, fate, isLast }: Step): Promise<void> {
  if (tabs[index]?.isAlive !== true) {
    tabs[index] = browser.open();
    await browser.time.pass(5 * COMMIT_MS);
  }
  browser.fate = fate;
  const tab = tabs[index];
  const { world } = tab;
  if (does === 'record') world.record();
  if (does === 'hide') world.reporter.pageHidden();
  if (does === 'show') world.reporter.pageShown();
  if (does === 'leave') {
    world.reporter.pageHidden();
    world.reporter.pageLeaving();
    // The game hears of it after the reporter, and has something to say.
    world.record();
    // What runs in the same task goes on to its end.
    await browser.time.settle();
    if (isLast) tab.kill();
  }
  if (does === 'kill') tab.kill();
  if (does === 'destroy') {
    world.record();
    world.reporter.destroy();
    await browser.time.settle();
    if (isLast) tab.kill();
  }
  await browser.time.pass(does === 'rest' ? 6_000 : ms);
}

/** Plays it all, then one page in peace that finds what the others have left. */
async function play(steps: readonly Step[]): Promise<Browser> {
  const browser = new Browser();
  const tabs: Tab[] = [];
  for (const next of steps) {
    await take(browser, tabs, next);
    if (browser.content.state !== undefined) expect(imbalanceOf(browser.ledger)).toBe(0);
  }
  await browser.time.pass(30_000);
  for (const tab of tabs) tab?.kill();
  browser.fate = 'ok';
  const last = browser.open();
  await browser.time.pass(120_000);
  void last.world.reporter.flush();
  await browser.time.pass(10_000);
  return browser;
}

it('R3: pages end at any step: what the service holds is what the books know, each event once, and nothing is pending', async () => {
  let ended = 0;
  let lost = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const { ledger, content, service, lost: missed } = await play(steps);
      expect(ledger).toMatchObject({ pending: 0, rejected: 0 });
      expect([content.rows.size, content.atOnce.size]).toEqual([0, 0]);
      expect([...service.counted.values()].every((times) => times === 1)).toBe(true);
      const booked = ledger.accepted + ledger.duplicate;
      expect(ledger.created).toBe(booked);
      const unbooked = service.counted.size - booked;
      expect(unbooked).toBeGreaterThanOrEqual(0);
      expect(unbooked).toBeLessThanOrEqual(missed.size);
      ended += steps.filter(({ does, isLast }) => (does === 'leave' && isLast) || does === 'kill').length;
      lost += missed.size;
    }),
    { numRuns: process.env['DEEP'] ? 20_000 : 300 },
  );
  // Storage that is just then taking what others have put is the exception.
  expect(lost).toBeLessThan(ended / 20);
});

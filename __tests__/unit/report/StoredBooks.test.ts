import fc from 'fast-check';
import { MAX_WAITING, MAX_WAITING_BYTES } from '../../../src/report/limits.js';
import { emptyContent, MemoryStore, MemoryTransaction, type MemoryContent } from './MemoryStore.js';
import type { OutboxRow } from '../../../src/report/OutboxStore.js';
import { imbalanceOf, type ReportLedger } from '../../../src/report/ReportLedger.js';
import { StoredBooks } from '../../../src/report/StoredBooks.js';

let content: MemoryContent;
let made = 0;

beforeEach(() => {
  content = emptyContent();
});

const NOBODY = new Set<string>();

/** The books as one page keeps them; several pages share the content. */
const open = (owner: string, store = new MemoryStore(content)): StoredBooks =>
  new StoredBooks(store, owner, () => `id-${made++}`);

/** A store whose transactions end when they are told to. */
class SlowStore extends MemoryStore {
  gate: Promise<void> = Promise.resolve();

  override async commit(transaction: MemoryTransaction): Promise<void> {
    await this.gate;
    transaction.apply();
  }

  /** Lets run what is ready, holds back the end of it, and lets go. */
  async during(action: () => void): Promise<void> {
    let go!: () => void;
    this.gate = new Promise((resolve) => (go = resolve));
    await new Promise(setImmediate);
    action();
    go();
  }
}

function rowOf(owner: string, size = 0, worth = 2): OutboxRow {
  const id = `row-${made++}`;
  const json = JSON.stringify({ id, kind: 'click', adId: 'x'.repeat(size) });
  return { id, owner, worth, wallTime: made, json, bytes: json.length, wasSent: false };
}

const rowsOf = (owner: string, count: number): OutboxRow[] => Array.from({ length: count }, (_, i) => rowOf(owner, i));
const rowsWorth = (owner: string, ...worths: number[]): OutboxRow[] => worths.map((worth) => rowOf(owner, 0, worth));

const stored = (): OutboxRow[] => [...content.rows.values()] as OutboxRow[];
const state = (): { readonly bytes: number; readonly ledger: ReportLedger } => content.state as never;
const idsOf = (rows: readonly OutboxRow[]): string[] => rows.map(({ id }) => id);

/** A page with committed rows, of which another one has taken over all and settled the first. */
async function settledElsewhere(count: number): Promise<{ one: StoredBooks; rows: OutboxRow[] }> {
  const [one, two] = [open('a'), open('b')];
  const rows = rowsOf('a', count);
  await one.add(rows, NOBODY);
  await two.adopt('a', () => true);
  two.owe(new Map([[rows[0]!.id, 'accepted']]));
  await two.open();
  return { one, rows };
}

function expectTrueBooks(): void {
  const { bytes, ledger } = state();
  expect(ledger.pending).toBe(content.rows.size);
  expect(imbalanceOf(ledger)).toBe(0);
  const isSound = ({ json }: OutboxRow): boolean => json !== '';
  if (stored().every(isSound)) expect(bytes).toBe(stored().reduce((sum, row) => sum + row.bytes, 0));
}

type Step = readonly [does: 'add' | 'settle' | 'makeRoom' | 'forget' | 'mark' | 'adopt', tab: number, count: number];

const steps = (tabs: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.tuple(
      fc.constantFrom('add', 'settle', 'makeRoom', 'forget', 'mark', 'adopt'),
      fc.nat({ max: tabs - 1 }),
      fc.nat({ max: 5 }),
    ),
    { maxLength: 30 },
  );

async function take([does, tab, count]: Step, pages: readonly StoredBooks[]): Promise<void> {
  const page = pages[tab]!;
  const own = idsOf(page.ownRows.slice(0, count));
  if (does === 'add') await page.add(rowsOf(`page-${tab}`, count), NOBODY);
  if (does === 'settle') page.owe(new Map(own.map((id) => [id, 'accepted'])));
  if (does === 'makeRoom') await page.add([rowOf(`page-${tab}`, count, 3)], NOBODY, count);
  if (does === 'forget') page.forget(own);
  if (does === 'mark') await page.mark(own, count % 2 === 0);
  if (does === 'adopt') for (const owner of await page.owners()) await page.adopt(owner, () => true);
  await page.open();
}

it('R7: whatever is added, settled, dropped, moved and taken over: the room that is taken is that of the rows there are', async () => {
  await fc.assert(
    fc.asyncProperty(steps(2), async (all) => {
      content = emptyContent();
      const pages = [open('page-0'), open('page-1')];
      for (const step of all) {
        await take(step, pages);
        expectTrueBooks();
      }
    }),
    { numRuns: 200 },
  );
});

it('R7: a page by itself keeps in memory what is stored, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(steps(1), async (all) => {
      content = emptyContent();
      const page = open('page-0');
      for (const step of all) {
        await take(step, [page]);
        expect(idsOf(page.ownRows).sort()).toEqual(idsOf(stored()).sort());
      }
    }),
    { numRuns: 200 },
  );
});

it('R7: keeps nothing in memory of what finds no room', async () => {
  const page = open('a');
  const dropped = await page.add(rowsOf('a', MAX_WAITING + 3), NOBODY);
  expect(dropped).toHaveLength(3);
  expect(idsOf(page.ownRows).sort()).toEqual(idsOf(stored()).sort());
  expectTrueBooks();
});

it('R7: keeps as many bytes as there is room for, and drops the oldest for the rest', async () => {
  const page = open('a');
  await page.add(rowsOf('a', 20), NOBODY);
  const large = Array.from({ length: 300 }, () => rowOf('a', 3_900));
  const dropped = await page.add(large, NOBODY);
  const { bytes } = large[0]!;
  expect(state().bytes).toBeLessThanOrEqual(MAX_WAITING_BYTES);
  expect(state().bytes).toBeGreaterThan(MAX_WAITING_BYTES - bytes);
  expect(state().ledger.dropped.overflow).toBe(dropped.length);
  expect(dropped.slice(20)).toEqual(idsOf(large.slice(0, dropped.length - 20)));
  expectTrueBooks();
});

it('drops nothing while there is room', async () => {
  const page = open('a');
  for (const worth of [0, 4, 2, 4, 0]) expect(await page.add(rowsWorth('a', worth, 4, worth), NOBODY)).toEqual([]);
  expect(stored()).toHaveLength(15);
});

it('makes room on a full disk by what is worth less than all that comes, and by nothing else', async () => {
  const page = open('a');
  const [least, ...rest] = rowsWorth('a', 0, 2, 3);
  await page.add([least!, ...rest], NOBODY);
  expect(await page.add(rowsWorth('a', 4, 1, 3), NOBODY, 3)).toEqual([least!.id]);
  expectTrueBooks();
});

it('keeps more than there is room for where nothing may be dropped', async () => {
  const page = open('a');
  const rows = rowsOf('a', MAX_WAITING + 3);
  expect(await page.add(rows, new Set(idsOf(rows)))).toEqual([]);
  expect(state().ledger).toMatchObject({ pending: MAX_WAITING + 3, dropped: { overflow: 0 } });
  expectTrueBooks();
});

it('F43 damaged rows are entered as such, whether the books know them or not, and nothing else is', async () => {
  const [dead, heir] = [open('dead'), open('heir')];
  content.rows.set('before', { id: 'before' });
  await dead.add(rowsOf('dead', 2), NOBODY);
  const [first] = stored();
  content.rows.set(first!.id, { ...first, json: '' });
  await heir.open();
  const { created, pending, dropped } = state().ledger;
  expect({ created, pending, dropped }).toMatchObject({
    created: 3,
    pending: 1,
    dropped: { corrupt: 2, storageLost: 0 },
  });
  expectTrueBooks();
});

it('F44 of what was entered as lost as much is taken back as is found again', async () => {
  const rows = rowsOf('dead', 3);
  await open('dead').add(rows, NOBODY);
  content.rows.clear();
  await open('heir').open();
  expect(state().ledger).toMatchObject({ created: 3, pending: 0, dropped: { storageLost: 3 } });
  content.rows.set(rows[1]!.id, rows[1]);
  await open('next').open();
  expect(state().ledger).toMatchObject({ created: 3, pending: 1, dropped: { storageLost: 2 } });
  expectTrueBooks();
});

it('are newer with each transaction, whichever page it is of', async () => {
  const revisions: number[] = [];
  for (const page of [open('a'), open('b'), open('a')]) {
    await page.open();
    await page.open();
    revisions.push(page.ledger!.revision);
  }
  expect(revisions).toEqual([2, 4, 6]);
});

it('R7: the room of damaged rows is given back', async () => {
  const [dead, heir] = [open('dead'), open('heir')];
  const rows = rowsOf('dead', 4);
  await dead.add(rows, NOBODY);
  await heir.open();
  content.rows.set(rows[1]!.id, { ...rows[1], json: '' });
  await heir.adopt('dead', () => true);
  expect(state().ledger.dropped.corrupt).toBe(1);
  expect(heir.ownRows).toHaveLength(3);
  expectTrueBooks();
});

describe('whether rows were sent', () => {
  it('is what was said last, also while it is being written down', async () => {
    const store = new SlowStore(content);
    const page = open('a', store);
    const [row] = rowsOf('a', 1);
    await page.add([row!], NOBODY);
    for (const wasSent of [true, false]) {
      await page.mark([row!.id], wasSent);
      expect(stored()).toMatchObject([{ id: row!.id, wasSent }]);
    }
    const marking = [page.mark([row!.id], true)];
    await store.during(() => marking.push(page.mark([row!.id], false)));
    await Promise.all(marking);
    expect(stored()).toMatchObject([{ id: row!.id, wasSent: false }]);
  });

  it('R2: is written down once more when it was put at once, which may have failed without a word', async () => {
    const page = open('a');
    const rows = rowsOf('a', 2);
    await page.add(rows, NOBODY);
    page.putAtOnce([], idsOf(rows), true);
    content.atOnce.clear();
    await page.mark(idsOf(rows), true);
    expect(stored()).toMatchObject([{ wasSent: true }, { wasSent: true }]);
  });

  it('stays known when they come once more, from memory to a disk that has them already', async () => {
    const [row] = rowsOf('a', 1);
    for (const [wasSent, isMarked] of [[false, false], [true, true], [false, true]]) {
      await open('a').add([{ ...row!, wasSent: wasSent! }], NOBODY);
      expect(stored()).toMatchObject([{ id: row!.id, wasSent: isMarked }]);
      expectTrueBooks();
    }
  }); // prettier-ignore

  it('R2: stays known of those that were, when the page leaves and the device is offline by now', async () => {
    const store = new SlowStore(content);
    const page = open('a', store);
    const rows = rowsOf('a', 2);
    await page.add(rows, NOBODY);
    const marking = [page.mark([rows[0]!.id], true)];
    await store.during(() => page.putAtOnce([], idsOf(rows), false));
    await Promise.all(marking);
    await page.open();
    await open('b').owners();
    expect(stored()).toMatchObject([{ wasSent: true }, { wasSent: false }]);
  });

  it('brings no row back that another page has settled, and says which', async () => {
    const { one, rows } = await settledElsewhere(1);
    expect(await one.mark(idsOf(rows), true)).toEqual(idsOf(rows));
    expect(content.rows.size).toBe(0);
    expectTrueBooks();
  });

  it('R7: is not to be written any more of rows that are gone', async () => {
    const store = new SlowStore(content);
    const page = open('a', store);
    const [row] = rowsOf('a', 1);
    await page.add([row!], NOBODY);
    page.owe(new Map([[row!.id, 'accepted']]));
    const writing: Promise<unknown>[] = [page.open()];
    await store.during(() => writing.push(page.mark([row!.id], true)));
    await Promise.all(writing);
    const { revision } = state().ledger;
    await page.mark([row!.id], false);
    expect(state().ledger.revision).toBe(revision);
  });
});

it('R7: what is written down is not written down again', async () => {
  const page = open('a');
  const rows = rowsOf('a', 3);
  await page.add(rows, NOBODY);
  const looks = jest.spyOn(MemoryTransaction.prototype, 'has');
  const fates = new Map(idsOf(rows).map((id) => [id, 'accepted'] as const));
  for (const what of ['that they may be sent', 'what became of them']) {
    if (what === 'what became of them') page.owe(fates);
    else await page.mark(idsOf(rows), true);
    await page.open();
    looks.mockClear();
    await page.open();
    expect(looks).not.toHaveBeenCalled();
  }
});

it.each(['before', 'after'] as const)('what is settled is entered, though it was given up for another storage %s', async (when) => {
  const page = open('a');
  const [row] = rowsOf('a', 1);
  await page.add([row!], NOBODY);
  if (when === 'before') page.forget([row!.id]);
  page.owe([[row!.id, 'accepted']]);
  if (when === 'after') page.forget([row!.id]);
  await page.open();
  expect(state().ledger).toMatchObject({ created: 1, accepted: 1, pending: 0 });
  expectTrueBooks();
}); // prettier-ignore

it('R7: rows that were put at once are counted once, by the first transaction that succeeds', async () => {
  const store = new SlowStore(content);
  const page = open('a', store);
  await page.open();
  page.putAtOnce(rowsOf('a', 3), [], true);
  store.gate = Promise.reject(new Error('Full'));
  await expect(page.open()).rejects.toThrow('Full');
  store.gate = Promise.resolve();
  await page.open();
  expect([state().ledger.created, content.atOnce.size]).toEqual([3, 0]);
  expectTrueBooks();
});

it('R3: rows that were put at once and went to another storage after all leave no trace, whenever they did', async () => {
  const page = open('a');
  const [kept, ...moved] = rowsOf('a', 4);
  await page.add([kept!], NOBODY);
  for (const isUnderWay of [false, true]) {
    const writing = isUnderWay ? page.open() : undefined;
    page.putAtOnce(moved, [], false);
    page.forgetPutAtOnce(idsOf([kept!, ...moved]));
    await writing;
    await page.open();
    expectTrueBooks();
    await open('b').owners();
    expect([idsOf(stored()), content.atOnce.size, state().ledger.created]).toEqual([[kept!.id], 0, 1]);
    expectTrueBooks();
  }
});

it('R2: puts at once that rows may be sent where the disk does not know it, and nowhere else', async () => {
  const store = new SlowStore(content);
  const page = open('a', store);
  const [written, failed] = rowsOf('a', 2);
  await page.add([written!, failed!], NOBODY);
  await page.mark([written!.id], true);
  store.gate = Promise.reject(new Error('Full'));
  await expect(page.mark([failed!.id], true)).rejects.toThrow('Full');
  page.putAtOnce([], idsOf([written!, failed!]), true);
  expect([...content.atOnce.keys()]).toEqual([failed!.id]);
});

it('R3: rows that a page put at once and committed as they were being taken over come once', async () => {
  const [gone, heir] = [open('gone'), open('heir')];
  await gone.open();
  await heir.owners();
  gone.isLeaving = true;
  const rows = rowsOf('gone', 2);
  gone.putAtOnce(rows, [], true);
  await gone.add(rows, NOBODY);
  expect(idsOf(await heir.adopt('gone', () => true))).toEqual(idsOf(rows));
  heir.owe(idsOf(rows).map((id) => [id, 'accepted'] as const));
  await heir.open();
  expect(await open('c').owners()).toEqual([]);
  expect(state().ledger).toMatchObject({ created: 2, accepted: 2, pending: 0 });
  expectTrueBooks();
});

it('R3: that a row may be sent, put at once, brings back none that another page has settled', async () => {
  const { one, rows } = await settledElsewhere(2);
  one.putAtOnce([], idsOf(rows), true);
  await open('c').owners();
  expect(stored()).toMatchObject([{ id: rows[1]!.id, wasSent: true }]);
  expect(content.atOnce.size).toBe(0);
  expectTrueBooks();
});

it('rows of another page are taken over once, though it may have come back and left more', async () => {
  const [gone, heir] = [open('gone'), open('heir')];
  const [first, second] = [rowsOf('gone', 2), rowsOf('gone', 1)];
  await gone.add(first, NOBODY);
  expect(idsOf(await heir.adopt('gone', () => true))).toEqual(idsOf(first));
  await gone.add(second, NOBODY);
  expect(idsOf(await heir.adopt('gone', () => true))).toEqual(idsOf(second));
  expect(idsOf(heir.ownRows)).toEqual(idsOf([...first, ...second]));
});

it('F44 pages whose storage was emptied put back all they know, and then nothing is missing in the books, which are newer', async () => {
  const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 2 }), { maxLength: 8 }), order, async (adds, awake) => {
      content = emptyContent();
      const pages = [0, 1, 2].map((tab) => open(`page-${tab}`));
      for (const tab of adds) await pages[tab]!.add(rowsOf(`page-${tab}`, 1 + tab), NOBODY);
      const before = stored();
      content.rows.clear();
      content.state = undefined;
      for (const tab of awake) {
        const revision = pages[tab]!.ledger?.revision ?? 0;
        await pages[tab]!.open();
        expect(state().ledger.revision).toBeGreaterThan(revision);
        expectTrueBooks();
      }
      expect(idsOf(stored()).sort()).toEqual(idsOf(before).sort());
      expect(state().ledger).toMatchObject({ created: before.length, dropped: { storageLost: 0 } });
    }),
  );
});

it('R7: a transaction that fails leaves no trace in the books, lost as they were', async () => {
  const store = new SlowStore(content);
  const page = open('a', store);
  const rows = rowsOf('a', 2);
  await page.add(rows, NOBODY);
  content.state = undefined;
  page.owe([[rows[0]!.id, 'tooOld']]);
  store.gate = Promise.reject(new Error('Full'));
  await expect(page.open()).rejects.toThrow('Full');
  store.gate = Promise.resolve();
  await page.open();
  expect(state().ledger).toMatchObject({ created: 2, pending: 1, dropped: { tooOld: 1 } });
  expectTrueBooks();
});

describe('R3: a page that is about to go', () => {
  async function leaving(): Promise<{ page: StoredBooks; rows: OutboxRow[] }> {
    const page = open('a');
    await page.open();
    page.isLeaving = true;
    const rows = rowsOf('a', 3);
    page.putAtOnce(rows, [], true);
    return { page, rows };
  }

  it('leaves what it puts at once where it is, so that no more of it has to wait', async () => {
    const { page, rows } = await leaving();
    await page.add(rows, NOBODY);
    await page.mark(idsOf(rows), true);
    expect(content.atOnce.size).toBe(3);
    await open('b').owners();
    expect([state().ledger.created, content.atOnce.size]).toEqual([3, 0]);
  });

  it('takes it when it is shown again', async () => {
    const { page } = await leaving();
    await page.open();
    page.isLeaving = false;
    await page.open();
    expect([state().ledger.created, content.atOnce.size]).toEqual([3, 0]);
  });

  it('takes it when some of it is settled, which so is entered once, whoever looks later', async () => {
    const { page, rows } = await leaving();
    await page.add(rows, NOBODY);
    page.owe(new Map([[rows[1]!.id, 'accepted']]));
    await page.open();
    await open('b').owners();
    expect(state().ledger).toMatchObject({ created: 3, pending: 2, accepted: 1 });
    expectTrueBooks();
  });
});

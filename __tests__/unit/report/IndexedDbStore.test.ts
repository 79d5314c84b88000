import 'fake-indexeddb/auto';
import { forceCloseDatabase, IDBFactory as FakeFactory } from 'fake-indexeddb';
import { browserReportingEnvironment } from '../../../src/plugin/startReporting.js';
import { IndexedDbStore } from '../../../src/report/IndexedDbStore.js';
import { MemoryStore as PageMemory } from '../../../src/report/MemoryStore.js';
import { MemoryStore } from './MemoryStore.js';
import type { OutboxRow, OutboxStore, StoreTransaction } from '../../../src/report/OutboxStore.js';

const { open } = IDBFactory.prototype;
let opened = 0;
let newest: IDBDatabase;
let closed: jest.Mock;

beforeEach(() => {
  indexedDB = new FakeFactory();
  opened = 0;
  const databases = new WeakSet<IDBDatabase>();
  closed = jest.fn();
  const close = IDBDatabase.prototype.close;
  jest.spyOn(IDBDatabase.prototype, 'close').mockImplementation(function (this: IDBDatabase) {
    // Closing one twice does nothing.
    if (!databases.has(this)) closed();
    databases.add(this);
    close.call(this);
  });
});
afterEach(() => {
  IDBFactory.prototype.open = open;
});

type Outcome = 'opens' | Promise<void> | DOMException;

/** How the next openings turn out: as usual, told of later, or refused. */
function openings(...outcomes: Outcome[]): void {
  IDBFactory.prototype.open = function (this: IDBFactory, ...args: Parameters<typeof open>) {
    const outcome = outcomes.shift() ?? 'opens';
    if (outcome instanceof DOMException) throw outcome;
    const request = open.apply(this, args);
    request.addEventListener('success', () => {
      opened++;
      newest = request.result;
    });
    if (outcome === 'opens') return request;
    const add = request.addEventListener.bind(request) as (type: string, heard: EventListener) => void;
    request.addEventListener = (type: string, heard: unknown) => {
      const later = (event: Event): void => void outcome.then(() => (heard as EventListener)(event));
      add(type, type === 'success' ? later : (heard as EventListener));
    };
    return request;
  };
}

const row = (id: string): OutboxRow => ({
  id,
  owner: 'a',
  worth: 2,
  wallTime: 1,
  json: '{}',
  bytes: 2,
  wasSent: false,
});
const idsIn = (store: IndexedDbStore): Promise<IDBValidKey[]> =>
  store.transact(async (transaction) => {
    await transaction.takePutAtOnce();
    return (await transaction.all()).map(({ key }) => key);
  }, true);
const nothing = (transaction: StoreTransaction): Promise<unknown> => transaction.readState();
const done = (write: () => void): Promise<void> => Promise.resolve().then(write);
const full = (): DOMException => new DOMException('Full', 'QuotaExceededError');

/** Lets the storage answer all that it was asked. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
}

describe('R7: each connection that was opened is closed', () => {
  it.each<[when: string, use: (store: IndexedDbStore) => Promise<unknown>]>([
    ['the outbox', (store) => store.transact(nothing, false)],
    ['an outbox that is about to open', async (store) => void store.transact(nothing, false).catch(() => undefined)],
    [
      'one that was given up',
      async (store) => {
        await store.transact(nothing, false);
        store.renew();
        await store.transact(nothing, false);
      },
    ],
    [
      'one on which something failed',
      (store) => store.transact(() => Promise.reject(new Error('Lost')), false).catch(() => undefined),
    ],
  ])('with %s', async (_when, use) => {
    openings();
    const store = new IndexedDbStore('test');
    await use(store);
    store.close();
    await settle();
    expect(opened).toBeGreaterThan(0);
    expect(closed).toHaveBeenCalledTimes(opened);
    await expect(store.transact(nothing, false)).rejects.toThrow();
    expect(closed).toHaveBeenCalledTimes(opened);
  });
});

it.each<[what: string, happens: () => void]>([
  ['the browser ends the connection', () => forceCloseDatabase(newest as never)],
  ['somebody deletes the database', () => void indexedDB.deleteDatabase('test:outbox-2')],
])('says that rows may be gone when %s, and goes on by a new connection', async (_what, happens) => {
  openings();
  const store = new IndexedDbStore('test');
  await store.transact(nothing, false);
  store.onLost = jest.fn();
  happens();
  await settle();
  expect(store.onLost).toHaveBeenCalledTimes(1);
  // The page may leave just then.
  expect(() => store.putAtOnce([row('r')])).not.toThrow();
  await store.transact(nothing, false);
  expect(opened).toBe(2);
  store.close();
});

it('a transaction that the storage gives up at its end is not called written; no other error is heard of it', async () => {
  const unheard = jest.fn();
  process.on('unhandledRejection', unheard);
  const store = new IndexedDbStore('test');
  await store.transact(nothing, false);
  const commit = jest.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(function (this: IDBTransaction) {
    this.abort();
  });
  store.putAtOnce([row('p')]);
  await expect(store.transact((transaction) => done(() => transaction.put(row('r'))), false)).rejects.toThrow();
  commit.mockRestore();
  expect(await idsIn(store)).toEqual([]);
  store.close();
  await settle();
  process.off('unhandledRejection', unheard);
  expect(unheard).not.toHaveBeenCalled();
});

it('a transaction that fails once is done by a new connection', async () => {
  openings();
  const store = new IndexedDbStore('test');
  await store.transact(nothing, false);
  const failOnce = (): void =>
    void jest.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (this: IDBTransaction) {
      this.abort();
    });
  failOnce();
  await store.transact((transaction) => done(() => transaction.put(row('r'))), false);
  expect([await idsIn(store), opened]).toEqual([['r'], 2]);

  // Also one that takes what was put at once.
  store.putAtOnce([row('s')]);
  failOnce();
  expect([await idsIn(store), opened]).toEqual([['r', 's'], 3]);

  // Also by one that was opened meanwhile.
  let fail!: (error: Error) => void;
  const hanging = new Promise<never>((_, reject) => (fail = reject));
  const works = [() => hanging, nothing];
  const late = store.transact((transaction) => works.shift()!(transaction), false);
  await settle();
  store.renew();
  await store.transact(nothing, false);
  fail(new Error('Lost'));
  await late;
  expect([works.length, opened]).toEqual([0, 4]);
  store.close();
});

it('of a transaction that rejects nothing is written', async () => {
  const store = new IndexedDbStore('test');
  const work = async (transaction: StoreTransaction): Promise<void> => {
    transaction.put(row('r'));
    await transaction.has('r');
    throw new Error('Changed my mind');
  };
  await expect(store.transact(work, false)).rejects.toThrow('Changed my mind');
  expect(await idsIn(store)).toEqual([]);
  store.close();
});

it('what is put at once is committed within the call, and waits for no transaction that does not take it', async () => {
  const store = new IndexedDbStore('test');
  let isPut = false;
  const long = store.transact(async (transaction) => {
    while (!isPut) await transaction.readState();
  }, false);
  await settle();
  const commit = jest.spyOn(IDBTransaction.prototype, 'commit');
  store.putAtOnce([row('r')]);
  expect(commit).toHaveBeenCalledTimes(1);
  const [put] = commit.mock.contexts as [IDBTransaction];
  await new Promise((resolve) => put.addEventListener('complete', resolve));
  isPut = true;
  await long;
  expect(await idsIn(store)).toEqual(['r']);
  store.close();
});

it('what is put at once goes by the connection in use, though one that was given up opens after it', async () => {
  let go!: () => void;
  openings(new Promise<void>((resolve) => (go = resolve)), 'opens');
  const store = new IndexedDbStore('test');
  const first = store.transact(nothing, false).catch(() => undefined);
  await settle();
  store.renew();
  await store.transact(nothing, false);
  go();
  await first;
  store.putAtOnce([row('r')]);
  expect([await idsIn(store), opened]).toEqual([['r'], 2]);
  store.close();
});

const BOTH_STORES: readonly [where: string, open: () => OutboxStore][] = [
  ['IndexedDB', () => new IndexedDbStore('test')],
  ['memory', () => new MemoryStore()],
];

it.each(BOTH_STORES)(
  'what is put at once is taken once: new rows, and that those there are may be sent; nothing that is settled (%s)',
  async (_where, openStore) => {
    const store = openStore();
    const put = (rows: OutboxRow[]): Promise<void> =>
      store.transact((transaction) => done(() => rows.forEach((one) => transaction.put(one))), false);
    const takenBy = (takes: boolean): Promise<unknown[]> =>
      store.transact(async (transaction) => {
        const fresh = takes ? await transaction.takePutAtOnce() : [];
        const rows = (await transaction.rowsOf('a')) as OutboxRow[];
        return [fresh, Object.fromEntries(rows.map(({ id, wasSent }) => [id, wasSent]))];
      }, takes);
    const sent = { ...row('sent'), wasSent: true };
    await put([row('old'), row('marked'), sent]);
    store.putAtOnce([
      { ...row('new'), wasSent: true },
      { ...row('old'), wasSent: true },
      { ...row('marked'), wasSent: true, isEntered: true },
      { ...row('settled'), wasSent: true, isEntered: true },
      row('sent'),
    ]);
    expect(await takenBy(false)).toEqual([[], { old: false, marked: false, sent: true }]);
    const rows = { old: true, marked: true, sent: true };
    expect(await takenBy(true)).toMatchObject([[{ id: 'new' }], { ...rows, new: true }]);
    await store.transact((transaction) => done(() => transaction.delete('new')), false);
    expect(await takenBy(true)).toEqual([[], rows]);
    store.close();
  },
);

it.each([...BOTH_STORES, ['memory of one page', () => new PageMemory()] as const])(
  'the rows worth least are named, the oldest first, none worth as much as what is asked for, sent or spared (%s)',
  async (_, open) => {
    const store = open();
    const worths = [2, 0, 1, 0];
    const rows = worths.map((worth, i) => ({ ...row(`${i}`), worth, wallTime: 9 - i }));
    const kept = [
      { ...row('sent'), worth: 0, wasSent: true },
      { ...row('spared'), worth: 0, bytes: 7 },
    ];
    const put = [...kept, ...rows];
    await store.transact((transaction) => done(() => put.forEach((one) => transaction.put(one))), false);
    const least = (below: number): Promise<string[]> =>
      store.transact(async (transaction) => {
        const named = await transaction.leastWorth(3, new Set(['spared']), below);
        expect(named).toEqual(named.map(({ id }) => expect.objectContaining({ id, bytes: 2 }) as unknown));
        return named.map(({ id }) => id);
      }, false);
    expect(await Promise.all([0, 1, 2, Infinity].map(least))).toEqual([
      [],
      ['3', '1'],
      ['3', '1', '2'],
      ['3', '1', '2'],
    ]);
    store.close();
  },
);

it.each(BOTH_STORES)(
  'each owner of rows is named once, and the books are read as they were written (%s)',
  async (_, open) => {
    const store = open();
    const write = (transaction: StoreTransaction): Promise<void> =>
      done(() => {
        for (const owner of ['b', 'a', 'b']) transaction.put({ ...row(crypto.randomUUID()), owner });
        transaction.writeState({ revision: 1 });
      });
    await store.transact(write, false);
    await store.transact(async (transaction) => {
      expect([...(await transaction.owners())].sort()).toEqual(['a', 'b']);
      expect(await transaction.rowsOf('b')).toMatchObject([{ owner: 'b' }, { owner: 'b' }]);
      expect(await transaction.readState()).toEqual({ revision: 1 });
    }, false);
    store.close();
  },
);

it('what is full for want of room is tried anew, whether it was open or not', async () => {
  openings(full());
  const store = new IndexedDbStore('test');
  await expect(store.transact(nothing, false)).rejects.toMatchObject({ name: 'QuotaExceededError' });
  await store.transact(nothing, false);
  await expect(store.transact(() => Promise.reject(full()), false)).rejects.toMatchObject({
    name: 'QuotaExceededError',
  });
  // The connection is a good one, by which rows can be put as long as there is one.
  store.putAtOnce([row('r')]);
  expect([await idsIn(store), opened]).toEqual([['r'], 1]);
  store.close();
});

it.each<[what: string, indexedDb: PropertyDescriptor]>([
  ['has none', { value: undefined }],
  [
    'denies the mere access, as to a sandboxed frame',
    {
      get: () => {
        throw new DOMException('Denied', 'SecurityError');
      },
    },
  ],
])('there is a disk, and none where the browser %s', (_what, indexedDb) => {
  const { openDisk } = browserReportingEnvironment();
  expect(openDisk('test')).toBeInstanceOf(IndexedDbStore);
  const own = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')!;
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, ...indexedDb });
  try {
    expect(openDisk('test')).toBeNull();
  } finally {
    Object.defineProperty(globalThis, 'indexedDB', own);
  }
});

import { STORAGE_DEADLINE_MS } from '../../../src/report/limits.js';
import { noLocks, webLocks } from '../../../src/report/OwnerLocks.js';
import { SimulatedTime } from './SimulatedTime.js';

type Callback = (lock: Lock | null) => unknown;

/** A lock manager as browsers have it: it answers later, and a lock is free once what its callback gave has settled. */
class FakeLockManager {
  readonly held = new Set<string>();
  /** Answers are kept back until this resolves. */
  ready: Promise<void> = Promise.resolve();

  async request(name: string, { ifAvailable }: LockOptions, callback: Callback): Promise<unknown> {
    expect(ifAvailable).toBe(true);
    await this.ready;
    if (this.held.has(name)) return callback(null);
    this.held.add(name);
    try {
      return await callback({ name, mode: 'exclusive' });
    } finally {
      this.held.delete(name);
    }
  }
}

let manager: FakeLockManager;
let time: SimulatedTime;
const navigatorBefore = Object.getOwnPropertyDescriptor(globalThis, 'navigator');

function useNavigator(navigator: unknown): void {
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: navigator });
}

beforeEach(() => {
  manager = new FakeLockManager();
  time = new SimulatedTime();
  useNavigator({ locks: manager });
});
afterAll(() => {
  if (navigatorBefore === undefined) Reflect.deleteProperty(globalThis, 'navigator');
  else Object.defineProperty(globalThis, 'navigator', navigatorBefore);
});

const open = () => webLocks('outbox', time.after);

it('an owner is alive until it says otherwise', async () => {
  const [mine, others] = [open(), open()];
  const release = mine.hold('a');
  await time.settle();
  expect(await others.take('a')).toBe('held');
  release();
  await time.settle();
  expect([manager.held.size, await others.take('a')]).toEqual([0, { release: expect.any(Function) as unknown }]);
});

it('the place of an owner that is gone is taken once, and is free again when it is given back', async () => {
  const locks = open();
  const taken = await locks.take('gone');
  expect(await locks.take('gone')).toBe('held');
  if (typeof taken === 'object') taken.release();
  await time.settle();
  expect([manager.held.size, time.runningTimers]).toEqual([0, 0]);
});

it('R7: a lock that is given up before it is granted is not kept', async () => {
  let answer!: () => void;
  manager.ready = new Promise((resolve) => (answer = resolve));
  open().hold('a')();
  answer();
  await time.settle();
  expect(manager.held.size).toBe(0);
});

it('R7: a lock that comes when nobody waits for it any more is not kept', async () => {
  let answer!: () => void;
  manager.ready = new Promise((resolve) => (answer = resolve));
  const taken = open().take('gone');
  await time.pass(STORAGE_DEADLINE_MS);
  expect([await taken, time.runningTimers]).toEqual(['unknown', 0]);
  answer();
  await time.settle();
  expect(manager.held.size).toBe(0);
});

it.each<[string, () => unknown]>([
  ['rejects', () => Promise.reject(new DOMException('The document is not active', 'InvalidStateError'))],
  [
    'throws',
    () => {
      throw new DOMException('Access is denied', 'SecurityError');
    },
  ],
])('a lock manager that %s cannot tell who lives, and leaves no timer', async (_how, request) => {
  useNavigator({ locks: { request } });
  const locks = open();
  expect(() => locks.hold('a')()).not.toThrow();
  expect([await locks.take('gone'), time.runningTimers]).toEqual(['unknown', 0]);
});

it('where there are no locks, nothing is known', async () => {
  useNavigator({});
  expect(open()).toBe(noLocks);
  expect(await noLocks.take('a')).toBe('unknown');
});

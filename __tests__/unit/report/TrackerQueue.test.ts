import { type TrackerEnvironment, TrackerQueue } from '../../../src/report/TrackerQueue.js';
import { FakeWorld, settle } from '../service/FakeWorld.js';

interface Call {
  readonly url: string;
  readonly init: RequestInit;
  readonly answer: () => void;
  readonly fail: () => void;
}

function start() {
  const world = new FakeWorld();
  const calls: Call[] = [];
  const state = { isOnline: true, isHeld: false, cancelled: 0 };
  const watchers = new Set<Parameters<TrackerEnvironment['watchPage']>[0]>();
  const queue = new TrackerQueue({
    after: (ms, callback) => {
      const cancel = world.after(ms, callback);
      return () => {
        state.cancelled++;
        cancel();
      };
    },
    isOnline: () => state.isOnline,
    isHeld: () => state.isHeld,
    watchPage: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    fetch: (url, init) =>
      new Promise<void>((answer, reject) => {
        const fail = () => reject(new TypeError('Failed to fetch'));
        init.signal?.addEventListener('abort', fail);
        calls.push({ url, init, answer, fail });
      }),
  });
  const turn = (isHidden: boolean): void => watchers.forEach((watcher) => watcher[isHidden ? 'hidden' : 'visible']());
  return { world, calls, queue, state, turn, watchers };
}

describe('TrackerQueue', () => {
  it('calls nothing within the frame that asks for it, and then without cookies', async () => {
    const { world, calls, queue } = start();
    queue.send('https://t.example.com/1');
    expect(calls).toEqual([]);
    await world.advance(0);
    expect(calls[0]).toMatchObject({
      url: 'https://t.example.com/1',
      init: { method: 'GET', mode: 'no-cors', credentials: 'omit', keepalive: true },
    });
    // A call that the browser answers from its cache is not counted.
    expect(calls[0]!.init).toMatchObject({ cache: 'no-store', redirect: 'follow', referrerPolicy: 'strict-origin' });
  });

  it('gives up the body of each answer as it begins: nobody reads it, and it may have no end', async () => {
    const { world, calls, queue } = start();
    for (let i = 0; i < 3; i++) queue.send(`https://t.example.com/${i}`);
    await world.advance(0);
    expect(calls.map(({ init }) => init.signal!.aborted)).toEqual([false, false, false]);
    calls[1]!.answer();
    await settle();
    expect(calls.map(({ init }) => init.signal!.aborted)).toEqual([false, true, false]);
    // Also of what is sent as the game ends.
    queue.send('https://t.example.com/3');
    queue.destroy();
    calls[3]!.answer();
    await settle();
    expect(calls[3]!.init.signal!.aborted).toBe(true);
    expect(calls[0]!.init.signal!.aborted).toBe(false);
  });

  it('has four calls under way at most, the others in the order they came', async () => {
    const { world, calls, queue } = start();
    for (let i = 0; i < 6; i++) queue.send(`https://t.example.com/${i}`);
    await world.advance(0);
    expect(calls).toHaveLength(4);
    calls[0]!.answer();
    await settle();
    expect(calls.map(({ url }) => url.at(-1)).join('')).toBe('01234');
  });

  it('of a page that is hidden calls all at once: it may end at any moment, whatever trackers are slow', async () => {
    const { world, calls, queue, state, turn, watchers } = start();
    expect(watchers.size).toBe(0);
    for (let i = 0; i < 6; i++) queue.send(`https://t.example.com/${i}`);
    await world.advance(0);
    turn(true);
    queue.send('https://t.example.com/6', true);
    expect(calls.map(({ url }) => url.at(-1)).join('')).toBe('0123456');
    turn(false);
    for (const { answer } of calls.splice(0)) answer();
    await settle();
    for (let i = 0; i < 6; i++) queue.send(`https://t.example.com/${i}`);
    expect(calls).toHaveLength(0);
    await world.advance(0);
    expect(calls).toHaveLength(4);
    state.isHeld = true;
    turn(true);
    expect(calls).toHaveLength(4);
    queue.destroy();
    queue.send('https://t.example.com/late');
    expect(watchers.size).toBe(0);
  });

  it('P5: holds back what waits, and drops it with the end of the game', async () => {
    const { world, calls, queue, state } = start();
    state.isHeld = true;
    for (let i = 0; i < 6; i++) queue.send(`https://t.example.com/${i}`);
    await world.advance(0);
    expect(calls).toEqual([]);
    state.isHeld = false;
    queue.resume();
    await settle();
    expect(calls).toHaveLength(4);
    state.isHeld = true;
    queue.destroy();
    expect(calls).toHaveLength(4);
    expect(queue.waiting).toBe(0);
  });

  it('lets 128 wait and drops what comes on top', async () => {
    const { queue } = start();
    for (let i = 0; i < 1000; i++) queue.send(`https://t.example.com/${i}`);
    expect(queue.waiting).toBe(128);
  });

  it.each([0, 1, 20, 128, 200])(
    'makes room for calls that must arrive (%i) by dropping the newest that need not, and never another such',
    async (billed) => {
      const { world, calls, queue } = start();
      const named = (name: string, count: number) => Array.from({ length: count }, (_, i) => `https://t.example.com/${name}-${i}`); // prettier-ignore
      for (const url of named('seen', 1000)) queue.send(url);
      for (const url of named('billed', billed)) queue.send(url, true);
      expect(queue.waiting).toBe(128);
      await world.advance(0);
      for (let i = 0; i < calls.length; i++) {
        calls[i]!.answer();
        await settle();
      }
      const taken = Math.min(billed, 128);
      expect(calls.map(({ url }) => url)).toEqual([...named('seen', 128 - taken), ...named('billed', taken)]);
    },
  );

  it('gives up a call after ten seconds', async () => {
    const { world, calls, queue } = start();
    for (let i = 0; i < 5; i++) queue.send(`https://t.example.com/${i}`);
    await world.advance(9_999);
    expect(calls).toHaveLength(4);
    await world.advance(1);
    expect(calls).toHaveLength(5);
  });

  it('S9: calls once what fails while the device is online, for it may have arrived all the same', async () => {
    const { world, calls, queue, state } = start();
    queue.send('https://t.example.com/bill', true);
    await world.advance(0);
    // Too late: the call has left.
    state.isOnline = false;
    calls[0]!.fail();
    await world.advance(600_000);
    expect(calls).toHaveLength(1);
    expect(world.leftovers).toBe(0);
  });

  it('repeats only what must arrive and was called offline, once the device is back, however long that takes', async () => {
    const { world, calls, queue, state } = start();
    state.isOnline = false;
    queue.send('https://t.example.com/impression');
    queue.send('https://t.example.com/bill', true);
    await world.advance(0);
    for (const { fail } of calls) fail();
    await world.advance(600_000);
    expect(calls).toHaveLength(2);
    state.isOnline = true;
    await world.advance(5_000);
    expect(calls.map(({ url }) => url.slice(-4))).toEqual(['sion', 'bill', 'bill']);
    // Whether this one arrived nobody knows.
    calls.at(-1)!.fail();
    await world.advance(600_000);
    expect(calls).toHaveLength(3);
    expect(world.leftovers).toBe(0);
    queue.destroy();
    expect(calls).toHaveLength(3);
  });

  it('repeats 128 calls at most, however many found the device offline', async () => {
    const { world, calls, queue, state } = start();
    state.isOnline = false;
    for (let i = 0; i < 200; i++) {
      queue.send('https://t.example.com/bill', true);
      await world.advance(0);
      calls[i]!.fail();
      await settle();
    }
    queue.destroy();
    expect(calls).toHaveLength(200 + 128);
  });

  it('calls once more at the end of the game what found the device offline', async () => {
    const { world, calls, queue, state } = start();
    state.isOnline = false;
    queue.send('https://t.example.com/bill', true);
    await world.advance(0);
    calls[0]!.fail();
    await settle();
    queue.destroy();
    expect(calls).toHaveLength(2);
    calls[1]!.fail();
    // Harmless when called twice.
    queue.destroy();
    await world.advance(600_000);
    expect(calls).toHaveLength(2);
    expect(world.leftovers).toBe(0);
  });

  it('R7: holds no timer of a call that is over', async () => {
    const { world, calls, queue, state } = start();
    for (let i = 0; i < 3; i++) queue.send(`https://t.example.com/${i}`);
    await world.advance(0);
    calls[0]!.answer();
    calls[1]!.fail();
    calls[2]!.answer();
    await settle();
    expect(world.leftovers).toBe(0);
    const before = state.cancelled;
    queue.destroy();
    expect(state.cancelled).toBe(before);
  });

  it('R7: sets no timer for what fails after the end of the game', async () => {
    const { world, calls, queue, state } = start();
    state.isOnline = false;
    queue.send('https://t.example.com/bill', true);
    await world.advance(0);
    queue.destroy();
    calls[0]!.fail();
    await settle();
    expect(world.leftovers).toBe(0);
  });

  it('what fails at the end of the game is no error of the page', async () => {
    const unheard = jest.fn();
    process.on('unhandledRejection', unheard);
    const { world, calls, queue } = start();
    for (let i = 0; i < 6; i++) queue.send(`https://t.example.com/${i}`, i % 2 === 0);
    await world.advance(0);
    queue.destroy();
    expect(calls).toHaveLength(6);
    for (const { fail } of calls) fail();
    await new Promise(setImmediate);
    process.off('unhandledRejection', unheard);
    expect(unheard).not.toHaveBeenCalled();
  });

  it('lets what waits go at the end of the game, and leaves no timer', async () => {
    const { world, calls, queue } = start();
    for (let i = 0; i < 6; i++) queue.send(`https://t.example.com/${i}`);
    await world.advance(0);
    queue.destroy();
    queue.send('https://t.example.com/late');
    await settle();
    expect(calls).toHaveLength(6);
    expect(world.leftovers).toBe(0);
  });
});

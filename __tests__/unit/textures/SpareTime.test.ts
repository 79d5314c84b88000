import { SpareTime, type SpareTimeWindow } from '../../../src/textures/SpareTime.js';

/** A page whose idle callbacks and timers come when the test says so. */
function pageOf(tellsTime: boolean) {
  const waiting = new Map<number, (deadline: IdleDeadline) => void>();
  let handle = 0;
  const add = (work: (deadline: IdleDeadline) => void): number => {
    waiting.set(++handle, work);
    return handle;
  };
  const drop = (which: number) => void waiting.delete(which);
  // Timers and idle callbacks are numbered apart.
  const page: SpareTimeWindow = {
    setTimeout: (work: () => void) => 1000 + add(work),
    clearTimeout: (which) => drop(which - 1000),
    ...(tellsTime ? { requestIdleCallback: add, cancelIdleCallback: drop } : {}),
  };
  const idle = (leftMs: number, didTimeout = false) => {
    const now = [...waiting.values()];
    waiting.clear();
    for (const work of now) work({ didTimeout, timeRemaining: () => leftMs });
  };
  return { page, waiting, idle };
}

describe.each([true, false])('spare time of a page (browser tells it: %s)', (tellsTime) => {
  it('comes once for each time it was asked for, however often that was', () => {
    const { page, waiting, idle } = pageOf(tellsTime);
    const run = jest.fn();
    const spareTime = new SpareTime(page, () => 0, run);
    spareTime.request();
    spareTime.request();
    expect(waiting.size).toBe(1);
    idle(5);
    idle(5);
    expect(run).toHaveBeenCalledTimes(1);
    spareTime.request();
    idle(5);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('leaves nothing behind when it is cancelled', () => {
    const { page, waiting } = pageOf(tellsTime);
    const spareTime = new SpareTime(
      page,
      () => 0,
      () => undefined,
    );
    spareTime.cancel();
    spareTime.request();
    spareTime.cancel();
    expect(waiting.size).toBe(0);
  });

  it('comes again if it is asked for after it was cancelled', () => {
    const { page, idle } = pageOf(tellsTime);
    const run = jest.fn();
    const spareTime = new SpareTime(page, () => 0, run);
    spareTime.request();
    spareTime.cancel();
    spareTime.request();
    idle(5);
    expect(run).toHaveBeenCalledTimes(1);
  });
});

it.each(['requestIdleCallback', 'cancelIdleCallback'] as const)(
  'a browser that has %s alone does not tell it',
  (one) => {
    const { page, waiting, idle } = pageOf(false);
    const notCalled = jest.fn(() => 7);
    const left: number[] = [];
    const spareTime = new SpareTime(
      { ...page, [one]: notCalled },
      () => 0,
      (leftMs) => left.push(leftMs()),
    );
    spareTime.request();
    spareTime.cancel();
    expect(waiting.size).toBe(0);
    spareTime.request();
    idle(9);
    expect(left).toEqual([4]);
    expect(notCalled).not.toHaveBeenCalled();
  },
);

describe('the time left', () => {
  const leftOf = (tellsTime: boolean, didTimeout: boolean): number[] => {
    const { page, idle } = pageOf(tellsTime);
    let now = 100;
    const left: number[] = [];
    const spareTime = new SpareTime(
      page,
      () => now,
      (leftMs) => {
        left.push(leftMs());
        now += 3;
        left.push(leftMs());
      },
    );
    spareTime.request();
    idle(9, didTimeout);
    return left;
  };

  it('is what the browser says', () => {
    expect(leftOf(true, false)).toEqual([9, 9]);
  });

  it('is a few milliseconds of the next frame where the browser has none, or cannot tell', () => {
    expect(leftOf(true, true)).toEqual([4, 1]);
    expect(leftOf(false, false)).toEqual([4, 1]);
  });
});

import type { AdsError } from '../../../src/errors.js';
import { bounded } from '../../../src/waiting.js';

describe('work within bounds', () => {
  const timers = new Set<() => void>();
  const clock = {
    after(_ms: number, callback: () => void) {
      timers.add(callback);
      return () => void timers.delete(callback);
    },
  };
  const late = () => new Error('late') as AdsError;
  const never = () => new Promise<never>(() => undefined);

  /** A signal, and how many listen to it. */
  function listened() {
    const controller = new AbortController();
    const { signal } = controller;
    const heard = { count: 0 };
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      if (args[0] === 'abort') heard.count++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      if (args[0] === 'abort') heard.count--;
      remove(...args);
    };
    return { controller, signal, heard };
  }

  it.each([
    ['it ends', () => Promise.resolve('done'), () => undefined, 'done'],
    ['it fails', () => Promise.reject(new Error('failed')), () => undefined, 'failed'],
    ['its signal is aborted', never, (abort: () => void) => abort(), 'The call was cancelled'],
    ['its time is over', never, () => timers.forEach((fire) => fire()), 'late'],
  ])('leaves no timer and no listener when %s', async (_how, work: () => Promise<string>, then, outcome) => {
    const { controller, signal, heard } = listened();
    const running = bounded({ clock, ms: 5, late, signal }, work).catch((error: unknown) => (error as Error).message);
    expect([timers.size, heard.count]).toEqual([1, 1]);
    then(() => controller.abort());
    expect(await running).toContain(outcome);
    expect([timers.size, heard.count]).toEqual([0, 0]);
  });

  it('does not begin once its signal is aborted', async () => {
    const work = jest.fn(never);
    const signal = AbortSignal.abort();
    await expect(bounded({ clock, ms: 5, late, signal }, work)).rejects.toMatchObject({ code: 'net/aborted' });
    expect([work.mock.calls.length, timers.size]).toEqual([0, 0]);
  });
});

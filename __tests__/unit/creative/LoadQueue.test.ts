import { LoadQueue } from '../../../src/creative/LoadQueue.js';
import { AdsError } from '../../../src/errors.js';

/** A task that ends when told to. */
function task(started: number[], id: number) {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return {
    end,
    run: () => {
      started.push(id);
      return ended;
    },
  };
}

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('LoadQueue', () => {
  it('starts as many as it may at once, the others in the order they came', async () => {
    const queue = new LoadQueue(2, 10);
    const started: number[] = [];
    const tasks = [0, 1, 2, 3].map((id) => task(started, id));
    const runs = tasks.map(({ run }) => queue.run(run, never));
    expect(started).toEqual([0, 1]);
    tasks[1]!.end();
    await runs[1];
    await settle();
    expect(started).toEqual([0, 1, 2]);
    for (const { end } of tasks) end();
    await Promise.all(runs);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  it('refuses what finds no place to wait', async () => {
    const queue = new LoadQueue(1, 1);
    const first = task([], 0);
    const runs = [queue.run(first.run, never), queue.run(async () => 'second', never)];
    await expect(queue.run(async () => undefined, never)).rejects.toMatchObject({ code: 'place/too-many' });
    first.end();
    await expect(runs[1]).resolves.toBe('second');
  });

  it('goes on after a task that fails', async () => {
    const queue = new LoadQueue(1, 1);
    const failing = queue.run(() => Promise.reject(new Error('task')), never);
    const next = queue.run(async () => 'next', never);
    await expect(failing).rejects.toThrow('task');
    await expect(next).resolves.toBe('next');
  });

  it('gives up the place of a task whose signal is aborted while it waits', async () => {
    const queue = new LoadQueue(1, 1);
    const first = task([], 0);
    void queue.run(first.run, never);
    const controller = new AbortController();
    const started = jest.fn();
    const waiting = queue.run(async () => void started(), controller.signal);
    const reason = new AdsError('net/aborted', 'test');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const next = queue.run(async () => 'next', never);
    first.end();
    await expect(next).resolves.toBe('next');
    expect(started).not.toHaveBeenCalled();
    await expect(queue.run(async () => void started(), controller.signal)).rejects.toBe(reason);
  });
});

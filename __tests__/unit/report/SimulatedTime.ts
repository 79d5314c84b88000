interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
  isCancelled: boolean;
}

/** A clock that is turned by hand, and the timers that go by it. A binary heap, since simulations set millions. */
export class SimulatedTime {
  now = 1_000_000;
  readonly #heap: Timer[] = [];
  #order = 0;
  #live = 0;
  /** Storage that is asked for something and has not answered: time stands still meanwhile. */
  readonly #isBusy: () => boolean;

  constructor(isBusy: () => boolean = () => false) {
    this.#isBusy = isBusy;
  }

  get runningTimers(): number {
    return this.#live;
  }

  readonly after = (ms: number, callback: () => void): (() => void) => {
    const timer: Timer = { at: this.now + ms, order: this.#order++, callback, isCancelled: false };
    if (timer.at === Infinity) return () => undefined;
    this.#push(timer);
    this.#live++;
    return () => {
      if (!timer.isCancelled) this.#live--;
      timer.isCancelled = true;
    };
  };

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Lets time pass, timer by timer. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    await this.settle();
    for (;;) {
      const next = this.#heap[0];
      if (next === undefined || next.at > end) break;
      this.#pop();
      if (next.isCancelled) continue;
      next.isCancelled = true;
      this.#live--;
      this.now = Math.max(this.now, next.at);
      next.callback();
      await this.settle();
    }
    this.now = end;
  }

  /** Lets everything that waits for no timer go on. */
  async settle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#isBusy());
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let i = heap.push(timer) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (isBefore(heap[parent]!, timer)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (isBefore(last, heap[child]!)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

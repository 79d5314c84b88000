import { MAX_REFUSALS } from './limits.js';

/** What follows from a refusal. */
type Consequence =
  /** There are parts to try at once. */
  | 'narrowed'
  /** This event alone is to blame. */
  | 'convicted'
  /** It may be this event, or the service; the event is tried again, after the others. */
  | 'suspected'
  /** Too many refusals without one success: the events are not to blame. */
  | 'hopeless';

/**
 * Finds the events for which a service refuses whole batches, by halving, so that one bad event never holds up the
 * others. An event is to blame if it is refused alone while others are taken: in the same search, or right before it if the
 * event was refused alone before. When nothing is taken, the fault is the service's, and no event is given up for it.
 */
export class RefusedBatches<T> {
  /** Parts of refused batches, the next one last. */
  #parts: (readonly T[])[] = [];
  readonly #suspects = new Set<T>();
  #refusals = 0;
  /** The service has taken something in this search. */
  #hasTaken = false;
  /** The last answer before this search was a success. */
  #wasTaking = false;

  /** The part to try next; null when there is none. */
  next(isWaiting: (item: T) => boolean): readonly T[] | null {
    for (;;) {
      const waiting = this.#parts.pop()?.filter(isWaiting);
      if (waiting === undefined) return null;
      if (waiting.length > 0) return waiting;
    }
  }

  /** The event was refused alone before, and must not be sent with others. */
  isSuspect(item: T): boolean {
    return this.#suspects.has(item);
  }

  /** A batch was refused for what is in it. */
  refused(batch: readonly T[]): Consequence {
    if (++this.#refusals >= MAX_REFUSALS) {
      this.#parts = [];
      this.#endSearch(false);
      return 'hopeless';
    }
    if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      this.#parts.push(batch.slice(half), batch.slice(0, half));
      return 'narrowed';
    }
    const [item] = batch;
    const isGuilty = this.#hasTaken || (this.#wasTaking && this.#suspects.has(item!));
    if (isGuilty) this.#suspects.delete(item!);
    else this.#suspects.add(item!);
    if (this.#parts.length > 0) return isGuilty ? 'convicted' : 'narrowed';
    this.#endSearch(isGuilty);
    return isGuilty ? 'convicted' : 'suspected';
  }

  /** Something of a batch was taken. */
  taken(): void {
    this.#refusals = 0;
    this.#hasTaken = true;
    if (this.#parts.length === 0) this.#endSearch(true);
  }

  #endSearch(isTaking: boolean): void {
    this.#refusals = isTaking ? 0 : this.#refusals % MAX_REFUSALS;
    this.#hasTaken = false;
    this.#wasTaking = isTaking;
  }
}

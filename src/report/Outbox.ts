import type { AdEvent } from './AdEvent.js';

/** An event that waits, with what is worth knowing of it without looking inside. */
export interface OutboxEntry {
  readonly event: AdEvent;
  /** Size as JSON. */
  readonly bytes: number;
  /** When it was recorded, on the reporter's clock, in milliseconds. */
  readonly recordedAt: number;
}

/** Where events wait until the service has answered for them. */
export interface Outbox {
  readonly size: number;
  add(entry: OutboxEntry): void;
  /** @returns false when no event of this id waits. */
  remove(id: string): boolean;
  /** Oldest first. Removing the entry just given does no harm. */
  entries(): Iterable<OutboxEntry>;
}

/** Keeps events as long as the page lives. */
export class MemoryOutbox implements Outbox {
  readonly #entries = new Map<string, OutboxEntry>();

  get size(): number {
    return this.#entries.size;
  }

  add(entry: OutboxEntry): void {
    this.#entries.set(entry.event.id, entry);
  }

  remove(id: string): boolean {
    return this.#entries.delete(id);
  }

  entries(): Iterable<OutboxEntry> {
    return this.#entries.values();
  }
}

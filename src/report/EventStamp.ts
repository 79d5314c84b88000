import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

import { canonicalJson } from '../writeJson.js';
import type { AdEvent, AdFact } from './AdEvent.js';
import type { OutboxParts } from './Outbox.js';

type EventStampParts = Pick<OutboxParts, 'now' | 'wallNow' | 'newId'>;

/** The chain of one placement. */
interface Chain {
  readonly previous: AdEvent;
  readonly countsByKind: ReadonlyMap<string, number>;
}

/**
 * Turns facts into events: gives each an id, its position in its placement, and its time, which never change.
 *
 * The events of a placement form a chain: `sequence` has no holes, `previousHash` is the SHA-256 of the canonical JSON
 * of the event before, so that a receiver sees what is missing or was changed. `ordinal` counts those of one kind.
 */
export class EventStamp {
  readonly #parts: EventStampParts;
  readonly #sessionId: string;
  readonly #startedAt: number;
  readonly #chains = new Map<string, Chain>();

  constructor(parts: EventStampParts) {
    this.#parts = parts;
    this.#sessionId = parts.newId();
    this.#startedAt = parts.now();
  }

  /** The event of a fact. The next event follows it only if it is {@link EventStamp.keep kept}. */
  stamp(fact: AdFact): AdEvent {
    const { newId, now, wallNow } = this.#parts;
    return Object.freeze({
      id: newId(),
      sessionId: this.#sessionId,
      ...fact,
      ...(fact.placementId === undefined ? {} : this.#linkOf(fact.placementId, fact.kind)),
      time: Math.round((now() - this.#startedAt) * 10) / 10,
      wallTime: Math.round(wallNow()),
    });
  }

  /** The next event of the placement follows this one. */
  keep(event: AdEvent): void {
    const { placementId, kind } = event;
    if (placementId === undefined) return;
    if (isLast(event)) {
      this.passOver(event);
      return;
    }
    const countsByKind = new Map(this.#chains.get(placementId)?.countsByKind);
    countsByKind.set(kind, (countsByKind.get(kind) ?? 0) + 1);
    this.#chains.set(placementId, { previous: event, countsByKind });
  }

  /** The event is not reported. If it is the last of its placement, the placement ends all the same. */
  passOver(event: AdEvent): void {
    if (event.placementId !== undefined && isLast(event)) this.#chains.delete(event.placementId);
  }

  #linkOf(placementId: string, kind: string): Pick<AdEvent, 'sequence' | 'ordinal' | 'previousHash'> {
    const chain = this.#chains.get(placementId);
    if (chain === undefined) return { sequence: 0, ordinal: 1 };
    return {
      sequence: chain.previous.sequence! + 1,
      ordinal: (chain.countsByKind.get(kind) ?? 0) + 1,
      previousHash: bytesToHex(sha256(utf8ToBytes(canonicalJson(chain.previous)))),
    };
  }
}

/** A placement's last event: nothing follows it. */
function isLast(event: AdEvent): boolean {
  return event.kind === 'summary' && event.isFinal;
}

import type { AdEvent } from '../contract.js';
import { eventHash } from './eventHash.js';

/** An event of a placement, as it was stored. */
export interface ChainLink {
  readonly event: AdEvent;
  /** Of the event as it arrived. */
  readonly hash: string;
  /** Whether the event is stored as it arrived, so that its hash can be computed anew. */
  readonly isWhole: boolean;
}

export interface ChainCheck {
  /** `incomplete`: some events are not here (yet), and those that are fit together. */
  readonly state: 'intact' | 'incomplete' | 'broken';
  /** Numbers of events before the newest that are not here. */
  readonly missing: readonly number[];
  /** Numbers of events that do not fit what they follow, were altered, or are there twice. */
  readonly broken: readonly number[];
}

/** The most numbers of missing events that are named: one forged number must not make an endless list. */
const MAX_NAMED = 100;

/**
 * Whether the events of one placement are all there, unaltered and in the order they were made in: each names the hash of
 * the one before. In which order they arrived does not matter.
 */
export function checkChain(links: readonly ChainLink[]): ChainCheck {
  const inOrder = [...links].sort((a, b) => numberOf(a) - numberOf(b));
  const missing: number[] = [];
  const broken = new Set<number>();
  let before: ChainLink | undefined;
  for (const link of inOrder) {
    const number = numberOf(link);
    const expected = before === undefined ? 0 : numberOf(before) + 1;
    for (let gap = expected; gap < number && missing.length < MAX_NAMED; gap += 1) missing.push(gap);
    if (link.isWhole && eventHash(link.event) !== link.hash) broken.add(number);
    if (before !== undefined && number < expected) broken.add(number);
    if (before !== undefined && number === expected && link.event.previousHash !== before.hash) broken.add(number);
    before = link;
  }
  const state = broken.size > 0 ? 'broken' : missing.length > 0 ? 'incomplete' : 'intact';
  return { state, missing, broken: [...broken] };
}

function numberOf({ event }: ChainLink): number {
  return event.sequence ?? 0;
}

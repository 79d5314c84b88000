import type { AdEvent } from './AdEvent.js';
import { MAX_EVENT_BYTES } from './limits.js';
import type { OutboxRow } from './OutboxStore.js';

/** What each kind is worth, least first: details, then summaries, then the other kinds, those that are billed least first. */
const WORTH: Readonly<Record<string, number>> = {
  visible: 0,
  blocked: 0,
  summary: 1,
  loaded: 2,
  noFill: 2,
  error: 2,
  finish: 2,
  start: 2,
  firstQuartile: 2,
  midpoint: 2,
  thirdQuartile: 2,
  complete: 2,
  impression: 3,
  viewable: 4,
  click: 4,
};

/** How late an event is dropped when there is no room for all: higher is later. */
export function worthOf(event: AdEvent): number {
  // A kind that this version does not know is kept like an impression.
  return WORTH[event.kind] ?? 3;
}

export function rowOf(event: AdEvent, owner: string, json: string, bytes: number): OutboxRow {
  return { id: event.id, owner, worth: worthOf(event), wallTime: event.wallTime, json, bytes, wasSent: false };
}

/** The event of a sound row. */
export function eventOf(row: OutboxRow): AdEvent {
  return Object.freeze(JSON.parse(row.json) as AdEvent);
}

/** What was read from storage as a row; null when it is damaged. */
export function readRow(value: unknown): OutboxRow | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, owner, worth, wallTime, json, bytes, wasSent } = value as Partial<Record<keyof OutboxRow, unknown>>;
  if (typeof id !== 'string' || typeof owner !== 'string' || typeof json !== 'string') return null;
  if (typeof wasSent !== 'boolean') return null;
  if (![worth, wallTime, bytes].every((figure) => typeof figure === 'number' && Number.isFinite(figure))) return null;
  if (json.length > MAX_EVENT_BYTES || new TextEncoder().encode(json).length !== bytes) return null;
  const event = parse(json);
  if (event?.id !== id || typeof event.kind !== 'string') return null;
  return value as OutboxRow;
}

function parse(json: string): Partial<AdEvent> | null {
  try {
    return JSON.parse(json) as Partial<AdEvent> | null;
  } catch {
    return null;
  }
}

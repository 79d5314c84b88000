import * as v from 'valibot';

import type { AdEvent } from './AdEvent.js';
import { MAX_EVENT_BYTES } from './limits.js';
import type { OutboxRow } from './OutboxStore.js';

/** What each kind is worth, least first: details, then summaries, then the other kinds, those that are billed least first. */
const WORTH: Readonly<Record<AdEvent['kind'], number>> = {
  visible: 0,
  blocked: 0,
  summary: 1,
  loaded: 2,
  noFill: 2,
  error: 2,
  start: 2,
  firstQuartile: 2,
  midpoint: 2,
  thirdQuartile: 2,
  complete: 2,
  impression: 3,
  viewable: 4,
  click: 4,
};

const whole = v.pipe(v.number(), v.safeInteger());
const rowSchema = v.object({
  id: v.string(),
  owner: v.string(),
  worth: whole,
  wallTime: whole,
  json: v.pipe(v.string(), v.maxLength(MAX_EVENT_BYTES)),
  bytes: whole,
  wasSent: v.boolean(),
});

/** How late an event is dropped when there is no room for all: higher is later. */
export function worthOf(event: AdEvent): number {
  return WORTH[event.kind];
}

export function rowOf(event: AdEvent, owner: string, json: string, bytes: number): OutboxRow {
  return { id: event.id, owner, worth: worthOf(event), wallTime: event.wallTime, json, bytes, wasSent: false };
}

/** The event of a sound row. */
export function eventOf(row: Pick<OutboxRow, 'json'>): AdEvent {
  return Object.freeze(JSON.parse(row.json) as AdEvent);
}

/** What was read from storage as a row; null when it is damaged. */
export function readRow(value: unknown): OutboxRow | null {
  const row = v.safeParse(rowSchema, value);
  if (!row.success) return null;
  const { id, json, bytes } = row.output;
  if (new TextEncoder().encode(json).length !== bytes) return null;
  try {
    const event = JSON.parse(json) as Partial<AdEvent> | null;
    return event?.id === id && typeof event.kind === 'string' ? (value as OutboxRow) : null;
  } catch {
    return null;
  }
}

import type { AdEvent } from '../../src/report/AdEvent.js';

/** Finds the events in a file of whatever shape they are kept in; what is no event is left out. */
export function readEvents(text: string): AdEvent[] {
  const events: AdEvent[] = [];
  for (const value of parse(text)) collect(value, events);
  return events;
}

function parse(text: string): unknown[] {
  try {
    return [JSON.parse(text) as unknown];
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown);
  }
}

/** Lists, envelopes, and rows of an export that keep the event as text or as a member. */
function collect(value: unknown, events: AdEvent[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, events);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { kind, id, sessionId } = value as Partial<AdEvent>;
  if (typeof kind === 'string' && typeof id === 'string' && typeof sessionId === 'string') {
    events.push(value as AdEvent);
    return;
  }
  for (const member of Object.values(value)) collect(typeof member === 'string' ? parsed(member) : member, events);
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

import type { Fault } from './FaultPlan.js';

const SWITCHES: Readonly<Record<string, Fault>> = {
  'not-found': { kind: 'status', status: 404 },
  unavailable: { kind: 'status', status: 503, retryAfter: '30' },
  html: { kind: 'html' },
  'no-cors': { kind: 'no-cors' },
  slow: { kind: 'delay', ms: 5000 },
  drip: { kind: 'drip', everyMs: 100 },
  truncate: { kind: 'truncate' },
  drop: { kind: 'drop-before' },
};

/** The fault a single address asks for by `?fault=<name>`: handy in an ad's image address. */
export function faultInQuery(name: string | undefined): Fault | undefined {
  return name !== undefined && Object.hasOwn(SWITCHES, name) ? SWITCHES[name] : undefined;
}

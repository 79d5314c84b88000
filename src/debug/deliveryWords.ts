import type { Delivery } from '../index.js';

const KEPT: Readonly<Record<Delivery['durability'], string>> = {
  disk: 'Kept on disk: what waits outlives this page.',
  memory: 'Kept in memory only: what waits is lost with this page. The browser gives no storage.',
  off: 'Reporting is off: nothing is counted and nothing is paid for.',
};

/** How the reports of a game fare, one line each. */
export function deliveryWords({
  durability,
  ledger,
  isBlocked,
}: Pick<Delivery, 'durability' | 'ledger' | 'isBlocked'>): string[] {
  const { created, accepted, duplicate, rejected, dropped, pending } = ledger;
  const lines = [KEPT[durability]];
  if (durability === 'off') return lines;
  lines.push(`${created} events = ${accepted + duplicate} counted by the service + ${pending} waiting + ${rejected} refused + ${sum(dropped)} given up`); // prettier-ignore
  for (const [why, count] of Object.entries(dropped)) if (count > 0) lines.push(`Given up (${why}): ${count}`);
  if (rejected > 0)
    lines.push('The service has refused events for good. Its clock or its rules differ from this game.');
  if (isBlocked) lines.push('Nothing gets through although the browser is online: an ad blocker, perhaps. Turn it off for this page.'); // prettier-ignore
  return lines;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

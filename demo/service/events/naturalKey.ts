import type { AdEvent } from '../contract.js';

/**
 * What an event is about, beside its id: the n-th event of its kind in its placement. A game that by mistake makes the
 * same event twice, under two ids, is counted once by it. Undefined for events of games that name no placements.
 */
export function naturalKey({ serveId, placementId, kind, ordinal }: AdEvent): string | undefined {
  if (placementId === undefined || ordinal === undefined) return undefined;
  return `${serveId ?? ''}|${placementId}:${kind}:${String(ordinal)}`;
}

import type { AdFact, Declared, SessionFact } from '../report/AdEvent.js';
import { MAX_EVENT_BYTES } from '../report/limits.js';
import { writeJson } from '../writeJson.js';
import type { FriendlyObstruction } from '../meter/FriendlyObstructions.js';
import type { PlacedAd } from './PlacedAd.js';

/** The bytes of an event that the reporter's stamp takes, names and hash included. */
const STAMP_BYTES = 420;

/** At most this many declared obstructions are told one by one. */
const MAX_OBSTRUCTIONS_TOLD = 8;

type Names = Pick<AdFact, 'placementId' | 'adSurfaceId' | 'adId' | 'serveId'>;

/** Names the ad a fact is about. */
export function factOf(
  placedAd: PlacedAd,
  placementId: string,
  fact: SessionFact,
  friendly: readonly FriendlyObstruction[],
): AdFact {
  const names = namesOf(placedAd, placementId);
  const tellsObstructions = friendly.length > 0 && (fact.kind === 'viewable' || fact.kind === 'summary');
  return { ...fact, ...(tellsObstructions ? declared(friendly) : {}), ...names };
}

/** The bytes a fact of an ad may have, so that the reporter still takes the event made of it. */
export function maxFactBytes(
  placedAd: PlacedAd,
  placementId: string,
  friendly: readonly FriendlyObstruction[],
): number {
  const around = writeJson([namesOf(placedAd, placementId), declared(friendly)]);
  return MAX_EVENT_BYTES - STAMP_BYTES - new TextEncoder().encode(around).length;
}

function declared(friendly: readonly FriendlyObstruction[]): Declared {
  const friendlyObstructions = friendly.slice(0, MAX_OBSTRUCTIONS_TOLD);
  const isCut = friendly.length > MAX_OBSTRUCTIONS_TOLD;
  return { friendlyObstructions, ...(isCut ? { friendlyObstructionCount: friendly.length } : {}) };
}

function namesOf(placedAd: PlacedAd, placementId: string): Names {
  const adSurfaceId = placedAd.surface?.adSurfaceId;
  const { adId, serveId } = placedAd.ad ?? {};
  return {
    placementId,
    ...(isName(adSurfaceId) ? { adSurfaceId } : {}),
    ...(isName(adId) ? { adId } : {}),
    ...(isName(serveId) ? { serveId } : {}),
  };
}

/** An ad given to `observe` is the game's own object and may hold anything. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

import { adShapes, type PlacedAd, Reason } from '../index.js';
import { isInUse } from './cameraOf.js';

const REASONS: readonly string[] = [Reason.OBSTRUCTED, Reason.UNMEASURABLE];

/** The HTML that covers each of a game's ads, as a selector names it. Reads the frame no more than once for all of them. */
export function htmlOver(ads: readonly PlacedAd[]): ReadonlyMap<PlacedAd, readonly string[]> {
  const covered = ads.flatMap((ad) => {
    const { camera = null, reasons = [] } = ad.measurement ?? {};
    return isInUse(camera) && reasons.some((reason) => REASONS.includes(reason)) ? [{ ad, camera }] : [];
  });
  const shapes = adShapes(covered.map(({ ad, camera }) => ({ object: ad.sprite, camera })));
  return new Map(covered.map(({ ad }, i) => [ad, namesOfHtml(shapes[i]!.html)]));
}

/** Such as `div#cookie-bar`, each once. */
export function namesOfHtml(elements: readonly Element[]): string[] {
  return [...new Set(elements.map(nameOfHtml))];
}

function nameOfHtml({ tagName, id, classList }: Element): string {
  const name = tagName.toLowerCase();
  // The canvas itself is reported only where it has round corners.
  if (name === 'canvas') return 'canvas (its CSS)';
  return id !== '' ? `${name}#${id}` : classList.length > 0 ? `${name}.${classList[0]!}` : name;
}

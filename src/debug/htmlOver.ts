import { adShapes, type PlacedAd, Reason, type ShapeOf } from '../index.js';
import { isInUse } from './cameraOf.js';

const REASONS: readonly string[] = [Reason.OBSTRUCTED, Reason.UNMEASURABLE];

/** The HTML that covers each of a game's ads, as a selector names it. Reads the frame no more than once for all of them. */
export function htmlOver(ads: readonly PlacedAd[]): ReadonlyMap<PlacedAd, readonly string[]> {
  const covered: PlacedAd[] = [];
  const asked: ShapeOf[] = [];
  for (const ad of ads) {
    const { measurement, sprite } = ad;
    if (
      measurement !== null &&
      isInUse(measurement.camera) &&
      measurement.reasons.some((reason) => REASONS.includes(reason))
    ) {
      covered.push(ad);
      asked.push({ object: sprite, camera: measurement.camera });
    }
  }
  const shapes = adShapes(asked);
  return new Map(covered.map((ad, i) => [ad, namesOfHtml(shapes[i]!.html)]));
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

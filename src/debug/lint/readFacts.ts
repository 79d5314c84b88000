import type * as Phaser from 'phaser';
import { type PlacedAd, Reason, type SpriteMeasurement } from '../../index.js';
import { screenCover } from './screenCover.js';
import { isOutOfBounds } from './isOutOfBounds.js';
import type { PlacementFacts, Size } from './PlacementFacts.js';
import { pictureOf } from './pictureOf.js';
import { nameOf, namesOf } from '../nameOf.js';

/** `Phaser.Scale.ScaleModes.RESIZE`. */
const RESIZE = 5;

/** Whether a frame tells what the player sees of an ad. */
export function isKnown({ measurement }: PlacedAd): boolean {
  if (measurement === null) return false;
  const { reasons } = measurement;
  return !reasons.includes(Reason.UNMEASURABLE) && !reasons.includes(Reason.BACKGROUNDED);
}

/**
 * The facts of one placement, read from the frame drawn last.
 * @param all the ads of its scene
 */
export function readFacts(
  placedAd: PlacedAd,
  all: readonly PlacedAd[],
  screens: readonly Size[],
): Omit<PlacementFacts, 'inViewMs' | 'seen' | 'wasScreenFree'> {
  const { sprite, measurement } = placedAd;
  const { game, scale } = sprite.scene.sys;
  const camera = measurement !== null && isKnown(placedAd) ? measurement.camera : null;
  return {
    frame:
      measurement === null || camera === null
        ? null
        : {
            screenPercentage: measurement.totalScreenPercentage,
            squeezeRatio: measurement.squeezeRatio,
            background: backgroundAbove(placedAd, measurement),
          },
    picture: camera === null ? null : pictureOf(placedAd, camera),
    canvas: { width: game.canvas.width, height: game.canvas.height },
    followsWindow: (scale.scaleMode as number) === RESIZE,
    screens,
    isOutOfBounds: isOutOfBounds(sprite as Phaser.GameObjects.Image),
    twin: twinOf(placedAd, all),
  };
}

/** The name of a background that hides all of an ad; null for none. */
function backgroundAbove(placedAd: PlacedAd, measurement: SpriteMeasurement): string | null {
  if (!(measurement.onScreenArea > 0) || measurement.isVisible) return null;
  const cover = screenCover(placedAd, measurement);
  return cover?.isBackground === true ? namesOf([cover.object])[0]! : null;
}

/** The name of an ad placed earlier that shows the same surface; both are in view. */
function twinOf(placedAd: PlacedAd, all: readonly PlacedAd[]): string | null {
  const surface = placedAd.surface?.adSurfaceId;
  if (surface === undefined || !isInView(placedAd)) return null;
  const earlier = all.slice(0, all.indexOf(placedAd));
  const twin = earlier.find((other) => other.surface?.adSurfaceId === surface && isInView(other));
  return twin === undefined ? null : nameOf(twin);
}

function isInView({ measurement }: PlacedAd): boolean {
  return (measurement?.percentageInView ?? 0) >= 50;
}

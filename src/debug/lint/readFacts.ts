import type * as Phaser from 'phaser';
import { type PlacedAd, Reason, type SpriteMeasurement } from '../../index.js';
import { screenCover } from './screenCover.js';
import type { PlacementFacts, Size } from './PlacementFacts.js';
import { nameOf, namesOf } from '../nameOf.js';

/** `Phaser.Scale.ScaleModes.RESIZE`. */
const RESIZE = 5;

/** Types of objects that show one picture, in the size of that picture times their scale. */
const PICTURES = new Set(['Image', 'Sprite', 'Video']);

type Picture = Phaser.GameObjects.Image & { readonly _crop: Size };

/** Whether a frame tells what the player sees of an ad. */
function isKnown({ reasons }: SpriteMeasurement): boolean {
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
  const camera = measurement !== null && isKnown(measurement) ? measurement.camera : null;
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
  if (measurement.isVisible) return null;
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

/** Whether an object lies where the bounds of the cameras let no camera go. False while a camera has no bounds. */
function isOutOfBounds(object: Phaser.GameObjects.Image): boolean {
  // An object that does not scroll with the world is where the camera is.
  if (!('getBounds' in object) || object.scrollFactorX !== 1 || object.scrollFactorY !== 1) return false;
  const { left, top, right, bottom } = object.getBounds();
  const cameras = object.scene.cameras.cameras.filter(({ id }) => (object.cameraFilter & id) === 0);
  return (
    cameras.length > 0 &&
    cameras.every((camera) => {
      // Phaser's types leave out the angle of a camera. Bounds hold only a camera that is upright.
      const { rotation } = camera as unknown as { readonly rotation: number };
      if (!camera.useBounds || rotation !== 0) return false;
      const bounds = camera.getBounds();
      // A view larger than the bounds shows the surroundings of the bounds.
      if (camera.displayWidth > bounds.width || camera.displayHeight > bounds.height) return false;
      return left >= bounds.right || right <= bounds.left || top >= bounds.bottom || bottom <= bounds.top;
    })
  );
}

/** How a creative is shown through a camera; null for an object that is no picture. */
function pictureOf(placedAd: PlacedAd, camera: Phaser.Cameras.Scene2D.Camera): PlacementFacts['picture'] {
  if (!PICTURES.has(placedAd.sprite.type)) return null;
  const sprite = placedAd.sprite as Picture;
  const frame = sprite.frame as Phaser.Textures.Frame | null;
  if (!(frame !== null && frame.cutWidth > 0 && frame.cutHeight > 0)) return null;
  const { a, b, c, d } = sprite.getWorldTransformMatrix();
  const across = Math.hypot(a * camera.zoomX, b * camera.zoomY);
  const down = Math.hypot(c * camera.zoomX, d * camera.zoomY);
  const least = Math.min(across, down);
  // A picture without a size cannot be seen.
  if (!(least > 0)) return null;
  const most = Math.max(across, down);
  const flips = [a * d < b * c, sprite.flipX, sprite.flipY].filter(Boolean).length;
  return {
    magnification: most,
    distortion: most / least,
    isMirrored: flips % 2 === 1,
    shownShare: cutShare(placedAd, frame) * cropShare(sprite, frame),
  };
}

/** An ad that was placed is all of its texture; one of the game's own may be a frame of an atlas. */
function cutShare({ surface }: PlacedAd, { cutWidth, cutHeight, source }: Phaser.Textures.Frame): number {
  return surface === null ? 1 : (cutWidth * cutHeight) / (source.width * source.height);
}

function cropShare({ isCropped, _crop: crop }: Picture, { cutWidth, cutHeight }: Phaser.Textures.Frame): number {
  return isCropped ? Math.min(1, (crop.width * crop.height) / (cutWidth * cutHeight)) : 1;
}

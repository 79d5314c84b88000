import type * as Phaser from 'phaser';
import type { PlacedAd } from '../../index.js';
import type { PlacementFacts } from './PlacementFacts.js';

/** Types of objects that show one picture, in the size of that picture times their scale. */
const PICTURES = new Set(['Image', 'Sprite', 'Video']);

type Picture = Phaser.GameObjects.Image & { readonly _crop?: Size };
type Size = { readonly width: number; readonly height: number };

/** How a creative is shown through a camera; null for an object that is no picture. */
export function pictureOf(placedAd: PlacedAd, camera: Phaser.Cameras.Scene2D.Camera): PlacementFacts['picture'] {
  if (placedAd.state !== 'shown' || !PICTURES.has(placedAd.sprite.type)) return null;
  const sprite = placedAd.sprite as Picture;
  const frame = sprite.frame as Phaser.Textures.Frame | null;
  if (!(frame !== null && frame.cutWidth > 0 && frame.cutHeight > 0)) return null;
  const { a, b, c, d } = sprite.getWorldTransformMatrix();
  const across = Math.hypot(a, b) * camera.zoomX;
  const down = Math.hypot(c, d) * camera.zoomY;
  const least = Math.min(across, down);
  // A picture without a size cannot be seen.
  if (!(least > 0)) return null;
  const most = Math.max(across, down);
  return { magnification: most, distortion: most / least, shownShare: cutShare(placedAd, frame) * cropShare(sprite, frame) }; // prettier-ignore
}

/** An ad that was placed is all of its texture; one of the game's own may be a frame of an atlas. */
function cutShare({ surface }: PlacedAd, { cutWidth, cutHeight, source }: Phaser.Textures.Frame): number {
  if (surface === null || !(source.width > 0 && source.height > 0)) return 1;
  return Math.min(1, (cutWidth * cutHeight) / (source.width * source.height));
}

function cropShare({ isCropped, _crop: crop }: Picture, { cutWidth, cutHeight }: Phaser.Textures.Frame): number {
  return isCropped && crop !== undefined ? Math.min(1, (crop.width * crop.height) / (cutWidth * cutHeight)) : 1;
}

import type * as Phaser from 'phaser';

import type { CameraInternals, DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { Snap } from '../Pen.js';
import { Rounding, roundingOf, snapOfPart } from './roundPixels.js';
import { scrollFactorX, scrollFactorY } from './scrollFactor.js';
import { tintStrength } from './tint.js';

interface Bob {
  readonly x: number;
  readonly y: number;
  readonly frame: Phaser.Textures.Frame | undefined;
  readonly alpha: number;
  readonly tint: number;
  readonly flipX: boolean;
  readonly flipY: boolean;
}

interface BlitterObject extends DrawnObject {
  /** The bobs drawn last: visible, and not fully transparent. */
  readonly renderList: readonly Bob[];
}

/**
 * A list of frames at places of their own. The Blitter's own scale and rotation are not applied; containers and camera
 * are. Source: `BlitterWebGLRenderer`, `BlitterCanvasRenderer`.
 */
export const readBlitter: ObjectReader<BlitterObject> = (object, context) => {
  const { pen, camera, isWebGL } = context;
  const { alpha, renderList } = object;
  if (renderList.length === 0 || alpha === 0) return;
  if (isWebGL || object.parentContainer === null) {
    pen.transform(object.x, object.y, 0, 1, 1);
  } else {
    // Canvas scrolls within the container instead of around it.
    const scrollX = camera.scrollX * scrollFactorX(object);
    const scrollY = camera.scrollY * scrollFactorY(object);
    pen.transform(object.x - scrollX, object.y - scrollY, 0, 1, 1);
    const { matrix } = camera as unknown as CameraInternals;
    pen.e += matrix.a * scrollX + matrix.c * scrollY;
    pen.f += matrix.b * scrollX + matrix.d * scrollY;
  }
  const near = pen.localInterest();
  const minX = near[0]!;
  const minY = near[1]!;
  const maxX = near[2]!;
  const maxY = near[3]!;
  if (isWebGL && camera.roundPixels) {
    const rounding = roundingOf(camera);
    if (rounding === Rounding.CORNERS) pen.snap = snapOfPart(true, pen.mode);
    else if (rounding !== Rounding.SHADER) pen.snap = Snap.FIRST;
  }
  let opacityBefore = 1;
  for (let i = 0; i < renderList.length; i++) {
    const bob = renderList[i]!;
    const frame = bob.frame;
    if (!frame) continue;
    let opacity = alpha * bob.alpha;
    // Canvas ignores an alpha beyond 1 and draws with the one it had.
    if (!isWebGL && opacity * pen.opacity > 1) opacity = opacityBefore;
    else opacityBefore = opacity;
    const { width, height } = frame;
    // Canvas mirrors the trim offset along with a flipped frame.
    const x = bob.x + (!isWebGL && bob.flipX ? -frame.x : frame.x);
    const y = bob.y + (!isWebGL && bob.flipY ? -frame.y : frame.y);
    if (x > maxX || y > maxY || x + width < minX || y + height < minY) continue;
    pen.texturedQuad(
      x,
      y,
      width,
      height,
      context.alphaMap(frame, isWebGL ? bob.tint : 0xffffff),
      bob.flipX ? 1 : 0,
      bob.flipY ? 1 : 0,
      bob.flipX ? 0 : 1,
      bob.flipY ? 0 : 1,
      opacity * (isWebGL ? tintStrength(pen, bob.tint) : 1),
    );
  }
  pen.snap = Snap.NONE;
};

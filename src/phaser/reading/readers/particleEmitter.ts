import type * as Phaser from 'phaser';

import type { DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { Snap } from '../Pen.js';
import { Rounding, roundingOf, snapOfPart } from './roundPixels.js';
import { tintStrength } from './tint.js';

interface Particle {
  readonly x: number;
  readonly y: number;
  /** Radians. */
  readonly rotation: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly alpha: number;
  readonly tint: number;
  readonly frame: Phaser.Textures.Frame | null;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface ParticleEmitterObject extends DrawnObject {
  readonly alive: readonly Particle[];
  readonly tintFill: boolean;
  /** When set and outside of the camera's view, nothing is drawn at all. */
  readonly viewBounds: Box | null;
}

/** One frame per living particle, about its middle. Source: `ParticleEmitterWebGLRenderer` and its Canvas twin. */
export const readParticleEmitter: ObjectReader<ParticleEmitterObject> = (object, context) => {
  const { pen, camera, isWebGL } = context;
  const { alive, alpha, viewBounds } = object;
  if (alive.length === 0 || (viewBounds && !isTouching(viewBounds, camera.worldView))) return;
  const near = pen.localInterest();
  const minX = near[0]!;
  const minY = near[1]!;
  const maxX = near[2]!;
  const maxY = near[3]!;
  const isRounded = isWebGL && camera.roundPixels && roundingOf(camera) === Rounding.CORNERS;
  pen.snap = snapOfPart(isRounded, pen.mode);
  let opacityBefore = 1;
  for (let i = 0; i < alive.length; i++) {
    const particle = alive[i]!;
    const { x, y, scaleX, scaleY, frame } = particle;
    let opacity = particle.alpha * alpha;
    if (opacity <= 0 || scaleX === 0 || scaleY === 0 || !frame) continue;
    // Canvas ignores what is no number or beyond 1 and draws with the alpha it had.
    if (!isWebGL && !(opacity * pen.opacity <= 1)) opacity = opacityBefore;
    else opacityBefore = opacity;
    const { width, height } = frame;
    // Both half sides together reach beyond the corners at any rotation; halves are rounded down, hence one more.
    const reach = Math.abs(scaleX) * (width / 2 + 1) + Math.abs(scaleY) * (height / 2 + 1);
    if (x - reach > maxX || y - reach > maxY || x + reach < minX || y + reach < minY) continue;
    pen.within(x, y, particle.rotation, scaleX, scaleY);
    const tint = isWebGL ? particle.tint : 0xffffff;
    const strength = isWebGL ? tintStrength(pen, tint, object.tintFill) : 1;
    const map = context.alphaMap(frame, tint, isWebGL && object.tintFill);
    pen.texturedQuad(-frame.halfWidth, -frame.halfHeight, width, height, map, 0, 0, 1, 1, opacity * strength);
  }
  pen.snap = Snap.NONE;
  pen.whole();
};

/** As Phaser has it: empty boxes touch nothing, and a shared edge is a touch. */
function isTouching(a: Box, b: Box): boolean {
  if (a.width <= 0 || a.height <= 0 || b.width <= 0 || b.height <= 0) return false;
  return !(a.x + a.width < b.x || a.y + a.height < b.y || a.x > b.x + b.width || a.y > b.y + b.height);
}

import type * as Phaser from 'phaser';

import type { DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { inFrame } from './textureSpace.js';
import { tintStrength } from './tint.js';

interface SliceVertex {
  readonly vx: number;
  readonly vy: number;
  /** Coordinates in the whole texture. */
  readonly u: number;
  readonly v: number;
}

interface NineSliceObject extends DrawnObject {
  readonly frame: Phaser.Textures.Frame;
  readonly tint: number;
  /** Six to a slice, of which the first and the fifth are opposite corners. */
  readonly vertices: readonly SliceVertex[];
}

/** Three or nine upright textured quads, WebGL only. Source: `NineSliceWebGLRenderer`, `NineSlice.updateQuad`. */
export const readNineSlice: ObjectReader<NineSliceObject> = (object, context) => {
  if (!context.isWebGL) return;
  const { pen } = context;
  const { vertices, frame } = object;
  if (!frame) return;
  const { u0, u1, v0, v1 } = frame;
  const opacity = object.alpha * tintStrength(pen, object.tint);
  for (let i = 0; i + 5 < vertices.length; i += 6) {
    const from = vertices[i]!;
    const to = vertices[i + 4]!;
    const width = to.vx - from.vx;
    const height = to.vy - from.vy;
    if (!pen.reaches(from.vx, from.vy, width, height)) continue;
    pen.texturedQuad(
      from.vx,
      from.vy,
      width,
      height,
      context.alphaMap(frame, object.tint),
      inFrame(from.u, u0, u1),
      inFrame(from.v, v0, v1),
      inFrame(to.u, u0, u1),
      inFrame(to.v, v0, v1),
      opacity,
    );
  }
};

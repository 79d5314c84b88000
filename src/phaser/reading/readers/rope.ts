import type * as Phaser from 'phaser';

import type { DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { inFrame, wrapFlags } from './textureSpace.js';
import { guessUneven, tintStrength } from './tint.js';

interface RopeObject extends DrawnObject {
  readonly frame: Phaser.Textures.Frame;
  /** A triangle strip, x and y alternating. */
  readonly vertices: ArrayLike<number> | undefined;
  /** u and v alternating, in the whole texture. */
  readonly uv: ArrayLike<number> | undefined;
  /** One per vertex, 0xRRGGBB. */
  readonly colors: ArrayLike<number> | undefined;
  /** One per vertex. */
  readonly alphas: ArrayLike<number> | undefined;
}

/** The one pipeline that draws strips (`RopePipeline`). */
const STRIP_PIPELINE = 'RopePipeline';

/** Numbers from one triangle to the next: in a strip they share two corners, any other pipeline takes each corner once. */
const STRIP = 2;
const APART = 6;

/** A strip of textured triangles, WebGL only. Source: `RopeWebGLRenderer`. */
export const readRope: ObjectReader<RopeObject> = (object, context) => {
  const { vertices, uv, colors = [], alphas, frame, alpha, pipeline } = object;
  if (!context.isWebGL || !vertices || !uv || !alphas || !frame) return;
  const { pen } = context;
  const { u0, u1, v0, v1 } = frame;
  guessUneven(pen, colors, alphas);
  const map = context.alphaMap(frame, colors[0]);
  const flags = map === null ? 0 : wrapFlags(frame);
  const step = !pipeline || pipeline.name === STRIP_PIPELINE ? STRIP : APART;
  for (let i = 0; i + 5 < vertices.length; i += step) {
    const vertex = i >> 1;
    pen.texturedTriangle(
      vertices[i]!,
      vertices[i + 1]!,
      inFrame(uv[i]!, u0, u1),
      inFrame(uv[i + 1]!, v0, v1),
      alphas[vertex]! * alpha * tintStrength(pen, colors[vertex]),
      vertices[i + 2]!,
      vertices[i + 3]!,
      inFrame(uv[i + 2]!, u0, u1),
      inFrame(uv[i + 3]!, v0, v1),
      alphas[vertex + 1]! * alpha * tintStrength(pen, colors[vertex + 1]),
      vertices[i + 4]!,
      vertices[i + 5]!,
      inFrame(uv[i + 4]!, u0, u1),
      inFrame(uv[i + 5]!, v0, v1),
      alphas[vertex + 2]! * alpha * tintStrength(pen, colors[vertex + 2]),
      map,
      flags,
    );
  }
};

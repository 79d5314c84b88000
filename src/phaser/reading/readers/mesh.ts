import type * as Phaser from 'phaser';

import type { DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { Blend, type Pen } from '../Pen.js';
import { inFrame, wrapFlags } from './textureSpace.js';
import { guessUneven, tintStrength } from './tint.js';

interface Vertex {
  /** Local position after the mesh's own projection. */
  readonly vx: number;
  readonly vy: number;
  /** Coordinates in the whole texture. */
  readonly tu: number;
  readonly tv: number;
  readonly alpha: number;
  /** 0xRRGGBB. */
  readonly color: number;
}

interface Face {
  readonly vertex1: Vertex;
  readonly vertex2: Vertex;
  readonly vertex3: Vertex;
}

interface MeshObject extends DrawnObject {
  readonly frame: Phaser.Textures.Frame;
  readonly faces: readonly Face[];
  /** Faces that turn away are left out. */
  readonly hideCCW: boolean;
  readonly viewPosition: { readonly z: number };
}

/**
 * Mesh, Plane and rex's quads and perspective cards: projected triangles, WebGL only. The canvas positions that the
 * renderer leaves in each vertex belong to the last camera that drew it, so they are worked out anew.
 * Source: `MeshWebGLRenderer`, `Face.isInView`, `Vertex.update`.
 */
export const readMesh: ObjectReader<MeshObject> = (object, context) => {
  if (!context.isWebGL) return;
  const { pen } = context;
  const { faces, frame, hideCCW, alpha } = object;
  if (faces.length === 0 || !frame) return;
  const { u0, u1, v0, v1 } = frame;
  const facing = object.viewPosition.z <= 0;
  if (pen.blend !== Blend.COVER) guessUnevenFaces(pen, faces);
  const map = context.alphaMap(frame, faces[0]!.vertex1.color);
  const flags = map === null ? 0 : wrapFlags(frame);
  for (let i = 0; i < faces.length; i++) {
    const { vertex1: p, vertex2: q, vertex3: r } = faces[i]!;
    if (p.alpha * alpha <= 0 && q.alpha * alpha <= 0 && r.alpha * alpha <= 0) continue;
    if (hideCCW) {
      const turn = (q.vx - p.vx) * (r.vy - p.vy) - (q.vy - p.vy) * (r.vx - p.vx);
      if (facing ? turn < 0 : turn >= 0) continue;
    }
    pen.texturedTriangle(
      p.vx,
      p.vy,
      inFrame(p.tu, u0, u1),
      inFrame(p.tv, v0, v1),
      p.alpha * alpha * tintStrength(pen, p.color),
      q.vx,
      q.vy,
      inFrame(q.tu, u0, u1),
      inFrame(q.tv, v0, v1),
      q.alpha * alpha * tintStrength(pen, q.color),
      r.vx,
      r.vy,
      inFrame(r.tu, u0, u1),
      inFrame(r.tv, v0, v1),
      r.alpha * alpha * tintStrength(pen, r.color),
      map,
      flags,
    );
  }
};

function guessUnevenFaces(pen: Pen, faces: readonly Face[]): void {
  const vertices = faces.flatMap(({ vertex1, vertex2, vertex3 }) => [vertex1, vertex2, vertex3]);
  guessUneven(
    pen,
    vertices.map(({ color }) => color),
    vertices.map(({ alpha }) => alpha),
  );
}

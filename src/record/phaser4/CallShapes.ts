import { ProgramKind } from '../draws/DrawOp.js';
import type { DrawRecord } from '../frame/DrawRecord.js';
import { type NearQuads, STRIDE } from '../frame/NearQuads.js';
import { CallVertices, QUAD } from './CallVertices.js';
import type { ShaderProgram, TextureWrapper, VertexArray } from './Phaser4Renderer.js';

/** Corners of a quad in its batch. */
export const CORNERS = 4;

/** Indices of a near quad's numbers for one corner; x and y come first. */
const U = 2;
const UNIT = 4;
const EFFECT = 5;
const COLOR = 6;

const WHITE = 0xffffffff;

/** The shapes of one draw call of Phaser 4, whatever its layout, in the form of near quads. */
export class CallShapes extends CallVertices {
  /** Box of the shape last read by {@link readBox}: minX, minY, maxX, maxY. */
  readonly box = new Float64Array(4);
  shownTextures: readonly (TextureWrapper | null)[] = [];
  /** The call draws texture × colour. */
  isPlain = false;
  /** False when the shape that is being kept shows something other than a part of its texture. */
  #isShapeKnown = true;
  /** One shape in the form of a near quad. */
  readonly #shape = new Float32Array(CORNERS * STRIDE);
  readonly #shapeBits = new Uint32Array(this.#shape.buffer);

  constructor(
    private readonly near: NearQuads,
    private readonly record: DrawRecord,
  ) {
    super();
  }

  /** Turns to a draw call. False when it is unknown where the call draws. */
  take(textures: readonly (TextureWrapper | null)[], shader: ShaderProgram, vertices: VertexArray): boolean {
    if (!this.open(shader, vertices, textures.length) || this.program.isInClipSpace) return false;
    const { kind, discards } = this.program;
    this.shownTextures = textures;
    this.isPlain = kind === ProgramKind.TEXTURE && !discards;
    return true;
  }

  override release(): void {
    super.release();
    this.shownTextures = [];
  }

  /** The memory that holds the vertices. */
  get memory(): unknown {
    return this.f32.buffer;
  }

  /** Number of whole vertices in so many bytes. */
  verticesIn(bytes: number): number {
    return ((bytes >> 2) / this.layout.stride) | 0;
  }

  /** True when the indices are those of quads that lie one behind the other. */
  isQuads(first: number, count: number): boolean {
    const { indices } = this;
    if (indices === null || count % QUAD !== 0 || first % QUAD !== 0) return false;
    const base = indices[first]!;
    return this.isQuadStrip(first) && indices[first + count - 1] === base + (CORNERS * count) / QUAD - 1;
  }

  /**
   * The first quad of the vertices `from ≤ v < to` that may touch the rectangle around all ads in the bins; `to` when
   * there is none. Most of a game's quads get no further than this.
   */
  nextNear(from: number, to: number): number {
    const { f32, near } = this;
    const { stride, position } = this.layout;
    if (stride === STRIDE && position === 0 && near.holds(f32)) return near.next(from, to);
    const { rectangle } = near.bins;
    const minX = rectangle[0]!;
    const minY = rectangle[1]!;
    const maxX = rectangle[2]!;
    const maxY = rectangle[3]!;
    let a = from * stride + position;
    for (let v = from; v < to; v += CORNERS, a += CORNERS * stride) {
      const b = a + stride;
      const c = b + stride;
      const d = c + stride;
      const x = f32[a]!;
      if (x <= minX) {
        if (f32[b]! <= minX && f32[c]! <= minX && f32[d]! <= minX) continue;
      } else if (x >= maxX && f32[b]! >= maxX && f32[c]! >= maxX && f32[d]! >= maxX) continue;
      const y = f32[a + 1]!;
      if (y <= minY) {
        if (f32[b + 1]! <= minY && f32[c + 1]! <= minY && f32[d + 1]! <= minY) continue;
      } else if (y >= maxY && f32[b + 1]! >= maxY && f32[c + 1]! >= maxY && f32[d + 1]! >= maxY) continue;
      return v;
    }
    return to;
  }

  /** Notes in {@link box} where a quad is, or a triangle whose fourth vertex is −1. */
  readBox(a: number, b: number, c: number, d: number): void {
    const { box } = this;
    box[0] = box[1] = Infinity;
    box[2] = box[3] = -Infinity;
    this.#widen(a);
    this.#widen(b);
    this.#widen(c);
    if (d >= 0) this.#widen(d);
  }

  #widen(vertex: number): void {
    const { box, f32 } = this;
    const { stride, position } = this.layout;
    const at = vertex * stride + position;
    const x = f32[at]!;
    const y = f32[at + 1]!;
    if (x < box[0]!) box[0] = x;
    if (y < box[1]!) box[1] = y;
    if (x > box[2]!) box[2] = x;
    if (y > box[3]!) box[3] = y;
  }

  /**
   * Keeps a quad, or a triangle whose fourth vertex is −1, as a near quad.
   * @param ads the ads it may touch
   */
  keep(a: number, b: number, c: number, d: number, ads: number, state: number): void {
    const { near, record, shownTextures } = this;
    const isTriangle = d < 0;
    this.#isShapeKnown = true;
    // In order around the shape: Phaser batches a quad as bottom left, top left, bottom right, top right.
    this.#write(0, isTriangle ? a : b);
    this.#write(1, isTriangle ? b : a);
    this.#write(2, c);
    this.#write(3, isTriangle ? c : d);
    const quad = near.write(this.#shapeBits, ads, isTriangle);
    record.setQuad(quad, this.#isShapeKnown ? (shownTextures[this.#shape[UNIT]!] ?? null) : null, state);
  }

  /** Writes a corner in the form of a near quad's. */
  #write(corner: number, vertex: number): void {
    const { f32, u32 } = this;
    const shape = this.#shape;
    const shapeBits = this.#shapeBits;
    const { wraps } = this.program;
    const { stride, position, texCoord, tint, frame } = this.layout;
    const at = vertex * stride;
    const to = corner * STRIDE;
    shapeBits[to] = u32[at + position]!;
    shapeBits[to + 1] = u32[at + position + 1]!;
    let u = texCoord < 0 ? 0 : f32[at + texCoord]!;
    let v = texCoord < 0 ? 0 : f32[at + texCoord + 1]!;
    if (frame >= 0 && wraps) {
      // Beyond its edge the frame repeats.
      if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) this.#isShapeKnown = false;
      u = f32[at + frame]! + u * f32[at + frame + 2]!;
      v = f32[at + frame + 1]! + v * f32[at + frame + 3]!;
    }
    shape[to + U] = u;
    shape[to + U + 1] = v;
    shape[to + UNIT] = this.unitAt(at);
    shape[to + EFFECT] = this.effectAt(at);
    shapeBits[to + COLOR] = tint < 0 ? WHITE : u32[at + tint]!;
  }
}

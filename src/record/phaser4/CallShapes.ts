import { ProgramKind } from '../DrawOp.js';
import type { DrawRecord } from '../DrawRecord.js';
import { type NearQuads, STRIDE } from '../NearQuads.js';
import { CallVertices, QUAD } from './CallVertices.js';
import type { ShaderProgram, TextureWrapper, VertexArray } from './Phaser4Renderer.js';

/** Corners of a quad in its batch. */
export const CORNERS = 4;

/** Of a corner's numbers in an entry, apart from x and y, which come first. */
const U = 2;
const UNIT = 4;
const EFFECT = 5;
const COLOR = 6;

const WHITE = 0xffffffff;

/** The shapes of one draw call of Phaser 4, whatever its layout, in the form the entries of a record have. */
export class CallShapes extends CallVertices {
  /** Of the shape last asked for: minX, minY, maxX, maxY. */
  readonly box = new Float64Array(4);
  shownTextures: readonly (TextureWrapper | null)[] = [];
  /** It draws texture × colour. */
  isPlain = false;
  /** What the shape that is kept shows of its texture is no part of it. */
  private isShapeKnown = true;
  /** One shape in the form of an entry. */
  private readonly shape = new Float32Array(CORNERS * STRIDE);
  private readonly shapeBits = new Uint32Array(this.shape.buffer);

  constructor(
    private readonly near: NearQuads,
    private readonly record: DrawRecord,
  ) {
    super();
  }

  /** From now on it is about this call. False where nobody knows where it draws. */
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

  /** The indices are those of quads that lie one behind the other. */
  isQuads(first: number, count: number): boolean {
    const { indices } = this;
    if (indices === null || count % QUAD !== 0 || first % QUAD !== 0) return false;
    const base = indices[first]!;
    return this.isQuadStrip(first) && indices[first + count - 1] === base + (CORNERS * count) / QUAD - 1;
  }

  /** True when all of a quad's vertices are on one side of a rectangle. */
  isBeside(vertex: number, rectangle: Float32Array): boolean {
    const { f32 } = this;
    const { stride, position } = this.layout;
    const a = vertex * stride + position;
    const b = a + stride;
    const c = b + stride;
    const d = c + stride;
    for (let axis = 0; axis < 2; axis++) {
      const min = rectangle[axis]!;
      const max = rectangle[2 + axis]!;
      const first = f32[a + axis]!;
      const isOut =
        first <= min
          ? f32[b + axis]! <= min && f32[c + axis]! <= min && f32[d + axis]! <= min
          : first >= max && f32[b + axis]! >= max && f32[c + axis]! >= max && f32[d + axis]! >= max;
      if (isOut) return true;
    }
    return false;
  }

  /** Notes in {@link box} where a quad is, or a triangle whose fourth vertex is −1. */
  readBox(a: number, b: number, c: number, d: number): void {
    const { box } = this;
    box[0] = box[1] = Infinity;
    box[2] = box[3] = -Infinity;
    this.widen(a);
    this.widen(b);
    this.widen(c);
    if (d >= 0) this.widen(d);
  }

  private widen(vertex: number): void {
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
   * Keeps such a shape as an entry.
   * @param ads the ads it may touch
   */
  keep(a: number, b: number, c: number, d: number, ads: number, state: number): void {
    const { near, record, shownTextures } = this;
    const isTriangle = d < 0;
    this.isShapeKnown = true;
    // In order around: a quad's are batched as bottom left, top left, bottom right, top right.
    this.write(0, isTriangle ? a : b);
    this.write(1, isTriangle ? b : a);
    this.write(2, c);
    this.write(3, isTriangle ? c : d);
    const entry = near.write(this.shapeBits, ads, isTriangle);
    record.setEntry(entry, this.isShapeKnown ? (shownTextures[this.shape[UNIT]!] ?? null) : null, state);
  }

  /** Writes a corner in the form of an entry's. */
  private write(corner: number, vertex: number): void {
    const { f32, u32, shape, shapeBits } = this;
    const { wraps } = this.program;
    const { stride, position, texCoord, tint, frame } = this.layout;
    const at = vertex * stride;
    const to = corner * STRIDE;
    shapeBits[to] = u32[at + position]!;
    shapeBits[to + 1] = u32[at + position + 1]!;
    let u = texCoord < 0 ? 0 : f32[at + texCoord]!;
    let v = texCoord < 0 ? 0 : f32[at + texCoord + 1]!;
    if (frame >= 0 && wraps) {
      // Beyond the frame it goes on from the other side.
      if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) this.isShapeKnown = false;
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

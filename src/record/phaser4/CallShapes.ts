import { IGNORES_TEXTURE, ProgramKind, TINT_FILLS } from '../DrawOp.js';
import type { DrawRecord } from '../DrawRecord.js';
import { type NearQuads, STRIDE } from '../NearQuads.js';
import type { ShaderProgram, TextureWrapper, VertexArray } from './Phaser4Renderer.js';
import { layoutOf, type Program, programOf, type VertexLayout } from './programs.js';
import { isQuadStrip, MULTIPLY, QUAD } from './VertexShapes.js';

/** Corners of a quad in its batch. */
export const CORNERS = 4;

/** Of a corner's numbers in an entry, apart from x and y, which come first. */
const U = 2;
const UNIT = 4;
const EFFECT = 5;
const COLOR = 6;

const WHITE = 0xffffffff;

const NO_NUMBERS = new Float32Array(0);
const NO_BITS = new Uint32Array(0);

/** The shapes of one draw call of Phaser 4, whatever its layout, in the form the entries of a record have. */
export class CallShapes {
  /** Of the shape last asked for: minX, minY, maxX, maxY. */
  readonly box = new Float64Array(4);
  shownTextures: readonly (TextureWrapper | null)[] = [];
  /** It draws texture × colour. */
  isPlain = false;
  private program: Program | null = null;
  private layout: VertexLayout | null = null;
  private f32: Float32Array = NO_NUMBERS;
  private u32: Uint32Array = NO_BITS;
  private indices: Uint16Array | null = null;
  /** What the shape that is kept shows of its texture is no part of it. */
  private isShapeKnown = true;
  /** One shape in the form of an entry. */
  private readonly shape = new Float32Array(CORNERS * STRIDE);
  private readonly shapeBits = new Uint32Array(this.shape.buffer);

  constructor(
    private readonly near: NearQuads,
    private readonly record: DrawRecord,
  ) {}

  /** From now on it is about this call. False where nobody knows where it draws. */
  take(textures: readonly (TextureWrapper | null)[], shader: ShaderProgram, vertices: VertexArray): boolean {
    const program = programOf(shader);
    const layout = layoutOf(vertices);
    const { kind, isInClipSpace, discards } = program;
    if (layout === null || isInClipSpace || kind === ProgramKind.ANYWHERE) return false;
    const { buffer } = vertices.attributeBufferLayouts[0]!;
    this.program = program;
    this.layout = layout;
    this.f32 = buffer.viewF32;
    this.u32 = buffer.viewU32;
    this.indices = vertices.indexBuffer?.viewU16 ?? null;
    this.shownTextures = textures;
    this.isPlain = kind === ProgramKind.TEXTURE && !discards;
    return true;
  }

  release(): void {
    this.program = this.layout = this.indices = null;
    this.f32 = NO_NUMBERS;
    this.u32 = NO_BITS;
    this.shownTextures = [];
  }

  /** The indices are those of quads that lie one behind the other. */
  isQuads(first: number, count: number): boolean {
    const { indices } = this;
    if (indices === null || count % QUAD !== 0 || first % QUAD !== 0) return false;
    const base = indices[first]!;
    return isQuadStrip(indices, first) && indices[first + count - 1] === base + (CORNERS * count) / QUAD - 1;
  }

  vertexAt(i: number): number {
    return this.indices === null ? i : this.indices[i]!;
  }

  /** True when all of a quad's vertices are on one side of a rectangle. */
  isBeside(vertex: number, rectangle: Float32Array): boolean {
    const { f32 } = this;
    const { stride, position } = this.layout!;
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
    const { stride, position } = this.layout!;
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
    const { isOfOneTexture, wraps } = this.program!;
    const { stride, position, texCoord, unit, effect, hasPackedEffect, tint, frame } = this.layout!;
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
    shape[to + UNIT] = unit < 0 || isOfOneTexture || this.shownTextures.length < 2 ? 0 : f32[at + unit]!;
    const mode = effect < 0 ? MULTIPLY : hasPackedEffect ? u32[at + effect]! >>> 24 : f32[at + effect]!;
    shape[to + EFFECT] = texCoord < 0 ? IGNORES_TEXTURE : mode === MULTIPLY ? 0 : TINT_FILLS;
    shapeBits[to + COLOR] = tint < 0 ? WHITE : u32[at + tint]!;
  }
}

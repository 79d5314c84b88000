import { IGNORES_TEXTURE, ProgramKind, TINT_ADDS, TINT_MIXES, TINT_REPLACES } from '../draws/DrawOp.js';
import type { ShaderProgram, VertexArray } from './Phaser4Renderer.js';
import { layoutOf, type Program, programOf, type VertexLayout } from './programs.js';

/** Indices of a quad within a strip: its first and its last vertex are there twice, so that it joins the next. */
export const QUAD = 6;

/** How a tint works (`Phaser.TintModes`). */
const MULTIPLY = 0;
const FILL = 1;
const ADD = 2;

const NO_NUMBERS = new Float32Array(0);
const NO_BITS = new Uint32Array(0);

/** The vertices of one draw call of Phaser 4, whatever their layout. */
export class CallVertices {
  protected program!: Program;
  layout!: VertexLayout;
  f32: Float32Array = NO_NUMBERS;
  u32: Uint32Array = NO_BITS;
  protected indices: Uint16Array | null = null;
  #textureCount = 0;

  /** Turns to a draw call. False when it is unknown where the call draws. */
  open(shader: ShaderProgram, vertices: VertexArray, textureCount: number): boolean {
    const program = programOf(shader);
    const layout = layoutOf(vertices);
    if (layout === null || program.kind === ProgramKind.ANYWHERE) return false;
    const { buffer } = vertices.attributeBufferLayouts[0]!;
    this.program = program;
    this.layout = layout;
    this.f32 = buffer.viewF32;
    this.u32 = buffer.viewU32;
    this.indices = vertices.indexBuffer?.viewU16 ?? null;
    this.#textureCount = textureCount;
    return true;
  }

  release(): void {
    this.f32 = NO_NUMBERS;
    this.u32 = NO_BITS;
    this.indices = null;
  }

  vertexAt(i: number): number {
    return this.indices === null ? i : this.indices[i]!;
  }

  /** True when the six indices from `i` on are those of a quad: its first vertex twice, its last twice. */
  protected isQuadStrip(i: number): boolean {
    const { indices } = this;
    if (indices === null) return false;
    return indices[i] === indices[i + 1] && indices[i + 4] === indices[i + 5] && indices[i + 3] !== indices[i + 2];
  }

  /** Texture unit of the vertex whose numbers begin at `at`, and how its tint works. */
  unitAt(at: number): number {
    const { unit } = this.layout;
    return unit < 0 || this.program.isOfOneTexture || this.#textureCount < 2 ? 0 : this.f32[at + unit]!;
  }

  effectAt(at: number): number {
    const { effect, hasPackedEffect, texCoord } = this.layout;
    if (texCoord < 0) return IGNORES_TEXTURE;
    if (effect < 0) return 0;
    const mode = hasPackedEffect ? this.u32[at + effect]! >>> 24 : this.f32[at + effect]!;
    if (mode === MULTIPLY) return 0;
    return mode === FILL ? TINT_REPLACES : mode === ADD ? TINT_ADDS : TINT_MIXES;
  }
}

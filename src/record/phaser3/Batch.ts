import { type DrawnVertices, meets, readShape, type VertexLayout } from '../draws/DrawnVertices.js';
import type { Shape } from '../draws/DrawOp.js';
import { ProgramKind } from '../draws/DrawOp.js';
import type { ScreenWindow } from '../draws/FrameRecorder.js';
import type { Program } from './programs.js';
import { uniformOf } from './programs.js';

/** Vertices of a quad: two triangles. */
const QUAD = 6;

/** The vertices a call draws from. */
export class Batch implements DrawnVertices {
  /** False when it is unknown what lies in the buffer. */
  readonly isReadable: boolean;
  readonly f32: Float32Array;
  readonly u32: Uint32Array;
  readonly layout: VertexLayout;

  /** @param rounds the program puts each vertex on a whole pixel */
  constructor(
    private readonly gl: WebGLRenderingContext,
    readonly program: Program,
    readonly bytes: Uint8Array | null,
    readonly viewport: readonly number[],
    readonly toTarget: Float64Array,
    readonly rounds: boolean,
  ) {
    this.layout = program.layout;
    const { position, stride } = this.layout;
    this.isReadable = bytes !== null && bytes.byteOffset % 4 === 0 && stride > 0 && position >= 0;
    const { buffer, byteOffset, byteLength } = this.isReadable ? bytes! : NOTHING;
    this.f32 = new Float32Array(buffer, byteOffset, byteLength >> 2);
    this.u32 = new Uint32Array(buffer, byteOffset, byteLength >> 2);
  }

  /**
   * The shapes of `count` vertices from `first` on.
   * @param window only shapes that meet it; null for all
   */
  list(first: number, count: number, isStrip: boolean, window: ScreenWindow | null): Shape[] {
    const shapes: Shape[] = [];
    const end = first + count;
    for (let v = first; v + 2 < end;) {
      const isQuad = !isStrip && v + QUAD <= end && this.#isTwice(v, v + 3) && this.#isTwice(v + 2, v + 4);
      const corners = isQuad ? [v, v + 1, v + 2, v + 5] : [v, v + 1, v + 2];
      if (window === null || meets(this, corners, window)) shapes.push(readShape(this, corners));
      v += isStrip ? 1 : isQuad ? QUAD : 3;
    }
    return shapes;
  }

  get lightZoom(): number | null {
    const { gl, program } = this;
    return program.kind === ProgramKind.POINT_LIGHT ? (uniformOf(gl, program, 'uCameraZoom') as number) : null;
  }

  unitAt(at: number): number {
    return this.layout.unit < 0 ? 0 : this.f32[at + this.layout.unit]!;
  }

  effectAt(at: number): number {
    return this.layout.effect < 0 ? 0 : this.f32[at + this.layout.effect]!;
  }

  /** True when two vertices are the same corner. */
  #isTwice(v: number, w: number): boolean {
    const { f32, u32 } = this;
    const { stride, position, tint } = this.layout;
    const one = v * stride;
    const other = w * stride;
    return (
      f32[one + position] === f32[other + position] &&
      f32[one + position + 1] === f32[other + position + 1] &&
      (tint < 0 || u32[one + tint] === u32[other + tint])
    );
  }
}

const NOTHING = new Uint8Array(0);

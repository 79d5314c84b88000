import type { Shape } from '../DrawOp.js';
import { ProgramKind } from '../DrawOp.js';
import type { ScreenWindow } from '../FrameRecorder.js';
import type { Program } from './programs.js';
import { uniformOf } from './programs.js';

/** Vertices of a quad: two triangles. */
export const QUAD = 6;

/** The vertices a call draws from. */
export class Batch {
  /** False when it is unknown what lies in the buffer. */
  readonly isReadable: boolean;
  private readonly f32: Float32Array;
  private readonly u32: Uint32Array;

  /**
   * @param toWindow matrix from positions to pixels of the render target: x = a·x + b·y + c, then y
   * @param rounds the program puts each vertex on a whole pixel
   */
  constructor(
    private readonly gl: WebGLRenderingContext,
    readonly program: Program,
    readonly bytes: Uint8Array | null,
    readonly viewport: readonly number[],
    private readonly toWindow: Float64Array,
    private readonly rounds: boolean,
  ) {
    const { layout } = program;
    this.isReadable = bytes !== null && bytes.byteOffset % 4 === 0 && layout.stride > 0 && layout.position >= 0;
    const { buffer, byteOffset, byteLength } = this.isReadable ? bytes! : NOTHING;
    this.f32 = new Float32Array(buffer, byteOffset, byteLength >> 2);
    this.u32 = new Uint32Array(buffer, byteOffset, byteLength >> 2);
  }

  /** True when the six vertices from v on are the two triangles of a quad. */
  isQuad(v: number, indices: Uint16Array | null): boolean {
    return indices === null && this.isTwice(v, v + 3) && this.isTwice(v + 2, v + 4);
  }

  /** True when two vertices are the same corner. */
  private isTwice(v: number, w: number): boolean {
    const { f32, u32 } = this;
    const { stride, position, tint } = this.program.layout;
    const one = v * stride;
    const other = w * stride;
    return (
      f32[one + position] === f32[other + position] &&
      f32[one + position + 1] === f32[other + position + 1] &&
      (tint < 0 || u32[one + tint] === u32[other + tint])
    );
  }

  /** Whether the box of a shape meets a window. */
  touches(
    v: number,
    isQuad: boolean,
    indices: Uint16Array | null,
    { left, bottom, right, top }: ScreenWindow,
  ): boolean {
    const { f32, toWindow } = this;
    const [ax, bx, cx, ay, by, cy] = toWindow as unknown as [number, number, number, number, number, number];
    const { stride, position } = this.program.layout;
    let isLeft = true;
    let isRight = true;
    let isBelow = true;
    let isAbove = true;
    const corners = isQuad ? QUAD : 3;
    for (let i = 0; i < corners; i++) {
      const at = (indices === null ? v + i : indices[v + i]!) * stride + position;
      const x = ax * f32[at]! + bx * f32[at + 1]! + cx;
      const y = ay * f32[at]! + by * f32[at + 1]! + cy;
      if (!(x < left)) isLeft = false;
      if (!(x > right)) isRight = false;
      if (!(y < bottom)) isBelow = false;
      if (!(y > top)) isAbove = false;
    }
    return !isLeft && !isRight && !isBelow && !isAbove;
  }

  /** A quad or triangle from vertex v on. */
  shape(v: number, isQuad: boolean, indices: Uint16Array | null): Shape {
    const { f32, u32, rounds } = this;
    const { stride, position, texCoord, unit, effect, tint, lightPosition } = this.program.layout;
    const corners = isQuad ? QUAD_CORNERS : TRIANGLE_CORNERS;
    const length = corners.length;
    const xy = new Float64Array(2 * length);
    const uv = new Float64Array(2 * length);
    const colors = new Uint32Array(length).fill(0xffffffff);
    let first = 0;
    for (let i = 0; i < length; i++) {
      const vertex = v + corners[i]!;
      const at = (indices === null ? vertex : indices[vertex]!) * stride;
      if (i === 0) first = at;
      xy[2 * i] = this.windowX(f32[at + position]!, f32[at + position + 1]!);
      xy[2 * i + 1] = this.windowY(f32[at + position]!, f32[at + position + 1]!);
      if (rounds) {
        xy[2 * i] = Math.floor(xy[2 * i]! + 0.5);
        xy[2 * i + 1] = Math.floor(xy[2 * i + 1]! + 0.5);
      }
      if (texCoord >= 0) {
        uv[2 * i] = f32[at + texCoord]!;
        uv[2 * i + 1] = f32[at + texCoord + 1]!;
      }
      if (tint >= 0) colors[i] = u32[at + tint]!;
    }
    return {
      xy,
      uv,
      colors,
      unit: unit < 0 ? 0 : f32[first + unit]!,
      effect: effect < 0 ? 0 : f32[first + effect]!,
      light: lightPosition < 0 ? null : this.lightAt(first),
    };
  }

  private windowX(x: number, y: number): number {
    const { toWindow } = this;
    return toWindow[0]! * x + toWindow[1]! * y + toWindow[2]!;
  }

  private windowY(x: number, y: number): number {
    const { toWindow } = this;
    return toWindow[3]! * x + toWindow[4]! * y + toWindow[5]!;
  }

  private lightAt(at: number): Shape['light'] {
    const { f32, gl, program } = this;
    if (program.kind !== ProgramKind.POINT_LIGHT) return null;
    const { lightPosition, lightRadius, lightAttenuation, lightColor } = program.layout;
    const x = f32[at + lightPosition]!;
    const y = f32[at + lightPosition + 1]!;
    const alpha = f32[at + lightColor + 3]!;
    return {
      x: this.windowX(x, y),
      y: this.windowY(x, y),
      radius: f32[at + lightRadius]! * (uniformOf(gl, program, 'uCameraZoom') as number),
      attenuation: f32[at + lightAttenuation]!,
      red: f32[at + lightColor]! * alpha,
      green: f32[at + lightColor + 1]! * alpha,
      blue: f32[at + lightColor + 2]! * alpha,
    };
  }
}

const NOTHING = new Uint8Array(0);

/** The corners among the vertices of a quad and of a triangle, in order around. */
const QUAD_CORNERS = [0, 1, 2, 5];
const TRIANGLE_CORNERS = [0, 1, 2];

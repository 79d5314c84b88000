import { IGNORES_TEXTURE, type PointLight, ProgramKind, type Shape, TINT_FILLS, TINT_MIXES } from '../DrawOp.js';
import type { ScreenWindow } from '../FrameRecorder.js';
import type { ShaderProgram, VertexArray } from './Phaser4Renderer.js';
import { type Program, uniformOf, type VertexLayout } from './programs.js';

/** `gl.TRIANGLES`; everything else Phaser draws as strips. */
export const TRIANGLES = 4;

/** Indices of a quad within a strip: its first and its last vertex are there twice, so that it joins the next. */
export const QUAD = 6;

/** How a tint works (`Phaser.TintModes`). */
export const MULTIPLY = 0;
const FILL = 1;

/** The quads and triangles of one draw call. */
export class VertexShapes {
  private readonly f32: Float32Array;
  private readonly u32: Uint32Array;

  constructor(
    private readonly program: Program,
    private readonly shader: ShaderProgram,
    private readonly layout: VertexLayout,
    { attributeBufferLayouts: [vertices], indexBuffer }: VertexArray,
    private readonly width: number,
    private readonly height: number,
    private readonly textureCount: number,
  ) {
    this.f32 = vertices!.buffer.viewF32;
    this.u32 = vertices!.buffer.viewU32;
    this.indices = indexBuffer?.viewU16 ?? null;
  }

  private readonly indices: Uint16Array | null;

  /**
   * Adds to a list what was drawn with so many indices from one on.
   * @param window only what meets this; null for all
   */
  take(first: number, count: number, topology: number | undefined, window: ScreenWindow | null, to: Shape[]): void {
    const { indices } = this;
    const at = (i: number): number => (indices === null ? i : indices[i]!);
    const end = first + count;
    const add = (...corners: number[]): void => {
      if (window === null || this.touches(corners, window)) to.push(this.shape(corners));
    };
    if (topology === TRIANGLES) {
      for (let i = first; i + 2 < end; i += 3) add(at(i), at(i + 1), at(i + 2));
      return;
    }
    if (count === 4) {
      add(at(first + 1), at(first), at(first + 2), at(first + 3));
      return;
    }
    if (indices !== null && count % QUAD === 0 && isQuadStrip(indices, first)) {
      for (let i = first; i < end; i += QUAD) add(at(i + 2), at(i), at(i + 3), at(i + 4));
      return;
    }
    for (let i = first; i + 2 < end; i++) {
      const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
      if (a !== b && b !== c && a !== c) add(a, b, c);
    }
  }

  private touches(corners: readonly number[], { left, bottom, right, top }: ScreenWindow): boolean {
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const corner of corners) {
      const x = this.x(corner);
      const y = this.y(corner);
      // Not-a-number is near: it may be anything.
      if (!(x >= minX)) minX = x;
      if (!(x <= maxX)) maxX = x;
      if (!(y >= minY)) minY = y;
      if (!(y <= maxY)) maxY = y;
    }
    return !(maxX < left || minX > right || maxY < bottom || minY > top);
  }

  private shape(corners: readonly number[]): Shape {
    const { f32, u32, layout } = this;
    const { stride, texCoord, tint, frame } = layout;
    const length = corners.length;
    const xy = new Float64Array(2 * length);
    const uv = new Float64Array(2 * length);
    const colors = new Uint32Array(length).fill(0xffffffff);
    corners.forEach((corner, i) => {
      const at = corner * stride;
      xy[2 * i] = this.x(corner);
      xy[2 * i + 1] = this.y(corner);
      if (texCoord >= 0) {
        uv[2 * i] = f32[at + texCoord]!;
        uv[2 * i + 1] = f32[at + texCoord + 1]!;
      }
      if (tint >= 0) colors[i] = u32[at + tint]!;
    });
    const first = corners[0]! * stride;
    const shape = { xy, uv, colors, unit: this.unit(first), effect: this.effect(first), light: this.light(first) };
    if (frame < 0 || !this.program.wraps) return shape;
    const [x, y, width, height] = f32.subarray(first + frame, first + frame + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    if (uv.some((part) => part < 0 || part > 1)) return { ...shape, tile: Float64Array.of(x, y, width, height) };
    for (let i = 0; i < uv.length; i += 2) {
      uv[i] = x + uv[i]! * width;
      uv[i + 1] = y + uv[i + 1]! * height;
    }
    return shape;
  }

  /** In pixels of what is drawn on, from the bottom left. */
  private x(corner: number): number {
    const x = this.f32[corner * this.layout.stride + this.layout.position]!;
    return this.program.isInClipSpace ? ((x + 1) / 2) * this.width : x;
  }

  private y(corner: number): number {
    const y = this.f32[corner * this.layout.stride + this.layout.position + 1]!;
    return this.program.isInClipSpace ? ((y + 1) / 2) * this.height : this.height - y;
  }

  private unit(at: number): number {
    const { unit } = this.layout;
    return unit < 0 || this.program.isOfOneTexture || this.textureCount < 2 ? 0 : this.f32[at + unit]!;
  }

  private effect(at: number): number {
    const { effect, hasPackedEffect, texCoord } = this.layout;
    if (texCoord < 0) return IGNORES_TEXTURE;
    if (effect < 0) return 0;
    const mode = hasPackedEffect ? this.u32[at + effect]! >>> 24 : this.f32[at + effect]!;
    return mode === MULTIPLY ? 0 : mode === FILL ? TINT_FILLS : TINT_MIXES;
  }

  private light(at: number): PointLight | null {
    const { program, shader, f32, height, layout } = this;
    const { lightPosition, lightRadius, lightAttenuation, lightColor } = layout;
    if (program.kind !== ProgramKind.POINT_LIGHT || lightPosition < 0) return null;
    const alpha = f32[at + lightColor + 3]!;
    return {
      x: f32[at + lightPosition]!,
      y: height - f32[at + lightPosition + 1]!,
      radius: f32[at + lightRadius]! * (uniformOf(shader, 'uCameraZoom') as number),
      attenuation: f32[at + lightAttenuation]!,
      red: f32[at + lightColor]! * alpha,
      green: f32[at + lightColor + 1]! * alpha,
      blue: f32[at + lightColor + 2]! * alpha,
    };
  }
}

/** True where six indices are those of a quad: its first vertex twice, its last twice. */
export function isQuadStrip(indices: Uint16Array, i: number): boolean {
  return indices[i] === indices[i + 1] && indices[i + 4] === indices[i + 5] && indices[i + 3] !== indices[i + 2];
}

/** What covers all of a viewport, with all of its texture. */
export function wholeShape([x, y, width, height]: readonly number[]): Shape {
  return {
    xy: Float64Array.of(x!, y!, x! + width!, y!, x! + width!, y! + height!, x!, y! + height!),
    uv: Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1),
    colors: new Uint32Array(4).fill(0xffffffff),
    unit: 0,
    effect: 0,
    light: null,
  };
}

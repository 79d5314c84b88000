import { type PointLight, ProgramKind, type Shape } from '../DrawOp.js';
import type { ScreenWindow } from '../FrameRecorder.js';
import { CallVertices, QUAD } from './CallVertices.js';
import type { DrawingContext, ShaderProgram, VertexArray } from './Phaser4Renderer.js';
import { uniformOf } from './programs.js';

/** `gl.TRIANGLES`; everything else Phaser draws as strips. */
export const TRIANGLES = 4;

/** The quads and triangles of one draw call. */
export class VertexShapes extends CallVertices {
  private shader!: ShaderProgram;
  private width = 0;
  private height = 0;

  /** Turns to a draw call. False when it is unknown where the call draws. */
  take({ width, height }: DrawingContext, shader: ShaderProgram, vertices: VertexArray, textureCount: number): boolean {
    this.shader = shader;
    this.width = width;
    this.height = height;
    return this.open(shader, vertices, textureCount);
  }

  /**
   * The shapes drawn with `count` indices from `first` on.
   * @param window only shapes that meet it; null for all
   */
  list(first: number, count: number, topology: number | undefined, window: ScreenWindow | null): Shape[] {
    const to: Shape[] = [];
    const at = (i: number): number => this.vertexAt(i);
    const end = first + count;
    const add = (...corners: number[]): void => {
      if (window === null || this.touches(corners, window)) to.push(this.shape(corners));
    };
    if (topology === TRIANGLES) {
      for (let i = first; i + 2 < end; i += 3) add(at(i), at(i + 1), at(i + 2));
      return to;
    }
    if (count === 4) {
      add(at(first + 1), at(first), at(first + 2), at(first + 3));
      return to;
    }
    if (count % QUAD === 0 && this.isQuadStrip(first)) {
      for (let i = first; i < end; i += QUAD) add(at(i + 2), at(i), at(i + 3), at(i + 4));
      return to;
    }
    for (let i = first; i + 2 < end; i++) {
      const [a, b, c] = [at(i), at(i + 1), at(i + 2)];
      if (a !== b && b !== c && a !== c) add(a, b, c);
    }
    return to;
  }

  private touches(corners: readonly number[], { left, bottom, right, top }: ScreenWindow): boolean {
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const corner of corners) {
      const x = this.x(corner);
      const y = this.y(corner);
      // NaN counts as near: it may be anywhere.
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
    const shape = { xy, uv, colors, unit: this.unitAt(first), effect: this.effectAt(first), light: this.light(first) };
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

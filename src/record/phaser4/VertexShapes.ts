import { type DrawnVertices, meets, readShape } from '../draws/DrawnVertices.js';
import { ProgramKind, type Shape } from '../draws/DrawOp.js';
import type { ScreenWindow } from '../draws/FrameRecorder.js';
import { CallVertices, QUAD } from './CallVertices.js';
import type { DrawingContext, ShaderProgram, VertexArray } from './Phaser4Renderer.js';
import { uniformOf } from './programs.js';

/** `gl.TRIANGLES`; everything else Phaser draws as strips. */
export const TRIANGLES = 4;

/** The quads and triangles of one draw call. */
export class VertexShapes extends CallVertices implements DrawnVertices {
  readonly rounds = false;
  toTarget: readonly number[] = [];
  lightZoom: number | null = null;

  /** Turns to a draw call. False when it is unknown where the call draws. */
  take({ width, height }: DrawingContext, shader: ShaderProgram, vertices: VertexArray, textureCount: number): boolean {
    if (!this.open(shader, vertices, textureCount)) return false;
    const { isInClipSpace, kind } = this.program;
    this.toTarget = isInClipSpace ? [width / 2, 0, width / 2, 0, height / 2, height / 2] : [1, 0, 0, 0, -1, height];
    this.lightZoom = kind === ProgramKind.POINT_LIGHT ? (uniformOf(shader, 'uCameraZoom') as number) : null;
    return true;
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
      if (window === null || meets(this, corners, window)) to.push(this.#shape(corners));
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

  #shape(corners: readonly number[]): Shape {
    const shape = readShape(this, corners);
    const { frame, stride } = this.layout;
    if (frame < 0 || !this.program.wraps) return shape;
    const { uv } = shape;
    const from = corners[0]! * stride + frame;
    const tile = Float64Array.from(this.f32.subarray(from, from + 4));
    if (uv.some((part) => part < 0 || part > 1)) return { ...shape, tile };
    for (let i = 0; i < uv.length; i++) uv[i] = tile[i & 1]! + uv[i]! * tile[2 + (i & 1)]!;
    return shape;
  }
}

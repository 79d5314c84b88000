import type { PointLight, Shape } from './DrawOp.js';
import type { ScreenWindow } from './FrameRecorder.js';

const WORD = 4;

/** Where the numbers of a vertex lie, counted in words of four bytes; −1 for what it lacks. */
export interface VertexLayout {
  readonly stride: number;
  readonly position: number;
  readonly texCoord: number;
  readonly unit: number;
  readonly effect: number;
  readonly tint: number;
  readonly lightPosition: number;
  readonly lightRadius: number;
  readonly lightAttenuation: number;
  readonly lightColor: number;
}

/**
 * A layout with Phaser's names.
 * @param bytes of a vertex
 * @param offsetOf the place of an attribute, in bytes; −1 when there is none
 */
export function layoutBy(bytes: number, offsetOf: (name: string) => number): VertexLayout {
  const at = (name: string): number => {
    const offset = offsetOf(name);
    return offset < 0 ? -1 : offset / WORD;
  };
  return {
    stride: bytes / WORD,
    position: at('inPosition'),
    texCoord: at('inTexCoord'),
    // So it is called in Phaser 3, and in Phaser 4.
    unit: Math.max(at('inTexId'), at('inTexDatum')),
    effect: at('inTintEffect'),
    tint: at('inTint'),
    lightPosition: at('inLightPosition'),
    lightRadius: at('inLightRadius'),
    lightAttenuation: at('inLightAttenuation'),
    lightColor: at('inLightColor'),
  };
}

/** Vertices of a draw call, and what makes shapes of them. */
export interface DrawnVertices {
  readonly f32: Float32Array;
  readonly u32: Uint32Array;
  readonly layout: VertexLayout;
  /** Matrix from positions to pixels of the target, from the bottom left: x' = a·x + b·y + c, then y'. */
  readonly toTarget: ArrayLike<number>;
  /** Each vertex is put on a whole pixel. */
  readonly rounds: boolean;
  /** Zoom of the camera's point lights; null when the shapes are no lights. */
  readonly lightZoom: number | null;
  /** Texture unit of the vertex whose numbers begin at `at`, and how its tint works: {@link Shape.effect}. */
  unitAt(at: number): number;
  effectAt(at: number): number;
}

/** Whether the box of some vertices meets a window; with NaN it does. */
export function meets(vertices: DrawnVertices, corners: readonly number[], window: ScreenWindow): boolean {
  const { f32, layout, toTarget } = vertices;
  const [ax, bx, cx, ay, by, cy] = toTarget as unknown as [number, number, number, number, number, number];
  const { left, bottom, right, top } = window;
  let isLeft = true;
  let isRight = true;
  let isBelow = true;
  let isAbove = true;
  for (const corner of corners) {
    const at = corner * layout.stride + layout.position;
    const x = ax * f32[at]! + bx * f32[at + 1]! + cx;
    const y = ay * f32[at]! + by * f32[at + 1]! + cy;
    if (!(x < left)) isLeft = false;
    if (!(x > right)) isRight = false;
    if (!(y < bottom)) isBelow = false;
    if (!(y > top)) isAbove = false;
  }
  return !isLeft && !isRight && !isBelow && !isAbove;
}

/** The shape between some vertices, in order around. */
export function readShape(vertices: DrawnVertices, corners: readonly number[]): Shape {
  const { f32, u32, layout, rounds, toTarget } = vertices;
  const { stride, position, texCoord, tint } = layout;
  const xy = new Float64Array(2 * corners.length);
  const uv = new Float64Array(2 * corners.length);
  const colors = new Uint32Array(corners.length).fill(0xffffffff);
  corners.forEach((corner, i) => {
    const at = corner * stride;
    const x = f32[at + position]!;
    const y = f32[at + position + 1]!;
    for (let axis = 0; axis < 2; axis++) {
      const place = placeOn(axis, toTarget, x, y);
      xy[2 * i + axis] = rounds ? Math.floor(place + 0.5) : place;
      if (texCoord >= 0) uv[2 * i + axis] = f32[at + texCoord + axis]!;
    }
    if (tint >= 0) colors[i] = u32[at + tint]!;
  });
  const first = corners[0]! * stride;
  const unit = vertices.unitAt(first);
  const effect = vertices.effectAt(first);
  return { xy, uv, colors, unit, effect, light: lightAt(vertices, first) };
}

/** The disc of light whose vertex begins at `at`. */
function lightAt({ f32, layout, lightZoom, toTarget }: DrawnVertices, at: number): PointLight | null {
  const { lightPosition, lightRadius, lightAttenuation, lightColor } = layout;
  if (lightZoom === null || lightPosition < 0) return null;
  const x = f32[at + lightPosition]!;
  const y = f32[at + lightPosition + 1]!;
  const alpha = f32[at + lightColor + 3]!;
  return {
    x: placeOn(0, toTarget, x, y),
    y: placeOn(1, toTarget, x, y),
    radius: f32[at + lightRadius]! * lightZoom,
    attenuation: f32[at + lightAttenuation]!,
    red: f32[at + lightColor]! * alpha,
    green: f32[at + lightColor + 1]! * alpha,
    blue: f32[at + lightColor + 2]! * alpha,
  };
}

/** x (axis 0) or y (axis 1) of a point under a matrix of {@link DrawnVertices.toTarget}. */
function placeOn(axis: number, matrix: ArrayLike<number>, x: number, y: number): number {
  return matrix[3 * axis]! * x + matrix[3 * axis + 1]! * y + matrix[3 * axis + 2]!;
}

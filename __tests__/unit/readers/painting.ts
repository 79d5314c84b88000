import type { ObjectReader, ReadContext } from '../../../src/record/ObjectReader.js';
import { Pen } from '../../../src/record/Pen.js';
import type { AlphaMap } from '../../../src/measure/AlphaMap.js';
import { FrameSnapshot, NONE, PolygonFlag } from '../../../src/measure/FrameSnapshot.js';

export interface Painting {
  readonly snapshot: FrameSnapshot;
  /** Opacity of everything painted at a canvas point, accumulated as light is: 0 clear, 1 opaque. */
  at(x: number, y: number): number;
}

export interface PaintOptions {
  readonly isWebGL?: boolean;
  readonly map?: AlphaMap | null;
  /** Receives what maps were asked for. */
  readonly asked?: unknown[];
  /** Canvas rectangle outside of which nothing matters; everything does when left out. */
  readonly near?: readonly [minX: number, minY: number, maxX: number, maxY: number];
  readonly camera?: object;
}

/** What every fake game object has unless it says otherwise. */
export const placed = {
  x: 0,
  y: 0,
  scaleX: 1,
  scaleY: 1,
  rotation: 0,
  alpha: 1,
  scrollFactorX: 1,
  scrollFactorY: 1,
  parentContainer: null,
  displayOriginX: 0,
  displayOriginY: 0,
};

/** A camera that shows the world as it is. */
export const plainCamera = {
  matrix: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 },
  zoom: 1,
  scrollX: 0,
  scrollY: 0,
  roundPixels: false,
  worldView: { x: 0, y: 0, width: 800, height: 600 },
};

/** Lets a reader paint a fake object on an 800 × 600 canvas. */
export function paint<T>(reader: ObjectReader<T>, object: unknown, options: PaintOptions = {}): Painting {
  const snapshot = new FrameSnapshot();
  snapshot.reset(800, 600);
  const pen = new Pen(snapshot);
  if (options.near) [pen.interestMinX, pen.interestMinY, pen.interestMaxX, pen.interestMaxY] = options.near;
  const { x, y, rotation, scaleX, scaleY } = object as typeof placed;
  pen.transform(x, y, rotation, scaleX, scaleY);
  const context = {
    pen,
    camera: { ...plainCamera, ...options.camera },
    isWebGL: options.isWebGL ?? true,
    alphaMap: (frame: unknown) => {
      options.asked?.push(frame);
      return options.map ?? null;
    },
  } as unknown as ReadContext;
  reader(object as T, context);
  return { snapshot, at: (px, py) => opacityAt(snapshot, px, py) };
}

function opacityAt(snapshot: FrameSnapshot, x: number, y: number): number {
  let light = 1;
  for (let i = 0; i < snapshot.count; i++) if (isInside(snapshot, i, x, y)) light *= 1 - ownOpacity(snapshot, i, x, y);
  return 1 - light;
}

function isInside({ start, length, xy }: FrameSnapshot, polygon: number, x: number, y: number): boolean {
  const first = start[polygon]!;
  const vertices = length[polygon]!;
  let side = 0;
  for (let k = 0; k < vertices; k++) {
    const a = 2 * (first + k);
    const b = 2 * (first + ((k + 1) % vertices));
    const cross = (xy[b]! - xy[a]!) * (y - xy[a + 1]!) - (xy[b + 1]! - xy[a + 1]!) * (x - xy[a]!);
    if (cross === 0) continue;
    if (side !== 0 && Math.sign(cross) !== side) return false;
    side = Math.sign(cross);
  }
  return true;
}

function ownOpacity(snapshot: FrameSnapshot, polygon: number, x: number, y: number): number {
  const { opacity, gradient, uv, flags } = snapshot;
  const own = opacity[polygon]! + x * gradient[2 * polygon]! + y * gradient[2 * polygon + 1]!;
  if (snapshot.alphaMap[polygon] === NONE) return own;
  const map = snapshot.alphaMaps[snapshot.alphaMap[polygon]!]!;
  const repeats = (flags[polygon]! & PolygonFlag.REPEAT) !== 0;
  const at = 6 * polygon;
  const column = cell(uv[at]! * x + uv[at + 2]! * y + uv[at + 4]!, map.width, repeats);
  const row = cell(uv[at + 1]! * x + uv[at + 3]! * y + uv[at + 5]!, map.height, repeats);
  return (own * map.alpha[row * map.width + column]!) / 255;
}

function cell(place: number, cells: number, repeats: boolean): number {
  const index = Math.floor(place);
  return repeats ? ((index % cells) + cells) % cells : Math.min(cells - 1, Math.max(0, index));
}

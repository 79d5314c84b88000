import { takeRectangle } from '../geometry/takeRectangle.js';
import { type FrameSnapshot, PolygonFlag } from '../measure/FrameSnapshot.js';
import type { PageCover, PageView } from '../page/PageView.js';

const corners = new Float64Array(8);

/** Adds what the page lays over the canvas: HTML lies above everything the game draws. */
export function paintCovers(
  snapshot: FrameSnapshot,
  { covers, unsure }: PageView,
  friendly: ReadonlyMap<unknown, unknown>,
): void {
  if (unsure) addUnknown(snapshot, 0, 0, snapshot.canvasWidth, snapshot.canvasHeight);
  for (const cover of covers) {
    if (cover.owner === null || !friendly.has(cover.owner)) addCover(snapshot, cover);
  }
}

/** Adds one cover of the page. */
export function addCover(snapshot: FrameSnapshot, cover: PageCover): void {
  const { minX, minY, maxX, maxY, shape, opacity, isCertain, owner } = cover;
  if (isCertain && !(opacity > 0)) return;
  let polygon: number;
  if (!isCertain) polygon = addUnknown(snapshot, minX, minY, maxX, maxY);
  else {
    polygon = shape === null ? addRectangle(snapshot, minX, minY, maxX, maxY) : addShape(snapshot, shape);
    snapshot.opacity[polygon] = opacity;
  }
  if (owner !== null) snapshot.owner[polygon] = snapshot.addOwner(owner);
}

function addShape(snapshot: FrameSnapshot, shape: Float64Array): number {
  return snapshot.addPolygon(shape, 0, shape.length / 2);
}

function addUnknown(snapshot: FrameSnapshot, minX: number, minY: number, maxX: number, maxY: number): number {
  const polygon = addRectangle(snapshot, minX, minY, maxX, maxY);
  snapshot.flags[polygon]! |= PolygonFlag.UNMEASURABLE;
  return polygon;
}

function addRectangle(snapshot: FrameSnapshot, minX: number, minY: number, maxX: number, maxY: number): number {
  takeRectangle(minX, minY, maxX, maxY, corners);
  return snapshot.addPolygon(corners, 0, 4);
}

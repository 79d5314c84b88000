import { takeRectangle } from '../geometry/takeRectangle.js';
import { type FrameSnapshot, PolygonFlag } from '../measure/FrameSnapshot.js';
import type { PageCover, PageView } from './PageView.js';

const corners = new Float64Array(8);

/** Adds what the page lays over the canvas: HTML lies above everything the game draws. */
export function paintCovers(
  snapshot: FrameSnapshot,
  { covers, unsure }: PageView,
  friendly: ReadonlyMap<unknown, unknown>,
): void {
  for (const cover of covers) {
    if (cover.owner === null || !friendly.has(cover.owner)) addCover(snapshot, cover);
  }
  // Last: where a page shows the canvas altered, its covers may lie elsewhere, too.
  if (unsure) {
    const polygon = addRectangle(snapshot, 0, 0, snapshot.canvasWidth, snapshot.canvasHeight);
    snapshot.flags[polygon]! |= PolygonFlag.UNMEASURABLE;
  }
}

/** Adds one cover of the page. */
export function addCover(snapshot: FrameSnapshot, cover: PageCover): void {
  const { minX, minY, maxX, maxY, shape, opacity, isCertain, owner } = cover;
  if (isCertain && !(opacity > 0)) return;
  const polygon =
    isCertain && shape !== null
      ? snapshot.addPolygon(shape, 0, shape.length / 2)
      : addRectangle(snapshot, minX, minY, maxX, maxY);
  if (isCertain) snapshot.opacity[polygon] = opacity;
  else snapshot.flags[polygon]! |= PolygonFlag.UNMEASURABLE;
  if (owner !== null) snapshot.owner[polygon] = snapshot.addOwner(owner);
}

function addRectangle(snapshot: FrameSnapshot, minX: number, minY: number, maxX: number, maxY: number): number {
  takeRectangle(minX, minY, maxX, maxY, corners);
  return snapshot.addPolygon(corners, 0, 4);
}

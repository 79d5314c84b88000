import { clipConvex } from './clipConvex.js';
import { ClipRegion } from './ClipRegion.js';
import { FragmentSet } from './FragmentSet.js';
import { takeRectangle } from './takeRectangle.js';
import { convexArea } from './convexArea.js';

/** Pieces below this many px² are slivers of rounding and are dropped, even where nothing else is left. */
const SPECK = 1e-6;

const fragments = new FragmentSet();
let clipped = new Float64Array(2 * 1024);

/**
 * Writes the union of the convex polygons of `source`, which may overlap (a geometry mask drawn as many triangles), to
 * `out` as disjoint convex pieces. A union that fills its bounding box becomes that one rectangle.
 */
export function makeDisjoint(source: ClipRegion, out: ClipRegion): void {
  fragments.reset();
  const { xy, start, pieceCount } = source;
  for (let i = 0; i < pieceCount; i++) fragments.addUncovered(xy, start[i]!, (start[i + 1]! - start[i]!) / 2);
  writeFragments(out);
}

/** Writes the rectangle minus `region` (whose pieces may overlap) to `out`: an inverted mask. */
export function complementInside(
  region: ClipRegion,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  out: ClipRegion,
): void {
  fragments.reset();
  takeRectangle(minX, minY, maxX, maxY, rectangle);
  fragments.add(rectangle, 0, 4);
  const { xy, start, pieceCount } = region;
  for (let i = 0; i < pieceCount && fragments.count > 0; i++) {
    fragments.subtract(xy, start[i]!, (start[i + 1]! - start[i]!) / 2);
  }
  writeFragments(out);
}
const rectangle = new Float64Array(8);

/** Writes what two regions of disjoint pieces have in common to `out`, which must be neither of them: nested masks. */
export function intersectRegions(a: ClipRegion, b: ClipRegion, out: ClipRegion): void {
  if (a.isRectangle && b.isRectangle) {
    out.setRectangle(
      Math.max(a.minX, b.minX),
      Math.max(a.minY, b.minY),
      Math.min(a.maxX, b.maxX),
      Math.min(a.maxY, b.maxY),
    );
    return;
  }
  fragments.reset();
  for (let i = 0; i < a.pieceCount; i++) {
    const from = a.start[i]!;
    const length = (a.start[i + 1]! - from) / 2;
    for (let j = 0; j < b.pieceCount; j++) {
      const clip = b.start[j]!;
      const clipLength = (b.start[j + 1]! - clip) / 2;
      if (clipped.length < 2 * (length + clipLength)) clipped = new Float64Array(4 * (length + clipLength));
      const left = clipConvex(a.xy, from, length, b.xy, clip, clipLength, clipped);
      fragments.add(clipped, 0, left);
    }
  }
  writeFragments(out);
}

function writeFragments(out: ClipRegion): void {
  out.reset();
  const { count, xy, start, length } = fragments;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let f = 0; f < count; f++) {
    const from = start[f]!;
    for (let i = from; i < from + 2 * length[f]!; i += 2) {
      minX = Math.min(minX, xy[i]!);
      maxX = Math.max(maxX, xy[i]!);
      minY = Math.min(minY, xy[i + 1]!);
      maxY = Math.max(maxY, xy[i + 1]!);
    }
  }
  const boxArea = (maxX - minX) * (maxY - minY);
  if (!(boxArea > SPECK)) return;
  fragments.sumUp();
  if (fragments.area >= boxArea * (1 - 1e-9)) {
    out.setRectangle(minX, minY, maxX, maxY);
    return;
  }
  for (let f = 0; f < count; f++) {
    const from = start[f]!;
    if (convexArea(xy, from, length[f]!) > SPECK) out.addPiece(xy, from, length[f]!);
  }
}

/** What two regions have in common; a rectangle if both are. */
export function intersection(a: ClipRegion, b: ClipRegion): ClipRegion {
  const both = new ClipRegion();
  intersectRegions(a, b, both);
  return both;
}

import type { PolygonTape } from './PolygonTape.js';

/** So many pairs of edges are looked at for where they cross; a scribble has more, and counts as all of its box. */
const MOST_PAIRS = 80_000;

let edges = new Float64Array(4 * 64);
let edgeCount = 0;
/** The heights between which no edge begins, ends or crosses another. */
const levels: number[] = [];
/** The edges, highest first. */
let inOrder = new Int32Array(64);
/** The edges within one band, by where they cross its middle, and that place. */
const active: number[] = [];
const places: number[] = [];

/**
 * Fills outlines as Canvas 2D does, by the non-zero rule over all of them at once: where one crosses itself its inside
 * counts, and one drawn the other way around cuts a hole. They become trapezoids, band by band between all heights at
 * which anything happens.
 *
 * @param starts Where each outline begins in `points` (x and y alternating); the last one ends at `end`.
 */
export function fillNonZero(
  tape: PolygonTape,
  points: ArrayLike<number>,
  starts: ArrayLike<number>,
  outlines: number,
  end: number,
): void {
  edgeCount = 0;
  levels.length = 0;
  for (let outline = 0; outline < outlines; outline++) {
    const from = starts[outline]!;
    const to = outline + 1 < outlines ? starts[outline + 1]! : end;
    for (let i = from; i + 1 < to; i += 2) {
      const next = i + 3 < to ? i + 2 : from;
      addEdge(points[i]!, points[i + 1]!, points[next]!, points[next + 1]!);
    }
  }
  if (!addCrossings()) {
    fillBox(tape);
    return;
  }
  levels.sort(ascending);
  for (let i = 1; i < levels.length; i++) {
    if (levels[i]! > levels[i - 1]!) fillBand(tape, levels[i - 1]!, levels[i]!);
  }
}

function addEdge(x0: number, y0: number, x1: number, y1: number): void {
  if (y0 === y1) return;
  if (4 * edgeCount === edges.length) {
    const larger = new Float64Array(2 * edges.length);
    larger.set(edges);
    edges = larger;
  }
  edges[4 * edgeCount] = x0;
  edges[4 * edgeCount + 1] = y0;
  edges[4 * edgeCount + 2] = x1;
  edges[4 * edgeCount + 3] = y1;
  edgeCount++;
  levels.push(y0, y1);
}

/**
 * Only edges at the same height can cross: most outlines have many, and few of these side by side.
 * @returns false when they are too many
 */
function addCrossings(): boolean {
  let pairs = 0;
  if (inOrder.length < edgeCount) inOrder = new Int32Array(2 * edgeCount);
  const order = inOrder.subarray(0, edgeCount);
  for (let i = 0; i < edgeCount; i++) order[i] = i;
  order.sort(byTop);
  for (let first = 0; first < edgeCount; first++) {
    const i = order[first]!;
    const end = bottomOf(i);
    for (let second = first + 1; second < edgeCount; second++) {
      const k = order[second]!;
      const top = topOf(k);
      if (!(top < end)) break;
      if (++pairs > MOST_PAIRS) return false;
      const bottom = Math.min(end, bottomOf(k));
      const before = placeAt(i, top) - placeAt(k, top);
      const after = placeAt(i, bottom) - placeAt(k, bottom);
      if (before * after < 0) levels.push(top + (bottom - top) * (before / (before - after)));
    }
  }
  return true;
}

function fillBox(tape: PolygonTape): void {
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let i = 0; i < 4 * edgeCount; i += 2) {
    minX = Math.min(minX, edges[i]!);
    maxX = Math.max(maxX, edges[i]!);
    minY = Math.min(minY, edges[i + 1]!);
    maxY = Math.max(maxY, edges[i + 1]!);
  }
  tape.quad(minX, minY, minX, maxY, maxX, maxY, maxX, minY);
}

function fillBand(tape: PolygonTape, top: number, bottom: number): void {
  const middle = (top + bottom) / 2;
  active.length = 0;
  places.length = 0;
  for (let edge = 0; edge < edgeCount; edge++) {
    if (!(topOf(edge) < middle && bottomOf(edge) > middle)) continue;
    const place = placeAt(edge, middle);
    let at = active.length;
    while (at > 0 && places[at - 1]! > place) {
      active[at] = active[at - 1]!;
      places[at] = places[at - 1]!;
      at--;
    }
    active[at] = edge;
    places[at] = place;
  }
  let winding = 0;
  let left = 0;
  for (let i = 0; i < active.length; i++) {
    const edge = active[i]!;
    const before = winding;
    winding += edges[4 * edge + 3]! > edges[4 * edge + 1]! ? 1 : -1;
    if (before === 0) {
      left = edge;
    } else if (winding === 0) {
      tape.quad(
        placeAt(left, top),
        top,
        placeAt(left, bottom),
        bottom,
        placeAt(edge, bottom),
        bottom,
        placeAt(edge, top),
        top,
      );
    }
  }
}

function topOf(edge: number): number {
  return Math.min(edges[4 * edge + 1]!, edges[4 * edge + 3]!);
}

function bottomOf(edge: number): number {
  return Math.max(edges[4 * edge + 1]!, edges[4 * edge + 3]!);
}

function placeAt(edge: number, y: number): number {
  const x0 = edges[4 * edge]!;
  const y0 = edges[4 * edge + 1]!;
  return x0 + ((edges[4 * edge + 2]! - x0) * (y - y0)) / (edges[4 * edge + 3]! - y0);
}

function byTop(a: number, b: number): number {
  return topOf(a) - topOf(b);
}

function ascending(a: number, b: number): number {
  return a - b;
}

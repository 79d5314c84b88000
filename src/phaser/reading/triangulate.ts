/**
 * Ear clipping of one outline without holes, in the order of decisions of Earcut 2.2 (Mapbox, ISC), which Phaser fills
 * every path with. Where an outline crosses itself the triangles are a matter of that order, and so is the colour a
 * gradient gives each corner; a different triangulation would describe a picture nobody sees.
 *
 * The nodes of the doubly linked ring live in flat arrays that grow once; nothing else is allocated.
 */

let nodeX = new Float64Array(256);
let nodeY = new Float64Array(256);
let vertexOf = new Int32Array(256);
let nextOf = new Int32Array(256);
let previousOf = new Int32Array(256);
let nodeCount = 0;

const NOTHING = -1;

let triangles: number[] = [];
let triangleNumbers = 0;

/**
 * Writes vertex indices, three to a triangle and counted from the first vertex of the outline, to `out` and returns how
 * many. `points` holds x and y alternating; the outline's numbers are those at `from ≤ i < to`.
 */
export function triangulate(points: ArrayLike<number>, from: number, to: number, out: number[]): number {
  triangles = out;
  triangleNumbers = 0;
  nodeCount = 0;
  const ring = linkRing(points, from, to);
  if (ring !== NOTHING && nextOf[ring] !== previousOf[ring]) clipEars(ring, 0);
  return triangleNumbers;
}

function linkRing(points: ArrayLike<number>, from: number, to: number): number {
  let twiceArea = 0;
  for (let i = from, j = to - 2; i < to; i += 2) {
    twiceArea += (points[j]! - points[i]!) * (points[i + 1]! + points[j + 1]!);
    j = i;
  }
  const length = (to - from) >> 1;
  let last = NOTHING;
  for (let k = 0; k < length; k++) {
    const vertex = twiceArea > 0 ? k : length - 1 - k;
    last = insertAfter(last, vertex, points[from + 2 * vertex]!, points[from + 2 * vertex + 1]!);
  }
  if (last !== NOTHING && isSamePlace(last, nextOf[last]!)) {
    unlink(last);
    last = nextOf[last]!;
  }
  return last;
}

function clipEars(ring: number, pass: 0 | 1 | 2): void {
  if (ring === NOTHING) return;
  let ear = ring;
  let stop = ear;
  while (previousOf[ear] !== nextOf[ear]) {
    const previous = previousOf[ear]!;
    const next = nextOf[ear]!;
    if (isEar(ear)) {
      push(previous, ear, next);
      unlink(ear);
      // Skipping a vertex makes fewer slivers.
      ear = nextOf[next]!;
      stop = ear;
      continue;
    }
    ear = next;
    if (ear !== stop) continue;
    if (pass === 0) clipEars(withoutFlatCorners(ear, ear), 1);
    else if (pass === 1) clipEars(cutLocalCrossings(withoutFlatCorners(ear, ear)), 2);
    else splitAndClip(ear);
    return;
  }
}

function isEar(ear: number): boolean {
  const a = previousOf[ear]!;
  const c = nextOf[ear]!;
  if (turn(a, ear, c) >= 0) return false;
  const ax = nodeX[a]!;
  const ay = nodeY[a]!;
  const bx = nodeX[ear]!;
  const by = nodeY[ear]!;
  const cx = nodeX[c]!;
  const cy = nodeY[c]!;
  const minX = Math.min(ax, bx, cx);
  const minY = Math.min(ay, by, cy);
  const maxX = Math.max(ax, bx, cx);
  const maxY = Math.max(ay, by, cy);
  for (let p = nextOf[c]!; p !== a; p = nextOf[p]!) {
    const x = nodeX[p]!;
    const y = nodeY[p]!;
    if (x < minX || x > maxX || y < minY || y > maxY) continue;
    if (isInTriangle(ax, ay, bx, by, cx, cy, x, y) && turn(previousOf[p]!, p, nextOf[p]!) >= 0) return false;
  }
  return true;
}

/** Drops vertices that repeat their neighbour or lie straight between two. */
function withoutFlatCorners(start: number, until: number): number {
  let end = until;
  let p = start;
  let again: boolean;
  do {
    again = false;
    const next = nextOf[p]!;
    if (isSamePlace(p, next) || turn(previousOf[p]!, p, next) === 0) {
      unlink(p);
      p = end = previousOf[p]!;
      if (p === nextOf[p]) break;
      again = true;
    } else {
      p = next;
    }
  } while (again || p !== end);
  return end;
}

function cutLocalCrossings(start: number): number {
  let first = start;
  let p = first;
  do {
    const a = previousOf[p]!;
    const next = nextOf[p]!;
    const b = nextOf[next]!;
    if (!isSamePlace(a, b) && isCrossing(a, p, next, b) && isLocallyInside(a, b) && isLocallyInside(b, a)) {
      push(a, p, b);
      unlink(p);
      unlink(nextOf[p]!);
      p = first = b;
    }
    p = nextOf[p]!;
  } while (p !== first);
  return withoutFlatCorners(p, p);
}

function splitAndClip(start: number): void {
  let a = start;
  do {
    for (let b = nextOf[nextOf[a]!]!; b !== previousOf[a]; b = nextOf[b]!) {
      if (vertexOf[a] === vertexOf[b] || !isDiagonal(a, b)) continue;
      const other = split(a, b);
      const ringA = withoutFlatCorners(a, nextOf[a]!);
      const ringB = withoutFlatCorners(other, nextOf[other]!);
      clipEars(ringA, 0);
      clipEars(ringB, 0);
      return;
    }
    a = nextOf[a]!;
  } while (a !== start);
}

/** Cuts the ring along a–b, doubling both nodes; `a` stays in one ring, the returned node is in the other. */
function split(a: number, b: number): number {
  const a2 = newNode(vertexOf[a]!, nodeX[a]!, nodeY[a]!);
  const b2 = newNode(vertexOf[b]!, nodeX[b]!, nodeY[b]!);
  const afterA = nextOf[a]!;
  const beforeB = previousOf[b]!;
  nextOf[a] = b;
  previousOf[b] = a;
  nextOf[a2] = afterA;
  previousOf[afterA] = a2;
  nextOf[b2] = a2;
  previousOf[a2] = b2;
  nextOf[beforeB] = b2;
  previousOf[b2] = beforeB;
  return b2;
}

function isDiagonal(a: number, b: number): boolean {
  const beforeA = previousOf[a]!;
  const beforeB = previousOf[b]!;
  if (vertexOf[nextOf[a]!] === vertexOf[b] || vertexOf[beforeA] === vertexOf[b] || crossesRing(a, b)) return false;
  if (isLocallyInside(a, b) && isLocallyInside(b, a) && isMiddleInside(a, b)) {
    if (turn(beforeA, a, beforeB) !== 0 || turn(a, beforeB, b) !== 0) return true;
  }
  return isSamePlace(a, b) && turn(beforeA, a, nextOf[a]!) > 0 && turn(beforeB, b, nextOf[b]!) > 0;
}

function crossesRing(a: number, b: number): boolean {
  const vertexA = vertexOf[a]!;
  const vertexB = vertexOf[b]!;
  let p = a;
  do {
    const next = nextOf[p]!;
    const from = vertexOf[p]!;
    const to = vertexOf[next]!;
    if (from !== vertexA && to !== vertexA && from !== vertexB && to !== vertexB && isCrossing(p, next, a, b))
      return true;
    p = next;
  } while (p !== a);
  return false;
}

function isCrossing(p1: number, q1: number, p2: number, q2: number): boolean {
  const o1 = Math.sign(turn(p1, q1, p2));
  const o2 = Math.sign(turn(p1, q1, q2));
  const o3 = Math.sign(turn(p2, q2, p1));
  const o4 = Math.sign(turn(p2, q2, q1));
  if (o1 !== o2 && o3 !== o4) return true;
  return (
    (o1 === 0 && isWithin(p1, p2, q1)) ||
    (o2 === 0 && isWithin(p1, q2, q1)) ||
    (o3 === 0 && isWithin(p2, p1, q2)) ||
    (o4 === 0 && isWithin(p2, q1, q2))
  );
}

/** Whether q, known to lie on the line through p and r, lies between them. */
function isWithin(p: number, q: number, r: number): boolean {
  const x = nodeX[q]!;
  const y = nodeY[q]!;
  return (
    x <= Math.max(nodeX[p]!, nodeX[r]!) &&
    x >= Math.min(nodeX[p]!, nodeX[r]!) &&
    y <= Math.max(nodeY[p]!, nodeY[r]!) &&
    y >= Math.min(nodeY[p]!, nodeY[r]!)
  );
}

function isLocallyInside(a: number, b: number): boolean {
  const before = previousOf[a]!;
  const after = nextOf[a]!;
  return turn(before, a, after) < 0
    ? turn(a, b, after) >= 0 && turn(a, before, b) >= 0
    : turn(a, b, before) < 0 || turn(a, after, b) < 0;
}

function isMiddleInside(a: number, b: number): boolean {
  const x = (nodeX[a]! + nodeX[b]!) / 2;
  const y = (nodeY[a]! + nodeY[b]!) / 2;
  let inside = false;
  let p = a;
  do {
    const next = nextOf[p]!;
    const py = nodeY[p]!;
    const qy = nodeY[next]!;
    if (py > y !== qy > y && qy !== py && x < ((nodeX[next]! - nodeX[p]!) * (y - py)) / (qy - py) + nodeX[p]!) {
      inside = !inside;
    }
    p = next;
  } while (p !== a);
  return inside;
}

/** Twice the signed area of the triangle p, q, r; negative at a convex corner of the ring. */
function turn(p: number, q: number, r: number): number {
  const qx = nodeX[q]!;
  const qy = nodeY[q]!;
  return (qy - nodeY[p]!) * (nodeX[r]! - qx) - (qx - nodeX[p]!) * (nodeY[r]! - qy);
}

function isInTriangle(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  x: number,
  y: number,
): boolean {
  return (
    (cx - x) * (ay - y) >= (ax - x) * (cy - y) &&
    (ax - x) * (by - y) >= (bx - x) * (ay - y) &&
    (bx - x) * (cy - y) >= (cx - x) * (by - y)
  );
}

function isSamePlace(a: number, b: number): boolean {
  return nodeX[a] === nodeX[b] && nodeY[a] === nodeY[b];
}

function push(a: number, b: number, c: number): void {
  triangles[triangleNumbers++] = vertexOf[a]!;
  triangles[triangleNumbers++] = vertexOf[b]!;
  triangles[triangleNumbers++] = vertexOf[c]!;
}

function insertAfter(last: number, vertex: number, x: number, y: number): number {
  const node = newNode(vertex, x, y);
  if (last === NOTHING) {
    nextOf[node] = previousOf[node] = node;
    return node;
  }
  const next = nextOf[last]!;
  nextOf[node] = next;
  previousOf[node] = last;
  previousOf[next] = node;
  nextOf[last] = node;
  return node;
}

/** Takes a node out of its ring; its own links stay, so that a caller can still step on from it. */
function unlink(node: number): void {
  const previous = previousOf[node]!;
  const next = nextOf[node]!;
  previousOf[next] = previous;
  nextOf[previous] = next;
}

function newNode(vertex: number, x: number, y: number): number {
  if (nodeCount === nodeX.length) growNodes();
  const node = nodeCount++;
  vertexOf[node] = vertex;
  nodeX[node] = x;
  nodeY[node] = y;
  return node;
}

function growNodes(): void {
  const size = 2 * nodeX.length;
  const x = new Float64Array(size);
  const y = new Float64Array(size);
  const vertices = new Int32Array(size);
  const next = new Int32Array(size);
  const previous = new Int32Array(size);
  x.set(nodeX);
  y.set(nodeY);
  vertices.set(vertexOf);
  next.set(nextOf);
  previous.set(previousOf);
  nodeX = x;
  nodeY = y;
  vertexOf = vertices;
  nextOf = next;
  previousOf = previous;
}

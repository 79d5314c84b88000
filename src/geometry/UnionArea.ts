import { grown } from './grown.js';
import { measured, takeArea } from './convexArea.js';
import { FragmentSet } from './FragmentSet.js';
import { takeBox } from './takeBox.js';

/** Vertices for which there is room at first. */
const USUAL_LENGTH = 512;

/** With more covers than this, comparing every pair is no longer worth it; then the visible rest is cut up instead. */
const PAIRWISE_LIMIT = 24;

/**
 * Area of a convex polygon minus a union of convex covers, summed up largest first: each cover takes its own area less
 * what the covers before it already took. A cover that meets one or two others is settled by inclusion and exclusion,
 * which needs clipping only; one that meets more, by fragment subtraction.
 */
export class UnionArea {
  private subject = new Float64Array(2 * USUAL_LENGTH);
  private subjectLength = 0;
  private subjectArea = 0;
  /** The subject is a rectangle with sides along the axes, its {@link subjectBox}: what lies in its box lies in it. */
  private isRectangle = false;
  /** minX, minY, maxX, maxY of the subject, and of the cover being added. */
  private readonly subjectBox = new Float64Array(4);
  private readonly coverBox = new Float64Array(4);
  /** Vertices nearer than this are one. */
  private merge = 0;

  /** Area the cover added last takes of the polygon, on its own. */
  added = 0.5;
  /** Area of the polygon on which no cover lies, by {@link sumUp}. */
  uncovered = 0.5;
  /** Area not taken yet, while covers are summed up. */
  private rest = 0.5;

  private count = 0;
  /** Covers, clipped to the subject and turned positive. */
  private xy = new Float64Array(2 * 1024);
  private top = 0;
  private start = new Int32Array(64);
  private length = new Int32Array(64);
  private area = new Float64Array(64);
  private box = new Float64Array(4 * 64);
  /** Indices of the covers, largest first. */
  private order = new Int32Array(64);
  private meets = new Int32Array(64);

  private readonly fragments = new FragmentSet();

  /** Starts anew with the convex polygon whose uncovered area is asked for. */
  reset(points: Float64Array, offset: number, length: number): void {
    this.count = 0;
    this.top = 0;
    let extent = 0;
    for (let i = offset; i < offset + 2 * length; i++) {
      const value = points[i]!;
      if (value > extent) extent = value;
      else if (-value > extent) extent = -value;
    }
    this.merge = extent * 1e-11;
    copying.merge = this.merge;
    if (this.subject.length < 2 * length) this.subject = new Float64Array(4 * length);
    takePositive(points, offset, length, this.subject, 0);
    const isReal = copying.area > 0;
    this.subjectLength = isReal ? taken : 0;
    this.subjectArea = isReal ? copying.area : 0;
    takeBox(this.subject, 0, this.subjectLength, this.subjectBox);
    this.isRectangle = this.subjectLength === 4 && isAlongAxes(this.subject);
  }

  /**
   * Adds a convex cover of either orientation.
   * @returns false when it takes no area of the polygon; else {@link added} is that area.
   */
  add(points: Float64Array, offset: number, length: number): boolean {
    if (this.subjectLength === 0 || length < 3) return false;
    const { subjectBox, coverBox } = this;
    takeBox(points, offset, length, coverBox);
    // Written so that not-a-number goes on, and finds no area.
    if (coverBox[0]! >= subjectBox[2]! || coverBox[2]! <= subjectBox[0]!) return false;
    if (coverBox[1]! >= subjectBox[3]! || coverBox[3]! <= subjectBox[1]!) return false;
    const isInside =
      this.isRectangle &&
      coverBox[0]! >= subjectBox[0]! &&
      coverBox[1]! >= subjectBox[1]! &&
      coverBox[2]! <= subjectBox[2]! &&
      coverBox[3]! <= subjectBox[3]!;
    const inside = isInside ? length : clipPositive(points, offset, length, this.subject, 0, this.subjectLength);
    if (inside < 3) return false;
    while (this.top + 2 * inside > this.xy.length) this.xy = grown(this.xy);
    if (this.count === this.start.length) this.growCovers();
    const xy = this.xy;
    const from = this.top;
    copying.merge = this.merge;
    if (isInside) takePositive(points, offset, length, xy, from);
    else takePositive(clipped, 0, inside, xy, from);
    const { area } = copying;
    if (!(area > 0)) return false;
    if (!isInside) takeBox(xy, from, taken, coverBox);
    const index = this.count++;
    this.start[index] = from;
    this.length[index] = taken;
    this.area[index] = area;
    this.top = from + 2 * taken;
    const box = this.box;
    for (let k = 0; k < 4; k++) box[4 * index + k] = coverBox[k]!;
    this.added = area;
    return true;
  }

  /** Finds how much of the polygon of {@link reset} is {@link uncovered}. */
  sumUp(): void {
    const { count, order, area } = this;
    this.rest = this.subjectArea;
    if (count > 0) {
      this.putInOrder();
      this.rest -= area[order[0]!]!;
      if (count > PAIRWISE_LIMIT && this.rest > 0) this.cutUp();
      else for (let i = 1; i < count && this.rest > 0; i++) this.takeGain(i);
    }
    // What is left of a wholly covered polygon is rounding.
    this.uncovered = this.rest > this.subjectArea * 1e-12 ? this.rest : 0;
  }

  private putInOrder(): void {
    const { count, order, area } = this;
    for (let index = 0; index < count; index++) {
      let place = index;
      while (place > 0 && area[order[place - 1]!]! < area[index]!) {
        order[place] = order[place - 1]!;
        place--;
      }
      order[place] = index;
    }
  }

  /** Takes off {@link rest} what the i-th largest cover takes that no larger one has taken. */
  private takeGain(i: number): void {
    const { order, box, start, length, area, xy, meets, fragments } = this;
    const cover = order[i]!;
    const minX = box[4 * cover]!;
    const minY = box[4 * cover + 1]!;
    const maxX = box[4 * cover + 2]!;
    const maxY = box[4 * cover + 3]!;
    const from = start[cover]!;
    const vertices = length[cover]!;
    let met = 0;
    for (let j = 0; j < i; j++) {
      const b = 4 * order[j]!;
      if (box[b]! >= maxX || box[b + 2]! <= minX || box[b + 1]! >= maxY || box[b + 3]! <= minY) continue;
      meets[met++] = order[j]!;
    }
    if (met === 0) {
      this.rest -= area[cover]!;
      return;
    }
    const first = meets[0]!;
    if (met <= 2) {
      let shared = clipPositive(xy, from, vertices, xy, start[first]!, length[first]!);
      let gain = area[cover]!;
      if (shared >= 3) {
        takeArea(clipped, 0, shared);
        gain -= measured.area;
      }
      if (met === 2 && gain > 0) {
        const second = meets[1]!;
        const both = shared < 3 ? 0 : clipPositive(clipped, 0, shared, xy, start[second]!, length[second]!);
        if (both >= 3) {
          takeArea(clipped, 0, both);
          gain += measured.area;
        }
        shared = clipPositive(xy, from, vertices, xy, start[second]!, length[second]!);
        if (shared >= 3) {
          takeArea(clipped, 0, shared);
          gain -= measured.area;
        }
      }
      if (gain > 0) this.rest -= gain;
      return;
    }
    fragments.reset();
    fragments.add(xy, from, vertices);
    for (let m = 0; m < met && fragments.count > 0; m++) {
      fragments.subtract(xy, start[meets[m]!]!, length[meets[m]!]!);
    }
    fragments.sumUp();
    this.rest -= fragments.area;
  }

  private cutUp(): void {
    const { fragments, order, xy, start, length } = this;
    fragments.reset();
    fragments.add(this.subject, 0, this.subjectLength);
    for (let i = 0; i < this.count && fragments.count > 0; i++) {
      fragments.subtract(xy, start[order[i]!]!, length[order[i]!]!);
    }
    fragments.sumUp();
    this.rest = fragments.area;
  }

  private growCovers(): void {
    this.start = grown(this.start);
    this.length = grown(this.length);
    this.area = grown(this.area);
    this.box = grown(this.box);
    this.order = grown(this.order);
    this.meets = grown(this.meets);
  }
}

/** True when every side of the quadrilateral from `offset` on runs along an axis. */
export function isAlongAxes(points: Float64Array, offset = 0): boolean {
  for (let i = offset, j = offset + 6; i < offset + 8; j = i, i += 2) {
    if (points[i] !== points[j] && points[i + 1] !== points[j + 1]) return false;
  }
  return true;
}

/** Result of {@link clipPositive}; the buffers change places with every cut. */
let clipped = new Float64Array(2 * USUAL_LENGTH);
let spare = new Float64Array(2 * USUAL_LENGTH);
let side = new Float64Array(USUAL_LENGTH);

/**
 * Sutherland–Hodgman like `clipConvex`, for a clip polygon known to be positive, leaving edges that cut nothing without
 * a copy. The result is in `clipped`; its number of vertices is returned, 0 when nothing is left.
 */
function clipPositive(
  points: Float64Array,
  offset: number,
  length: number,
  clip: Float64Array,
  clipOffset: number,
  clipLength: number,
): number {
  // Each edge adds a vertex at most.
  if (side.length < length + clipLength) growScratch(length + clipLength);
  let from = points;
  let at = offset;
  const last = clipOffset + 2 * clipLength - 2;
  let ax = clip[last]!;
  let ay = clip[last + 1]!;
  for (let c = clipOffset; c <= last; c += 2) {
    const bx = clip[c]!;
    const by = clip[c + 1]!;
    const ex = bx - ax;
    const ey = by - ay;
    let outside = 0;
    for (let i = 0; i < length; i++) {
      const distance = ex * (from[at + 2 * i + 1]! - ay) - ey * (from[at + 2 * i]! - ax);
      side[i] = distance;
      if (distance < 0) outside++;
    }
    ax = bx;
    ay = by;
    if (outside === 0) continue;
    if (outside === length) return 0;
    const to = spare;
    let kept = 0;
    let xi = from[at + 2 * length - 2]!;
    let yi = from[at + 2 * length - 1]!;
    let di = side[length - 1]!;
    for (let j = 0; j < length; j++) {
      const xj = from[at + 2 * j]!;
      const yj = from[at + 2 * j + 1]!;
      const dj = side[j]!;
      if ((di > 0 && dj < 0) || (di < 0 && dj > 0)) {
        const t = di / (di - dj);
        to[kept++] = xi + t * (xj - xi);
        to[kept++] = yi + t * (yj - yi);
      }
      if (dj >= 0) {
        to[kept++] = xj;
        to[kept++] = yj;
      }
      xi = xj;
      yi = yj;
      di = dj;
    }
    length = kept >> 1;
    if (length < 3) return 0;
    spare = clipped;
    clipped = to;
    from = to;
    at = 0;
  }
  if (from !== clipped) for (let i = 0; i < 2 * length; i++) clipped[i] = from[at + i]!;
  return length;
}

/** Whoever clips what was {@link clipped} before still holds it. */
function growScratch(vertices: number): void {
  clipped = new Float64Array(4 * vertices);
  spare = new Float64Array(4 * vertices);
  side = new Float64Array(2 * vertices);
}

/** Number of vertices {@link takePositive} has written. */
let taken = 0;
/**
 * What {@link takePositive} is given and gives besides: fields, since the engine may make an object of a fraction that is
 * handed over or returned. Vertices nearer than `merge` are one; `area` is that of what was written.
 */
const copying = { merge: 0.5, area: 0.5 };

/**
 * Copies a convex polygon so that it turns from +x towards +y, without vertices nearer to each other than `copying.merge`: the
 * direction of an edge as short as rounding errors means nothing. Its area goes to {@link copying}.
 */
function takePositive(from: Float64Array, at: number, length: number, to: Float64Array, toAt: number): void {
  const { merge } = copying;
  taken = 0;
  copying.area = 0;
  let previousX = from[at + 2 * length - 2]!;
  let previousY = from[at + 2 * length - 1]!;
  let end = toAt;
  for (let i = at; i < at + 2 * length; i += 2) {
    const x = from[i]!;
    const y = from[i + 1]!;
    const dx = x - previousX;
    const dy = y - previousY;
    if (dx <= merge && dx >= -merge && dy <= merge && dy >= -merge) continue;
    to[end++] = x;
    to[end++] = y;
    previousX = x;
    previousY = y;
  }
  const kept = (end - toAt) >> 1;
  if (kept < 3) return;
  const ox = to[toAt]!;
  const oy = to[toAt + 1]!;
  let ux = to[toAt + 2]! - ox;
  let uy = to[toAt + 3]! - oy;
  let twice = 0;
  for (let i = toAt + 4; i < end; i += 2) {
    const vx = to[i]! - ox;
    const vy = to[i + 1]! - oy;
    twice += ux * vy - vx * uy;
    ux = vx;
    uy = vy;
  }
  taken = kept;
  copying.area = (twice < 0 ? -twice : twice) / 2;
  if (twice >= 0) return;
  for (let i = toAt, j = end - 2; i < j; i += 2, j -= 2) {
    const x = to[i]!;
    const y = to[i + 1]!;
    to[i] = to[j]!;
    to[i + 1] = to[j + 1]!;
    to[j] = x;
    to[j + 1] = y;
  }
}

import { grown } from './grown.js';
import { measured, takeArea } from './convexArea.js';
import { FragmentSet } from './FragmentSet.js';
import { clipConvex, extentOf } from './clipConvex.js';
import { copying, takePositive } from './takePositive.js';
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
  /** Vertices nearer to each other than this count as one. */
  private merge = 0;

  /** Area of the polygon that the cover added last takes, other covers not regarded. */
  added = 0.5;
  /** Width and height of the box around that area, added up. */
  addedSides = 0.5;
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
    this.merge = copying.merge = extentOf(points, offset, length) * 1e-11;
    if (this.subject.length < 2 * length) this.subject = new Float64Array(4 * length);
    takePositive(points, offset, length, this.subject, 0);
    const isReal = copying.area > 0;
    this.subjectLength = isReal ? copying.length : 0;
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
    const inside = isInside ? length : clip(points, offset, length, this.subject, 0, this.subjectLength);
    if (inside < 3) return false;
    while (this.top + 2 * inside > this.xy.length) this.xy = grown(this.xy);
    if (this.count === this.start.length) this.growCovers();
    const xy = this.xy;
    const from = this.top;
    copying.merge = this.merge;
    if (isInside) takePositive(points, offset, length, xy, from);
    else takePositive(clipped, 0, inside, xy, from);
    const { area, length: taken } = copying;
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
    this.addedSides = coverBox[2]! - coverBox[0]! + coverBox[3]! - coverBox[1]!;
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

  /** Subtracts from {@link rest} what the i-th largest cover takes and no larger one has taken. */
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
      let shared = clip(xy, from, vertices, xy, start[first]!, length[first]!);
      let gain = area[cover]!;
      if (shared >= 3) {
        takeArea(clipped, 0, shared);
        gain -= measured.area;
      }
      if (met === 2 && gain > 0) {
        const second = meets[1]!;
        const both = shared < 3 ? 0 : clip(clipped, 0, shared, xy, start[second]!, length[second]!);
        if (both >= 3) {
          takeArea(clipped, 0, both);
          gain += measured.area;
        }
        shared = clip(xy, from, vertices, xy, start[second]!, length[second]!);
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

/** Result of {@link clip}. */
let clipped = new Float64Array(2 * USUAL_LENGTH);

/** Clips into {@link clipped}; the input may be {@link clipped}, too. @returns vertices left */
function clip(
  points: Float64Array,
  offset: number,
  length: number,
  by: Float64Array,
  at: number,
  edges: number,
): number {
  // A caller that clips the former result again still holds the old array.
  if (clipped.length < 2 * (length + edges)) clipped = new Float64Array(4 * (length + edges));
  return clipConvex(points, offset, length, by, at, edges, clipped);
}

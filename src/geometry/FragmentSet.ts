import { grown } from './grown.js';
import { boxesMeet } from './boxesMeet.js';
import { measured, takeArea } from './convexArea.js';
import { takeBox } from './takeBox.js';

/**
 * Fragment subtraction: a region kept as disjoint convex fragments, from which convex polygons are cut one by one.
 * Each edge of the cutter splits off the part of a fragment that lies outside of it; what is left after the last edge
 * lies inside the cutter.
 *
 * Every fragment carries a weight, the share of light it still lets through: an opaque cutter removes what is inside,
 * a translucent one keeps it with a smaller weight. Lengths are compared relative to the coordinates' size, so the unit
 * does not matter. Buffers begin small, for there are many sets, grow and are kept: in steady state nothing is allocated.
 */
export class FragmentSet {
  /** Number of fragments. */
  count = 0;
  /** Vertices of all fragments, x and y alternating; fragment i begins at number `start[i]`. Replaced on growth. */
  xy = new Float64Array(512);
  start = new Int32Array(64);
  /** Number of vertices of each fragment. */
  length = new Int32Array(64);
  /** Share of light that passes, 0–1. */
  weight = new Float64Array(64);
  #box = new Float64Array(4 * 64);

  // Fields, since fractions that are passed or returned may be boxed by the engine.
  /** Share of light that {@link attenuate} leaves of what is inside, 0–1; 0 removes it. */
  keep = 0.5;
  /** Weight of the fragment that {@link #put} adds next. */
  #added = 0.5;
  /** {@link area} counts the fragments whose weight is above this. Default 0. */
  threshold = 0;
  /** Sum of the areas of the fragments whose weight is above {@link threshold}, by {@link sumUp}. */
  area = 0.5;
  /** Sum of area × weight, by {@link sumUp}. */
  weightedArea = 0.5;

  #top = 0;
  /** Largest absolute coordinate, the measure of rounding errors. */
  #extent = 0;

  #cutter = new Float64Array(2 * 64);
  /** 1 when the cutter turns from +x towards +y, else −1. */
  #cutterSign = 1;
  readonly #cutterBox = new Float64Array(4);
  #current = new Float64Array(512);
  #next = new Float64Array(512);
  #side = new Float64Array(256);

  reset(): void {
    this.count = 0;
    this.#top = 0;
    this.#extent = 0;
  }

  /** Adds a convex polygon as it is; the caller keeps the fragments disjoint. */
  add(points: ArrayLike<number>, offset: number, length: number): void {
    this.#added = 1;
    this.#put(points, offset, length);
  }

  /** Adds the fragments of another set as they are, of weight 1. */
  addAll({ count, xy, start, length }: FragmentSet): void {
    for (let f = 0; f < count; f++) this.add(xy, start[f]!, length[f]!);
  }

  #put(points: ArrayLike<number>, offset: number, length: number): void {
    if (length < 3) return;
    this.#reserve(2 * length);
    const { xy } = this;
    const top = this.#top;
    for (let i = 0; i < 2 * length; i++) xy[top + i] = points[offset + i]!;
    this.weight[this.count] = this.#added;
    this.#close(2 * length);
    if (this.#top === top) return;
    const box = 4 * (this.count - 1);
    const boxes = this.#box;
    this.#extent = Math.max(this.#extent, -boxes[box]!, -boxes[box + 1]!, boxes[box + 2]!, boxes[box + 3]!);
  }

  /** Adds the part of a convex polygon that no fragment covers yet: the set becomes the union. */
  addUncovered(points: ArrayLike<number>, offset: number, length: number): void {
    scratch.reset();
    scratch.add(points, offset, length);
    const cutterBox = this.#cutterBox;
    for (let k = 0; k < 4; k++) cutterBox[k] = scratch.#box[k]!;
    for (let i = 0; i < this.count && scratch.count > 0; i++) {
      if (boxesMeet(this.#box, i, cutterBox, 0)) scratch.subtract(this.xy, this.start[i]!, this.length[i]!);
    }
    this.addAll(scratch);
  }

  /** Removes what lies inside a convex polygon of either orientation. */
  subtract(points: ArrayLike<number>, offset: number, length: number): void {
    this.keep = 0;
    this.attenuate(points, offset, length);
  }

  /** Multiplies the weight of what lies inside a convex polygon of either orientation by {@link keep}. */
  attenuate(points: ArrayLike<number>, offset: number, length: number): void {
    const edges = this.#takeCutter(points, offset, length);
    if (edges < 3) return;
    const cutterBox = this.#cutterBox;
    takeBox(this.#cutter, 0, edges, cutterBox);
    if (2 * this.#top > this.xy.length) this.#compact();
    const before = this.count;
    let kept = 0;
    for (let f = 0; f < before; f++) {
      if (!boxesMeet(this.#box, f, cutterBox, 0) || !this.#cut(f, edges)) {
        if (kept !== f) this.#move(f, kept);
        kept++;
      }
    }
    for (let f = before; f < this.count; f++) this.#move(f, kept++);
    this.count = kept;
  }

  /** Finds {@link area} and {@link weightedArea}. */
  sumUp(): void {
    const { count, xy, start, length, weight, threshold } = this;
    let area = 0;
    let weighted = 0;
    for (let f = 0; f < count; f++) {
      takeArea(xy, start[f]!, length[f]!);
      // Broken transforms have no area.
      if (!(measured.area < Infinity)) continue;
      if (weight[f]! > threshold) area += measured.area;
      weighted += measured.area * weight[f]!;
    }
    this.area = area;
    this.weightedArea = weighted;
  }

  // --- inside ---

  /**
   * Copies a polygon to the cutter, without edges as short as rounding errors, whose direction means nothing. Returns the
   * number of its edges.
   */
  #takeCutter(points: ArrayLike<number>, offset: number, length: number): number {
    if (this.#cutter.length < 2 * length) this.#cutter = new Float64Array(4 * length);
    const cutter = this.#cutter;
    const merge = this.#extent * 1e-11;
    let previousX = points[offset + 2 * length - 2]!;
    let previousY = points[offset + 2 * length - 1]!;
    let end = 0;
    for (let i = offset; i < offset + 2 * length; i += 2) {
      const x = points[i]!;
      const y = points[i + 1]!;
      const dx = x - previousX;
      const dy = y - previousY;
      if (dx <= merge && dx >= -merge && dy <= merge && dy >= -merge) continue;
      cutter[end++] = x;
      cutter[end++] = y;
      previousX = x;
      previousY = y;
    }
    takeArea(cutter, 0, end >> 1);
    this.#cutterSign = measured.isPositive ? 1 : -1;
    return end >> 1;
  }

  /** Cuts fragment f; false when the cutter does not reach into it, and then nothing has changed. */
  #cut(f: number, edges: number): boolean {
    const cutter = this.#cutter;
    const cutterSign = this.#cutterSign;
    const tolerance = this.#extent * 1e-12;
    const savedCount = this.count;
    const savedTop = this.#top;
    const weight = this.weight[f]!;
    let length = this.length[f]!;
    if (2 * (length + edges) + 2 > this.#current.length) this.#growScratch(length + edges);
    let current = this.#current;
    let next = this.#next;
    const side = this.#side;
    const from = this.start[f]!;
    for (let i = 0; i < 2 * length; i++) current[i] = this.xy[from + i]!;
    let ax = cutter[2 * edges - 2]!;
    let ay = cutter[2 * edges - 1]!;
    for (let e = 0; e < edges; e++) {
      const bx = cutter[2 * e]!;
      const by = cutter[2 * e + 1]!;
      const ex = (bx - ax) * cutterSign;
      const ey = (by - ay) * cutterSign;
      const near = tolerance * ((ex < 0 ? -ex : ex) + (ey < 0 ? -ey : ey));
      let inside = 0;
      let outside = 0;
      for (let i = 0; i < length; i++) {
        const distance = ex * (current[2 * i + 1]! - ay) - ey * (current[2 * i]! - ax);
        side[i] = distance;
        if (distance > near) inside++;
        else if (distance < -near) outside++;
      }
      ax = bx;
      ay = by;
      if (inside === 0) {
        this.count = savedCount;
        this.#top = savedTop;
        return false;
      }
      if (outside === 0) continue;
      this.#reserve(2 * length + 4);
      const out = this.xy;
      const outFrom = this.#top;
      let to = outFrom;
      let kept = 0;
      let xi = current[2 * length - 2]!;
      let yi = current[2 * length - 1]!;
      let di = side[length - 1]!;
      for (let j = 0; j < length; j++) {
        const xj = current[2 * j]!;
        const yj = current[2 * j + 1]!;
        const dj = side[j]!;
        if ((di > near && dj < -near) || (di < -near && dj > near)) {
          const t = di / (di - dj);
          const x = xi + t * (xj - xi);
          const y = yi + t * (yj - yi);
          next[kept++] = x;
          next[kept++] = y;
          out[to++] = x;
          out[to++] = y;
        }
        if (dj >= -near) {
          next[kept++] = xj;
          next[kept++] = yj;
        }
        if (dj <= near) {
          out[to++] = xj;
          out[to++] = yj;
        }
        xi = xj;
        yi = yj;
        di = dj;
      }
      this.weight[this.count] = weight;
      this.#close(to - outFrom);
      const swap = current;
      current = next;
      next = swap;
      length = kept >> 1;
    }
    this.#current = current;
    this.#next = next;
    this.#added = weight * this.keep;
    if (this.#added > 0) this.#put(current, 0, length);
    return true;
  }

  /** Makes a fragment of the numbers written behind the last one; its weight is written already. A line makes none. */
  #close(numbers: number): void {
    const { xy, count } = this;
    const top = this.#top;
    const box = this.#box;
    const b = 4 * count;
    takeBox(xy, top, numbers >> 1, box, b);
    // Not-a-number fails the comparison too.
    if (!(box[b + 2]! > box[b]! && box[b + 3]! > box[b + 1]!)) return;
    this.start[count] = top;
    this.length[count] = numbers >> 1;
    this.count = count + 1;
    this.#top = top + numbers;
  }

  #move(from: number, to: number): void {
    this.start[to] = this.start[from]!;
    this.length[to] = this.length[from]!;
    this.weight[to] = this.weight[from]!;
    const box = this.#box;
    box[4 * to] = box[4 * from]!;
    box[4 * to + 1] = box[4 * from + 1]!;
    box[4 * to + 2] = box[4 * from + 2]!;
    box[4 * to + 3] = box[4 * from + 3]!;
  }

  /** Makes room for one more fragment of `numbers` coordinates. */
  #reserve(numbers: number): void {
    if (this.count + 1 >= this.start.length) {
      this.start = grown(this.start);
      this.length = grown(this.length);
      this.weight = grown(this.weight);
      this.#box = grown(this.#box);
    }
    while (this.#top + numbers > this.xy.length) this.xy = grown(this.xy);
  }

  /** Closes the gaps that removed fragments left. The fragments lie in the order of their numbers. */
  #compact(): void {
    const { xy } = this;
    let top = 0;
    for (let f = 0; f < this.count; f++) {
      const begin = this.start[f]!;
      const end = begin + 2 * this.length[f]!;
      this.start[f] = top;
      for (let i = begin; i < end; i++) xy[top++] = xy[i]!;
    }
    this.#top = top;
  }

  #growScratch(vertices: number): void {
    this.#current = new Float64Array(4 * vertices + 4);
    this.#next = new Float64Array(4 * vertices + 4);
    this.#side = new Float64Array(2 * vertices + 2);
  }
}

const scratch = new FragmentSet();

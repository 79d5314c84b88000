import type { AlphaMap } from './AlphaMap.js';
import { DARKEST, DARKNESS_SHIFT, type FrameSnapshot, NONE, PolygonFlag } from './FrameSnapshot.js';
import { SampleRows } from './SampleRows.js';

/** What a painter's opacity does to a buffer of samples. */
const Use = {
  /** Buffer × (1 − opacity): light that passes. */
  COVER: 0,
  /** The buffer collects opacity: parts of one mask, painted over each other. */
  OVER: 1,
} as const;
type Use = (typeof Use)[keyof typeof Use];

/** A list for {@link SampleGrid.coverFlat} and the like, whose only opacity is 1. */
export const OPAQUE = Float64Array.of(1);

/** No screen shows less light than this, whatever is drawn over it. */
const LEAST_LIGHT = 1 / 512;

/** Neighbouring texels whose alpha differs by more than this, of 255, are an edge; by less, a gradient. */
const STEP = 64;

/** As {@link SeenPixels} has them: alphas that 8 bits of light cannot tell apart, and how many equal neighbours make a patch. */
const SAME = 4;
const PATCH = 3;

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A pixel and its eight neighbours. */
const AROUND_X = Int8Array.of(0, -1, 0, 1, -1, 1, -1, 0, 1);
const AROUND_Y = Int8Array.of(0, -1, -1, -1, 0, 0, 1, 1, 1);

/**
 * A grid of samples and the scan conversion of polygons onto it: along the span of each row the polygon's opacity, with texture
 * coordinates stepped from sample to sample. Buffers hold one number per sample, row by row.
 */
export class SampleGrid extends SampleRows {
  #maskBuffer = new Float32Array(4096);
  #outerMask = new Float32Array(0);
  #loadedMask = NONE;
  #loadedFor: FrameSnapshot | null = null;
  /** Light that the polygons drawn so far behind the present mask would leave if there were no mask. */
  #behindMask = new Float32Array(4096);
  #row = new Float32Array(512);
  /** A sample: where it lies on the canvas, x and y, and in cells of its alpha map from the centre of the first, u and v. */
  readonly #point = new Float64Array(4);
  /**
   * While {@link #isTracking}: how bright each sample would be if the ad were white, and how bright before anything covered it.
   */
  #brightness = new Float32Array(0);
  #adBrightness = 1;
  #isTracking = false;

  override place(rectangles: Float64Array, steps: Float64Array, s: number, margin = 0, rowStep = 1): void {
    super.place(rectangles, steps, s, margin, rowStep);
    this.#loadedMask = NONE;
    if (this.#maskBuffer.length < this.size) {
      this.#maskBuffer = new Float32Array(this.size * 2);
      this.#behindMask = new Float32Array(this.size * 2);
    }
    if (this.#row.length < this.columns) this.#row = new Float32Array(this.columns * 2);
  }

  protected override shiftTo(x: number, y: number): void {
    super.shiftTo(x, y);
    this.#loadedMask = NONE;
  }

  /**
   * From here on the brightness is followed through all polygons, in their order. Above a white ad, see {@link layAd}, a
   * polygon that adds light hides only as much of the ad as would become brighter than white. Without tracking it hides as
   * much as it adds.
   * @param ground how bright it is where nothing is painted
   */
  trackBrightness(ground: number): void {
    if (this.#brightness.length < this.size) this.#brightness = new Float32Array(this.size * 2);
    this.#adBrightness = 1;
    this.#brightness.fill(ground, 0, this.size);
    this.#isTracking = true;
  }

  /**
   * Lays a white ad over what was painted so far.
   * @param opacity how much light it gives
   * @param alpha how much of what lies below it it hides
   */
  layAd(opacity: number, alpha: number): void {
    this.#adBrightness = opacity > 0 && opacity < 1 ? opacity : 1;
    const { size } = this;
    const brightness = this.#brightness;
    const adBrightness = this.#adBrightness;
    for (let k = 0; k < size; k++) brightness[k] = adBrightness + (1 - alpha) * brightness[k]!;
  }

  forgetBrightness(): void {
    this.#isTracking = false;
  }

  /** Lets polygon i take light as if it had one opacity throughout, `opacities[at]`. */
  coverFlat(snapshot: FrameSnapshot, i: number, opacities: Float64Array, at: number, buffer: Float32Array): void {
    const columns = this.columns;
    const opacity = opacities[at]!;
    const keep = 1 - opacity;
    const last = this.takeEdges(snapshot, i);
    for (let r = this.firstRow; r < last; r++) {
      if (!this.span(r)) continue;
      const end = r * columns + this.spanTo;
      if (this.#isTracking) this.#brighten(r * columns + this.spanFrom, end, opacity, brightnessOf(snapshot, i));
      if (keep === 0) buffer.fill(0, r * columns + this.spanFrom, end);
      else for (let k = r * columns + this.spanFrom; k < end; k++) buffer[k]! *= keep;
    }
  }

  /**
   * Lets polygon i take light by its texels, gradient and, unless told otherwise, mask; `opacities[at]` stands in for the
   * polygon's own opacity where it has no gradient.
   * @param joins the polygon is drawn behind the same mask as the one that took light before: the mask does not bring back
   * what one of them hides of the other
   */
  coverTexels(
    snapshot: FrameSnapshot,
    i: number,
    opacities: Float64Array,
    at: number,
    buffer: Float32Array,
    withMask = true,
    joins = false,
  ): void {
    const mask = withMask ? snapshot.mask[i]! : NONE;
    if (mask !== NONE) {
      this.#loadMask(snapshot, mask);
      if (!joins) this.#behindMask.fill(1, 0, this.size);
    }
    this.#scan(snapshot, i, opacities, at, Use.COVER, buffer, mask !== NONE);
  }

  /** Fills the buffer with how much of each pixel lies in a box. The samples must be the centres of pixels. */
  weighBox(box: Float64Array, buffer: Float32Array): void {
    const { columns, rows, x, y } = this;
    const row = this.#row;
    for (let c = 0; c < columns; c++) row[c] = overlapOf(x + c - 0.5, box[0]!, box[2]!);
    for (let r = 0, k = 0; r < rows; r++) {
      const share = overlapOf(y + r - 0.5, box[1]!, box[3]!);
      for (let c = 0; c < columns; c++, k++) buffer[k] = share * row[c]!;
    }
  }

  /** True when a polygon's opacity varies from point to point. */
  static varies(snapshot: FrameSnapshot, i: number): boolean {
    return (
      snapshot.alphaMap[i] !== NONE ||
      snapshot.mask[i] !== NONE ||
      snapshot.gradient[2 * i] !== 0 ||
      snapshot.gradient[2 * i + 1] !== 0
    );
  }

  // --- inside ---

  /** Paints a colour of one opacity over the samples `from ≤ k < end`. */
  #brighten(from: number, end: number, opacity: number, colour: number): void {
    const brightness = this.#brightness;
    for (let k = from; k < end; k++) brightness[k]! += opacity * (colour - brightness[k]!);
  }

  /** Takes light from the samples of a row, by the row's opacity or by the light that the polygon adds. */
  #take(snapshot: FrameSnapshot, i: number, base: number, from: number, to: number, buffer: Float32Array): void {
    const row = this.#row;
    const brightness = this.#brightness;
    const isTracking = this.#isTracking;
    if ((snapshot.flags[i]! & PolygonFlag.ADDS) === 0) {
      for (let k = from; k < to; k++) buffer[base + k]! *= 1 - row[k]!;
      if (!isTracking) return;
      const colour = brightnessOf(snapshot, i);
      for (let k = from; k < to; k++) brightness[base + k]! += row[k]! * (colour - brightness[base + k]!);
      return;
    }
    for (let k = base + from; k < base + to; k++) {
      if (buffer[k]! >= LEAST_LIGHT) buffer[k] = this.#keptUnder(row[k - base]!, k, buffer[k]!);
    }
  }

  /** What sample k keeps of its light when some is added to it. */
  #keptUnder(added: number, k: number, light: number): number {
    // Screens have 256 steps of light: less than half a step adds nothing, however often it is added.
    const step = (added * 255 + 0.5) | 0;
    if (step === 0) return light;
    let excess = step / 255;
    if (this.#isTracking) {
      const brightness = this.#brightness;
      const sum = brightness[k]! + excess;
      excess = sum > 1 ? (sum - 1) / this.#adBrightness : 0;
      brightness[k] = sum > 1 ? 1 : sum;
    }
    return light > excess ? light - excess : 0;
  }

  #loadMask(snapshot: FrameSnapshot, index: number): void {
    if (this.#loadedMask === index && this.#loadedFor === snapshot) return;
    this.#loadedMask = index;
    this.#loadedFor = snapshot;
    const { size } = this;
    const maskBuffer = this.#maskBuffer;
    this.#paintMask(snapshot, index, maskBuffer);
    for (let outer = snapshot.masks[index]!.outer; outer !== NONE; outer = snapshot.masks[outer]!.outer) {
      if (this.#outerMask.length < size) this.#outerMask = new Float32Array(size * 2);
      this.#paintMask(snapshot, outer, this.#outerMask);
      for (let k = 0; k < size; k++) maskBuffer[k]! *= this.#outerMask[k]!;
    }
  }

  #paintMask(snapshot: FrameSnapshot, index: number, buffer: Float32Array): void {
    const { size } = this;
    buffer.fill(0, 0, size);
    const mask = snapshot.masks[index]!;
    for (let i = mask.from; i < mask.to; i++) {
      this.#scan(snapshot, i, snapshot.opacity, i, Use.OVER, buffer, false);
    }
    if (mask.invert) for (let k = 0; k < size; k++) buffer[k] = 1 - buffer[k]!;
  }

  #scan(
    snapshot: FrameSnapshot,
    i: number,
    opacities: Float64Array,
    at: number,
    use: Use,
    buffer: Float32Array,
    masked: boolean,
  ): void {
    const last = this.takeEdges(snapshot, i);
    if (this.firstRow >= last) return;
    const { columns, stepX } = this;
    const row = this.#row;
    const gradientX = snapshot.gradient[2 * i]!;
    const gradientY = snapshot.gradient[2 * i + 1]!;
    const isGradient = gradientX !== 0 || gradientY !== 0;
    const mapIndex = snapshot.alphaMap[i]!;
    const map = mapIndex === NONE ? null : snapshot.alphaMaps[mapIndex]!;
    // What is dark already stays so, whatever lies over it.
    const lit = use === Use.COVER ? buffer : null;
    for (let r = this.firstRow; r < last; r++) {
      if (!this.span(r)) continue;
      const y = this.rowY[r]! - this.offY;
      const from = this.spanFrom;
      const to = this.spanTo;
      if (isGradient) {
        let value = snapshot.opacity[i]! + gradientX * (this.rowX[r]! - this.offX + from * stepX) + gradientY * y;
        const slope = gradientX * stepX;
        for (let k = from; k < to; k++, value += slope) row[k] = value < 0 ? 0 : value > 1 ? 1 : value;
      } else {
        // Not by `fill`: a fraction that is handed over may cost an object.
        for (let k = from; k < to; k++) row[k] = opacities[at]!;
      }
      const base = r * columns;
      if (map !== null) {
        if (map.isPixelated === true) this.#multiplyEvenTexels(snapshot, i, map, r);
        else this.#multiplyTexels(snapshot, i, map, r, lit, base);
      }
      if (masked) this.#multiplyByMask(base, from, to);
      if (use === Use.COVER) this.#take(snapshot, i, base, from, to, buffer);
      else for (let k = from; k < to; k++) buffer[base + k]! += row[k]! * (1 - buffer[base + k]!);
    }
  }

  /**
   * Turns the row's opacity into the share of light that the polygon takes through the mask, after what was drawn behind the
   * same mask before.
   */
  #multiplyByMask(base: number, from: number, to: number): void {
    const row = this.#row;
    const maskBuffer = this.#maskBuffer;
    const behindMask = this.#behindMask;
    for (let k = from; k < to; k++) {
      const mask = maskBuffer[base + k]!;
      const before = behindMask[base + k]!;
      const after = before * (1 - row[k]!);
      behindMask[base + k] = after;
      const left = 1 - mask * (1 - before);
      row[k] = left > 0 ? (mask * (before - after)) / left : 0;
    }
  }

  /** As {@link #multiplyTexels}, for pixel art: each texel is even. */
  #multiplyEvenTexels(snapshot: FrameSnapshot, i: number, { width, height, alpha }: AlphaMap, r: number): void {
    const { uv } = snapshot;
    const { spanFrom: from, spanTo: to } = this;
    const row = this.#row;
    const repeat = (snapshot.flags[i]! & PolygonFlag.REPEAT) !== 0;
    const x = this.rowX[r]! - this.offX + from * this.stepX;
    const y = this.rowY[r]! - this.offY;
    const at = 6 * i;
    let u = uv[at]! * x + uv[at + 2]! * y + uv[at + 4]!;
    let v = uv[at + 1]! * x + uv[at + 3]! * y + uv[at + 5]!;
    const du = uv[at]! * this.stepX;
    const dv = uv[at + 1]! * this.stepX;
    for (let k = from; k < to; k++, u += du, v += dv) {
      const column = repeat ? wrapped(Math.floor(u), width) : u > 0 ? (u < width ? u | 0 : width - 1) : 0;
      const line = repeat ? wrapped(Math.floor(v), height) : v > 0 ? (v < height ? v | 0 : height - 1) : 0;
      row[k]! *= alpha[line * width + column]! / 255;
    }
  }

  /**
   * Multiplies the row by the map's alpha.
   * @param lit light of all samples, those of the row from `base` on: where none is left, nothing is looked up; null looks
   * up everywhere
   */
  #multiplyTexels(
    snapshot: FrameSnapshot,
    i: number,
    map: AlphaMap,
    r: number,
    lit: Float32Array | null,
    base: number,
  ): void {
    const { width, height, alpha } = map;
    const { uv } = snapshot;
    const { spanFrom: from, spanTo: to } = this;
    const row = this.#row;
    const repeat = (snapshot.flags[i]! & PolygonFlag.REPEAT) !== 0;
    const x = this.rowX[r]! - this.offX + from * this.stepX;
    const y = this.rowY[r]! - this.offY;
    const at = 6 * i;
    let u = uv[at]! * x + uv[at + 2]! * y + uv[at + 4]! - 0.5;
    let v = uv[at + 1]! * x + uv[at + 3]! * y + uv[at + 5]! - 0.5;
    const du = uv[at]! * this.stepX;
    const dv = uv[at + 1]! * this.stepX;
    if (repeat) {
      for (let k = from; k < to; k++, u += du, v += dv) {
        const column = Math.floor(u);
        const line = Math.floor(v);
        const left = wrapped(column, width);
        const right = left + 1 === width ? 0 : left + 1;
        const above = wrapped(line, height);
        const upper = above * width;
        const lower = above + 1 === height ? 0 : upper + width;
        const opacity = this.#between(
          alpha,
          upper + left,
          upper + right,
          lower + left,
          lower + right,
          u - column,
          v - line,
        );
        row[k]! *= opacity / 255;
      }
      return;
    }
    // Short of the last centre, so that the neighbour to the right and below always exists.
    const right = width > 1 ? 1 : 0;
    const below = height > 1 ? width : 0;
    const maxU = width > 1 ? width - 1 - 1e-7 : 0;
    const maxV = height > 1 ? height - 1 - 1e-7 : 0;
    for (let k = from; k < to; k++, u += du, v += dv) {
      if (lit !== null && lit[base + k]! < LEAST_LIGHT) continue;
      const cu = u > 0 ? (u < maxU ? u : maxU) : 0;
      const cv = v > 0 ? (v < maxV ? v : maxV) : 0;
      const column = cu | 0;
      const line = cv | 0;
      const upper = line * width + column;
      const lower = upper + below;
      let opacity = -1;
      if (this.isScattered && isStep(alpha[upper]!, alpha[upper + right]!, alpha[lower]!, alpha[lower + right]!)) {
        const point = this.#point;
        point[0] = x + (k - from) * this.stepX;
        point[1] = y;
        point[2] = u;
        point[3] = v;
        opacity = this.#placed(snapshot, i, map);
      }
      if (opacity < 0)
        opacity = this.#between(alpha, upper, upper + right, lower, lower + right, cu - column, cv - line);
      row[k]! *= opacity / 255;
    }
  }

  /**
   * The alpha, 0–255, that the scattered sample of {@link #point} stands for, where the alpha makes a step. A pixel in a step
   * shows a mixture, and {@link SeenPixels} counts it by its place between its neighbours. So the sample takes the lowest or the
   * highest alpha around its pixel, each as often as that place says; the pixel's own where enough of its neighbours have it.
   * Letters are nearly all steps: by the alpha at the sample itself small text would hide too little.
   *
   * −1 where the alpha at the sample does as well: between clear and opaque, and at the edge of the polygon or its texture, where
   * others have a say in what the neighbours show.
   */
  #placed(snapshot: FrameSnapshot, i: number, { width, height, alpha }: AlphaMap): number {
    const { box, uv } = snapshot;
    const point = this.#point;
    const at = 6 * i;
    const x = Math.floor(point[0]!);
    const y = Math.floor(point[1]!);
    if (x < box[4 * i]! + 0.5 || x + 1.5 > box[4 * i + 2]!) return -1;
    if (y < box[4 * i + 1]! + 0.5 || y + 1.5 > box[4 * i + 3]!) return -1;
    let here = 0;
    let low = 255;
    let high = 0;
    let equal = 0;
    for (let n = 0; n < 9; n++) {
      const dx = x + 0.5 + AROUND_X[n]! - point[0]!;
      const dy = y + 0.5 + AROUND_Y[n]! - point[1]!;
      const u = point[2]! + uv[at]! * dx + uv[at + 2]! * dy;
      const v = point[3]! + uv[at + 1]! * dx + uv[at + 3]! * dy;
      if (!(u >= 0 && v >= 0 && u < width - 1 && v < height - 1)) return -1;
      const column = u | 0;
      const line = v | 0;
      const upper = line * width + column;
      const lower = upper + width;
      const there = between(alpha[upper]!, alpha[upper + 1]!, alpha[lower]!, alpha[lower + 1]!, u - column, v - line);
      if (n === 0) here = there;
      else if (Math.abs(there - here) <= SAME && ++equal === PATCH) return Math.round(here);
      if (there < low) low = there;
      if (there > high) high = there;
    }
    if (low <= SAME && high >= 255 - SAME) return -1;
    return Math.round(chanceAt(x, y) * (high - low) < here - low ? high : low);
  }

  /**
   * The alpha, 0–255, of a point between the centres of four cells, as a GPU's linear filter finds it. Where the alpha makes
   * a step, scattered samples take the nearest cell as it is: pixels in the step show a mixture, and {@link SeenPixels}
   * counts them by their share on either side. Where opacity leaps from clear to just above the blocking one, the mixture
   * would begin to block far from the middle of the step, and each edge would be off by as much.
   *
   * @param tx, ty how far the point is from the upper left centre, 0–1
   */
  #between(
    alpha: Uint8Array,
    upperLeft: number,
    upperRight: number,
    lowerLeft: number,
    lowerRight: number,
    tx: number,
    ty: number,
  ): number {
    const a = alpha[upperLeft]!;
    const b = alpha[upperRight]!;
    const c = alpha[lowerLeft]!;
    const d = alpha[lowerRight]!;
    if (this.isScattered && isStep(a, b, c, d)) {
      const nearest = ty < 0.5 ? (tx < 0.5 ? a : b) : tx < 0.5 ? c : d;
      // A cell that is covered in part itself lies on the edge: counted as a whole, all of a slope would be of one side.
      if (!isBetween(nearest, a, b, c, d)) return nearest;
    }
    return between(a, b, c, d, tx, ty);
  }
}

/** The alpha, 0–255, of a point between the centres of four cells, given by rows, as a GPU's linear filter finds it. */
function between(a: number, b: number, c: number, d: number, tx: number, ty: number): number {
  const top = a + (b - a) * tx;
  return top + (c + (d - c) * tx - top) * ty;
}

/** Whether the alphas of four cells, by rows, make a step somewhere between neighbours. */
function isStep(a: number, b: number, c: number, d: number): boolean {
  return Math.abs(a - b) > STEP || Math.abs(c - d) > STEP || Math.abs(a - c) > STEP || Math.abs(b - d) > STEP;
}

/** Whether of four alphas there are some far below this one, and some far above. */
function isBetween(alpha: number, a: number, b: number, c: number, d: number): boolean {
  return Math.min(a, b, c, d) < alpha - STEP && Math.max(a, b, c, d) > alpha + STEP;
}

/** 0–1, the same for a pixel each time; along each row and column of pixels, and of every second, third, …, spread evenly. */
function chanceAt(x: number, y: number): number {
  const place = x * GOLDEN + y * Math.SQRT2;
  return place - Math.floor(place);
}

/** How bright a polygon's colour is, 0–1; 1 where it is unknown. */
function brightnessOf(snapshot: FrameSnapshot, i: number): number {
  return 1 - (snapshot.flags[i]! >> DARKNESS_SHIFT) / DARKEST;
}

/** How much of the pixel that begins at `from` lies between `min` and `max`. */
function overlapOf(from: number, min: number, max: number): number {
  return Math.max(0, Math.min(from + 1, max) - Math.max(from, min));
}

function wrapped(index: number, size: number): number {
  const rest = index % size;
  return rest < 0 ? rest + size : rest;
}

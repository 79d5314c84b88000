import type { AlphaMap } from './AlphaMap.js';
import { DARKEST, DARKNESS_SHIFT, type FrameSnapshot, NONE, PolygonFlag } from './FrameSnapshot.js';
import { between, hasStep, nearest, wrapped } from './betweenTexels.js';
import { LEAST_STEP, SampledStep } from './SampledStep.js';
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
  readonly #step = new SampledStep();
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
        this.#multiplyTexels(snapshot, i, map, r, lit, base);
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
    const isPixelated = map.isPixelated === true;
    const { uv } = snapshot;
    const { isScattered, spanFrom: from, spanTo: to, stepX } = this;
    const row = this.#row;
    const step = this.#step;
    const repeats = (snapshot.flags[i]! & PolygonFlag.REPEAT) !== 0;
    const x = this.rowX[r]! - this.offX + from * stepX;
    const y = this.rowY[r]! - this.offY;
    const at = 6 * i;
    let u = uv[at]! * x + uv[at + 2]! * y + uv[at + 4]! - 0.5;
    let v = uv[at + 1]! * x + uv[at + 3]! * y + uv[at + 5]! - 0.5;
    const du = uv[at]! * stepX;
    const dv = uv[at + 1]! * stepX;
    for (let k = from; k < to; k++, u += du, v += dv) {
      if (lit !== null && lit[base + k]! < LEAST_LIGHT) continue;
      const cu = repeats ? u : u > 0 ? (u < width - 1 ? u : width - 1) : 0;
      const cv = repeats ? v : v > 0 ? (v < height - 1 ? v : height - 1) : 0;
      const column = Math.floor(cu);
      const line = Math.floor(cv);
      const left = repeats ? wrapped(column, width) : column;
      const above = repeats ? wrapped(line, height) : line;
      // Beyond the last centre there is the first one again, or no more of the texture.
      const right = left + 1 < width ? left + 1 : repeats ? 0 : left;
      const upper = above * width;
      const lower = above + 1 < height ? upper + width : repeats ? 0 : upper;
      const a = alpha[upper + left]!;
      const b = alpha[upper + right]!;
      const c = alpha[lower + left]!;
      const d = alpha[lower + right]!;
      let opacity: number;
      if (isScattered && hasStep(a, b, c, d, LEAST_STEP)) {
        const { point } = step;
        point[0] = x + (k - from) * stepX;
        point[1] = y;
        point[2] = u;
        point[3] = v;
        opacity = step.alphaIn(snapshot, i, map);
      } else if (isPixelated) opacity = nearest(a, b, c, d, cu - column, cv - line);
      else opacity = between(a, b, c, d, cu - column, cv - line);
      row[k]! *= opacity / 255;
    }
  }
}

/** How bright a polygon's colour is, 0–1; 1 where it is unknown. */
function brightnessOf(snapshot: FrameSnapshot, i: number): number {
  return 1 - (snapshot.flags[i]! >> DARKNESS_SHIFT) / DARKEST;
}

/** How much of the pixel that begins at `from` lies between `min` and `max`. */
function overlapOf(from: number, min: number, max: number): number {
  return Math.max(0, Math.min(from + 1, max) - Math.max(from, min));
}

import { boxesMeet } from '../geometry/boxesMeet.js';
import { CandidateKind, CandidateList } from './CandidateList.js';
import { type AdView, type FrameSnapshot, PolygonFlag } from './FrameSnapshot.js';
import { isOwn, OwnArea, sampleOwn } from './OwnArea.js';
import { SampleDomain } from './SampleDomain.js';
import { OPAQUE, SampleGrid } from './SampleGrid.js';

/** Under more covers than this, each pixel is sampled at one point. */
const MOST_AVERAGED = 4000;

/**
 * Where every pixel is sampled and covers × points per pixel exceed this, the errors at their edges even out by themselves,
 * and one point per pixel will do. Not with translucent covers: they make patterns.
 */
const MOST_EDGES = 1024;

/**
 * Samples one view of an ad: where the points lie, which of them are ad, and how much of their light is left by what is
 * drawn later. Each buffer holds a number per point of {@link grid}. Buffers grow and are kept.
 */
export class CoverSamples {
  readonly own = new OwnArea();
  readonly candidates = new CandidateList();
  readonly domain = new SampleDomain();
  readonly grid = new SampleGrid();

  /** Some rectangle since the last {@link begin} had fewer points than pixels. */
  isCoarse = false;

  /** What an ad that lets light through is seen on is unknown, and light is added above it. */
  isOnUnknown = false;

  /** How much the ad leaves clear: see {@link isOwn}. */
  clear = new Float32Array(8192);
  /** Light that all candidates leave, 0–1. */
  light = new Float32Array(8192);
  /** Light that the candidates leave whose areas are known exactly. */
  flat = new Float32Array(8192);
  /** A mean over the points of each pixel, or a sum. */
  mean = new Float32Array(8192);
  /** Share of the ad that its own bitmap mask leaves: see {@link takeMask}. */
  mask = new Float32Array(8192);
  #below = new Float32Array(0);

  /** Starts a measurement; `pass` numbers the measurements of one picture, each of which samples other points. */
  begin(pass: number): void {
    this.isCoarse = this.isOnUnknown = false;
    this.grid.turn(pass);
  }

  /**
   * Lays the grid over rectangle `s` of the planned domain.
   * @param margin points around the rectangle, in pixels
   * @param rowStep see {@link SampleGrid.place}: fewer rows, for many covers
   */
  placeIn(s: number, margin = 0, rowStep = this.candidates.rowStep): void {
    const { rectangle, step } = this.domain;
    if (step[s]! > 1) this.isCoarse = true;
    this.place(rectangle, step, s, margin, rowStep);
  }

  /** Lays the grid as {@link SampleGrid.place} does. */
  place(rectangles: Float64Array, steps: Float64Array, s: number, margin = 0, rowStep = 1): void {
    this.grid.place(rectangles, steps, s, margin, rowStep);
    const { size } = this.grid;
    if (this.clear.length >= size) return;
    this.clear = new Float32Array(2 * size);
    this.light = new Float32Array(2 * size);
    this.flat = new Float32Array(2 * size);
    this.mean = new Float32Array(2 * size);
    this.mask = new Float32Array(2 * size);
  }

  /** At how many points each pixel is sampled. */
  affordablePoints(): number {
    const { count, hasTranslucent, pixelPoints } = this.candidates;
    const isEven = !hasTranslucent && count * pixelPoints > MOST_EDGES;
    return isEven || count > MOST_AVERAGED ? 1 : pixelPoints;
  }

  /** Marks in the domain where a candidate may take light. */
  markCandidate(snapshot: FrameSnapshot, c: number): void {
    const { candidates, domain } = this;
    if (candidates.kind[c] === CandidateKind.TEXELS) domain.markTexels(snapshot, candidates.polygon[c]!);
    else domain.markPolygon(snapshot, candidates.polygon[c]!);
  }

  /** Marks where any candidate may take light; for very many candidates, the box around them. */
  markCandidates(snapshot: FrameSnapshot): void {
    const { candidates, domain } = this;
    const { count, isCrowd } = candidates;
    if (isCrowd) domain.mark(candidates.around, 0);
    else for (let c = 0; c < count; c++) this.markCandidate(snapshot, c);
  }

  /** Fills {@link clear} with what the ad on screen leaves clear, masks regarded. */
  sampleAd(snapshot: FrameSnapshot, view: AdView): void {
    sampleOwn(snapshot, view.pieceFrom, view.pieceTo, this.own.varies, true, this.grid, this.clear);
  }

  /**
   * Lets one candidate take its light from a buffer.
   * @param earlier the candidate that has just taken its own from it; −1 for none
   */
  coverBy(snapshot: FrameSnapshot, c: number, light: Float32Array, earlier = c - 1): void {
    const { candidates, grid } = this;
    const i = candidates.polygon[c]!;
    const { opacity } = candidates;
    if (candidates.kind[c] === CandidateKind.TEXELS) {
      grid.coverTexels(snapshot, i, opacity, c, light, true, candidates.joins(snapshot, earlier, c));
    } else {
      grid.coverFlat(snapshot, i, opacity, c, light);
    }
  }

  /** Fills {@link light} with what all candidates leave, in the order they are drawn. */
  coverByAll(snapshot: FrameSnapshot, view: AdView): void {
    const { candidates, grid, light } = this;
    light.fill(1, 0, grid.size);
    if (candidates.addsLight) this.trackBrightness(snapshot, view);
    for (let c = 0; c < candidates.count; c++) this.coverBy(snapshot, c, light);
    grid.forgetBrightness();
  }

  /** From here on the grid follows how bright a white ad is, on what it is seen on and under what covers it. */
  trackBrightness(snapshot: FrameSnapshot, { alpha, opacity, fade, shapeFrom }: AdView): void {
    const { grid } = this;
    if (this.#below.length < grid.size) this.#below = new Float32Array(2 * grid.size);
    grid.trackBrightness(snapshot.ground);
    for (let i = 0; alpha < 1 && i < shapeFrom; i++) {
      const flags = snapshot.flags[i]!;
      if ((flags & PolygonFlag.PAINTED) === 0 || !boxesMeet(snapshot.box, i, this.candidates.box, 0)) continue;
      if ((flags & PolygonFlag.UNMEASURABLE) !== 0) this.isOnUnknown = true;
      // Only light can be covered: each polygon gets some.
      this.#below.fill(1, 0, grid.size);
      grid.coverTexels(snapshot, i, snapshot.opacity, i, this.#below);
    }
    grid.layAd(opacity / fade, alpha);
  }

  /**
   * Fills {@link flat} with the light left by the candidates that have one opacity each: by all of them, or by those that block.
   */
  coverByFlat(snapshot: FrameSnapshot, withTranslucent: boolean): void {
    const { candidates, flat, grid } = this;
    const { count, kind, polygon, opacity } = candidates;
    flat.fill(1, 0, grid.size);
    for (let c = 0; c < count; c++) {
      if (kind[c] === CandidateKind.TEXELS || (!withTranslucent && kind[c] !== CandidateKind.BLOCKING)) continue;
      if (withTranslucent) grid.coverFlat(snapshot, polygon[c]!, opacity, c, flat);
      else grid.coverFlat(snapshot, polygon[c]!, OPAQUE, 0, flat);
    }
  }

  /**
   * Fills {@link light} with what translucent candidates leave in the mean of each pixel. Very many of them make patterns
   * finer than pixels, as the overlapping segments of a thick stroke do, and smoothing blurs these before anybody sees them.
   */
  averageTranslucent(snapshot: FrameSnapshot): void {
    const { candidates, grid, light, mean } = this;
    const { size } = grid;
    const points = this.affordablePoints();
    mean.fill(0, 0, size);
    for (let point = 0; point < points; point++) {
      grid.shift(point, points);
      light.fill(1, 0, size);
      for (let c = 0; c < candidates.count; c++) {
        if (candidates.kind[c] === CandidateKind.TRANSLUCENT) this.coverBy(snapshot, c, light);
      }
      for (let k = 0; k < size; k++) mean[k]! += light[k]! / points;
    }
    grid.centre();
    for (let k = 0; k < size; k++) light[k] = mean[k]!;
  }

  /**
   * Fills {@link light} with what the candidates leave, each by its mean over the pixel: as Canvas blends the edges of one
   * shape after another, and WebGL what is behind one mask.
   */
  coverByBlending(snapshot: FrameSnapshot): void {
    const { candidates, clear, flat, grid, light } = this;
    const { size } = grid;
    const points = candidates.pixelPoints;
    light.fill(1, 0, size);
    let next: number;
    for (let c = 0; c < candidates.count; c = next) {
      next = c + 1;
      while (next < candidates.count && candidates.joins(snapshot, next - 1, next)) next++;
      flat.fill(0, 0, size);
      for (let point = 0; point < points; point++) {
        grid.shift(point, points);
        clear.fill(1, 0, size);
        for (let member = c; member < next; member++) this.coverBy(snapshot, member, clear);
        for (let k = 0; k < size; k++) flat[k]! += clear[k]!;
      }
      for (let k = 0; k < size; k++) light[k]! *= flat[k]! / points;
    }
  }

  /**
   * Takes from {@link light} what the ad's own bitmap mask takes: mask and covers together must leave enough. {@link clear}
   * must be filled. Does nothing for an ad without a mask.
   */
  dimByMask(snapshot: FrameSnapshot, view: AdView): void {
    if (!this.own.isMasked) return;
    this.takeMask(snapshot, view);
    const { grid, light, mask } = this;
    for (let k = 0; k < grid.size; k++) light[k]! *= mask[k]!;
  }

  /** Fills {@link mask}. {@link clear} must be filled. */
  takeMask(snapshot: FrameSnapshot, view: AdView): void {
    const { clear, grid, mask } = this;
    sampleOwn(snapshot, view.pieceFrom, view.pieceTo, true, false, grid, mask);
    for (let k = 0; k < grid.size; k++) {
      const whole = 1 - mask[k]!;
      mask[k] = whole > 0 ? (1 - clear[k]!) / whole : 1;
    }
  }

  /** Fills {@link mean} with the share of each pixel that is ad. */
  weighPixels(snapshot: FrameSnapshot, view: AdView): void {
    const { candidates, clear, grid, mean } = this;
    const { size } = grid;
    const points = candidates.pixelPoints;
    if (this.own.isBox) {
      grid.weighBox(candidates.box, mean);
      return;
    }
    mean.fill(0, 0, size);
    for (let point = 0; point < points; point++) {
      grid.shift(point, points);
      this.sampleAd(snapshot, view);
      for (let k = 0; k < size; k++) if (isOwn(clear[k]!)) mean[k]! += 1 / points;
    }
    grid.centre();
  }

  /**
   * Samples every pixel at several points: {@link flat} gets the number of points that are ad, {@link mean} the sum of the
   * light they keep.
   */
  sumPoints(snapshot: FrameSnapshot, view: AdView): void {
    const { clear, flat, grid, light, mean } = this;
    const { size } = grid;
    const points = this.candidates.pixelPoints;
    flat.fill(0, 0, size);
    mean.fill(0, 0, size);
    for (let point = 0; point < points; point++) {
      grid.shift(point, points);
      this.sampleAd(snapshot, view);
      this.coverByAll(snapshot, view);
      this.dimByMask(snapshot, view);
      for (let k = 0; k < size; k++) {
        if (!isOwn(clear[k]!)) continue;
        flat[k]! += 1;
        mean[k]! += light[k]!;
      }
    }
  }

  /** Takes the outermost points of the grid out of the ad: `none` is the buffer's value for points that are no ad. */
  clearMargin(buffer: Float32Array, none: number): void {
    const { columns, rows, size } = this.grid;
    buffer.fill(none, 0, columns);
    buffer.fill(none, size - columns, size);
    for (let row = 1; row < rows - 1; row++) buffer[row * columns] = buffer[(row + 1) * columns - 1] = none;
  }
}

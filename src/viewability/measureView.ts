import { FragmentSet } from '../geometry/FragmentSet.js';
import { UnionArea } from '../geometry/UnionArea.js';
import { CandidateKind, CandidateList } from './CandidateList.js';
import { type AdView, type FrameSnapshot, PolygonFlag } from './FrameSnapshot.js';
import { isOwn, OwnArea, sampleOwn } from './OwnArea.js';
import { SampleDomain } from './SampleDomain.js';
import { SampleGrid } from './SampleGrid.js';
import { SeenPixels } from './SeenPixels.js';
import { DEFAULT_MAX_SAMPLES, type MeasureOptions, NEGLIGIBLE_AREA, type ViewMeasurement } from './ViewMeasurement.js';

/** Translucent polygons cut each other into ever smaller fragments; beyond this many, sampling is cheaper. */
const MAX_FRAGMENTS = 256;
const MAX_TRANSLUCENT = 32;

/** When no sample is visible, a visible rest below this share of the on-screen area is the noise of sampling. */
const NOISE = 0.01;

/** Keeps the comparison of accumulated light with the threshold clear of rounding. */
const LIGHT_TOLERANCE = 1e-6;

const own = new OwnArea();
const candidates = new CandidateList();
const union = new UnionArea();
const fragments = new FragmentSet();
const domain = new SampleDomain();
const grid = new SampleGrid();
const pixels = new SeenPixels();
let ownBuffer = new Float32Array(8192);
let flatBuffer = new Float32Array(8192);
let lightBuffer = new Float32Array(8192);
/** Mean light over the points of each pixel, or the share of it that is ad. */
let meanBuffer = new Float32Array(8192);
/** What the ad's own bitmap mask leaves of it. */
let maskBuffer = new Float32Array(8192);

/** The result of {@link measureFlat}: fields, since numbers that are returned are new objects now and then. */
const flat = { visible: 0.5, light: 0.5 };

/** Sums of {@link sampleCovers}, in canvas pixels². */
const sampled = { seenByFlat: 0.5, seenByAll: 0.5, lightByFlat: 0.5, lightByAll: 0.5, own: 0.5 };

/**
 * Measures what one camera shows of one ad. Polygons of one opacity are clipped exactly; where texels, gradients or
 * masks decide, points are sampled, and the exact result is corrected by the difference they make (a control variate).
 * Blockers are left to `resolveBlockers`. Allocates nothing once its buffers have grown; never throws.
 */
export function measureView(
  snapshot: FrameSnapshot,
  view: AdView,
  options: MeasureOptions,
  out: ViewMeasurement,
): void {
  const maxSamples = options.maxSamples ?? DEFAULT_MAX_SAMPLES;
  out.reset();
  own.take(snapshot, view);
  out.transparent = !(view.opacity >= options.blockingOpacity);
  out.unmeasurable = view.unmeasurable;
  if (!(own.pieceArea > 0)) {
    out.totalArea = own.varies ? sampleHidden(snapshot, view, maxSamples) : own.shapeArea;
    return;
  }
  candidates.collect(snapshot, view, options);
  if (own.varies) {
    measureOwnTexels(snapshot, view, maxSamples, out);
    measureCoversOfTexels(snapshot, view, options, out);
  } else {
    // A piece cannot be larger than its shape; where they are the same, rounding must not tell them apart.
    out.totalArea = Math.max(own.shapeArea, own.pieceArea);
    out.onScreenArea = own.pieceArea;
    measureCovers(snapshot, view, options, out);
  }
  // What only touches, or is thinner than a pixel, takes area and yet nobody sees it.
  const isBlended = snapshot.pixelPoints === BLENDED_POINTS;
  if (out.lostArea >= NEGLIGIBLE_AREA && out.lostArea < thinArea()) {
    const isSeen =
      losesNoPixel(snapshot, view, options) &&
      !(isBlended && lostPixelArea(snapshot, view, options) >= LEAST_EDGE_LOSS);
    if (isSeen) {
      out.visibleArea = out.onScreenArea;
      out.lostArea = 0;
    }
  } else if (out.lostArea < NEGLIGIBLE_AREA && mayLoseEdges(isBlended) && snapshot.pixelPoints > 1) {
    // Centres of pixels tell of textured covers, but not of those that hide just the ad's part of the pixels on its edge.
    const lost = lostPixelArea(snapshot, view, options);
    if (lost >= LEAST_EDGE_LOSS && (isBlended || !losesNoPixel(snapshot, view, options))) {
      out.visibleArea = Math.max(0, out.onScreenArea - lost);
      out.lostArea = lost;
    }
  }
  if (candidates.hasUnmeasurable && unmeasurableArea(snapshot) >= NEGLIGIBLE_AREA) out.unmeasurable = true;
  out.isFullyVisible =
    !out.transparent &&
    !out.unmeasurable &&
    out.lostArea < NEGLIGIBLE_AREA &&
    out.onScreenArea >= out.totalArea - NEGLIGIBLE_AREA &&
    2 * out.visibleArea > out.totalArea;
}

/**
 * Writes what is seen of the ad to `out` as disjoint convex fragments, for display. Where polygons of one opacity decide
 * they are exact; where texels, gradients, masks or several translucent covers do, they are rows of whole canvas pixels.
 * Empty when nothing is seen, or when the ad itself is too transparent or cannot be measured.
 */
export function collectVisibleFragments(
  snapshot: FrameSnapshot,
  view: AdView,
  options: MeasureOptions,
  out: FragmentSet,
): void {
  own.take(snapshot, view);
  out.reset();
  if (!(own.pieceArea > 0) || !(view.opacity >= options.blockingOpacity) || view.unmeasurable) return;
  candidates.collect(snapshot, view, options);
  if (own.varies || candidates.hasTexels || candidates.hasTranslucent) {
    collectSeenPixels(snapshot, view, options.blockingOpacity, out);
    return;
  }
  for (let p = 0; p < own.pieceCount; p++) out.add(own.xy, own.start[p]!, own.length[p]!);
  for (let c = 0; c < candidates.count; c++) {
    const i = candidates.polygon[c]!;
    out.subtract(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!);
  }
}

/** Pixels looked at in one go. */
const BAND_PIXELS = 65536;

/** The pixels of the ad that are seen, as rectangles: runs of a row, joined with equal ones of the row above. */
function collectSeenPixels(snapshot: FrameSnapshot, view: AdView, blocking: number, out: FragmentSet): void {
  const threshold = 1 - blocking + LIGHT_TOLERANCE;
  const left = Math.max(0, Math.floor(candidates.minX));
  const right = Math.min(Math.ceil(snapshot.canvasWidth), Math.ceil(candidates.maxX));
  const bottom = Math.min(Math.ceil(snapshot.canvasHeight), Math.ceil(candidates.maxY));
  const columns = right - left;
  if (!(columns > 0)) return;
  // First column, end, and first row of each run that may go on in the next row.
  let open: number[] = [];
  const bandRows = Math.max(1, Math.floor(BAND_PIXELS / columns));
  for (let top = Math.max(0, Math.floor(candidates.minY)); top < bottom; top += bandRows) {
    const rows = Math.min(bandRows, bottom - top);
    grid.place(left, top, columns, rows, 1);
    reserveSamples();
    sampleOwn(snapshot, view.pieceFrom, view.pieceTo, own.varies, true, grid, ownBuffer);
    coverByAll(snapshot, view);
    if (own.isMasked) dimByMask(snapshot, view, lightBuffer);
    for (let row = 0; row < rows; row++) {
      const isSeen = (column: number): boolean => {
        const k = row * grid.columns + column;
        return column < grid.columns && isOwn(ownBuffer[k]!) && lightBuffer[k]! > threshold;
      };
      open = joinRuns(isSeen, columns, left, top + row, open, out);
    }
  }
  joinRuns(() => false, columns, left, bottom, open, out);
}

/** Takes up the runs of one row, hands out the open ones that end above it, and returns those that are open now. */
function joinRuns(
  isSeen: (column: number) => boolean,
  columns: number,
  left: number,
  y: number,
  open: readonly number[],
  out: FragmentSet,
): number[] {
  const runs: number[] = [];
  let at = 0;
  for (let column = 0; column <= columns; column++) {
    if (!isSeen(column)) continue;
    const from = column;
    while (column < columns && isSeen(column)) column++;
    while (at < open.length && open[at]! < from) at = closeRun(open, at, left, y, out);
    const goesOn = at < open.length && open[at] === from && open[at + 1] === column;
    runs.push(from, column, goesOn ? open[at + 2]! : y);
    if (goesOn) at += 3;
  }
  while (at < open.length) at = closeRun(open, at, left, y, out);
  return runs;
}

function closeRun(open: readonly number[], at: number, left: number, bottom: number, out: FragmentSet): number {
  const x0 = left + open[at]!;
  const x1 = left + open[at + 1]!;
  const top = open[at + 2]!;
  out.add([x0, top, x1, top, x1, bottom, x0, bottom], 0, 4);
  return at + 3;
}

// --- covers of an ad that is opaque throughout ---

function measureCovers(snapshot: FrameSnapshot, view: AdView, options: MeasureOptions, out: ViewMeasurement): void {
  const maxSamples = options.maxSamples ?? DEFAULT_MAX_SAMPLES;
  const area = own.pieceArea;
  const allFlat = measureFlat(snapshot, options);
  let visible = flat.visible;
  let light = flat.light;
  const isIntricate = snapshot.pixelPoints > 1 && candidates.isIntricate;
  if (!allFlat || isIntricate || (candidates.hasTexels && light > 0)) {
    domain.reset(candidates.minX, candidates.minY, candidates.maxX, candidates.maxY);
    for (let c = 0; c < candidates.count; c++) {
      if (candidates.kind[c] === CandidateKind.TEXELS) domain.markTexels(snapshot, candidates.polygon[c]!);
      else if ((!allFlat || isIntricate) && candidates.opacity[c]! < 1)
        domain.markPolygon(snapshot, candidates.polygon[c]!);
    }
    if (domain.plan(maxSamples)) {
      sampleCovers(snapshot, view, options, allFlat);
      if (domain.isWhole) {
        if (sampled.seenByFlat > 0) visible *= sampled.seenByAll / sampled.seenByFlat;
        // A cover taken as opaque may still let light through: then there is no light to take a share of.
        if (!allFlat) light += sampled.lightByAll - sampled.lightByFlat;
        else if (sampled.lightByFlat > 0) light *= sampled.lightByAll / sampled.lightByFlat;
      } else {
        visible -= sampled.seenByFlat - sampled.seenByAll;
        light -= sampled.lightByFlat - sampled.lightByAll;
        if (sampled.seenByAll === 0 && visible < area * NOISE) visible = 0;
      }
    }
  }
  flat.visible = visible;
  flat.light = light;
  setVisible(out);
}

/**
 * Exact part: visible area and light under the candidates of one opacity. Returns false when those that let light through
 * are too many; then only those that block by themselves have been regarded, as if they were opaque.
 */
function measureFlat(snapshot: FrameSnapshot, options: MeasureOptions): boolean {
  if (candidates.leaksLight && measureTranslucent(snapshot, options)) return true;
  flat.visible = 0;
  const { count, kind, polygon } = candidates;
  const { xy, start, length } = snapshot;
  for (let p = 0; p < own.pieceCount; p++) {
    union.reset(own.xy, own.start[p]!, own.length[p]!);
    for (let c = 0; c < count; c++) {
      if (kind[c] !== CandidateKind.BLOCKING) continue;
      const i = polygon[c]!;
      union.add(xy, 2 * start[i]!, length[i]!);
    }
    flat.visible += union.uncovered();
  }
  flat.light = flat.visible;
  return !candidates.leaksLight;
}

/** Fragments with weights; false when there would be too many. */
function measureTranslucent(snapshot: FrameSnapshot, options: MeasureOptions): boolean {
  const { count, kind, polygon, opacity } = candidates;
  if (candidates.translucentCount > MAX_TRANSLUCENT) return false;
  fragments.reset();
  for (let p = 0; p < own.pieceCount; p++) fragments.add(own.xy, own.start[p]!, own.length[p]!);
  const limit = MAX_FRAGMENTS + own.pieceCount;
  // The order does not matter to the product, and what is gone need not be cut.
  for (let pass = 0; pass < 2; pass++) {
    for (let c = 0; c < count && fragments.count > 0; c++) {
      if (kind[c] === CandidateKind.TEXELS || (opacity[c] === 1) !== (pass === 0)) continue;
      const i = polygon[c]!;
      fragments.attenuate(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!, 1 - opacity[c]!);
      if (fragments.count > limit) return false;
    }
  }
  flat.visible = fragments.area(1 - options.blockingOpacity + LIGHT_TOLERANCE);
  flat.light = fragments.weightedArea();
  return true;
}

/** Samples the domain: what is seen of the ad under the exactly treated candidates alone, and under all. */
function sampleCovers(snapshot: FrameSnapshot, view: AdView, options: MeasureOptions, allFlat: boolean): void {
  const threshold = 1 - options.blockingOpacity + LIGHT_TOLERANCE;
  const isFine = snapshot.pixelPoints > 1 && candidates.translucentCount > MAX_TRANSLUCENT && !candidates.addsLight;
  sampled.seenByFlat = sampled.seenByAll = sampled.lightByFlat = sampled.lightByAll = sampled.own = 0;
  for (let s = 0; s < domain.count; s++) {
    // Where every pixel is looked at, each counts as it is drawn, by its place among its neighbours.
    const isPixels = domain.step[s] === 1;
    const points = isPixels && candidates.isIntricate ? snapshot.pixelPoints : 1;
    placeGrid(s, isPixels ? 1 : 0);
    const size = grid.size;
    // Pixels the ad covers in part belong to it in part, also those whose centre lies outside of it.
    const isWeighed = isPixels && points === 1 && !own.varies && snapshot.pixelPoints > 1;
    if (isPixels) pixels.begin(size);
    if (isWeighed) weighPixels(snapshot, view);
    let flatSeen = 0;
    let allSeen = 0;
    let flatSum = 0;
    let allSum = 0;
    let ownCount = 0;
    for (let point = 0; point < points; point++) {
      if (points > 1) grid.shift(point, points);
      sampleOwn(snapshot, view.pieceFrom, view.pieceTo, own.varies, true, grid, ownBuffer);
      coverByFlat(snapshot, allFlat);
      if (isFine && domain.step[s]! > 1) {
        averageTranslucent(snapshot);
        for (let c = 0; c < candidates.count; c++) {
          if (candidates.kind[c] !== CandidateKind.TRANSLUCENT) coverBy(snapshot, c);
        }
      } else if (allFlat && !candidates.addsLight) {
        for (let k = 0; k < size; k++) lightBuffer[k] = flatBuffer[k]!;
        for (let c = 0; c < candidates.count; c++) {
          if (candidates.kind[c] === CandidateKind.TEXELS) coverBy(snapshot, c);
        }
      } else {
        coverByAll(snapshot, view);
      }
      if (own.isMasked) dimByMask(snapshot, view, lightBuffer);
      if (isWeighed) {
        pixels.set(meanBuffer, lightBuffer, size);
        clearMargin(meanBuffer, 0);
      } else if (isPixels) {
        pixels.add(isOwn, ownBuffer, lightBuffer, size);
        clearMargin(ownBuffer, 1);
      }
      for (let k = 0; k < size; k++) {
        const weight = isWeighed ? meanBuffer[k]! : isOwn(ownBuffer[k]!) ? 1 : 0;
        if (weight === 0) continue;
        const byFlat = flatBuffer[k]!;
        const all = lightBuffer[k]!;
        ownCount += weight;
        if (byFlat > threshold) flatSeen += weight;
        if (all > threshold) allSeen += weight;
        flatSum += weight * byFlat;
        allSum += weight * all;
      }
    }
    if (points > 1) grid.centre();
    if (isPixels) allSeen = points * pixels.area(grid.columns, grid.rows, threshold);
    const area = grid.sampleArea / points;
    sampled.seenByFlat += flatSeen * area;
    sampled.seenByAll += allSeen * area;
    sampled.lightByFlat += flatSum * area;
    sampled.lightByAll += allSum * area;
    sampled.own += ownCount * area;
  }
}

/** Fills the mean buffer with the share of each pixel that is ad. */
function weighPixels(snapshot: FrameSnapshot, view: AdView): void {
  const { size } = grid;
  const points = snapshot.pixelPoints;
  meanBuffer.fill(0, 0, size);
  for (let point = 0; point < points; point++) {
    grid.shift(point, points);
    sampleOwn(snapshot, view.pieceFrom, view.pieceTo, own.varies, true, grid, ownBuffer);
    for (let k = 0; k < size; k++) if (isOwn(ownBuffer[k]!)) meanBuffer[k]! += 1 / points;
  }
  grid.centre();
}

/** Takes the outermost samples of the grid out of the ad: `none` is what the buffer says of samples that are no ad. */
function clearMargin(buffer: Float32Array, none: number): void {
  const { columns, rows, size } = grid;
  buffer.fill(none, 0, columns);
  buffer.fill(none, size - columns, size);
  for (let row = 1; row < rows - 1; row++) buffer[row * columns] = buffer[(row + 1) * columns - 1] = none;
}

/** Fills the flat buffer with what the exact part has regarded, in the same way: the difference is what it has not. */
function coverByFlat(snapshot: FrameSnapshot, allFlat: boolean): void {
  const { count, kind, polygon, opacity } = candidates;
  flatBuffer.fill(1, 0, grid.size);
  for (let c = 0; c < count; c++) {
    if (kind[c] === CandidateKind.TEXELS || (!allFlat && kind[c] !== CandidateKind.BLOCKING)) continue;
    grid.coverFlat(snapshot, polygon[c]!, allFlat ? opacity[c]! : 1, flatBuffer);
  }
}

/** Fills the light buffer with what all candidates leave. */
function coverByAll(snapshot: FrameSnapshot, view: AdView): void {
  lightBuffer.fill(1, 0, grid.size);
  if (candidates.addsLight) grid.trackBrightness(view.opacity);
  for (let c = 0; c < candidates.count; c++) coverBy(snapshot, c);
  grid.forgetBrightness();
}

/** Lets one candidate take light from the light buffer, or another. */
function coverBy(snapshot: FrameSnapshot, c: number, light = lightBuffer): void {
  const i = candidates.polygon[c]!;
  const opacity = candidates.opacity[c]!;
  if (candidates.kind[c] === CandidateKind.TEXELS) grid.coverTexels(snapshot, i, opacity, light);
  else grid.coverFlat(snapshot, i, opacity, light);
}

/**
 * Fills the light buffer with what translucent candidates leave in the mean of each pixel. Very many of them make patterns
 * finer than pixels, as the overlapping segments of a thick stroke do, and smoothing blurs these before anybody sees them.
 */
function averageTranslucent(snapshot: FrameSnapshot): void {
  const size = grid.size;
  const points = snapshot.pixelPoints;
  meanBuffer.fill(0, 0, size);
  for (let point = 0; point < points; point++) {
    grid.shift(point, points);
    lightBuffer.fill(1, 0, size);
    for (let c = 0; c < candidates.count; c++) {
      if (candidates.kind[c] === CandidateKind.TRANSLUCENT) coverBy(snapshot, c);
    }
    for (let k = 0; k < size; k++) meanBuffer[k]! += lightBuffer[k]! / points;
  }
  grid.centre();
  for (let k = 0; k < size; k++) lightBuffer[k] = meanBuffer[k]!;
}

/** Takes off the light the ad's own bitmap mask takes: what is left must suffice under mask and covers together. */
function dimByMask(snapshot: FrameSnapshot, view: AdView, light: Float32Array): void {
  const size = grid.size;
  sampleOwn(snapshot, view.pieceFrom, view.pieceTo, true, false, grid, maskBuffer);
  for (let k = 0; k < size; k++) {
    const whole = 1 - maskBuffer[k]!;
    if (whole > 0) light[k]! *= (1 - ownBuffer[k]!) / whole;
  }
}

// --- covers too thin to be seen ---

/** Canvas pixels² of an ad's edge that textured covers must hide at least, for GPUs smooth in ways of their own. */
const LEAST_EDGE_LOSS = 2;

/** {@link FrameSnapshot.pixelPoints} where the edge of each shape is blended by itself, as Canvas does. */
const BLENDED_POINTS = 8;

/** Light by which a pixel must be above the threshold to count as seen for sure: GPUs smooth in ways of their own. */
const DOUBT = 0.1;

/** The most pixels looked at for one that is lost, under few covers; under many of them, fewer. */
const MOST_PIXELS = 65536;
const FEW_COVERS = 16;

/** Loss below which covers may be thinner than a pixel, however long: once round the ad's box. */
function thinArea(): number {
  return 2 * (candidates.maxX - candidates.minX + candidates.maxY - candidates.minY);
}

/**
 * True when no pixel of the ad is lost. Each pixel counts as it is drawn: by its mean where edges are smoothed, else by its
 * centre. False also when there are too many pixels to look at each.
 */
function losesNoPixel(snapshot: FrameSnapshot, view: AdView, options: MeasureOptions): boolean {
  const threshold = 1 - options.blockingOpacity + LIGHT_TOLERANCE;
  domain.resetPixels(candidates.minX, candidates.minY, candidates.maxX, candidates.maxY);
  for (let c = 0; c < candidates.count; c++) {
    if (candidates.kind[c] === CandidateKind.TEXELS) domain.markTexels(snapshot, candidates.polygon[c]!);
    else domain.markPolygon(snapshot, candidates.polygon[c]!);
  }
  const most = (MOST_PIXELS * FEW_COVERS) / Math.max(FEW_COVERS, candidates.count);
  if (!domain.plan(Math.max(most, options.maxSamples ?? DEFAULT_MAX_SAMPLES))) return false;
  for (let s = 0; s < domain.count; s++) if (domain.step[s]! > 1) return false;
  let hasOwn = false;
  for (let s = 0; s < domain.count; s++) {
    lookAtPixels(snapshot, view, s);
    const { size } = grid;
    // At the ad's edge a pixel shows part of it, and what is left of that part decides.
    for (let k = 0; k < size; k++) {
      if (flatBuffer[k] === 0) continue;
      hasOwn = true;
      if (meanBuffer[k]! <= (threshold + DOUBT) * flatBuffer[k]!) return false;
    }
  }
  return hasOwn;
}

/** Whether the usual samples may miss what covers hide of the pixels on the ad's edge. Exact areas tell of opaque quads. */
function mayLoseEdges(isBlended: boolean): boolean {
  if (isBlended) return candidates.hasTexels || candidates.hasTranslucent || own.varies;
  return candidates.hasTexels && !own.varies;
}

/**
 * Area of the ad, in pixels, in pixels of which it keeps too little light; 0 when there are too many to look at. Textures
 * are drawn once per pixel, with the colour at its centre, however little of the pixel belongs to the ad. Where edges are
 * blended one by one, a cover takes its share of the pixel from what the ad has painted of it, be it the same part or not.
 */
function lostPixelArea(snapshot: FrameSnapshot, view: AdView, options: MeasureOptions): number {
  const isBlended = snapshot.pixelPoints === BLENDED_POINTS;
  const threshold = 1 - options.blockingOpacity + LIGHT_TOLERANCE;
  domain.resetPixels(candidates.minX, candidates.minY, candidates.maxX, candidates.maxY);
  for (let c = 0; c < candidates.count; c++) {
    if (candidates.kind[c] === CandidateKind.TEXELS) domain.markTexels(snapshot, candidates.polygon[c]!);
    else if (isBlended) domain.markPolygon(snapshot, candidates.polygon[c]!);
  }
  if (!domain.plan(options.maxSamples ?? DEFAULT_MAX_SAMPLES)) return 0;
  for (let s = 0; s < domain.count; s++) if (domain.step[s]! > 1) return 0;
  let lost = 0;
  for (let s = 0; s < domain.count; s++) {
    placeGrid(s);
    weighPixels(snapshot, view);
    // Whole pixels are covered in the same way by either.
    if (isBlended && !candidates.addsLight && hasPartialPixels()) coverByBlending(snapshot);
    else coverByAll(snapshot, view);
    for (let k = 0; k < grid.size; k++) if (lightBuffer[k]! <= threshold) lost += meanBuffer[k]!;
  }
  return lost;
}

/** True when some pixel, as weighed in the mean buffer, is ad in part. */
function hasPartialPixels(): boolean {
  for (let k = 0; k < grid.size; k++) if (meanBuffer[k]! > 0 && meanBuffer[k]! < 1) return true;
  return false;
}

/** Fills the light buffer with what the covers leave, each by its mean over the pixel. */
function coverByBlending(snapshot: FrameSnapshot): void {
  const { size } = grid;
  const points = snapshot.pixelPoints;
  lightBuffer.fill(1, 0, size);
  for (let c = 0; c < candidates.count; c++) {
    flatBuffer.fill(0, 0, size);
    for (let point = 0; point < points; point++) {
      grid.shift(point, points);
      ownBuffer.fill(1, 0, size);
      coverBy(snapshot, c, ownBuffer);
      for (let k = 0; k < size; k++) flatBuffer[k]! += ownBuffer[k]!;
    }
    for (let k = 0; k < size; k++) lightBuffer[k]! *= flatBuffer[k]! / points;
  }
  grid.centre();
}

/**
 * Looks at every pixel of a rectangle in several points: how many of them are ad goes to the flat buffer, the light these
 * keep, summed, to the mean buffer.
 */
function lookAtPixels(snapshot: FrameSnapshot, view: AdView, s: number): void {
  placeGrid(s);
  const { size } = grid;
  const points = snapshot.pixelPoints;
  flatBuffer.fill(0, 0, size);
  meanBuffer.fill(0, 0, size);
  for (let point = 0; point < points; point++) {
    grid.shift(point, points);
    sampleOwn(snapshot, view.pieceFrom, view.pieceTo, own.varies, true, grid, ownBuffer);
    coverByAll(snapshot, view);
    if (own.isMasked) dimByMask(snapshot, view, lightBuffer);
    for (let k = 0; k < size; k++) {
      if (!isOwn(ownBuffer[k]!)) continue;
      flatBuffer[k]! += 1;
      meanBuffer[k]! += lightBuffer[k]!;
    }
  }
  grid.centre();
}

// --- an ad with texels or masks of its own ---

/** Total and on-screen area of an ad whose own texels decide. */
function measureOwnTexels(snapshot: FrameSnapshot, view: AdView, maxSamples: number, out: ViewMeasurement): void {
  domain.reset(candidates.minX, candidates.minY, candidates.maxX, candidates.maxY);
  domain.markAll();
  domain.plan(maxSamples);
  const shown = ownShare(snapshot, view.pieceFrom, view.pieceTo, true);
  const unmasked = own.isMasked ? ownShare(snapshot, view.pieceFrom, view.pieceTo, false) : shown;
  out.onScreenArea = own.pieceArea * shown;
  out.totalArea = own.pieceArea * unmasked;
  // Nothing is clipped off but rounding.
  if (own.shapeArea - own.pieceArea <= own.shapeArea * 1e-9) return;
  out.totalArea += sampleHidden(snapshot, view, maxSamples);
}

/** Share of the polygons' area in which the ad's own texels are opaque, over the planned domain. */
function ownShare(snapshot: FrameSnapshot, from: number, to: number, withMask: boolean): number {
  let inside = 0;
  let opaque = 0;
  for (let s = 0; s < domain.count; s++) {
    placeGrid(s);
    sampleOwn(snapshot, from, to, false, false, grid, flatBuffer);
    sampleOwn(snapshot, from, to, true, withMask, grid, ownBuffer);
    for (let k = 0; k < grid.size; k++) {
      if (!isOwn(flatBuffer[k]!)) continue;
      inside++;
      if (isOwn(ownBuffer[k]!)) opaque++;
    }
  }
  return inside === 0 ? 1 : opaque / inside;
}

/** Area of the ad's own opaque texels in that part of its shape which is not on screen. */
function sampleHidden(snapshot: FrameSnapshot, view: AdView, maxSamples: number): number {
  const { shapeFrom, shapeTo, pieceFrom, pieceTo } = view;
  const box = snapshot.box;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let i = shapeFrom; i < shapeTo; i++) {
    minX = Math.min(minX, box[4 * i]!);
    minY = Math.min(minY, box[4 * i + 1]!);
    maxX = Math.max(maxX, box[4 * i + 2]!);
    maxY = Math.max(maxY, box[4 * i + 3]!);
  }
  if (!(maxX > minX && maxY > minY)) return 0;
  domain.reset(minX, minY, maxX, maxY);
  domain.markAll();
  domain.plan(maxSamples);
  let hidden = 0;
  let opaque = 0;
  for (let s = 0; s < domain.count; s++) {
    placeGrid(s);
    sampleOwn(snapshot, shapeFrom, shapeTo, false, false, grid, flatBuffer);
    sampleOwn(snapshot, pieceFrom, pieceTo, false, false, grid, lightBuffer);
    sampleOwn(snapshot, shapeFrom, shapeTo, true, false, grid, ownBuffer);
    for (let k = 0; k < grid.size; k++) {
      if (!isOwn(flatBuffer[k]!) || isOwn(lightBuffer[k]!)) continue;
      hidden++;
      if (isOwn(ownBuffer[k]!)) opaque++;
    }
  }
  const area = Math.max(0, own.shapeArea - own.pieceArea);
  return hidden === 0 ? area : (area * opaque) / hidden;
}

/** What covers take of an ad whose own texels decide: sampled throughout, since its clear texels lose nothing. */
function measureCoversOfTexels(
  snapshot: FrameSnapshot,
  view: AdView,
  options: MeasureOptions,
  out: ViewMeasurement,
): void {
  const maxSamples = options.maxSamples ?? DEFAULT_MAX_SAMPLES;
  const area = out.onScreenArea;
  let visible = area;
  let light = area;
  domain.reset(candidates.minX, candidates.minY, candidates.maxX, candidates.maxY);
  // A mask dims the ad everywhere.
  if (own.isMasked) domain.markAll();
  for (let c = 0; c < candidates.count; c++) {
    if (candidates.kind[c] === CandidateKind.TEXELS) domain.markTexels(snapshot, candidates.polygon[c]!);
    else domain.markPolygon(snapshot, candidates.polygon[c]!);
  }
  if (area > 0 && domain.plan(maxSamples)) {
    sampleCovers(snapshot, view, options, true);
    if (domain.isWhole) {
      if (sampled.own > 0) {
        visible *= sampled.seenByAll / sampled.own;
        light *= sampled.lightByAll / sampled.own;
      }
    } else {
      visible -= sampled.own - sampled.seenByAll;
      light -= sampled.own - sampled.lightByAll;
      if (sampled.seenByAll === 0 && visible < area * NOISE) visible = 0;
    }
  }
  flat.visible = visible;
  flat.light = light;
  setVisible(out);
}

// --- shared ---

/** Writes what is left in {@link flat}. */
function setVisible(out: ViewMeasurement): void {
  const { visible, light } = flat;
  const area = out.onScreenArea;
  out.visibleArea = visible > 0 ? Math.min(visible, area) : 0;
  out.lostArea = area - out.visibleArea;
  out.meanTransmittance = area > 0 ? Math.min(1, Math.max(0, light / area)) : 0;
}

function unmeasurableArea(snapshot: FrameSnapshot): number {
  let area = 0;
  for (let p = 0; p < own.pieceCount; p++) {
    union.reset(own.xy, own.start[p]!, own.length[p]!);
    for (let c = 0; c < candidates.count; c++) {
      const i = candidates.polygon[c]!;
      if ((snapshot.flags[i]! & PolygonFlag.UNMEASURABLE) === 0) continue;
      if (union.add(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!)) area += union.added;
    }
  }
  return area;
}

/** @param margin Samples around the rectangle, in pixels. */
function placeGrid(s: number, margin = 0): void {
  const { rectangle, step } = domain;
  grid.place(
    rectangle[4 * s]! - margin,
    rectangle[4 * s + 1]! - margin,
    rectangle[4 * s + 2]! + 2 * margin,
    rectangle[4 * s + 3]! + 2 * margin,
    step[s]!,
  );
  reserveSamples();
}

function reserveSamples(): void {
  if (ownBuffer.length >= grid.size) return;
  ownBuffer = new Float32Array(2 * grid.size);
  flatBuffer = new Float32Array(2 * grid.size);
  lightBuffer = new Float32Array(2 * grid.size);
  meanBuffer = new Float32Array(2 * grid.size);
  maskBuffer = new Float32Array(2 * grid.size);
}

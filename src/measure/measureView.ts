import { FragmentSet } from '../geometry/FragmentSet.js';
import { CandidateKind } from './CandidateList.js';
import { CoverSamples } from './CoverSamples.js';
import { type AdView, type FrameSnapshot, PolygonFlag } from './FrameSnapshot.js';
import { isOwn } from './OwnArea.js';
import { hiddenTexelArea, measureOwnTexels } from './ownTexels.js';
import { SeenPixels } from './SeenPixels.js';
import { isBlended, LEAST_EDGE_LOSS, losesNoPixel, lostPixelArea, mayLoseEdges, thinArea } from './thinCovers.js';
import {
  DEFAULT_MAX_SAMPLES,
  LIGHT_TOLERANCE,
  type MeasureOptions,
  NEGLIGIBLE_AREA,
  ROUNDING,
  type ViewMeasurement,
} from './ViewMeasurement.js';

/** Translucent polygons cut each other into ever smaller fragments; beyond these limits, sampling is cheaper. */
const MAX_FRAGMENTS = 256;
const MAX_TRANSLUCENT = 32;

/** When no sample is visible, a visible rest below this share of the on-screen area is the noise of sampling. */
const NOISE = 0.01;

/** Where more pictures than this lie over each other, fewer samples are taken, down to this share of them. */
const DEEP = 6;
const LEAST_SHARE = 1 / 4;

/** Where the usual samples show no loss but the ad's edge does, this many times as many samples are taken. */
const CLOSER = 16;
const closer = { blockingOpacity: 0.5, maxSamples: 0 };

const samples = new CoverSamples();
const { own, candidates, domain, grid } = samples;
const fragments = new FragmentSet();
const pixels = new SeenPixels();

/** What is seen, first by {@link measureFlat}: fields, since numbers that are returned may be boxed. */
const flat = { visible: 0.5, light: 0.5 };

/** Sums of {@link sampleCovers}, in canvas pixels². */
const sampled = { seenByFlat: 0.5, seenByAll: 0.5, lightByFlat: 0.5, lightByAll: 0.5, own: 0.5 };

/**
 * Measures what one camera shows of one ad. Polygons of one opacity are clipped exactly; where texels, gradients or masks
 * decide, points are sampled, and the exact result is corrected by the difference they make (a control variate). Blockers
 * are left to `resolveBlockers`. Allocates nothing once its buffers have grown; never throws.
 *
 * @param pass Number of the look at the same picture, 0–255: each coarse look samples other points.
 */
export function measureView(
  snapshot: FrameSnapshot,
  view: AdView,
  options: MeasureOptions,
  out: ViewMeasurement,
  pass = 0,
): void {
  const maxSamples = options.maxSamples ?? DEFAULT_MAX_SAMPLES;
  out.reset();
  samples.begin(pass);
  own.take(snapshot, view);
  out.transparent = !(view.opacity >= options.blockingOpacity);
  out.unmeasurable = view.unmeasurable;
  if (!(own.pieceArea > 0)) {
    out.totalArea = own.varies ? hiddenTexelArea(samples, snapshot, view, maxSamples) : own.shapeArea;
    out.isCoarse = samples.isCoarse;
    return;
  }
  candidates.collect(snapshot, view, options);
  if (own.varies) {
    measureOwnTexels(samples, snapshot, view, options, out);
    measureCoversOfTexels(snapshot, view, options, out);
  } else {
    // A piece cannot be larger than its shape; where they are the same, rounding must not tell them apart.
    out.totalArea = Math.max(own.shapeArea, own.pieceArea);
    out.onScreenArea = own.pieceArea;
    measureCovers(snapshot, view, options, out);
  }
  judgePixels(snapshot, view, options, out);
  if (candidates.hasUnmeasurable && unmeasurableArea(snapshot) >= NEGLIGIBLE_AREA) out.unmeasurable = true;
  if (samples.isOnUnknown) out.unmeasurable = true;
  out.isCoarse = samples.isCoarse;
  out.judge();
}

/** Where areas and usual samples may mislead, looks at each pixel: covers may take area and yet no pixel, and the reverse. */
function judgePixels(snapshot: FrameSnapshot, view: AdView, options: MeasureOptions, out: ViewMeasurement): void {
  if (out.lostArea < NEGLIGIBLE_AREA && mayLoseEdges(samples)) {
    // Pixel centres tell of textured covers, but not of covers that hide just the ad's part of the pixels on its edge.
    const lost = lostPixelArea(samples, snapshot, view, options);
    if (lost >= LEAST_EDGE_LOSS && (isBlended(samples) || !losesNoPixel(samples, snapshot, view, options))) {
      out.visibleArea = Math.max(0, out.onScreenArea - lost);
      out.lostArea = lost;
      return;
    }
    // Something covers the edge: scattered samples may have missed the rest of it.
    if (lost > 0 && samples.isCoarse) {
      closer.blockingOpacity = options.blockingOpacity;
      closer.maxSamples = CLOSER * (options.maxSamples ?? DEFAULT_MAX_SAMPLES);
      if (own.varies) measureCoversOfTexels(snapshot, view, closer, out);
      else measureCovers(snapshot, view, closer, out);
    }
  }
  // A cover that only touches the ad, or is thinner than a pixel, takes area, and yet nobody sees it.
  if (out.lostArea >= NEGLIGIBLE_AREA && out.lostArea < thinArea(candidates.box)) {
    const isSeen =
      losesNoPixel(samples, snapshot, view, options) &&
      !(isBlended(samples) && lostPixelArea(samples, snapshot, view, options) >= LEAST_EDGE_LOSS);
    if (isSeen) {
      out.visibleArea = out.onScreenArea;
      out.lostArea = 0;
    }
  }
}

function measureCovers(snapshot: FrameSnapshot, view: AdView, options: MeasureOptions, out: ViewMeasurement): void {
  const maxSamples = options.maxSamples ?? DEFAULT_MAX_SAMPLES;
  const area = own.pieceArea;
  const { isOvercrowded } = candidates;
  flat.visible = flat.light = area;
  const allFlat = !isOvercrowded && measureFlat(snapshot, options);
  const { isIntricate } = candidates;
  // Where pixel centres decide, what is thinner than a pixel takes a whole pixel or none: areas tell of neither.
  const isCentred = isIntricate && candidates.pixelPoints === 1;
  if (!allFlat || isIntricate || (candidates.hasTexels && flat.light > 0)) {
    domain.reset(candidates.box, isCentred);
    if (candidates.isCrowd || isOvercrowded || isCentred) samples.markCandidates(snapshot);
    else {
      for (let c = 0; c < candidates.count; c++) {
        const isTranslucent = candidates.opacity[c]! < 1;
        if (candidates.kind[c] === CandidateKind.TEXELS || ((!allFlat || isIntricate) && isTranslucent))
          samples.markCandidate(snapshot, c);
      }
    }
    if (domain.plan(affordable(maxSamples))) {
      sampleCovers(snapshot, view, options, allFlat);
      if (isCentred && !samples.isCoarse) {
        flat.visible = area - sampled.own + sampled.seenByAll;
        flat.light = area - sampled.own + sampled.lightByAll;
      } else correctBySamples(area, !allFlat && !isOvercrowded);
    }
  }
  setVisible(out);
  // Covers may lie between the samples. Where nearly nothing is lost there is little to clip, so areas are clipped exactly.
  if (isOvercrowded && out.lostArea < NEGLIGIBLE_AREA) {
    measureFlat(snapshot, options);
    if (area - flat.visible >= NEGLIGIBLE_AREA) setVisible(out);
  }
}

/**
 * Exact part: visible area and light under the candidates of one opacity. Returns false when too many of them let light
 * through: then only those that block by themselves were regarded, as if opaque.
 */
function measureFlat(snapshot: FrameSnapshot, options: MeasureOptions): boolean {
  // The product does not depend on the order. Opaque ones come first: what they remove need not be cut any more.
  cutPieces(snapshot, 1);
  const isAll = dimPieces(snapshot);
  if (!isAll) cutPieces(snapshot, 0);
  fragments.threshold = 1 - options.blockingOpacity + LIGHT_TOLERANCE;
  fragments.sumUp();
  flat.visible = fragments.area;
  flat.light = fragments.weightedArea;
  return isAll;
}

/** Cuts out of the ad's pieces what blocking candidates cover that are at least so opaque. */
function cutPieces(snapshot: FrameSnapshot, leastOpacity: 0 | 1): void {
  const { count, kind, polygon, opacity } = candidates;
  fragments.reset();
  fragments.addAll(own.pieces);
  for (let c = 0; c < count; c++) {
    if (kind[c] !== CandidateKind.BLOCKING || opacity[c]! < leastOpacity) continue;
    const i = polygon[c]!;
    fragments.subtract(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!);
  }
}

/** Dims the fragments by the candidates of one opacity that let light through; false when there would be too many fragments. */
function dimPieces(snapshot: FrameSnapshot): boolean {
  const { count, kind, polygon, opacity } = candidates;
  if (candidates.translucentCount > MAX_TRANSLUCENT) return false;
  const limit = MAX_FRAGMENTS + own.pieces.count;
  for (let c = 0; c < count; c++) {
    if (kind[c] === CandidateKind.TEXELS || opacity[c] === 1) continue;
    const i = polygon[c]!;
    fragments.keep = 1 - opacity[c]!;
    fragments.attenuate(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!);
    if (fragments.count > limit) return false;
  }
  return true;
}

/** What covers take of an ad whose own texels decide. All of it is sampled, since clear texels lose nothing. */
function measureCoversOfTexels(
  snapshot: FrameSnapshot,
  view: AdView,
  options: MeasureOptions,
  out: ViewMeasurement,
): void {
  const maxSamples = options.maxSamples ?? DEFAULT_MAX_SAMPLES;
  const area = out.onScreenArea;
  flat.visible = flat.light = area;
  domain.reset(candidates.box);
  // A mask dims the ad everywhere.
  if (own.isMasked) domain.markAll();
  else samples.markCandidates(snapshot);
  if (domain.plan(affordable(maxSamples))) {
    sampleCovers(snapshot, view, options, true);
    sampled.seenByFlat = sampled.lightByFlat = sampled.own;
    correctBySamples(area, false);
  }
  setVisible(out);
}

/** Changes the figures of {@link flat} by what the samples show beyond them: in proportion, where these are of the whole ad. */
function correctBySamples(area: number, isFlatOpaque: boolean): void {
  const { seenByFlat, seenByAll, lightByFlat, lightByAll } = sampled;
  if (domain.isWhole) {
    if (seenByFlat > 0) flat.visible *= seenByAll / seenByFlat;
    // Covers taken as opaque may let light through: then `lightByFlat` may be 0, and a ratio has no base.
    if (isFlatOpaque) flat.light += lightByAll - lightByFlat;
    else if (lightByFlat > 0) flat.light *= lightByAll / lightByFlat;
  } else {
    flat.visible -= seenByFlat - seenByAll;
    flat.light -= lightByFlat - lightByAll;
    if (seenByAll === 0 && flat.visible < area * NOISE) flat.visible = 0;
  }
}

/** Fewer samples where many pictures lie over each other, as in a cloud of particles: each of them has to be looked up. */
function affordable(maxSamples: number): number {
  const { texelDepth } = candidates;
  return texelDepth > DEEP ? maxSamples * Math.max(DEEP / texelDepth, LEAST_SHARE) : maxSamples;
}

/** Samples the domain: what is seen of the ad under the exactly treated candidates alone, and under all. */
function sampleCovers(snapshot: FrameSnapshot, view: AdView, options: MeasureOptions, allFlat: boolean): void {
  const threshold = 1 - options.blockingOpacity + LIGHT_TOLERANCE;
  sampled.seenByFlat = sampled.seenByAll = sampled.lightByFlat = sampled.lightByAll = sampled.own = 0;
  for (let s = 0; s < domain.count; s++) {
    // Where every pixel is looked at, each counts as it is drawn, by its place among its neighbours.
    const isPixels = domain.step[s] === 1;
    const points = isPixels && candidates.isIntricate ? samples.affordablePoints() : 1;
    samples.placeIn(s, isPixels ? 1 : 0);
    const { size } = grid;
    const { clear, flat: flatLight, light, mean } = samples;
    // Pixels the ad covers in part belong to it in part, also those whose centre lies outside of it.
    const isWeighed = isPixels && points === 1 && !own.varies && candidates.pixelPoints > 1;
    if (isPixels) pixels.begin(size, options);
    if (isWeighed) samples.weighPixels(snapshot, view);
    let flatSeen = 0;
    let allSeen = 0;
    let flatSum = 0;
    let allSum = 0;
    let ownCount = 0;
    for (let point = 0; point < points; point++) {
      grid.shift(point, points);
      samples.sampleAd(snapshot, view);
      coverPoints(snapshot, view, allFlat, domain.step[s]! > 1);
      if (isWeighed) {
        pixels.set(mean, light, size);
        samples.clearMargin(mean, 0);
      } else if (isPixels) {
        pixels.add(clear, light, size);
        samples.clearMargin(clear, 1);
      }
      for (let k = 0; k < size; k++) {
        const weight = isWeighed ? mean[k]! : isOwn(clear[k]!) ? 1 : 0;
        if (weight === 0) continue;
        const byFlat = flatLight[k]!;
        const byAll = light[k]!;
        ownCount += weight;
        if (byFlat > threshold) flatSeen += weight;
        if (byAll > threshold) allSeen += weight;
        flatSum += weight * byFlat;
        allSum += weight * byAll;
      }
    }
    if (isPixels) {
      pixels.sumUp(grid.columns, grid.rows);
      allSeen = points * pixels.area;
    }
    const area = grid.sampleArea / points;
    sampled.seenByFlat += flatSeen * area;
    sampled.seenByAll += allSeen * area;
    sampled.lightByFlat += flatSum * area;
    sampled.lightByAll += allSum * area;
    sampled.own += ownCount * area;
  }
}

/** Fills the light that is left at the points of the grid: under the exactly treated candidates alone, and under all. */
function coverPoints(snapshot: FrameSnapshot, view: AdView, allFlat: boolean, isScattered: boolean): void {
  const { flat: flatLight, light } = samples;
  const { size } = grid;
  const { addsLight, count, isOvercrowded, kind, translucentCount } = candidates;
  if (isOvercrowded) flatLight.fill(1, 0, size);
  else samples.coverByFlat(snapshot, allFlat);
  if (translucentCount > MAX_TRANSLUCENT && !addsLight && isScattered) {
    samples.averageTranslucent(snapshot);
    for (let c = 0; c < count; c++) if (kind[c] !== CandidateKind.TRANSLUCENT) samples.coverBy(snapshot, c, light);
  } else if (allFlat && !isOvercrowded && !addsLight) {
    for (let k = 0; k < size; k++) light[k] = flatLight[k]!;
    for (let c = 0; c < count; c++) if (kind[c] === CandidateKind.TEXELS) samples.coverBy(snapshot, c, light);
  } else {
    samples.coverByAll(snapshot, view);
  }
  samples.dimByMask(snapshot, view);
}

/** Writes the figures of {@link flat} to `out`. */
function setVisible(out: ViewMeasurement): void {
  const { visible, light } = flat;
  const area = out.onScreenArea;
  // What is left of a wholly covered ad is rounding.
  out.visibleArea = visible > area * ROUNDING ? Math.min(visible, area) : 0;
  out.lostArea = area - out.visibleArea;
  out.meanTransmittance = area > 0 ? Math.min(1, Math.max(0, light / area)) : 0;
}

/** How much of the ad lies below what cannot be known, and below nothing later that hides it whatever that is. */
function unmeasurableArea(snapshot: FrameSnapshot): number {
  fragments.reset();
  fragments.addAll(own.pieces);
  let left = own.pieceArea;
  let unknown = 0;
  for (let c = candidates.count - 1; c >= 0; c--) {
    const i = candidates.polygon[c]!;
    const isUnknown = (snapshot.flags[i]! & PolygonFlag.UNMEASURABLE) !== 0;
    if (candidates.kind[c] !== CandidateKind.BLOCKING || (candidates.isOvercrowded && !isUnknown)) continue;
    fragments.subtract(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!);
    fragments.sumUp();
    if (isUnknown) unknown += left - fragments.area;
    left = fragments.area;
  }
  return unknown;
}

import { CandidateKind } from './CandidateList.js';
import type { CoverSamples } from './CoverSamples.js';
import type { AdView, FrameSnapshot } from './FrameSnapshot.js';
import type { SampleDomain } from './SampleDomain.js';
import { DEFAULT_MAX_SAMPLES, LIGHT_TOLERANCE, type MeasureOptions } from './ViewMeasurement.js';

/** Canvas pixels² of an ad's edge that textured covers must hide at least, for GPUs smooth in ways of their own. */
export const LEAST_EDGE_LOSS = 2;

/** {@link FrameSnapshot.pixelPoints} where the edge of each shape is blended by itself, as Canvas does. */
const BLENDED_POINTS = 8;

/** Light by which a pixel must be above the threshold to count as seen for sure: GPUs smooth in ways of their own. */
const DOUBT = 0.1;

/** Parts of an edge of the ad around each of which pixels are looked at. */
const EDGE_PARTS = 8;

/** A part of the canvas: minX, minY, maxX, maxY. Numbers handed over by themselves may become objects. */
const within = new Float64Array(4);

/** The most pixels looked at for one that is lost, under few covers; under many of them, fewer. */
const MOST_PIXELS = 65536;
const FEW_COVERS = 16;

/** True when the edge of each shape is blended by itself. */
export function isBlended(snapshot: FrameSnapshot): boolean {
  return snapshot.pixelPoints === BLENDED_POINTS;
}

/** Loss below which covers may be thinner than a pixel, however long: once round the ad's box, in canvas pixels². */
export function thinArea({ candidates }: CoverSamples): number {
  const { box } = candidates;
  return 2 * (box[2]! - box[0]! + box[3]! - box[1]!);
}

/**
 * True when no pixel of the ad is lost. Each pixel counts as it is drawn: by its mean where edges are smoothed, else by its
 * centre. False also when there are too many pixels to look at each.
 */
export function losesNoPixel(
  samples: CoverSamples,
  snapshot: FrameSnapshot,
  view: AdView,
  options: MeasureOptions,
): boolean {
  const { candidates, domain, grid } = samples;
  const threshold = 1 - options.blockingOpacity + LIGHT_TOLERANCE;
  domain.resetPixels(candidates.box);
  for (let c = 0; c < candidates.count; c++) samples.markCandidate(snapshot, c);
  const most = (MOST_PIXELS * FEW_COVERS) / Math.max(FEW_COVERS, candidates.count);
  if (!domain.plan(Math.max(most, options.maxSamples ?? DEFAULT_MAX_SAMPLES))) return false;
  for (let s = 0; s < domain.count; s++) if (domain.step[s]! > 1) return false;
  let hasOwn = false;
  for (let s = 0; s < domain.count; s++) {
    samples.placeIn(s);
    samples.sumPoints(snapshot, view);
    const { flat: points, mean: light } = samples;
    // At the ad's edge a pixel shows part of it, and what is left of that part decides.
    for (let k = 0; k < grid.size; k++) {
      if (points[k] === 0) continue;
      hasOwn = true;
      if (light[k]! <= (threshold + DOUBT) * points[k]!) return false;
    }
  }
  return hasOwn;
}

/** Whether the usual samples may miss what covers hide of the pixels on the ad's edge. Exact areas tell of opaque quads. */
export function mayLoseEdges({ candidates, own }: CoverSamples, snapshot: FrameSnapshot): boolean {
  if (snapshot.pixelPoints <= 1) return false;
  if (isBlended(snapshot)) return candidates.hasTexels || candidates.hasTranslucent || own.varies;
  return candidates.hasTexels && !own.varies;
}

/**
 * Area of the ad, in pixels, in pixels of which it keeps too little light. Where there are too many to look at, of those on
 * its edges alone, and 0 when these are too many, too. Textures
 * are drawn once per pixel, with the colour at its centre, however little of the pixel belongs to the ad. Where edges are
 * blended one by one, a cover takes its share of the pixel from what the ad has painted of it, be it the same part or not.
 */
export function lostPixelArea(
  samples: CoverSamples,
  snapshot: FrameSnapshot,
  view: AdView,
  options: MeasureOptions,
): number {
  const { candidates, domain, grid } = samples;
  const blends = isBlended(snapshot);
  const threshold = 1 - options.blockingOpacity + LIGHT_TOLERANCE;
  domain.resetPixels(candidates.box);
  for (let c = 0; c < candidates.count; c++) {
    if (blends || candidates.kind[c] === CandidateKind.TEXELS) samples.markCandidate(snapshot, c);
  }
  if (!hasEveryPixel(domain, options)) {
    domain.resetPixels(candidates.box);
    for (let c = 0; c < candidates.count; c++) {
      if (blends || candidates.kind[c] === CandidateKind.TEXELS) markEdges(samples, snapshot, c);
    }
    if (!hasEveryPixel(domain, options)) return 0;
  }
  let lost = 0;
  for (let s = 0; s < domain.count; s++) {
    samples.placeIn(s);
    samples.weighPixels(snapshot, view);
    // Whole pixels are covered in the same way by either.
    if (blends && !candidates.addsLight && hasPartialPixels(samples)) samples.coverByBlending(snapshot);
    else samples.coverByAll(snapshot, view);
    const { light, mean: share } = samples;
    for (let k = 0; k < grid.size; k++) if (light[k]! <= threshold) lost += share[k]!;
  }
  return lost;
}

/** Plans the samples. True when something is marked and there are enough for each of its pixels. */
function hasEveryPixel(domain: SampleDomain, options: MeasureOptions): boolean {
  if (!domain.plan(options.maxSamples ?? DEFAULT_MAX_SAMPLES)) return false;
  for (let s = 0; s < domain.count; s++) if (domain.step[s]! > 1) return false;
  return true;
}

/** Marks where a candidate may lie over the edges of the ad. */
function markEdges({ candidates, domain, own }: CoverSamples, snapshot: FrameSnapshot, c: number): void {
  const { box } = snapshot;
  const at = 4 * candidates.polygon[c]!;
  for (let p = 0; p < own.pieceCount; p++) {
    const start = own.start[p]!;
    const length = own.length[p]!;
    for (let i = 0; i < length; i++) {
      const from = start + 2 * i;
      const to = start + 2 * ((i + 1) % length);
      const stepX = (own.xy[to]! - own.xy[from]!) / EDGE_PARTS;
      const stepY = (own.xy[to + 1]! - own.xy[from + 1]!) / EDGE_PARTS;
      for (let part = 0; part < EDGE_PARTS; part++) {
        const x = own.xy[from]! + part * stepX;
        const y = own.xy[from + 1]! + part * stepY;
        within[0] = Math.max(box[at]!, Math.min(x, x + stepX) - 1);
        within[1] = Math.max(box[at + 1]!, Math.min(y, y + stepY) - 1);
        within[2] = Math.min(box[at + 2]!, Math.max(x, x + stepX) + 1);
        within[3] = Math.min(box[at + 3]!, Math.max(y, y + stepY) + 1);
        domain.mark(within, 0);
      }
    }
  }
}

/** True when some pixel, as weighed in the mean buffer, is ad in part. */
function hasPartialPixels({ grid, mean }: CoverSamples): boolean {
  for (let k = 0; k < grid.size; k++) if (mean[k]! > 0 && mean[k]! < 1) return true;
  return false;
}

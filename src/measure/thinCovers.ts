import { CandidateKind } from './CandidateList.js';
import type { CoverSamples } from './CoverSamples.js';
import type { AdView, FrameSnapshot } from './FrameSnapshot.js';
import type { SampleDomain } from './SampleDomain.js';
import { DEFAULT_MAX_SAMPLES, LIGHT_TOLERANCE, type MeasureOptions } from './ViewMeasurement.js';

/** Textured covers must hide at least this much of an ad's edge, in canvas pixels²: GPUs differ in how they smooth. */
export const LEAST_EDGE_LOSS = 2;

/** {@link CandidateList.pixelPoints} where the edge of each shape is blended by itself, as Canvas does. */
const BLENDED_POINTS = 8;

/** Light by which a pixel must be above the threshold to count as seen for sure: GPUs differ in how they smooth. */
const DOUBT = 0.1;

/** Most pixels looked at in search of a lost one, under up to {@link FEW_COVERS} covers; under more covers, fewer. */
const MOST_PIXELS = 65536;
const FEW_COVERS = 16;

/** The ad's edges are looked at in boxes: within one, an edge moves across by at most this many pixels. */
const EDGE_BOX_PX = 8;
/** The most pixels in all these boxes; no ad on a canvas of 4096 × 4096 has more. */
const MOST_EDGE_PIXELS = 2 ** 18;

/** A box along an edge, minX, minY, width and height, and the distance of its samples. */
const edgeBox = new Float64Array(4);
const EVERY_PIXEL = Float64Array.of(1);

/** True when the edge of each shape is blended by itself. */
export function isBlended({ candidates }: CoverSamples): boolean {
  return candidates.pixelPoints === BLENDED_POINTS;
}

/**
 * A loss within a box below this may come from covers thinner than a pixel, however long: a line one pixel wide around the
 * box, in canvas pixels². A single convex cover that takes more holds a circle one pixel in radius, and so takes a pixel.
 */
export function thinArea(box: Float64Array, i = 0): number {
  return 2 * (box[4 * i + 2]! - box[4 * i]! + box[4 * i + 3]! - box[4 * i + 1]!);
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
  domain.reset(candidates.box, true);
  for (let c = 0; c < candidates.count; c++) samples.markCandidate(snapshot, c);
  const most = (MOST_PIXELS * FEW_COVERS) / Math.max(FEW_COVERS, candidates.count);
  if (!hasEveryPixel(domain, Math.max(most, options.maxSamples ?? DEFAULT_MAX_SAMPLES))) return false;
  let hasOwn = false;
  for (let s = 0; s < domain.count; s++) {
    samples.placeIn(s);
    samples.sumPoints(snapshot, view);
    const { flat: points, mean: light } = samples;
    // A pixel on the ad's edge shows part of the ad, and what is left of that part decides.
    for (let k = 0; k < grid.size; k++) {
      if (points[k] === 0) continue;
      hasOwn = true;
      if (light[k]! <= (threshold + DOUBT) * points[k]!) return false;
    }
  }
  return hasOwn;
}

/**
 * Whether the usual samples may miss what covers hide of the pixels on the ad's edge. For opaque quads the exact areas tell it.
 */
export function mayLoseEdges(samples: CoverSamples): boolean {
  const { candidates, own } = samples;
  if (candidates.pixelPoints <= 1) return false;
  if (isBlended(samples)) return candidates.hasTexels || candidates.hasTranslucent || own.varies;
  return candidates.hasTexels && !own.varies;
}

/**
 * Area of the ad, in canvas pixels², in those pixels that keep too little light. Where there are too many pixels to look at,
 * only those on the ad's edges count. Textures are drawn once per pixel, with the colour at its centre, however little of
 * the pixel belongs to the ad. Where edges are blended one by one, a cover takes its share of the pixel from what the ad has
 * painted there, whether both cover the same part or not.
 */
export function lostPixelArea(
  samples: CoverSamples,
  snapshot: FrameSnapshot,
  view: AdView,
  options: MeasureOptions,
): number {
  const { candidates, domain } = samples;
  domain.reset(candidates.box, true);
  for (let c = 0; c < candidates.count; c++) if (mayLose(samples, c)) samples.markCandidate(snapshot, c);
  const most = options.maxSamples ?? DEFAULT_MAX_SAMPLES;
  if (!hasEveryPixel(domain, most)) return lostEdgeArea(samples, snapshot, view, options);
  let lost = 0;
  for (let s = 0; s < domain.count; s++) {
    samples.placeIn(s);
    lost += lostHere(samples, snapshot, view, options);
  }
  return lost;
}

/** As {@link lostPixelArea}, of the pixels along the ad's edges. A pixel at a corner may count twice. */
function lostEdgeArea(samples: CoverSamples, snapshot: FrameSnapshot, view: AdView, options: MeasureOptions): number {
  const { pieceArea, pieces } = samples.own;
  const { count, xy, start, length } = pieces;
  let pixels = 0;
  let lost = 0;
  for (let p = 0; p < count; p++) {
    for (let i = 0; i < length[p]!; i++) {
      const one = start[p]! + 2 * i;
      const other = start[p]! + 2 * ((i + 1) % length[p]!);
      const isLevel = Math.abs(xy[other]! - xy[one]!) >= Math.abs(xy[other + 1]! - xy[one + 1]!);
      // The axes along and across the edge: x and y for a level edge.
      const along = isLevel ? 0 : 1;
      const across = 1 - along;
      const from = xy[one + along]! < xy[other + along]! ? one : other;
      const to = from === one ? other : one;
      const begin = xy[from + along]!;
      const end = xy[to + along]!;
      const slope = end > begin ? (xy[to + across]! - xy[from + across]!) / (end - begin) : 0;
      const step = Math.floor(EDGE_BOX_PX / Math.max(Math.abs(slope), 1e-4));
      for (let at = Math.floor(begin); at < end; at += step) {
        const next = Math.min(at + step, Math.ceil(end));
        const near = xy[from + across]! + slope * (Math.max(at, begin) - begin);
        const far = xy[from + across]! + slope * (Math.min(next, end) - begin);
        edgeBox[along] = at;
        edgeBox[across] = Math.floor(Math.min(near, far)) - 1;
        edgeBox[2 + along] = next - at;
        edgeBox[2 + across] = Math.ceil(Math.max(near, far)) + 1 - edgeBox[across];
        pixels += edgeBox[2]! * edgeBox[3]!;
        // The rest is not looked at, so all counts as lost. A broken transform may make an edge endless, or not-a-number.
        if (!(pixels <= MOST_EDGE_PIXELS)) return pieceArea;
        if (!mayLoseInEdgeBox(samples, snapshot)) continue;
        samples.place(edgeBox, EVERY_PIXEL, 0);
        lost += lostHere(samples, snapshot, view, options);
      }
    }
  }
  return lost;
}

/** Whether a candidate may hide more of the pixels on the ad's edge than its area tells. */
function mayLose(samples: CoverSamples, c: number): boolean {
  return isBlended(samples) || samples.candidates.kind[c] === CandidateKind.TEXELS;
}

function mayLoseInEdgeBox(samples: CoverSamples, snapshot: FrameSnapshot): boolean {
  const { count, polygon } = samples.candidates;
  const { box } = snapshot;
  const maxX = edgeBox[0]! + edgeBox[2]!;
  const maxY = edgeBox[1]! + edgeBox[3]!;
  for (let c = 0; c < count; c++) {
    const b = 4 * polygon[c]!;
    const meets = box[b]! < maxX && box[b + 2]! > edgeBox[0]! && box[b + 1]! < maxY && box[b + 3]! > edgeBox[1]!;
    if (meets && mayLose(samples, c)) return true;
  }
  return false;
}

/** Area of the ad in those pixels of the present grid that keep too little light. */
function lostHere(samples: CoverSamples, snapshot: FrameSnapshot, view: AdView, options: MeasureOptions): number {
  const { candidates, grid } = samples;
  const threshold = 1 - options.blockingOpacity + LIGHT_TOLERANCE;
  samples.weighPixels(snapshot, view);
  // Both ways give the same for pixels that are wholly ad.
  if (isBlended(samples) && !candidates.addsLight && hasPartialPixels(samples)) samples.coverByBlending(snapshot);
  else samples.coverByAll(snapshot, view);
  const { light, mean: share } = samples;
  let lost = 0;
  for (let k = 0; k < grid.size; k++) if (light[k]! <= threshold) lost += share[k]!;
  return lost;
}

/** Plans the samples. True when something is marked and there are enough for each of its pixels. */
function hasEveryPixel(domain: SampleDomain, most: number): boolean {
  if (!domain.plan(most)) return false;
  for (let s = 0; s < domain.count; s++) if (domain.step[s]! > 1) return false;
  return true;
}

/** True when some pixel, as weighed in the mean buffer, is ad in part. */
function hasPartialPixels({ grid, mean }: CoverSamples): boolean {
  for (let k = 0; k < grid.size; k++) if (mean[k]! > 0 && mean[k]! < 1) return true;
  return false;
}

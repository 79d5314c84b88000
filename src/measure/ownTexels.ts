import type { CoverSamples } from './CoverSamples.js';
import type { AdView, FrameSnapshot } from './FrameSnapshot.js';
import { isOwn, sampleOwn } from './OwnArea.js';
import { DEFAULT_MAX_SAMPLES, LIGHT_TOLERANCE, type MeasureOptions, type ViewMeasurement } from './ViewMeasurement.js';

/** The box around the ad's shape. */
const around = new Float64Array(4);

/** Total and on-screen area of an ad whose own texels, gradients or masks decide where it is. */
export function measureOwnTexels(
  samples: CoverSamples,
  snapshot: FrameSnapshot,
  view: AdView,
  { blockingOpacity, maxSamples = DEFAULT_MAX_SAMPLES }: MeasureOptions,
  out: ViewMeasurement,
): void {
  const { own } = samples;
  planOwn(samples, maxSamples);
  const shown = ownShare(samples, snapshot, view, true);
  if (isFaded(view, blockingOpacity)) out.transparent = true;
  const unmasked = own.isMasked ? ownShare(samples, snapshot, view, false) : shown;
  out.onScreenArea = own.pieceArea * shown;
  out.totalArea = own.pieceArea * unmasked;
  // Nothing but rounding is clipped off.
  if (own.shapeArea - own.pieceArea <= own.shapeArea * 1e-9) return;
  out.totalArea += hiddenTexelArea(samples, snapshot, view, maxSamples);
}

/** Whether the ad is transparent by its own texels. Call it once the candidates are collected. */
export function isTooFaint(
  samples: CoverSamples,
  snapshot: FrameSnapshot,
  view: AdView,
  { blockingOpacity, maxSamples = DEFAULT_MAX_SAMPLES }: MeasureOptions,
): boolean {
  planOwn(samples, maxSamples);
  ownShare(samples, snapshot, view, true);
  return isFaded(view, blockingOpacity);
}

/** All of the ad on screen is to be sampled. */
function planOwn({ candidates, domain }: CoverSamples, maxSamples: number): void {
  domain.reset(candidates.box);
  domain.markAll();
  domain.plan(maxSamples);
}

/** Fading and the picture's own alpha together leave too little of each texel. */
function isFaded({ opacity }: AdView, blockingOpacity: number): boolean {
  return strongest > 0 && strongest * opacity < blockingOpacity - LIGHT_TOLERANCE;
}

/** The most opaque texel that {@link ownShare} has met, 0–1. */
let strongest = 0;

/** Share of the polygons on screen in which the ad's own texels are opaque, over the planned domain. */
function ownShare(samples: CoverSamples, snapshot: FrameSnapshot, view: AdView, withMask: boolean): number {
  const { domain, grid } = samples;
  const { pieceFrom, pieceTo } = view;
  let inside = 0;
  let opaque = 0;
  strongest = 0;
  for (let s = 0; s < domain.count; s++) {
    samples.placeIn(s, 0, 1);
    const { clear, flat } = samples;
    sampleOwn(snapshot, pieceFrom, pieceTo, false, false, grid, flat);
    sampleOwn(snapshot, pieceFrom, pieceTo, true, withMask, grid, clear);
    for (let k = 0; k < grid.size; k++) {
      if (!isOwn(flat[k]!)) continue;
      inside++;
      strongest = Math.max(strongest, 1 - clear[k]!);
      if (isOwn(clear[k]!)) opaque++;
    }
  }
  return opaque / Math.max(1, inside);
}

/** Area of the ad's own opaque texels in that part of its shape which is not on screen. */
export function hiddenTexelArea(
  samples: CoverSamples,
  snapshot: FrameSnapshot,
  view: AdView,
  maxSamples: number,
): number {
  const { domain, grid, own } = samples;
  const { shapeFrom, shapeTo, pieceFrom, pieceTo } = view;
  snapshot.takeBox(shapeFrom, shapeTo, around);
  domain.reset(around);
  domain.markAll();
  domain.plan(maxSamples);
  let hidden = 0;
  let opaque = 0;
  for (let s = 0; s < domain.count; s++) {
    samples.placeIn(s, 0, 1);
    const { clear, flat: shape, light: pieces } = samples;
    sampleOwn(snapshot, shapeFrom, shapeTo, false, false, grid, shape);
    sampleOwn(snapshot, pieceFrom, pieceTo, false, false, grid, pieces);
    sampleOwn(snapshot, shapeFrom, shapeTo, true, false, grid, clear);
    for (let k = 0; k < grid.size; k++) {
      if (!isOwn(shape[k]!) || isOwn(pieces[k]!)) continue;
      hidden++;
      if (isOwn(clear[k]!)) opaque++;
    }
  }
  const area = Math.max(0, own.shapeArea - own.pieceArea);
  return hidden === 0 ? area : (area * opaque) / hidden;
}

import { Reason } from './AdMeasurement.js';
import { CoverSamples } from './CoverSamples.js';
import { type AdView, type FrameSnapshot, PolygonFlag } from './FrameSnapshot.js';
import { isOwn } from './OwnArea.js';
import { isTooFaint } from './ownTexels.js';
import { OPAQUE } from './SampleGrid.js';
import { LIGHT_TOLERANCE, type MeasureOptions } from './ViewMeasurement.js';

const samples = new CoverSamples();

/** A pixel, and the step that gives it one sample, in its middle. */
const pixel = Float64Array.of(0, 0, 1, 1);
const ONE = Float64Array.of(1);

/**
 * Why the player does not see an ad at a point of the canvas; null when the player sees it. By the rules of
 * `collectVisibleFragments`: a point within a fragment is seen, one outside of all is not. Where texels, gradients, masks or
 * several translucent covers decide, the point counts as the pixel it lies in does.
 *
 * @param x, y in canvas pixels; not-a-number lies outside
 */
export function whyUnseenAt(
  snapshot: FrameSnapshot,
  view: AdView,
  x: number,
  y: number,
  options: MeasureOptions,
): Reason | null {
  if (!(x >= 0 && y >= 0 && x < snapshot.canvasWidth && y < snapshot.canvasHeight)) return Reason.VIEWPORT;
  const { own, candidates, grid } = samples;
  samples.begin(0);
  own.take(snapshot, view);
  if (!(own.pieceArea > 0)) return Reason.CLIPPED;
  candidates.collect(snapshot, view, options);
  const isFaint =
    !(view.opacity >= options.blockingOpacity) || (own.varies && isTooFaint(samples, snapshot, view, options));
  const isByPixel = own.varies || candidates.hasTexels || candidates.hasTranslucent;
  pixel[0] = isByPixel ? Math.floor(x) : x - 0.5;
  pixel[1] = isByPixel ? Math.floor(y) : y - 0.5;
  samples.place(pixel, ONE, 0);
  samples.sampleAd(snapshot, view);
  if (!isOwn(samples.clear[0]!)) return Reason.CLIPPED;
  if (isFaint) return Reason.TRANSPARENT;
  samples.coverByAll(snapshot, view);
  if (view.unmeasurable || samples.isOnUnknown) return Reason.UNMEASURABLE;
  samples.dimByMask(snapshot, view);
  const { light, flat } = samples;
  if (light[0]! > 1 - options.blockingOpacity + LIGHT_TOLERANCE) return null;
  // If something unmeasurable lies there, what the player sees is unknown, whatever else lies there.
  flat[0] = 1;
  for (let c = 0; c < candidates.count; c++) {
    const i = candidates.polygon[c]!;
    if ((snapshot.flags[i]! & PolygonFlag.UNMEASURABLE) !== 0) grid.coverFlat(snapshot, i, OPAQUE, 0, flat);
  }
  return flat[0] === 0 ? Reason.UNMEASURABLE : Reason.OBSTRUCTED;
}

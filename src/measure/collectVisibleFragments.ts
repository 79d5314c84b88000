import type { FragmentSet } from '../geometry/FragmentSet.js';
import { CoverSamples } from './CoverSamples.js';
import type { AdView, FrameSnapshot } from './FrameSnapshot.js';
import { isOwn } from './OwnArea.js';
import { isTooFaint } from './ownTexels.js';
import { LIGHT_TOLERANCE, type MeasureOptions } from './ViewMeasurement.js';

/** Pixels looked at in one go. */
const BAND_PIXELS = 65536;

/** The step of samples that look at each pixel. */
const EVERY_PIXEL = Float64Array.of(1);

const samples = new CoverSamples();

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
  const { own, candidates } = samples;
  samples.begin(0);
  own.take(snapshot, view);
  out.reset();
  if (!(own.pieceArea > 0) || !(view.opacity >= options.blockingOpacity) || view.unmeasurable) return;
  candidates.collect(snapshot, view, options);
  if (own.varies && isTooFaint(samples, snapshot, view, options)) return;
  if (own.varies || candidates.hasTexels || candidates.hasTranslucent) {
    collectSeenPixels(snapshot, view, options.blockingOpacity, out);
    return;
  }
  out.addAll(own.pieces);
  for (let c = 0; c < candidates.count; c++) {
    const i = candidates.polygon[c]!;
    out.subtract(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!);
  }
}

/** The pixels of the ad that are seen, as rectangles: runs of a row, joined with equal ones of the row above. */
function collectSeenPixels(snapshot: FrameSnapshot, view: AdView, blocking: number, out: FragmentSet): void {
  const { candidates, grid } = samples;
  const threshold = 1 - blocking + LIGHT_TOLERANCE;
  const { box } = candidates;
  const left = Math.max(0, Math.floor(box[0]!));
  const right = Math.min(Math.ceil(snapshot.canvasWidth), Math.ceil(box[2]!));
  const bottom = Math.min(Math.ceil(snapshot.canvasHeight), Math.ceil(box[3]!));
  const columns = right - left;
  if (!(columns > 0)) return;
  // First column, end, and first row of each run that may go on in the next row.
  let open: number[] = [];
  const bandRows = Math.max(1, Math.floor(BAND_PIXELS / columns));
  for (let top = Math.max(0, Math.floor(box[1]!)); top < bottom; top += bandRows) {
    const rows = Math.min(bandRows, bottom - top);
    samples.place(Float64Array.of(left, top, columns, rows), EVERY_PIXEL, 0);
    samples.sampleAd(snapshot, view);
    samples.coverByAll(snapshot, view);
    if (samples.isOnUnknown) return;
    samples.dimByMask(snapshot, view);
    const { clear, light } = samples;
    for (let row = 0; row < rows; row++) {
      const isSeen = (column: number): boolean => {
        const k = row * grid.columns + column;
        return column < grid.columns && isOwn(clear[k]!) && light[k]! > threshold;
      };
      open = joinRuns(isSeen, columns, left, top + row, open, out);
    }
  }
  joinRuns(() => false, columns, left, bottom, open, out);
}

/**
 * Takes up the runs of one row, hands out the open ones that end above it, and returns those that are open now.
 * @param isSeen false beyond the last column
 */
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
  for (let column = 0; column < columns; column++) {
    if (!isSeen(column)) continue;
    const from = column;
    while (isSeen(column)) column++;
    while (open[at]! < from) at = closeRun(open, at, left, y, out);
    const goesOn = open[at] === from && open[at + 1] === column;
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

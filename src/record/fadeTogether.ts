import { type FrameSnapshot, NONE, PolygonFlag } from '../measure/FrameSnapshot.js';

const KNOWN = PolygonFlag.PAINTED | PolygonFlag.UNMEASURABLE;

/**
 * What was painted from one polygon on fades together: parts of it hide each other first, and only then a share of all
 * hides what lies below, as behind a mask of one opacity.
 */
export function fadeTogether(snapshot: FrameSnapshot, from: number, share: number): void {
  const to = snapshot.count;
  if (to - from < 2) return;
  const { canvasWidth: width, canvasHeight: height } = snapshot;
  const fade = snapshot.addPolygon([0, 0, width, 0, width, height, 0, height], 0, 4);
  const { flags, gradient, mask, opacity } = snapshot;
  flags[fade] = 0;
  opacity[fade] = share;
  const index = snapshot.addMask({ from: fade, to: fade + 1, invert: false });
  for (let i = from; i < to; i++) {
    // What nobody knows, and what is masked itself, stays as it is.
    if (mask[i] !== NONE || (flags[i]! & KNOWN) !== PolygonFlag.PAINTED) continue;
    mask[i] = index;
    opacity[i]! /= share;
    gradient[2 * i]! /= share;
    gradient[2 * i + 1]! /= share;
  }
}

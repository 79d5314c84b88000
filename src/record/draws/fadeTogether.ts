import { type FrameSnapshot, NONE, PolygonFlag } from '../../measure/FrameSnapshot.js';

const KNOWN = PolygonFlag.PAINTED | PolygonFlag.UNMEASURABLE;

/**
 * Makes the polygons from `from` on fade together: they first hide each other, and only then the whole hides what lies
 * below, with the opacity `share`, as behind a mask of one opacity.
 */
export function fadeTogether(snapshot: FrameSnapshot, from: number, share: number): void {
  const to = snapshot.count;
  if (to - from < 2) return;
  const { canvasWidth: width, canvasHeight: height } = snapshot;
  const fade = snapshot.addPolygon([0, 0, width, 0, width, height, 0, height], 0, 4);
  const { flags, gradient, mask, opacity } = snapshot;
  flags[fade] = 0;
  opacity[fade] = share;
  const index = snapshot.addMask({ from: fade, to: fade + 1, invert: false, outer: NONE });
  for (let i = from; i < to; i++) {
    // Polygons that are unknown or masked themselves stay as they are.
    if (mask[i] !== NONE || (flags[i]! & KNOWN) !== PolygonFlag.PAINTED) continue;
    mask[i] = index;
    opacity[i]! /= share;
    gradient[2 * i]! /= share;
    gradient[2 * i + 1]! /= share;
  }
}

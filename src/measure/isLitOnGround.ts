import { type FrameSnapshot, PolygonFlag } from './FrameSnapshot.js';

/** True when light is added above an ad that lets what lies below it through. How much the light hides depends on that. */
export function isLitOnGround({ views, viewCount, flags, count }: FrameSnapshot): boolean {
  for (let v = 0; v < viewCount; v++) {
    const { alpha, pieceTo } = views[v]!;
    for (let i = pieceTo; alpha < 1 && i < count; i++) if ((flags[i]! & PolygonFlag.ADDS) !== 0) return true;
  }
  return false;
}

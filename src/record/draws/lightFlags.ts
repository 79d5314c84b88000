import { DARKEST, DARKNESS_SHIFT, PolygonFlag } from '../../measure/FrameSnapshot.js';
import { Blend } from '../../textures/Blend.js';

/** How a polygon changes the light, as flags of the snapshot; `brightness` is that of its brightest place, 0–1. */
export function lightFlags(blend: Blend, brightness: number): number {
  if (blend === Blend.ADD) return PolygonFlag.ADDS;
  if (blend === Blend.LIGHTEN) return 0;
  if (blend === Blend.DARKEN) return DARKEST << DARKNESS_SHIFT;
  return Math.floor((1 - brightness) * DARKEST) << DARKNESS_SHIFT;
}

import type { AlphaMap } from '../../../viewability/AlphaMap.js';
import type { DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { Blend } from '../Pen.js';

interface PointLightObject extends DrawnObject {
  readonly color: { readonly r: number; readonly g: number; readonly b: number };
  readonly intensity: number;
  readonly attenuation: number;
  readonly radius: number;
}

/** Cells along a side of the disc's picture. */
const CELLS = 32;

/** Discs of at most this many attenuations are kept; a game that animates attenuation starts over. */
const MAX_DISCS = 32;

const discs = new Map<number, AlphaMap>();

/**
 * A soft disc of light, WebGL only: whatever the blend mode it adds, so it hides as far as it is bright, and a black one
 * hides nothing. Its radius scales with the camera, not with the object, which only cuts it off.
 * Source: `PointLightWebGLRenderer`, `PointLight.frag`.
 */
export const readPointLight: ObjectReader<PointLightObject> = (object, { pen, camera, isWebGL }) => {
  if (!isWebGL) return;
  const { color, intensity, radius, attenuation } = object;
  const scale = Math.sqrt(Math.abs(pen.a * pen.d - pen.b * pen.c));
  if (!(scale > 0 && radius > 0 && attenuation > 0)) return;
  const lit = (radius * camera.zoom) / scale;
  const half = Math.min(lit, radius);
  const luma = 0.2126 * color.r + 0.7152 * color.g + 0.0722 * color.b;
  const brightness = Math.min(1, smoothstep(attenuation) * luma * intensity) * object.alpha;
  if (!(brightness > 0)) return;
  const blend = pen.blend;
  pen.blend = Blend.LIGHTEN;
  const u0 = 0.5 - half / (2 * lit);
  const u1 = 0.5 + half / (2 * lit);
  pen.texturedQuad(-half, -half, 2 * half, 2 * half, discOf(attenuation), u0, u0, u1, u1, brightness);
  pen.blend = blend;
};

/** The light's fall from its middle (255) to its rim, which attenuation makes steeper. */
function discOf(attenuation: number): AlphaMap {
  let disc = discs.get(attenuation);
  if (disc !== undefined) return disc;
  const alpha = new Uint8Array(CELLS * CELLS);
  const full = smoothstep(attenuation);
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const distance = Math.hypot(((column + 0.5) / CELLS) * 2 - 1, ((row + 0.5) / CELLS) * 2 - 1);
      alpha[row * CELLS + column] = Math.round((255 * smoothstep((1 - distance) * attenuation)) / full);
    }
  }
  disc = { width: CELLS, height: CELLS, alpha };
  if (discs.size >= MAX_DISCS) discs.clear();
  discs.set(attenuation, disc);
  return disc;
}

/** GLSL `smoothstep(0, 1, x)`. */
function smoothstep(x: number): number {
  const t = Math.min(1, Math.max(0, x));
  return t * t * (3 - 2 * t);
}

import type { AlphaMap } from '../../../viewability/AlphaMap.js';
import type { DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { Blend } from '../Pen.js';
import { lightZoom } from './lightZoom.js';

interface PointLightObject extends DrawnObject {
  readonly color: { readonly r: number; readonly g: number; readonly b: number };
  readonly intensity: number;
  readonly attenuation: number;
  readonly radius: number;
}

/** Cells along a side of the disc's picture. */
const CELLS = 64;

/** At most so many discs are kept; a game that animates its lights starts over now and then. */
const MAX_DISCS = 32;

/** Lights whose brightness differs by less than this share of it have one disc. */
const SHADE = 0.02;

/** The two triangles of a quad. */
const SIDES = [1, -1] as const;

const discs = new Map<string, AlphaMap>();

/**
 * A soft disc of light, WebGL only: whatever the blend mode it adds, so it hides as far as it is bright, and a black one
 * hides nothing. On the canvas it is a circle whose radius scales with the camera, not with the object, whose quad only cuts it off.
 * Source: `PointLightWebGLRenderer`, `PointLight.frag`.
 */
export const readPointLight: ObjectReader<PointLightObject> = (object, { pen, camera, isWebGL }) => {
  if (!isWebGL) return;
  const { color, intensity, radius, attenuation } = object;
  if (!(radius > 0 && attenuation > 0)) return;
  const lit = radius * lightZoom(object, camera);
  if (!(lit > 0)) return;
  // The colour is given in 0–255, so most lights outshine the screen about their middle.
  const gain = intensity * object.alpha * pen.opacity;
  if (!(gain * Math.max(color.r, color.g, color.b) > 0)) return;
  const disc = discOf(attenuation, shade(color.r * gain), shade(color.g * gain), shade(color.b * gain));
  const blend = pen.blend;
  pen.blend = Blend.ADD;
  // Where the corners of its quad lie in the disc.
  const ax = (pen.a * radius) / (2 * lit);
  const ay = (pen.b * radius) / (2 * lit);
  const bx = (pen.c * radius) / (2 * lit);
  const by = (pen.d * radius) / (2 * lit);
  const left = 0.5 - ax - bx;
  const above = 0.5 - ay - by;
  const right = 0.5 + ax + bx;
  const below = 0.5 + ay + by;
  const strength = 1 / pen.opacity;
  for (const side of SIDES) {
    // prettier-ignore
    pen.texturedTriangle(
      -radius, -radius, left, above, strength,
      side * radius, -side * radius, 0.5 + side * (ax - bx), 0.5 + side * (ay - by), strength,
      radius, radius, right, below, strength,
      disc,
    );
  }
  pen.blend = blend;
};

/** How far a light of these steps of brightness hides what is below, from its middle to its rim. */
function discOf(attenuation: number, red: number, green: number, blue: number): AlphaMap {
  const key = `${attenuation} ${red} ${green} ${blue}`;
  let disc = discs.get(key);
  if (disc !== undefined) return disc;
  const alpha = new Uint8Array(CELLS * CELLS);
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const distance = Math.hypot(((column + 0.5) / CELLS) * 2 - 1, ((row + 0.5) / CELLS) * 2 - 1);
      const light = smoothstep((1 - distance) * attenuation);
      const luma = 0.2126 * lit(light, red) + 0.7152 * lit(light, green) + 0.0722 * lit(light, blue);
      alpha[row * CELLS + column] = Math.round(255 * luma);
    }
  }
  disc = { width: CELLS, height: CELLS, alpha };
  if (discs.size >= MAX_DISCS) discs.clear();
  discs.set(key, disc);
  return disc;
}

/** A brightness as a number of steps; those of one step look alike. */
function shade(brightness: number): number {
  return Math.round(Math.log(Math.max(1e-4, brightness)) / SHADE);
}

/** One channel of the light, which cannot be more than full. */
function lit(light: number, steps: number): number {
  return Math.min(1, light * Math.exp(steps * SHADE));
}

/** GLSL `smoothstep(0, 1, x)`. */
function smoothstep(x: number): number {
  const t = Math.min(1, Math.max(0, x));
  return t * t * (3 - 2 * t);
}

import type { AlphaMap } from '../../measure/AlphaMap.js';
import type { PointLight } from './DrawOp.js';

/** Cells along a side of the disc's picture. */
const CELLS = 64;

/** At most so many discs are kept; then all are dropped, as happens now and then when a game animates its lights. */
const MAX_DISCS = 32;

/** Lights whose brightness differs by less than this share of it use the same disc. */
const SHADE = 0.02;

const discs = new Map<string, AlphaMap>();

/** How much a point light hides of what is below, from its middle to its rim, since it adds light. Source: `PointLight.frag`. */
export function lightDisc({ attenuation, red, green, blue }: PointLight): AlphaMap {
  const steps = [red, green, blue].map((light) => Math.round(Math.log(Math.max(1e-4, light)) / SHADE));
  const key = `${attenuation} ${steps.join(' ')}`;
  let disc = discs.get(key);
  if (disc !== undefined) return disc;
  const [r, g, b] = steps.map((step) => Math.exp(step * SHADE)) as [number, number, number];
  const alpha = new Uint8Array(CELLS * CELLS);
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const distance = Math.hypot(((column + 0.5) / CELLS) * 2 - 1, ((row + 0.5) / CELLS) * 2 - 1);
      const light = smoothstep((1 - distance) * attenuation);
      const luma = 0.2126 * Math.min(1, light * r) + 0.7152 * Math.min(1, light * g) + 0.0722 * Math.min(1, light * b);
      alpha[row * CELLS + column] = Math.round(255 * luma);
    }
  }
  disc = { width: CELLS, height: CELLS, alpha };
  if (discs.size >= MAX_DISCS) discs.clear();
  discs.set(key, disc);
  return disc;
}

/** GLSL `smoothstep(0, 1, x)`. */
function smoothstep(x: number): number {
  const t = Math.min(1, Math.max(0, x));
  return t * t * (3 - 2 * t);
}

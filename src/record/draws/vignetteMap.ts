import type { AlphaMap } from '../../measure/AlphaMap.js';

/** Cells along a side of the map. */
const CELLS = 128;

/** As the shader has it. */
const PI = 3.14;

let lastKey = '';
let last: AlphaMap | null = null;

/**
 * How much a vignette hides of its input, from place to place, in texture coordinates. Source: `FilterVignette.frag`,
 * `FXVignette.frag`.
 * @param x of its middle, in texture coordinates, as `y` and the radius
 * @param power how fast it grows dark
 */
export function vignetteMap(x: number, y: number, radius: number, strength: number, power: number): AlphaMap {
  const key = `${x} ${y} ${radius} ${strength} ${power}`;
  if (last !== null && key === lastKey) return last;
  const alpha = new Uint8Array(CELLS * CELLS);
  for (let cell = 0; cell < alpha.length; cell++) {
    const u = ((cell % CELLS) + 0.5) / CELLS;
    const v = (Math.floor(cell / CELLS) + 0.5) / CELLS;
    const distance = Math.hypot(u - x, v - y);
    const shade = Math.sin((distance / radius) * PI * strength) ** power;
    alpha[cell] = distance <= radius ? Math.round(255 * Math.max(0, shade)) : 255;
  }
  lastKey = key;
  return (last = { width: CELLS, height: CELLS, alpha });
}

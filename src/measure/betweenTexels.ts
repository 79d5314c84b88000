/** The alpha of a point between the centres of four cells, given by rows, as a GPU's linear filter finds it. */
export function between(a: number, b: number, c: number, d: number, tx: number, ty: number): number {
  const top = a + (b - a) * tx;
  return top + (c + (d - c) * tx - top) * ty;
}

/** As {@link between}, for pixel art: the nearest cell. */
export function nearest(a: number, b: number, c: number, d: number, tx: number, ty: number): number {
  return ty < 0.5 ? (tx < 0.5 ? a : b) : tx < 0.5 ? c : d;
}

/** Whether the alphas of four cells, by rows, differ by more than `step` somewhere between neighbours. */
export function hasStep(a: number, b: number, c: number, d: number, step: number): boolean {
  return Math.abs(a - b) > step || Math.abs(c - d) > step || Math.abs(a - c) > step || Math.abs(b - d) > step;
}

/** An index of a row of `size` cells that is repeated without end. */
export function wrapped(index: number, size: number): number {
  const rest = index % size;
  return rest < 0 ? rest + size : rest;
}

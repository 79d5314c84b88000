import { type AdView, type FrameSnapshot, NONE, PolygonFlag } from '../../../../src/measure/FrameSnapshot.js';

export interface PixelCount {
  readonly onScreen: number;
  readonly visible: number;
  /** Sum of the light shares of the on-screen pixels. */
  readonly light: number;
  /** Pixels each owner takes alone. */
  readonly taken: ReadonlyMap<unknown, number>;
}

/**
 * The plainest possible measurement: look at every point of a grid (pixel centres by default) and ask each polygon,
 * in turn, how opaque it is there. Slow, and independent of the code it checks.
 */
export function everyPixel(snapshot: FrameSnapshot, view: AdView, blocking = 0.5, perPixel = 1): PixelCount {
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let i = view.pieceFrom; i < view.pieceTo; i++) {
    minX = Math.min(minX, Math.floor(snapshot.box[4 * i]!));
    minY = Math.min(minY, Math.floor(snapshot.box[4 * i + 1]!));
    maxX = Math.max(maxX, Math.ceil(snapshot.box[4 * i + 2]!));
    maxY = Math.max(maxY, Math.ceil(snapshot.box[4 * i + 3]!));
  }
  const step = 1 / perPixel;
  const ad = snapshot.owners[snapshot.owner[view.pieceFrom]!];
  const taken = new Map<unknown, number>();
  let onScreen = 0;
  let visible = 0;
  let light = 0;
  for (let y = minY + step / 2; y < maxY; y += step) {
    for (let x = minX + step / 2; x < maxX; x += step) {
      let clear = 1;
      for (let i = view.pieceFrom; i < view.pieceTo; i++) clear *= 1 - opacityAt(snapshot, i, x, y, true);
      if (clear > 0.5) continue;
      let passes = 1;
      const byOwner = new Map<unknown, number>();
      for (let i = view.pieceTo; i < snapshot.count; i++) {
        if ((snapshot.flags[i]! & PolygonFlag.PAINTED) === 0) continue;
        const owner = snapshot.owner[i] === NONE ? null : snapshot.owners[snapshot.owner[i]!];
        if (owner === ad) continue;
        const opacity = opacityAt(snapshot, i, x, y, false);
        if (opacity === 0) continue;
        const keep = 1 - opacity;
        passes *= keep;
        byOwner.set(owner, (byOwner.get(owner) ?? 1) * keep);
      }
      const area = step * step;
      onScreen += area;
      light += passes * area;
      if (1 - passes < blocking - 1e-6) visible += area;
      for (const [owner, keep] of byOwner) {
        if (1 - keep >= blocking - 1e-6) taken.set(owner, (taken.get(owner) ?? 0) + area);
      }
    }
  }
  return { onScreen, visible, light, taken };
}

/** Opacity of polygon i at a point; for the ad itself (`own`) without its constant opacity. */
export function opacityAt(snapshot: FrameSnapshot, i: number, x: number, y: number, own: boolean): number {
  if (!contains(snapshot, i, x, y)) return 0;
  if ((snapshot.flags[i]! & PolygonFlag.UNMEASURABLE) !== 0) return 1;
  const gradientX = snapshot.gradient[2 * i]!;
  const gradientY = snapshot.gradient[2 * i + 1]!;
  let opacity = own && gradientX === 0 && gradientY === 0 ? 1 : snapshot.opacity[i]!;
  opacity = Math.min(1, Math.max(0, opacity + gradientX * x + gradientY * y));
  if (snapshot.alphaMap[i] !== NONE) opacity *= texelAt(snapshot, i, x, y);
  if (snapshot.mask[i] !== NONE) {
    const mask = snapshot.masks[snapshot.mask[i]!]!;
    let strength = 0;
    for (let m = mask.from; m < mask.to; m++) strength = Math.max(strength, opacityAt(snapshot, m, x, y, false));
    opacity *= mask.invert ? 1 - strength : strength;
  }
  return opacity;
}

function texelAt(snapshot: FrameSnapshot, i: number, x: number, y: number): number {
  const { width, height, alpha, isPixelated } = snapshot.alphaMaps[snapshot.alphaMap[i]!]!;
  const uv = snapshot.uv.subarray(6 * i, 6 * i + 6);
  const u = uv[0]! * x + uv[2]! * y + uv[4]! - 0.5;
  const v = uv[1]! * x + uv[3]! * y + uv[5]! - 0.5;
  const repeat = (snapshot.flags[i]! & PolygonFlag.REPEAT) !== 0;
  const fit = (index: number, size: number): number =>
    repeat ? ((index % size) + size) % size : Math.min(size - 1, Math.max(0, index));
  const cell = (column: number, row: number): number => alpha[fit(row, height) * width + fit(column, width)]! / 255;
  if (isPixelated === true) return cell(Math.floor(u + 0.5), Math.floor(v + 0.5));
  const c = Math.floor(u);
  const r = Math.floor(v);
  const tx = u - c;
  const ty = v - r;
  return (
    (cell(c, r) * (1 - tx) + cell(c + 1, r) * tx) * (1 - ty) +
    (cell(c, r + 1) * (1 - tx) + cell(c + 1, r + 1) * tx) * ty
  );
}

function contains(snapshot: FrameSnapshot, i: number, x: number, y: number): boolean {
  const box = snapshot.box;
  if (x < box[4 * i]! || y < box[4 * i + 1]! || x > box[4 * i + 2]! || y > box[4 * i + 3]!) return false;
  const from = snapshot.start[i]!;
  const length = snapshot.length[i]!;
  let positive = false;
  let negative = false;
  for (let k = 0; k < length; k++) {
    const a = 2 * (from + k);
    const b = 2 * (from + ((k + 1) % length));
    const side =
      (snapshot.xy[b]! - snapshot.xy[a]!) * (y - snapshot.xy[a + 1]!) -
      (snapshot.xy[b + 1]! - snapshot.xy[a + 1]!) * (x - snapshot.xy[a]!);
    if (side > 0) positive = true;
    if (side < 0) negative = true;
  }
  return !(positive && negative);
}

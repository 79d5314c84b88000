import type { AlphaMap } from '../../../../src/measure/AlphaMap.js';
import { type AdView, FrameSnapshot, NONE, PolygonFlag } from '../../../../src/measure/FrameSnapshot.js';

/** What a painter of a test frame looks like. */
export interface Paint {
  readonly owner?: unknown;
  readonly opacity?: number;
  readonly gradient?: readonly [number, number];
  readonly flags?: number;
  readonly map?: AlphaMap;
  /** Canvas pixels → map cells; by default the map spans the polygon's bounding box. */
  readonly uv?: readonly number[];
  /** Index returned by {@link FrameBuilder.mask}. */
  readonly mask?: number;
}

/** Puts frames together for tests: one ad, then what is painted over it. */
export class FrameBuilder {
  readonly snapshot = new FrameSnapshot();
  view!: AdView;
  readonly adObject = { name: 'ad' };

  constructor(width = 1000, height = 1000) {
    this.snapshot.reset(width, height);
  }

  /** The ad: its whole shape, and the pieces on screen (by default the same). */
  ad(shape: readonly number[], pieces: readonly (readonly number[])[] = [shape], paint: Paint = {}): this {
    const view = this.snapshot.addView();
    view.camera = 'main';
    view.shapeFrom = this.snapshot.count;
    const { mask, ...unmasked } = paint;
    this.polygon(shape, unmasked, 0);
    view.shapeTo = view.pieceFrom = this.snapshot.count;
    for (const piece of pieces) {
      const index = this.polygon(piece, { owner: this.adObject, ...unmasked, ...(mask === undefined ? {} : { mask }) });
      // The pieces show the same picture as the shape.
      this.snapshot.uv.copyWithin(6 * index, 6 * view.shapeFrom, 6 * view.shapeFrom + 6);
    }
    view.pieceTo = this.snapshot.count;
    this.view = view;
    return this;
  }

  paint(points: readonly number[], paint: Paint = {}): this {
    this.polygon(points, { owner: {}, ...paint });
    return this;
  }

  /** A painter that is no game object: background, flash, fade. */
  effect(points: readonly number[], opacity = 1): this {
    this.polygon(points, { opacity });
    return this;
  }

  /** A bitmap mask made of the given parts, perhaps within another; returns its index. */
  mask(parts: readonly { points: readonly number[]; paint?: Paint }[], invert = false, outer = NONE): number {
    const from = this.snapshot.count;
    for (const part of parts) this.polygon(part.points, part.paint ?? {}, 0);
    return this.snapshot.addMask({ from, to: this.snapshot.count, invert, outer });
  }

  private polygon(points: readonly number[], paint: Paint, painted: number = PolygonFlag.PAINTED): number {
    const { snapshot } = this;
    const index = snapshot.addPolygon(points, 0, points.length / 2);
    snapshot.flags[index] = painted | (paint.flags ?? 0);
    snapshot.opacity[index] = paint.opacity ?? 1;
    if (paint.gradient) snapshot.gradient.set(paint.gradient, 2 * index);
    if (paint.owner !== undefined) snapshot.owner[index] = snapshot.addOwner(paint.owner);
    if (paint.mask !== undefined) snapshot.mask[index] = paint.mask;
    if (paint.map) {
      snapshot.alphaMap[index] = snapshot.addAlphaMap(paint.map);
      const [minX, minY, maxX, maxY] = snapshot.box.subarray(4 * index, 4 * index + 4) as unknown as [
        number,
        number,
        number,
        number,
      ];
      const a = paint.map.width / (maxX - minX);
      const d = paint.map.height / (maxY - minY);
      snapshot.uv.set(paint.uv ?? [a, 0, 0, d, -a * minX, -d * minY], 6 * index);
    }
    return index;
  }
}

/** Corners of an upright rectangle. */
export function rectangle(x: number, y: number, width: number, height: number): number[] {
  return [x, y, x + width, y, x + width, y + height, x, y + height];
}

/** Corners of a rectangle turned about its centre. */
export function turned(x: number, y: number, width: number, height: number, angle: number): number[] {
  const cos = Math.cos(angle) / 2;
  const sin = Math.sin(angle) / 2;
  const corners = [-1, -1, 1, -1, 1, 1, -1, 1];
  const out: number[] = [];
  for (let i = 0; i < 8; i += 2) {
    out.push(x + corners[i]! * width * cos - corners[i + 1]! * height * sin);
    out.push(y + corners[i]! * width * sin + corners[i + 1]! * height * cos);
  }
  return out;
}

/** A regular polygon, turning either way. */
export function regular(x: number, y: number, radius: number, sides: number, angle = 0, reversed = false): number[] {
  const out: number[] = [];
  for (let i = 0; i < sides; i++) {
    const turn = angle + ((reversed ? -i : i) * 2 * Math.PI) / sides;
    out.push(x + radius * Math.cos(turn), y + radius * Math.sin(turn));
  }
  return out;
}

/** An alpha map from a function of column and row that gives 0–1. */
export function alphaMap(width: number, height: number, at: (column: number, row: number) => number): AlphaMap {
  const alpha = Uint8Array.from({ length: width * height }, (_, i) =>
    Math.round(255 * at(i % width, Math.floor(i / width))),
  );
  return { width, height, alpha };
}

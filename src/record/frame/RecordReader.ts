import type * as Phaser from 'phaser';

import { boxesMeet } from '../../geometry/boxesMeet.js';
import { clipConvex } from '../../geometry/clipConvex.js';
import { isConvex } from '../../geometry/isConvex.js';
import { solveAffine } from '../../geometry/solveAffine.js';
import { takeBox } from '../../geometry/takeBox.js';
import { takeRectangle } from '../../geometry/takeRectangle.js';
import { type FrameSnapshot, PolygonFlag } from '../../measure/FrameSnapshot.js';
import { lightOf } from '../../textures/colourLight.js';
import type { ShownAlpha } from '../../textures/ShownAlpha.js';
import { IGNORES_TEXTURE, TINT_ADDS, TINT_FILLS } from '../draws/DrawOp.js';
import { type DrawRecord, Marker } from './DrawRecord.js';
import type { KnownOwners } from './KnownOwners.js';
import { QUAD_NUMBERS, STRIDE } from './NearQuads.js';

type GameObject = Phaser.GameObjects.GameObject;

/** Indices of the numbers of a quad's corner; x and y come first. */
const U = 2;
const EFFECT = 5;
const COLOR = 6;

/** The alpha byte that opacities just below and just above one half share. */
const HALF = 127;

/** Alpha byte of what lets nothing through. */
const OPAQUE = 255;

/** How far the corners of a parallelogram may be from their exact place, in pixels: they are 32-bit floats. */
const SKEW_PX = 0.02;

/** The same where each corner was rounded to a whole pixel, and so moved by half a pixel at most. */
const ROUNDED_SKEW_PX = 2;

/** What the tap knows of an ad after a frame. */
export const TapVerdict = {
  /** Not drawn by any camera. */
  ABSENT: 0,
  /** All that was drawn over it is in the record. */
  PLAIN: 1,
  /** Something over it needs a rehearsal: a mask, a blend mode, another pipeline, a framebuffer. */
  COMPLEX: 2,
} as const;
export type TapVerdict = (typeof TapVerdict)[keyof typeof TapVerdict];

/** Tells how opaque quads are, by the texture they were drawn with. */
export interface QuadPictures {
  /** Input of {@link #lookup}: the least u and v of the corners, then the greatest. */
  readonly corners: Float64Array;
  /** What the texture shows between {@link corners}; null when only a rehearsal can tell. Valid until the next call. */
  lookup(texture: object): ShownAlpha | null;
  /** The same of a soft picture that is filled with a tint. Its opacity, from an alpha byte, is part of the answer. */
  lookupFilled?(texture: object, tint: number, alpha: number): ShownAlpha | null;
  /**
   * The opacity of a quad without its texels, 0–1.
   * @param alpha byte of the quad's colour
   */
  opacityOf(texture: object | null, alpha: number): number;
}

/**
 * Reads a {@link DrawRecord} into a snapshot. It answers only for the plain case: quads and triangles of texture × colour
 * with normal blending, without masks, in the main framebuffer; those with holes only as whole frames. Anything else near
 * an ad makes its verdict COMPLEX.
 */
export class RecordReader {
  readonly #points = new Float64Array(8);
  readonly #clipped = new Float64Array(64);
  readonly #rectangle = new Float64Array(8);
  /** minX, minY, maxX, maxY of the cover that is read. */
  readonly #box = new Float64Array(4);
  /** The cells of an alpha map (column, row) at three corners. */
  readonly #cells = new Float64Array(6);
  /** The map from canvas to cells that follows from {@link #cells}, as {@link FrameSnapshot.uv} holds it. */
  readonly #uv = new Float64Array(6);
  /** Pieces of the ads read so far. */
  #pieces = 0;

  constructor(
    private readonly record: DrawRecord,
    private readonly textures: QuadPictures,
    private readonly snapshot: FrameSnapshot,
    /** Finds the owners of quads; what has no known owner is left to a rehearsal. Null when nobody asks for owners. */
    private readonly owners: KnownOwners | null = null,
  ) {}

  /** Starts a frame. */
  begin(): void {
    this.#pieces = 0;
  }

  /** Appends what the record holds to the snapshot, and to the verdicts, one per ad. */
  read(ads: readonly GameObject[], verdicts: Uint8Array): void {
    const { record } = this;
    const { count } = record.near;
    let marker = 0;
    for (let t = 0; t <= count; t++) {
      let isAd = false;
      for (; marker < record.markerCount && record.markerAt[marker] === t; marker++) {
        const kind = record.markers[marker]!;
        if (kind === Marker.GIVE_UP) this.#giveUp(verdicts);
        else if (kind === Marker.OTHER_AD) verdicts[record.markerAds[marker]!] = TapVerdict.COMPLEX;
        else {
          this.#readAd(ads, marker, verdicts);
          isAd = true;
        }
      }
      if (t < count && !isAd) this.#readCover(t, record.near.isTriangle(t) ? 3 : 4, 0, verdicts);
    }
  }

  /** True when an ad's texture is opaque and untinted, so that its shape says everything. */
  isPlainAd(quad: number): boolean {
    return this.#tintLight(quad) === 1 && this.isOpaque(quad);
  }

  /** True when the texture of a quad is opaque throughout the frame it shows. */
  isOpaque(quad: number): boolean {
    return this.#lookup(quad, 4, 0)?.lookup.kind === 'opaque';
  }

  /**
   * Share of its light that an ad keeps under the tints of its corners, 0–1. NaN where its alpha differs from corner to
   * corner, or its colour replaces the picture.
   */
  #tintLight(quad: number): number {
    const { f32, u32 } = this.record.near;
    if (f32[quad * QUAD_NUMBERS + EFFECT] !== 0) return NaN;
    const at = quad * QUAD_NUMBERS + COLOR;
    const alpha = u32[at]! >>> 24;
    let light = 0;
    for (let c = at; c < at + 4 * STRIDE; c += STRIDE) {
      if (u32[c]! >>> 24 !== alpha) return NaN;
      light += lightOf(u32[c]! & 0xffffff);
    }
    return light / 4;
  }

  /** True for fills and strokes: they show nothing of the texture that happens to be bound. */
  #ignoresTexture(quad: number): boolean {
    return this.record.near.f32[quad * QUAD_NUMBERS + EFFECT] === IGNORES_TEXTURE;
  }

  /** Alpha of what `count` corners of a quad show of its texture, from corner `first` on; null when only a rehearsal can tell. */
  #lookup(quad: number, count: number, first: number): ShownAlpha | null {
    const { record, textures } = this;
    const texture = record.textures[quad]!;
    if (texture === null) return null;
    const { corners } = textures;
    const { f32 } = record.near;
    // Flipped quads begin at the far corner. A triangle that is half a quad has two opposite corners, and these span
    // the whole frame.
    for (let k = 0; k < 2; k++) {
      let least = Infinity;
      let most = -Infinity;
      for (let i = 0; i < count; i++) {
        const at = f32[quad * QUAD_NUMBERS + ((first + i) & 3) * STRIDE + U + k]!;
        if (at < least) least = at;
        if (at > most) most = at;
      }
      corners[k] = least;
      corners[2 + k] = most;
    }
    return textures.lookup(texture);
  }

  #readAd(ads: readonly GameObject[], marker: number, verdicts: Uint8Array): void {
    const { record, snapshot } = this;
    const quad = record.markerAt[marker]!;
    const index = record.markerAds[marker]!;
    const ad = ads[index]!;
    // The ad is a cover, too: for other ads, and for its own earlier picture when another camera draws it again.
    this.#readCover(quad, 4, 0, verdicts, ad);
    const piece = record.markerPieces[marker]!;
    if (piece >= 0) this.#pieces = piece + 1;
    if (verdicts[index] === TapVerdict.COMPLEX) return;
    this.#takeCorners(quad, 4, 0);
    const light = this.#tintLight(quad);
    const shown = light >= 0 ? this.#lookup(quad, 4, 0) : null;
    const alpha = record.near.u32[quad * QUAD_NUMBERS + COLOR]! >>> 24;
    // Ads that fade from corner to corner, or whose picture is not known yet, are left to a rehearsal. So is an alpha
    // byte of HALF: it does not tell on which side of one half the opacity is, and that decides whether an ad is seen
    // at all.
    if (shown === null || shown.lookup.kind === 'unknown' || !this.#lay(shown, quad, 4, 0) || alpha === HALF) {
      verdicts[index] = TapVerdict.COMPLEX;
      return;
    }
    verdicts[index] = TapVerdict.PLAIN;
    const view = snapshot.addView(index, record.markerCameras[marker]);
    view.opacity = this.textures.opacityOf(record.textures[quad]!, alpha) * light;
    const shape = snapshot.addPolygon(this.#points, 0, 4);
    snapshot.flags[shape] = 0;
    this.#putMap(shown, shape);
    view.shapeTo = view.pieceFrom = snapshot.count;
    const length = this.#clipPoints(4, record.quadStates[quad]!);
    if (length > 0) {
      const polygon = snapshot.addPolygon(this.#clipped, 0, length);
      snapshot.owner[polygon] = snapshot.addOwner(ad);
      // For other ads it was already added as a cover, above.
      snapshot.flags[polygon] = 0;
      this.#putMap(shown, polygon);
    }
    view.pieceTo = snapshot.count;
  }

  /**
   * Reads a quad (4 corners) or triangle (3), from corner `first` on, that may touch an ad.
   * @param ad the ad it belongs to, if any
   */
  #readCover(quad: number, corners: number, first: number, verdicts: Uint8Array, ad: GameObject | null = null): void {
    const { record, snapshot } = this;
    this.#takeCorners(quad, corners, first);
    const state = record.quadStates[quad]!;
    this.#takeBox(corners, state);
    if (!this.#touchesPiece()) return;
    if (corners === 4 && !isConvex(this.#points, 4)) {
      // The corner of a stroke: two triangles that may overlap.
      this.#readCover(quad, 3, 0, verdicts);
      this.#readCover(quad, 3, 2, verdicts);
      return;
    }
    if (record.unusual[state] === 1) {
      this.#markComplex(verdicts);
      return;
    }
    const { u32 } = record.near;
    const at = quad * QUAD_NUMBERS + COLOR;
    const alpha = u32[at + (first & 3) * STRIDE]! >>> 24;
    let isOneAlpha = true;
    for (let i = 1; i < corners; i++) {
      if (u32[at + ((first + i) & 3) * STRIDE]! >>> 24 !== alpha) isOneAlpha = false;
    }
    if (isOneAlpha && alpha === 0) return;
    const isSolid = this.#ignoresTexture(quad);
    let shown = isSolid || !isOneAlpha ? null : this.#lookup(quad, corners, first);
    const isFilled = shown?.lookup.kind === 'map' && record.near.f32[quad * QUAD_NUMBERS + EFFECT] === TINT_FILLS;
    if (isFilled) shown = this.#lookupFilled(quad, alpha);
    // Readable here: one alpha for all corners, and either no texture or a map that lies evenly. All else needs a
    // rehearsal.
    if (!isOneAlpha || (!isSolid && (shown === null || !this.#lay(shown, quad, corners, first)))) {
      this.#markComplex(verdicts);
      return;
    }
    const length = this.#clipPoints(corners, state);
    if (length === 0) return;
    const owner = ad ?? (corners === 4 ? this.owners?.ownerOf(record.near, quad) : null) ?? null;
    if (owner === null && this.owners !== null) {
      this.#markComplex(verdicts);
      return;
    }
    const polygon = snapshot.addPolygon(this.#clipped, 0, length);
    if (owner !== null) snapshot.owner[polygon] = snapshot.addOwner(owner);
    snapshot.opacity[polygon] = isFilled ? 1 : this.textures.opacityOf(record.textures[quad]!, alpha);
    if (shown === null) return;
    const { kind } = shown.lookup;
    const isFaint = alpha < OPAQUE || kind === 'map';
    const isThickened = isFaint && record.near.f32[quad * QUAD_NUMBERS + EFFECT] === TINT_ADDS;
    if (kind === 'unknown' || isThickened) snapshot.flags[polygon]! |= PolygonFlag.UNMEASURABLE;
    this.#putMap(shown, polygon);
  }

  /** As {@link #lookup}, right after it, for a quad filled with a tint; null where that differs from corner to corner. */
  #lookupFilled(quad: number, alpha: number): ShownAlpha | null {
    const { u32 } = this.record.near;
    const at = quad * QUAD_NUMBERS + COLOR;
    for (let i = 1; i < 4; i++) if (u32[at + i * STRIDE] !== u32[at]) return null;
    return this.textures.lookupFilled?.(this.record.textures[quad]!, u32[at]! & 0xffffff, alpha) ?? null;
  }

  /** Puts the alpha map, if there is one, on a polygon, where {@link #lay} found it to lie. */
  #putMap({ lookup, isRepeated }: ShownAlpha, polygon: number): void {
    const { snapshot } = this;
    if (lookup.kind !== 'map') return;
    snapshot.alphaMap[polygon] = snapshot.addAlphaMap(lookup.map);
    if (isRepeated) snapshot.flags[polygon]! |= PolygonFlag.REPEAT;
    snapshot.uv.set(this.#uv, 6 * polygon);
  }

  /**
   * Finds where the cells of the map lie that `corners` corners of a quad show, from corner `first` on. False when the
   * map does not lie evenly on them.
   */
  #lay(shown: ShownAlpha, quad: number, corners: number, first: number): boolean {
    const points = this.#points;
    const cells = this.#cells;
    const { lookup, u, v, du, dv } = shown;
    if (lookup.kind !== 'map') return true;
    const { width, height } = lookup.map;
    const { f32, hasRounded } = this.record.near;
    const skew = hasRounded ? ROUNDED_SKEW_PX : SKEW_PX;
    for (let k = 0; k < 2; k++) {
      // One affine map fits both triangles of a quad only in a parallelogram.
      if (corners === 4 && Math.abs(points[k]! + points[4 + k]! - points[2 + k]! - points[6 + k]!) > skew) return false;
      const a = f32[quad * QUAD_NUMBERS + (first & 3) * STRIDE + U + k]!;
      const b = f32[quad * QUAD_NUMBERS + ((first + 1) & 3) * STRIDE + U + k]!;
      const c = f32[quad * QUAD_NUMBERS + ((first + 2) & 3) * STRIDE + U + k]!;
      const d = corners === 4 ? f32[quad * QUAD_NUMBERS + ((first + 3) & 3) * STRIDE + U + k]! : a + c - b;
      // NaN ends here, too: it equals nothing.
      if (a + c !== b + d) return false;
      const from = k === 0 ? u : v;
      const scale = k === 0 ? width / du : height / dv;
      cells[k] = (a - from) * scale;
      cells[2 + k] = (b - from) * scale;
      cells[4 + k] = (c - from) * scale;
    }
    solveAffine(points, cells, this.#uv);
    return true;
  }

  /** Writes `corners` corners of a quad to {@link #points}, in order around it, from corner `first` on. */
  #takeCorners(quad: number, corners: number, first: number): void {
    const points = this.#points;
    const { f32 } = this.record.near;
    for (let i = 0; i < corners; i++) {
      const at = quad * QUAD_NUMBERS + ((first + i) & 3) * STRIDE;
      points[2 * i] = f32[at]!;
      points[2 * i + 1] = f32[at + 1]!;
    }
  }

  /** Clips {@link #points} to the clip of a state, into {@link #clipped}; returns the number of corners left. */
  #clipPoints(corners: number, state: number): number {
    const points = this.#points;
    const clipped = this.#clipped;
    const { clips } = this.record;
    const minX = clips[4 * state]!;
    const minY = clips[4 * state + 1]!;
    const maxX = clips[4 * state + 2]!;
    const maxY = clips[4 * state + 3]!;
    let inside = true;
    for (let i = 0; i < 2 * corners; i += 2) {
      const x = points[i]!;
      const y = points[i + 1]!;
      clipped[i] = x;
      clipped[i + 1] = y;
      if (!(x >= minX && x <= maxX && y >= minY && y <= maxY)) inside = false;
    }
    if (inside) return corners;
    if (!(maxX > minX && maxY > minY)) return 0;
    takeRectangle(minX, minY, maxX, maxY, this.#rectangle);
    return clipConvex(points, 0, corners, this.#rectangle, 0, 4, clipped);
  }

  /** Writes the box around {@link #points}, cut to the clip of a state, to {@link #box}. */
  #takeBox(corners: number, state: number): void {
    const box = this.#box;
    const { clips } = this.record;
    takeBox(this.#points, 0, corners, box);
    // When another camera draws the object as well, only the part in its own viewport counts.
    for (let k = 0; k < 2; k++) {
      if (clips[4 * state + k]! > box[k]!) box[k] = clips[4 * state + k]!;
      if (clips[4 * state + 2 + k]! < box[2 + k]!) box[2 + k] = clips[4 * state + 2 + k]!;
    }
  }

  /** The {@link #box} lies over a piece of some ad. */
  #touchesPiece(): boolean {
    for (let piece = 0; piece < this.#pieces; piece++) if (this.#touches(piece)) return true;
    return false;
  }

  /** Marks the ads under the {@link #box}: they need a rehearsal. */
  #markComplex(verdicts: Uint8Array): void {
    const { pieceAds } = this.record;
    for (let piece = 0; piece < this.#pieces; piece++) {
      if (this.#touches(piece)) verdicts[pieceAds[piece]!] = TapVerdict.COMPLEX;
    }
  }

  #touches(piece: number): boolean {
    return boxesMeet(this.#box, 0, this.record.pieceBoxes, piece);
  }

  /** Marks every ad drawn so far: they need a rehearsal. */
  #giveUp(verdicts: Uint8Array): void {
    const { views, viewCount } = this.snapshot;
    for (let v = 0; v < viewCount; v++) verdicts[views[v]!.ad] = TapVerdict.COMPLEX;
  }
}

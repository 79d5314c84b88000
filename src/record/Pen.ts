import type { ClipRegion } from '../geometry/ClipRegion.js';
import { clipConvex, MAX_VERTICES } from '../geometry/clipConvex.js';
import { isConvex } from '../geometry/isConvex.js';
import { solveAffine } from '../geometry/solveAffine.js';
import type { AlphaMap } from '../measure/AlphaMap.js';
import { DARKEST, DARKNESS_SHIFT, type FrameSnapshot, NONE, PolygonFlag } from '../measure/FrameSnapshot.js';
import { Blend } from '../textures/Blend.js';
import { contrastOf, lightOf } from '../textures/colourLight.js';
import { roundedX, roundedY } from './phaser3/shaderRounding.js';
import { TexturedArea } from './TexturedArea.js';

/** The least opacity that takes more than eight bits. */
const OVERFLOW = 256 / 255;

/** The most vertices one polygon of a snapshot may have; larger ones are cut into pieces. */
const MAX_CLIPPED = 255;

/** What becomes of the polygons a pen draws. */
export const PenMode = {
  /** They were painted over an ad: kept only where they can touch one. */
  PAINT: 0,
  /** They are the whole ad, before any clipping: kept whole, not painted. */
  SHAPE: 1,
  /** They are the ad as painted: clipped and painted. */
  PIECE: 2,
  /** They are the picture of a bitmap mask: kept whole, not painted. */
  MASK: 3,
} as const;
export type PenMode = (typeof PenMode)[keyof typeof PenMode];

/** How the corners of a rectangle come to lie on whole canvas pixels, for pixel art (`roundPixels`). */
export const Snap = {
  NONE: 0,
  /** The whole rectangle is moved so that its first corner does (`TransformMatrix.setQuad` of later versions). */
  FIRST: 1,
  /** Each corner for itself. */
  EACH: 2,
} as const;
export type Snap = (typeof Snap)[keyof typeof Snap];

/** Where an object stands in its parent. */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly rotation: number;
  readonly scaleX: number;
  readonly scaleY: number;
}

/**
 * Draws what a game object paints into a {@link FrameSnapshot}: local coordinates in, convex polygons in canvas pixels
 * out, culled to the neighbourhood of the ads and clipped to the viewport and masks.
 *
 * A reader receives a pen whose matrix is the object's own (camera × scroll × containers × object) and whose
 * {@link opacity} holds everything *above* the object (containers, layers, camera). The reader multiplies the object's
 * own alpha into each call.
 */
export class Pen {
  mode: PenMode = PenMode.PAINT;
  /** Opacity inherited from camera, layers and containers, 0–1. */
  opacity = 1;
  /** The opacity of what is drawn with one that is no number: WebGL makes 0 of it, a canvas keeps the one before. */
  brokenOpacity = 0;
  /** Alphas are kept in eight bits, as WebGL does: of one beyond 1 only the last of them are drawn. */
  keepsLastBits = false;
  blend: Blend = Blend.COVER;
  /** The object's tint takes the place of its picture, wherever it is opaque. */
  isTintFilled = false;
  /** Brightness of the colour drawn with, 0–1; 1 where nobody knows it. */
  brightness = 1;
  /** The game object polygons are charged to, or null for painters that are none. */
  owner: unknown = null;
  /** Mask index in the snapshot that applies to what is drawn, or {@link NONE}. */
  mask: number = NONE;
  /** When true, everything drawn is judged as opaque and reported `unmeasurable`. */
  unmeasurable = false;
  /** An effect changes the colour of what is drawn. */
  isRecoloured = false;
  /** An effect makes what is faint hide more, nobody knows how much: only what is opaque is measurable. */
  isThickened = false;
  /** {@link anywhere} was called. Whoever wants to know sets it to false before. */
  isAnywhere = false;
  /** {@link unknown} was called: nobody knows which part of it is drawn on. Whoever wants to know sets it to false before. */
  isUnknown = false;
  clip: ClipRegion | null = null;
  /** Something was met that WebGL cuts with a scissor rectangle of its own, now or before. */
  hasScissor = false;
  /** Applies to rectangles of one opacity. Whoever sets it sets it back. */
  snap: Snap = Snap.NONE;
  /** The renderer's shader puts every corner of everything on a whole pixel, after {@link snap}. */
  roundsCorners = false;

  /** What {@link texturedArea} draws; whoever draws with it sets all of it. */
  readonly area = new TexturedArea();

  /** Canvas rectangle outside of which nothing matters: the bounding box of all ads drawn so far. */
  interestMinX = -Infinity;
  interestMinY = -Infinity;
  interestMaxX = Infinity;
  interestMaxY = Infinity;

  /** Object → canvas matrix: x' = a·x + c·y + e, y' = b·x + d·y + f. */
  a = 1;
  b = 0;
  c = 0;
  d = 1;
  e = 0;
  f = 0;

  /** Parent → canvas matrix (camera × scroll × containers), same layout. */
  pa = 1;
  pb = 0;
  pc = 0;
  pd = 1;
  pe = 0;
  pf = 0;

  /** The object's own matrix as {@link transform} left it, the base of {@link within}. */
  private oa = 1;
  private ob = 0;
  private oc = 0;
  private od = 1;
  private oe = 0;
  private of = 0;

  private readonly points = new Float64Array(2 * MAX_VERTICES);
  /** A clip piece has as many vertices as the mask it comes from. */
  private readonly clipped = new Float64Array(4 * MAX_CLIPPED);
  private readonly interest = new Float64Array(4);
  /**
   * Of the polygon that is drawn: its opacity, at the canvas's origin, and what it grows by per pixel across and down. An array,
   * since the engine may make an object of each fraction that is handed over.
   */
  private readonly ink = new Float64Array(3);
  /** Of three points: where they are, and which cells of the alpha map lie there. */
  private readonly corners = new Float64Array(6);
  private readonly cells = new Float64Array(6);
  /** Of the polygon to be stored, as {@link FrameSnapshot.uv} holds it. */
  private readonly uv = new Float64Array(6);

  constructor(readonly snapshot: FrameSnapshot) {}

  // --- where ---

  /** Sets the matrix to parent × translate × rotate × scale, the order of Phaser's `TransformMatrix.applyITRS`. */
  transform(x: number, y: number, rotation: number, scaleX: number, scaleY: number): void {
    this.transformBy({ x, y, rotation, scaleX, scaleY });
  }

  /** {@link transform} by an object's own. */
  transformBy({ x, y, rotation, scaleX, scaleY }: Placement): void {
    const { pa, pb, pc, pd } = this;
    this.e = this.oe = pa * x + pc * y + this.pe;
    this.f = this.of = pb * x + pd * y + this.pf;
    if (rotation === 0) {
      this.a = this.oa = pa * scaleX;
      this.b = this.ob = pb * scaleX;
      this.c = this.oc = pc * scaleY;
      this.d = this.od = pd * scaleY;
      return;
    }
    const cos = Math.cos(rotation);
    const sin = Math.sin(rotation);
    this.a = this.oa = (pa * cos + pc * sin) * scaleX;
    this.b = this.ob = (pb * cos + pd * sin) * scaleX;
    this.c = this.oc = (pc * cos - pa * sin) * scaleY;
    this.d = this.od = (pd * cos - pb * sin) * scaleY;
  }

  /** Sets the matrix to object × translate × rotate × scale: a part of the object, such as a particle. */
  within(x: number, y: number, rotation: number, scaleX: number, scaleY: number): void {
    const { oa, ob, oc, od } = this;
    const cos = Math.cos(rotation);
    const sin = Math.sin(rotation);
    this.a = (oa * cos + oc * sin) * scaleX;
    this.b = (ob * cos + od * sin) * scaleX;
    this.c = (oc * cos - oa * sin) * scaleY;
    this.d = (od * cos - ob * sin) * scaleY;
    this.e = oa * x + oc * y + this.oe;
    this.f = ob * x + od * y + this.of;
  }

  /** Back from {@link within} to the object's own matrix. */
  whole(): void {
    this.a = this.oa;
    this.b = this.ob;
    this.c = this.oc;
    this.d = this.od;
    this.e = this.oe;
    this.f = this.of;
  }

  /** The local point in canvas pixels. */
  canvasX(x: number, y: number): number {
    return this.a * x + this.c * y + this.e;
  }

  canvasY(x: number, y: number): number {
    return this.b * x + this.d * y + this.f;
  }

  /** Sets the matrix to the identity: the reader speaks canvas pixels. */
  inCanvasPixels(): void {
    this.a = this.d = 1;
    this.b = this.c = this.e = this.f = 0;
  }

  /** False when the local rectangle cannot touch any ad, so that the reader may skip it. */
  reaches(x: number, y: number, width: number, height: number): boolean {
    if (this.mode !== PenMode.PAINT) return true;
    const { a, b, c, d } = this;
    const halfWidth = width / 2;
    const halfHeight = height / 2;
    const centreX = a * (x + halfWidth) + c * (y + halfHeight) + this.e;
    const reachX = Math.abs(a * halfWidth) + Math.abs(c * halfHeight);
    if (centreX + reachX < this.interestMinX || centreX - reachX > this.interestMaxX) return false;
    const centreY = b * (x + halfWidth) + d * (y + halfHeight) + this.f;
    const reachY = Math.abs(b * halfWidth) + Math.abs(d * halfHeight);
    return centreY + reachY >= this.interestMinY && centreY - reachY <= this.interestMaxY;
  }

  /**
   * The neighbourhood of the ads in local coordinates, for readers that can look up their parts by place:
   * minX, minY, maxX, maxY in a shared array, to be read at once. Infinite when everything matters.
   */
  localInterest(): Float64Array {
    const out = this.interest;
    const det = this.a * this.d - this.b * this.c;
    if (this.mode !== PenMode.PAINT || det === 0 || !Number.isFinite(this.interestMinX)) {
      out[0] = out[1] = -Infinity;
      out[2] = out[3] = Infinity;
      return out;
    }
    out[0] = out[1] = Infinity;
    out[2] = out[3] = -Infinity;
    for (let corner = 0; corner < 4; corner++) {
      const dx = (corner & 1 ? this.interestMaxX : this.interestMinX) - this.e;
      const dy = (corner & 2 ? this.interestMaxY : this.interestMinY) - this.f;
      const x = (this.d * dx - this.c * dy) / det;
      const y = (this.a * dy - this.b * dx) / det;
      if (x < out[0]) out[0] = x;
      if (x > out[2]) out[2] = x;
      if (y < out[1]) out[1] = y;
      if (y > out[3]) out[3] = y;
    }
    return out;
  }

  // --- how strongly ---

  /**
   * Takes a flat colour (0xRRGGBB) for what is drawn next, and returns how far it hides what is below under the current
   * blend, 0–1: to be multiplied into the opacity.
   */
  strength(color: number): number {
    const light = lightOf(color);
    this.brightness = light;
    switch (this.blend) {
      case Blend.COVER:
        return 1;
      case Blend.DARKEN:
        return 1 - light;
      case Blend.HARD_LIGHT:
        return contrastOf((color >> 16) & 255, (color >> 8) & 255, color & 255);
      default:
        return light;
    }
  }

  /** The alpha of a colour, which a canvas takes for 1 beyond that: to be multiplied into the opacity. */
  alphaOfColor(alpha: number): number {
    return alpha > 1 && !this.keepsLastBits ? 1 : alpha;
  }

  /** Nobody knows the light of what is drawn next: it counts as covering, and is reported. */
  guess(): void {
    this.blend = Blend.COVER;
    this.unmeasurable = true;
  }

  // --- what ---

  /** A local rectangle of one opacity. */
  quad(x: number, y: number, width: number, height: number, opacity: number): void {
    if (!this.reaches(x, y, width, height)) return;
    this.setQuad(x, y, width, height);
    this.dip(opacity, 0, 0);
    this.emit(4, null, 0);
  }

  /** A local rectangle whose opacity differs from corner to corner, as WebGL interpolates it over two triangles. */
  quadWithCorners(
    x: number,
    y: number,
    width: number,
    height: number,
    map: AlphaMap | null,
    u0: number,
    v0: number,
    u1: number,
    v1: number,
    topLeft: number,
    topRight: number,
    bottomLeft: number,
    bottomRight: number,
    flags = 0,
  ): void {
    if (!this.reaches(x, y, width, height)) return;
    if (Number.isNaN(topLeft + topRight + bottomLeft + bottomRight)) {
      // Of them WebGL makes 0.
      topLeft = topLeft > 0 ? topLeft : 0;
      topRight = topRight > 0 ? topRight : 0;
      bottomLeft = bottomLeft > 0 ? bottomLeft : 0;
      bottomRight = bottomRight > 0 ? bottomRight : 0;
    }
    if (topLeft === topRight && topLeft === bottomLeft && topLeft === bottomRight) {
      this.setQuad(x, y, width, height);
      if (map !== null) this.setUv(x, y, x + width, y, x, y + height, u0, v0, u1, v0, u0, v1, map);
      this.dip(topLeft, 0, 0);
      this.emit(4, map, flags);
      return;
    }
    const right = x + width;
    const bottom = y + height;
    // MultiPipeline.batchQuad: triangles (TL, BL, BR) and (TL, BR, TR).
    this.texturedTriangle(
      x,
      y,
      u0,
      v0,
      topLeft,
      x,
      bottom,
      u0,
      v1,
      bottomLeft,
      right,
      bottom,
      u1,
      v1,
      bottomRight,
      map,
      flags,
    );
    this.texturedTriangle(
      x,
      y,
      u0,
      v0,
      topLeft,
      right,
      bottom,
      u1,
      v1,
      bottomRight,
      right,
      y,
      u1,
      v0,
      topRight,
      map,
      flags,
    );
  }

  /**
   * A local rectangle showing an alpha map. `u` and `v` are the map's own coordinates, 0–1, at the rectangle's
   * top left (u0, v0) and bottom right (u1, v1). A null map is opaque throughout.
   */
  texturedQuad(
    x: number,
    y: number,
    width: number,
    height: number,
    map: AlphaMap | null,
    u0: number,
    v0: number,
    u1: number,
    v1: number,
    opacity: number,
    flags = 0,
  ): void {
    const { area } = this;
    area.lie(x, y, width, height);
    area.show(u0, v0, u1, v1);
    area.opacity = opacity;
    this.texturedArea(map, flags);
  }

  /** {@link texturedQuad} of the {@link area}: for readers of what there may be much of. */
  texturedArea(map: AlphaMap | null, flags = 0): void {
    const { x, y, width, height, u0, v0, u1, v1 } = this.area;
    if (!this.reaches(x, y, width, height)) return;
    this.setQuad(x, y, width, height);
    if (map !== null) this.setUv(x, y, x + width, y, x, y + height, u0, v0, u1, v0, u0, v1, map);
    this.dip(this.area.opacity, 0, 0);
    this.emit(4, map, flags);
  }

  /** A triangle of one opacity. */
  triangle(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number, opacity: number): void {
    this.setTriangle(x0, y0, x1, y1, x2, y2);
    this.dip(opacity, 0, 0);
    this.emit(3, null, 0);
  }

  /** A triangle with map coordinates (u, v in 0–1) and an opacity at each vertex. A null map is opaque throughout. */
  texturedTriangle(
    x0: number,
    y0: number,
    u0: number,
    v0: number,
    opacity0: number,
    x1: number,
    y1: number,
    u1: number,
    v1: number,
    opacity1: number,
    x2: number,
    y2: number,
    u2: number,
    v2: number,
    opacity2: number,
    map: AlphaMap | null,
    flags = 0,
  ): void {
    this.setTriangle(x0, y0, x1, y1, x2, y2);
    if (map !== null) this.setUv(x0, y0, x1, y1, x2, y2, u0, v0, u1, v1, u2, v2, map);
    if (opacity0 === opacity1 && opacity0 === opacity2) {
      this.dip(opacity0, 0, 0);
      this.emit(3, map, flags);
      return;
    }
    const points = this.points;
    const ax = points[2]! - points[0]!;
    const ay = points[3]! - points[1]!;
    const bx = points[4]! - points[0]!;
    const by = points[5]! - points[1]!;
    const det = ax * by - ay * bx;
    if (det === 0) return;
    const da = opacity1 - opacity0;
    const db = opacity2 - opacity0;
    const gradientX = (da * by - db * ay) / det;
    const gradientY = (db * ax - da * bx) / det;
    this.dip(opacity0 - gradientX * points[0]! - gradientY * points[1]!, gradientX, gradientY);
    this.emit(3, map, flags);
  }

  /** A convex polygon of `length` vertices (x, y alternating, local coordinates) of one opacity. */
  convex(points: ArrayLike<number>, offset: number, length: number, opacity: number): void {
    if (length > MAX_VERTICES) {
      this.fan(points, offset, length, opacity);
      return;
    }
    const out = this.points;
    const { a, b, c, d, e, f } = this;
    for (let i = 0; i < length; i++) {
      const x = points[offset + 2 * i]!;
      const y = points[offset + 2 * i + 1]!;
      out[2 * i] = a * x + c * y + e;
      out[2 * i + 1] = b * x + d * y + f;
    }
    this.dip(opacity, 0, 0);
    this.emit(length, null, 0);
  }

  /** A convex polygon of many vertices, in pieces that share its first one. */
  private fan(points: ArrayLike<number>, offset: number, length: number, opacity: number): void {
    const piece = new Float64Array(2 * MAX_VERTICES);
    piece[0] = points[offset]!;
    piece[1] = points[offset + 1]!;
    for (let first = 1; first + 1 < length; first += MAX_VERTICES - 2) {
      const last = Math.min(length - 1, first + MAX_VERTICES - 2);
      let to = 2;
      for (let i = 2 * first; i <= 2 * last + 1; i++) piece[to++] = points[offset + i]!;
      this.convex(piece, 0, to / 2, opacity);
    }
  }

  /** A straight stroke from one local point to another, of the given widths at its ends, without caps. */
  line(x0: number, y0: number, x1: number, y1: number, width0: number, width1: number, opacity: number): void {
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length === 0) return;
    const nx = (y1 - y0) / length / 2;
    const ny = (x0 - x1) / length / 2;
    const points = this.lineScratch;
    points[0] = x0 + nx * width0;
    points[1] = y0 + ny * width0;
    points[2] = x1 + nx * width1;
    points[3] = y1 + ny * width1;
    points[4] = x1 - nx * width1;
    points[5] = y1 - ny * width1;
    points[6] = x0 - nx * width0;
    points[7] = y0 - ny * width0;
    this.convex(points, 0, 4, opacity);
  }
  private readonly lineScratch = new Float64Array(8);

  /** A local rectangle in which anything may be drawn: judged as opaque and reported. */
  unknown(x: number, y: number, width: number, height: number): void {
    if (!this.reaches(x, y, width, height)) return;
    this.isUnknown = true;
    this.setQuad(x, y, width, height);
    this.dip(1, 0, 0);
    this.emit(4, null, PolygonFlag.UNMEASURABLE);
  }

  /** All of the canvas: what is drawn may be anywhere. */
  anywhere(): void {
    this.isAnywhere = true;
    this.inCanvasPixels();
    this.unknown(0, 0, this.snapshot.canvasWidth, this.snapshot.canvasHeight);
  }

  // --- inside ---

  private setQuad(x: number, y: number, width: number, height: number): void {
    const { a, b, c, d, e, f, points } = this;
    const right = x + width;
    const bottom = y + height;
    points[0] = a * x + c * y + e;
    points[1] = b * x + d * y + f;
    points[2] = a * right + c * y + e;
    points[3] = b * right + d * y + f;
    points[4] = a * right + c * bottom + e;
    points[5] = b * right + d * bottom + f;
    points[6] = a * x + c * bottom + e;
    points[7] = b * x + d * bottom + f;
    if (this.snap !== Snap.NONE) this.snapQuad();
  }

  private snapQuad(): void {
    const { points } = this;
    if (this.snap === Snap.EACH) {
      for (let i = 0; i < 8; i++) points[i] = Math.round(points[i]!);
      return;
    }
    const x = Math.floor(points[0]! + 0.5) - points[0]!;
    const y = Math.floor(points[1]! + 0.5) - points[1]!;
    for (let i = 0; i < 8; i += 2) {
      points[i]! += x;
      points[i + 1]! += y;
    }
  }

  private setTriangle(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number): void {
    const { a, b, c, d, e, f, points } = this;
    points[0] = a * x0 + c * y0 + e;
    points[1] = b * x0 + d * y0 + f;
    points[2] = a * x1 + c * y1 + e;
    points[3] = b * x1 + d * y1 + f;
    points[4] = a * x2 + c * y2 + e;
    points[5] = b * x2 + d * y2 + f;
  }

  /** Solves the affine map canvas → alpha-map cells from three local points and their map coordinates. */
  private setUv(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    u0: number,
    v0: number,
    u1: number,
    v1: number,
    u2: number,
    v2: number,
    map: AlphaMap,
  ): void {
    const { corners, cells } = this;
    corners[0] = this.canvasX(x0, y0);
    corners[1] = this.canvasY(x0, y0);
    corners[2] = this.canvasX(x1, y1);
    corners[3] = this.canvasY(x1, y1);
    corners[4] = this.canvasX(x2, y2);
    corners[5] = this.canvasY(x2, y2);
    if (this.rounds) this.roundCorners(corners, 3);
    cells[0] = u0 * map.width;
    cells[1] = v0 * map.height;
    cells[2] = u1 * map.width;
    cells[3] = v1 * map.height;
    cells[4] = u2 * map.width;
    cells[5] = v2 * map.height;
    solveAffine(corners, cells, this.uv);
  }

  /** Sets the {@link ink} of what is emitted next. */
  private dip(opacity: number, gradientX: number, gradientY: number): void {
    const { ink } = this;
    ink[0] = opacity;
    ink[1] = gradientX;
    ink[2] = gradientY;
  }

  /** Takes the first `length` points of the scratch buffer, which are in canvas pixels. */
  private emit(length: number, map: AlphaMap | null, flags: number): void {
    const { points, ink } = this;
    if (this.rounds) {
      this.roundCorners(points, length);
      if (length > 3 && !isConvex(points, length)) {
        // Rounding may turn a corner inward. Triangles are what is drawn, and they stay convex.
        const rounded = points.slice(0, 2 * length);
        for (let i = 1; i + 1 < length; i++) {
          points.set(rounded.subarray(0, 2));
          points.set(rounded.subarray(2 * i, 2 * i + 4), 2);
          this.emit(3, map, flags);
        }
        return;
      }
    }
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    for (let i = 0; i < 2 * length; i += 2) {
      const x = points[i]!;
      const y = points[i + 1]!;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    // Not-a-number fails every comparison, so broken transforms end here too.
    if (!(maxX > minX && maxY > minY) || maxX - minX === Infinity || maxY - minY === Infinity) return;
    if (this.mode === PenMode.SHAPE || this.mode === PenMode.MASK) {
      this.store(points, 0, length, map, flags, false);
      return;
    }
    const isSeen = ink[0]! > 0 || ink[1] !== 0 || ink[2] !== 0 || (this.brokenOpacity > 0 && Number.isNaN(ink[0]));
    if (!isSeen && this.mode === PenMode.PAINT && flags === 0) return;
    if (this.mode === PenMode.PAINT) {
      if (maxX <= this.interestMinX || minX >= this.interestMaxX) return;
      if (maxY <= this.interestMinY || minY >= this.interestMaxY) return;
    }
    const clip = this.clip;
    if (clip === null) {
      this.store(points, 0, length, map, flags, true);
      return;
    }
    if (maxX <= clip.minX || minX >= clip.maxX || maxY <= clip.minY || minY >= clip.maxY) return;
    if (clip.isRectangle && minX >= clip.minX && maxX <= clip.maxX && minY >= clip.minY && maxY <= clip.maxY) {
      this.store(points, 0, length, map, flags, true);
      return;
    }
    for (let piece = 0; piece < clip.pieceCount; piece++) {
      const from = clip.start[piece]!;
      const to = clip.start[piece + 1]!;
      const left = clipConvex(points, 0, length, clip.xy, from, (to - from) / 2, this.clipped);
      if (left > 0) this.storeClipped(left, map, flags);
    }
  }

  private get rounds(): boolean {
    // Masks are drawn in batches of their own.
    return this.roundsCorners && this.mode !== PenMode.MASK;
  }

  private roundCorners(points: Float64Array, length: number): void {
    for (let i = 0; i < 2 * length; i += 2) {
      points[i] = roundedX(points[i]!);
      points[i + 1] = roundedY(points[i + 1]!, this.snapshot.canvasHeight);
    }
  }

  private storeClipped(length: number, map: AlphaMap | null, flags: number): void {
    const points = this.clipped;
    let left = length;
    let offset = 0;
    // Pieces that share the first vertex: it takes the place of the last but one vertex already stored.
    while (left > MAX_CLIPPED) {
      this.store(points, offset, MAX_CLIPPED, map, flags, true);
      const next = offset + 2 * (MAX_CLIPPED - 2);
      points[next] = points[offset]!;
      points[next + 1] = points[offset + 1]!;
      left -= MAX_CLIPPED - 2;
      offset = next;
    }
    this.store(points, offset, left, map, flags, true);
  }

  /** How what is drawn changes the light, as flags of the snapshot. */
  private lightFlags(): number {
    switch (this.blend) {
      case Blend.ADD:
        return PolygonFlag.ADDS;
      case Blend.LIGHTEN:
        return 0;
      case Blend.DARKEN:
        return DARKEST << DARKNESS_SHIFT;
      default:
        if (this.isRecoloured) return 0;
        return Math.floor((1 - this.brightness) * DARKEST) << DARKNESS_SHIFT;
    }
  }

  private store(
    points: Float64Array,
    offset: number,
    length: number,
    map: AlphaMap | null,
    flags: number,
    painted: boolean,
  ): void {
    const { snapshot, ink } = this;
    const gradientX = ink[1]!;
    const gradientY = ink[2]!;
    const product = ink[0]! * this.opacity;
    const isBroken = Number.isNaN(product);
    let given = isBroken ? this.brokenOpacity : product;
    if (given >= OVERFLOW && gradientX === 0 && gradientY === 0) {
      // Source: `Utils.getTintAppendFloatAlpha`.
      given = this.keepsLastBits ? ((given * 255) & 255) / 255 : 1;
    }
    const isFaint = given < 1 || gradientX !== 0 || gradientY !== 0 || map !== null;
    const index = snapshot.addPolygon(points, offset, length);
    snapshot.flags[index] =
      (painted ? PolygonFlag.PAINTED : 0) |
      flags |
      (this.unmeasurable || (this.isThickened && isFaint) ? PolygonFlag.UNMEASURABLE : 0) |
      (this.mode === PenMode.PAINT ? this.lightFlags() : 0);
    snapshot.opacity[index] = given;
    snapshot.gradient[2 * index] = isBroken ? 0 : gradientX * this.opacity;
    snapshot.gradient[2 * index + 1] = isBroken ? 0 : gradientY * this.opacity;
    snapshot.mask[index] = this.mask;
    if (this.owner !== null) snapshot.owner[index] = snapshot.addOwner(this.owner);
    if (map === null) return;
    snapshot.alphaMap[index] = snapshot.addAlphaMap(map);
    snapshot.uv.set(this.uv, 6 * index);
  }
}

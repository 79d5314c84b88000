import { isOneColor, meanColor } from '../colourLight.js';
import { Blend, type Pen } from '../Pen.js';
import { triangulate } from '../triangulate.js';

/** Convex outlines are handed on in pieces of at most this many vertices, to leave clipping room for its own. */
const PIECE_VERTICES = 32;

/** Cross products up to this many px² are noise: repeated points, and arcs that end where they began. */
const FLAT = 1e-7;

const NO_CORNER = -1;

/** How the colours of a polygon's vertices differ. */
const Spread = {
  NONE: 0,
  /** Each vertex has its own, over two triangles that share the first and the third. */
  CORNERS: 1,
  /** In a way that is not recorded. */
  UNKNOWN: 2,
} as const;
type Spread = (typeof Spread)[keyof typeof Spread];

/**
 * Convex polygons recorded in one local coordinate system, to be drawn by a pen as often as needed: the fills and
 * strokes of Shapes and Graphics. Buffers grow and stay, so a tape recorded anew each frame allocates nothing.
 */
export class PolygonTape {
  /** Number of polygons. */
  count = 0;
  /** Box of everything recorded; empty when minX > maxX. */
  minX = Infinity;
  minY = Infinity;
  maxX = -Infinity;
  maxY = -Infinity;

  private xy = new Float64Array(512);
  private used = 0;
  private length = new Int32Array(64);
  /** Three to a polygon. Those of one opacity use the first; triangles of several have one per vertex. */
  private opacity = new Float64Array(3 * 64);
  private color = new Int32Array(64);
  private spread = new Uint8Array(64);
  /** Four to a polygon, of those with {@link Spread.CORNERS}. */
  private corners = new Int32Array(4 * 64);
  private readonly indexes: number[] = [];

  /** The matrix points go through when recorded: x' = a·x + c·y + e, y' = b·x + d·y + f. */
  private a = 1;
  private b = 0;
  private c = 0;
  private d = 1;
  private e = 0;
  private f = 0;

  private paintColor = 0;
  /** Of a gradient: top left, top right, bottom left, bottom right. */
  private readonly paintColors: [number, number, number, number] = [0, 0, 0, 0];
  private paintSpread: Spread = Spread.NONE;
  private paint0 = 1;
  private paint1 = 1;
  private paint2 = 1;
  private paint3 = 1;

  reset(): void {
    this.count = 0;
    this.used = 0;
    this.minX = this.minY = Infinity;
    this.maxX = this.maxY = -Infinity;
    this.setMatrix(1, 0, 0, 1, 0, 0);
  }

  setMatrix(a: number, b: number, c: number, d: number, e: number, f: number): void {
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
    this.e = e;
    this.f = f;
  }

  /** One colour (0xRRGGBB) and alpha for what is recorded next; of an uneven paint the colour is the mean. */
  setPaint(color: number, alpha: number, isUneven = false): void {
    this.paintColor = color;
    this.paintSpread = isUneven ? Spread.UNKNOWN : Spread.NONE;
    this.paint0 = this.paint1 = this.paint2 = this.paint3 = atLeast0(alpha);
  }

  /** A colour and an alpha for each corner, as Phaser spreads a gradient. */
  setGradient(
    colors: ArrayLike<number>,
    topLeft: number,
    topRight: number,
    bottomLeft: number,
    bottomRight: number,
  ): void {
    const isUneven = !isOneColor(colors, 0);
    this.paintColor = isUneven ? meanColor(colors, 0) : colors[0]!;
    for (let k = 0; k < 4; k++) this.paintColors[k] = colors[k]!;
    this.paint0 = atLeast0(topLeft);
    this.paint1 = atLeast0(topRight);
    this.paint2 = atLeast0(bottomLeft);
    this.paint3 = atLeast0(bottomRight);
    if (!this.isFlat()) {
      this.paint0 = Math.min(1, this.paint0);
      this.paint1 = Math.min(1, this.paint1);
      this.paint2 = Math.min(1, this.paint2);
      this.paint3 = Math.min(1, this.paint3);
    }
    // Alphas that differ as well make a curve of the slope.
    this.paintSpread = !isUneven ? Spread.NONE : this.isFlat() ? Spread.CORNERS : Spread.UNKNOWN;
  }

  /** A convex quad: top left, bottom left, bottom right, top right, each corner with its share of a gradient. */
  quad(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): void {
    if (this.isFlat()) {
      this.point(x0, y0);
      this.point(x1, y1);
      this.point(x2, y2);
      this.point(x3, y3);
      this.close(4, this.paint0, this.paint0, this.paint0, 0, 2, 3, 1);
      return;
    }
    this.triangles(x0, y0, x1, y1, x2, y2, x3, y3);
  }

  /** A quad of any form, as the two triangles WebGL makes of it (`WebGLPipeline.batchQuad`). */
  triangles(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): void {
    this.point(x0, y0);
    this.point(x1, y1);
    this.point(x2, y2);
    this.close(3, this.paint0, this.paint2, this.paint3, 0, 2, 3);
    this.point(x0, y0);
    this.point(x2, y2);
    this.point(x3, y3);
    this.close(3, this.paint0, this.paint3, this.paint1, 0, 3, 1);
  }

  /** A triangle; its vertices take the top left, top right and bottom left of a gradient (`batchTri`). */
  triangle(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number): void {
    this.point(x0, y0);
    this.point(x1, y1);
    this.point(x2, y2);
    this.close(3, this.paint0, this.paint1, this.paint2, 0, 1, 2);
  }

  /**
   * Fills an outline, the numbers of `points` at `from ≤ i < to`, x and y alternating. Without `indexes` (three vertices
   * to a triangle, counted from `from`) it is triangulated here.
   */
  fill(points: ArrayLike<number>, from: number, to: number, indexes: ArrayLike<number> | null): void {
    if (to - from < 6 || this.fillConvex(points, from, to)) return;
    const triangles = indexes ?? this.indexes;
    const length = indexes === null ? triangulate(points, from, to, this.indexes) : indexes.length;
    for (let i = 0; i + 2 < length; i += 3) {
      const p0 = from + 2 * triangles[i]!;
      const p1 = from + 2 * triangles[i + 1]!;
      const p2 = from + 2 * triangles[i + 2]!;
      this.triangle(points[p0]!, points[p0 + 1]!, points[p1]!, points[p1 + 1]!, points[p2]!, points[p2 + 1]!);
    }
  }

  /** Fills an outline if it is convex and of one colour, in a few large pieces; says whether it did. */
  fillConvex(points: ArrayLike<number>, from: number, to: number): boolean {
    if (!this.isFlat() || !isConvex(points, from, to)) return false;
    this.fan(points, from, to);
    return true;
  }

  /** Draws everything with `alpha` on top of the recorded ones. */
  play(pen: Pen, alpha: number): void {
    if (this.count === 0) return;
    if (!pen.reaches(this.minX, this.minY, this.maxX - this.minX, this.maxY - this.minY)) return;
    const { xy, length, opacity, color, spread, count } = this;
    const { blend, unmeasurable } = pen;
    const most = mostAlpha(pen);
    let at = 0;
    for (let i = 0; i < count; i++) {
      if (blend !== Blend.COVER && spread[i] === Spread.CORNERS) {
        this.playCorners(pen, alpha, i, at);
        at += 2 * length[i]!;
        continue;
      }
      if (blend !== Blend.COVER && spread[i] === Spread.UNKNOWN) pen.guess();
      const strength = alpha * pen.strength(color[i]!);
      const opacity0 = Math.min(most, opacity[3 * i]!);
      const opacity1 = Math.min(most, opacity[3 * i + 1]!);
      const opacity2 = Math.min(most, opacity[3 * i + 2]!);
      if (opacity0 === opacity1 && opacity0 === opacity2) {
        pen.convex(xy, at, length[i]!, opacity0 * strength);
      } else {
        pen.texturedTriangle(
          xy[at]!,
          xy[at + 1]!,
          0,
          0,
          opacity0 * strength,
          xy[at + 2]!,
          xy[at + 3]!,
          0,
          0,
          opacity1 * strength,
          xy[at + 4]!,
          xy[at + 5]!,
          0,
          0,
          opacity2 * strength,
          null,
        );
      }
      pen.blend = blend;
      pen.unmeasurable = unmeasurable;
      at += 2 * length[i]!;
    }
  }

  /** Draws a triangle or quad of one alpha, each vertex as strong as its own colour makes it. */
  private playCorners(pen: Pen, alpha: number, polygon: number, at: number): void {
    const { xy, corners } = this;
    const opacity = alpha * Math.min(mostAlpha(pen), this.opacity[3 * polygon]!);
    const strength = (vertex: number): number => opacity * pen.strength(corners[4 * polygon + vertex]!);
    for (let second = 1; second + 1 < this.length[polygon]!; second++) {
      const to = at + 2 * second;
      pen.texturedTriangle(
        xy[at]!,
        xy[at + 1]!,
        0,
        0,
        strength(0),
        xy[to]!,
        xy[to + 1]!,
        0,
        0,
        strength(second),
        xy[to + 2]!,
        xy[to + 3]!,
        0,
        0,
        strength(second + 1),
        null,
      );
    }
  }

  private isFlat(): boolean {
    return this.paint0 === this.paint1 && this.paint0 === this.paint2 && this.paint0 === this.paint3;
  }

  /** Leaves out repeated points, as {@link isConvex} does: an edge between two of them may point anywhere. */
  private fan(points: ArrayLike<number>, from: number, to: number): void {
    const x0 = points[from]!;
    const y0 = points[from + 1]!;
    let end = to;
    while (end > from && isRepeated(points[end - 2]! - x0, points[end - 1]! - y0)) end -= 2;
    let previousX = x0;
    let previousY = y0;
    let vertices = 1;
    this.point(x0, y0);
    for (let i = from + 2; i < end; i += 2) {
      const x = points[i]!;
      const y = points[i + 1]!;
      if (isRepeated(x - previousX, y - previousY)) continue;
      if (vertices === PIECE_VERTICES) {
        this.close(vertices, this.paint0, this.paint0, this.paint0);
        this.point(x0, y0);
        this.point(previousX, previousY);
        vertices = 2;
      }
      this.point(x, y);
      vertices++;
      previousX = x;
      previousY = y;
    }
    this.close(vertices, this.paint0, this.paint0, this.paint0);
  }

  private point(x: number, y: number): void {
    if (this.used === this.xy.length) this.xy = doubled(this.xy);
    const px = this.a * x + this.c * y + this.e;
    const py = this.b * x + this.d * y + this.f;
    this.xy[this.used++] = px;
    this.xy[this.used++] = py;
    if (px < this.minX) this.minX = px;
    if (px > this.maxX) this.maxX = px;
    if (py < this.minY) this.minY = py;
    if (py > this.maxY) this.maxY = py;
  }

  /** Ends a polygon. Its first vertices lie at corners of the gradient; where none is given nobody knows their colours. */
  private close(
    vertices: number,
    opacity0: number,
    opacity1: number,
    opacity2: number,
    corner0 = NO_CORNER,
    corner1 = 0,
    corner2 = 0,
    corner3 = 0,
  ): void {
    const index = this.count++;
    if (index === this.length.length) {
      this.length = doubled(this.length);
      this.color = doubled(this.color);
      this.opacity = doubled(this.opacity);
      this.spread = doubled(this.spread);
      this.corners = doubled(this.corners);
    }
    this.length[index] = vertices;
    this.color[index] = this.paintColor;
    this.opacity[3 * index] = opacity0;
    this.opacity[3 * index + 1] = opacity1;
    this.opacity[3 * index + 2] = opacity2;
    this.spread[index] =
      this.paintSpread === Spread.CORNERS && corner0 === NO_CORNER ? Spread.UNKNOWN : this.paintSpread;
    if (this.spread[index] !== Spread.CORNERS) return;
    const { corners, paintColors } = this;
    corners[4 * index] = paintColors[corner0]!;
    corners[4 * index + 1] = paintColors[corner1]!;
    corners[4 * index + 2] = paintColors[corner2]!;
    corners[4 * index + 3] = paintColors[corner3]!;
  }
}

/** Whether an outline turns one way throughout, and once around. Repeated and straight points are allowed. */
export function isConvex(points: ArrayLike<number>, from: number, to: number): boolean {
  let turns = 0;
  let reversals = 0;
  let dx = 0;
  let dy = 0;
  // The edge that leads back to the first point, which closed paths repeat at their end.
  for (let i = to - 2; i > from && isRepeated(dx, dy); i -= 2) {
    dx = points[from]! - points[i]!;
    dy = points[from + 1]! - points[i + 1]!;
  }
  let direction = Math.abs(dx) > FLAT ? Math.sign(dx) : 0;
  let px = points[from]!;
  let py = points[from + 1]!;
  for (let k = 1; k <= (to - from) >> 1; k++) {
    const at = from + ((2 * k) % (to - from));
    const ex = points[at]! - px;
    const ey = points[at + 1]! - py;
    if (isRepeated(ex, ey)) continue;
    const cross = dx * ey - dy * ex;
    if (cross > FLAT) {
      if (turns < 0) return false;
      turns = 1;
    } else if (cross < -FLAT) {
      if (turns > 0) return false;
      turns = -1;
    } else if (dx * ex + dy * ey < 0) {
      return false;
    }
    if (Math.abs(ex) > FLAT) {
      const sign = Math.sign(ex);
      if (direction !== 0 && sign !== direction) reversals++;
      direction = sign;
    }
    dx = ex;
    dy = ey;
    px = points[at]!;
    py = points[at + 1]!;
  }
  return turns !== 0 && reversals <= 2;
}

/** Whether a point so far from the one before is the same. */
function isRepeated(dx: number, dy: number): boolean {
  return dx * dx + dy * dy <= FLAT;
}

/** A canvas takes what is beyond 1 for 1, before it multiplies. */
function mostAlpha(pen: Pen): number {
  return pen.keepsLastBits ? Infinity : 1;
}

function atLeast0(alpha: number): number {
  return alpha > 0 ? alpha : 0;
}

function doubled<T extends Uint8Array | Int32Array | Float64Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}

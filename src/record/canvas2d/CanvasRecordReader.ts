import { cutBox, NOWHERE } from '../../geometry/boxes.js';
import { clipConvex } from '../../geometry/clipConvex.js';
import { isConvex } from '../../geometry/isConvex.js';
import { solveAffine } from '../../geometry/solveAffine.js';
import { takeBox } from '../../geometry/takeBox.js';
import { takeRectangle } from '../../geometry/takeRectangle.js';
import { type AdView, type FrameSnapshot, NONE, PolygonFlag } from '../../measure/FrameSnapshot.js';
import type { AlphaMaps } from '../../textures/AlphaMaps.js';
import { type AlphaLookup, UNKNOWN_LOOKUP } from '../../textures/AlphaReader.js';
import { Blend } from '../../textures/Blend.js';
import { contrastOf } from '../../textures/colourLight.js';
import { meanOpacity } from '../../textures/meanOpacity.js';
import { DrawRole } from '../draws/DrawRole.js';
import { lightFlags } from '../draws/lightFlags.js';
import { At, type CanvasDraw, type CanvasDraws, DrawKind } from './CanvasDraws.js';
import type { Colour, Colours } from './Colours.js';
import { Effect, effectOf } from './composites.js';
import { flattenPath } from './flattenPath.js';
import type { PaintedPictures } from './PaintedPictures.js';
import type { PictureParts } from './PictureParts.js';

/** A path with more corners is not read as a polygon. */
const MOST_CORNERS = 64;

/** If one object draws more paths than this, they are painted into one picture together. */
const MOST_POLYGONS = 4;

/** What a clip lets through. */
interface ClipShape {
  /** A convex polygon: what is left of the shown part of the canvas after all convex clips. */
  readonly xy: Float64Array;
  length: number;
  /** False when it is unknown what the clip lets through: then {@link xy} may be too large, but never too small. */
  isKnown: boolean;
  /** Index of the mask in the snapshot that stands for clips that are not convex. */
  mask: number;
}

/** Turns the draws of a 2D context into what one frame painted near the ads. */
export class CanvasRecordReader {
  #draws!: CanvasDraws;
  #view: AdView | null = null;
  /** Box of what is shown of the ads so far: a draw outside of it cannot cover them. */
  readonly #near = new Float64Array(4);
  readonly #shown = new Float64Array(8);
  readonly #clips: ClipShape[] = [];
  #clipCount = 0;
  readonly #points = new Float64Array(2 * MOST_CORNERS);
  readonly #clipped = new Float64Array(4 * 256);
  readonly #cells = new Float64Array(6);
  readonly #uv = new Float64Array(6);
  readonly #box = new Float64Array(4);

  constructor(
    private readonly snapshot: FrameSnapshot,
    private readonly maps: AlphaMaps,
    private readonly parts: PictureParts,
    private readonly pictures: PaintedPictures,
    private readonly colours: Colours,
  ) {}

  /**
   * Adds to the snapshot, which has been reset, everything that concerns the ads.
   * @param shown the part of the canvas the page shows
   * @param around box within which what lies below the ads is read, too
   */
  read(
    draws: CanvasDraws,
    shown: { minX: number; minY: number; maxX: number; maxY: number },
    around: ArrayLike<number> = NOWHERE,
  ): void {
    this.#draws = draws;
    this.#view = null;
    this.#clipCount = 0;
    this.#near.set(around);
    takeRectangle(shown.minX, shown.minY, shown.maxX, shown.maxY, this.#shown);
    this.pictures.begin(draws);
    for (let i = 0; i < draws.count;) i = this.#take(i);
    this.pictures.end();
  }

  /** Takes one draw, or several that are one picture. @returns the next one */
  #take(i: number): number {
    const draw = this.#draws.draws[i]!;
    if (draw.kind === DrawKind.MARK) {
      this.#mark(draw, i);
      return i + 1;
    }
    const isCover = draw.role === DrawRole.COVER;
    if (isCover && !this.#isNear(draw)) return i + 1;
    const effect = isCover ? effectOf(draw.composite) : Blend.COVER;
    // In another blend mode its ground may leave nothing of an ad.
    if (draw.role === DrawRole.PIECE && draw.composite !== 'source-over') this.#view!.unmeasurable = true;
    if (draw.kind === DrawKind.UNKNOWN || effect === Effect.UNSURE || effect === Effect.CLEARS) {
      this.#takeUnknown(draw);
      return i + 1;
    }
    return effect === Effect.NONE ? i + 1 : this.#paint(i, draw, effect);
  }

  #mark({ role, ad, camera, isKnown }: CanvasDraw, i: number): void {
    const { snapshot } = this;
    if (role === DrawRole.SHAPE) {
      this.#readyClips(i);
      this.#view = snapshot.addView(ad, camera);
      return;
    }
    const view = this.#view!;
    if (role === DrawRole.PIECE) {
      view.shapeTo = view.pieceFrom = snapshot.count;
      if (!isKnown) view.unmeasurable = true;
      return;
    }
    view.pieceTo = snapshot.count;
    const { box, opacity } = snapshot;
    const near = this.#near;
    const { pieceFrom, pieceTo } = view;
    let strongest = pieceFrom < pieceTo ? 0 : 1;
    for (let p = pieceFrom; p < pieceTo; p++) {
      strongest = Math.max(strongest, opacity[p]!);
      for (let k = 0; k < 2; k++) {
        near[k] = Math.min(near[k]!, box[4 * p + k]!);
        near[2 + k] = Math.max(near[2 + k]!, box[4 * p + 2 + k]!);
      }
    }
    // A masked picture is drawn with the alpha of its mask.
    const whole = meanOpacity(snapshot, view.shapeFrom, view.shapeTo);
    view.opacity = view.alpha = Math.min(whole, strongest);
  }

  /** Works out the clips of an ad before its view begins: the polygons of their masks must not come among the ad's own. */
  #readyClips(i: number): void {
    const { draws, count } = this.#draws;
    for (let next = i + 1; next < count; next++) {
      const { kind, role, clip } = draws[next]!;
      if (kind === DrawKind.MARK && role === DrawRole.COVER) return;
      this.#clipOf(clip);
    }
  }

  #isNear({ numbers }: CanvasDraw): boolean {
    const near = this.#near;
    return (
      numbers[At.BOX]! < near[2]! &&
      numbers[At.BOX + 2]! > near[0]! &&
      numbers[At.BOX + 1]! < near[3]! &&
      numbers[At.BOX + 3]! > near[1]!
    );
  }

  #paint(i: number, draw: CanvasDraw, blend: Blend): number {
    const { kind } = draw;
    if (kind === DrawKind.PICTURE) {
      this.#paintPicture(draw, blend);
      return i + 1;
    }
    const colour = this.colours.read(draw.style);
    if (colour === null) {
      this.#takeUnknown(draw);
      return i + 1;
    }
    if (kind === DrawKind.RECTANGLE) {
      this.#takeQuad(draw);
      this.#paintColour(draw, colour, blend, 4);
      return i + 1;
    }
    const next = this.#endOfGroup(i, blend);
    if (kind === DrawKind.FILL && next - i <= MOST_POLYGONS) {
      const corners = flattenPath(this.#draws, draw.pathFrom, draw.pathTo, this.#points);
      if (corners > 2 && isConvex(this.#points, corners)) {
        this.#paintColour(draw, colour, blend, corners);
        return i + 1;
      }
      // A path of points and lines alone fills nothing.
      if (corners > 0 && corners < 3) return i + 1;
    }
    this.#paintByBrowser(i, next, draw, blend);
    return next;
  }

  /** Index after the last draw that can be painted into one picture with draw i: paths of one object over each other. */
  #endOfGroup(i: number, blend: Blend): number {
    const { draws, count } = this.#draws;
    const { owner, role } = draws[i]!;
    let next = i + 1;
    if (blend !== Blend.COVER) return next;
    for (; next < count; next++) {
      const draw = draws[next]!;
      if (draw.kind !== DrawKind.FILL && draw.kind !== DrawKind.STROKE) break;
      if (draw.owner !== owner || draw.role !== role || effectOf(draw.composite) !== Blend.COVER) break;
      if (this.colours.read(draw.style) === null) break;
    }
    return next;
  }

  // --- what a draw paints ---

  #paintPicture(draw: CanvasDraw, blend: Blend): void {
    const { numbers } = draw;
    const from = At.FROM;
    const picture = draw.picture as object;
    const part = this.parts.partOf(
      picture,
      numbers[from]!,
      numbers[from + 1]!,
      numbers[from + 2]!,
      numbers[from + 3]!,
      draw.isSmooth,
    );
    this.maps.isOfAd = draw.role === DrawRole.SHAPE;
    const lookup = this.maps.lookup(part, blend);
    this.#takeQuad(draw);
    if (lookup.kind === 'map') {
      const cells = this.#cells;
      const { width, height } = lookup.map;
      cells.fill(0);
      cells[2] = cells[4] = width;
      cells[5] = height;
      solveAffine(this.#points, cells, this.#uv);
    }
    this.#emit(draw, 4, numbers[At.ALPHA]!, lookup, blend);
  }

  #paintColour(draw: CanvasDraw, colour: Colour, blend: Blend, corners: number): void {
    const strength =
      blend === Blend.COVER
        ? 1
        : blend === Blend.DARKEN
          ? 1 - colour.light
          : blend === Blend.HARD_LIGHT
            ? contrastOf(colour.red, colour.green, colour.blue)
            : colour.light;
    const opacity = draw.numbers[At.ALPHA]! * colour.alpha * strength;
    this.#emit(draw, corners, opacity, { kind: 'opaque', brightest: colour.light }, blend);
  }

  #paintByBrowser(from: number, to: number, draw: CanvasDraw, blend: Blend): void {
    const box = this.#box;
    const points = this.#points;
    this.#takeBoxOf(from, to);
    if (draw.role === DrawRole.COVER) cutBox(box, this.#near);
    const painted = this.pictures.paint(from, to, box, draw.role !== DrawRole.SHAPE, blend);
    if (painted === null) {
      if (!(box[2]! > box[0]! && box[3]! > box[1]!)) return;
      for (let i = from; i < to; i++) this.#takeUnknown(this.#draws.draws[i]!);
      return;
    }
    const { lookup, x, y, width, height, scale } = painted;
    takeRectangle(x, y, x + width / scale, y + height / scale, points);
    this.#uv.set([scale, 0, 0, scale, -x * scale, -y * scale]);
    // The picture is painted with the clip already.
    this.#emitPolygon(draw, points, 4, 1, lookup, blend, NONE);
  }

  #takeUnknown(draw: CanvasDraw): void {
    const { numbers } = draw;
    if (draw.role !== DrawRole.COVER) this.#view!.unmeasurable = true;
    if (draw.kind === DrawKind.UNKNOWN && numbers[At.TO + 2]! > 0) this.#takeQuad(draw);
    else
      takeRectangle(numbers[At.BOX]!, numbers[At.BOX + 1]!, numbers[At.BOX + 2]!, numbers[At.BOX + 3]!, this.#points);
    this.#emit(draw, 4, 1, UNKNOWN_LOOKUP, Blend.COVER);
  }

  /** The corners of a draw's rectangle: top left, top right, bottom right, bottom left. */
  #takeQuad({ numbers }: CanvasDraw): void {
    const points = this.#points;
    const x = numbers[At.TO]!;
    const y = numbers[At.TO + 1]!;
    takeRectangle(x, y, x + numbers[At.TO + 2]!, y + numbers[At.TO + 3]!, points);
    for (let k = 0; k < 8; k += 2) {
      const px = points[k]!;
      const py = points[k + 1]!;
      points[k] = rounded(numbers[0]! * px + numbers[2]! * py + numbers[4]!);
      points[k + 1] = rounded(numbers[1]! * px + numbers[3]! * py + numbers[5]!);
    }
  }

  #takeBoxOf(from: number, to: number): void {
    const box = this.#box;
    box[0] = box[1] = Infinity;
    box[2] = box[3] = -Infinity;
    for (let i = from; i < to; i++) {
      const { numbers } = this.#draws.draws[i]!;
      for (let k = 0; k < 2; k++) {
        box[k] = Math.min(box[k]!, numbers[At.BOX + k]!);
        box[2 + k] = Math.max(box[2 + k]!, numbers[At.BOX + 2 + k]!);
      }
    }
    // A draw that reaches anywhere matters only near the canvas.
    const { canvasWidth, canvasHeight } = this.snapshot;
    cutBox(box, [-canvasWidth, -canvasHeight, 2 * canvasWidth, 2 * canvasHeight]);
  }

  // --- into the snapshot ---

  /** Clips the first `length` {@link #points} as the draw was clipped, and adds what is left. */
  #emit(draw: CanvasDraw, length: number, opacity: number, lookup: AlphaLookup, blend: Blend): void {
    const points = this.#points;
    const clipped = this.#clipped;
    if (draw.role === DrawRole.SHAPE) {
      this.#emitPolygon(draw, points, length, opacity, lookup, blend, NONE);
      return;
    }
    if (!(opacity > 0) && draw.role === DrawRole.COVER) return;
    const clip = this.#clipOf(draw.clip);
    if (clip.length < 3) return;
    if (!clip.isKnown) lookup = UNKNOWN_LOOKUP;
    const left = clipConvex(points, 0, length, clip.xy, 0, clip.length, clipped);
    if (left > 0) this.#emitPolygon(draw, clipped, left, opacity, lookup, blend, clip.mask);
  }

  #emitPolygon(
    draw: CanvasDraw,
    points: Float64Array,
    length: number,
    opacity: number,
    lookup: AlphaLookup,
    blend: Blend,
    mask: number,
  ): void {
    const { snapshot } = this;
    const box = this.#box;
    takeBox(points, 0, length, box);
    // Not-a-number fails every comparison, so broken transforms end here too.
    if (!(box[2]! > box[0]! && box[3]! > box[1]!) || box[2]! - box[0]! === Infinity || box[3]! - box[1]! === Infinity)
      return;
    const isUnknown = lookup.kind === 'unknown';
    if (isUnknown && draw.role !== DrawRole.COVER) this.#view!.unmeasurable = true;
    const index = snapshot.addPolygon(points, 0, length);
    snapshot.flags[index] =
      (draw.role === DrawRole.SHAPE || !draw.covers ? 0 : PolygonFlag.PAINTED) |
      (isUnknown ? PolygonFlag.UNMEASURABLE : 0) |
      (draw.role === DrawRole.COVER ? lightFlags(blend, isUnknown ? 1 : lookup.brightest) : 0);
    snapshot.opacity[index] = Math.min(1, opacity);
    snapshot.mask[index] = mask;
    if (draw.owner !== null) snapshot.owner[index] = snapshot.addOwner(draw.owner);
    if (lookup.kind !== 'map') return;
    snapshot.alphaMap[index] = snapshot.addAlphaMap(lookup.map);
    snapshot.uv.set(this.#uv, 6 * index);
  }

  /** What a clip leaves of the canvas; each is worked out once. */
  #clipOf(index: number): ClipShape {
    while (this.#clipCount <= index + 1) {
      const shape = (this.#clips[this.#clipCount] ??= {
        xy: new Float64Array(4 * 256),
        length: 0,
        isKnown: true,
        mask: NONE,
      });
      this.#makeClip(this.#clipCount - 1, shape);
      this.#clipCount++;
    }
    return this.#clips[index + 1]!;
  }

  #makeClip(index: number, shape: ClipShape): void {
    shape.mask = NONE;
    shape.isKnown = true;
    if (index < 0) {
      shape.xy.set(this.#shown);
      shape.length = 4;
      return;
    }
    const { snapshot } = this;
    const draws = this.#draws;
    const { outer, pathFrom, pathTo, box, isKnown } = draws.clips[index]!;
    const around = this.#clips[outer + 1]!;
    shape.isKnown = isKnown && around.isKnown;
    shape.xy.set(around.xy);
    shape.length = around.length;
    shape.mask = around.mask;
    if (!isKnown) return;
    const corners = flattenPath(draws, pathFrom, pathTo, CLIP_POINTS);
    if (corners < 3 && !(box[2]! > box[0]! && box[3]! > box[1]!)) {
      shape.length = 0;
      return;
    }
    if (corners > 2 && isConvex(CLIP_POINTS, corners)) {
      shape.length = clipConvex(around.xy, 0, around.length, CLIP_POINTS, 0, corners, shape.xy);
      return;
    }
    this.#box.set(box);
    cutBox(this.#box, [0, 0, snapshot.canvasWidth, snapshot.canvasHeight]);
    const painted = this.pictures.paintClip(index, this.#box);
    if (painted === null) {
      shape.isKnown = false;
      return;
    }
    const { lookup, x, y, width, height, scale } = painted;
    takeRectangle(x, y, x + width / scale, y + height / scale, MASK_POINTS);
    const polygon = snapshot.addPolygon(MASK_POINTS, 0, 4);
    snapshot.flags[polygon] = 0;
    if (lookup.kind === 'map') {
      snapshot.alphaMap[polygon] = snapshot.addAlphaMap(lookup.map);
      snapshot.uv.set([scale, 0, 0, scale, -x * scale, -y * scale], 6 * polygon);
    }
    shape.mask = snapshot.addMask({ from: polygon, to: polygon + 1, invert: false, outer: NONE });
  }
}

const CLIP_POINTS = new Float64Array(2 * MOST_CORNERS);
const MASK_POINTS = new Float64Array(8);

/** Phaser's matrices hold 32-bit floats: places that differ by less than their precision are the same. */
function rounded(place: number): number {
  return Math.round(place * 4096) / 4096;
}

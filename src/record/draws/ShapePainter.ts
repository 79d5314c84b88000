import { clipConvex } from '../../geometry/clipConvex.js';
import type { ClipRegion } from '../../geometry/ClipRegion.js';
import { isConvex } from '../../geometry/isConvex.js';
import { solveAffine } from '../../geometry/solveAffine.js';
import { takeBox } from '../../geometry/takeBox.js';
import { takeRectangle } from '../../geometry/takeRectangle.js';
import type { AlphaMap } from '../../measure/AlphaMap.js';
import { type FrameSnapshot, NONE, PolygonFlag } from '../../measure/FrameSnapshot.js';
import type { CanvasBox } from '../../rehearsal/RehearsedEngine.js';
import { Blend } from '../../textures/Blend.js';
import { lightOf } from '../../textures/colourLight.js';
import type { ShownAlpha } from '../../textures/ShownAlpha.js';
import {
  type DrawOp,
  IGNORES_TEXTURE,
  ProgramKind,
  type Shape,
  TINT_ADDS,
  TINT_FILLS,
  TINT_REPLACES,
} from './DrawOp.js';
import { DrawRole } from './DrawRole.js';
import { lightDisc } from './lightDisc.js';
import { lightFlags } from './lightFlags.js';
import { lookOf } from './lookOf.js';
import { OPACITIES } from './OPACITIES.js';
import type { PaintContext } from './PaintContext.js';
import type { QuadAlpha } from './QuadAlpha.js';

const WHITE = 0xffffff;

/** How far the corners of a parallelogram may be from their exact place, in pixels. */
const SKEW_PX = 0.02;

/** All of a texture. */
const WHOLE = { u: 0, v: 0, du: 1, dv: 1 };

/** Turns shapes that were drawn into polygons of a snapshot. */
export class ShapePainter {
  /** Canvas rectangle outside of which nothing matters. */
  readonly interest = { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity };
  /** Something unknown was painted. Whoever asks sets it to false before. */
  hasUnknown = false;

  #clipped = new Float64Array(4 * 255);
  readonly #box = new Float64Array(4);
  readonly #corners = new Float64Array(6);
  readonly #cells = new Float64Array(6);
  readonly #uv = new Float64Array(6);

  constructor(
    private readonly snapshot: FrameSnapshot,
    private readonly textures: QuadAlpha,
  ) {}

  /** Paints one shape of a drawing. */
  paint(
    op: DrawOp,
    shape: Shape,
    context: PaintContext,
    clip: ClipRegion | null,
    blend: Blend | null,
    role: DrawRole,
  ): void {
    const points = context.place(shape.xy);
    if (!this.#isNear(points, context, role)) return;
    if (context.isDistorted && context.reachPx > 0 && role === DrawRole.COVER) {
      this.#paintAround(op, context, clip);
      return;
    }
    if (op.program.kind === ProgramKind.POINT_LIGHT) {
      this.#paintLight(op, shape, points, context, clip, role);
      return;
    }
    const look = lookOf(op, shape, blend);
    // One map and one opacity fit both triangles of a quad only in a parallelogram of even opacity.
    const isPlain = isParallelogram(points) || shape.effect === IGNORES_TEXTURE;
    if (points.length === 8 && !(look.isEven && isPlain && isConvex(points, 4))) {
      this.paint(op, triangleOf(shape, 0, 1, 2), context, clip, blend, role);
      this.paint(op, triangleOf(shape, 0, 2, 3), context, clip, blend, role);
      return;
    }
    const { isEven, isForeign } = look;
    const [first] = shape.colors as unknown as [number];
    const light = lightOf(first & WHITE);
    const texture = look.ignoresTexture ? null : (op.textures[shape.unit] ?? op.textures[0] ?? null);
    // Of half clear texels Phaser 3 leaves some light beside the tint. A mask takes their alpha alone.
    const isSeen = role === DrawRole.COVER && !context.isMask;
    const fillsInPart = shape.effect === TINT_FILLS && (look.blend !== Blend.COVER || isSeen);
    const fills = shape.effect === TINT_FILLS || shape.effect === TINT_REPLACES;
    // With DARKEN the tint is already in the map, and so is what fills in part.
    let isInMap = texture !== null && (fills ? fillsInPart && isEven : look.blend === Blend.DARKEN);
    this.textures.isOfAd = role !== DrawRole.COVER;
    const alpha = OPACITIES[first >>> 24]!;
    const strength = (look.blend === Blend.DARKEN ? 1 - light : light) * alpha;
    this.textures.fill = fills && isInMap ? strength : NaN;
    this.textures.fillOpacity = alpha;
    const shown = texture && this.#alphaOf(texture, op, shape, fills && !isInMap ? Blend.COVER : look.blend, light);
    this.textures.fill = NaN;
    const map = shown?.lookup.kind === 'map' ? shown.lookup.map : null;
    // What is opaque all over has no light of its own beside the tint.
    if (map === null && look.blend === Blend.COVER) isInMap = false;
    if (shown !== null && map !== null) this.#lay(shown, map, points, shape.uv);
    const strengthOf = (color: number): number => {
      if (look.blend === Blend.COVER || isInMap) return context.opacity;
      const tint = lightOf(color & WHITE);
      return (look.blend === Blend.DARKEN ? 1 - tint : tint) * context.opacity;
    };
    const opacity = isForeign ? 1 : (fills && isInMap ? 1 : alpha) * strengthOf(first);
    if (role === DrawRole.COVER && isEven && opacity === 0) return;
    const isFaint = opacity < 1 || !isEven || map !== null;
    const hasNoPicture = !look.ignoresTexture && (shown === null || shown.lookup.kind === 'unknown');
    const isMixed = fillsInPart && !isInMap && map !== null;
    const isUnknown =
      look.isGuess || context.isDistorted || hasNoPicture || isMixed || (isFaint && op.program.discards === true);
    if (isUnknown) this.hasUnknown = true;
    const isThickened = context.isThickened || shape.effect === TINT_ADDS;
    let flags = isUnknown || (isThickened && isFaint) ? PolygonFlag.UNMEASURABLE : 0;
    if (shown?.isRepeated === true) flags |= PolygonFlag.REPEAT;
    if (role === DrawRole.COVER && !context.isRecoloured) {
      const brightness = look.ignoresTexture ? light : brightnessOf(op, shape, shown);
      flags |= lightFlags(look.blend, isForeign ? 1 : brightness);
    }
    const from = this.snapshot.count;
    this.#emit(points, points.length / 2, context, role === DrawRole.SHAPE ? null : clip, role);
    for (let i = from; i < this.snapshot.count; i++) {
      this.#finish(i, op, context, flags, opacity, role);
      if (!isEven) this.#fade(i, points, shape.colors, strengthOf);
      if (map !== null) {
        this.snapshot.alphaMap[i] = this.snapshot.addAlphaMap(map);
        this.snapshot.uv.set(this.#uv, 6 * i);
      }
    }
  }

  /** What the part of a texture that a shape shows hides. */
  #alphaOf(texture: object, { owner }: DrawOp, { uv, tile }: Shape, blend: Blend, light: number): ShownAlpha {
    return tile === undefined
      ? this.textures.lookup(texture, owner, uv, blend, light)
      : this.textures.lookupTile(texture, owner, tile, blend, light);
  }

  /** Whether a shape is opaque all over. */
  isSolid({ program, textures, owner }: DrawOp, { colors, effect, uv, unit }: Shape): boolean {
    if (program.kind !== ProgramKind.TEXTURE || colors.some((color) => color >>> 24 !== 255)) return false;
    if (effect === IGNORES_TEXTURE) return true;
    const texture = textures[unit] ?? textures[0] ?? null;
    return texture !== null && this.textures.lookup(texture, owner, uv, Blend.COVER, 1).lookup.kind === 'opaque';
  }

  /** Paints a rectangle of the canvas with unknown content. */
  paintUnknown(
    minX: number,
    minY: number,
    maxX: number,
    maxY: number,
    owner: object | null,
    clip: ClipRegion | null,
  ): void {
    const corners = new Float64Array(8);
    takeRectangle(minX, minY, maxX, maxY, corners);
    this.paintUnknownQuad(corners, owner, clip, NONE, DrawRole.COVER);
  }

  /** Paints a quad of the canvas with unknown content. */
  paintUnknownQuad(
    corners: Float64Array,
    owner: object | null,
    clip: ClipRegion | null,
    mask: number,
    role: DrawRole,
  ): void {
    const { snapshot } = this;
    const from = snapshot.count;
    this.#emit(corners, 4, null, clip, role);
    for (let i = from; i < snapshot.count; i++) {
      snapshot.flags[i] = (role === DrawRole.SHAPE ? 0 : PolygonFlag.PAINTED) | PolygonFlag.UNMEASURABLE;
      snapshot.mask[i] = role === DrawRole.SHAPE ? NONE : mask;
      if (owner !== null) snapshot.owner[i] = snapshot.addOwner(owner);
    }
    this.hasUnknown = true;
  }

  /** Paints the shapes of a draw, and as far around as the context reaches, as unknown. */
  #paintAround({ shapes, owner }: DrawOp, context: PaintContext, clip: ClipRegion | null): void {
    const { reachPx } = context;
    for (const shape of shapes) {
      const points = context.place(shape.xy);
      takeBox(points, 0, points.length / 2, this.#box);
      const [minX, minY, maxX, maxY] = this.#box as unknown as [number, number, number, number];
      this.paintUnknown(
        minX - reachPx,
        minY - reachPx,
        maxX + reachPx,
        maxY + reachPx,
        context.owner ?? owner,
        context.clip ?? clip,
      );
    }
  }

  #paintLight(
    op: DrawOp,
    shape: Shape,
    points: Float64Array,
    context: PaintContext,
    clip: ClipRegion | null,
    role: DrawRole,
  ): void {
    const { light } = shape;
    // What adds only light has no opacity, so a mask lets nothing through there.
    if (context.isMask || light === null || !(light.radius > 0 && light.attenuation > 0)) return;
    if (!(Math.max(light.red, light.green, light.blue) > 0) && role === DrawRole.COVER) return;
    const map = lightDisc(light);
    const { x, y, radius } = light;
    const corners = this.#corners;
    const cells = this.#cells;
    corners.set(context.place(Float64Array.of(x, y, x + radius, y, x, y + radius)));
    const half = map.width / 2;
    cells.set([half, half, map.width, half, half, map.height]);
    solveAffine(corners, cells, this.#uv);
    this.#emitMap(op, points, map, context, clip, role, role === DrawRole.COVER ? PolygonFlag.ADDS : 0);
  }

  /** Paints what a filter lays over its input. */
  paintVeil(
    op: DrawOp,
    shape: Shape,
    veil: AlphaMap,
    context: PaintContext,
    clip: ClipRegion | null,
    isDistorted: boolean,
  ): void {
    const points = context.place(shape.xy);
    this.#lay(WHOLE, veil, points, shape.uv);
    this.#emitMap(op, points, veil, context, clip, DrawRole.COVER, isDistorted ? PolygonFlag.UNMEASURABLE : 0);
  }

  /** Of what was painted from a place on it is unknown what it hides. */
  spoil(from: number): void {
    const { snapshot } = this;
    if (snapshot.count > from) this.hasUnknown = true;
    for (let i = from; i < snapshot.count; i++) snapshot.flags[i]! |= PolygonFlag.UNMEASURABLE;
  }

  /** Paints a map that was laid on some points. */
  #emitMap(
    op: DrawOp,
    points: Float64Array,
    map: AlphaMap,
    context: PaintContext,
    clip: ClipRegion | null,
    role: DrawRole,
    flags: number,
  ): void {
    const { snapshot } = this;
    const all = context.isThickened ? flags | PolygonFlag.UNMEASURABLE : flags;
    const from = snapshot.count;
    this.#emit(points, points.length / 2, context, role === DrawRole.SHAPE ? null : clip, role);
    for (let i = from; i < snapshot.count; i++) {
      this.#finish(i, op, context, all, context.opacity, role);
      snapshot.alphaMap[i] = snapshot.addAlphaMap(map);
      snapshot.uv.set(this.#uv, 6 * i);
    }
  }

  #isNear(points: Float64Array, context: PaintContext, role: DrawRole): boolean {
    if (role !== DrawRole.COVER || context.isMask) return true;
    takeBox(points, 0, points.length / 2, this.#box);
    const [minX, minY, maxX, maxY] = this.#box as unknown as [number, number, number, number];
    return this.isOfInterest({ minX, minY, maxX, maxY }, context.reachPx);
  }

  /** True of what lies within {@link interest} in part, or so near to it. */
  isOfInterest({ minX, minY, maxX, maxY }: Readonly<CanvasBox>, reachPx = 0): boolean {
    const { interest } = this;
    return (
      maxX + reachPx > interest.minX &&
      minX - reachPx < interest.maxX &&
      maxY + reachPx > interest.minY &&
      minY - reachPx < interest.maxY
    );
  }

  /** Finds where on the canvas the cells of a map lie. */
  #lay(
    shown: Pick<ShownAlpha, 'u' | 'v' | 'du' | 'dv'>,
    map: { readonly width: number; readonly height: number },
    points: Float64Array,
    uv: Float64Array,
  ): void {
    const corners = this.#corners;
    const cells = this.#cells;
    for (let i = 0; i < 3; i++) {
      corners[2 * i] = points[2 * i]!;
      corners[2 * i + 1] = points[2 * i + 1]!;
      cells[2 * i] = ((uv[2 * i]! - shown.u) / shown.du) * map.width;
      cells[2 * i + 1] = ((uv[2 * i + 1]! - shown.v) / shown.dv) * map.height;
    }
    solveAffine(corners, cells, this.#uv);
  }

  #emit(
    points: Float64Array,
    count: number,
    context: PaintContext | null,
    clip: ClipRegion | null,
    role: DrawRole,
  ): void {
    const { snapshot } = this;
    takeBox(points, 0, count, this.#box);
    const [minX, minY, maxX, maxY] = this.#box as unknown as [number, number, number, number];
    // Not-a-number fails every comparison, so broken transforms end here too.
    if (!(maxX > minX && maxY > minY) || maxX - minX === Infinity || maxY - minY === Infinity) return;
    if (clip === null || role === DrawRole.SHAPE || context?.isMask === true) {
      snapshot.addPolygon(points, 0, count);
      return;
    }
    if (maxX <= clip.minX || minX >= clip.maxX || maxY <= clip.minY || minY >= clip.maxY) return;
    if (clip.isRectangle && minX >= clip.minX && maxX <= clip.maxX && minY >= clip.minY && maxY <= clip.maxY) {
      snapshot.addPolygon(points, 0, count);
      return;
    }
    for (let piece = 0; piece < clip.pieceCount; piece++) {
      const from = clip.start[piece]!;
      const length = (clip.start[piece + 1]! - from) / 2;
      if (this.#clipped.length < 2 * (count + length)) this.#clipped = new Float64Array(4 * (count + length));
      const left = clipConvex(points, 0, count, clip.xy, from, length, this.#clipped);
      if (left > 0) snapshot.addPolygon(this.#clipped, 0, left);
    }
  }

  #finish(i: number, { owner }: DrawOp, context: PaintContext, flags: number, opacity: number, role: DrawRole): void {
    const { snapshot } = this;
    const covers = context.isCentred ? flags | PolygonFlag.CENTRED : flags;
    snapshot.flags[i] = (role === DrawRole.SHAPE || context.isMask ? 0 : PolygonFlag.PAINTED) | covers;
    snapshot.opacity[i] = opacity;
    snapshot.mask[i] = context.mask;
    const shownBy = context.owner ?? owner;
    if (shownBy !== null) snapshot.owner[i] = snapshot.addOwner(shownBy);
  }

  /** Makes the opacity of polygon i change from corner to corner of a triangle. */
  #fade(i: number, points: Float64Array, colors: Uint32Array, strengthOf: (color: number) => number): void {
    const { opacity, gradient } = this.snapshot;
    const [ax, ay, bx, by] = [
      points[2]! - points[0]!,
      points[3]! - points[1]!,
      points[4]! - points[0]!,
      points[5]! - points[1]!,
    ];
    const det = ax * by - ay * bx;
    if (det === 0) return;
    const [first, second, third] = Array.from(colors, (color) => OPACITIES[color >>> 24]! * strengthOf(color)) as [
      number,
      number,
      number,
    ];
    const da = second - first;
    const db = third - first;
    gradient[2 * i] = (da * by - db * ay) / det;
    gradient[2 * i + 1] = (db * ax - da * bx) / det;
    opacity[i] = first - gradient[2 * i]! * points[0]! - gradient[2 * i + 1]! * points[1]!;
  }
}

/** Mean opacity of a shape's corners, 0–1. */
export function opacityOf({ colors }: Shape): number {
  let sum = 0;
  for (const color of colors) sum += OPACITIES[color >>> 24]!;
  return sum / colors.length;
}

/** Share of its light that a shape keeps under the tints of its corners, 0–1. */
export function tintLightOf({ colors }: Shape): number {
  let sum = 0;
  for (const color of colors) sum += lightOf(color & 0xffffff);
  return sum / colors.length;
}

function isParallelogram(points: Float64Array): boolean {
  const closes = (i: number): boolean =>
    Math.abs(points[i]! + points[i + 4]! - points[i + 2]! - points[i + 6]!) < SKEW_PX;
  return closes(0) && closes(1);
}

/** How bright a shape's brightest place may be, 0–1: no texel is brighter than by the strongest channel of a tint. */
function brightnessOf({ program }: DrawOp, { colors, effect }: Shape, shown: ShownAlpha | null): number {
  const lookup = shown?.lookup;
  if (effect !== 0 || program.kind !== ProgramKind.TEXTURE || !lookup || lookup.kind === 'unknown') return 1;
  let most = 0;
  for (const color of colors) most = Math.max(most, color & 255, (color >> 8) & 255, (color >> 16) & 255);
  return (lookup.brightest * most) / 255;
}

function triangleOf(shape: Shape, a: number, b: number, c: number): Shape {
  const { xy, uv, colors } = shape;
  const pick = (of: Float64Array): Float64Array =>
    Float64Array.of(of[2 * a]!, of[2 * a + 1]!, of[2 * b]!, of[2 * b + 1]!, of[2 * c]!, of[2 * c + 1]!);
  return { ...shape, xy: pick(xy), uv: pick(uv), colors: Uint32Array.of(colors[a]!, colors[b]!, colors[c]!) };
}

import { boxesMeet } from '../../geometry/boxesMeet.js';
import { ClipRegion } from '../../geometry/ClipRegion.js';
import { intersection } from '../../geometry/combineRegions.js';
import { type AdView, type FrameSnapshot, NONE, PolygonFlag } from '../../measure/FrameSnapshot.js';
import type { CanvasBox } from '../../rehearsal/RehearsedEngine.js';
import { Blend } from '../../textures/Blend.js';
import { isList } from '../objects/isList.js';
import type { DrawnObject } from '../phaser3/internals.js';
import { blendOf, type DrawnBlend } from './blendOf.js';
import {
  type ClearOp,
  type CopyOp,
  type DrawOp,
  type DrawState,
  type ForeignOp,
  IGNORES_TEXTURE,
  ProgramKind,
  type RecordedOp,
  type Shape,
} from './DrawOp.js';
import { DrawRole } from './DrawRole.js';
import { fadeTogether } from './fadeTogether.js';
import type { ObjectFacts } from './ObjectFacts.js';
import { PaintContext } from './PaintContext.js';
import type { QuadAlpha } from './QuadAlpha.js';
import { isWhole, RecordedTargets } from './RecordedTargets.js';
import { opacityOf, ShapePainter, tintLightOf } from './ShapePainter.js';
import { ALWAYS, isKnownFunc, passesEmpty, StencilRegions } from './StencilRegions.js';
import { isOneTexel, widened } from './widened.js';

/**
 * How deep targets shown on targets are followed: some effects go around in circles. What lies deeper may be anywhere
 * in its target.
 */
const MOST_PASSES = 24;

/**
 * How often the draws of a record are followed to other targets, on average. An effect that shows its input twice doubles
 * the ways to all effects below it.
 */
const MOST_WAYS = 64;

/** How far an effect of the game's own is assumed to paint around an object, in pixels. */
const FOREIGN_REACH_PX = 32;

/** The alpha byte that opacities just below and just above one half share. */
const HALF = 127;

const WHITE = 0xffffff;

/**
 * Writes the record into a snapshot: the draws on the screen, in their order. In the place of a draw that shows a
 * target come the draws on that target.
 */
export class SnapshotWriter {
  readonly painter: ShapePainter;
  readonly #targets = new RecordedTargets();
  #bounds: Readonly<CanvasBox> = { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  #passes = 0;
  /** How many targets may still be followed. */
  #waysLeft = 0;
  /** Draws of ads that already belong to a view. */
  readonly #shown = new Set<DrawOp>();

  constructor(
    private readonly snapshot: FrameSnapshot,
    textures: QuadAlpha,
    private readonly facts: ObjectFacts,
    /** Textures that are drawn on have a stencil of their own, as in Phaser 4. */
    private readonly texturesHaveStencil: boolean,
  ) {
    this.painter = new ShapePainter(snapshot, textures);
  }

  /**
   * @param height of the screen
   * @param shown the part of the canvas the page shows
   */
  write(ops: readonly RecordedOp[], height: number, shown: Readonly<CanvasBox>): void {
    this.#take(ops, shown);
    const context = screenContext(height);
    context.clip = new ClipRegion();
    context.clip.setRectangle(shown.minX, shown.minY, shown.maxX, shown.maxY);
    context.stencil = new StencilRegions(shown);
    this.#emit(null, ops.length, context);
    this.#targets.take([]);
    this.#shown.clear();
  }

  /** Writes only the recorded ads, as whole shapes. */
  writeShapes(ops: readonly RecordedOp[], height: number): void {
    this.#take(ops, { minX: 0, minY: 0, maxX: 0, maxY: 0 });
    const context = screenContext(height);
    for (const op of ops) {
      if (op.type !== 'draw' || !op.state.hasColor || op.program.kind >= ProgramKind.MASK) continue;
      if (this.#targets.shownBy(op, Infinity).length > 0) continue;
      this.#drawShapes(op, context);
    }
    this.#targets.take([]);
  }

  /** Paints an ad's picture as it would be whole. */
  #drawShapes(op: DrawOp, context: PaintContext): void {
    const whole = op.owner === null ? null : this.facts.wholeOf(op.owner);
    for (const shape of op.shapes) {
      if (whole !== null && isOneTexel(shape)) this.painter.hasUnknown = true;
      const all = whole === null ? shape : widened(shape, whole);
      this.painter.paint(op, all, context, null, Blend.COVER, DrawRole.SHAPE);
    }
  }

  #take(ops: readonly RecordedOp[], bounds: Readonly<CanvasBox>): void {
    this.#targets.take(ops);
    this.#bounds = bounds;
    this.#passes = 0;
    this.#waysLeft = MOST_WAYS * ops.length;
    this.#shown.clear();
  }

  /** Paints what was drawn on a target before place `end` of the record. */
  #emit(target: object | null, end: number, context: PaintContext): void {
    const places = this.#targets.drawnOn(target, end, context);
    const from = this.snapshot.count;
    const views = this.snapshot.viewCount;
    for (let i = 0; i < places.length; i++) {
      const op = this.#targets.at(places[i]!);
      if (op.type === 'clear') this.#onClear(op, target, context);
      else if (op.type === 'copy') this.#onCopy(op, places[i]!, context);
      else if (op.type === 'foreign') this.#onForeign(op, context);
      else if (!op.state.hasColor) this.#drawStencil(op, target, context);
      else {
        const passes = this.#targets.shownBy(op, places[i]!);
        // When a target is shown a second time, an ad on it is only a copy.
        const ad = context.isMask || this.#shown.has(op) ? -1 : this.facts.adOf(op.owner);
        if (passes.length === 0 && ad >= 0) i = this.#drawAd(ad, places, i, context);
        else {
          const isAboveAd = this.snapshot.viewCount > views;
          if (isAboveAd) this.#drawAboveAd(op, passes, places[i]!, context, views);
          else this.#drawOther(op, passes, places[i]!, context, from);
        }
      }
    }
  }

  /** Paints a draw that lies above an ad on the same target. */
  #drawAboveAd(op: DrawOp, passes: readonly object[], place: number, context: PaintContext, viewsBelow: number): void {
    const { snapshot } = this;
    const { count: from, viewCount: views } = snapshot;
    const isPlain = context.opacity === 1 && context.mask === NONE;
    this.#drawOther(op, passes, place, context.aboveAd(), from);
    if (isPlain || viewsBelow === 0 || snapshot.viewCount > views) return;
    // For ads below the target its opacity and its mask do matter.
    const unfadedTo = snapshot.count;
    this.#drawOther(op, passes, place, context.aboveOthers(), unfadedTo);
    snapshot.reach.fill(viewsBelow, from, unfadedTo);
    snapshot.reach.fill(-viewsBelow, unfadedTo, snapshot.count);
  }

  /** @param from first polygon of the same target */
  #drawOther(op: DrawOp, passes: readonly object[], place: number, context: PaintContext, from: number): void {
    if (passes.length === 0) this.#drawCover(op, context, from);
    else this.#drawPass(op, passes, place, this.#isUnsure(op.state, context) ? context.distorted(0) : context);
  }

  #onClear(op: ClearOp, target: object | null, context: PaintContext): void {
    const { clearsColor, clearsStencil, state, stencilValue = 0 } = op;
    if (clearsStencil) {
      const stencil = stencilValue === 0 ? context.stencil : this.#stencilOf(target, context);
      stencil?.clear(isWhole(state) ? null : context.drawable(state), stencilValue);
    }
    if (!clearsColor || target !== null || this.snapshot.viewCount === 0) return;
    // Everything drawn before is gone from the screen.
    const { minX, minY, maxX, maxY } = this.#clipOf(state, context);
    this.painter.paintUnknown(minX, minY, maxX, maxY, null, context.clip);
  }

  #onCopy({ from, toX, toY, x, y, width, height }: CopyOp, place: number, context: PaintContext): void {
    const inner = context.through([1, 0, 0, 1, toX - x, toY - y]);
    inner.clip = context.region(toX, toY, width, height);
    this.#pass(from, place, inner);
  }

  #onForeign(op: ForeignOp, context: PaintContext): void {
    if (!op.state.hasColor) {
      this.#spoilStencil(op.target, context);
      return;
    }
    if (this.facts.isFriendly(op.owner)) return;
    this.facts.paintForeign(op, this.#clipOf(op.state, context), context.mask);
  }

  #drawStencil(op: DrawOp, target: object | null, context: PaintContext): void {
    const { shapes, state, program } = op;
    const stencil = this.#stencilOf(target, context);
    if (stencil === null) return;
    const clip = context.drawable(state);
    const cut = new ClipRegion();
    for (const { xy } of shapes) {
      const one = new ClipRegion();
      const points = context.place(xy);
      one.addPiece(points, 0, points.length / 2);
      const inside = intersection(one, clip);
      for (let k = 0; k < inside.pieceCount; k++)
        cut.addPiece(inside.xy, inside.start[k]!, (inside.start[k + 1]! - inside.start[k]!) / 2);
    }
    // Phaser 4 discards pixels where a shape is faint, and other shaders may do so too. Phaser 3 fills the whole shape.
    const leavesOut = program.discards === true && !shapes.every((shape) => this.painter.isSolid(op, shape));
    if (!leavesOut && program.kind < ProgramKind.WITHIN) stencil.draw(cut, state);
    // Beside all ads it is no matter, unless what is drawn there reaches them.
    else if (context.isDistorted || context.reachPx > 0 || this.painter.isOfInterest(cut)) stencil.isUnknown = true;
  }

  /** From here on the content of a target's stencil is unknown. */
  #spoilStencil(target: object | null, context: PaintContext): void {
    const stencil = this.#stencilOf(target, context);
    if (stencil !== null) stencil.isUnknown = true;
  }

  /**
   * The stencil of a target, which is about to change. Null where the effect of that is unknown: then the context
   * becomes distorted.
   */
  #stencilOf(target: object | null, context: PaintContext): StencilRegions | null {
    if (target === null || (!context.isMask && this.texturesHaveStencil)) {
      return (context.stencil ??= new StencilRegions(this.#bounds));
    }
    context.isDistorted = true;
    return null;
  }

  /** Paints what was drawn on some textures, in the place of the draw that shows them. */
  #drawPass(op: DrawOp, passes: readonly object[], place: number, context: PaintContext): void {
    const { program, shapes, state } = op;
    const clip = this.#clipOf(state, context);
    if (program.kind === ProgramKind.MASK) {
      this.#drawMasked(op, place, context, clip);
      return;
    }
    for (const shape of shapes) {
      for (const texture of passes) {
        const inner = context.ofTexture(texture, shape, op);
        if (inner === null) continue;
        inner.clip = context.shownBy(shape, clip);
        // When a camera, container or layer is drawn apart, the owners are its children. The output of an effect is
        // nobody's picture.
        const isPicture = program.kind <= ProgramKind.LIT && op.owner !== null && !isList(op.owner as DrawnObject);
        if (isPicture) inner.owner ??= op.owner;
        inner.reachPx += program.reachPx * context.scale;
        inner.isDistorted ||= program.kind >= ProgramKind.WITHIN || passes.length > 1 || blendOf(state) !== Blend.COVER;
        inner.isRecoloured ||=
          program.kind !== ProgramKind.COPY &&
          (program.kind !== ProgramKind.TEXTURE || (shape.colors[0]! & WHITE) !== WHITE);
        inner.isThickened ||= program.thickens;
        // Programs from COPY on ignore the colour of vertices.
        const share = program.kind < ProgramKind.COPY ? opacityOf(shape) : 1;
        inner.opacity *= share;
        const { count, viewCount } = this.snapshot;
        this.#pass(texture, place, inner);
        const isAboveAd = this.snapshot.viewCount > viewCount;
        if (share < 1 && !isAboveAd) fadeTogether(this.snapshot, count, share);
        const { veil } = program;
        if (veil === undefined || (op.owner !== null && this.facts.isFriendly(op.owner))) continue;
        if (program.erases && !isAboveAd) this.painter.spoil(count);
        else {
          const from = this.snapshot.count;
          this.painter.paintVeil(op, shape, veil, isAboveAd ? context.aboveAd() : context, clip, inner.isDistorted);
          // What erases hides nothing of the ads below.
          if (program.erases) this.snapshot.reach.fill(viewCount, from, this.snapshot.count);
        }
      }
      if (program.kind === ProgramKind.OVER || program.kind === ProgramKind.FOREIGN)
        this.#paintUnknown(context, context.owner ?? op.owner, context.shownBy(shape, clip));
    }
  }

  /** Paints something unknown that may be anywhere in a part of the canvas. */
  #paintUnknown(context: PaintContext, owner: object | null, { minX, minY, maxX, maxY }: ClipRegion): void {
    const { painter } = this;
    painter.hasUnknown = true;
    if (!context.isMask) painter.paintUnknown(minX, minY, maxX, maxY, owner, context.clip);
  }

  #drawMasked(op: DrawOp, place: number, context: PaintContext, clip: ClipRegion): void {
    const { snapshot } = this;
    const { textures, program, shapes } = op;
    const [main, source] = textures;
    const [shape] = shapes;
    if (!main || shape === undefined) return;
    if (context.isMask) {
      // A mask that is masked itself is less than its picture.
      this.painter.hasUnknown = true;
      return;
    }
    const inner = context.ofTexture(main, shape, op) ?? context.through(IDENTITY);
    inner.clip = clip;
    inner.isDistorted ||= blendOf(op.state) !== Blend.COVER;
    if (source) {
      const isDrawn = this.#targets.isDrawnOn(source, place);
      const picture = (isDrawn ? context.ofTexture(source, shape, op) : null) ?? context.through(IDENTITY);
      picture.isMask = true;
      picture.isApart = false;
      picture.mask = NONE;
      // The opacity of what is masked does not apply to the mask.
      picture.opacity = 1;
      const from = snapshot.count;
      this.painter.hasUnknown = false;
      if (isDrawn) this.#pass(source, place, picture);
      else this.#paintPicture(op, { ...shape, unit: 1 }, picture);
      inner.isDistorted ||= this.painter.hasUnknown;
      inner.mask = snapshot.addMask({ from, to: snapshot.count, invert: program.isInverted, outer: context.mask });
    }
    this.#pass(main, place, inner);
  }

  /** Paints the picture of a mask whose texture was not drawn on in this record. */
  #paintPicture(op: DrawOp, shape: Shape, context: PaintContext): void {
    const program = { ...op.program, kind: ProgramKind.TEXTURE };
    this.painter.paint({ ...op, program, owner: null }, shape, context, null, Blend.COVER, DrawRole.COVER);
  }

  #pass(target: object | null, place: number, context: PaintContext): void {
    if (this.#passes >= MOST_PASSES || this.#waysLeft-- <= 0) {
      this.#paintUnknown(context, context.owner, context.clip ?? new ClipRegion());
      return;
    }
    this.#passes++;
    this.#emit(target, place, context);
    this.#passes--;
  }

  /** @param from first polygon of the same target */
  #drawCover(op: DrawOp, context: PaintContext, from: number): void {
    const { state, shapes } = op;
    const { isApart } = context;
    const owner = context.owner ?? op.owner;
    if (owner !== null && this.facts.isFriendly(owner) && !context.isMask) return;
    const blend = blendOf(state);
    // What an eraser leaves of a mask is unknown.
    if (context.isMask && blend === 'erase') this.painter.hasUnknown = true;
    const clip = this.#clipOf(state, context);
    if (clip.pieceCount === 0 && !context.isMask) return;
    const painted = this.#blendOnto(blend, isApart);
    if (painted === 'nothing') return;
    const isDistorted = [owner, op.owner].some((of) => of !== null && this.facts.isDistorted(of));
    let distorted = isDistorted ? context.distorted(FOREIGN_REACH_PX) : context;
    if (this.#isUnsure(state, context)) distorted = distorted.distorted(0);
    const before = this.snapshot.count;
    for (const shape of shapes) this.painter.paint(op, shape, distorted, clip, painted, DrawRole.COVER);
    if (isApart && blend === 'erase') this.#erase(from, before);
  }

  /** How a blend mode paints. A target that is drawn apart begins empty: there is nothing to multiply or lighten. */
  #blendOnto(blend: DrawnBlend, isApart: boolean): Blend | null | 'nothing' {
    if (isApart && blend === Blend.DARKEN) return 'nothing';
    if (blend === 'erase') return Blend.COVER;
    return isApart && blend !== null ? Blend.COVER : blend;
  }

  /** Polygons from `erasers` on paint nothing: they erase from the polygons before them. What is left of those is unknown. */
  #erase(from: number, erasers: number): void {
    const { flags, box, count } = this.snapshot;
    for (let e = erasers; e < count; e++) {
      flags[e] = 0;
      for (let i = from; i < erasers; i++) {
        if (boxesMeet(box, i, box, e) && (flags[i]! & PolygonFlag.PAINTED) !== 0) flags[i]! |= PolygonFlag.UNMEASURABLE;
      }
    }
  }

  /** Adds the view of an ad that begins at `places[first]`; returns the index of the last place that is part of it. */
  #drawAd(ad: number, places: readonly number[], first: number, context: PaintContext): number {
    const { snapshot, facts, painter } = this;
    const targets = this.#targets;
    const { camera } = targets.at(places[first]!) as DrawOp;
    const drawn: DrawOp[] = [];
    let last = first;
    for (let i = first; i < places.length; i++) {
      const op = targets.at(places[i]!);
      if (op.type !== 'draw' || !op.state.hasColor || op.camera !== camera || facts.adOf(op.owner) !== ad) break;
      if (targets.shownBy(op, places[i]!).length > 0) break;
      drawn.push(op);
      this.#shown.add(op);
      last = i;
    }
    const view = snapshot.addView(ad, camera);
    painter.hasUnknown = false;
    for (const op of drawn) this.#drawShapes(op, context);
    view.shapeTo = view.pieceFrom = snapshot.count;
    for (const op of drawn) {
      const clip = this.#clipOf(op.state, context);
      for (const shape of op.shapes) painter.paint(op, shape, context, clip, Blend.COVER, DrawRole.PIECE);
    }
    view.pieceTo = snapshot.count;
    const owner = drawn[0]!.owner!;
    this.#judge(view, drawn, context, owner);
    view.unmeasurable =
      painter.hasUnknown ||
      context.isDistorted ||
      context.isRecoloured ||
      facts.isDistorted(owner) ||
      // In another blend mode its ground may leave nothing of it.
      drawn.some(({ state }) => blendOf(state) !== Blend.COVER || this.#isUnsure(state, context)) ||
      view.unmeasurable;
    return last;
  }

  /** Works out how strongly the ad of a view is drawn. */
  #judge(view: AdView, drawn: readonly DrawOp[], context: PaintContext, owner: object): void {
    let opacity = 0;
    let light = 0;
    let count = 0;
    for (const { shapes, program } of drawn) {
      for (const shape of shapes) {
        const isHalf = shape.colors[0]! >>> 24 === HALF && !this.facts.isHalf(owner, view.camera as object);
        opacity += isHalf ? opacityOf(shape) - 1 / 255 : opacityOf(shape);
        light += shape.effect === 0 ? tintLightOf(shape) : 1;
        if (shape.effect !== 0 && shape.effect !== IGNORES_TEXTURE) view.unmeasurable = true;
        if (program.kind === ProgramKind.LIT) light += this.facts.lightOn(owner) - 1;
        count++;
      }
    }
    view.fade = context.opacity;
    view.alpha = opacity / count;
    view.opacity = ((opacity / count) * light * view.fade) / count;
    if (Number.isNaN(view.opacity)) {
      view.unmeasurable = true;
      view.opacity = opacity / count;
    }
  }

  /** True when a stencil test decides, and what is in the stencil, or how the test decides, is unknown. */
  #isUnsure(state: DrawState, { stencil }: PaintContext): boolean {
    if (stencil === null) return !passesEmpty(state);
    return state.hasStencilTest && (stencil.isUnknown ? state.stencilFunc !== ALWAYS : !isKnownFunc(state.stencilFunc));
  }

  /** The region that a draw may paint on. */
  #clipOf(state: DrawState, context: PaintContext): ClipRegion {
    const clip = context.drawable(state);
    if (context.stencil === null || context.isMask) return clip;
    const passing = context.stencil.passing(state);
    return passing === null ? clip : intersection(clip, passing);
  }
}

const IDENTITY = [1, 0, 0, 1, 0, 0];

/** Takes the screen's pixels, which count from the bottom, to the canvas. */
function screenContext(height: number): PaintContext {
  return new PaintContext([1, 0, 0, -1, 0, height]);
}

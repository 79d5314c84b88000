import type * as Phaser from 'phaser';

import type { PageView } from '../../page/PageView.js';
import type { AlphaMaps } from '../../textures/AlphaMaps.js';
import { ProgramKind } from '../draws/DrawOp.js';
import { beingRehearsed } from '../draws/OwnedDraws.js';
import { paintsAnywhere } from '../draws/paintsAnywhere.js';
import { FrameTap, isOneQuad } from '../frame/FrameTap.js';
import { QUAD_NUMBERS, NearQuads, STRIDE, type VertexOwner } from '../frame/NearQuads.js';
import { isDrawn } from '../objects/isDrawn.js';
import { isElsewhere } from '../objects/isElsewhere.js';
import { sceneDrawing } from '../objects/sceneDrawing.js';
import { shaderKind } from './programs.js';
import { rendererRounding, roundedX, roundedY, type RoundingShader, shaderRounding } from './shaderRounding.js';
import { StrayBatches } from './StrayBatches.js';
import { watchContext, type WatchedRenderer } from './watchContext.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** Events every `WebGLPipeline` emits (`Phaser.Renderer.WebGL.Pipelines.Events`). */
const BEFORE_FLUSH = 'pipelinebeforeflush';
const REBIND = 'pipelinerebind';

/** Index of the texture unit among a vertex's numbers. */
const UNIT = 4;

/** Vertices of a quad in a batch. */
const QUAD = 6;

/** Pipelines with the vertex layout of {@link NearQuads} whose fragments are texture × colour. */
const PLAIN_PIPELINES = new Set(['MultiPipeline', 'MobilePipeline']);

/** Phaser's pipelines with another vertex layout or topology; their vertices begin with x and y, too. */
const OTHER_PIPELINES = new Set(['PointLightPipeline', 'RopePipeline']);

/** `gl.TRIANGLES`. */
const TRIANGLES = 4;

/** Pixels by which a corner and an ad come nearer to each other, at most, when a shader rounds both. */
const ROUNDING_PX = 1;

interface TapShader extends RoundingShader {
  readonly vertexComponentCount: number;
  readonly vertSrc: string;
  readonly fragSrc: string;
}

interface TapPipeline extends VertexOwner {
  readonly vertexCount: number;
  readonly name: string;
  readonly topology: number;
  readonly currentShader: TapShader;
  readonly batch: readonly { readonly start: number; readonly count: number; readonly texture: readonly object[] }[];
  on(event: string, listener: (...args: never[]) => void): void;
  off(event: string, listener: (...args: never[]) => void): void;
}

interface TapRenderer extends WatchedRenderer {
  readonly pipelines: {
    readonly current: TapPipeline | null;
    readonly default: TapPipeline;
    /** All post pipelines of the game's objects and cameras; not in 3.60. */
    readonly postPipelineInstances?: readonly unknown[];
    readonly pipelines: {
      readonly entries: Readonly<Record<string, TapPipeline>>;
      set(name: string, pipeline: TapPipeline): unknown;
    };
  };
  readonly currentScissor: readonly [number, number, number, number] | null;
  readonly gl: WatchedRenderer['gl'] & Pick<WebGLRenderingContext, 'isEnabled' | 'SCISSOR_TEST' | 'STENCIL_TEST'>;
  readonly currentBlendMode: number;
  readonly width: number;
  readonly height: number;
}

/** The tap of Phaser 3: its pipelines tell when they are about to draw their batch. */
export class VertexTap extends FrameTap {
  protected readonly method = 'renderWebGL';
  readonly #renderer: TapRenderer;
  readonly #pipelines: TapPipeline[] = [];
  readonly #strays: StrayBatches;
  /** The last shader that {@link #isPlain} found plain. */
  #lastPlain: TapShader | null = null;
  /** The last shader that {@link #drawsInPlace} found to draw in place. */
  #lastInPlace: TapShader | null = null;
  /**
   * Ads drawn and not taken in yet: how many, and the pipeline; then of each its index, the vertex its quad ends before,
   * and its camera.
   */
  #waiting = 0;
  #waitingIn: TapPipeline | null = null;
  readonly #waitingAds: number[] = [];
  readonly #waitingEnds: number[] = [];
  readonly #waitingCameras: Camera[] = [];
  /** First vertex of the current batch that was not scanned yet. */
  #from = 0;
  /** First near quad of the current batch. */
  #firstQuad = 0;
  /** Index of the batch's state in the record; −1 until it is read. */
  #state = -1;
  /** The pipeline before the ad that is being drawn, and the number of vertices in its batch then. */
  #pipelineBefore: TapPipeline | null = null;
  #verticesBefore = 0;

  constructor(game: Phaser.Game, maps: AlphaMaps, friendly: ReadonlyMap<unknown, unknown>) {
    const renderer = game.renderer as unknown as TapRenderer;
    const pipeline = renderer.pipelines.default;
    super(game, NearQuads.of(pipeline), maps, friendly, false);
    this.#renderer = renderer;
    this.#strays = StrayBatches.of(renderer);
    const { pipelines } = renderer.pipelines;
    const { set } = pipelines;
    // It stays, as below.
    watchContext(renderer, this.#onRebind);
    // Phaser has no event for a pipeline that a game adds. An own property that stays: deleting it would turn the object
    // into a dictionary.
    pipelines.set = (name, added) => {
      if (this.#pipelines.length > 0) this.#listenTo(added);
      return set.call(pipelines, name, added);
    };
  }

  /**
   * Listens to every pipeline. A removed pipeline goes on drawing the objects that have it, so the tap keeps listening
   * to it.
   */
  override attach(): void {
    const { pipelines } = this.#renderer.pipelines;
    for (const key in pipelines.entries) this.#listenTo(pipelines.entries[key]!);
    super.attach();
  }

  #listenTo(pipeline: TapPipeline): void {
    if (this.#pipelines.includes(pipeline)) return;
    pipeline.on(BEFORE_FLUSH, this.#onFlush);
    pipeline.on(REBIND, this.#onRebind);
    this.#pipelines.push(pipeline);
  }

  /** Lets go of pipelines and ads. */
  override detach(): void {
    for (const pipeline of this.#pipelines) {
      pipeline.off(BEFORE_FLUSH, this.#onFlush);
      pipeline.off(REBIND, this.#onRebind);
    }
    this.#pipelines.length = 0;
    super.detach();
    this.#lastPlain = this.#lastInPlace = this.#waitingIn = this.#pipelineBefore = null;
    this.#waiting = this.#waitingCameras.length = 0;
  }

  override begin(page: PageView): void {
    super.begin(page);
    this.#waiting = this.#from = this.#firstQuad = 0;
    this.#state = -1;
    this.margin = rendererRounding(this.game.renderer) === null ? 0 : ROUNDING_PX;
  }

  protected takeRest(): void {
    if (this.#waiting > 0) this.#meetWaiting();
  }

  protected override isPaintedUnseen(): boolean {
    return this.#strays.hasAny || this.#isPaintedAnywhere();
  }

  protected override beforeDrain(): void {
    if (rendererRounding(this.game.renderer) === true) this.record.round(this.#firstQuad, this.canvasHeight);
    this.#firstQuad = 0;
  }

  // --- events ---

  readonly #onFlush = (pipeline: TapPipeline): void => {
    if (this.#waiting > 0) this.#meetWaiting();
    if (this.active > 0) {
      // Quads drawn into a framebuffer come to the screen changed: a shadow or a blur reaches beyond the quads seen here.
      if (pipeline.vertexCount > this.#from && isElsewhere(this.#renderer)) this.giveUp();
      else this.#scan(pipeline, pipeline.vertexCount);
      if (shaderRounding(pipeline.currentShader) === true) this.record.round(this.#firstQuad, this.canvasHeight);
    }
    this.#from = 0;
    this.#firstQuad = this.near.count;
    this.#state = -1;
  };

  /** Something draws past the pipelines (Extern, Spine): it may paint anywhere. */
  readonly #onRebind = (): void => {
    if (this.#waiting > 0) this.#meetWaiting();
    if (this.active > 0) this.giveUp();
  };

  beforeAd(): void {
    const pipeline = this.#renderer.pipelines.current;
    this.#pipelineBefore = pipeline;
    this.#verticesBefore = pipeline === null ? 0 : pipeline.vertexCount;
  }

  /** The ad's quad is the last one of the current batch. */
  adDrawn(index: number, ad: GameObject, camera: object): void {
    if (beingRehearsed.has(this.#renderer)) return;
    const pipeline = this.#renderer.pipelines.current;
    // Another pipeline begins with an empty batch.
    const before = pipeline === this.#pipelineBefore ? this.#verticesBefore : 0;
    if (
      pipeline === null ||
      !isOneQuad(ad) ||
      !this.#isPlain(pipeline) ||
      // A game's class may draw more than its picture, or nothing.
      (pipeline.vertexCount !== before + QUAD && (pipeline.vertexCount !== QUAD || before === QUAD))
    ) {
      this.#meetWaiting();
      if (pipeline !== null && this.active > 0) this.#scan(pipeline, pipeline.vertexCount);
      this.#meetOther(index, pipeline?.vertexCount ?? 0);
      return;
    }
    if (this.#waitingIn !== pipeline) this.#meetWaiting();
    this.#waitingIn = pipeline;
    // Do no more than this while Phaser draws: the processor's cache does not hold this code then.
    const waiting = this.#waiting;
    this.#waitingAds[waiting] = index;
    this.#waitingEnds[waiting] = pipeline.vertexCount;
    this.#waitingCameras[waiting] = camera as Camera;
    this.#waiting = waiting + 1;
  }

  /** Takes in the ads that were drawn since the batch was last looked at, and what lies between them. */
  #meetWaiting(): void {
    const waiting = this.#waiting;
    const waitingIn = this.#waitingIn;
    const waitingAds = this.#waitingAds;
    const waitingEnds = this.#waitingEnds;
    const waitingCameras = this.#waitingCameras;
    this.#waiting = 0;
    for (let k = 0; k < waiting; k++) this.#meet(waitingIn!, waitingAds[k]!, waitingEnds[k]!, waitingCameras[k]!);
  }

  /** Takes in an ad whose quad ends before the vertex `end` of the batch. */
  #meet(pipeline: TapPipeline, index: number, end: number, camera: Camera): void {
    const { near, record } = this;
    if (this.active > 0) this.#scan(pipeline, end - QUAD);
    // A batch's state cannot change without a flush.
    if (this.#state < 0) this.#state = this.#readState(true);
    const state = this.#state;
    if (record.unusual[state] === 1) {
      this.#meetOther(index, end);
      return;
    }
    this.#from = end;
    if (near.isFull) this.drain();
    this.fillBins();
    near.readBox(pipeline, end - QUAD);
    if (shaderRounding(pipeline.currentShader) === true) this.#roundBox(near.box);
    const { shown } = this;
    for (let k = 0; k < 4; k++) shown[k] = near.box[k]!;
    const isNear =
      shown[2]! > record.minX && shown[0]! < record.maxX && shown[3]! > record.minY && shown[1]! < record.maxY;
    const quad = near.keep(pipeline, end - QUAD, isNear ? near.bins.touching(near.box, 0) : 0);
    const unit = pipeline.vertexViewF32[(end - QUAD) * STRIDE + UNIT]!;
    record.setQuad(quad, textureOf(pipeline, unit, placeOf(pipeline, end - QUAD, 0)), state);
    this.takeAd(index, state, camera);
  }

  #roundBox(box: Float64Array): void {
    for (let k = 0; k < 4; k += 2) {
      box[k] = roundedX(box[k]!);
      box[k + 1] = roundedY(box[k + 1]!, this.canvasHeight);
    }
  }

  /** Takes in an ad that only a rehearsal can measure; its vertices end before `end`. */
  #meetOther(index: number, end: number): void {
    this.#from = end;
    this.takeOtherAd(index);
  }

  /** Scans the vertices `from ≤ v < to` of the batch for quads that touch the ads. */
  #scan(pipeline: TapPipeline, to: number): void {
    const { near, record } = this;
    let from = this.#from;
    if (to <= from || record.pieceCount === 0) return;
    const isPlain = this.#isPlain(pipeline);
    const isReadable = isPlain || (this.#drawsInPlace(pipeline) && (to - from) % 3 === 0);
    if (!isReadable || pipeline.currentShader.vertexComponentCount !== STRIDE) {
      if (!OTHER_PIPELINES.has(pipeline.name) || this.#mayTouch(pipeline, to)) this.giveUp();
      return;
    }
    this.fillBins();
    while (from < to) {
      const before = near.count;
      from = near.find(pipeline, from, to);
      if (near.count > before) {
        // A batch's state cannot change without a flush.
        if (this.#state < 0) this.#state = this.#readState(isPlain);
        let place = 0;
        for (let t = before; t < near.count; t++) {
          place = placeOf(pipeline, near.vertexOf(t), place);
          record.setQuad(t, textureOf(pipeline, near.f32[t * QUAD_NUMBERS + UNIT]!, place), this.#state);
        }
      }
      if (from < to) this.drain();
    }
  }

  #isPlain(pipeline: TapPipeline): boolean {
    const { currentShader } = pipeline;
    if (currentShader === this.#lastPlain) return true;
    // Games may replace these pipelines by their own.
    if (!PLAIN_PIPELINES.has(pipeline.name) || shaderKind(currentShader) !== ProgramKind.TEXTURE) return false;
    this.#lastPlain = currentShader;
    return true;
  }

  /**
   * True of a pipeline that draws where its vertices are, such as `Light2D` and those of games with a fragment shader of
   * their own: what they make of a texture is unknown, but away from the ads they have no effect.
   */
  #drawsInPlace({ currentShader, topology }: TapPipeline): boolean {
    if (topology !== TRIANGLES) return false;
    if (currentShader === this.#lastInPlace) return true;
    const { entries } = this.#renderer.pipelines.pipelines;
    for (const name of PLAIN_PIPELINES) {
      if (entries[name]?.currentShader?.vertSrc !== currentShader.vertSrc) continue;
      this.#lastInPlace = currentShader;
      return true;
    }
    return false;
  }

  /** True when a triangle, or a part of a strip, before the vertex `to` may touch the rectangle around all ads. */
  #mayTouch({ vertexViewF32: vertices, currentShader, topology }: TapPipeline, to: number): boolean {
    const { record } = this;
    const from = this.#from;
    const stride = currentShader.vertexComponentCount;
    const step = topology === TRIANGLES ? 3 : 1;
    for (let v = from; v + 2 < to; v += step) {
      const a = v * stride;
      const b = a + stride;
      const c = b + stride;
      if (
        Math.max(vertices[a]!, vertices[b]!, vertices[c]!) > record.minX &&
        Math.min(vertices[a]!, vertices[b]!, vertices[c]!) < record.maxX &&
        Math.max(vertices[a + 1]!, vertices[b + 1]!, vertices[c + 1]!) > record.minY &&
        Math.min(vertices[a + 1]!, vertices[b + 1]!, vertices[c + 1]!) < record.maxY
      )
        return true;
    }
    return false;
  }

  /**
   * Adds the present state to the record, scissor and page as one rectangle, and returns its index.
   * @param isPlain the fragments are texture × colour
   */
  #readState(isPlain: boolean): number {
    const { page, record } = this;
    const renderer = this.#renderer;
    const { clips } = record;
    const at = 4 * record.stateCount;
    clips[at] = page?.minX ?? 0;
    clips[at + 1] = page?.minY ?? 0;
    clips[at + 2] = page?.maxX ?? renderer.width;
    clips[at + 3] = page?.maxY ?? renderer.height;
    const { currentScissor: scissor, gl } = renderer;
    if (scissor !== null && scissor[2] > 0 && scissor[3] > 0) {
      const height = Math.trunc(scissor[3]);
      const bottom = Math.trunc(renderer.height - scissor[1] - scissor[3]);
      const left = Math.trunc(scissor[0]);
      const right = left + Math.trunc(scissor[2]);
      const isWhole = left <= 0 && bottom <= 0 && right >= renderer.width && bottom + height >= renderer.height;
      // A bitmap mask turns the scissor test off until the next frame, and Phaser's own fields do not tell.
      if (isWhole || gl.isEnabled(gl.SCISSOR_TEST)) {
        clips[at] = Math.max(clips[at], left);
        clips[at + 1] = Math.max(clips[at + 1]!, renderer.height - bottom - height);
        clips[at + 2] = Math.min(clips[at + 2]!, right);
        clips[at + 3] = Math.min(clips[at + 3]!, renderer.height - bottom);
      }
    }
    return record.addState(!isPlain || isUnusual(renderer));
  }

  /** True when a camera that may show an ad, or a camera above it, has a pipeline that may paint where nothing was drawn. */
  #isPaintedAnywhere(): boolean {
    if (this.#renderer.pipelines.postPipelineInstances?.length === 0) return false;
    const { scenes } = this.game.scene;
    for (let s = scenes.length - 1; s >= 0; s--) {
      const scene = scenes[s]!;
      if (!isDrawn(scene)) continue;
      const { cameras } = scene.sys.cameras;
      for (let c = 0; c < cameras.length; c++) {
        if (paintsAnywhere(cameras[c]!) && cameras[c]!.visible) return this.#isAnyAdUpTo(s);
      }
    }
    return false;
  }

  /** True when the s-th scene, or one below it, draws an ad. */
  #isAnyAdUpTo(s: number): boolean {
    const { scenes } = this.game.scene;
    return this.ads.some((ad) => scenes.indexOf(sceneDrawing(ad)) <= s);
  }
}

/** Index of the entry of `batch` that draws a vertex, searched from `from` on. */
function placeOf({ batch, vertexCount }: TapPipeline, vertex: number, from: number): number {
  // With few texture units a batch has an entry for nearly every quad, so the search starts at a guess.
  let i = Math.max(from, Math.floor((batch.length * vertex) / vertexCount));
  while (i > 0 && batch[i]!.start > vertex) i--;
  while (i + 1 < batch.length && batch[i + 1]!.start <= vertex) i++;
  return i;
}

function textureOf({ batch }: TapPipeline, unit: number, place: number): object | null {
  const textures = batch[place]?.texture;
  return textures?.[unit] ?? textures?.[0] ?? null;
}

/** True when the renderer does more than paint texture × colour onto the screen. */
function isUnusual(renderer: TapRenderer): boolean {
  const { gl } = renderer;
  // A geometry mask is a stencil. The context is asked: Phaser's own fields have already dropped a camera's mask when the
  // last batch behind it is drawn.
  return renderer.currentBlendMode !== 0 || isElsewhere(renderer) || gl.isEnabled(gl.STENCIL_TEST);
}

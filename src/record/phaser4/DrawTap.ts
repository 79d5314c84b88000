import type * as Phaser from 'phaser';

import type { PageView } from '../../page/PageView.js';
import type { AlphaMaps } from '../../textures/AlphaMaps.js';
import { beingRehearsed } from '../draws/OwnedDraws.js';
import { FrameTap, isOneQuad } from '../frame/FrameTap.js';
import { NearQuads, type QuadBuffer } from '../frame/NearQuads.js';
import { CallShapes, CORNERS } from './CallShapes.js';
import { QUAD } from './CallVertices.js';
import { changesStencil, drawsColor } from './DrawCalls.js';
import type {
  DrawingContext,
  FramebufferWrapper,
  Phaser4Renderer,
  ShaderProgram,
  TextureWrapper,
  VertexArray,
} from './Phaser4Renderer.js';
import { TRIANGLES } from './VertexShapes.js';
import { type DrawListener, watchDrawing } from './watchDrawing.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

const ONE = 1;
const ONE_MINUS_SRC_ALPHA = 0x303;
const FUNC_ADD = 0x8006;
const EQUAL = 0x202;

/** An index has two bytes. */
const INDEX_SHIFT = 1;

/** A render node that batches quads: its fields that tell where an object is in the batch. */
interface BatchNode {
  readonly instanceCount?: number;
  readonly vertexBufferLayout?: { readonly buffer: object };
}

/**
 * The tap of Phaser 4: everything is drawn by two methods of the renderer, and the vertices then lie in memory, in pixels
 * of the render target. Ads touched by anything but plain pictures and shapes on the screen are left to a rehearsal.
 */
export class DrawTap extends FrameTap implements DrawListener {
  protected readonly method = 'renderWebGLStep';
  readonly #renderer: Phaser4Renderer;
  #isListening = false;
  /** Textures that were drawn into in this frame. */
  readonly #targets: object[] = [];
  #targetCount = 0;
  /** Something was written to the stencil, which masks what is drawn after it. */
  #hasStencil = false;
  /** The same, past the renderer. */
  #hasForeignStencil = false;
  /** What the stencil is compared with; null as long as nobody has changed that. The context would be slow to tell. */
  #stencilRef: number | null = null;
  #writesStencil = false;
  /**
   * Ads drawn and not taken in yet: how many, and the vertex buffer; then of each its index, its quad in the batch, and
   * its camera.
   */
  #waiting = 0;
  #waitingIn: object | null = null;
  readonly #waitingAds: number[] = [];
  readonly #waitingQuads: number[] = [];
  readonly #waitingCameras: Camera[] = [];
  /** The node before the ad that is being drawn, and the number of quads in its batch then. */
  #nodeBefore: BatchNode | null = null;
  #quadsBefore = 0;
  readonly #shapes: CallShapes;
  /** The last upload: its memory, and how many bytes of it. */
  #uploaded: unknown = null;
  #uploadedBytes = 0;
  /**
   * Quads that were looked at ahead of their draw call and lie beside all ads: their context, their batch as last
   * uploaded, and the range of their vertices. On phones Phaser draws a batch in hundreds of calls, one for each texture.
   */
  #clearOn: DrawingContext | null = null;
  #clearIn: VertexArray | null = null;
  #clearFrom = 0;
  #clearTo = 0;
  #state = -1;
  #isPlain = false;

  constructor(game: Phaser.Game, maps: AlphaMaps, friendly: ReadonlyMap<unknown, unknown>) {
    super(game, nearQuadsOf(game.renderer as unknown as Phaser4Renderer), maps, friendly, true);
    this.#shapes = new CallShapes(this.near, this.record);
    this.#renderer = game.renderer as unknown as Phaser4Renderer;
    watchDrawing(this.#renderer, this);
  }

  override detach(): void {
    super.detach();
    this.#isListening = false;
    this.#targets.length = this.#waitingCameras.length = 0;
    this.#waiting = this.#targetCount = 0;
    this.#waitingIn = this.#nodeBefore = this.#uploaded = null;
    this.#forgetAhead();
    this.#shapes.release();
  }

  override begin(page: PageView): void {
    super.begin(page);
    this.#isListening = true;
    this.#waiting = this.#targetCount = 0;
    this.#forgetAhead();
    const isCleared = this.#renderer.config?.clearBeforeRender !== false;
    if (isCleared) this.#hasStencil = this.#hasForeignStencil = false;
  }

  override end(): void {
    super.end();
    this.#isListening = false;
  }

  protected takeRest(): void {
    const waiting = this.#waiting;
    const waitingAds = this.#waitingAds;
    this.#waiting = 0;
    for (let k = 0; k < waiting; k++) this.takeOtherAd(waitingAds[k]!);
  }

  // --- what is drawn ---

  onDraw(
    context: DrawingContext,
    textures: readonly (TextureWrapper | null)[],
    shader: ShaderProgram,
    vertices: VertexArray,
    count: number,
    offset: number,
    topology: number | undefined,
  ): void {
    if (!this.#isListening || this.#isClear(context, vertices, count, offset)) return;
    if (this.#noteTarget(context)) return;
    if (changesStencil(context.state)) this.#hasStencil = true;
    const isSeen = drawsColor(context.state) && count >= 3;
    const buffer = vertices.attributeBufferLayouts[0]?.buffer;
    // An ad that is drawn on the stencil alone is no longer in the batch when the next call draws from it.
    if (this.#waiting > 0 && (!isSeen || buffer !== this.#waitingIn)) this.takeRest();
    if (!isSeen) return;
    if (this.#waiting === 0 && this.active === 0) return;
    const shapes = this.#shapes;
    if (!shapes.take(textures, shader, vertices)) {
      this.takeRest();
      this.giveUp();
      return;
    }
    this.#isPlain = shapes.isPlain && textures.length <= this.#renderer.maxTextures;
    this.#state = -1;
    const first = offset >> INDEX_SHIFT;
    if (topology !== TRIANGLES && shapes.isQuads(first, count)) {
      // As whole numbers: a fraction that is passed as an argument may be boxed.
      const quads = (count / QUAD) | 0;
      this.#scanBatch(context, (first / QUAD) | 0, quads);
      this.#lookAhead(context, vertices, shapes.vertexAt(first) + CORNERS * quads);
    } else {
      // Quads looked at ahead are recognized by their indices, which {@link #shapes} no longer has.
      this.#forgetAhead();
      this.takeRest();
      if (topology === TRIANGLES) this.#scanTriangles(context, first, first + count);
      else this.#scanStrip(context, first, first + count);
    }
  }

  onUpload(data: unknown): void {
    if (!this.#isListening || !ArrayBuffer.isView(data)) return;
    this.#forgetAhead();
    this.#uploaded = data.buffer;
    this.#uploadedBytes = data.byteLength;
  }

  onInstances(context: DrawingContext): void {
    if (!this.#isListening || this.#noteTarget(context)) return;
    if (changesStencil(context.state)) this.#hasStencil = true;
    this.takeRest();
    if (this.active > 0) this.giveUp();
  }

  onClear(bits: number, framebuffer: FramebufferWrapper | null): void {
    if (!this.#isListening) return;
    const { gl, glWrapper } = this.#renderer;
    if ((bits & gl.STENCIL_BUFFER_BIT) !== 0 && (glWrapper.state.stencil?.clear ?? 0) !== 0) this.#hasStencil = true;
    const isScreen = framebuffer === null || framebuffer.useCanvas;
    if (isScreen && this.active > 0 && (bits & gl.COLOR_BUFFER_BIT) !== 0) this.giveUp();
  }

  onYield(): void {
    if (this.#isListening && this.active > 0) this.giveUp();
  }

  onForeign(isSeen: boolean): void {
    if (!this.#isListening) return;
    const { gl } = this.#renderer;
    if (this.#writesStencil && gl.isEnabled(gl.STENCIL_TEST)) this.#hasForeignStencil = true;
    if (isSeen && this.active > 0) this.giveUp();
  }

  onStencilFunc(ref: number): void {
    this.#stencilRef = ref;
  }

  onStencilOp(writes: boolean): void {
    this.#writesStencil = writes;
  }

  /** True of quads that were looked at ahead: they lie beside all ads. */
  #isClear(context: DrawingContext, vertices: VertexArray, count: number, offset: number): boolean {
    if (vertices !== this.#clearIn || context !== this.#clearOn || this.#waiting > 0) return false;
    const shapes = this.#shapes;
    const first = offset >> INDEX_SHIFT;
    if (!shapes.isQuads(first, count)) return false;
    const from = shapes.vertexAt(first);
    return from >= this.#clearFrom && from + CORNERS * ((count / QUAD) | 0) <= this.#clearTo;
  }

  /** Looks ahead at the quads of the batch from the vertex `from` on, which the next calls draw. */
  #lookAhead(context: DrawingContext, vertices: VertexArray, from: number): void {
    const { record } = this;
    const shapes = this.#shapes;
    const uploaded = this.#uploaded;
    this.#forgetAhead();
    if (record.pieceCount === 0 || uploaded !== shapes.memory) return;
    this.fillBins();
    this.#clearOn = context;
    this.#clearIn = vertices;
    this.#clearFrom = from;
    this.#clearTo = shapes.nextNear(from, shapes.verticesIn(this.#uploadedBytes));
  }

  #forgetAhead(): void {
    this.#clearOn = this.#clearIn = null;
  }

  /** Notes the texture that is drawn into; false for the screen. */
  #noteTarget({ useCanvas, texture }: DrawingContext): boolean {
    if (useCanvas) return false;
    if (texture !== null && !this.#isTarget(texture)) this.#targets[this.#targetCount++] = texture;
    return true;
  }

  #isTarget(texture: object): boolean {
    for (let i = 0; i < this.#targetCount; i++) if (this.#targets[i] === texture) return true;
    return false;
  }

  // --- ads ---

  /** An object's first render step calls its later ones, so only the first counts. */
  beforeAd(step: unknown): void {
    if (step) return;
    const node = this.#renderer.renderNodes.currentBatchNode as BatchNode | null | undefined;
    this.#nodeBefore = node ?? null;
    this.#quadsBefore = node?.instanceCount ?? 0;
  }

  /** The ad's quad is the last one of the batch. */
  adDrawn(index: number, ad: GameObject, view: object, step: unknown): void {
    const context = view as DrawingContext;
    if (step || !this.#isListening || beingRehearsed.has(this.#renderer)) return;
    const node = (this.#renderer.renderNodes.currentBatchNode as BatchNode | null | undefined) ?? null;
    const before = node === this.#nodeBefore ? this.#quadsBefore : 0;
    const count = node?.instanceCount ?? 0;
    const buffer = node?.vertexBufferLayout?.buffer;
    if (
      buffer === undefined ||
      !context.useCanvas ||
      context.camera === null ||
      !isOneQuad(ad) ||
      // A game's class may draw more than its picture, or nothing.
      (count !== before + 1 && (count !== 1 || before === 1))
    ) {
      this.takeRest();
      this.takeOtherAd(index);
      return;
    }
    const waiting = this.#waiting;
    // The waiting ads were in a batch that was never drawn.
    if (waiting > 0 && (buffer !== this.#waitingIn || this.#waitingQuads[waiting - 1]! >= count - 1)) this.takeRest();
    const at = this.#waiting;
    this.#waitingIn = buffer;
    this.#waitingAds[at] = index;
    this.#waitingQuads[at] = count - 1;
    this.#waitingCameras[at] = context.camera;
    this.#waiting = at + 1;
  }

  // --- shapes ---

  /** Looks through a part of a batch of quads, and takes in the ads in it. */
  #scanBatch(context: DrawingContext, first: number, quads: number): void {
    const waitingAds = this.#waitingAds;
    const waitingQuads = this.#waitingQuads;
    const waitingCameras = this.#waitingCameras;
    const base = this.#shapes.vertexAt(first * QUAD);
    let from = 0;
    let met = 0;
    for (; met < this.#waiting && waitingQuads[met]! < first + quads; met++) {
      const quad = waitingQuads[met]! - first;
      // The ad was in a part of the batch that was never drawn.
      if (quad < 0) {
        this.takeOtherAd(waitingAds[met]!);
        continue;
      }
      this.#scanQuads(context, base + CORNERS * from, base + CORNERS * quad);
      this.#meet(context, waitingAds[met]!, base + CORNERS * quad, waitingCameras[met]!);
      from = quad + 1;
    }
    this.#waiting -= met;
    for (let k = 0; k < this.#waiting; k++) {
      waitingAds[k] = waitingAds[k + met]!;
      waitingQuads[k] = waitingQuads[k + met]!;
      waitingCameras[k] = waitingCameras[k + met]!;
    }
    this.#scanQuads(context, base + CORNERS * from, base + CORNERS * quads);
  }

  /** Takes in an ad whose quad begins at a vertex. */
  #meet(context: DrawingContext, index: number, vertex: number, camera: Camera): void {
    const { near, record, shown } = this;
    const shapes = this.#shapes;
    const { box } = shapes;
    if (this.#state < 0) this.#state = this.#readState(context);
    if (record.unusual[this.#state] === 1 || this.#isMaskedUnseen()) {
      this.takeOtherAd(index);
      return;
    }
    if (near.isFull) this.drain();
    this.fillBins();
    shapes.readBox(vertex, vertex + 1, vertex + 2, vertex + 3);
    for (let k = 0; k < 4; k++) shown[k] = box[k]!;
    const isNear = box[2]! > record.minX && box[0]! < record.maxX && box[3]! > record.minY && box[1]! < record.maxY;
    shapes.keep(vertex, vertex + 1, vertex + 2, vertex + 3, isNear ? near.bins.touching(box, 0) : 0, this.#state);
    this.takeAd(index, this.#state, camera);
  }

  /** Looks through the quads of the vertices `from ≤ v < to`. */
  #scanQuads(context: DrawingContext, from: number, to: number): void {
    if (this.record.pieceCount === 0) return;
    this.fillBins();
    const shapes = this.#shapes;
    for (let v = shapes.nextNear(from, to); v < to; v = shapes.nextNear(v + CORNERS, to)) {
      this.#look(context, v, v + 1, v + 2, v + 3);
    }
  }

  #scanTriangles(context: DrawingContext, from: number, to: number): void {
    if (this.record.pieceCount === 0) return;
    this.fillBins();
    for (let i = from; i + 2 < to; i += 3) {
      this.#look(context, this.#shapes.vertexAt(i), this.#shapes.vertexAt(i + 1), this.#shapes.vertexAt(i + 2), -1);
    }
  }

  /** Parts of a strip are joined by triangles of no area. */
  #scanStrip(context: DrawingContext, from: number, to: number): void {
    if (this.record.pieceCount === 0) return;
    this.fillBins();
    for (let i = from; i + 2 < to; i++) {
      const a = this.#shapes.vertexAt(i);
      const b = this.#shapes.vertexAt(i + 1);
      const c = this.#shapes.vertexAt(i + 2);
      if (a !== b && b !== c && a !== c) this.#look(context, a, b, c, -1);
    }
  }

  /** Keeps a quad, or a triangle whose fourth vertex is −1, if it touches an ad. */
  #look(context: DrawingContext, a: number, b: number, c: number, d: number): void {
    const { near } = this;
    const shapes = this.#shapes;
    shapes.readBox(a, b, c, d);
    const ads = near.bins.touching(shapes.box, 0);
    if (ads === 0 || !this.#touchesAny()) return;
    if (near.isFull) this.drain();
    if (this.#state < 0) this.#state = this.#readState(context);
    shapes.keep(a, b, c, d, ads, this.#state);
  }

  #touchesAny(): boolean {
    const { record } = this;
    const { box } = this.#shapes;
    // NaN counts as near: it may be anywhere.
    return !(box[2]! <= record.minX || box[0]! >= record.maxX || box[3]! <= record.minY || box[1]! >= record.maxY);
  }

  /** Adds a draw call's state to the record, scissor and page as one rectangle, and returns its index. */
  #readState({ height, state, width }: DrawingContext): number {
    const { page, record } = this;
    const { clips } = record;
    const at = 4 * record.stateCount;
    clips[at] = page?.minX ?? 0;
    clips[at + 1] = page?.minY ?? 0;
    clips[at + 2] = page?.maxX ?? width;
    clips[at + 3] = page?.maxY ?? height;
    const { blend, colorWritemask, scissor, stencil, viewport } = state;
    if (scissor.enable) {
      // The context cuts fractions off.
      const left = Math.trunc(scissor.box[0]!);
      const bottom = Math.trunc(scissor.box[1]!);
      const top = height - bottom - Math.trunc(scissor.box[3]!);
      if (left > clips[at]) clips[at] = left;
      if (top > clips[at + 1]!) clips[at + 1] = top;
      if (left + Math.trunc(scissor.box[2]!) < clips[at + 2]!) clips[at + 2] = left + Math.trunc(scissor.box[2]!);
      if (height - bottom < clips[at + 3]!) clips[at + 3] = height - bottom;
    }
    const isMasked =
      stencil?.enabled === true && (this.#hasStencil || stencil.func.func !== EQUAL || stencil.func.ref !== 0);
    const isPlain =
      this.#isPlain &&
      !isMasked &&
      blend.func[0] === ONE &&
      blend.func[1] === ONE_MINUS_SRC_ALPHA &&
      blend.equation[0] === FUNC_ADD &&
      !(colorWritemask?.includes(false) ?? false) &&
      viewport[0] === 0 &&
      viewport[1] === 0 &&
      viewport[2] === width &&
      viewport[3] === height &&
      !this.#showsTargets();
    return record.addState(!isPlain);
  }

  /**
   * Whether what is drawn now is masked past the renderer, as render steps of a game may do: the context knows, the renderer's
   * own state does not. Covers behind such a mask count whole.
   */
  #isMaskedUnseen(): boolean {
    const { gl, glWrapper } = this.#renderer;
    if (!gl.isEnabled(gl.STENCIL_TEST)) return false;
    const { stencil } = glWrapper.state;
    const isOther = this.#stencilRef !== null && this.#stencilRef !== stencil?.func.ref;
    return this.#hasForeignStencil || !stencil?.enabled || isOther;
  }

  /** True when a shown texture was drawn into in this frame: only a rehearsal knows what it shows. */
  #showsTargets(): boolean {
    const { shownTextures } = this.#shapes;
    if (this.#targetCount === 0) return false;
    for (let i = 0; i < shownTextures.length; i++)
      if (shownTextures[i] && this.#isTarget(shownTextures[i]!)) return true;
    return false;
  }
}

function nearQuadsOf({ renderNodes }: Phaser4Renderer): NearQuads {
  const node = renderNodes.getNode('BatchHandlerQuad') as BatchNode | null;
  const buffer = node?.vertexBufferLayout?.buffer as Partial<QuadBuffer> | undefined;
  return buffer?.viewF32 && buffer.viewU8 ? NearQuads.ofBuffer(buffer as QuadBuffer) : NearQuads.alone();
}

import { covers } from '../draws/blendOf.js';
import type { DrawOp, DrawState, ProgramUse, Shape } from '../draws/DrawOp.js';
import { IGNORES_TEXTURE, ProgramKind, UNKNOWN_FUNC } from '../draws/DrawOp.js';
import { beingRehearsed, OwnedDraws } from '../draws/OwnedDraws.js';
import { sizesOf } from '../draws/sizesOf.js';
import { wholeShape } from '../draws/wholeShape.js';
import { paintsSolid } from './paintsSolid.js';
import type {
  ContextState,
  DrawingContext,
  FramebufferWrapper,
  Phaser4Renderer,
  ShaderProgram,
  TextureWrapper,
  VertexArray,
} from './Phaser4Renderer.js';
import { type Program, programOf, useOf } from './programs.js';
import { VertexShapes } from './VertexShapes.js';
import { type DrawListener, watchDrawing } from './watchDrawing.js';

/** `gl.KEEP`. */
const KEEP = 0x1e00;

/** All eight bits of a stencil value. */
const ALL_BITS = 0xff;

/** Indices are numbers of two bytes. */
const INDEX_BYTES = 2;

/** Texture coordinates are 32-bit floats. */
const UV_TOLERANCE = 1e-6;

/** Notes what the WebGL renderer of Phaser 4 draws, while nothing is painted. */
export class DrawCalls extends OwnedDraws implements DrawListener {
  /** How far the filter that is drawn next paints beyond its input, in pixels. */
  reachPx = 0;

  readonly #vertices = new VertexShapes();
  /** Size of each texture when it was last drawn on. */
  readonly #drawnAs = new Map<object, readonly [number, number]>();
  #giveBack: (() => void) | null = null;

  constructor(private readonly renderer: Phaser4Renderer) {
    super();
  }

  /** Takes the renderer over: from here on nothing is drawn. */
  attach(): void {
    beingRehearsed.add(this.renderer);
    this.#giveBack = watchDrawing(this.renderer, this, false);
    this.clear();
  }

  /** Gives the renderer back as it was. */
  detach(): void {
    this.#giveBack?.();
    this.#giveBack = null;
    beingRehearsed.delete(this.renderer);
  }

  override clear(): void {
    super.clear();
    this.#drawnAs.clear();
  }

  protected finishBatch(): void {
    this.renderer.renderNodes.finishBatch();
  }

  onClear(bits: number, framebuffer: FramebufferWrapper | null): void {
    const { gl, glWrapper } = this.renderer;
    const { state } = glWrapper;
    const { clear = 0, writeMask = ALL_BITS } = state.stencil ?? {};
    const clearsColor = (bits & gl.COLOR_BUFFER_BIT) !== 0 && drawsColor(state);
    const clearsStencil = (bits & gl.STENCIL_BUFFER_BIT) !== 0 && writeMask !== 0;
    if (!clearsColor && !clearsStencil) return;
    const target = framebuffer === null || framebuffer.useCanvas ? null : (framebuffer.renderTexture ?? framebuffer);
    const stencilValue = writeMask === ALL_BITS ? clear : NaN;
    this.ops.push({ type: 'clear', target, state: stateOf(state), clearsColor, clearsStencil, stencilValue });
  }

  onInstances(context: DrawingContext, textures: readonly (TextureWrapper | null)[], program: ShaderProgram): void {
    const isStencil = changesStencil(context.state);
    if (this.isBeforeAds(targetOf(context) === null) && !isStencil) return;
    const use = { ...useOf(programOf(program), program, 0, sizeOf(textures)), kind: ProgramKind.ANYWHERE };
    this.#add(context, use, textures, [wholeShape(context.state.viewport)]);
  }

  onDraw(
    context: DrawingContext,
    textures: readonly (TextureWrapper | null)[],
    shader: ShaderProgram,
    vertices: VertexArray,
    count: number,
    offset: number,
    topology: number | undefined,
  ): void {
    const { colorWritemask, viewport } = context.state;
    if (count < 3) return;
    const isStencil = changesStencil(context.state);
    const hasColor = drawsColor(context.state);
    if (!hasColor && !isStencil) return;
    const isOnScreen = targetOf(context) === null && hasColor;
    if (hasColor && this.isBeforeAds(isOnScreen) && !isStencil) return;
    const program = programOf(shader);
    const set = useOf(program, shader, this.#takeReach(program), sizeOf(textures));
    if (!this.#vertices.take(context, shader, vertices, textures.length)) {
      this.#add(context, { ...set, kind: ProgramKind.ANYWHERE }, textures, [wholeShape(viewport)]);
      return;
    }
    const shapes = this.#vertices.list(offset / INDEX_BYTES, count, topology, this.windowOf(isOnScreen));
    if (shapes.length === 0) return;
    const isPartial = hasColor && colorWritemask?.includes(false) === true;
    const isPastEdge = program.smears && shapes.some(isPadded);
    const isUnknown = isPartial || isPastEdge || textures.length > this.renderer.maxTextures;
    if (isUnknown) this.#add(context, { ...set, kind: ProgramKind.OVER }, textures, shapes);
    // How bright its colours are is not known: with them it must cover, and not only change the light.
    else if (paintsSolid(program, shader, this.marks.last) && covers(stateOf(context.state))) {
      const solid = shapes.map((shape) => ({ ...shape, effect: IGNORES_TEXTURE }));
      this.#add(context, { ...set, kind: ProgramKind.TEXTURE }, textures, solid);
    } else this.#add(context, set, textures, shapes);
  }

  /** Only the first pass of a filter reaches beyond its input. */
  #takeReach({ isFilter }: Program): number {
    if (!isFilter) return 0;
    const { reachPx } = this;
    this.reachPx = 0;
    return reachPx;
  }

  #add(
    context: DrawingContext,
    program: ProgramUse,
    textures: readonly (TextureWrapper | null)[],
    shapes: Shape[],
  ): void {
    const target = targetOf(context);
    if (target !== null) this.#noteSize(target, context);
    const op: DrawOp = {
      type: 'draw',
      target,
      owner: this.marks.last,
      camera: this.marks.camera,
      program,
      textures: textures.slice(),
      sizes: sizesOf(textures),
      state: stateOf(context.state),
      shapes,
    };
    this.ops.push(op);
    // A draw that changes both colour and stencil is rare.
    if (op.state.hasColor && changesStencil(context.state)) {
      this.ops.push({ ...op, state: { ...op.state, hasColor: false, stencilFunc: UNKNOWN_FUNC } });
    }
  }

  /** A texture that was resized is empty, and no call tells of it. */
  #noteSize(target: object, { width, height, state }: DrawingContext): void {
    const last = this.#drawnAs.get(target);
    if (last?.[0] === width && last[1] === height) return;
    this.#drawnAs.set(target, [width, height]);
    if (last === undefined) return;
    const whole = { ...stateOf(state), hasScissor: false };
    this.ops.push({ type: 'clear', target, state: whole, clearsColor: true, clearsStencil: true });
  }
}

/** Size of the texture that is shown. */
function sizeOf([texture]: readonly (TextureWrapper | null)[]): readonly [width: number, height: number] {
  return [texture?.width ?? 0, texture?.height ?? 0];
}

/** True when the shape shows more than its texture has. */
function isPadded({ uv }: Shape): boolean {
  return uv.some((place) => place < -UV_TOLERANCE || place > 1 + UV_TOLERANCE);
}

/** The texture that is drawn into; null for the screen. */
export function targetOf({ useCanvas, texture }: DrawingContext): object | null {
  return useCanvas ? null : texture;
}

/** True when some colour channel is drawn. */
export function drawsColor({ colorWritemask }: ContextState): boolean {
  return colorWritemask?.includes(true) ?? true;
}

/** True when what is drawn changes the stencil. */
export function changesStencil({ stencil }: ContextState): boolean {
  if (stencil?.enabled !== true || stencil.writeMask === 0) return false;
  return stencil.op.zpass !== KEEP || stencil.op.fail !== KEEP;
}

export function stateOf(state: ContextState): DrawState {
  const { blend, scissor, stencil, viewport } = state;
  const { func, op, writeMask = ALL_BITS } = stencil ?? {};
  const isOfAllBits = func?.mask === ALL_BITS && (writeMask === ALL_BITS || writeMask === 0);
  const four = (box: readonly number[]): [number, number, number, number] => [box[0]!, box[1]!, box[2]!, box[3]!];
  return {
    isBlending: true,
    source: blend.func[0] ?? 0,
    destination: blend.func[1] ?? 0,
    equation: blend.equation[0] ?? 0,
    hasStencilTest: stencil?.enabled === true,
    stencilFunc: isOfAllBits ? func.func : UNKNOWN_FUNC,
    stencilRef: func?.ref ?? 0,
    stencilFail: op?.fail ?? KEEP,
    stencilPass: op?.zpass ?? KEEP,
    hasColor: drawsColor(state),
    hasScissor: scissor.enable,
    // The context cuts fractions off.
    scissor: four(scissor.box.map(Math.trunc)),
    viewport: four(viewport),
  };
}

import { type DrawState, ProgramKind, type ProgramUse, type Shape } from '../draws/DrawOp.js';
import type { ScreenWindow } from '../draws/FrameRecorder.js';
import { beingRehearsed, OwnedDraws } from '../draws/OwnedDraws.js';
import { sizesOf } from '../draws/sizesOf.js';
import { wholeShape } from '../draws/wholeShape.js';
import { Batch } from './Batch.js';
import { ContextGuard } from './ContextGuard.js';
import { ContextSettings } from './ContextSettings.js';
import { bytesOf, type PhaserRenderer, rawOf, RendererIndex } from './PhaserRenderer.js';
import { type Program, readProgram, uniformOf, useOf } from './programs.js';
import { shaderRounding } from './shaderRounding.js';

type GL = WebGLRenderingContext;
type Call = (...args: never[]) => unknown;
type Notes = Record<string, (...args: never[]) => void>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Functions that are not passed on to the context: they change pixels, or a buffer that is filled anew before each draw. */
const MUTED = new Set(['drawArrays', 'drawElements', 'clear', 'bufferSubData', 'copyTexSubImage2D']);

/** Relative error of a number after several roundings to a 32-bit float. */
const FLOAT_ERROR = 1e-6;

/**
 * Replaces functions of a WebGL context so that nothing is painted, and notes what the engine draws: with which program
 * and state, onto which target, for which object. State and shaders still reach the context: the engine keeps track of
 * both.
 */
export class ContextRecorder extends OwnedDraws {
  readonly #gl: GL;
  readonly #settings: ContextSettings;
  readonly #guard: ContextGuard;
  readonly #index: RendererIndex;
  readonly #hooks: Record<string, Call> = {};
  #natives: Record<string, Call> = {};
  #isAttached = false;
  readonly #programs = new WeakMap<WebGLProgram, Program>();
  readonly #uploads = new WeakMap<WebGLBuffer, Uint8Array>();
  readonly #targets = new WeakMap<WebGLFramebuffer, WebGLTexture>();
  #batch: Batch | null = null;

  #unit = 0;
  #units: (WebGLTexture | null)[] = [];
  /** The {@link #units} as game objects have them, shared by all draws with them; null once one has changed. */
  #handles: readonly (object | null)[] | null = null;
  #program: WebGLProgram | null = null;
  #arrayBuffer: WebGLBuffer | null = null;
  #framebuffer: WebGLFramebuffer | null = null;
  #drawnOn: object | null = null;
  #state: Mutable<DrawState> = { ...START };
  /** Copy of {@link #state}, shared by all draws in it; null once it has changed. */
  #frozen: DrawState | null = null;

  constructor(private readonly renderer: PhaserRenderer) {
    super();
    this.#gl = renderer.gl;
    this.#settings = ContextSettings.of(renderer);
    this.#guard = new ContextGuard(this.#gl, this.#settings);
    this.#index = new RendererIndex(renderer);
    const notes = this.#notes();
    for (const name in notes) this.#hooks[name] = this.#hookOf(name, notes[name]!);
  }

  /** Takes the context over: from here on nothing is drawn. */
  attach(): void {
    const { renderer } = this;
    const gl = this.#gl;
    const context = gl as unknown as Record<string, Call>;
    const natives: Record<string, Call> = {};
    for (const name in this.#hooks) {
      natives[name] = context[name]!;
      context[name] = this.#hooks[name]!;
    }
    this.#natives = natives;
    this.#isAttached = true;
    beingRehearsed.add(renderer);
    this.clear();
    this.#unit = this.#settings.valuesOf('activeTexture')[0]! - gl.TEXTURE0;
    // Other units are bound before anything is drawn with them.
    this.#units = (renderer.pipelines.current?.activeTextures ?? []).map((texture) => rawOf(texture, 'webGLTexture'));
    this.#program = rawOf<WebGLProgram>(renderer.currentProgram, 'webGLProgram');
    const buffer: unknown = gl.getParameter(gl.ARRAY_BUFFER_BINDING);
    // A placeholder will do: each batch is written to the buffer before it is drawn.
    this.#arrayBuffer = typeof buffer === 'object' && buffer !== null ? buffer : {};
    this.#framebuffer = this.#drawnOn = this.#handles = null;
    // Phaser may have forgotten to take a mask off: then the next frame begins with it.
    const [stencilFunc = START.stencilFunc, stencilRef = START.stencilRef] = this.#settings.valuesOf('stencilFunc');
    this.#state = {
      ...START,
      hasStencilTest: gl.isEnabled(gl.STENCIL_TEST),
      stencilFunc,
      stencilRef,
    };
    this.#frozen = null;
  }

  /** Gives the context back as it was. */
  detach(): void {
    const { renderer } = this;
    const natives = this.#natives;
    if (!this.#isAttached) return;
    this.#isAttached = false;
    beingRehearsed.delete(renderer);
    const context = this.#gl as unknown as Record<string, Call>;
    // Assigned and not deleted: deleting would make the context a slow object.
    for (const name in natives) context[name] = natives[name]!;
    this.#guard.restore();
  }

  override clear(): void {
    super.clear();
    this.#batch = null;
  }

  protected finishBatch(): void {
    this.renderer.flush();
  }

  /** The state in force, shared by all that is drawn in it. */
  get drawState(): DrawState {
    return (this.#frozen ??= { ...this.#state });
  }

  /** The texture that is drawn into; null for the screen. */
  get target(): object | null {
    return this.#drawnOn;
  }

  #hookOf(name: string, note: (...args: never[]) => void): Call {
    const gl = this.#gl;
    const isMuted = MUTED.has(name);
    return (...args: never[]): unknown => {
      const native = this.#natives[name]!;
      // Whoever has kept it calls the native function after {@link detach}.
      if (!this.#isAttached) return native.apply(gl, args);
      this.#guard.note(name, args[0]!);
      note(...args);
      return isMuted ? undefined : native.apply(gl, args);
    };
  }

  /** By function of the context: notes what its arguments tell. */
  #notes(): Notes {
    const gl = this.#gl;
    return {
      useProgram: (program: WebGLProgram | null) => (this.#program = program),
      activeTexture: (unit: number) => (this.#unit = unit - gl.TEXTURE0),
      bindTexture: (_target: number, texture: WebGLTexture | null) => {
        this.#units[this.#unit] = texture;
        this.#handles = null;
      },
      bindFramebuffer: (_target: number, framebuffer: WebGLFramebuffer | null) => this.#bindFramebuffer(framebuffer),
      framebufferTexture2D: (_target: number, _at: number, _kind: number, texture: WebGLTexture | null) =>
        this.#attachTexture(texture),
      bindBuffer: (target: number, buffer: WebGLBuffer | null) => {
        if (target === gl.ARRAY_BUFFER) this.#arrayBuffer = buffer;
      },
      bufferData: (target: number, data: unknown) => this.#upload(target, data),
      bufferSubData: (target: number, _offset: number, data: unknown) => this.#upload(target, data),
      enable: (ability: number) => this.#setAbility(ability, true),
      disable: (ability: number) => this.#setAbility(ability, false),
      blendFunc: (source: number, destination: number) => this.#setBlend(source, destination),
      blendFuncSeparate: (source: number, destination: number) => this.#setBlend(source, destination),
      blendEquation: (equation: number) => this.#set('equation', equation),
      stencilFunc: (func: number, ref: number) => {
        this.#set('stencilFunc', func);
        this.#set('stencilRef', ref);
      },
      stencilOp: (fail: number, _depthFail: number, pass: number) => {
        this.#set('stencilFail', fail);
        this.#set('stencilPass', pass);
      },
      colorMask: (red: boolean) => this.#set('hasColor', red),
      scissor: (x: number, y: number, width: number, height: number) =>
        this.#set('scissor', [Math.trunc(x), Math.trunc(y), Math.trunc(width), Math.trunc(height)]),
      viewport: (x: number, y: number, width: number, height: number) => this.#set('viewport', [x, y, width, height]),
      clearColor: () => undefined,
      clear: (bits: number) => this.#onClear(bits),
      copyTexSubImage2D: (
        _target: number,
        _level: number,
        toX: number,
        toY: number,
        x: number,
        y: number,
        w: number,
        h: number,
      ) => this.#onCopy(toX, toY, x, y, w, h),
      drawArrays: (mode: number, first: number, count: number) =>
        this.#onDraw(count, (batch, window) => batch.list(first, count, mode === gl.TRIANGLE_STRIP, window)),
      // Phaser 3 draws without indices: this is a pipeline of the game's own.
      drawElements: (_mode: number, count: number) => this.#onDraw(count, () => null),
    };
  }

  #set<K extends keyof DrawState>(key: K, value: DrawState[K]): void {
    if (this.#state[key] === value) return;
    (this.#state as DrawState as Record<K, DrawState[K]>)[key] = value;
    this.#frozen = null;
  }

  #setBlend(source: number, destination: number): void {
    this.#set('source', source);
    this.#set('destination', destination);
  }

  #setAbility(ability: number, is: boolean): void {
    const gl = this.#gl;
    if (ability === gl.BLEND) this.#set('isBlending', is);
    else if (ability === gl.STENCIL_TEST) this.#set('hasStencilTest', is);
    else if (ability === gl.SCISSOR_TEST) this.#set('hasScissor', is);
  }

  #bindFramebuffer(framebuffer: WebGLFramebuffer | null): void {
    this.#framebuffer = framebuffer;
    if (framebuffer === null) {
      this.#drawnOn = null;
      return;
    }
    const texture = this.#targets.get(framebuffer) ?? this.#index.textureBehind(framebuffer);
    // What is drawn into a framebuffer that Phaser did not make never comes to the screen by a known texture.
    this.#drawnOn = texture === null ? framebuffer : this.#index.handleOf(texture);
  }

  #attachTexture(texture: WebGLTexture | null): void {
    if (this.#framebuffer === null || texture === null) return;
    this.#targets.set(this.#framebuffer, texture);
    this.#drawnOn = this.#index.handleOf(texture);
  }

  #upload(target: number, data: unknown): void {
    const bytes = bytesOf(data);
    if (target !== this.#gl.ARRAY_BUFFER || this.#arrayBuffer === null || bytes === null) return;
    this.#uploads.set(this.#arrayBuffer, bytes);
    // The same memory may hold other vertices now.
    this.#batch = null;
  }

  #onClear(bits: number): void {
    const { target, drawState: state } = this;
    const gl = this.#gl;
    const clearsColor = (bits & gl.COLOR_BUFFER_BIT) !== 0;
    const clearsStencil = (bits & gl.STENCIL_BUFFER_BIT) !== 0;
    if (!clearsColor && !clearsStencil) return;
    this.ops.push({ type: 'clear', target, state, clearsColor, clearsStencil });
  }

  #onCopy(toX: number, toY: number, x: number, y: number, width: number, height: number): void {
    const texture = this.#units[this.#unit];
    if (!texture) return;
    const target = this.#index.handleOf(texture);
    this.ops.push({ type: 'copy', target, from: this.target, toX, toY, x, y, width, height });
  }

  /** @param shapesOf lists what is drawn, as far as it meets a window; null where that is unknown */
  #onDraw(count: number, shapesOf: (batch: Batch, window: ScreenWindow | null) => Shape[] | null): void {
    const { target } = this;
    const gl = this.#gl;
    const state = this.#state;
    const { hasColor, viewport } = state;
    if (count < 3 || this.#program === null) return;
    if (!hasColor && (!state.hasStencilTest || (state.stencilPass === gl.KEEP && state.stencilFail === gl.KEEP)))
      return;
    const isOnScreen = target === null && hasColor;
    if (hasColor && this.isBeforeAds(isOnScreen)) return;
    const program = this.#programOf(this.#program);
    const use = useOf(gl, program, viewport[2], viewport[3]);
    const batch = this.#batchOf(program);
    const isMask = program.kind === ProgramKind.MASK;
    const isKnown = !isMask && program.kind !== ProgramKind.ANYWHERE && batch.isReadable;
    const shapes = isKnown ? shapesOf(batch, this.windowOf(isOnScreen)) : null;
    if (shapes === null) this.#add(isMask ? use : { ...use, kind: ProgramKind.ANYWHERE }, [wholeShape(viewport)]);
    else if (shapes.length > 0) this.#add(use, shapes);
  }

  /** The vertices in force, kept from call to call: with few texture units nearly every quad has a call of its own. */
  #batchOf(program: Program): Batch {
    const arrayBuffer = this.#arrayBuffer;
    const state = this.#state;
    const bytes = arrayBuffer === null ? null : (this.#uploads.get(arrayBuffer) ?? null);
    const batch = this.#batch;
    if (batch?.program === program && batch.bytes === bytes && batch.viewport === state.viewport) return batch;
    const { viewport } = state;
    const rounds = program.shader !== null && shaderRounding(program.shader) === true;
    return (this.#batch = new Batch(this.#gl, program, bytes, viewport, this.#toWindow(program), rounds));
  }

  #add(program: ProgramUse, shapes: Shape[]): void {
    const { target, drawState: state } = this;
    const { last: owner, camera } = this.marks;
    const textures = (this.#handles ??= Array.from(this.#units, (unit) => (unit ? this.#index.handleOf(unit) : null)));
    this.ops.push({ type: 'draw', target, owner, camera, program, textures, sizes: sizesOf(textures), state, shapes });
  }

  #programOf(raw: WebGLProgram): Program {
    let program = this.#programs.get(raw);
    if (program === undefined) {
      const shader = this.#index.shaderOf(raw);
      program = readProgram(this.#gl, raw, shader);
      this.#programs.set(raw, program);
    }
    return program;
  }

  /** Matrix from a program's vertex positions to pixels of the render target: x = a·x + b·y + c, then y. */
  #toWindow(program: Program): Float64Array {
    const [left, bottom, width, height] = this.#state.viewport;
    const matrix = program.hasProjection ? uniformOf(this.#gl, program, 'uProjectionMatrix') : null;
    const p = typeof matrix === 'object' ? (matrix as ArrayLike<number> | null) : null;
    // Phaser's own projection onto its render target.
    if (!p && program.hasProjection) return Float64Array.of(1, 0, left, 0, -1, height + bottom);
    if (!p) return Float64Array.of(width / 2, 0, width / 2 + left, 0, height / 2, height / 2 + bottom);
    return Float64Array.of(
      unrounded((p[0]! * width) / 2),
      unrounded((p[4]! * width) / 2),
      unrounded(((p[8]! + p[12]! + 1) * width) / 2) + left,
      unrounded((p[1]! * height) / 2),
      unrounded((p[5]! * height) / 2),
      unrounded(((p[9]! + p[13]! + 1) * height) / 2) + bottom,
    );
  }
}

/**
 * Undoes the rounding of a projection's number to a 32-bit float: Phaser's projections go by whole pixels. The error is
 * less than the GPU tells apart, but it would move an ad's edge off the edge of its last pixels.
 */
function unrounded(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < FLOAT_ERROR * Math.max(1, Math.abs(whole)) ? whole : value;
}

/** The state in which a frame begins. */
const START: DrawState = {
  isBlending: true,
  source: 1, // ONE
  destination: 0x303, // ONE_MINUS_SRC_ALPHA
  equation: 0x8006, // FUNC_ADD
  hasStencilTest: false,
  stencilFunc: 0x207, // ALWAYS
  stencilRef: 0,
  stencilFail: 0x1e00, // KEEP
  stencilPass: 0x1e00,
  hasColor: true,
  hasScissor: true,
  scissor: [0, 0, 0, 0],
  viewport: [0, 0, 0, 0],
};

import { type DrawOp, type DrawState, ProgramKind, type RecordedOp } from '../DrawOp.js';
import type { FrameRecorder, ScreenWindow } from '../FrameRecorder.js';
import { Batch, QUAD } from './Batch.js';
import { sizesOf } from '../sizesOf.js';
import { wholeShape } from '../wholeShape.js';
import { ContextGuard } from './ContextGuard.js';
import { OwnerMarks } from './OwnerMarks.js';
import { bytesOf, type PhaserRenderer, rawOf, RendererIndex } from './PhaserRenderer.js';
import { type Program, readProgram, uniformOf, useOf } from './programs.js';

type GL = WebGLRenderingContext;
type Call = (...args: never[]) => unknown;
type Notes = Record<string, (...args: never[]) => void>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Functions that are left out: they change pixels, or a buffer that is filled anew before each drawing. */
const MUTED = new Set(['drawArrays', 'drawElements', 'clear', 'bufferSubData', 'copyTexSubImage2D']);

/** By how much of itself a number may change that is put into a 32-bit float, some times over. */
const FLOAT_ERROR = 1e-6;

/**
 * Functions put on a WebGL context that note what the engine draws, with what, onto what and for whom, while nothing is drawn.
 * State and shaders go on reaching the context: the engine keeps books of both.
 */
export class ContextRecorder implements FrameRecorder {
  ops: RecordedOp[] = [];
  readonly marks: OwnerMarks;
  window: ScreenWindow | null = null;
  isWaiting = false;
  isAd: (owner: object | null) => boolean = () => false;

  private readonly gl: GL;
  private readonly guard: ContextGuard;
  private readonly index: RendererIndex;
  private readonly hooks: Record<string, Call> = {};
  private natives: Record<string, Call> = {};
  private isAttached = false;
  private readonly programs = new WeakMap<WebGLProgram, Program>();
  private readonly uploads = new WeakMap<WebGLBuffer, Uint8Array>();
  private readonly targets = new WeakMap<WebGLFramebuffer, WebGLTexture>();
  private batch: Batch | null = null;
  private hasOtherMatrix = false;
  private readonly matrices = new WeakMap<WebGLUniformLocation, Float32Array>();

  private unit = 0;
  private units: (WebGLTexture | null)[] = [];
  /** Those as game objects have them, shared by all that is drawn with them; null once one has changed. */
  private handles: readonly (object | null)[] | null = null;
  private program: WebGLProgram | null = null;
  private arrayBuffer: WebGLBuffer | null = null;
  private indexBuffer: WebGLBuffer | null = null;
  private framebuffer: WebGLFramebuffer | null = null;
  private drawnOn: object | null = null;
  private state: Mutable<DrawState> = { ...START };
  /** The state as all share it that is drawn in it; null once it has changed. */
  private frozen: DrawState | null = null;

  constructor(private readonly renderer: PhaserRenderer) {
    this.gl = renderer.gl;
    this.guard = new ContextGuard(this.gl);
    this.index = new RendererIndex(renderer);
    this.marks = new OwnerMarks(renderer);
    const notes = this.notes();
    for (const name in notes) this.hooks[name] = this.hookOf(name, notes[name]!);
  }

  /** Takes the context over: from here on nothing is drawn. */
  attach(): void {
    const { gl, renderer } = this;
    const context = gl as unknown as Record<string, Call>;
    const natives: Record<string, Call> = {};
    for (const name in this.hooks) {
      natives[name] = context[name]!;
      context[name] = this.hooks[name]!;
    }
    this.natives = natives;
    this.isAttached = true;
    this.clear();
    this.unit = (gl.getParameter(gl.ACTIVE_TEXTURE) as number) - gl.TEXTURE0;
    // Of the others nothing is drawn before they are bound.
    this.units = (renderer.pipelines.current?.activeTextures ?? []).map((texture) => rawOf(texture, 'webGLTexture'));
    this.program = rawOf<WebGLProgram>(renderer.currentProgram, 'webGLProgram');
    const buffer: unknown = gl.getParameter(gl.ARRAY_BUFFER_BINDING);
    // Whichever it is, a batch is written to it before it is drawn.
    this.arrayBuffer = typeof buffer === 'object' && buffer !== null ? buffer : {};
    this.framebuffer = this.drawnOn = this.handles = null;
    this.state = { ...START, hasStencilTest: gl.isEnabled(gl.STENCIL_TEST), hasScissor: gl.isEnabled(gl.SCISSOR_TEST) };
    this.frozen = null;
  }

  /** Gives the context back as it was. */
  detach(): void {
    const { gl, natives } = this;
    if (!this.isAttached) return;
    this.isAttached = false;
    const context = gl as unknown as Record<string, Call>;
    // Assigned and not deleted: that would make a slow object of the context.
    for (const name in natives) context[name] = natives[name]!;
    this.guard.restore();
  }

  clear(): void {
    this.ops = [];
    this.batch = null;
    this.marks.start();
  }

  /** The state in force, shared by all that is drawn in it. */
  get drawState(): DrawState {
    return (this.frozen ??= { ...this.state });
  }

  /** The texture that is drawn into; null for the screen. */
  get target(): object | null {
    return this.drawnOn;
  }

  private hookOf(name: string, note: (...args: never[]) => void): Call {
    const { gl } = this;
    const isMuted = MUTED.has(name);
    return (...args: never[]): unknown => {
      const native = this.natives[name]!;
      // Phaser keeps some of a context's functions for later: these go on working then.
      if (!this.isAttached) return native.apply(gl, args);
      this.guard.note(name, args[0]!);
      note(...args);
      return isMuted ? undefined : native.apply(gl, args);
    };
  }

  /** What each function tells. */
  private notes(): Notes {
    const { gl } = this;
    return {
      useProgram: (program: WebGLProgram | null) => (this.program = program),
      activeTexture: (unit: number) => {
        this.guard.chooseUnit(unit);
        this.unit = unit - gl.TEXTURE0;
      },
      bindTexture: (_target: number, texture: WebGLTexture | null) => {
        this.units[this.unit] = texture;
        this.handles = null;
      },
      bindFramebuffer: (_target: number, framebuffer: WebGLFramebuffer | null) => this.bindFramebuffer(framebuffer),
      framebufferTexture2D: (_target: number, _at: number, _kind: number, texture: WebGLTexture | null) =>
        this.attachTexture(texture),
      bindBuffer: (target: number, buffer: WebGLBuffer | null) => {
        if (target === gl.ARRAY_BUFFER) this.arrayBuffer = buffer;
        else this.indexBuffer = buffer;
      },
      bufferData: (target: number, data: unknown) => this.upload(target, data),
      bufferSubData: (target: number, _offset: number, data: unknown) => this.upload(target, data),
      uniformMatrix4fv: (location: WebGLUniformLocation | null, _transpose: boolean, matrix: ArrayLike<number>) => {
        if (location !== null) this.matrices.set(location, Float32Array.from(matrix));
        this.hasOtherMatrix = true;
      },
      enable: (ability: number) => this.setAbility(ability, true),
      disable: (ability: number) => this.setAbility(ability, false),
      blendFunc: (source: number, destination: number) => this.setBlend(source, destination),
      blendFuncSeparate: (source: number, destination: number) => this.setBlend(source, destination),
      blendEquation: (equation: number) => this.set('equation', equation),
      stencilFunc: (func: number, ref: number) => {
        this.set('stencilFunc', func);
        this.set('stencilRef', ref);
      },
      stencilOp: (fail: number, _depthFail: number, pass: number) => {
        this.set('stencilFail', fail);
        this.set('stencilPass', pass);
      },
      colorMask: (red: boolean) => this.set('hasColor', red),
      scissor: (x: number, y: number, width: number, height: number) =>
        this.set('scissor', [Math.trunc(x), Math.trunc(y), Math.trunc(width), Math.trunc(height)]),
      viewport: (x: number, y: number, width: number, height: number) => this.set('viewport', [x, y, width, height]),
      clearColor: () => undefined,
      clear: (bits: number) => this.onClear(bits),
      copyTexSubImage2D: (
        _target: number,
        _level: number,
        toX: number,
        toY: number,
        x: number,
        y: number,
        w: number,
        h: number,
      ) => this.onCopy(toX, toY, x, y, w, h),
      drawArrays: (mode: number, first: number, count: number) => this.onDraw(mode, first, count, null),
      drawElements: (mode: number, count: number, _type: number, offset: number) =>
        this.onDraw(mode, offset / 2, count, this.indices()),
    };
  }

  private set<K extends keyof DrawState>(key: K, value: DrawState[K]): void {
    if (this.state[key] === value) return;
    (this.state as DrawState as Record<K, DrawState[K]>)[key] = value;
    this.frozen = null;
  }

  private setBlend(source: number, destination: number): void {
    this.set('source', source);
    this.set('destination', destination);
  }

  private setAbility(ability: number, is: boolean): void {
    const { gl } = this;
    if (ability === gl.BLEND) this.set('isBlending', is);
    else if (ability === gl.STENCIL_TEST) this.set('hasStencilTest', is);
    else if (ability === gl.SCISSOR_TEST) this.set('hasScissor', is);
  }

  private bindFramebuffer(framebuffer: WebGLFramebuffer | null): void {
    this.framebuffer = framebuffer;
    if (framebuffer === null) {
      this.drawnOn = null;
      return;
    }
    const texture = this.targets.get(framebuffer) ?? this.index.textureBehind(framebuffer);
    // Nothing that is drawn on one that Phaser did not make comes to the screen by a texture that is known.
    this.drawnOn = texture === null ? framebuffer : this.index.handleOf(texture);
  }

  private attachTexture(texture: WebGLTexture | null): void {
    if (this.framebuffer === null || texture === null) return;
    this.targets.set(this.framebuffer, texture);
    this.drawnOn = this.index.handleOf(texture);
  }

  private upload(target: number, data: unknown): void {
    const isVertices = target === this.gl.ARRAY_BUFFER;
    const buffer = isVertices ? this.arrayBuffer : this.indexBuffer;
    const bytes = bytesOf(data);
    if (buffer === null || bytes === null) return;
    this.uploads.set(buffer, bytes);
    if (!isVertices) return;
    this.marks.onUpload();
    // The same memory may hold other vertices now.
    this.batch = null;
  }

  private indices(): Uint16Array | null {
    const bytes = this.indexBuffer === null ? undefined : this.uploads.get(this.indexBuffer);
    return bytes === undefined ? null : new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1);
  }

  private onClear(bits: number): void {
    const { gl, target, drawState: state } = this;
    const clearsColor = (bits & gl.COLOR_BUFFER_BIT) !== 0;
    const clearsStencil = (bits & gl.STENCIL_BUFFER_BIT) !== 0;
    if (!clearsColor && !clearsStencil) return;
    this.ops.push({ type: 'clear', target, state, clearsColor, clearsStencil });
  }

  private onCopy(toX: number, toY: number, x: number, y: number, width: number, height: number): void {
    const texture = this.units[this.unit];
    if (!texture) return;
    const target = this.index.handleOf(texture);
    this.ops.push({ type: 'copy', target, from: this.target, toX, toY, x, y, width, height });
  }

  private onDraw(mode: number, first: number, count: number, indices: Uint16Array | null): void {
    const { gl, target, state, marks } = this;
    const isStencil = !state.hasColor;
    if (count < 3 || this.program === null) return;
    if (isStencil && (!state.hasStencilTest || (state.stencilPass === gl.KEEP && state.stencilFail === gl.KEEP)))
      return;
    const isOnScreen = target === null && !isStencil;
    if (isOnScreen && this.isWaiting && !marks.hasAny(this.isAd) && !this.isAd(marks.last)) return;
    const program = this.programOf(this.program);
    const use = useOf(gl, program, state.viewport[2], state.viewport[3]);
    const batch = this.batchOf(program);
    if (program.kind === ProgramKind.MASK || program.kind === ProgramKind.ANYWHERE || !batch.isReadable) {
      this.add(use, marks.last, marks.lastCamera).shapes.push(wholeShape(state.viewport));
      return;
    }
    const isStrip = mode === gl.TRIANGLE_STRIP;
    const end = first + count;
    let op: DrawOp | null = null;
    for (let v = first; v + 2 < end;) {
      const at = v;
      const isQuad = !isStrip && v + QUAD <= end && batch.isQuad(v, indices);
      v += isStrip ? 1 : isQuad ? QUAD : 3;
      const owner = marks.ownerAt(indices === null ? at : indices[at]!);
      if (this.isWaiting && !isStencil && this.isAd(owner)) this.isWaiting = false;
      if (isOnScreen && !this.isWanted(batch, at, isQuad, indices, owner)) continue;
      const camera = marks.cameraAt(indices === null ? at : indices[at]!);
      if (op?.owner !== owner || op.camera !== camera) op = null;
      op ??= this.add(use, owner, camera);
      op.shapes.push(batch.shape(at, isQuad, indices));
    }
  }

  /** The vertices in force. With few texture units there is a call for nearly every quad of them. */
  private batchOf(program: Program): Batch {
    const { arrayBuffer, state } = this;
    const bytes = arrayBuffer === null ? null : (this.uploads.get(arrayBuffer) ?? this.index.dataOf(arrayBuffer));
    const { batch } = this;
    const isSame = batch?.program === program && batch.bytes === bytes && batch.viewport === state.viewport;
    if (isSame && !this.hasOtherMatrix) return batch;
    this.hasOtherMatrix = false;
    const { viewport } = state;
    return (this.batch = new Batch(this.gl, program, bytes, viewport, this.toWindow(program), roundsVertices(program)));
  }

  /** Whether something that goes to the screen may matter. */
  private isWanted(
    batch: Batch,
    v: number,
    isQuad: boolean,
    indices: Uint16Array | null,
    owner: object | null,
  ): boolean {
    if (this.isAd(owner)) return true;
    return !this.isWaiting && (this.window === null || batch.touches(v, isQuad, indices, this.window));
  }

  private add(program: DrawOp['program'], owner: object | null, camera: object | null): DrawOp {
    const { target, drawState: state } = this;
    const textures = (this.handles ??= Array.from(this.units, (unit) => (unit ? this.index.handleOf(unit) : null)));
    const op: DrawOp = {
      type: 'draw',
      target,
      owner,
      camera,
      program,
      textures,
      sizes: sizesOf(textures),
      state,
      shapes: [],
    };
    this.ops.push(op);
    return op;
  }

  private programOf(raw: WebGLProgram): Program {
    let program = this.programs.get(raw);
    if (program === undefined) {
      const shader = this.index.shaderOf(raw);
      program = readProgram(this.gl, raw, shader);
      this.programs.set(raw, program);
    }
    return program;
  }

  /** From positions as a program is given them to pixels of what is drawn on: x = a·x + b·y + c, then y. */
  private toWindow(program: Program): Float64Array {
    const [left, bottom, width, height] = this.state.viewport;
    const p = this.projectionOf(program);
    // As Phaser projects onto what it draws on.
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

  private projectionOf(program: Program): ArrayLike<number> | undefined {
    if (!program.hasProjection) return undefined;
    const uniform = program.shader?.uniforms['uProjectionMatrix'];
    const location = rawOf<WebGLUniformLocation>(uniform?.location, 'webGLUniformLocation');
    const noted = location === null ? undefined : this.matrices.get(location);
    const matrix = noted ?? uniformOf(this.gl, program, 'uProjectionMatrix');
    return typeof matrix === 'object' && matrix !== null ? (matrix as ArrayLike<number>) : undefined;
  }
}

/**
 * A number of a projection that was put into a 32-bit float: Phaser's go by whole pixels. What is left of the rounding is
 * less than the GPU tells apart, but it would take an ad's edge off the edge of the pixels it ends with.
 */
function unrounded(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) < FLOAT_ERROR * Math.max(1, Math.abs(whole)) ? whole : value;
}

/** In Phaser 3.70 and 3.80 what a sprite's camera says last holds for the whole batch. */
function roundsVertices({ shader }: Program): boolean {
  return Boolean(shader?.uniforms['uRoundPixels']?.value1);
}

/** As a frame begins. */
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

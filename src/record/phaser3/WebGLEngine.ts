import type * as Phaser from 'phaser';

import { interceptMethod } from '../interceptMethod.js';
import type { InsteadOfDrawing, ParentMatrix } from '../../rehearsal/RehearsedEngine.js';
import type { RecordedEngine } from '../FrameRecorder.js';
import { PaintedReach } from '../PaintedReach.js';
import { BatchProbe, type ProbedRenderer } from './BatchProbe.js';
import { CameraUniforms, SET_UP_PER_CAMERA } from './CameraUniforms.js';
import { ContextRecorder } from './ContextRecorder.js';
import type { PhaserRenderer, Pipeline } from './PhaserRenderer.js';
import { RendererState } from './RendererState.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

type Render = (renderer: object, object: GameObject, camera: Camera, parent?: ParentMatrix, holder?: unknown) => void;

/** `Phaser.Events.EventEmitter`: the field that holds its listeners. */
interface Emitter {
  _events: object;
}

/** Event of the renderer (`Phaser.Renderer.Events`): a camera is about to be drawn. */
const RENDER = 'render';

/** `Phaser.BlendModes.NORMAL`. */
const NORMAL = 0;

/** No listeners. */
const NOBODY = Object.freeze(Object.create(null) as object);

/** Lets Phaser 3's WebGL renderer draw without painting, and records what it draws. */
export class WebGLEngine implements RecordedEngine {
  readonly method = 'renderWebGL';
  readonly isUpward = false;
  readonly texturesHaveStencil = false;
  readonly unlit = 0;
  readonly recorder: ContextRecorder;
  readonly reach: PaintedReach;
  private readonly renderer: PhaserRenderer;
  private state: RendererState | null = null;
  private uniforms: CameraUniforms | null = null;
  private readonly undo: (() => void)[] = [];
  ads: readonly GameObject[] = [];

  constructor(game: Phaser.Game) {
    this.renderer = game.renderer as unknown as PhaserRenderer;
    this.recorder = new ContextRecorder(this.renderer);
    this.reach = new PaintedReach(game, new BatchProbe(game.renderer as unknown as ProbedRenderer));
  }

  /** Whether the renderer is in the midst of a camera, a mask, or a drawing into a texture. */
  private get isDrawing(): boolean {
    const { currentFramebuffer, scissorStack, maskStack, currentMask, currentCameraMask } = this.renderer;
    if (currentFramebuffer || scissorStack.length > 1 || maskStack.length > 0) return true;
    return Boolean(currentMask.mask ?? currentCameraMask.mask);
  }

  begin(): boolean {
    const { renderer, recorder } = this;
    if (renderer.contextLost || renderer.gl.isContextLost() || this.isDrawing) return false;
    // Between two cameras a batch may still wait to be drawn.
    renderer.flush();
    this.state = new RendererState(renderer);
    this.uniforms = new CameraUniforms(renderer);
    recorder.attach();
    this.muteRenderer();
    const { entries } = renderer.pipelines.pipelines;
    for (const key in entries) this.mute(entries[key]!);
    for (const pipeline of renderer.pipelines.postPipelineInstances ?? []) this.mute(pipeline);
    this.watchOwners();
    for (const ad of this.ads) this.watchAd(ad);
    this.startFrame();
    return true;
  }

  render(scene: Phaser.Scene, children: GameObject[], camera: Camera): void {
    this.recorder.turnTo(camera);
    // What is left in the batch is drawn with whatever comes next, as in a frame.
    this.renderer.render(scene, children, camera);
  }

  /** Draws what is left in the batch. */
  finish(): void {
    this.renderer.flush();
  }

  renderAlone(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void {
    const { renderer } = this;
    this.recorder.turnTo(camera);
    this.recorder.mark(object);
    const drawn = object as unknown as {
      renderWebGL(renderer: object, object: GameObject, camera: Camera, parent?: ParentMatrix): void;
    };
    // Only its place is asked for, whatever its pipeline makes of it: its default pipeline draws it.
    const piped = object as unknown as { pipeline?: object | null; readonly defaultPipeline?: object | null };
    const { pipeline, defaultPipeline } = piped;
    const isPiped = Boolean(pipeline && defaultPipeline) && pipeline !== defaultPipeline;
    try {
      if (isPiped) piped.pipeline = defaultPipeline!;
      drawn.renderWebGL(renderer, object, camera, parent);
      renderer.flush();
    } finally {
      if (isPiped) piped.pipeline = pipeline!;
    }
  }

  end(): void {
    const { recorder, undo, state, uniforms } = this;
    this.state = this.uniforms = null;
    try {
      uniforms!.restore();
      state!.restore();
    } finally {
      for (let i = undo.length - 1; i >= 0; i--) undo[i]!();
      undo.length = 0;
      recorder.detach();
    }
  }

  onCamera(): void {
    this.recorder.mark(null);
  }

  onObject(object: GameObject): void {
    this.recorder.mark(object);
  }

  onForeign(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void {
    const { recorder } = this;
    recorder.noteForeign(object, camera, parent, recorder.target, recorder.drawState);
  }

  intercept(object: GameObject, instead: InsteadOfDrawing): () => void {
    return interceptMethod(object, this.method, instead);
  }

  /** Without what the tap does when the ad is drawn. */
  private watchAd(ad: GameObject): void {
    const { recorder } = this;
    const drawn = ad as unknown as { renderWebGL: Render & { readonly marked?: Render } };
    const before = drawn.renderWebGL;
    const draw = before.marked ?? before;
    drawn.renderWebGL = (...given) => recorder.drawAs(ad, () => draw.apply(ad, given));
    // Assigned, even if it was the class's function: an object that loses a property becomes slow, and with it all of its kind.
    this.undo.push(() => (drawn.renderWebGL = before));
  }

  /** As `WebGLRenderer.preRender` does, without its events. */
  private startFrame(): void {
    const { renderer } = this;
    const { gl, width, height, drawingBufferHeight } = renderer;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    gl.colorMask(true, true, true, true);
    gl.viewport(0, 0, width, height);
    gl.scissor(0, drawingBufferHeight - height, width, height);
    renderer.currentScissor = renderer.defaultScissor;
    renderer.scissorStack.length = 0;
    renderer.scissorStack.push(renderer.currentScissor);
    renderer.maskStack.length = 0;
    renderer.setBlendMode(NORMAL, true);
  }

  /**
   * Silences a pipeline, so that nobody hears of the same draw twice. Replacing a method of the pipeline would do, too,
   * but would change its hidden class: from then on each of the game's frames would take twice as long.
   */
  private mute(pipeline: Pipeline): void {
    const emitter = pipeline as unknown as Emitter;
    const { _events } = emitter;
    emitter._events = NOBODY;
    this.undo.push(() => (emitter._events = _events));
  }

  /** Silences the renderer: only Phaser's pipelines that set themselves up for each camera hear that it is drawn. */
  private muteRenderer(): void {
    const { renderer } = this;
    const { entries } = renderer.pipelines.pipelines;
    const { emit } = renderer;
    renderer.emit = (event, scene, camera) => {
      if (event === RENDER) for (const name of SET_UP_PER_CAMERA) entries[name]?.onRender(scene, camera);
      return true;
    };
    this.undo.push(() => (renderer.emit = emit));
  }

  /** Marks fades and flashes as the camera's. */
  private watchOwners(): void {
    const { renderer, recorder } = this;
    const { postRenderCamera } = renderer;
    renderer.postRenderCamera = (camera) => {
      recorder.mark(null);
      postRenderCamera.call(renderer, camera);
    };
    this.undo.push(() => (renderer.postRenderCamera = postRenderCamera));
  }
}

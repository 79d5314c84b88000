import type * as Phaser from 'phaser';

import type { InsteadOfDrawing, ParentMatrix } from '../../rehearsal/RehearsedEngine.js';
import type { RecordedEngine } from '../draws/FrameRecorder.js';
import { interceptMethod } from '../objects/interceptMethod.js';
import { PaintedReach } from '../objects/PaintedReach.js';
import { BatchProbe, type ProbedRenderer } from './BatchProbe.js';
import { ContextRecorder } from './ContextRecorder.js';
import type { PhaserRenderer, Pipeline } from './PhaserRenderer.js';
import { saveRenderer } from './saveRenderer.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** `Phaser.Events.EventEmitter`: the field that holds its listeners. */
interface Emitter {
  _events: object;
}

/** A camera that is drawn, and whose. */
interface CameraTurn {
  scene: Phaser.Scene | null;
  camera: Camera | null;
}

/** Event of the renderer (`Phaser.Renderer.Events`): a camera is about to be drawn. */
const RENDER = 'render';

/** Phaser's pipelines that take over a camera's lights and zoom as it begins to be drawn. */
const SET_UP_PER_CAMERA = ['Light2D', 'PointLightPipeline'];

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
  readonly #renderer: PhaserRenderer;
  #restore: (() => void) | null = null;
  /** The scene and the camera drawn last, and the last ones with lights: without them a pipeline keeps those it has. */
  readonly #last: CameraTurn = { scene: null, camera: null };
  readonly #lastLit: CameraTurn = { scene: null, camera: null };
  readonly #undo: (() => void)[] = [];
  ads: readonly GameObject[] = [];

  constructor(game: Phaser.Game) {
    this.#renderer = game.renderer as unknown as PhaserRenderer;
    this.recorder = new ContextRecorder(this.#renderer);
    this.reach = new PaintedReach(game, new BatchProbe(game.renderer as unknown as ProbedRenderer));
    const events = game.renderer as unknown as Phaser.Events.EventEmitter;
    events.on(RENDER, (scene: Phaser.Scene, camera: Camera) => {
      this.#last.scene = scene;
      this.#last.camera = camera;
      if ((scene.sys as { lights?: Phaser.GameObjects.LightsManager }).lights?.active)
        Object.assign(this.#lastLit, this.#last);
    });
  }

  /** Whether the renderer is in the midst of a camera, a mask, or a drawing into a texture. */
  get #isDrawing(): boolean {
    const { currentFramebuffer, scissorStack, maskStack, currentMask, currentCameraMask } = this.#renderer;
    if (currentFramebuffer || scissorStack.length > 1 || maskStack.length > 0) return true;
    return Boolean(currentMask.mask ?? currentCameraMask.mask);
  }

  begin(): boolean {
    const { recorder } = this;
    const renderer = this.#renderer;
    if (renderer.contextLost || renderer.gl.isContextLost() || this.#isDrawing) return false;
    // Between two cameras a batch may still wait to be drawn.
    renderer.flush();
    this.#restore = saveRenderer(renderer);
    recorder.attach();
    this.#muteRenderer();
    const { entries } = renderer.pipelines.pipelines;
    for (const key in entries) this.#mute(entries[key]!);
    for (const pipeline of renderer.pipelines.postPipelineInstances ?? []) this.#mute(pipeline);
    this.#watchCameras();
    for (const ad of this.ads)
      this.#undo.push(this.intercept(ad, (_camera, _parent, draw) => recorder.drawAs(ad, draw)));
    this.#startFrame();
    return true;
  }

  render(scene: Phaser.Scene, children: GameObject[], camera: Camera): void {
    this.#renderer.render(scene, children, camera);
  }

  /** Draws what is left in the batch. */
  finish(): void {
    this.#renderer.flush();
  }

  renderAlone(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void {
    const renderer = this.#renderer;
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
    const { recorder } = this;
    const undo = this.#undo;
    const restore = this.#restore;
    this.#restore = null;
    try {
      this.#setUpAgain(this.#lastLit);
      this.#setUpAgain(this.#last);
      restore!();
    } finally {
      for (let i = undo.length - 1; i >= 0; i--) undo[i]!();
      undo.length = 0;
      recorder.detach();
    }
  }

  onCamera(camera: Camera): void {
    // What is left in the batch is drawn with whatever comes next, as in a frame.
    this.recorder.camera = camera;
  }

  onObject(object: GameObject | null): void {
    this.recorder.mark(object);
  }

  onForeign(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void {
    const { recorder } = this;
    recorder.noteForeign(object, camera, parent, recorder.target, recorder.drawState);
  }

  intercept(object: GameObject, instead: InsteadOfDrawing): () => void {
    return interceptMethod(object, this.method, instead);
  }

  /** Begins a frame as Phaser does. What it leaves as it was is set to what the recorder begins with. */
  #startFrame(): void {
    const renderer = this.#renderer;
    const { gl, width, height, drawingBufferHeight } = renderer;
    renderer.preRender();
    gl.colorMask(true, true, true, true);
    gl.viewport(0, 0, width, height);
    gl.scissor(0, drawingBufferHeight - height, width, height);
    renderer.setBlendMode(NORMAL, true);
  }

  /**
   * Silences a pipeline, so that nobody hears of the same draw twice. Replacing a method of the pipeline would do, too,
   * but would change its hidden class: from then on each of the game's frames would take twice as long.
   */
  #mute(pipeline: Pipeline): void {
    const emitter = pipeline as unknown as Emitter;
    const { _events } = emitter;
    emitter._events = NOBODY;
    this.#undo.push(() => (emitter._events = _events));
  }

  /** Silences the renderer: only Phaser's pipelines that set themselves up for each camera hear that it is drawn. */
  #muteRenderer(): void {
    const renderer = this.#renderer;
    const { emit } = renderer;
    renderer.emit = (event, scene, camera) => {
      if (event === RENDER) this.#setUp(scene, camera);
      return true;
    };
    this.#undo.push(() => (renderer.emit = emit));
  }

  #setUp(scene: unknown, camera: unknown): void {
    const { entries } = this.#renderer.pipelines.pipelines;
    for (const name of SET_UP_PER_CAMERA) entries[name]?.onRender(scene, camera);
  }

  /** A rehearsal between two cameras has set the pipelines up for others. Destroyed cameras belong to no scene. */
  #setUpAgain({ scene, camera }: CameraTurn): void {
    if (camera !== null && scene?.sys.cameras?.cameras.includes(camera)) this.#setUp(scene, camera);
  }

  /** Marks backgrounds, fades and flashes as the camera's. */
  #watchCameras(): void {
    const { recorder } = this;
    const renderer = this.#renderer;
    const { preRenderCamera, postRenderCamera } = renderer;
    renderer.preRenderCamera = (camera) => {
      if (camera.backgroundColor.alphaGL > 0) recorder.mark(null);
      preRenderCamera.call(renderer, camera);
    };
    renderer.postRenderCamera = (camera) => {
      const { fadeEffect, flashEffect } = camera;
      if (fadeEffect.isRunning || fadeEffect.isComplete || flashEffect.isRunning) recorder.mark(null);
      postRenderCamera.call(renderer, camera);
    };
    this.#undo.push(() => Object.assign(renderer, { preRenderCamera, postRenderCamera }));
  }
}

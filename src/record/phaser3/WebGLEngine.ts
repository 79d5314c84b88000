import type * as Phaser from 'phaser';

import type { ForeignOp } from '../DrawOp.js';
import type { ParentMatrix, RehearsedEngine } from '../../rehearsal/RehearsedEngine.js';
import { ContextRecorder } from './ContextRecorder.js';
import type { PhaserRenderer, Pipeline } from './PhaserRenderer.js';
import { RendererState } from './RendererState.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

interface Emitter {
  emit: (...args: unknown[]) => boolean;
}

/** `Phaser.BlendModes.NORMAL`. */
const NORMAL = 0;

/** Phaser 3's WebGL renderer, let draw onto nothing, and what it drew. */
export class WebGLEngine implements RehearsedEngine {
  readonly method = 'renderWebGL';
  readonly recorder: ContextRecorder;
  private readonly renderer: PhaserRenderer;
  private state: RendererState | null = null;
  private readonly undo: (() => void)[] = [];

  private static readonly engines = new WeakMap<object, WebGLEngine>();

  /** The engine of a game: what is put on the context is made once. */
  static of(game: Phaser.Game): WebGLEngine {
    let engine = WebGLEngine.engines.get(game);
    if (engine === undefined) {
      engine = new WebGLEngine(game);
      WebGLEngine.engines.set(game, engine);
    }
    return engine;
  }

  private constructor(game: Phaser.Game) {
    this.renderer = game.renderer as unknown as PhaserRenderer;
    this.recorder = new ContextRecorder(this.renderer);
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
    // Between two cameras there may be something yet to be drawn.
    renderer.flush();
    this.state = new RendererState(renderer);
    recorder.attach();
    this.mute(renderer);
    const { entries } = renderer.pipelines.pipelines;
    for (const key in entries) this.mute(entries[key]!);
    for (const pipeline of renderer.pipelines.postPipelineInstances ?? []) this.mute(pipeline);
    this.watchOwners();
    this.startFrame();
    return true;
  }

  render(scene: Phaser.Scene, children: GameObject[], camera: Camera): void {
    this.recorder.marks.camera = camera;
    this.renderer.render(scene, children, camera);
    this.renderer.flush();
  }

  renderAlone(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void {
    const { renderer } = this;
    this.recorder.marks.camera = camera;
    const drawn = object as unknown as {
      renderWebGL(renderer: object, object: GameObject, camera: Camera, parent?: ParentMatrix): void;
    };
    drawn.renderWebGL(renderer, object, camera, parent);
    renderer.flush();
  }

  end(): void {
    const { recorder, undo, state } = this;
    this.state = null;
    try {
      state!.restore();
    } finally {
      for (let i = undo.length - 1; i >= 0; i--) undo[i]!();
      undo.length = 0;
      recorder.detach();
    }
  }

  onCamera(): void {
    this.recorder.marks.mark(null);
  }

  onObject(object: GameObject): void {
    this.recorder.marks.mark(object);
  }

  onForeign(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void {
    const { recorder, renderer } = this;
    renderer.flush();
    recorder.marks.mark(object);
    const { target, drawState: state } = recorder;
    recorder.ops.push({
      type: 'foreign',
      target,
      owner: object,
      camera,
      state,
      place: placeOf(object, camera, parent),
    });
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

  /** Nobody hears a second time of what was drawn. */
  private mute(emitter: Emitter | Pipeline): void {
    const { emit } = emitter;
    emitter.emit = () => false;
    this.undo.push(() => (emitter.emit = emit));
  }

  /** Fades and flashes are the camera's. */
  private watchOwners(): void {
    const { renderer, recorder } = this;

    const { postRenderCamera } = renderer;
    renderer.postRenderCamera = (camera) => {
      recorder.marks.mark(null);
      postRenderCamera.call(renderer, camera);
    };
    this.undo.push(() => (renderer.postRenderCamera = postRenderCamera));
  }
}

interface Scrolled {
  readonly scrollFactorX: number;
  readonly scrollFactorY: number;
}

/** From the containers of an object to the canvas. */
function placeOf(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): ForeignOp['place'] {
  const { a, b, c, d, e, f } = (camera as unknown as { readonly matrix: ParentMatrix }).matrix;
  const { scrollFactorX, scrollFactorY } = object as unknown as Scrolled;
  const inner = parent ?? { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  const x = inner.e - camera.scrollX * scrollFactorX;
  const y = inner.f - camera.scrollY * scrollFactorY;
  return [
    a * inner.a + c * inner.b,
    b * inner.a + d * inner.b,
    a * inner.c + c * inner.d,
    b * inner.c + d * inner.d,
    a * x + c * y + e,
    b * x + d * y + f,
  ];
}

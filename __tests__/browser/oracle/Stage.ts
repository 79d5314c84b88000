import { drawArt } from './art.js';
import { paintOnRequest } from './paintOnRequest.js';
import { withSeededRandom } from './Random.js';

export type RendererName = 'webgl' | 'canvas';

export interface StageOptions {
  renderer: RendererName;
  width?: number;
  height?: number;
  /** How many empty scenes stand ready, bottom first. Default 4. */
  scenes?: number;
  config?: Phaser.Types.Core.GameConfig;
  /** WebGL paints only the frames of {@link Stage.picture}. */
  paintsPicturesOnly?: boolean;
}

/** Asked in the page only. */
const isPhaser4 = (): boolean => Phaser.VERSION.startsWith('4');

/** A part of the canvas, in whole canvas pixels from its top left corner. */
export interface PixelWindow {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A real Phaser game whose loop is stopped: every frame is one call of {@link step}, and its pixels are read in the
 * same task, before the browser clears the drawing buffer.
 */
export class Stage {
  readonly game: Phaser.Game;
  readonly renderer: RendererName;
  readonly width: number;
  readonly height: number;
  private readonly canvas: HTMLCanvasElement;
  private time = 1000;
  private randomState = 1;
  private isPainted = true;
  /** What {@link pixels} shows by default: the whole canvas. */
  readonly whole: PixelWindow;
  private readonly rows: Uint8Array;

  static async open(options: StageOptions): Promise<Stage> {
    const stage = new Stage(options);
    const { game } = stage;
    if (!game.isRunning) await new Promise<void>((resolve) => game.events.once('ready', () => resolve()));
    game.loop.stop();
    const { renderer } = game;
    if (options.paintsPicturesOnly && 'gl' in renderer) paintOnRequest(renderer.gl, () => stage.isPainted);
    stage.isPainted = false;
    drawArt(game);
    stage.step();
    stage.step();
    return stage;
  }

  private constructor(options: StageOptions) {
    this.renderer = options.renderer;
    this.width = options.width ?? 320;
    this.height = options.height ?? 240;
    this.whole = { x: 0, y: 0, width: this.width, height: this.height };
    this.rows = new Uint8Array(this.width * this.height * 4);
    const canvas = (this.canvas = document.createElement('canvas'));
    const context = options.renderer === 'canvas' ? canvas.getContext('2d', { willReadFrequently: true }) : undefined;
    const scenes = Array.from({ length: options.scenes ?? 4 }, (_, index) => ({ key: `scene${index}`, active: true }));
    this.game = new Phaser.Game({
      type: options.renderer === 'canvas' ? Phaser.CANVAS : Phaser.WEBGL,
      width: this.width,
      height: this.height,
      canvas,
      ...(context ? { context: context } : {}),
      backgroundColor: '#000000',
      audio: { noAudio: true },
      banner: false,
      input: { mouse: false, touch: false, keyboard: false, gamepad: false },
      scene: scenes,
      ...options.config,
      // One texture unit: with software rendering a fragment shader of sixteen units costs twice as much; in Phaser 4 masks need
      // two. Rounded pixels are the default of some versions only.
      render: { maxTextures: isPhaser4() ? 2 : 1, roundPixels: false, ...options.config?.render },
    });
  }

  scene(index: number): Phaser.Scene {
    return this.game.scene.scenes[index]!;
  }

  /**
   * Updates and draws one frame. With `delta` 0 nothing moves, and the random numbers of a frame (camera shake) are the
   * same each time, so that two frames differ only by what the caller changed.
   */
  step(delta = 0): void {
    this.time += delta;
    this.withRandom(() => this.game.step(this.time, delta));
  }

  /** Draws one frame and gives a part of it: see {@link pixels}. */
  picture(part?: PixelWindow): Uint8Array {
    this.isPainted = true;
    this.step();
    this.isPainted = false;
    return this.pixels(part);
  }

  /** Runs something, such as an emitter's explosion, in which random numbers are the same each time. */
  withRandom<T>(work: () => T): T {
    return withSeededRandom(this.randomState, work);
  }

  /** What {@link step} and {@link withRandom} use as the start of its random numbers. */
  seedRandom(seed: number): void {
    this.randomState = seed >>> 0;
  }

  /** A part of the frame just drawn, RGBA, top row first. To be called in the task of {@link step}. */
  pixels({ x, y, width, height }: PixelWindow = this.whole): Uint8Array {
    const { game, rows } = this;
    if (game.renderer instanceof Phaser.Renderer.WebGL.WebGLRenderer) {
      const { gl } = game.renderer;
      // Phaser 4 may have drawn into a texture last, and remembers that.
      const bound = gl.getParameter(gl.FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
      if (isPhaser4()) gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.readPixels(x, this.height - y - height, width, height, gl.RGBA, gl.UNSIGNED_BYTE, rows);
      if (isPhaser4()) gl.bindFramebuffer(gl.FRAMEBUFFER, bound);
      const stride = width * 4;
      const flipped = new Uint8Array(stride * height);
      for (let row = 0; row < height; row++) {
        flipped.set(rows.subarray((height - 1 - row) * stride, (height - row) * stride), row * stride);
      }
      return flipped;
    }
    const context = game.canvas.getContext('2d')!;
    return new Uint8Array(context.getImageData(x, y, width, height).data.buffer);
  }

  /** Empties every scene: no objects or lights, one default camera, awake and visible. */
  clear(): void {
    for (const scene of this.game.scene.scenes) {
      const { sys } = scene;
      if (sys.isSleeping()) sys.wake();
      if (sys.isPaused()) sys.resume();
      sys.setVisible(true);
      for (const child of [...sys.displayList.list]) child.destroy(true);
      sys.displayList.list.length = 0;
      for (const light of [...scene.lights.lights]) scene.lights.removeLight(light);
      scene.lights.disable();
      for (const camera of sys.cameras.cameras) camera.clearMask(true);
      sys.cameras.resetAll();
    }
  }

  close(): void {
    try {
      this.game.destroy(true);
      this.game.step(this.time, 0);
    } finally {
      // A game that fails even at its end would push those after it out of the page, where they are not seen.
      this.canvas.remove();
    }
  }
}

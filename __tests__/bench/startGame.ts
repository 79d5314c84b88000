import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { JSDOM } from 'jsdom';
import type * as PhaserTypes from 'phaser';
import { stubContexts } from './stubContexts.js';

export type Renderer = 'webgl' | 'canvas';

/** The Phaser that runs: a package of this project. */
export type PhaserPackage = 'phaser' | 'phaser-4.2';

/** How many textures Phaser draws in one batch: as on a desktop, or as on a phone, where it draws a batch for each. */
export type BatchTextures = 16 | 1;

/** A running game whose frames are drawn one by one. */
export interface SteppedGame {
  readonly game: PhaserTypes.Game;
  readonly scene: PhaserTypes.Scene;
  /** Runs one frame: update and render of all scenes, a sixtieth of a second after the last. */
  step(): void;
}

/** Size of the canvas, in pixels. */
export const WIDTH = 1280;
export const HEIGHT = 720;

const FRAME_MS = 1000 / 60;

/**
 * Phaser as published, in plain Node: a document from jsdom, contexts that draw nothing. The renderer, the batching
 * and all its events are Phaser's own.
 */
export async function startGame(
  renderer: Renderer,
  phaser: PhaserPackage = 'phaser',
  batchTextures: BatchTextures = 16,
): Promise<SteppedGame> {
  const Phaser = loadPhaser(phaser);
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;

  const scene = await new Promise<PhaserTypes.Scene>((resolve) => {
    new Phaser.Game({
      type: renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS,
      canvas,
      width: WIDTH,
      height: HEIGHT,
      customEnvironment: true,
      banner: false,
      // Phaser takes Node for a phone, and has a name of its own for this in either version.
      render: { maxTextures: batchTextures, autoMobilePipeline: false, autoMobileTextures: false } as object,
      audio: { noAudio: true },
      input: { mouse: false, touch: false, keyboard: false, gamepad: false },
      scene: {
        create(this: PhaserTypes.Scene) {
          // From here on the loop's steps are ours.
          this.game.loop.raf.stop();
          // Not before the frame in which the scene is created has ended.
          setTimeout(() => resolve(this));
        },
      },
    });
  });

  const { game } = scene;
  let time = game.loop.now;
  return {
    game,
    scene,
    step() {
      time += FRAME_MS;
      game.loop.step(time);
    },
  };
}

function loadPhaser(name: PhaserPackage): typeof PhaserTypes {
  const { window } = new JSDOM('<!doctype html><body></body>', { url: 'http://localhost/', pretendToBeVisual: true });
  stubContexts(window);
  window.focus = () => undefined;

  // jsdom loads no pictures, and Phaser waits for its three built-in ones.
  class LoadedImage {
    readonly width = 32;
    readonly height = 32;
    onload: (() => void) | null = null;
    set src(_url: string) {
      setTimeout(() => this.onload?.());
    }
  }

  const globals = {
    window,
    self: window,
    document: window.document,
    navigator: window.navigator,
    screen: window.screen,
    Image: LoadedImage,
    Element: window.Element,
    HTMLElement: window.HTMLElement,
    HTMLCanvasElement: window.HTMLCanvasElement,
    HTMLImageElement: window.HTMLImageElement,
    HTMLVideoElement: window.HTMLVideoElement,
    XMLHttpRequest: window.XMLHttpRequest,
    // Phaser looks whether these exist, and no further.
    WebGLRenderingContext: Object,
    CanvasRenderingContext2D: Object,
    requestAnimationFrame: window.requestAnimationFrame.bind(window),
    cancelAnimationFrame: window.cancelAnimationFrame.bind(window),
  };
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  Object.assign(window, { Image: LoadedImage, WebGLRenderingContext: globals.WebGLRenderingContext });
  // Phaser 4 names no path within its package.
  const file = new URL(`../../node_modules/${name}/dist/phaser.min.js`, import.meta.url);
  const Phaser = createRequire(import.meta.url)(fileURLToPath(file)) as typeof PhaserTypes;
  Object.assign(globalThis, { Phaser });
  return Phaser;
}

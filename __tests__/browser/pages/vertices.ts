import * as Phaser from 'phaser';
import { GameMeter } from 'phaser-inview';
import { playScene } from './playScene.js';

/** What became of the vertices of a game whose ad is half covered. */
export interface VerticesReport {
  /** They lie in memory of WebAssembly, which comes in pages of 64 KiB. */
  readonly isMoved: boolean;
  /** After the first frames, with the ad observed anew, and after the WebGL context was lost and restored, if asked for. */
  readonly percentagesInView: readonly number[];
}

declare global {
  interface Window {
    measureVertices?: (losesContext: boolean) => Promise<VerticesReport>;
  }
}

window.measureVertices = (losesContext) =>
  playScene(async (scene: Phaser.Scene): Promise<VerticesReport> => {
    const { game } = scene;
    const ad = scene.add.image(200, 150, '__WHITE').setDisplaySize(100, 80);
    // More than a batch holds, nearly all elsewhere; every thirteenth covers another 1/8 of a pixel of the ad's right half. A
    // triangle, three vertices, shifts all that come after it.
    for (let i = 0; i < 5200; i++) {
      if (i === 700) scene.add.graphics().fillStyle(0xff0000).fillTriangle(0, 0, 10, 0, 0, 10);
      if (i % 13 > 0) scene.add.image(20, (i % 300) + 0.5, '__WHITE').setDisplaySize(10, 1);
      else
        scene.add
          .image(200 + i / 104, 150, '__WHITE')
          .setDisplaySize(1 / 8, 100)
          .setOrigin(0, 0.5);
    }
    const percentagesInView: number[] = [];
    const measure = async (): Promise<void> => {
      const stop = GameMeter.of(game).observe(ad, () => undefined);
      for (let i = 0; i < 3; i++) await new Promise((drawn) => game.events.once('postrender', drawn));
      percentagesInView.push(GameMeter.of(game).measure(ad).percentageInView);
      stop();
    };
    await measure();
    await measure();
    const { gl, pipelines } = game.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
    if (losesContext) {
      const context = gl.getExtension('WEBGL_lose_context')!;
      context.loseContext();
      await new Promise((lost) => setTimeout(lost, 50));
      const restored = new Promise((done) => game.renderer.once('restorewebgl', done));
      context.restoreContext();
      await restored;
      await measure();
    }
    return { isMoved: pipelines.MULTI_PIPELINE.vertexData.byteLength % 65_536 === 0, percentagesInView };
  }, Phaser.WEBGL);

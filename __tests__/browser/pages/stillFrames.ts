import * as Phaser from 'phaser';
import { GameMeter } from 'phaser-inview';
import { playScene } from './playScene.js';
import { takeOver } from './takeOver.js';

declare global {
  interface Window {
    watchStillFrames?: (renderer: 'webgl' | 'canvas', frames: number) => Promise<readonly number[]>;
  }
}

/** What is said of a large ad under chequers of one pixel, of which half is seen, in each frame since they were known. */
window.watchStillFrames = (renderer, frames) =>
  playScene(
    async (scene: Phaser.Scene): Promise<readonly number[]> => {
      const { game } = scene;
      await takeOver(game);
      await addChequers(scene, 256, 256);
      const ad = scene.add.image(200, 150, '__WHITE').setDisplaySize(256, 256);
      scene.add.image(200, 150, 'chequers');
      const shares: number[] = [];
      const stop = GameMeter.of(game).observe(ad, ({ percentageInView, reasons }) => {
        if (!reasons.includes('unmeasurable')) shares.push(percentageInView);
      });
      let time = 1000;
      while (shares.length < frames) game.step((time += 16), 16);
      stop();
      return shares;
    },
    Phaser[renderer === 'webgl' ? 'WEBGL' : 'CANVAS'],
  );

async function addChequers({ textures }: Phaser.Scene, width: number, height: number): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d')!;
  for (let y = 0; y < height; y++) for (let x = y % 2; x < width; x += 2) context.fillRect(x, y, 1, 1);
  const loaded = new Promise((done) => textures.once('addtexture-chequers', done));
  textures.addBase64('chequers', canvas.toDataURL());
  await loaded;
}

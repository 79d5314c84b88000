import 'phaser';
import { checkAdFullVisibility } from '../../../src/meter/tracking.js';
import { buildStage } from '../../browser/oracle/buildScene.js';
import { HEIGHT, randomScene, WIDTH } from '../../browser/oracle/randomScene.js';
import { type RendererName, Stage } from '../../browser/oracle/Stage.js';

declare global {
  interface Window {
    timeCalls?: (renderer: RendererName, from: number, scenes: number) => Promise<{ first: number[]; again: number[] }>;
  }
}

/** How long the first call took in each of some random scenes, and one more in the next frame, in milliseconds. */
window.timeCalls = async (renderer, from, scenes) => {
  const stage = await Stage.open({ renderer, width: WIDTH, height: HEIGHT, paintsPicturesOnly: true });
  const first: number[] = [];
  const again: number[] = [];
  for (let seed = from; seed < from + scenes; seed++) {
    stage.seedRandom(seed);
    const { ad, scene } = buildStage(stage, randomScene(seed));
    for (const times of [first, again]) {
      stage.step();
      const before = performance.now();
      checkAdFullVisibility(ad, scene);
      times.push(performance.now() - before);
    }
  }
  stage.close();
  return { first, again };
};

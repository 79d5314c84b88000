import * as Phaser from 'phaser';
import { GameMeter } from 'phaser-inview';
import { EventBrackets } from '../EventBrackets.js';
import { seededRandom } from '../seededRandom.js';

/** What is built up in front of an ad, all at once. */
export interface AlphaMapScene {
  readonly renderer: 'webgl' | 'canvas';
  /** All game objects together. */
  readonly objects: number;
  /** Different pictures with holes, each of them over the ad. */
  readonly pictures: number;
  /** Width and height of a picture, in pixels. */
  readonly size: number;
  readonly frames: number;
}

declare global {
  interface Window {
    measureAlphaMaps?: (setting: AlphaMapScene) => Promise<number[]>;
  }
}

const WIDTH = 1280;
const HEIGHT = 720;
const FRAME_MS = 1000 / 60;
const WARM_UP_FRAMES = 60;

/** Milliseconds the measurement takes in each frame from the one on in which all pictures over the ad are new. */
window.measureAlphaMaps = async (setting) => {
  const draw = (from: number) =>
    Promise.all(Array.from({ length: setting.pictures }, (_, i) => drawRing(setting.size, from + i)));
  const known = await draw(0);
  const fresh = await draw(setting.pictures);
  const scene = await new Promise<Phaser.Scene>((resolve) => {
    new Phaser.Game({
      type: setting.renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS,
      width: WIDTH,
      height: HEIGHT,
      banner: false,
      audio: { noAudio: true },
      scene: {
        create(this: Phaser.Scene) {
          this.game.loop.stop();
          setTimeout(() => resolve(this));
        },
      },
    });
  });
  const { game } = scene;
  known.forEach((picture, i) => scene.textures.addImage(`known${i}`, picture));
  fresh.forEach((picture, i) => scene.textures.addImage(`fresh${i}`, picture));
  const { ad, covers } = fill(scene, setting);
  const clock = new EventBrackets(() => performance.now());
  clock.attach(game);
  let time = 0;
  const step = async (): Promise<number> => {
    // The browser draws at its own pace: what waits to be drawn in software would hold up later frames.
    await new Promise(requestAnimationFrame);
    time += FRAME_MS;
    clock.take();
    game.step(time, FRAME_MS);
    return clock.take();
  };
  const stop = GameMeter.of(game).observe(ad, () => undefined);
  // A game that has run for a while: its code is compiled.
  for (let i = 0; i < WARM_UP_FRAMES; i++) await step();
  covers.forEach((cover, i) => cover.setTexture(`fresh${i}`));
  const frames: number[] = [];
  for (let i = 0; i < setting.frames; i++) frames.push(await step());
  stop();
  game.destroy(true);
  return frames;
};

/** A ring as a file holds it: not a canvas, which could change at any time. */
async function drawRing(size: number, i: number): Promise<HTMLImageElement> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  const context = canvas.getContext('2d')!;
  context.strokeStyle = `hsl(${(i * 37) % 360} 60% 50%)`;
  context.lineWidth = size / 8;
  context.arc(size / 2, size / 2, size / 3, 0, 2 * Math.PI);
  context.stroke();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  const picture = new Image();
  picture.src = URL.createObjectURL(blob!);
  await picture.decode();
  return picture;
}

/** The ad, one cover with each picture, and all other objects beside. */
function fill(
  scene: Phaser.Scene,
  { objects, pictures }: AlphaMapScene,
): { ad: Phaser.GameObjects.Image; covers: Phaser.GameObjects.Image[] } {
  const random = seededRandom(11);
  scene.textures.generate('ad', { data: ['2'], pixelWidth: 300, pixelHeight: 250 });
  const ad = scene.add.image(WIDTH / 2, HEIGHT / 2, 'ad');
  const put = (x: number, y: number, i: number, size: number) =>
    scene.add.image(x, y, `known${i % pictures}`).setDisplaySize(size, size);
  const covers = Array.from({ length: pictures }, (_, i) =>
    put(WIDTH / 2 + (random() - 0.5) * 250, HEIGHT / 2 + (random() - 0.5) * 200, i, 48),
  );
  // So small that painting them in software costs little.
  for (let i = 1 + pictures; i < objects; i++) put(random() * (WIDTH / 2 - 300), random() * HEIGHT, i, 4);
  return { ad, covers };
}

import * as Phaser from 'phaser';
import { GameMeter } from 'phaser-inview';
import type { AlphaMapReport, AlphaMapScene } from '../alphaMapScene.js';
import { EventBrackets } from '../EventBrackets.js';
import { seededRandom } from '../seededRandom.js';
import { drawNothing } from '../../browser/pages/drawNothing.js';

declare global {
  interface Window {
    measureAlphaMaps?: (setting: AlphaMapScene) => Promise<AlphaMapReport>;
  }
}

const WIDTH = 1280;
const HEIGHT = 720;
const FRAME_MS = 1000 / 60;
const WARM_UP_FRAMES = 150;
/** Width and height of the pictures before. */
const KNOWN_SIZE = 128;

/** Runs a scene and tells what the measurement costs from the frame on in which all pictures over the ad are new. */
window.measureAlphaMaps = async (setting) => {
  // Elsewhere browsers tell the time to a tenth of a millisecond only.
  if (!crossOriginIsolated) throw new Error('The page is not isolated');
  const { pictures } = setting;
  const draw = (size: number) => Promise.all(Array.from({ length: pictures }, (_, i) => drawRing(size, i)));
  const known = await draw(KNOWN_SIZE);
  const warm = await draw(KNOWN_SIZE);
  const fresh = await draw(setting.size);
  const scene = await new Promise<Phaser.Scene>((resolve) => {
    new Phaser.Game({
      type: setting.renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS,
      width: WIDTH,
      height: HEIGHT,
      banner: false,
      audio: { noAudio: true },
      scene: {
        create(this: Phaser.Scene) {
          setTimeout(() => resolve(this));
        },
      },
    });
  });
  const { game } = scene;
  // Not before: the scenes of a starting game are created before its loop starts.
  game.loop.stop();
  drawNothing(game);
  const betweenMs = timesOfIdleCallbacks();
  known.forEach((picture, i) => scene.textures.addImage(`known${i}`, picture));
  warm.forEach((picture, i) => scene.textures.addImage(`warm${i}`, picture));
  fresh.forEach((picture, i) => scene.textures.addImage(`fresh${i}`, picture));
  const { ad, covers } = fill(scene, setting);
  const clock = new EventBrackets(() => performance.now());
  clock.attach(game);
  let time = 0;
  const step = (): number => {
    time += FRAME_MS;
    // In a game something moves: an ad over which nothing does is not looked at again.
    covers.forEach((cover, i) => cover.setX(cover.x + Math.sin(time / 100 + i)));
    clock.take();
    game.step(time, FRAME_MS);
    return clock.take();
  };
  let unmeasurableFrames = 0;
  const stop = GameMeter.of(game).observe(ad, ({ reasons }) => {
    if (reasons.includes('unmeasurable')) unmeasurableFrames++;
  });
  const show = (name: string) => covers.forEach((cover, i) => cover.setTexture(name + String(i)));
  // A game that has run for a while, and has changed pictures before: the browser has compiled its code for that.
  for (let i = 0; i < WARM_UP_FRAMES; i++) {
    if (i % 20 === 0) show(i % 40 === 0 ? 'known' : 'warm');
    await new Promise(requestAnimationFrame);
    step();
  }
  show('fresh');
  unmeasurableFrames = betweenMs.length = 0;
  const frameMs: number[] = [];
  for (let i = 0; i < setting.frames; i++) {
    await new Promise(requestAnimationFrame);
    frameMs.push(step());
  }
  stop();
  game.destroy(true);
  return { frameMs, betweenMs, unmeasurableFrames };
};

/** How long everything takes that is run in the spare time of the page from here on; a live list. */
function timesOfIdleCallbacks(): number[] {
  const times: number[] = [];
  const request = window.requestIdleCallback.bind(window);
  window.requestIdleCallback = (work, options) =>
    request((deadline) => {
      const before = performance.now();
      work(deadline);
      times.push(performance.now() - before);
    }, options);
  return times;
}

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

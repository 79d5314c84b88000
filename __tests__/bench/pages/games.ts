import * as Phaser from 'phaser';
import { GameMeter } from 'phaser-inview';
import { EventBrackets } from '../EventBrackets.js';
import type { Covers, GameReport, GameScene } from '../gameScene.js';
import { seededRandom } from '../seededRandom.js';
import { drawNothing } from '../../browser/pages/drawNothing.js';

declare global {
  interface Window {
    measureGame?: (setting: GameScene) => Promise<GameReport>;
  }
}

const WIDTH = 1280;
const HEIGHT = 720;
const FRAME_MS = 1000 / 60;
const WARM_UP_FRAMES = 120;
/** Sprites beside the ads, every other one moving. */
const OTHERS = 300;

/** Plays a scene and tells what the measurement costs in each frame. */
window.measureGame = async ({ renderer, covers, ads, frames }) => {
  // Elsewhere browsers tell the time to a tenth of a millisecond only.
  if (!crossOriginIsolated) throw new Error('The page is not isolated');
  const scene = await start(renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS);
  const { game } = scene;
  drawNothing(game);
  await addPictures(scene);
  const random = seededRandom(5);
  const others = Array.from({ length: OTHERS }, () =>
    scene.add.image(random() * 300, random() * HEIGHT, 'hero').setScale(0.1),
  );
  // One large ad, or several small ones in a row.
  const placed = Array.from({ length: ads }, (_, i) =>
    scene.add.image(WIDTH / 2 + 100 * (i - (ads - 1) / 2), HEIGHT / 2, 'ad').setScale(ads > 1 ? 0.3 : 1),
  );
  const move = COVERING[covers](scene, random);
  const clock = new EventBrackets(() => performance.now());
  clock.attach(game);
  let percentageInView = 0;
  const meter = GameMeter.of(game);
  const stops = placed.map((ad) => meter.observe(ad, (figures) => (percentageInView = figures.percentageInView)));
  const measurementMs: number[] = [];
  const frameMs: number[] = [];
  let time = 0;
  for (let frame = -WARM_UP_FRAMES; frame < frames; frame++) {
    await new Promise(requestAnimationFrame);
    time += FRAME_MS;
    move(time);
    for (let i = 0; i < OTHERS; i += 2) others[i]!.x += Math.sin(time + i);
    clock.take();
    const before = performance.now();
    game.step(time, FRAME_MS);
    const passed = performance.now() - before;
    const measured = clock.take();
    if (frame < 0) continue;
    measurementMs.push(measured);
    frameMs.push(passed);
  }
  for (const stop of stops) stop();
  game.destroy(true);
  return { measurementMs, frameMs, percentageInView };
};

function start(type: number): Promise<Phaser.Scene> {
  return new Promise((resolve) => {
    new Phaser.Game({
      type,
      width: WIDTH,
      height: HEIGHT,
      banner: false,
      audio: { noAudio: true },
      scene: {
        create(this: Phaser.Scene) {
          setTimeout(() => {
            this.game.loop.stop();
            resolve(this);
          });
        },
      },
    });
  });
}

/** Each puts something over the middle of the canvas, and returns what moves it. */
const COVERING: Record<Covers, (scene: Phaser.Scene, random: () => number) => (time: number) => void> = {
  nothing: () => () => undefined,
  'ten heroes': (scene, random) => swaying(heroes(scene, random, 10)),
  'forty heroes': (scene, random) => swaying(heroes(scene, random, 40)),
  'ten heroes behind a geometry mask': (scene, random) => {
    const all = heroes(scene, random, 10);
    const hole = scene.make.graphics().fillCircle(WIDTH / 2, HEIGHT / 2, 100);
    scene.add.container(0, 0, all).setMask(hole.createGeometryMask());
    return swaying(all);
  },
  'eight translucent panels': (scene, random) =>
    swaying(
      Array.from({ length: 8 }, () =>
        nearMiddle(scene, random, '__WHITE').setDisplaySize(120, 80).setAlpha(0.4).setTint(0x446688),
      ),
    ),
  'a tile layer': (scene) => {
    const data = Array.from({ length: 30 }, (_, y) =>
      Array.from({ length: 50 }, (_, x) => ((7 * x + 3 * y) % 5 === 0 ? 0 : (x + y) % 4 === 0 ? 1 : -1)),
    );
    const map = scene.make.tilemap({ data, tileWidth: 32, tileHeight: 32 });
    const layer = map.createLayer(0, map.addTilesetImage('tiles')!)!;
    return (time) => layer.setX(40 * Math.sin(time / 300));
  },
  '240 soft particles': (scene) => smoke(scene, 'NORMAL'),
  '240 particles of light': (scene) => smoke(scene, 'ADD'),
  'a head-up display of 40 strokes and panels': (scene) => {
    const display = scene.add.graphics();
    return (time) => {
      display.clear();
      for (let i = 0; i < 20; i++) {
        display.fillStyle(0xaa3322, 1).fillRoundedRect(500 + 12 * i + 5 * Math.sin(time / 100), 260 + 8 * i, 60, 40, 8);
        display.lineStyle(3, 0xffffff, 0.6).strokeCircle(WIDTH / 2, HEIGHT / 2, 20 + 4 * i);
      }
    };
  },
  'twenty shapes with strokes': ({ add }, random) => {
    const shapes = Array.from({ length: 5 }, () => [
      atRandom(add.circle(0, 0, 20, 0xff0000), random),
      atRandom(add.star(0, 0, 5, 15, 30, 0x00ff00), random),
      atRandom(add.ellipse(0, 0, 60, 30, 0x0000ff), random),
      atRandom(add.rectangle(0, 0, 60, 30, 0xffff00), random),
    ]).flat();
    for (const shape of shapes) shape.setStrokeStyle(3, 0xffffff, 0.7);
    return swaying(shapes);
  },
  'forty pictures that grow and fade': ({ add }) => {
    const all = Array.from({ length: 40 }, (_, i) =>
      add.image(WIDTH / 2 - 150 + 40 * (i % 8), HEIGHT / 2 - 100 + 40 * Math.floor(i / 8), 'hero'),
    );
    return (time) => {
      all.forEach((picture, i) => {
        picture.setScale(0.5 + 0.1 * Math.sin(time / 100 + i)).setAlpha(0.7 + 0.3 * Math.sin(time / 150 + i));
      });
    };
  },
};

function atRandom<T extends Phaser.GameObjects.Shape | Phaser.GameObjects.Image>(object: T, random: () => number): T {
  object.setPosition(WIDTH / 2 + 300 * (random() - 0.5), HEIGHT / 2 + 200 * (random() - 0.5));
  return object;
}

function nearMiddle(scene: Phaser.Scene, random: () => number, key: string): Phaser.GameObjects.Image {
  return atRandom(scene.add.image(0, 0, key), random);
}

function heroes(scene: Phaser.Scene, random: () => number, count: number): Phaser.GameObjects.Image[] {
  return Array.from({ length: count }, () => nearMiddle(scene, random, 'hero'));
}

function swaying(objects: readonly (Phaser.GameObjects.Image | Phaser.GameObjects.Shape)[]): (time: number) => void {
  return (time) => {
    objects.forEach((object, i) => object.setX(object.x + Math.sin(time / 100 + i)));
  };
}

function smoke(scene: Phaser.Scene, blendMode: string): () => void {
  scene.add.particles(WIDTH / 2, HEIGHT / 2, 'soft', {
    speed: { min: 20, max: 120 },
    lifespan: 2000,
    quantity: 2,
    frequency: FRAME_MS,
    alpha: { start: 1, end: 0 },
    blendMode,
  });
  return () => undefined;
}

async function addPictures(scene: Phaser.Scene): Promise<void> {
  scene.textures.generate('ad', { data: ['2'], pixelWidth: 300, pixelHeight: 250 });
  await addPicture(scene, 'hero', 64, 96, (context) => {
    context.fillStyle = '#c33';
    context.arc(32, 24, 20, 0, 2 * Math.PI);
    context.fill();
    context.fillRect(20, 40, 24, 50);
  });
  await addPicture(scene, 'soft', 32, 32, (context) => {
    const fading = context.createRadialGradient(16, 16, 0, 16, 16, 16);
    fading.addColorStop(0, '#fff');
    fading.addColorStop(1, '#fff0');
    context.fillStyle = fading;
    context.fillRect(0, 0, 32, 32);
  });
  await addPicture(scene, 'tiles', 64, 32, (context) => {
    context.fillStyle = '#080';
    context.fillRect(0, 0, 32, 32);
    context.fillRect(40, 8, 16, 16);
  });
}

/** A picture as a file holds it: not a canvas, which could change at any time. */
async function addPicture(
  scene: Phaser.Scene,
  key: string,
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  draw(canvas.getContext('2d')!);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  const picture = new Image();
  picture.src = URL.createObjectURL(blob!);
  await picture.decode();
  scene.textures.addImage(key, picture);
}

import type * as Phaser from 'phaser';
import { calculateAdCoverage } from 'phaser-inview';
import { GameMeter } from '../../../src/meter/GameMeter.js';
import { playScene } from './playScene.js';

/** What became of an ad below a large picture with a hole, in a game that runs by itself. */
export interface LargePicturesReport {
  /** Frames with the picture in which the ad was unmeasurable. */
  readonly unmeasurableFrames: number;
  /** Whether the ad's share changed within these frames without being called unmeasurable. */
  readonly hasGuessed: boolean;
  /** Pixels read back while a frame was being made, and between two. */
  readonly readInFrames: number;
  readonly readBetween: number;
  /** Visible share of the ad, as observed and as by a call. */
  readonly observedPercentage: number;
  readonly calledPercentage: number;
  /** What waits for idle time after the game was destroyed while a picture waited. */
  readonly leftBehind: number;
}

declare global {
  interface Window {
    measureLargePictures?: (renderer: number) => Promise<LargePicturesReport>;
  }
}

const SIZE = 1024;

window.measureLargePictures = async (renderer) => {
  const waiting = watchIdleCallbacks();
  const pictures = [await drawRing(), await drawRing()];
  const report = await playScene(async (scene): Promise<Omit<LargePicturesReport, 'leftBehind'>> => {
    const { game } = scene;
    pictures.forEach((picture, i) => scene.textures.addImage(`ring${i}`, picture));
    const ad = scene.add.image(200, 150, '__WHITE').setDisplaySize(200, 160);
    const reads = watchReads(game);
    let percentage = NaN;
    let isUnmeasurable = false;
    let unmeasurableFrames = 0;
    const nextFrame = () => new Promise((drawn) => game.events.once('postrender', drawn));
    GameMeter.of(game).observe(ad, ({ percentageInView, reasons }) => {
      percentage = percentageInView;
      isUnmeasurable = reasons.includes('unmeasurable');
      if (isUnmeasurable) unmeasurableFrames++;
    });
    for (let i = 0; i < 5; i++) await nextFrame();
    reads.inFrames = reads.between = 0;
    const cover = scene.add.image(200, 150, 'ring0').setDisplaySize(200, 160);
    await nextFrame();
    const hasGuessed = !isUnmeasurable;
    while (isUnmeasurable) await nextFrame();
    const { inFrames, between } = reads;
    const observedPercentage = percentage;
    const { visibleArea, totalArea } = calculateAdCoverage(ad, scene.cameras.main);
    cover.setTexture('ring1').setDisplaySize(200, 160);
    // The game ends right after the frame in which the second one was asked for.
    await nextFrame();
    return {
      unmeasurableFrames,
      hasGuessed,
      readInFrames: inFrames,
      readBetween: between,
      observedPercentage,
      calledPercentage: (100 * visibleArea) / totalArea,
    };
  }, renderer);
  // Phaser destroys a game in its next frame.
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  return { ...report, leftBehind: waiting.size };
};

/** A ring as a file holds it. */
async function drawRing(): Promise<HTMLImageElement> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIZE;
  const context = canvas.getContext('2d')!;
  context.lineWidth = SIZE / 8;
  context.arc(SIZE / 2, SIZE / 2, SIZE / 3, 0, 2 * Math.PI);
  context.stroke();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  const picture = new Image();
  picture.src = URL.createObjectURL(blob!);
  await picture.decode();
  return picture;
}

/** Counts readings of pixels, apart for those in the game's frames. */
function watchReads(game: Phaser.Game): { inFrames: number; between: number } {
  const reads = { inFrames: 0, between: 0 };
  let isInFrame = false;
  const loop = game.loop as unknown as { callback: (time: number, delta: number) => void };
  const { callback } = loop;
  loop.callback = (time, delta) => {
    isInFrame = true;
    callback(time, delta);
    isInFrame = false;
  };
  const prototype = OffscreenCanvasRenderingContext2D.prototype;

  const { getImageData } = prototype;
  prototype.getImageData = function (...given: Parameters<typeof getImageData>) {
    if (isInFrame) reads.inFrames++;
    else reads.between++;
    return getImageData.apply(this, given);
  };
  return reads;
}

/** The idle callbacks that were asked for and have neither come nor been cancelled. */
function watchIdleCallbacks(): ReadonlySet<number> {
  const waiting = new Set<number>();
  const request = window.requestIdleCallback.bind(window);
  const cancel = window.cancelIdleCallback.bind(window);
  window.requestIdleCallback = (work, options) => {
    const handle = request((deadline) => {
      waiting.delete(handle);
      work(deadline);
    }, options);
    waiting.add(handle);
    return handle;
  };
  window.cancelIdleCallback = (handle) => {
    waiting.delete(handle);
    cancel(handle);
  };
  return waiting;
}

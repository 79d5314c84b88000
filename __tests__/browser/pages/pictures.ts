import * as Phaser from 'phaser';
import { browserAdsEnvironment } from '../../../src/plugin/AdsEnvironment.js';
import { TrackerQueue } from '../../../src/report/TrackerQueue.js';
import { AdsGlobalPlugin, AdsScenePlugin } from 'phaser-inview';
import { StaticAds, type StaticAdsConfig } from 'phaser-inview/static';

/** What a house ad came to. */
export interface ShownPicture {
  readonly state: string;
  readonly errorCode: string | null;
  /** Of the texture. */
  readonly size: readonly [width: number, height: number];
  /** What an `<img>` shows of the same file: its size, and the largest difference of a colour, 0–255. */
  readonly asImg: { readonly size: readonly [width: number, height: number]; readonly difference: number } | null;
}

declare global {
  interface Window {
    /** Shows the first house ad; `compares` it with an `<img>`, whose host has to allow that. */
    showPicture?: (ads: StaticAdsConfig | string, compares: boolean) => Promise<ShownPicture>;
    /** Calls an address that must arrive, until nothing more is to be done about it; pauses pass at once. */
    callTracker?: (url: string) => Promise<void>;
    /** A picture of four colours in corners that tell how it is turned, as base64. */
    paintPicture?: (type: string, width: number, height: number) => Promise<string>;
  }
}

window.showPicture = async (ads, compares) => {
  let game!: Phaser.Game;
  const scene = await new Promise<Phaser.Scene>((resolve) => {
    game = new Phaser.Game({
      type: Phaser.CANVAS,
      width: 400,
      height: 300,
      banner: false,
      audio: { noAudio: true },
      plugins: {
        global: [{ key: 'Ads', plugin: AdsGlobalPlugin, start: true, data: { source: new StaticAds(ads) } }],
        scene: [{ key: 'AdsScene', plugin: AdsScenePlugin, mapping: 'ads' }],
      },
      scene: {
        create(this: Phaser.Scene) {
          resolve(this);
        },
      },
    });
  });
  try {
    const ad = scene.ads.place('roof', { x: 200, y: 150, width: 100, height: 100 });
    const state = await ad.ready;
    const source = ad.sprite.texture.getSourceImage() as HTMLCanvasElement;
    const shown = pixelsOf(source);
    return {
      state,
      errorCode: ad.error?.code ?? null,
      size: [shown.width, shown.height],
      asImg: compares ? await compare(shown, ad.ad!.url) : null,
    };
  } finally {
    game.destroy(true);
  }
};

window.callTracker = (url) =>
  new Promise((resolve) => {
    const doings = new Set<object>();
    const begin = (): (() => void) => {
      const doing = {};
      doings.add(doing);
      // What follows from the end of one thing has begun a task later.
      return () => setTimeout(() => doings.delete(doing) && doings.size === 0 && resolve());
    };
    const environment = browserAdsEnvironment();
    const queue = new TrackerQueue({
      async fetch(address, init) {
        const end = begin();
        await environment.fetchTracker(address, init).finally(end);
      },
      after(ms, callback) {
        // The deadline of a call is not waited for.
        if (ms === 10_000) return () => undefined;
        const end = begin();
        const timer = setTimeout(() => {
          callback();
          end();
        });
        return () => clearTimeout(timer);
      },
      isHeld: () => false,
      isOnline: () => environment.reporting.isOnline(),
      watchPage: () => () => undefined,
    });
    queue.send(url, true);
  });

function pixelsOf(image: CanvasImageSource & { width: number; height: number }): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

async function compare(shown: ImageData, url: string): Promise<NonNullable<ShownPicture['asImg']>> {
  const img = new Image();
  img.crossOrigin = 'anonymous';
  img.src = url;
  await img.decode();
  const wanted = pixelsOf(img);
  const isSameSize = wanted.width === shown.width && wanted.height === shown.height;
  const difference = isSameSize
    ? wanted.data.reduce((most, value, i) => Math.max(most, Math.abs(value - shown.data[i]!)), 0)
    : 255;
  return { size: [wanted.width, wanted.height], difference };
}

window.paintPicture = (type, width, height) => {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d')!;
  ['#e02020', '#20c020', '#2040e0', '#e0e020'].forEach((colour, i) => {
    context.fillStyle = colour;
    context.fillRect(((i % 2) * width) / 2, (Math.floor(i / 2) * height) / 2, width / 2, height / 2);
  });
  return Promise.resolve(canvas.toDataURL(type, 0.95).split(',')[1]!);
};

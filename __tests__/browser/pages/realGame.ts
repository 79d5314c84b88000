import * as Phaser from 'phaser';
import {
  type AdsPluginOptions,
  AdsGlobalPlugin,
  AdsScenePlugin,
  calculateAdCoverage,
  checkAdFullVisibility,
  isAdsError,
  type PlacedAd,
  visibleFragments,
} from 'phaser-inview';

/** What comes of a game with test ads. */
export interface PlayedGame {
  /** Codes of all errors the console got. */
  readonly printed: readonly string[];
  /** States of ads, by the way they came. */
  readonly states: readonly string[];
  /** Of an ad that nothing covers, and of the same one half covered, in percent: by its frames, and by a single call. */
  readonly open: readonly [number, number];
  readonly half: readonly [number, number];
  /** Whether each of the two says that it is seen whole while it is half covered. */
  readonly isFull: readonly [boolean, boolean];
  /** Names of what covers it, in both ways. */
  readonly blockers: readonly string[];
  /** Area of all fragments, as a share of the ad's, percent. */
  readonly fragments: number;
}

/** A placement of a service, asked about while it lives. */
export interface AskedPlacement {
  readonly state: string;
  readonly errorCode: string | null;
}

declare global {
  interface Window {
    playGame?: (renderer: 'webgl' | 'canvas') => Promise<PlayedGame>;
    /** Places an ad of the service, and waits until it has one or none. */
    placeAd?: (config: AdsPluginOptions, surface: string) => Promise<AskedPlacement>;
    askPlacement?: () => AskedPlacement;
  }
}

function start(type: number, data: AdsPluginOptions, preload: (scene: Phaser.Scene) => unknown): Promise<Phaser.Scene> {
  return new Promise((resolve) => {
    new Phaser.Game({
      type,
      width: 400,
      height: 300,
      banner: false,
      audio: { noAudio: true },
      plugins: {
        global: [{ key: 'Ads', plugin: AdsGlobalPlugin, start: true, data }],
        scene: [{ key: 'AdsScene', plugin: AdsScenePlugin, mapping: 'ads' }],
      },
      scene: {
        preload(this: Phaser.Scene) {
          preload(this);
        },
        create(this: Phaser.Scene) {
          resolve(this);
        },
      },
    });
  });
}

const drawn = (game: Phaser.Game): Promise<unknown> => new Promise((done) => game.events.once('postrender', done));

/** Errors on the console, each by its code. */
const printed: string[] = [];
console.error = (...all: unknown[]) =>
  void printed.push(...all.map((one) => (isAdsError(one) ? one.code : String(one))));

window.playGame = async (renderer) => {
  printed.length = 0;
  const type = renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS;
  const scene = await start(type, { testMode: true }, ({ load, ads }) => {
    load.ad(['roof-300x250', 'wall-300x250']);
    void ads.preload(['door-300x250']);
  });
  const { game, cameras, ads } = scene;
  cameras.main.setScroll(40, -30).setZoom(0.8);
  const x = cameras.main.midPoint.x - 60;
  const y = cameras.main.midPoint.y;
  const size = { width: 150, height: 125 };
  const ad = ads.place('roof-300x250', { x, y, ...size });
  const image = scene.add.ad(x + 180, y, 'wall-300x250', { ...size });
  const made = ads.all().find(({ sprite }) => sprite === image)!;
  await Promise.all([ad.ready, made.ready]);
  const own = scene.add.image(x + 180, y - 100, '__WHITE').setDisplaySize(40, 40);
  const observed = ads.observe(own, { adId: 'a', url: 'https://example.com/a.png' });
  const frames = async (): Promise<void> => {
    for (let frame = 0; frame < 4; frame++) await drawn(game);
  };
  const areaOf = (): number => {
    const { visibleArea, totalArea } = calculateAdCoverage(ad.sprite, cameras.main);
    return (100 * visibleArea) / totalArea;
  };
  await frames();
  const open = [ads.measure(ad).percentageInView, areaOf()] as const;
  const cover = scene.add.rectangle(x - 37.5, y, 75, 200, 0x00ff00).setName('cover');
  await frames();
  const measured = ads.measure(ad);
  const half = [measured.percentageInView, areaOf()] as const;
  const { isFullyVisible, blockingSprites } = checkAdFullVisibility(ad.sprite, scene);
  let area = 0;
  for (const polygon of visibleFragments(ad.sprite, cameras.main)) area += areaOfPolygon(polygon);
  const result: PlayedGame = {
    printed: [...printed],
    states: [ad.state, made.state, observed.state],
    open,
    half,
    isFull: [measured.isFullyVisible, isFullyVisible],
    blockers: [...measured.blockingSprites, ...blockingSprites].map(({ name }) => name),
    fragments: (100 * area) / calculateAdCoverage(ad.sprite, cameras.main).totalArea,
  };
  cover.destroy();
  game.destroy(true);
  return result;
};

function areaOfPolygon(xy: Float64Array): number {
  let twice = 0;
  for (let i = 0; i < xy.length; i += 2) {
    const k = (i + 2) % xy.length;
    twice += xy[i]! * xy[k + 1]! - xy[k]! * xy[i + 1]!;
  }
  return Math.abs(twice) / 2;
}

let placed: PlacedAd | null = null;
window.placeAd = async (config, surface) => {
  const scene = await start(Phaser.CANVAS, config, () => undefined);
  placed = scene.ads.place(surface, { x: 200, y: 150, width: 320, height: 180 });
  await placed.ready;
  return window.askPlacement!();
};
window.askPlacement = () => ({ state: placed!.state, errorCode: placed!.error?.code ?? null });

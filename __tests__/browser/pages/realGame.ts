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

/** What a game of a Phaser it was not made for comes to. */
export interface ForeignGame {
  /** Codes of all errors the console got. */
  readonly printed: readonly string[];
  /** Code with which each way to an ad is refused. */
  readonly refused: readonly (string | null)[];
  /** Of what covers the whole canvas: whether it is said to be seen whole, its share, and how many fragments. */
  readonly seen: readonly [isFullyVisible: boolean, share: number, fragments: number];
  /** Frames drawn after all of that. */
  readonly frames: number;
}

/** A placement of a service, asked about while it lives. */
export interface AskedPlacement {
  readonly state: string;
  readonly errorCode: string | null;
}

declare global {
  interface Window {
    playForeign?: (renderer: 'webgl' | 'canvas') => Promise<ForeignGame>;
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

window.playForeign = async (renderer) => {
  printed.length = 0;
  const type = renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS;
  const scene = await start(type, { testMode: true }, ({ load, ads }) => {
    load.ad(['roof-300x250', 'wall-300x250']);
    void ads.preload(['door-300x250']);
  });
  const { game, cameras } = scene;
  const image = scene.add.image(200, 150, '__WHITE').setDisplaySize(400, 300);
  await drawn(game);
  const codeOf = (call: () => unknown): string | null => {
    try {
      call();
      return null;
    } catch (error) {
      return isAdsError(error) ? error.code : String(error);
    }
  };
  const where = { x: 9, y: 9, width: 9, height: 9 };
  const refused = [
    codeOf(() => scene.ads.place('roof-300x250', where)),
    codeOf(() => scene.add.ad(9, 9, 'roof-300x250', { width: 9, height: 9 })),
    codeOf(() => scene.ads.observe(image, { adId: 'a', url: 'https://example.com/a.png' })),
  ];
  const { visibleArea } = calculateAdCoverage(image, cameras.main);
  const { isFullyVisible } = checkAdFullVisibility(image, scene);
  const fragments = visibleFragments(image, cameras.main).length;
  let frames = 0;
  for (; frames < 3; frames++) await drawn(game);
  game.destroy(true);
  return { printed: [...printed], refused, seen: [isFullyVisible, visibleArea / 120_000, fragments], frames };
};

let placed: PlacedAd | null = null;
window.placeAd = async (config, surface) => {
  const scene = await start(Phaser.CANVAS, config, () => undefined);
  placed = scene.ads.place(surface, { x: 200, y: 150, width: 320, height: 180 });
  await placed.ready;
  return window.askPlacement!();
};
window.askPlacement = () => ({ state: placed!.state, errorCode: placed!.error?.code ?? null });

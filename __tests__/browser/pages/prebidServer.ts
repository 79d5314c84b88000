import * as Phaser from 'phaser';
import { AdsGlobalPlugin, AdsScenePlugin } from 'phaser-inview';
import { OpenRtbAds, type OpenRtbOptions } from 'phaser-inview/openrtb';

/** How a placement fared with an exchange as its source. */
export interface AuctionResult {
  readonly state: string;
  readonly errorCode: string | null;
  readonly adId: string | null;
  /** What the option `debug` has printed. */
  readonly notes: readonly string[];
}

declare global {
  interface Window {
    /** Places one ad in a game whose ads come from the exchange; `seen` waits until it counts as viewable. */
    holdAuction?: (options: OpenRtbOptions, seen: boolean) => Promise<AuctionResult>;
  }
}

window.holdAuction = async (options, seen) => {
  const notes: string[] = [];
  const { info } = console;
  console.info = (...words: unknown[]) => void notes.push(words.join(' '));
  const source = new OpenRtbAds(options);
  let game!: Phaser.Game;
  try {
    const scene = await new Promise<Phaser.Scene>((resolve) => {
      game = new Phaser.Game({
        type: Phaser.CANVAS,
        width: 400,
        height: 300,
        banner: false,
        audio: { noAudio: true },
        plugins: {
          global: [{ key: 'Ads', plugin: AdsGlobalPlugin, start: true, data: { source, debug: true } }],
          scene: [{ key: 'AdsScene', plugin: AdsScenePlugin, mapping: 'ads' }],
        },
        scene: {
          create(this: Phaser.Scene) {
            resolve(this);
          },
        },
      });
    });
    const ad = scene.ads.place(options.surfaces[0]!.adSurfaceId, { x: 200, y: 150, width: 320, height: 180 });
    const isViewable = new Promise((resolve) => scene.ads.once('adviewable', resolve));
    const state = await ad.ready;
    if (seen) await isViewable;
    return { state, errorCode: ad.error?.code ?? null, adId: ad.ad?.adId ?? null, notes };
  } finally {
    game.destroy(true);
    console.info = info;
  }
};

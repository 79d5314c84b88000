/**
 * What a game's own code may write after importing the package, and what the compiler refuses. Compiled, never run:
 * with the sources by `npm run typecheck`, and with the built package's declarations by the package test.
 */
import * as Phaser from 'phaser';
import { AdsEvents, AdsGlobalPlugin, type AdsPluginOptions, AdsScenePlugin, ServiceHooks } from 'phaser-inview';
import { OpenRtbAds } from 'phaser-inview/openrtb';
import { StaticAds } from 'phaser-inview/static';

export class Street extends Phaser.Scene {
  create(): void {
    const placed = this.ads.place('surface-1', { x: 400, y: 120, width: 320, height: 180 });
    const image: Phaser.GameObjects.Image = placed.sprite;
    image.setDepth(5);

    this.ads.on(AdsEvents.BLOCKED, (event) => {
      const blockers: readonly Phaser.GameObjects.GameObject[] = event.blockingSprites;
      return blockers.length;
    });
    this.ads.on('advisible', ({ coverage }) => {
      const share: number = coverage.screenCoveragePercentage;
      return share;
    });
    this.ads.once(AdsEvents.ERROR, ({ error }) => error.code);

    // @ts-expect-error No such event.
    this.ads.on('adblokced', () => undefined);
    // @ts-expect-error Only `adblocked` says what blocks.
    this.ads.on(AdsEvents.VISIBLE, (event) => typeof event.blockingSprites);
    // @ts-expect-error An ad needs its place.
    this.ads.place('surface-1', { width: 320, height: 180 });
    // @ts-expect-error An ad is fitted in one of three ways.
    this.ads.place('surface-1', { x: 0, y: 0, width: 320, height: 180, fit: 'crop' });
  }

  waysIn(map: Phaser.Tilemaps.Tilemap): void {
    this.add.ad(400, 120, 'surface-1', { width: 320, height: 180 }).setDepth(5);
    const made: Phaser.GameObjects.Image = this.make.ad({
      surface: 'surface-1',
      x: 0,
      y: 0,
      width: 320,
      height: 180,
      scale: 2,
    });
    const placed = this.ads.get(made);
    this.ads
      .placeFromObjects(map, 'ads', { refresh: { minIntervalMs: 60_000 } })
      .map(({ sprite }) => sprite.setAlpha(0.5));
    void this.ads.preload(['surface-1']);
    this.ads.place('surface-1', {
      x: 0,
      y: 0,
      refresh: true,
      fallback: ({ error }) => (error === null ? 'hide' : { textureKey: 'wall' }),
    });
    this.ads.on('adrefresh', ({ previousAd, ad }) => previousAd.adId !== ad.adId && placed?.fallback === 'houseAd');
    this.load.ad('surface-1').ad(['surface-2'], { timeoutMs: 1_000 }).image('sky', 'sky.png');
    // @ts-expect-error A number is no surface.
    this.load.ad(7);
    this.ads.on('adbeforeclick', ({ url, preventDefault }) => url === null && preventDefault());
    this.ads.on('adclick', ({ isHouseAd, ad, isOpened }) => (isHouseAd ? ad === null : isOpened === 'unknown'));
    // @ts-expect-error Nobody knows that it was opened.
    this.ads.on('adclick', ({ isOpened }) => isOpened === true);
    // @ts-expect-error Whoever hangs an ad says how large.
    this.add.ad(400, 120, 'surface-1', { depth: 5, size: 10 });
    // @ts-expect-error There is no such fallback.
    this.ads.place('surface-1', { x: 0, y: 0, fallback: 'nothing' });
  }

  nothing(): unknown {
    // @ts-expect-error The plugin is no loose object.
    return this.ads.nothing;
  }
}

export const config: Phaser.Types.Core.GameConfig = {
  plugins: {
    global: [
      {
        key: 'AdsGlobalPlugin',
        plugin: AdsGlobalPlugin,
        start: true,
        data: { apiKey: 'key', privateKey: 'secret', baseUrl: 'https://ads.example' },
      },
    ],
    scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
  },
};

export const withoutServer: Phaser.Types.Core.PluginObjectItem = {
  key: 'AdsGlobalPlugin',
  plugin: AdsGlobalPlugin,
  start: true,
  data: { source: new StaticAds({ ads: [{ url: 'ads/sequel.png' }] }) } satisfies AdsPluginOptions,
};
export const inTestMode: AdsPluginOptions = { testMode: 'noFill' };
export const inTestModeOfSomeBuilds = (isTest: boolean): AdsPluginOptions[] => [
  { apiKey: 'key', privateKey: 'secret', testMode: isTest },
  { apiKey: 'key', getToken: () => Promise.resolve({ token: 'token' }), testMode: isTest },
  { source: new StaticAds('ads.json'), testMode: isTest && 'noFill' },
];
export const exchange = new OpenRtbAds({ endpoint: 'https://exchange.example/', surfaces: [{ adSurfaceId: 'roof' }] });
// @ts-expect-error No such answer.
export const wrongTestMode: AdsPluginOptions = { testMode: 'nothing' };
// @ts-expect-error Neither credentials nor a source.
export const nothingAtAll: AdsPluginOptions = { debug: true };

export async function byHooks(scene: Phaser.Scene, sprite: Phaser.GameObjects.Image): Promise<number> {
  const hooks = new ServiceHooks({ apiKey: 'key', privateKey: 'secret', baseUrl: 'https://ads.example' });
  const { items } = await hooks.useService().getAdSurfaces();
  const [surface] = items;
  if (surface) await hooks.useService().getAd(surface.adSurfaceId);
  const { checkAdFullVisibility, calculateAdCoverage } = hooks.useTracking();
  const { isFullyVisible, blockingSprites } = checkAdFullVisibility(sprite, scene);
  const { isVisible, screenCoveragePercentage, visibleArea, totalArea } = calculateAdCoverage(
    sprite,
    scene.cameras.main,
  );
  // @ts-expect-error A scene is no camera.
  calculateAdCoverage(sprite, scene);
  return isFullyVisible && isVisible ? blockingSprites.length : screenCoveragePercentage + visibleArea / totalArea;
}

// @ts-expect-error Credentials are a private key or a way to a token.
export const noCredentials = new ServiceHooks({ apiKey: 'key', baseUrl: 'https://ads.example' });

import type * as Phaser from 'phaser';
import { type CalculateAdCoverage, type CheckAdFullVisibility, ServiceHooks } from 'phaser-inview';
import { playScene } from './playScene.js';

/** What the game of the interface document ends up with. */
export interface CallOrderResult {
  readonly surfaces: number;
  readonly adId: string;
  readonly visibility: CheckAdFullVisibility | null;
  readonly coverage: CalculateAdCoverage | null;
  readonly blockers: readonly string[];
}

declare global {
  interface Window {
    callOrder?: (apiKey: string, privateKey: string, baseUrl: string, isCovered: boolean) => Promise<CallOrderResult>;
  }
}

/** The interface document's "Intended call order for an ad", step by step, in a scene of its own. */
window.callOrder = (apiKey, privateKey, baseUrl, isCovered) =>
  playScene(async (scene: Phaser.Scene): Promise<CallOrderResult> => {
    const none = { visibility: null, coverage: null, blockers: [] };
    // 1
    const hooks = new ServiceHooks({ apiKey, privateKey, baseUrl });
    const { getAdSurfaces, getAd } = hooks.useService();
    const { checkAdFullVisibility, calculateAdCoverage } = hooks.useTracking();
    // 2
    const { items } = await getAdSurfaces();
    if (items.length === 0) return { ...none, surfaces: 0, adId: '' };
    // 3
    const ad = await getAd(items[0]!.adSurfaceId);
    if (!ad.adId) return { ...none, surfaces: items.length, adId: ad.adId };
    // 4
    await new Promise((loaded) => scene.load.image('ad', ad.url).once('complete', loaded).start());
    const sprite = scene.add.sprite(200, 150, 'ad').setDisplaySize(160, 90);
    if (isCovered) scene.add.rectangle(200, 150, 40, 200, 0xff8800).setName('cover');
    await new Promise((drawn) => scene.game.events.once('postrender', drawn));
    // 5
    const visibility = checkAdFullVisibility(sprite, scene);
    const coverage = visibility.isFullyVisible ? calculateAdCoverage(sprite, scene.cameras.main) : null;
    const blockers = visibility.blockingSprites.map(({ name }) => name);
    return {
      surfaces: items.length,
      adId: ad.adId,
      visibility: { ...visibility, blockingSprites: [] },
      coverage,
      blockers,
    };
  });

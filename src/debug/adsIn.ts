import type * as Phaser from 'phaser';
import type { AdsScenePlugin, AdSummary, PlacedAd } from '../index.js';

/** The ad plugin of a scene, whatever it is mapped to; null where it is not installed. */
function pluginOf(scene: Phaser.Scene): AdsScenePlugin | null {
  let plugin = plugins.get(scene);
  if (plugin === undefined) {
    const found = Object.values(scene.sys).find(isAdsPlugin);
    // A scene gets its plugins when it starts for the first time.
    if (found === undefined) return null;
    plugins.set(scene, (plugin = found));
  }
  return plugin;
}

/** The ads of a scene that have not finished and have their sprite. */
export function adsOf(scene: Phaser.Scene): PlacedAd[] {
  // A sprite may be gone before its ad knows. A destroyed game object has no scene, whatever Phaser's types say.
  return (pluginOf(scene)?.all() ?? []).filter(({ sprite }) => Boolean(sprite.scene as unknown));
}

/** The ads of all scenes of a game, scene by scene. */
export function adsIn(game: Phaser.Game): PlacedAd[] {
  return game.scene.scenes.flatMap(adsOf);
}

/** How every ad of a scene stands. */
export function summariesOf(scene: Phaser.Scene): readonly AdSummary[] {
  return pluginOf(scene)?.summary() ?? [];
}

/** How every ad of a game stands. */
export function summariesIn(game: Phaser.Game): AdSummary[] {
  return game.scene.scenes.flatMap(summariesOf);
}

const plugins = new WeakMap<Phaser.Scene, AdsScenePlugin>();

function isAdsPlugin(value: unknown): value is AdsScenePlugin {
  return typeof value === 'object' && value !== null && 'isAdsScenePlugin' in value;
}

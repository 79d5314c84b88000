import type * as Phaser from 'phaser';

import type { AdsPluginOptions } from '../options.js';
import { AdsGlobalPlugin } from './AdsGlobalPlugin.js';
import { AdsScenePlugin } from './AdsScenePlugin.js';

/** What {@link inviewPlugins} gives: `plugins` of a game config. */
export interface InviewPlugins {
  readonly global: Phaser.Types.Core.PluginObjectItem[];
  readonly scene: Phaser.Types.Core.PluginObjectItem[];
}

/**
 * Both plugins for the game config; every scene has its ads as `this.ads`.
 *
 * ```ts
 * new Phaser.Game({ plugins: inviewPlugins({ apiKey, getToken, baseUrl }) });
 * ```
 *
 * A game with plugins of its own adds them: `const { global, scene } = inviewPlugins(…)`.
 * @param options read when the game starts; wrong options throw then
 */
export function inviewPlugins(options: AdsPluginOptions): InviewPlugins {
  return {
    global: [{ key: 'AdsGlobalPlugin', plugin: AdsGlobalPlugin, start: true, data: options }],
    scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
  };
}

import type { AdsScenePlugin } from './AdsScenePlugin.js';

declare module 'phaser' {
  interface Scene {
    /** Ads of this scene; present when `AdsScenePlugin` is installed with the mapping `ads`. */
    ads: AdsScenePlugin;
  }
}

import type * as Phaser from 'phaser';

import type { AdSurface } from '../service/AdService.js';
import type { AdsScenePlugin } from './AdsScenePlugin.js';

import type { MakeAdConfig, PlaceOptions } from './placeOptions.js';

declare module 'phaser' {
  namespace GameObjects {
    interface GameObjectFactory {
      /**
       * Hangs an ad into the world, as `this.ads.place` does; `this.ads.get(image)` gives its `PlacedAd`.
       * @param surface as `getAdSurfaces` gave it, or its id
       */
      ad(
        x: number,
        y: number,
        surface: AdSurface | string,
        options?: Omit<PlaceOptions, 'x' | 'y'>,
      ): Phaser.GameObjects.Image;
    }
    interface GameObjectCreator {
      /** Makes an ad from Phaser's game object config, see `this.ads.make`. */
      ad(config: MakeAdConfig, addToScene?: boolean): Phaser.GameObjects.Image;
    }
  }

  interface Scene {
    /** Ads of this scene; present when `AdsScenePlugin` is installed with the mapping `ads`. */
    ads: AdsScenePlugin;
  }
}

import type * as Phaser from 'phaser';

import type { AdSurface } from '../service/AdService.js';
import type { AdsScenePlugin } from './AdsScenePlugin.js';
import type { PreloadOptions } from './readArguments.js';

import type { MakeAdConfig, PlaceOptions } from '../placement/placeOptions.js';

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

  namespace Loader {
    interface LoaderPlugin {
      /**
       * Fetches ads as files of this loader, for `place` to take without waiting; see `this.ads.preload`. A file is done
       * when its ad is there or known not to come, and after `timeoutMs` at the latest; it never fails.
       * @param surfaces as `getAdSurfaces` gave them, or their ids
       */
      ad(surfaces: AdSurface | string | readonly (AdSurface | string)[], options?: PreloadOptions): this;
    }
  }

  interface Scene {
    /** Ads of this scene; present when `AdsScenePlugin` is installed with the mapping `ads`. */
    ads: AdsScenePlugin;
  }
}

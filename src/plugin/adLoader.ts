import type * as Phaser from 'phaser';

import type { AdSurface } from '../service/AdService.js';
import type { PreloadOptions } from './readArguments.js';

type Loader = Phaser.Loader.LoaderPlugin;

/** What `this.load.ad` does with what it is given. */
export type LoadAds = (surfaces: readonly (AdSurface | string)[], options?: PreloadOptions) => void;

/**
 * Makes `this.load.ad(...)` work with the loader of one scene. Phaser's own list of file types would give it to all
 * loaders of the page, also those of scenes without ads, and is a value of Phaser, which this package does without.
 * @returns takes it away again; null where the scene has no loader, or the game its own method of that name
 */
export function installAdLoader(loader: Loader | undefined, load: LoadAds): (() => void) | null {
  if (loader === undefined || 'ad' in loader) return null;
  const owner = loader as Partial<Pick<Loader, 'ad'>>;
  const method: Loader['ad'] = (surfaces, options) => {
    load(Array.isArray(surfaces) ? (surfaces as readonly (AdSurface | string)[]) : [surfaces as string], options);
    return loader;
  };
  owner.ad = method;
  return () => {
    if (owner.ad === method) delete owner.ad;
  };
}

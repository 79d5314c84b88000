import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import type { MakeAdConfig, PlaceOptions } from '../placement/placeOptions.js';
import type { AdSurface } from '../service/AdService.js';
import { fieldsOf } from './readArguments.js';

type Image = Phaser.GameObjects.Image;

/** What the factories need of a scene's plugin, of whatever copy of this package. */
export interface AdMaker {
  readonly isAdsScenePlugin: true;
  place(surface: AdSurface | string, options: PlaceOptions): { readonly sprite: Image };
  make(config: MakeAdConfig, addToScene?: boolean): Image;
}

interface Factory {
  readonly scene: Phaser.Scene;
}

/** A factory method, with the scenes that use it: it is removed with the last of them. */
type Method = ((this: Factory, ...args: never[]) => Image) & { users?: Set<Phaser.Scene> };

/** One of Phaser's factory classes, of whatever copy of Phaser. */
interface FactoryClass {
  readonly prototype: Record<string, Method | undefined>;
  register(name: string, method: Method): void;
  remove(name: string): void;
}

const NAME = 'ad';

/**
 * Makes `this.add.ad(...)` and `this.make.ad(...)` work in all scenes, as long as there is one on the page with this package's
 * plugin. Phaser's factory classes are found through the scene's factories. A factory of that name that the game has made
 * itself is left alone.
 * @returns to be called at the end of the scene, each unless it is null
 */
export function registerAdFactories(scene: Phaser.Scene): readonly ((() => void) | null)[] {
  const { add, make } = scene.sys as unknown as { add?: object; make?: object };
  const removeAdd = register(
    classOf(add),
    scene,
    function (this: Factory, x: number, y: number, surface: AdSurface | string, options: object = {}) {
      return makerOf(this.scene).place(surface, { ...fieldsOf(options, 'add.ad: the options could not be read'), x, y })
        .sprite;
    },
  );
  const removeMake = register(
    classOf(make),
    scene,
    function (this: Factory, config: MakeAdConfig, addToScene?: boolean) {
      return makerOf(this.scene).make(config, addToScene);
    },
  );
  return [removeAdd, removeMake];
}

/** @returns takes the method away from the scene, and from all when that was the last one */
function register(factory: FactoryClass | null, scene: Phaser.Scene, method: Method): (() => void) | null {
  if (factory === null) return null;
  const present = factory.prototype[NAME];
  const users = present === undefined ? (method.users = new Set()) : present.users;
  if (users === undefined) return null;
  users.add(scene);
  if (present === undefined) factory.register(NAME, method);
  return () => {
    if (users.delete(scene) && users.size === 0) factory.remove(NAME);
  };
}

function classOf(factory: object | undefined): FactoryClass | null {
  const candidate = factory?.constructor as Partial<FactoryClass> | undefined;
  return typeof candidate?.register === 'function' && typeof candidate.remove === 'function'
    ? (candidate as FactoryClass)
    : null;
}

/** The scene's ad plugin, wherever it is mapped to. */
function makerOf(scene: Phaser.Scene): AdMaker {
  for (const system of Object.values(scene.sys) as unknown[]) {
    if ((system as Partial<AdMaker> | null)?.isAdsScenePlugin === true) return system as AdMaker;
  }
  throw new AdsError('config/not-installed', 'AdsScenePlugin is not installed in this scene');
}

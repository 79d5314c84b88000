import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import type { AdSurface } from '../service/AdService.js';
import type { MakeAdConfig, PlaceOptions } from './placeOptions.js';

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

export interface FactoryClass {
  readonly prototype: Record<string, Method | undefined>;
  register(name: string, method: Method): void;
  remove(name: string): void;
}

/** Phaser's classes, of whatever copy of Phaser; null where a scene goes without. */
export interface AdFactories {
  readonly add: FactoryClass | null;
  readonly make: FactoryClass | null;
}

const NAME = 'ad';

/**
 * Makes `this.add.ad(...)` and `this.make.ad(...)` work in all scenes, as long as there is one on the page with this package's
 * plugin. Phaser's factory classes are found through the scene's factories. A factory of that name that the game has made
 * itself is left alone.
 */
export function registerAdFactories(scene: Phaser.Scene): AdFactories {
  const { add, make } = scene.sys as unknown as { add?: object; make?: object };
  const factories = { add: classOf(add), make: classOf(make) };
  register(
    classOf(add),
    scene,
    function (this: Factory, x: number, y: number, surface: AdSurface | string, options?: object) {
      return makerOf(this.scene).place(surface, withPosition(options, x, y)).sprite;
    },
  );
  register(factories.make, scene, function (this: Factory, config: MakeAdConfig, addToScene?: boolean) {
    return makerOf(this.scene).make(config, addToScene);
  });
  return factories;
}

function register(factory: FactoryClass | null, scene: Phaser.Scene, method: Method): void {
  if (factory === null) return;
  const present = factory.prototype[NAME];
  if (present !== undefined && present.users === undefined) return;
  const users = present?.users ?? (method.users = new Set());
  users.add(scene);
  if (present === undefined) factory.register(NAME, method);
}

/** The counterpart of {@link registerAdFactories}, at the end of the scene. */
export function unregisterAdFactories({ add, make }: AdFactories, scene: Phaser.Scene): void {
  for (const factory of [add, make]) {
    const users = factory?.prototype[NAME]?.users;
    if (factory === null || users?.delete(scene) !== true) continue;
    if (users.size === 0) factory.remove(NAME);
  }
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

function withPosition(options: unknown, x: number, y: number): PlaceOptions {
  try {
    return { ...(options as object), x, y };
  } catch {
    throw new AdsError('arg/option', 'add.ad: an option could not be read: its getter throws');
  }
}

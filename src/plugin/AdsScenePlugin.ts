import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import { type AdsEventMap, type AdsEventName, AdsEvents } from '../events.js';
import { copyMeasurement, measurementOfNothing, withoutCreative } from '../meter/copyMeasurement.js';
import { FriendlyObstructions, type ObstructionPurpose } from '../meter/FriendlyObstructions.js';
import { isMeasurable, requireKnownPhaser } from '../meter/phaserVersion.js';
import type { SpriteMeasurement } from '../meter/SpriteMeasurement.js';
import { AdBox } from '../placement/AdBox.js';
import { type AdSummary, summaryOf } from '../placement/AdSummary.js';
import type { Delivery } from '../placement/Delivery.js';
import { PlacedAd } from '../placement/PlacedAd.js';
import {
  type MakeAdConfig,
  readPlacement,
  type Placement,
  type PlaceOptions,
  readSurface,
} from '../placement/placeOptions.js';
import { SceneHost } from '../placement/SceneHost.js';
import type { Ad, AdSurface, AdSurfaceList, CallOptions } from '../service/AdService.js';
import type { ServiceClient } from '../service/ServiceClient.js';
import { type AdMaker, registerAdFactories } from './adFactories.js';
import { addAdFile } from './AdFile.js';
import { installAdLoader } from './adLoader.js';
import type { AdsCore } from './AdsCore.js';
import { AdsGlobalPlugin } from './AdsGlobalPlugin.js';
import {
  fieldsOf,
  type ObserveAdOptions,
  type PreloadOptions,
  readAd,
  readObserveOptions,
  readPatience,
  requireHandler,
  requireSprite,
} from './readArguments.js';
import { faultOf, tiledPlacements } from './tiledPlacements.js';

type GameObject = Phaser.GameObjects.GameObject;

/** Scene events (`Phaser.Scenes.Events`). */
const BOOT = 'boot';
const SHUTDOWN = 'shutdown';
const DESTROY = 'destroy';
const UPDATE = 'update';

/** Scene status (`Phaser.Scenes`): files are loaded; `create()` runs; asleep. */
const LOADING = 3;
const CREATING = 4;
const SLEEPING = 7;

export type AdsEventHandler<K extends AdsEventName> = (payload: AdsEventMap[K]) => void;

interface Handler {
  readonly event: AdsEventName;
  readonly fn: AdsEventHandler<never>;
  readonly context: unknown;
}

const EVENT_NAMES = new Set<unknown>(Object.values(AdsEvents));

/**
 * Ads of one scene, as `this.ads`.
 *
 * The instance lives as long as the scene, across restarts. It listens to nothing until the scene first uses it in a
 * run, and every run ends with `shutdown` (or `destroy`, when the scene is removed): all ads finish, and handlers added
 * by {@link AdsScenePlugin.on} are gone, so that `create()` may add them anew.
 */
export class AdsScenePlugin implements AdMaker {
  /** Tells the class apart even when it comes from a second copy of this package. */
  readonly isAdsScenePlugin = true;

  #scene: Phaser.Scene | null;
  /** Null until the scene first asks for ads, and once it is destroyed. */
  #core: AdsCore | null = null;
  #host: SceneHost | null = null;
  readonly #ads = new Set<PlacedAd>();
  #handlers: Handler[] = [];
  readonly #unknownEvents = new Set<unknown>();
  #isInRun = false;
  /** What this scene has declared in its present run. */
  readonly #friendly = new Set<GameObject>();
  #time = 0;
  /** Take away what the scene was given at its boot. */
  #removers: readonly ((() => void) | null)[] = [];
  // Made once: a frame allocates nothing.
  readonly #tickOne = (placedAd: PlacedAd): void => placedAd.tick(this.#time);

  /** Called by Phaser, also for its hidden system scene, which never runs. */
  constructor(scene: Phaser.Scene) {
    this.#scene = scene;
    scene.sys.events.once(BOOT, this.boot, this);
  }

  /** Called by Phaser: by the scene's event, or directly when the plugin is installed into a running scene. */
  boot(): void {
    const scene = this.#requireScene();
    const { events } = scene.sys;
    events.off(BOOT, this.boot, this);
    events.once(DESTROY, this.destroy, this);
    // There is none in a scene whose plugins leave the loader out.
    const { load } = scene.sys as unknown as { readonly load?: Phaser.Loader.LoaderPlugin };
    const removeLoader = installAdLoader(load, (surfaces, options) => this.#load(surfaces, options, true));
    this.#removers = [...registerAdFactories(scene), removeLoader];
  }

  /** The client of the ad service: surfaces, connect, login, logout. */
  get client(): ServiceClient {
    return this.#requireCore().client;
  }

  /** How the reports of this game fare: whether they outlive the page, and where each has gone. */
  get delivery(): Delivery {
    return this.#requireCore().delivery;
  }

  /** The ad surfaces of this application; an empty list when there are none. */
  getAdSurfaces(options?: CallOptions): Promise<AdSurfaceList> {
    return this.#requireCore().ads.getAdSurfaces(options);
  }

  /**
   * Hangs an ad into the world, at once: the sprite shows a placeholder until the creative is there, and keeps it when
   * there is no ad or something fails. Events and {@link PlacedAd.ready} tell what becomes of it.
   *
   * @param surface as `getAdSurfaces` gave it, or its id
   * @throws AdsError `arg/…`, `config/not-installed`, `place/scene-not-running`, `net/aborted`, `lifecycle/destroyed`
   */
  place(surface: AdSurface | string, options: PlaceOptions): PlacedAd<Phaser.GameObjects.Image> {
    const scene = this.#requireRunningScene('place');
    const core = this.#requireCore();
    const placement = readPlacement(surface, options, scene, core.options, core.tell);
    return this.#hang(placement, (textureKey) => makeSprite(scene, placement, textureKey));
  }

  /**
   * As {@link AdsScenePlugin.place}, in the manner of `this.make.image`: takes Phaser's game object config (also random
   * values and `add: false`) with the surface, and gives the Image; `get(image)` gives its {@link PlacedAd}. Also there
   * as `this.make.ad(config)`.
   * @throws AdsError as {@link AdsScenePlugin.place}
   */
  make(config: MakeAdConfig, addToScene?: boolean): Phaser.GameObjects.Image {
    const scene = this.#requireRunningScene('make.ad');
    const { options, tell } = this.#requireCore();
    const { surface, width, height, fit, container, clickable, refresh, fallback, label, signal, ...looks } = fieldsOf(
      config,
      'make.ad: expected { surface, x, y, width, height, … }',
    ) as Partial<MakeAdConfig>;
    if (surface === undefined && 'adSurfaceId' in looks) {
      const hint = 'make.ad({ surface: … }) takes the id, or the surface as getAdSurfaces() gave it.';
      throw new AdsError('arg/surface-id', 'make.ad: expected the key `surface`, got `adSurfaceId`', { hint });
    }
    const about = { width, height, fit, container, clickable, refresh, fallback, label, signal };
    const placement = readPlacement(surface, { ...about, x: 0, y: 0 }, scene, options, tell);
    return this.#hang(placement, (key) => {
      const inParent = placement.container !== null;
      const sprite = scene.make.image({ ...looks, key }, inParent ? false : addToScene);
      placement.container?.add(sprite);
      return sprite;
    }).sprite;
  }

  /**
   * Hangs an ad on every object of a Tiled object layer that has the property `adSurfaceId`: position, size, rotation
   * and visibility are the object's. Further properties it may have: `fit`, `depth`, `clickable`; for points `width` and
   * `height`.
   *
   * @param layer name of the object layer, or the layer
   * @param options for all of them; what an object says itself comes first
   * @throws AdsError `arg/option` for a map or layer that is none, and as {@link AdsScenePlugin.place}; then none of them hangs
   */
  placeFromObjects(
    map: Phaser.Tilemaps.Tilemap,
    layer: string | Phaser.Tilemaps.ObjectLayer,
    options: Partial<PlaceOptions> = {},
  ): PlacedAd<Phaser.GameObjects.Image>[] {
    const placedAds: PlacedAd<Phaser.GameObjects.Image>[] = [];
    for (const object of tiledPlacements(map, layer)) {
      try {
        const placedAd = this.place(object.surface, { ...options, ...object.options });
        placedAd.sprite.setRotation(object.rotation).setVisible(object.isVisible).setName(object.name);
        placedAds.push(placedAd);
      } catch (error) {
        for (const placedAd of placedAds) placedAd.destroy();
        throw faultOf(object, error);
      }
    }
    return placedAds;
  }

  /**
   * Fetches ads before there is a place for them, here or in a later scene: the next `place` for the surface takes one
   * without waiting. In `preload()`, the loader waits for them and its progress covers them, but never longer than
   * `timeoutMs`; later ones are taken as they come. `this.load.ad(surfaces)` does the same, chained like other files.
   *
   * @param surfaces one ad for each entry
   * @returns resolves once all are there or known not to come; never rejects. In a game that has no ads (see
   * `config/phaser-version`, `config/browser`) it resolves at once: the scene starts without ads, and the console says why, once
   * @throws AdsError `arg/surface-id`, `arg/option`, `config/not-installed`, `lifecycle/destroyed`
   */
  preload(surfaces: readonly (AdSurface | string)[], options: PreloadOptions = {}): Promise<void> {
    const isLoading = this.#requireScene().sys.settings.status <= LOADING;
    return Promise.all(this.#load(surfaces, options, isLoading)).then(() => undefined);
  }

  /** @param areFiles the scene's loader waits for them */
  #load(surfaces: readonly (AdSurface | string)[], options: PreloadOptions = {}, areFiles: boolean): Promise<void>[] {
    const scene = this.#requireScene();
    // An exception in `preload()` would keep the scene from starting: it starts without ads.
    if (!isMeasurable(scene)) return [];
    const { load: loader } = scene;
    const core = this.#requireCore();
    if (!Array.isArray(surfaces)) throw new AdsError('arg/surface-id', 'preload: expected a list of ad surfaces');
    const ids = surfaces.map((surface: unknown) => readSurface(surface).adSurfaceId);
    const timeoutMs = readPatience(options);
    return ids.map((id) => {
      const load = core.preloaded.load(id);
      if (areFiles) addAdFile(loader, id, () => core.withPatience(load, timeoutMs));
      return load;
    });
  }

  /** The ad behind a sprite, if it is one of this scene that has not finished. */
  get(sprite: GameObject): PlacedAd | null {
    for (const placedAd of this.#ads) if (placedAd.sprite === sprite) return placedAd;
    return null;
  }

  /**
   * Measures a sprite the game has made itself and that shows `ad` already. A sprite observed before is observed anew.
   * @throws AdsError `arg/…`, `config/not-installed`, `place/scene-not-running`, `lifecycle/destroyed`
   */
  observe<T extends GameObject>(sprite: T, ad: Ad, options: ObserveAdOptions = {}): PlacedAd<T> {
    const scene = this.#requireRunningScene('observe');
    requireSprite(sprite, 'observe');
    if (sprite.scene !== scene)
      throw new AdsError('arg/scene-mismatch', 'observe: the sprite belongs to another scene');
    const { clickable } = readObserveOptions(options);
    const served = readAd(ad);
    const earlier = this.get(sprite);
    if (earlier?.surface) throw new AdsError('arg/sprite', 'observe: the sprite was made by place()');
    earlier?.end('unobserved');
    // A handler of that end may have ended the scene, or observes the sprite already: seen twice, it would be paid for twice.
    this.#requireRunningScene('observe');
    const next = this.get(sprite);
    if (next !== null) return next as PlacedAd<T>;
    const placedAd = this.#keep(new PlacedAd(this.#requireHost(), sprite, null));
    placedAd.watch(served, clickable);
    return placedAd;
  }

  /** Stops measuring a sprite given to {@link AdsScenePlugin.observe}; false when it was not observed. */
  unobserve(sprite: GameObject | PlacedAd): boolean {
    const placedAd = sprite instanceof PlacedAd ? sprite : this.get(sprite);
    if (placedAd === null || !this.#ads.has(placedAd) || placedAd.surface !== null) return false;
    placedAd.end('unobserved');
    return true;
  }

  /** The ads of this scene that have not finished, in the order they were placed. */
  all(): readonly PlacedAd[] {
    return [...this.#ads];
  }

  /**
   * What the player sees of a sprite in the frame drawn last, worked out now. A sprite that is gone is not visible; a
   * placed ad that shows its placeholder counts as not visible too, with the reason `notLoaded`.
   * @throws AdsError `arg/sprite`
   */
  measure(target: PlacedAd | GameObject): SpriteMeasurement {
    const placedAd = target instanceof PlacedAd ? target : this.get(target);
    const sprite = placedAd?.sprite ?? target;
    requireSprite(sprite, 'measure');
    const { scene } = sprite as { scene: Phaser.Scene | null | undefined };
    if (!scene || this.#scene === null || placedAd?.state === 'finished') return measurementOfNothing();
    const measured = this.#requireHost().measure(sprite);
    return placedAd === null || placedAd.state === 'shown' ? copyMeasurement(measured) : withoutCreative(measured);
  }

  /**
   * How every ad of this scene stands right now: what is in view, for how long, and what each standard still waits for.
   * A frozen copy.
   */
  summary(): readonly AdSummary[] {
    return Object.freeze([...this.#ads].map(summaryOf));
  }

  /**
   * Declares that an object belongs to ads, such as a close button: from the next frame on it is not counted as covering
   * any ad of the game, and reports say that it was declared. Until it is removed or destroyed, or this scene shuts down.
   * The tracking hooks and `checkAdFullVisibility` go on naming it.
   *
   * @param reason at most 50 letters, digits and spaces
   * @throws AdsError `arg/sprite`, `arg/obstruction`, `place/scene-not-running`, `lifecycle/destroyed`
   */
  addFriendlyObstruction(object: GameObject, purpose: ObstructionPurpose, reason?: string): void {
    const scene = this.#requireRunningScene('addFriendlyObstruction');
    const friendly = FriendlyObstructions.of(scene.sys.game);
    friendly.add(object, purpose, reason);
    this.#beginRun();
    // Lets go of those that were destroyed: each ad may have a button of its own.
    for (const declared of this.#friendly) if (!friendly.has(declared)) this.#friendly.delete(declared);
    this.#friendly.add(object);
  }

  /** @returns false when the object was not declared in this scene. */
  removeFriendlyObstruction(object: GameObject): boolean {
    if (!this.#friendly.delete(object)) return false;
    return FriendlyObstructions.of(this.#requireScene().sys.game).remove(object);
  }

  /**
   * Adds a handler to the scene's emitter, until the scene shuts down.
   * @throws AdsError `arg/handler`, `lifecycle/destroyed`
   */
  on<K extends AdsEventName>(event: K, handler: AdsEventHandler<K>, context?: unknown): this {
    return this.#addHandler('on', event, handler, context);
  }

  /** As {@link AdsScenePlugin.on}, for one time. */
  once<K extends AdsEventName>(event: K, handler: AdsEventHandler<K>, context?: unknown): this {
    return this.#addHandler('once', event, handler, context);
  }

  off<K extends AdsEventName>(event: K, handler: AdsEventHandler<K>, context?: unknown): this {
    requireHandler(handler);
    this.#handlers = this.#handlers.filter(
      (added) => added.event !== event || added.fn !== handler || (context !== undefined && added.context !== context),
    );
    this.#scene?.sys.events.off(event, handler, context);
    return this;
  }

  /** The end of a run of the scene. Called by its event. */
  shutdown(): void {
    for (const placedAd of [...this.#ads]) placedAd.end(this.#requireHost().reasonForEnd());
    const { events } = this.#requireScene().sys;
    for (const { event, fn, context } of this.#handlers) events.off(event, fn, context);
    this.#handlers = [];
    for (const object of [...this.#friendly]) this.removeFriendlyObstruction(object);
    events.off(SHUTDOWN, this.shutdown, this);
    events.off(UPDATE, this.#tick, this);
    this.#isInRun = false;
  }

  /** The end of the scene. Called by its event. */
  destroy(): void {
    const scene = this.#scene;
    if (scene === null) return;
    this.shutdown();
    scene.sys.events.off(BOOT, this.boot, this);
    scene.sys.events.off(DESTROY, this.destroy, this);
    for (const remove of this.#removers) remove?.();
    this.#core = this.#host = this.#scene = null;
  }

  #hang(
    placement: Placement,
    makeSprite: (textureKey: string) => Phaser.GameObjects.Image,
  ): PlacedAd<Phaser.GameObjects.Image> {
    const { width, height, signal } = placement;
    if (signal?.aborted) throw new AdsError('net/aborted', 'place: the signal is aborted already');
    const sprite = makeSprite(this.#requireCore().placeholders.keyFor(width, height));
    const { scaleX, scaleY } = sprite;
    const box = new AdBox(sprite, width, height);
    // The box has a scale of its own; one the config asked for comes on top.
    sprite.setScale(sprite.scaleX * scaleX, sprite.scaleY * scaleY);
    const placedAd = this.#keep(new PlacedAd(this.#requireHost(), sprite, { sprite, box, placement }));
    void placedAd.serve();
    return placedAd;
  }

  /** Called by the scene's event, once a frame while the scene runs. */
  #tick(): void {
    if (this.#host === null) return;
    this.#time = this.#host.core.now();
    this.#ads.forEach(this.#tickOne);
  }

  #keep<T extends GameObject>(placedAd: PlacedAd<T>): PlacedAd<T> {
    this.#beginRun();
    this.#ads.add(placedAd);
    return placedAd;
  }

  /** The counterpart of {@link AdsScenePlugin.shutdown}. */
  #beginRun(): void {
    if (this.#isInRun) return;
    this.#isInRun = true;
    const { events } = this.#requireScene().sys;
    events.once(SHUTDOWN, this.shutdown, this);
    events.on(UPDATE, this.#tick, this);
  }

  #addHandler<K extends AdsEventName>(
    how: 'on' | 'once',
    event: K,
    handler: AdsEventHandler<K>,
    context: unknown,
  ): this {
    requireHandler(handler);
    const { events } = this.#requireScene().sys;
    this.#noteUnknown(event);
    this.#beginRun();
    // Lets go of handlers for one time that were called: a running scene may add any number of them.
    const present = new Set<unknown>(events.listeners(event));
    this.#handlers = this.#handlers.filter((added) => added.event !== event || present.has(added.fn));
    this.#handlers.push({ event, fn: handler, context });
    events[how](event, handler, context);
    return this;
  }

  /** An unknown event name is never emitted: a warning says so once. */
  #noteUnknown(event: unknown): void {
    if (EVENT_NAMES.has(event) || this.#unknownEvents.has(event)) return;
    this.#unknownEvents.add(event);
    try {
      this.#requireCore().tell(`phaser-inview: there is no event ${JSON.stringify(event)}; see AdsEvents`);
    } catch {
      // A game without AdsGlobalPlugin: whoever asks for an ad is told.
    }
  }

  #requireScene(): Phaser.Scene {
    if (this.#scene === null) throw new AdsError('lifecycle/destroyed', 'The scene or game has been destroyed');
    return this.#scene;
  }

  #requireRunningScene(call: string): Phaser.Scene {
    const scene = this.#requireScene();
    requireKnownPhaser(scene);
    const { status } = scene.sys.settings;
    if (status < CREATING || status > SLEEPING) {
      throw new AdsError(
        'place/scene-not-running',
        `${call}: the scene ${JSON.stringify(scene.sys.settings.key)} does not run`,
      );
    }
    return scene;
  }

  #requireHost(): SceneHost {
    return (this.#host ??= new SceneHost(this.#requireScene(), this.#requireCore(), this.#ads));
  }

  #requireCore(): AdsCore {
    return (this.#core ??= AdsGlobalPlugin.of(this.#requireScene().sys.game).core);
  }
}

function makeSprite(scene: Phaser.Scene, placement: Placement, textureKey: string): Phaser.GameObjects.Image {
  const { x, y, container, origin, scrollFactor, depth } = placement;
  const sprite =
    container === null ? scene.add.image(x, y, textureKey) : scene.make.image({ x, y, key: textureKey, add: false });
  sprite.setOrigin(origin.x, origin.y);
  if (scrollFactor !== null) sprite.setScrollFactor(scrollFactor.x, scrollFactor.y);
  if (depth !== null) sprite.setDepth(depth);
  container?.add(sprite);
  return sprite;
}

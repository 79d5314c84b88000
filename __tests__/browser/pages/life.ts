import * as Phaser from 'phaser';
import {
  AdsEvents,
  AdsGlobalPlugin,
  AdsScenePlugin,
  type ConsentProvider,
  type ConsentSignals,
  type PlacedAd,
} from 'phaser-inview';
import { OpenRtbAds } from 'phaser-inview/openrtb';
import { VastVideo } from 'phaser-inview/vast';

export interface LifeSetting {
  /** Of the ad service, or of an exchange. */
  readonly baseUrl: string;
  /** With an exchange: what else is asked for its ads. Nobody is asked without the player's consent. */
  readonly thirdParties?: readonly string[];
  readonly renderer: 'webgl' | 'canvas';
  readonly seed: number;
  /** Things that happen to the game, one after another. */
  readonly acts: number;
}

export interface Life {
  /** What broke a law, in words; the acts that led to it stand in `acts`. */
  readonly faults: readonly string[];
  readonly acts: readonly string[];
  /** Placements whose impression was announced. */
  readonly impressions: readonly string[];
  /** Ads shown at the end. */
  readonly shown: number;
  /** What the destroyed game left behind. */
  readonly left: Readonly<Record<string, number>>;
}

declare global {
  interface Window {
    live?: (setting: LifeSetting) => Promise<Life>;
    /** From here on the service answers as it should. */
    calmService?: () => Promise<void>;
    /** The page is about to ask for an address. */
    asks?: (address: string) => void;
  }
}

const WIDTH = 700;
const HEIGHT = 400;
/** Places beside each other: an ad has its own, as long as there are no more of them. */
const PLACES = 24;
const COLUMNS = 6;
const SURFACES = [
  ...[
    'cinema-screen',
    'cinema-screen',
    'cinema-screen',
    'main-street-billboard',
    'corner-shop-poster',
    'bridge-banner',
  ],
  ...['tower-banner', 'park-board', 'empty-lot-board', 'broken-sign'],
];
/** Between two acts, in milliseconds. */
const PAUSES = [0, 5, 20, 20, 50, 100, 300];
/** How often an ad may be told blocked in a calm game, until it is in its place. */
const MOST_BLOCKED = 5;
/** A calm game has so long until all is as it should be, in milliseconds. */
const CALM_MS = 40_000;
const ONCE_EACH: readonly string[] = [
  'adimpression',
  'adviewable',
  'advideostart',
  'advideomidpoint',
  'advideocomplete',
];

/** A player who decides, takes it back and decides otherwise. */
class FickleConsent implements ConsentProvider {
  signals: ConsentSignals = {};
  isDecided = false;
  private readonly listeners = new Set<() => void>();

  watch(onChange: () => void): () => void {
    this.listeners.add(onChange);
    return () => this.listeners.delete(onChange);
  }

  decide(tcString: string | null): void {
    this.signals = tcString === null ? {} : { gdprApplies: true, tcString };
    this.isDecided = tcString !== null;
    for (const listener of [...this.listeners]) listener();
  }
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Told {
  readonly placedAd?: PlacedAd;
  readonly placementId?: string;
  readonly standard?: { readonly id: string };
}

/** Counts what is taken of the page and given back. */
function countTaken(): () => Record<string, number> {
  const taken: Record<string, number> = { listeners: 0, images: 0, addresses: 0, intervals: 0 };
  const heard = new Map<string, Set<unknown>>();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const keyOf = (target: unknown, name: string): string | null =>
    target === document || target === window || target === undefined ? `${String(target === document)} ${name}` : null;
  EventTarget.prototype.addEventListener = function (...given: Parameters<typeof addEventListener>) {
    const key = keyOf(this, given[0]);
    if (key !== null) heard.set(key, (heard.get(key) ?? new Set()).add(given[1]));
    addEventListener.apply(this ?? window, given);
  };
  EventTarget.prototype.removeEventListener = function (...given: Parameters<typeof removeEventListener>) {
    heard.get(keyOf(this, given[0]) ?? '')?.delete(given[1]);
    removeEventListener.apply(this ?? window, given);
  };
  const { createImageBitmap, setInterval, clearInterval } = window;
  window.createImageBitmap = async (...given: unknown[]) => {
    const image = await (createImageBitmap as (...all: unknown[]) => Promise<ImageBitmap>)(...given);
    taken['images']!++;
    const close = image.close.bind(image);
    image.close = () => {
      if (image.width > 0) taken['images']!--;
      close();
    };
    return image;
  };
  const running = new Set<unknown>();
  window.setInterval = ((...given: Parameters<typeof setInterval>) => {
    const handle = setInterval(...given);
    running.add(handle);
    return handle;
  }) as typeof setInterval;
  window.clearInterval = (handle) => {
    running.delete(handle);
    clearInterval(handle);
  };
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (file) => {
    taken['addresses']!++;
    return createObjectURL(file);
  };
  URL.revokeObjectURL = (address) => {
    taken['addresses']!--;
    revokeObjectURL(address);
  };
  return () => ({
    ...taken,
    intervals: running.size,
    listeners: [...heard.values()].reduce((sum, { size }) => sum + size, 0),
    canvases: document.querySelectorAll('canvas, video').length,
  });
}

class GameLife {
  readonly faults: string[] = [];
  readonly acts: string[] = [];
  readonly impressions: string[] = [];
  private readonly ads: PlacedAd<Phaser.GameObjects.Image>[] = [];
  private readonly finished = new Set<PlacedAd>();
  /** What was told last of being in view. */
  private readonly inView = new Map<PlacedAd, string>();
  /** How often each ad was told blocked. */
  private readonly blocked = new Map<PlacedAd, number>();
  private readonly completed = new Set<PlacedAd>();
  private readonly once = new Set<string>();
  private isHidden = false;
  private isLost = false;
  private readonly lossOfContext: WEBGL_lose_context | null;

  constructor(
    private readonly game: Phaser.Game,
    private readonly random: Phaser.Math.RandomDataGenerator,
    private readonly consent: FickleConsent,
  ) {
    const isHidden = (): boolean => this.isHidden;
    Object.defineProperty(document, 'visibilityState', { get: () => (isHidden() ? 'hidden' : 'visible') });
    Object.defineProperty(document, 'hidden', { get: isHidden });
    const { gl } = game.renderer as { readonly gl?: WebGLRenderingContext };
    // Phaser 3.60 does not come back from that.
    const canRecover = Phaser.VERSION !== '3.60.0';
    this.lossOfContext = (canRecover && gl?.getExtension('WEBGL_lose_context')) || null;
    // A scene's emitter outlives its restarts.
    for (const name of Object.values(AdsEvents)) this.main.events.on(name, (told: Told) => this.hear(name, told));
  }

  get shown(): PlacedAd<Phaser.GameObjects.Image>[] {
    return this.living.filter(({ state }) => state === 'shown');
  }

  private get living(): PlacedAd<Phaser.GameObjects.Image>[] {
    return this.ads.filter(({ state }) => state !== 'finished');
  }

  private get main(): Phaser.Scene {
    return this.game.scene.getScene('main');
  }

  private get hud(): Phaser.Scene {
    return this.game.scene.getScene('hud');
  }

  private get plays(): boolean {
    return this.main.sys.isActive();
  }

  /** The laws of events. */
  private hear(name: string, { placedAd, placementId, standard }: Told): void {
    if (placedAd === undefined || placedAd === null) return;
    const who = `${name} of ad ${this.indexOf(placedAd)}`;
    if (this.finished.has(placedAd)) this.faults.push(`${who} after its end`);
    if (name === 'adfinish') this.finished.add(placedAd);
    if (name === 'adloaded') this.inView.delete(placedAd);
    const { texture } = placedAd.sprite as Phaser.GameObjects.Image;
    if (name === 'adloaded' && texture.key === '__MISSING') this.faults.push(`${who} without a picture`);
    if (name === 'adblocked' || name === 'advisible') {
      if (this.inView.get(placedAd) === name) this.faults.push(`${who} twice`);
      this.inView.set(placedAd, name);
      if (name === 'adblocked') this.blocked.set(placedAd, (this.blocked.get(placedAd) ?? 0) + 1);
    }
    if (name === 'advideocomplete' || name === 'adrefresh') this.completed.add(placedAd);
    if (name === 'adimpression') this.impressions.push(placementId!);
    if (!ONCE_EACH.includes(name)) return;
    const key = `${name} ${placementId} ${standard?.id ?? ''}`;
    if (this.once.has(key)) this.faults.push(`${who} counted twice`);
    this.once.add(key);
  }

  place(surface = this.random.pick(SURFACES), label = this.random.frac() < 0.3): void {
    const { random, main } = this;
    if (!this.plays) return;
    const place = this.placeOf(this.ads.length);
    const refresh = random.frac() < 0.4 && { minIntervalMs: 5000 };
    const fallback = random.pick(['placeholder', 'hide'] as const);
    const clickable = random.frac() < 0.3;
    const options = { ...place, width: 100, height: 70, fit: 'stretch', refresh, fallback, label, clickable } as const;
    this.ads.push(main.ads.place(surface, options));
  }

  /** Does one thing, of all that happens to games. */
  act(): void {
    const { random } = this;
    const [name, act] = random.pick(Object.entries(this.all));
    this.acts.push(name);
    try {
      act();
    } catch (error) {
      this.faults.push(`${name} has thrown ${String(error)}`);
    }
  }

  private readonly all: Readonly<Record<string, () => void>> = {
    'place an ad': () => this.place(),
    'place another ad': () => this.place(),
    'preload an ad': () => this.plays && void this.main.ads.preload([this.random.pick(SURFACES)]),
    'free textures': () => this.freeTextures(),
    'scale an ad': () =>
      this.ofAny(({ box }) => {
        box!.scaleX = this.random.pick([0, -1, 0.5, 1, 2]);
        box!.scaleY = this.random.pick([0.5, 1, 2]);
      }),
    'destroy an ad': () => this.ofSome((ad) => ad.destroy()),
    'destroy a sprite': () => this.ofSome(({ sprite }) => sprite.destroy()),
    'show another texture': () => this.ofSome(({ sprite, state }) => state === 'shown' && sprite.setTexture('__WHITE')),
    'hide a sprite': () => this.ofAny(({ sprite }) => sprite.setVisible(false)),
    'show sprites': () => this.shown.forEach(({ sprite }) => sprite.setVisible(true).setAlpha(1)),
    'fade a sprite': () => this.ofAny(({ sprite }) => sprite.setAlpha(this.random.pick([0, 0.3, 1]))),
    'move a sprite': () => this.ofAny(({ sprite }) => sprite.setPosition(this.upTo(WIDTH + 100), this.upTo(HEIGHT))),
    'take a sprite off the list': () => this.ofAny(({ sprite }) => sprite.removeFromDisplayList()),
    'put sprites on the list': () => this.listSprites(),
    'put a sprite into a container': () =>
      this.ofAny(({ sprite }) => this.plays && !isContained(sprite) && this.main.add.container(0, 0, [sprite])),
    'pause the scene': () => this.plays && this.main.scene.pause(),
    'let the scene sleep': () => this.plays && this.main.scene.sleep(),
    'restart the scene': () => this.plays && this.random.frac() < 0.3 && this.main.scene.restart(),
    'stop the scene': () => this.plays && this.random.frac() < 0.2 && this.main.scene.stop(),
    'go on with the scene': () => this.goOn(),
    'go on with the scene again': () => this.goOn(),
    'cover something': () => this.cover(),
    'uncover all': () => this.hud.children.removeAll(true),
    'change the order of scenes': () => this.game.scene.bringToTop(this.random.pick(['main', 'hud'])),
    'hide the page': () => this.setHidden(true),
    'show the page': () => this.setHidden(false),
    'show the page again': () => this.setHidden(false),
    'leave the window': () => window.dispatchEvent(new Event('blur')),
    'come back to the window': () => window.dispatchEvent(new Event('focus')),
    'keep the page for later': () => {
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    },
    'lose the context': () => this.setLost(true),
    'restore the context': () => this.setLost(false),
    'restore the context again': () => this.setLost(false),
    'resize the game': () => this.game.scale.resize(this.random.pick([WIDTH, 500, 900]), HEIGHT),
    'zoom the camera': () => this.plays && this.main.cameras.main.setZoom(this.random.pick([0.5, 1, 2])),
    'fade the camera': () => this.plays && this.main.cameras.main.fade(300),
    'end effects of the camera': () => this.plays && this.main.cameras.main.resetFX(),
    'let the loop sleep': () => this.game.loop.sleep(),
    'wake the loop': () => this.game.loop.wake(),
    'wake the loop again': () => this.game.loop.wake(),
    agree: () => this.consent.decide(this.random.pick(['yes', 'no'])),
    'agree again': () => this.consent.decide(this.random.pick(['yes', 'no'])),
    'ask the player again': () => this.consent.decide(null),
  };

  /** Makes everything as it should be, and waits until the ads are, too. */
  async calm(): Promise<void> {
    const { game } = this;
    await window.calmService?.();
    this.consent.decide('yes');
    game.loop.wake();
    this.setLost(false);
    this.setHidden(false);
    window.dispatchEvent(new Event('focus'));
    await rest(300);
    this.goOn();
    await rest(300);
    this.hud.children.removeAll(true);
    game.scale.resize(WIDTH, HEIGHT);
    this.main.cameras.main.setZoom(1).resetFX();
    this.listSprites();
    this.place('cinema-screen', true);
    // What is in a container is read in another way.
    this.main.add.container(0, 0, [this.ads.at(-1)!.sprite]);
    this.place('park-board');
    const byPlace = new Map<number, PlacedAd>();
    for (const ad of this.living) {
      const place = this.ads.indexOf(ad) % PLACES;
      byPlace.get(place)?.destroy();
      byPlace.set(place, ad);
    }
    this.blocked.clear();
    const until = performance.now() + CALM_MS;
    let wrong: string[];
    do {
      await rest(100);
      for (const { sprite, state } of this.living) if (state === 'shown') sprite.setVisible(true).setAlpha(1);
      for (const { sprite, box } of this.living) {
        sprite.copyPosition(this.placeOf(this.ads.findIndex((ad) => ad.sprite === sprite)));
        box!.scaleX = box!.scaleY = 1;
      }
      wrong = this.living.flatMap((ad) => this.wrongOf(ad));
    } while (wrong.length > 0 && performance.now() < until);
    this.faults.push(...wrong);
    for (const [ad, times] of this.blocked)
      if (times > MOST_BLOCKED)
        this.faults.push(`ad ${this.indexOf(ad)} is told blocked ${times} times in a calm game`);
  }

  /** What is not yet as it should be of an ad that nothing hides. */
  private wrongOf(ad: PlacedAd<Phaser.GameObjects.Image>): string[] {
    const who = `ad ${this.ads.indexOf(ad)} (${ad.state})`;
    if (ad.state === 'requesting' || ad.state === 'loading') return [`${who} has no end`];
    if (ad.state !== 'shown') return [];
    const { percentageInView, reasons } = ad.measurement ?? {};
    if (percentageInView !== 100) return [`${who} has ${percentageInView} % in view: ${reasons?.join()}`];
    if (this.inView.get(ad) !== 'advisible') return [`${who} was not told visible`];
    if (ad.mediaType === 'video' && !this.completed.has(ad)) return [`${who} does not play to its end`];
    return [];
  }

  private ofAny(act: (ad: PlacedAd<Phaser.GameObjects.Image>) => unknown): void {
    const { living } = this;
    if (living.length > 0) act(this.random.pick(living));
  }

  /** Only while there are others. */
  private ofSome(act: (ad: PlacedAd<Phaser.GameObjects.Image>) => unknown): void {
    if (this.living.length > 2) this.ofAny(act);
  }

  private listSprites(): void {
    for (const { sprite } of this.living) if (!sprite.displayList && !isContained(sprite)) sprite.addToDisplayList();
  }

  /** Removes all textures that nothing shows, as games do between two levels. */
  private freeTextures(): void {
    const { textures } = this.game;
    const shown = new Set(this.ads.map(({ sprite }) => sprite.texture?.key));
    for (const key of textures.getTextureKeys())
      if (key.startsWith('phaser-inview:') && !shown.has(key)) textures.remove(key);
  }

  private goOn(): void {
    const { scene } = this.game;
    if (scene.isPaused('main')) scene.resume('main');
    else if (scene.isSleeping('main')) scene.wake('main');
    else if (!this.plays) scene.start('main');
  }

  private cover(): void {
    const { random } = this;
    const [width, height] = [random.between(20, 300), random.between(20, 200)];
    this.hud.add.rectangle(this.upTo(WIDTH), this.upTo(HEIGHT), width, height, 0xff, random.pick([1, 0.7, 0.3]));
  }

  private setHidden(isHidden: boolean): void {
    this.isHidden = isHidden;
    document.dispatchEvent(new Event('visibilitychange'));
  }

  private setLost(isLost: boolean): void {
    if (this.lossOfContext === null || this.isLost === isLost) return;
    this.isLost = isLost;
    if (isLost) this.lossOfContext.loseContext();
    else this.lossOfContext.restoreContext();
  }

  private placeOf(index: number): { readonly x: number; readonly y: number } {
    const place = index % PLACES;
    return { x: 60 + (place % COLUMNS) * 112, y: 50 + Math.floor(place / COLUMNS) * 90 };
  }

  private indexOf(ad: PlacedAd): number {
    return this.ads.indexOf(ad as PlacedAd<Phaser.GameObjects.Image>);
  }

  private upTo(most: number): number {
    return this.random.between(0, most);
  }
}

function isContained({ parentContainer }: Phaser.GameObjects.GameObject): boolean {
  return (parentContainer as unknown) !== null;
}

/** Ads of an exchange, which wait for the player's consent. */
function exchangeOptions(baseUrl: string, consent: ConsentProvider) {
  const surfaces = [...new Set(SURFACES)].map((adSurfaceId) => ({ adSurfaceId, width: 320, height: 180 }));
  const source = new OpenRtbAds({ endpoint: `${baseUrl}/auction`, surfaces, video: new VastVideo() });
  return { source, consent, waitForConsent: true };
}

window.live = async ({ baseUrl, thirdParties, renderer, seed, acts }) => {
  const countOf = countTaken();
  const consent = new FickleConsent();
  const unasked: string[] = [];
  const others = thirdParties === undefined ? [] : [baseUrl, ...thirdParties];
  window.asks = (address) => {
    const isOthers = others.some((origin) => address.startsWith(origin));
    if (isOthers && !consent.isDecided) unasked.push(`${address} is asked without consent`);
  };
  const credentials = { apiKey: 'demo-api-key', privateKey: 'demo-private-key-for-localhost-only' };
  const data = thirdParties === undefined ? { ...credentials, baseUrl } : exchangeOptions(baseUrl, consent);
  const game = new Phaser.Game({
    type: renderer === 'canvas' ? Phaser.CANVAS : Phaser.WEBGL,
    width: WIDTH,
    height: HEIGHT,
    banner: false,
    audio: { noAudio: true },
    // Drawing in software takes all of both cores, for nothing that is asked here.
    fps: { limit: 20 },
    antialiasGL: false,
    scene: [{ key: 'main' }, { key: 'hud', active: true }],
    plugins: {
      global: [{ key: 'AdsGlobalPlugin', plugin: AdsGlobalPlugin, start: true, data }],
      scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
    },
  });
  await new Promise((ready) => game.events.once('ready', ready));
  const life = new GameLife(game, new Phaser.Math.RandomDataGenerator([String(seed)]), consent);
  game.scene.start('main');
  await rest(100);
  for (let i = 0; i < acts; i++) {
    life.act();
    await rest(PAUSES[i % PAUSES.length]!);
  }
  await life.calm();
  const shown = life.shown.length;
  // Nothing tells of trackers under way.
  if (thirdParties !== undefined) await rest(3000);
  else await AdsGlobalPlugin.of(game).delivery.flush({ timeoutMs: 20_000 });
  game.destroy(true);
  // It ends with its next frame.
  await rest(1000);
  const { faults, impressions } = life;
  faults.push(...unasked);
  return { faults, acts: life.acts, impressions, shown, left: countOf() };
};

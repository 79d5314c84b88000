import * as Phaser from 'phaser';
import { AdsGlobalPlugin, AdsScenePlugin } from 'phaser-inview';

export type RendererName = 'webgl' | 'canvas';

/** How the ad came there: a placed one, one of the game's own, or a house ad in its place. */
export type Carrier = 'placed' | 'observed' | 'houseAd';

/** What has come of the presses so far. */
export interface ClickOutcome {
  readonly clicks: number;
  /** Why presses that were released in one place were no clicks. */
  readonly refused: readonly string[];
  /** Addresses that were opened. */
  readonly opened: readonly string[];
}

export interface Clicks {
  /** Starts a game of 400 × 300 with a clickable ad of 120 × 80 around (200, 150); the one before ends. */
  start(renderer: RendererName, carrier?: Carrier): Promise<void>;
  /** Brings a situation about, and draws it. */
  stage(situation: string): Promise<void>;
  outcome(): Promise<ClickOutcome>;
  readonly situations: readonly string[];
}

declare global {
  interface Window {
    clicks?: Clicks;
  }
}

const FRAME_MS = 16;
const SHOP = 'https://example.com/';

interface Stage {
  readonly game: Phaser.Game;
  readonly scene: Phaser.Scene;
  readonly ad: Phaser.GameObjects.Image | Phaser.GameObjects.Sprite;
}

/** Frames are made by hand, so that a slow machine changes nothing. */
let time = 0;
function draw({ game }: Pick<Stage, 'game'>, frames = 2): void {
  for (let i = 0; i < frames; i++) game.step((time += FRAME_MS), FRAME_MS);
}

const white = (scene: Phaser.Scene, x: number, y: number, width: number, height: number): Phaser.GameObjects.Image =>
  scene.add.image(x, y, '__WHITE').setDisplaySize(width, height).setTint(0x202020);

function addHtml(css: string, tag = 'div'): HTMLElement {
  const element = document.createElement(tag);
  element.className = 'staged';
  element.style.cssText = `position: fixed; ${css}`;
  return document.body.appendChild(element);
}

/** What is drawn on an object in WebGL of Phaser 4, where masks are filters; null elsewhere. */
function filtersOf(ad: Stage['ad']): { addMask(shape: object): unknown; addBlur(): unknown } | null {
  const { enableFilters } = ad as Partial<{ enableFilters(): { filters: { external: ReturnType<typeof filtersOf> } } }>;
  return enableFilters?.call(ad).filters?.external ?? null;
}

function maskBy(ad: Stage['ad'], shape: Phaser.GameObjects.Graphics): void {
  const filters = filtersOf(ad);
  if (filters === null) ad.setMask(shape.createGeometryMask());
  else filters.addMask(shape);
}

/** Moves what holds the ad until a camera shows it around the point that is pressed. The factors are those of all around it. */
function bringToCentre(
  ad: Stage['ad'],
  camera: Phaser.Cameras.Scene2D.Camera,
  factorX: number,
  factorY = factorX,
): void {
  const wanted = camera.getWorldPoint(200, 150);
  const { tx, ty } = ad.getWorldTransformMatrix();
  let holder = ad.parentContainer;
  while (holder.parentContainer as unknown) holder = holder.parentContainer;
  holder.x += wanted.x - camera.scrollX * (1 - factorX) - tx;
  holder.y += wanted.y - camera.scrollY * (1 - factorY) - ty;
}

/** The whole ad is at (200, 150); presses go to its centre. */
const SITUATIONS: Record<string, (stage: Stage) => void> = {
  'nothing is in the way': () => undefined,
  'an HTML dialog with a button of its own lies above the canvas': () => {
    addHtml('left: 100px; top: 100px; width: 200px; height: 100px; background: #222');
    addHtml('left: 160px; top: 130px; width: 80px; height: 40px', 'button').textContent = 'Close';
  },
  'a picture of the page lies above the canvas and lets the pointer through': () => {
    addHtml('left: 100px; top: 100px; width: 200px; height: 100px; background: #222; pointer-events: none');
  },
  'a clear element of the page lies above the canvas': () => {
    addHtml('left: 100px; top: 100px; width: 200px; height: 100px');
  },
  'a clear picture of the page lets the pointer through': () => {
    addHtml('left: 100px; top: 100px; width: 200px; height: 100px; pointer-events: none');
  },
  'an opaque sprite that is not interactive lies over the ad': ({ scene }) => void white(scene, 200, 150, 160, 120),
  'an opaque sprite covers another part of the ad': ({ scene }) => void white(scene, 150, 150, 60, 120),
  'two sprites that hide it only together lie over the ad': ({ scene }) => {
    for (let i = 0; i < 2; i++) white(scene, 200, 150, 160, 120).setAlpha(0.4);
  },
  'a faint sprite lies over the ad': ({ scene }) => void white(scene, 200, 150, 160, 120).setAlpha(0.3),
  'the point lies in a hole of what is above': ({ scene }) => {
    const texture = scene.textures.createCanvas('frame', 80, 80)!;
    texture.context.fillRect(0, 0, 80, 80);
    texture.context.clearRect(20, 20, 40, 40);
    texture.refresh();
    scene.add.image(200, 150, 'frame').setScale(2);
  },
  'the camera has faded out': ({ game, scene }) => {
    scene.cameras.main.fadeOut(50);
    draw({ game }, 10);
  },
  'the camera flashes': ({ scene }) => void scene.cameras.main.flash(10_000, 255, 255, 255, true),
  'a mask hides the point': ({ scene, ad }) => {
    const shape = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(120, 100, 50, 100);
    maskBy(ad, shape);
  },
  'a mask shows the point': ({ scene, ad }) => {
    const shape = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(180, 130, 50, 50);
    maskBy(ad, shape);
  },
  'the game has cropped the point away': ({ ad }) => void ad.setCrop(0, 0, ad.frame.width / 4, ad.frame.height),
  'the ad is fainter than half': ({ ad }) => void ad.setAlpha(0.4),
  'the ad is only a little faint': ({ ad }) => void ad.setAlpha(0.8),
  'the ad is in a container fainter than half': ({ scene, ad }) => {
    const { x, y } = ad;
    scene.add.container(0, 0, [ad.setPosition(x, y)]).setAlpha(0.3);
  },
  'a scene above covers the ad': ({ game }) => {
    game.scene.add('above', { create: (_: unknown) => undefined }, true);
    white(game.scene.getScene('above'), 200, 150, 300, 200);
  },
  'another camera shows something else there': ({ scene, ad }) => {
    scene.cameras.add(140, 100, 120, 100).setBackgroundColor(0x333333).ignore(ad);
  },
  'a friendly obstruction lies over the ad': ({ scene }) => {
    scene.ads.addFriendlyObstruction(white(scene, 200, 150, 160, 120), 'OTHER');
  },
  'the texels of the ad are clear there': ({ scene, ad }) => {
    const texture = scene.textures.createCanvas('ring', 60, 40)!;
    texture.context.fillRect(0, 0, 60, 40);
    texture.context.clearRect(20, 10, 20, 20);
    texture.refresh();
    scene.anims.create({ key: 'ring', frames: [{ key: 'ring' }], repeat: -1 });
    (ad as Phaser.GameObjects.Sprite).play('ring').setDisplaySize(120, 80);
  },
  'nobody knows how the ad is drawn': ({ ad }) => {
    // A shader of the game's own; on Canvas, a filter of the page.
    if (!('gl' in ad.scene.game.renderer)) ad.scene.game.canvas.style.filter = 'blur(9px)';
    else (filtersOf(ad) ?? ad.postFX)?.addBlur();
  },
  'the ad is in a container with a scroll factor': ({ game, scene, ad }) => {
    scene.add.container(0, 0, ad).setScrollFactor(0.4);
    scene.cameras.main.setScroll(150, -70);
    // A camera knows where it looks once it has drawn.
    draw({ game });
    bringToCentre(ad, scene.cameras.main, 0.4);
  },
  'the ad is in turned containers with scroll factors, and has one itself': ({ game, scene, ad }) => {
    const inner = scene.add.container(0, 0, ad.setScrollFactor(0.8)).setScrollFactor(0.5, 0.7).setRotation(0.2);
    // As a layer of trees that is nearer than the player: it moves more than the camera does.
    scene.add.container(0, 0, inner).setScrollFactor(3).setScale(1.3);
    scene.cameras.main.setScroll(300, 90).setZoom(1.2).setRotation(0.3);
    draw({ game });
    bringToCentre(ad, scene.cameras.main, 0.8 * 0.5 * 3, 0.8 * 0.7 * 3);
  },
  'one camera of several shows the ad, which is in a container with a scroll factor': ({ game, scene, ad }) => {
    const container = scene.add.container(0, 0, ad).setScrollFactor(0.4);
    const shows = scene.cameras.add(0, 0, 400, 300).setScroll(-400, 160);
    scene.cameras.add(0, 0, 400, 300).setScroll(500, 500).ignore(container);
    scene.cameras.main.ignore(container);
    draw({ game });
    bringToCentre(ad, shows, 0.4);
  },
  'an ad in a container with a scroll factor is 130 px to the right of where it scrolls with the camera': (staged) => {
    SITUATIONS['the ad is in a container with a scroll factor']!(staged);
    staged.ad.parentContainer.x += 130;
  },
  'the game is paused': ({ game }) => game.pause(),
  'the page has moved, and the game has not noticed': ({ game }) => {
    // Down by 100 px: the ad is now around (200, 250), and Phaser takes what is above it for the ad.
    game.canvas.style.marginTop = '100px';
  },
};

let stage: Stage | null = null;
let clicks = 0;
const refused: string[] = [];
const opened: string[] = [];
window.open = (url) => {
  opened.push(String(url));
  return null;
};

async function makeAd(scene: Phaser.Scene, carrier: Carrier): Promise<Stage['ad']> {
  const place = { x: 200, y: 150, width: 120, height: 80, clickable: true };
  if (carrier === 'observed') {
    const sprite = scene.add.sprite(200, 150, '__WHITE').setDisplaySize(120, 80);
    scene.ads.observe(sprite, { adId: 'own', url: '', clickUrl: SHOP }, { clickable: true });
    return sprite;
  }
  if (carrier === 'houseAd') {
    const url = 'https://test-ads.invalid/ad/120x80/1/house';
    AdsGlobalPlugin.of(scene.game).testAds!.answer('noFill');
    const { sprite, ready } = scene.ads.place('a-120x80', { ...place, fallback: { houseAd: { url, clickUrl: SHOP } } });
    await ready;
    while (scene.ads.get(sprite)?.fallback !== 'houseAd') await new Promise((resolve) => setTimeout(resolve, 10));
    return sprite;
  }
  const placed = scene.ads.place('a-120x80', place);
  await placed.ready;
  return placed.sprite;
}

async function start(renderer: RendererName, carrier: Carrier = 'placed'): Promise<void> {
  if (stage !== null) {
    // One that is paused makes no frame, and only a frame destroys it.
    stage.game.resume();
    stage.game.destroy(true);
    draw(stage, 1);
  }
  document.querySelectorAll('.staged').forEach((element) => element.remove());
  time = 0;
  clicks = refused.length = opened.length = 0;
  const game = new Phaser.Game({
    type: renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS,
    width: 400,
    height: 300,
    parent: document.body,
    banner: false,
    audio: { noAudio: true },
    plugins: {
      global: [{ key: 'AdsGlobalPlugin', plugin: AdsGlobalPlugin, start: true, data: { testMode: true } }],
      scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
    },
    scene: { key: 'main', create: () => undefined },
  });
  await new Promise((resolve) => game.events.once('ready', resolve));
  game.loop.stop();
  // Phaser takes the canvas of an earlier game, with what its page did to it.
  game.canvas.style.filter = game.canvas.style.marginTop = '';
  draw({ game });
  const scene = game.scene.getScene('main');
  const ad = await makeAd(scene, carrier);
  scene.ads.on('adclick', () => clicks++);
  // The name of an event that the package may not have yet is no fault of this page.
  scene.events.on('adclickrefused', ({ reason }: { readonly reason: string }) => refused.push(reason));
  stage = { game, scene, ad };
  draw(stage);
}

window.clicks = {
  start,
  situations: Object.keys(SITUATIONS),
  async stage(situation) {
    SITUATIONS[situation]!(stage!);
    if (!stage!.game.isPaused) draw(stage!);
    await Promise.resolve();
  },
  async outcome() {
    // What is reported is told once it is committed.
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 5));
    return { clicks, refused: [...refused], opened: [...opened] };
  },
};

import * as Phaser from 'phaser';
import { AdMeter, blockersIn } from '../../../src/meter/AdMeter.js';
import { FriendlyObstructions } from '../../../src/meter/FriendlyObstructions.js';
import { GameMeter } from '../../../src/meter/GameMeter.js';
import { readPage } from '../../../src/page/readPage.js';
import { AlphaMaps } from '../../../src/textures/AlphaMaps.js';
import { engineOf } from '../../../src/meter/GameMeter.js';
import { FrameReader } from '../../../src/rehearsal/FrameReader.js';
import { boundsOf } from '../../../src/record/objects/registerBounds.js';
import { scratchContext } from '../../../src/textures/scratchContext.js';
import { SpriteScan } from '../../../src/record/canvas2d/SpriteScan.js';
import { KnownOwners } from '../../../src/record/frame/KnownOwners.js';
import { FrameTap } from '../../../src/record/frame/FrameTap.js';
import { VertexTap } from '../../../src/record/phaser3/VertexTap.js';
import { DrawTap } from '../../../src/record/phaser4/DrawTap.js';
import { seededRandom } from '../../bench/seededRandom.js';
import { playScene } from './playScene.js';
import { takeOver } from './takeOver.js';

/** How a game whose scenes change at random from frame to frame was measured. */
export interface ChangesReport {
  /** Frames in which an ad was measured, and how: not at all, from the record, from the snapshot or by the walk. */
  readonly same: number;
  readonly flat: number;
  readonly read: number;
  readonly walked: number;
  /** Frames in which what blocks an ad was told by what had been near it before, without a rehearsal. */
  readonly named: number;
  /** Of how many ads what was near them is still known after they were let go of. */
  readonly held: number;
  /** Frames in which an ad was fully visible, covered in part, and not seen at all. */
  readonly full: number;
  readonly partial: number;
  readonly hidden: number;
  /** What the frame's measurement and an independent reading of the same frame did not agree on. */
  readonly disagreements: readonly string[];
}

declare global {
  interface Window {
    playChanges?: (
      seed: number,
      frames: number,
      renderer: 'webgl' | 'canvas',
      maxTextures: number,
      within: number,
    ) => Promise<ChangesReport>;
  }
}

const ADS = 3;
/** On Canvas frames are scanned only as long as nothing unusual is drawn: for so many frames, and for so many it may be. */
const PHASE_FRAMES = 50;
/** Time between frames. On Canvas, where nobody tells that a canvas was drawn on, it is read anew in each of such frames. */
const FRAME_MS = { webgl: 16, canvas: 250 };
const WIDTH = 400;
const HEIGHT = 300;
const BLOCKING = 0.5;
/** Colours of 8 bits are this far from the opacities they stand for, several on top of each other. */
const ROUNDING = 0.01;

type Cover = Phaser.GameObjects.Image;

/**
 * Changes something in a game between frames, or nothing, and measures each frame twice: as games do, which leaves out
 * whatever did not change, and by reading the whole frame anew.
 * @param within so many percentage points the two may differ by
 */
window.playChanges = (seed, frames, renderer, maxTextures, within) =>
  playScene(
    async (scene: Phaser.Scene): Promise<ChangesReport> => {
      const { game } = scene;
      await takeOver(game);
      await addTextures(scene);
      let time = 1000;
      // A machine that stands still for a while, or its GPU, would make pictures wait for their reading.
      performance.now = () => time;
      const random = seededRandom(seed);
      const above = game.scene.add('above', {}, true)!;
      const stage = new ChangingStage(scene, above, random, renderer === 'webgl');
      const paths = countPaths();
      const meter = GameMeter.of(game);
      const stops = stage.ads.map((ad) => meter.observe(ad, () => undefined));
      const maps = new AlphaMaps(() => 0, () => scratchContext(document), { total: 0, isPaintedDirectly: true, versionOf: () => NaN }); // prettier-ignore
      const friendly = FriendlyObstructions.of(game).objects;
      const reader = new FrameReader(maps, boundsOf(game), engineOf(game), friendly);
      const report = { full: 0, partial: 0, hidden: 0, disagreements: [] as string[] };
      const draw = () => game.step((time += FRAME_MS[renderer]), FRAME_MS[renderer]);
      /** What the frame's measurement says otherwise than one of the same frame read anew. */
      const compare = (): string | null => {
        const page = readPage(game);
        maps.beginFrame();
        const snapshot = reader.read(game, stage.ads, page);
        for (const [i, ad] of stage.ads.entries()) {
          const live = meter.measure(ad);
          const at = (blockingOpacity: number) => {
            const anew = new AdMeter(ad, () => []);
            anew.measure(snapshot, i, { blockingOpacity }, page, true);
            return anew;
          };
          const anew = at(BLOCKING);
          if (anew.isFullyVisible) report.full++;
          else if (anew.percentageInView > 0) report.partial++;
          else report.hidden++;
          // So near to the blocking opacity that rounding decides.
          const least = at(BLOCKING - ROUNDING).percentageInView;
          if (Math.abs(least - at(BLOCKING + ROUNDING).percentageInView) > 0.25) continue;
          let difference = Math.abs(live.percentageInView - anew.percentageInView);
          // Where nothing changed the live figures have grown finer.
          while (difference > within && anew.canRefine) {
            anew.measure(snapshot, i, { blockingOpacity: BLOCKING }, page, true);
            difference = Math.min(difference, Math.abs(live.percentageInView - anew.percentageInView));
          }
          const isDecided = Math.abs(anew.totalArea - anew.visibleArea - 1) > 0.1;
          if (difference > within || (isDecided && live.isFullyVisible !== anew.isFullyVisible))
            return `ad ${i}: ${live.percentageInView} % in the frame, ${anew.percentageInView} % anew`;
          const namesAt = (blockingOpacity: number) => blockersIn(snapshot, i, { blockingOpacity }).map(nameOf).join();
          const names = live.blockingSprites.map(nameOf).join();
          const isSure = namesAt(BLOCKING - ROUNDING) === namesAt(BLOCKING + ROUNDING);
          if (isSure && anew.percentageInView < 100 && names !== namesAt(BLOCKING))
            return `ad ${i}: blocked by ${names} in the frame, by ${namesAt(BLOCKING)} anew`;
        }
        return null;
      };
      for (let frame = 0; frame < frames; frame++) {
        const isUsual = renderer === 'canvas' && Math.floor(frame / PHASE_FRAMES) % 2 === 0;
        if (isUsual && frame % PHASE_FRAMES === 0) stage.clear();
        const done = stage.change(isUsual);
        draw();
        if (compare() === null) continue;
        // The alpha of a picture that is new, or of a canvas that has changed, is read between frames; then one more frame in
        // which nothing changes must set it right.
        for (let i = 0; i < 4; i++) await new Promise((rested) => requestIdleCallback(rested));
        draw();
        const difference = compare();
        if (difference !== null) report.disagreements.push(`frame ${frame}, ${difference}, after ${done}`);
      }
      for (const stop of stops) stop();
      return { ...report, ...paths() };
    },
    renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS,
    { render: { maxTextures } },
  );

function nameOf(object: Phaser.GameObjects.GameObject): string {
  return object.name || object.type;
}

/** Counts the ways ads are measured in; call the result to stop and get the counts. */
function countPaths(): () => { same: number; flat: number; read: number; walked: number; named: number; held: number } {
  const counts = { same: 0, flat: 0, read: 0, walked: 0, named: 0, held: 0 };
  const { flatOf, namedFrameOf } = FrameTap.prototype;
  const ends = [VertexTap, DrawTap].map(({ prototype }) => ({ prototype, end: prototype.end }));
  const { flatOf: flatOfScanned, look } = SpriteScan.prototype;
  const { measure } = AdMeter.prototype;
  const { read } = FrameReader.prototype;
  const { note } = KnownOwners.prototype;
  for (const { prototype, end } of ends) {
    prototype.end = function (this: FrameTap) {
      end.call(this);
      for (let ad = 0; ad < ADS; ad++) if (this.changed[ad] === 0) counts.same++;
    };
  }
  FrameTap.prototype.flatOf = function (ad) {
    const flat = flatOf.call(this, ad);
    if (flat !== null) counts.flat++;
    return flat;
  };
  FrameTap.prototype.namedFrameOf = function (ad) {
    const frame = namedFrameOf.call(this, ad);
    if (frame !== null) counts.named++;
    return frame;
  };
  const known = new Set<object>();
  KnownOwners.prototype.note = function (...of) {
    known.add(this);
    note.apply(this, of);
  };
  SpriteScan.prototype.look = function (page) {
    look.call(this, page);
    for (let ad = 0; ad < ADS; ad++) if (this.changed[ad] === 0) counts.same++;
  };
  SpriteScan.prototype.flatOf = function (ad) {
    const flat = flatOfScanned.call(this, ad);
    if (flat !== null) counts.flat++;
    return flat;
  };
  AdMeter.prototype.measure = function (snapshot, ...rest) {
    counts.read++;
    return measure.call(this, snapshot, ...rest);
  };
  FrameReader.prototype.read = function (game, ads, ...rest) {
    if (ads.length < ADS) counts.walked++;
    return read.call(this, game, ads, ...rest);
  };
  return () => {
    Object.assign(FrameTap.prototype, { flatOf, namedFrameOf });
    for (const { prototype, end } of ends) prototype.end = end;
    Object.assign(SpriteScan.prototype, { flatOf: flatOfScanned, look });
    Object.assign(AdMeter.prototype, { measure });
    Object.assign(FrameReader.prototype, { read });
    Object.assign(KnownOwners.prototype, { note });
    for (const one of known) counts.held += (one as { byAd: Map<object, unknown> }).byAd.size;
    return counts;
  };
}

/** Two scenes with ads and things over them, and what may happen to them. */
class ChangingStage {
  readonly ads: Cover[];
  private readonly covers: Cover[] = [];
  private readonly container: Phaser.GameObjects.Container;
  private readonly graphics: Phaser.GameObjects.Graphics;
  private readonly text: Phaser.GameObjects.Text;
  private readonly second: Phaser.Cameras.Scene2D.Camera;
  /** Lies over the canvas. */
  private readonly html = document.createElement('div');
  private made = 0;
  /** Frames for which a veil still lies over an ad while nothing else changes. */
  private veilFrames = 0;
  private readonly usual: readonly (() => string)[];
  private readonly changes: (() => string)[];

  constructor(
    private readonly scene: Phaser.Scene,
    private readonly above: Phaser.Scene,
    private readonly random: () => number,
    /** HTML and friends of the game change, too. On Canvas the tests of the page ask for them. */
    private readonly isWide: boolean,
  ) {
    this.ads = Array.from({ length: ADS }, (_, i) =>
      scene.add.image(80 + 120 * i, 150, 'solid0').setDisplaySize(90, 120),
    );
    this.container = scene.add.container(0, 0);
    for (let i = 0; i < 12; i++) this.addCover(i % 4 === 0 ? above : scene);
    this.graphics = scene.add.graphics();
    this.text = scene.add.text(40, 200, 'score', { fontSize: '20px' }).setVisible(false);
    this.second = scene.cameras.add(250, 180, 120, 100).setVisible(false);
    this.html.style.background = '#123';
    document.body.append(this.html);
    this.usual = [
      () => this.done('a veil comes', () => this.veil()),
      () => this.on('moves', (cover) => cover.setPosition(this.in(0, WIDTH), this.in(60, 240))),
      () => this.on('moves', (cover) => cover.setPosition(cover.x + this.in(-3, 3), cover.y + this.in(-3, 3))),
      () => this.on('turns', (cover) => cover.setRotation(this.in(0, 6))),
      () => this.on('grows', (cover) => cover.setScale(this.in(-1.5, 1.5), this.in(0.2, 1.5))),
      () => this.on('shows', (cover) => cover.setVisible(this.random() < 0.7)),
      () => this.on('changes depth', (cover) => cover.setDepth(this.one([-1, 0, 0, 1]))),
      () => this.on('goes', (cover) => this.remove(cover)),
      () => this.done('a cover comes', () => this.addCover(this.one([scene, above]))),
      () => this.done('an ad moves', () => this.one(this.ads).setPosition(this.in(75, 325), this.in(100, 200))),
      () => this.done('an ad gets depth', () => this.one(this.ads).setDepth(this.one([-1, 0, 0, 1]))),
      () => this.done('an ad turns', () => this.one(this.ads).setRotation(this.one([0, 0, 0.4]))),
      () => this.done('an ad hides', () => this.one(this.ads).setVisible(this.random() < 0.8)),
      () => this.done('the camera scrolls', () => scene.cameras.main.setScroll(this.in(-20, 20), this.in(-20, 20))),
      () => this.done('the camera zooms', () => scene.cameras.main.setZoom(this.one([1, 1, 1.1, 0.7]))),
      () => this.done('the camera turns', () => scene.cameras.main.setRotation(this.one([0, 0, 0.2]))),
      () => this.done('the scene above sleeps or wakes', () => this.toggleAbove()),
    ];
    this.changes = [
      ...this.usual,
      () => this.done('an ad moves far', () => this.one(this.ads).setPosition(this.in(-20, 420), this.in(100, 200))),
      () => this.on('fades', (cover) => cover.setAlpha(this.one([1, 1, 0, 0.2, 0.7]))),
      () => this.on('fades at a corner', (cover) => cover.setAlpha(1, 1, 0.3, 1)),
      () => this.on('gets a texture', (cover) => cover.setTexture(this.one(['solid0', 'solid1', 'ring']))),
      () => this.on('gets a frame', (cover) => cover.setTexture('atlas', this.one(['solid', 'ring']))),
      () => this.on('gets a colour', (cover) => cover.setTint(this.one([0xffffff, 0xff0000]))),
      () => this.on('blends', (cover) => cover.setBlendMode(this.one(['NORMAL', 'NORMAL', 'ADD']))),
      () => this.on('is mirrored', (cover) => cover.setFlip(this.random() < 0.5, this.random() < 0.5)),
      () => this.on('gets an origin', (cover) => cover.setOrigin(this.one([0.5, 0, 0.8]), this.one([0.5, 1]))),
      () => this.on('scrolls less', (cover) => cover.setScrollFactor(this.one([1, 0.5, 0]))),
      () => this.on('is cropped', (cover) => cover.setCrop(0, 0, this.in(5, 32), 32)),
      () => this.on('is masked', (cover) => this.mask(cover)),
      () => this.on('enters the container', (cover) => this.contain(cover)),
      () =>
        this.done('the container moves', () =>
          this.container
            .setPosition(this.in(-40, 40), 0)
            .setRotation(this.in(-1, 1))
            .setScrollFactor(this.one([1, 0.5])),
        ),
      () => this.done('an ad fades', () => this.one(this.ads).setAlpha(this.one([1, 1, 1, 0.8, 0.3]))),
      () =>
        this.done('an ad gets a texture', () =>
          this.one(this.ads)
            .setTexture(this.one(['solid0', 'solid1', 'ring']))
            .setDisplaySize(90, 120),
        ),
      () =>
        this.done('the camera shrinks', () =>
          scene.cameras.main.setViewport(0, 0, this.one([WIDTH, WIDTH, 300]), HEIGHT),
        ),
      () =>
        this.done('the camera fades', () =>
          this.random() < 0.3 ? scene.cameras.main.fadeOut(300) : scene.cameras.main.resetFX(),
        ),
      () => this.done('a second camera comes or goes', () => this.second.setVisible(this.random() < 0.2)),
      () => this.done('a canvas is drawn', () => this.drawCanvas()),
      () =>
        this.done('graphics are drawn', () =>
          this.graphics
            .clear()
            .fillStyle(0xffffff, this.one([1, 0.4]))
            .fillRect(this.in(0, 380), 120, this.in(0, 60), 40),
        ),
      () =>
        this.done('text shows', () =>
          this.text.setVisible(this.random() < 0.3).setText(`${Math.floor(this.in(0, 99))}`),
        ),
      () => this.done('things come back', () => this.calm()),
    ];
    if (!isWide) return;
    this.changes.push(
      () => this.on('becomes friendly, or all are foes', (cover) => this.befriend(cover)),
      () => this.done('HTML looks otherwise', () => this.paintHtml()),
      () => this.done('the canvas is blurred, or not any more', () => this.blur(this.random() < 0.2)),
    );
  }

  /** Something, several things or nothing; says what. */
  change(isUsual: boolean): string {
    if (this.veilFrames > 0) {
      if (--this.veilFrames > 0) return 'nothing';
      this.graphics.clear();
      this.scene.cameras.main.setAlpha(1);
      return 'the veil goes';
    }
    // Mostly alone, since nothing that the engine draws tells of it.
    if (this.isWide && this.random() < 0.05) return this.done('HTML moves', () => this.moveHtml());
    const count = this.one([0, 0, 1, 1, 2, 4]);
    const changes = isUsual ? this.usual : this.changes;
    return Array.from({ length: count }, () => this.one(changes)()).join(', ') || 'nothing';
  }

  private in(min: number, max: number): number {
    return min + this.random() * (max - min);
  }

  private one<T>(of: readonly T[]): T {
    return of[Math.floor(this.random() * of.length)]!;
  }

  private done(what: string, act: () => unknown): string {
    act();
    return what;
  }

  private on(what: string, act: (cover: Cover) => unknown): string {
    if (this.covers.length > 0) act(this.one(this.covers));
    return `a cover ${what}`;
  }

  private addCover(scene: Phaser.Scene): void {
    if (this.covers.length > 20) return;
    const cover = scene.add.image(this.in(0, WIDTH), this.in(60, 240), this.one(['solid0', 'solid1', 'canvas']));
    cover.setName(`cover ${++this.made}`);
    this.covers.push(cover.setScale(this.in(0.4, 1.5)).setRotation(this.in(0, 6)));
  }

  private remove(cover: Cover): void {
    this.covers.splice(this.covers.indexOf(cover), 1);
    cover.destroy();
  }

  private contain(cover: Cover): void {
    if (cover.scene === this.scene && !cover.parentContainer) this.container.add(cover);
  }

  private mask(cover: Cover): void {
    if (cover.mask) cover.clearMask(true);
    else
      cover.setMask(this.scene.make.graphics({}, false).fillRect(0, 0, this.in(0, WIDTH), HEIGHT).createGeometryMask());
  }

  private moveHtml(): void {
    const { left, top } = this.scene.game.canvas.getBoundingClientRect();
    const ad = this.one(this.ads);
    const [x, y] = [left + ad.x + this.in(-80, 20), top + ad.y + this.in(-80, 20)];
    const place = `left: ${x}px; top: ${y}px; width: ${this.in(0, 120)}px; height: ${this.in(5, 80)}px`;
    this.html.style.cssText += `position: fixed; ${place}`;
    this.readPage();
  }

  private paintHtml(): void {
    const looks = ['#123', '#123', '#1239', 'linear-gradient(#123, #1230)', 'none'].map(
      (look) => `background: ${look}`,
    );
    this.html.style.cssText += this.one([...looks, 'rotate: 20deg', 'rotate: none']);
    this.readPage();
  }

  /** Of a blurred canvas nobody knows what is seen. */
  private blur(is: boolean): void {
    this.scene.game.canvas.style.filter = is ? 'blur(2px)' : '';
    this.readPage();
  }

  private befriend(cover: Cover): void {
    const { game } = this.scene;
    if (this.random() < 0.3) FriendlyObstructions.of(game).add(cover, 'OTHER');
    else FriendlyObstructions.of(game).clear();
  }

  /** The page is read at once when the window gets the focus. */
  private readPage(): void {
    window.dispatchEvent(new Event('focus'));
  }

  /** For as long as one or two rests of the scan, or a little less or more. */
  private veil(): void {
    this.veilFrames = this.one([1, 2, 15, 16, 17, 32]);
    if (this.random() < 0.5) this.graphics.clear().fillStyle(0xffffff, 0.7).fillRect(60, 120, 280, 40);
    else this.scene.cameras.main.setAlpha(0.4);
  }

  private toggleAbove(): void {
    const { scene } = this.above;
    if (scene.isSleeping()) scene.wake();
    else scene.sleep();
  }

  private drawCanvas(): void {
    const texture = this.scene.textures.get('canvas') as Phaser.Textures.CanvasTexture;
    const { context } = texture;
    context.clearRect(0, 0, 32, 32);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, this.one([32, 20]), 32);
    texture.refresh();
  }

  /** From here on all is usual. */
  clear(): void {
    this.calm();
    this.veilFrames = 0;
    this.text.setVisible(false);
    for (const cover of this.covers) {
      if (!cover.parentContainer) continue;
      this.container.remove(cover);
      this.scene.add.existing(cover);
    }
  }

  /** Whatever lasts and leaves little else to be seen ends. */
  private calm(): void {
    const { main } = this.scene.cameras;
    main.resetFX();
    main.setAlpha(1).setScroll(0).setZoom(1).setRotation(0).setViewport(0, 0, WIDTH, HEIGHT);
    this.second.setVisible(false);
    this.graphics.clear();
    this.html.style.width = '0';
    this.blur(false);
    FriendlyObstructions.of(this.scene.game).clear();
    for (const cover of this.covers) {
      cover.clearMask(true);
      cover
        .setCrop()
        .setAlpha(1)
        .setBlendMode('NORMAL')
        .setTexture(this.one(['solid0', 'solid1']));
    }
    this.ads.forEach((ad, i) => {
      ad.setTexture('solid0').setDisplaySize(90, 120).setAlpha(1).setVisible(true);
      ad.setPosition(80 + 120 * i, 150).setDepth(0);
    });
  }
}

/** Pictures, as games load them, an atlas, and a canvas that may change. */
async function addTextures(scene: Phaser.Scene): Promise<void> {
  const { textures } = scene;
  const ring = (context: CanvasRenderingContext2D, x: number) => {
    context.beginPath();
    context.arc(x + 16, 16, 12, 0, 7);
    context.lineWidth = 6;
    context.stroke();
  };
  const add = (key: string, width: number, draw: (context: CanvasRenderingContext2D) => void) => {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = 32;
    draw(canvas.getContext('2d')!);
    const loaded = new Promise((done) => textures.once(`addtexture-${key}`, done));
    textures.addBase64(key, canvas.toDataURL());
    return loaded;
  };
  await add('solid0', 32, (context) => context.fillRect(0, 0, 32, 32));
  await add('solid1', 32, (context) => context.fillRect(0, 0, 32, 32));
  await add('ring', 32, (context) => ring(context, 0));
  await add('atlas', 64, (context) => {
    context.fillRect(0, 0, 32, 32);
    ring(context, 32);
  });
  textures.get('atlas').add('solid', 0, 0, 0, 32, 32);
  textures.get('atlas').add('ring', 0, 32, 0, 32, 32);
  const canvas = textures.createCanvas('canvas', 32, 32)!;
  canvas.context.fillStyle = '#fff';
  canvas.context.fillRect(0, 0, 32, 32);
  canvas.refresh();
}

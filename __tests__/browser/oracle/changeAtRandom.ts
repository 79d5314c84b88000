import { AdMeter } from '../../../src/meter/AdMeter.js';
import { GameMeter } from '../../../src/meter/GameMeter.js';
import { readPage } from '../../../src/page/readPage.js';
import { AlphaMaps } from '../../../src/textures/AlphaMaps.js';
import { engineOf } from '../../../src/meter/GameMeter.js';
import { FrameReader } from '../../../src/rehearsal/FrameReader.js';
import { boundsOf } from '../../../src/record/objects/registerBounds.js';
import { scratchContext } from '../../../src/textures/scratchContext.js';
import { drawNothing } from '../pages/drawNothing.js';
import { HOLED_PICTURES, OPAQUE_PICTURES } from './art.js';
import { buildStage } from './buildScene.js';
import { type Drawable, leaves } from './displayTree.js';
import { Random } from './Random.js';
import { HEIGHT, randomScene, WIDTH } from './randomScene.js';
import { type RendererName, Stage } from './Stage.js';

/** What became of random scenes that were changed from frame to frame. */
export interface ChangesOfScenes {
  readonly frames: number;
  /** Frames in which some of the ad was seen. */
  readonly seen: number;
  /** Frames after which the live figures were other than those of the same frame read anew. */
  readonly disagreements: readonly string[];
}

const STEPS = 25;
const FRAME_MS = 16;
/** Where the two ways look at texels in samples they may differ by so many percentage points; a stale answer by far more. */
const WITHIN = 2.5;
/** The alpha of a new picture is read between frames; so many more, in which nothing changes, are given to that. */
const PATIENCE_FRAMES = 3;

/**
 * Builds random scenes, observes their ad, and changes something, several things or nothing before each frame: of any object of
 * any kind, the cameras, the scenes. Each frame's figures must be those of the frame read anew.
 */
export async function changeAtRandom(renderer: RendererName, from: number, scenes: number): Promise<ChangesOfScenes> {
  const stage = await Stage.open({ renderer, width: WIDTH, height: HEIGHT });
  drawNothing(stage.game);
  const report = { frames: 0, seen: 0, disagreements: [] as string[] };
  for (let seed = from; seed < from + scenes; seed++) {
    stage.seedRandom(seed);
    const { ad } = buildStage(stage, randomScene(seed));
    const stop = GameMeter.of(stage.game).observe(ad, () => undefined);
    const changes = new Changes(stage, ad as Drawable & Phaser.GameObjects.Image, new Random(seed));
    const done: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      done.push(changes.next());
      // Phaser 4 names the pictures of its masks by chance.
      stage.seedRandom(seed * STEPS + step);
      stage.step(FRAME_MS);
      report.frames++;
      let difference = compare(stage, ad, report);
      for (let more = 0; difference !== null && more < PATIENCE_FRAMES; more++) {
        await new Promise((rested) => requestIdleCallback(rested));
        stage.step();
        difference = compare(stage, ad, report);
      }
      if (difference === null) continue;
      report.disagreements.push(`seed ${seed}, frame ${step}: ${difference}, after ${done.slice(-2).join('; ')}`);
      break;
    }
    stop();
  }
  stage.close();
  return report;
}

/** What live figures and those read anew do not agree on; null when they do. */
function compare({ game }: Stage, ad: Drawable, report: { seen: number }): string | null {
  const page = readPage(game);
  const maps = new AlphaMaps(() => 0, () => scratchContext(document), { total: 0, isPaintedDirectly: true, versionOf: () => NaN }); // prettier-ignore
  maps.beginFrame();
  const snapshot = new FrameReader(maps, boundsOf(game), engineOf(game)).read(game, [ad], page);
  const anew = new AdMeter(ad, () => []);
  anew.measure(snapshot, 0, { blockingOpacity: 0.5 }, page, true);
  if (anew.percentageInView > 0) report.seen++;
  const live = GameMeter.of(game).measure(ad);
  const difference = Math.abs(live.percentageInView - anew.percentageInView);
  const isDecided = Math.abs(anew.totalArea - anew.visibleArea - 1) > 0.1;
  if (difference <= WITHIN && !(isDecided && live.isFullyVisible !== anew.isFullyVisible && difference > 0.05))
    return null;
  return `${live.percentageInView} % (${live.reasons.join(' ')}), anew ${anew.percentageInView} % (${anew.reasons.join(' ')})`;
}

type Change = readonly [what: string, act: () => unknown];

/** What may happen to a scene between two frames. */
class Changes {
  constructor(
    private readonly stage: Stage,
    private readonly ad: Drawable & Phaser.GameObjects.Image,
    private readonly random: Random,
  ) {}

  /** Does something, several things or nothing; says what. */
  next(): string {
    const count = this.random.pick([0, 1, 1, 2]);
    return Array.from({ length: count }, () => this.change()).join(', ') || 'nothing';
  }

  private change(): string {
    const { random } = this;
    const object = random.pick(this.objects());
    const isObject = random.chance(0.75);
    const [what, act] = random.pick(isObject ? this.ofObject(object) : this.ofSurroundings(object));
    act();
    return isObject ? `${object.name} ${what}` : what;
  }

  /** Whatever paints, and the containers around it. */
  private objects(): Drawable[] {
    const painting = leaves(this.stage.game);
    const containers = painting.flatMap(({ parentContainer }) => (parentContainer === null ? [] : [parentContainer]));
    return [...painting, ...(new Set(containers) as ReadonlySet<unknown> as ReadonlySet<Drawable>)];
  }

  private ofObject(object: Drawable): readonly Change[] {
    const { random, ad } = this;
    const { scene } = ad;
    const { x, y, scaleX, scaleY, type } = object as unknown as Phaser.GameObjects.Image;
    const to = (method: string, ...values: unknown[]) => call(object, method, ...values);
    const near = (reach: number) => random.between(-reach, reach);
    const textures = [...OPAQUE_PICTURES, ...HOLED_PICTURES];
    return [
      ['moves', () => to('setPosition', x + near(30), y + near(30))],
      ['moves a little', () => to('setPosition', x + near(2), y + near(2))],
      ['turns', () => to('setRotation', random.between(0, 6))],
      ['grows', () => to('setScale', scaleX * random.between(0.6, 1.5), scaleY * random.between(0.6, 1.5))],
      ['fades', () => to('setAlpha', random.pick([0, 0.2, 0.6, 1]))],
      ['fades at corners', () => to('setAlpha', 1, random.pick([0.2, 1]), random.pick([0.4, 1]), 1)],
      ['shows', () => to('setVisible', random.chance(0.6))],
      ['gets depth', () => to('setDepth', random.pick([-1, 0, 1]))],
      ['scrolls', () => to('setScrollFactor', random.pick([0, 0.5, 1]))],
      ['gets a tint', () => to('setTint', random.pick([0xffffff, 0x808080, 0x202020]))],
      ['is filled with a tint', () => to('setTintFill', random.pick([0xffffff, 0x202020]))],
      ['loses its tint', () => to('clearTint')],
      ['blends', () => to('setBlendMode', random.pick([0, 0, 1, 2, 3, 17]))],
      ['flips', () => to('setFlip', random.chance(0.5), random.chance(0.5))],
      ['gets an origin', () => to('setOrigin', random.next(), random.next())],
      ['is cropped', () => to('setCrop', 2, 3, random.between(5, 40), random.between(5, 40))],
      ['is whole', () => to('setCrop')],
      // The ad of the oracle has colours of its own.
      ['gets a texture', () => object !== ad && to('setTexture', random.pick(textures))],
      ['is filled', () => to('setFillStyle', 0x808080, random.pick([0.3, 0.7, 1]))],
      ['is stroked', () => to('setStrokeStyle', random.pick([0, 2, 10, 24]), 0x808080, random.pick([0.3, 1]))],
      ['gets a size', () => to('setSize', random.between(10, 120), random.between(10, 120))],
      ['says something else', () => to('setText', random.pick(['A', 'ABC\n123', '1', '']))],
      ['scrolls its pattern', () => to('setTilePosition', random.between(0, 40), random.between(0, 40))],
      ['draws', () => type === 'Graphics' && to('fillRect', near(60), near(60), 60, 40)],
      ['draws anew', () => type === 'Graphics' && to('clear') && to('fillCircle', 0, 0, random.between(5, 60))],
      ['is masked', () => to('setMask', this.geometryMask())],
      ['is masked by a picture', () => to('setMask', this.bitmapMask())],
      ['turns its mask inside out', () => object.mask && (object.mask.invertAlpha = !object.mask.invertAlpha)],
      ['is masked no more', () => to('clearMask')],
      ['comes to the top', () => scene.children.bringToTop(object)],
      ['goes to the back', () => scene.children.sendToBack(object)],
      ['goes', () => object !== ad && !('list' in object) && object.destroy()],
      ['is grey', () => call((object as Partial<Phaser.GameObjects.Image>).postFX, 'addColorMatrix')],
      ['glows', () => call((object as Partial<Phaser.GameObjects.Image>).preFX, 'addGlow', 0xffffff, 4)],
      ['has no effects', () => to('clearFX')],
    ];
  }

  private ofSurroundings(object: Drawable): readonly Change[] {
    const { random, ad, stage } = this;
    const { scenes } = stage.game.scene;
    const camera = random.pick(ad.scene.cameras.cameras);
    const other = random.pick(scenes.filter((scene) => scene !== ad.scene));
    const near = () => random.between(-20, 20);
    return [
      ['a camera scrolls', () => camera.setScroll(camera.scrollX + near(), camera.scrollY + near())],
      ['a camera zooms', () => camera.setZoom(random.between(0.7, 1.5))],
      ['a camera turns', () => camera.setRotation(random.pick([0, random.between(-1, 1)]))],
      ['a camera fades', () => camera.setAlpha(random.pick([1, 0.3, 0.8]))],
      ['a camera shows', () => camera.setVisible(random.chance(0.7))],
      [
        'a camera gets a viewport',
        () =>
          camera.setViewport(
            random.pick([0, 40]),
            random.pick([0, 30]),
            random.pick([WIDTH, 200]),
            random.pick([HEIGHT, 150]),
          ),
      ],
      ['a camera ignores something', () => object !== ad && camera.ignore(object)],
      ['a camera fades out', () => camera.fadeEffect.start(true, 100, 0, 0, 0, true)],
      ['a camera is as before', () => camera.resetFX()],
      ['a camera gets a background', () => camera.setBackgroundColor(random.pick(['rgba(0,0,0,0)', 'rgb(9,9,9)']))],
      ['a camera rounds', () => camera.setRoundPixels(random.chance(0.5))],
      ['a scene sleeps or wakes', () => (other.sys.isSleeping() ? other.sys.wake() : other.sys.sleep())],
      ['a scene comes to the top', () => stage.game.scene.bringToTop(random.pick(scenes))],
      ['a scene shows', () => other.sys.setVisible(random.chance(0.7))],
      [
        'the ad comes back',
        () =>
          ad
            .setVisible(true)
            .setAlpha(1)
            .setPosition(WIDTH / 2, HEIGHT / 2),
      ],
    ];
  }

  private geometryMask(): Phaser.Display.Masks.GeometryMask {
    const { random } = this;
    const shape = this.ad.scene.make.graphics({}, false);
    return shape.fillRect(random.between(0, 200), random.between(0, 150), 120, 90).createGeometryMask();
  }

  private bitmapMask(): Phaser.Display.Masks.BitmapMask {
    const { random } = this;
    const key = random.pick(['disc', 'star', 'brick']);
    const picture = { x: random.between(60, 200), y: random.between(60, 150), key };
    return this.ad.scene.make.image(picture, false).setScale(2).createBitmapMask();
  }
}

/** Calls a method if there is one: kinds differ in what can be changed of them. */
function call(owner: object | null | undefined, method: string, ...values: unknown[]): unknown {
  const found: unknown = owner === null || owner === undefined ? undefined : Reflect.get(owner, method);
  return typeof found === 'function' ? Reflect.apply(found, owner, values) : undefined;
}

import * as Phaser from 'phaser';
import { AdsGlobalPlugin, AdsScenePlugin, type PlacedAd, type TestAnswer } from 'phaser-inview';
import { playScene } from './playScene.js';

/** How one test ad ended, and the size of what it shows. */
export interface TestAdResult {
  readonly state: string;
  readonly errorCode: string | null;
  readonly textureSize: readonly [number, number];
  /** Share of its pixels that are the yellow of a test ad. */
  readonly yellow: number;
}

/** What became of ads whose answers come late, never, or with a bad address for clicks. */
export interface LateAds {
  /** State of the slow ad when it was ready, and whether 2.9 s had passed by then. */
  readonly slow: readonly [state: string, isLate: boolean];
  /** State of the silent one meanwhile, and after it was destroyed; its error. */
  readonly silent: readonly [meanwhile: string, after: string, errorCode: string | null];
  readonly badClickUrl: string;
  readonly errors: readonly string[];
}

/** What was measured of an object of the game's own that carries an ad. */
export interface CarrierResult {
  readonly isFullyVisible: boolean;
  readonly totalArea: number;
  readonly percentageBehindWall: number;
  readonly blockers: readonly string[];
}

/** What a label does to the ad that carries it. */
export interface LabelledAd {
  readonly state: string;
  readonly percentageInView: number;
  readonly blockers: number;
  /** Where in the box the label shows on screen, in shares of it: left, top, right, bottom. */
  readonly label: readonly [number, number, number, number];
  /** Pixels that are the label's once the ad is gone. */
  readonly afterwards: number;
  readonly picture: string;
}

declare global {
  interface Window {
    upright?: (renderer: 'webgl' | 'canvas', label: boolean) => Promise<readonly [upright: number, upsideDown: number]>;
    labels?: (renderer: 'webgl' | 'canvas') => Promise<LabelledAd>;
    testAds?: (answers: readonly TestAnswer[]) => Promise<Record<string, TestAdResult>>;
    lateAds?: () => Promise<LateAds>;
    carriers?: (renderer: 'webgl' | 'canvas') => Promise<Record<string, CarrierResult>>;
  }
}

/** Runs `play` in the scene of a game with test ads. */
function inGame<T>(type: number, play: (scene: Phaser.Scene) => Promise<T>): Promise<T> {
  return playScene(play, type, {
    plugins: {
      global: [{ key: 'AdsGlobalPlugin', plugin: AdsGlobalPlugin, start: true, data: { testMode: true } }],
      scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
    },
  });
}

const drawn = (scene: Phaser.Scene): Promise<unknown> =>
  new Promise((done) => scene.game.events.once('postrender', () => scene.game.events.once('postrender', done)));

window.testAds = (answers) =>
  inGame(Phaser.CANVAS, async (scene) => {
    const { testAds } = AdsGlobalPlugin.of(scene.game);
    const results: Record<string, TestAdResult> = {};
    for (const answer of answers) {
      testAds!.answer(answer);
      const ad = scene.ads.place('roof-300x250', { x: 200, y: 150, width: 300, height: 250 });
      const state = await ad.ready;
      results[answer] = { state, errorCode: ad.error?.code ?? null, ...pictureOf(ad) };
      ad.destroy();
    }
    return results;
  });

window.upright = (renderer, label) =>
  inGame(renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS, async (scene) => {
    const ad = scene.ads.place('roof-300x250', { x: 150, y: 125, width: 300, height: 250, label });
    await ad.ready;
    await drawn(scene);
    const shown = await snapshot(scene);
    const image = ad.sprite.texture.getSourceImage() as CanvasImageSource;
    /** How far the screen is from the creative's picture, which may stand on its head. */
    const distance = (sign: 1 | -1): number => {
      const context = new OffscreenCanvas(300, 250).getContext('2d')!;
      context.setTransform(1, 0, 0, sign, 0, sign === 1 ? 0 : 250);
      context.drawImage(image, 0, 0, 300, 250);
      const { data } = context.getImageData(0, 0, 300, 250);
      let sum = 0;
      for (let i = 0; i < data.length; i++) {
        const [x, y] = [Math.floor(i / 4) % 300, Math.floor(i / 1200)];
        sum += Math.abs(data[i]! - shown.data[4 * (400 * y + x) + (i % 4)]!);
      }
      return sum / data.length;
    };
    return [distance(1), distance(-1)];
  });

window.labels = (renderer) =>
  inGame(renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS, async (scene) => {
    scene.cameras.main.setBackgroundColor('#0000ff');
    const group = scene.add.container(200, 150);
    const box = { x: 0, y: 0, width: 240, height: 200, container: group, label: 'Anzeige' };
    const ad = scene.ads.place('roof-300x250', box);
    const state = await ad.ready;
    group.setAngle(90);
    await drawn(scene);
    const { percentageInView, blockingSprites } = ad.measurement!;
    const shown = await snapshot(scene);
    ad.destroy();
    await drawn(scene);
    const gone = await snapshot(scene);
    const dark = (image: ImageData): number[] => {
      const found: number[] = [];
      for (let i = 0; i < image.data.length; i += 4) {
        // Black over the yellow of a test ad; its own letters are in the middle.
        const [r, g, b] = [image.data[i]!, image.data[i + 1]!, image.data[i + 2]!];
        if (r < 100 && g < 80 && b < 60) found.push(i / 4);
      }
      return found;
    };
    // Turned by a quarter the upper left corner is the upper right one.
    const corner = dark(shown).map((at) => [at % 400, Math.floor(at / 400)] as const).filter(([x, y]) => x > 260 && y < 110); // prettier-ignore
    const xs = corner.map(([x]) => (300 - x) / 200);
    const ys = corner.map(([, y]) => (y - 30) / 240);
    const label = [Math.min(...ys), Math.min(...xs), Math.max(...ys), Math.max(...xs)] as const;
    const canvas = new OffscreenCanvas(400, 300);
    canvas.getContext('2d')!.putImageData(shown, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    const picture = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    return { state, percentageInView, blockers: blockingSprites.length, label, afterwards: dark(gone).length, picture };
  });

function snapshot(scene: Phaser.Scene): Promise<ImageData> {
  return new Promise((resolve) =>
    scene.game.renderer.snapshot((image) => {
      const canvas = new OffscreenCanvas(400, 300);
      const context = canvas.getContext('2d')!;
      context.drawImage(image as HTMLImageElement, 0, 0);
      resolve(context.getImageData(0, 0, 400, 300));
    }),
  );
}

window.lateAds = () =>
  inGame(Phaser.CANVAS, async (scene) => {
    const { testAds } = AdsGlobalPlugin.of(scene.game);
    const errors: string[] = [];
    scene.ads.on('aderror', ({ placedAd, error }) => errors.push(`${placedAd?.surface?.adSurfaceId} ${error.code}`));
    let isLate = false;
    setTimeout(() => (isLate = true), 2_900);
    const [slow, silent, bad] = (['slow', 'silent', 'badClickUrl'] as const).map((answer, i) => {
      testAds!.answer(answer, answer);
      return scene.ads.place(answer, { x: 70 + 130 * i, y: 150, width: 120, height: 60, clickable: true });
    });
    const badState = await bad!.ready;
    const slowState = await slow!.ready;
    const meanwhile = silent!.state;
    silent!.destroy();
    const after = await silent!.ready;
    return {
      slow: [slowState, isLate],
      silent: [meanwhile, after, silent!.error?.code ?? null],
      badClickUrl: badState,
      errors,
    };
  });

function pictureOf({ sprite }: PlacedAd<Phaser.GameObjects.Image>): Pick<TestAdResult, 'textureSize' | 'yellow'> {
  const image = sprite.texture.getSourceImage() as CanvasImageSource & { width: number; height: number };
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let yellow = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i]! > 220 && data[i + 1]! > 170 && data[i + 2]! < 90) yellow++;
  return { textureSize: [image.width, image.height], yellow: (4 * yellow) / data.length };
}

window.carriers = (renderer) =>
  inGame(renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS, async (scene) => {
    const panel = scene.textures.createCanvas('panel', 32, 32)!;
    panel.context.fillStyle = '#888';
    panel.context.fillRect(0, 0, 32, 32);
    panel.refresh();
    const makers: Record<string, () => Phaser.GameObjects.GameObject> = {
      container: () =>
        scene.add.container(200, 150, [
          scene.add.rectangle(-50, 0, 100, 100, 0x3366ff),
          scene.add.rectangle(50, 0, 100, 100, 0x33ff66),
        ]),
      'render texture': () => scene.add.renderTexture(200, 150, 200, 100).fill(0xff00ff),
    };
    // Phaser draws these two by WebGL only.
    if (renderer === 'webgl') {
      makers['nine-slice'] = () => scene.add.nineslice(200, 150, 'panel', undefined, 200, 100, 8, 8, 8, 8);
      makers['mesh'] = () => scene.add.plane(200, 150, 'panel', undefined, 1, 1).setSizeToFrame().setScale(200 / 32, 100 / 32); // prettier-ignore
    }
    const results: Record<string, CarrierResult> = {};
    for (const [name, make] of Object.entries(makers)) {
      const ad = scene.ads.observe(make(), { adId: name, url: '' });
      await drawn(scene);
      const { isFullyVisible, totalArea } = ad.measurement!;
      const wall = scene.add.rectangle(150, 150, 100, 200, 0xffffff).setName('wall');
      await drawn(scene);
      const { percentageInView, blockingSprites } = ad.measurement!;
      results[name] = {
        isFullyVisible,
        totalArea,
        percentageBehindWall: percentageInView,
        blockers: blockingSprites.map((object) => object.name),
      };
      wall.destroy();
      ad.destroy();
      ad.sprite.destroy();
    }
    return results;
  });

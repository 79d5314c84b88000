import * as Phaser from 'phaser';
import { GameMeter } from 'phaser-inview';
import { FrameReader } from '../../../src/rehearsal/FrameReader.js';
import { playScene } from './playScene.js';
import { takeOver } from './takeOver.js';

/** How an ad under something with holes was measured. */
export interface HolesReport {
  /** Walks over the display list in so many frames as are counted, once what lies over the ad is known. */
  readonly walks: number;
  /** What the last of these frames said, and an independent reading of the same frame. */
  readonly percentageInView: number;
  readonly anew: number;
}

/** How an ad was measured that HTML first lies beside, and then over. */
export interface HtmlReport {
  /** Walks while it lay beside. */
  readonly walks: number;
  readonly percentageBeside: number;
  readonly percentageUnder: number;
  readonly reasonsUnder: readonly string[];
}

/** How an ad was measured that one of two cameras shows. */
export interface SplitReport {
  readonly walks: number;
  readonly percentageInView: number;
}

declare global {
  interface Window {
    measureInSplitScreen?: () => Promise<SplitReport>;
    measureUnderHoles?: (kind: string, adKind?: string) => Promise<HolesReport>;
    measureUnderHtml?: (renderer: 'webgl' | 'canvas') => Promise<HtmlReport>;
  }
}

const FRAME_MS = 1000 / 60;
const FRAMES = 20;
/** Until parts of pictures have lasted. */
const FRAMES_BEFORE = 70;
/** Until pictures were decoded, in spare time. */
const READING_FRAMES = 10;
/** More than passes between two looks at the page. */
const PAGE_MS = 900;

/** Puts something of a kind over an ad, and lets it move. */
const KINDS: Readonly<Record<string, (scene: Phaser.Scene) => Phaser.GameObjects.Components.Transform>> = {
  'a picture': (scene) => scene.add.image(0, 0, 'ring').setRotation(0.3).setScale(1.5, 0.8),
  'a mirrored picture': (scene) => scene.add.image(0, 0, 'ring').setFlip(true, true).setScale(-1.2, 1),
  'the first frame of an atlas': (scene) => scene.add.image(0, 0, 'atlas', 'first').setScale(2),
  'a trimmed frame': (scene) => scene.add.image(0, 0, 'atlas', 'trimmed').setScale(2).setFlipX(true),
  'a tinted, faint picture': (scene) => scene.add.image(0, 0, 'ring').setTint(0xff0000).setAlpha(0.8),
  // By its background: the test's browser may have no fonts.
  'a text': (scene) =>
    scene.add.text(0, 0, 'score', { backgroundColor: 'rgba(0, 0, 0, 0.7)', padding: { x: 9, y: 9 } }),
  'a rectangle on a picture': (scene) =>
    scene.add.container(0, 0, [scene.add.image(0, 0, 'ring'), scene.add.rectangle(20, 5, 20, 20, 0x445566)]),
  'a cropped picture': (scene) => scene.add.image(0, 0, 'ring').setCrop(8, 4, 40, 50).setScale(2),
  'the tiles of a map': (scene) => {
    const map = scene.make.tilemap({ data: [[0, 1, 2], [2, 3, 0]], tileWidth: 32, tileHeight: 32 }); // prettier-ignore
    return map.createLayer(0, map.addTilesetImage('ring')!, 0, 0)!;
  },
  // Of what follows in the batch the second half of each quad stands where the first of a quad would.
  'a picture after a triangle': (scene) =>
    scene.add.container(0, 0, [triangle(scene, -10, 0), scene.add.image(0, 0, 'ring').setRotation(0.3)]),
  'the frame of an atlas after a triangle far away': (scene) =>
    scene.add.container(0, 0, [triangle(scene, -150, -110), scene.add.image(0, 0, 'atlas', 'first').setScale(2)]),
  'pictures in a container': (scene) =>
    scene.add.container(0, 0, [scene.add.image(-10, 0, 'ring'), scene.add.image(10, 5, 'ring')]).setRotation(0.5),
  'a texture drawn by the game': (scene) => scene.add.image(0, 0, 'drawn').setAlpha(0.8),
  // Seen in part because it is small.
  'tiles of a solid picture': (scene) => scene.add.tileSprite(0, 0, 50, 40, '__WHITE'),
  'tiles of a picture': (scene) => scene.add.tileSprite(0, 0, 90, 70, 'ring'),
  'tiles, turned, mirrored, scaled and scrolled,': (scene) => {
    const tiles = scene.add.tileSprite(0, 0, 90, 70, 'ring').setTilePosition(30, -50).setTileScale(0.7, -1.3);
    scene.events.on('update', () => (tiles.tilePositionX += 3.3));
    return tiles.setRotation(0.4).setFlip(true, false).setScale(-0.9, 1.1);
  },
  'tiles whose size is no power of two,': (scene) => {
    scene.textures.get('atlas').add('odd', 0, 3, 3, 41, 53);
    return scene.add.tileSprite(0, 0, 90, 70, 'atlas', 'odd');
  },
  'tiles that change between two pictures': (scene) => {
    const tiles = scene.add.tileSprite(0, 0, 90, 70, 'ring');
    let updates = 0;
    scene.events.on('update', () => tiles.setTexture(updates++ % 4 < 2 ? 'atlas' : 'ring', updates % 4 < 2 ? 'first' : undefined)); // prettier-ignore
    return tiles;
  },
  'tiles of a canvas': (scene) => {
    const canvas = scene.textures.createCanvas('canvas', 32, 32)!;
    canvas.context.fillRect(0, 0, 32, 20);
    return scene.add.tileSprite(0, 0, 90, 70, 'canvas');
  },
  'a picture beside one that lamps light': (scene) => {
    scene.lights.enable();
    scene.add.image(40, 40, 'ring').setPipeline('Light2D');
    return scene.add.image(0, 0, 'ring');
  },
  'a picture, and over one that lamps light,': (scene) => {
    scene.lights.enable();
    scene.add.image(200, 150, 'ring').setPipeline('Light2D').setDepth(-1);
    return scene.add.image(0, 0, 'ring');
  },
  'a picture beside a rope': (scene) => {
    scene.add.rope(50, 40, 'ring');
    return scene.add.image(0, 0, 'ring');
  },
  // On both sides of it.
  'a picture beside point lights': (scene) => {
    for (const x of [50, 350]) scene.add.pointlight(x, 40, 0xffffff, 40);
    return scene.add.image(0, 0, 'ring');
  },
  'a picture beside one drawn by a pipeline of the game': (scene) => {
    const { pipelines } = scene.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
    class Flash extends Phaser.Renderer.WebGL.Pipelines.MultiPipeline {}
    const fragShader = 'precision mediump float; void main() { gl_FragColor = vec4(1.0); }';
    pipelines.add('Flash', new Flash({ game: scene.game, name: 'Flash', fragShader }));
    scene.add.image(40, 40, 'ring').setPipeline('Flash');
    return scene.add.image(0, 0, 'ring');
  },
};

/** The ad that lies under it. */
const ADS: Readonly<Record<string, (scene: Phaser.Scene) => Phaser.GameObjects.GameObject>> = {
  'a solid picture': (scene) => scene.add.image(200, 150, '__WHITE').setDisplaySize(120, 90),
  'a picture': (scene) => scene.add.image(200, 150, 'ring').setDisplaySize(120, 90),
  'a turned, mirrored, faint picture': (scene) =>
    scene.add.image(200, 150, 'ring').setScale(-2, 1.6).setRotation(0.3).setFlipY(true).setAlpha(0.8),
  'the frame of an atlas': (scene) => scene.add.image(200, 150, 'atlas', 'first').setScale(2),
  'a trimmed frame': (scene) => scene.add.image(200, 150, 'atlas', 'trimmed').setScale(2).setFlipX(true),
  'a tinted picture': (scene) =>
    scene.add.image(200, 150, 'ring').setScale(2).setTint(0xff8800, 0x88ff00, 0x0088ff, 0xffffff),
  'a picture partly out of view': (scene) => scene.add.image(30, 150, 'ring').setDisplaySize(120, 90),
};

window.measureUnderHoles = (kind, adKind = 'a solid picture') =>
  playScene(async (scene: Phaser.Scene): Promise<HolesReport> => {
    const { game } = scene;
    const lamp = scene.make.image({ key: '__WHITE' }, false).setDisplaySize(20, 20);
    scene.textures.addDynamicTexture('drawn', 60, 40)!.fill(0x445566).erase(lamp, 40, 20);
    await takeOver(game);
    await addTextures(scene);
    const ad = ADS[adKind]!(scene) as Phaser.GameObjects.Image;
    const cover = KINDS[kind]!(scene);
    const meter = GameMeter.of(game);
    const stop = meter.observe(ad, () => undefined);
    let walks = 0;
    for (let frame = 0; frame < FRAMES_BEFORE + FRAMES; frame++) {
      cover.x = ad.x - 10 + 20 * Math.sin(frame / 5);
      cover.y = ad.y;
      const walked = await walksInFrame(game, frame);
      if (frame >= FRAMES_BEFORE) walks += walked;
    }
    const report = { walks, percentageInView: meter.measure(ad).percentageInView };
    stop();
    return { ...report, anew: meter.measure(ad).percentageInView };
  }, Phaser.WEBGL);

/** An ad in one half of a split screen, on a ground that the other half shows another part of. */
window.measureInSplitScreen = () =>
  playScene(async (scene: Phaser.Scene): Promise<SplitReport> => {
    const { game } = scene;
    await takeOver(game);
    await addTextures(scene);
    const ground = scene.add.tileSprite(200, 150, 800, 600, 'ring');
    const ad = scene.add.image(100, 150, '__WHITE').setDisplaySize(120, 90);
    scene.cameras.main.setViewport(0, 0, 200, 300);
    scene.cameras.add(200, 0, 200, 300).setScroll(200, 0);
    const meter = GameMeter.of(game);
    const stop = meter.observe(ad, () => undefined);
    await walksInFrame(game, 0);
    let walks = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      ground.tilePositionX++;
      walks += await walksInFrame(game, frame);
    }
    const { percentageInView } = meter.measure(ad);
    stop();
    return { walks, percentageInView };
  }, Phaser.WEBGL);

/** A button, and a panel that blurs what lies below it. */
window.measureUnderHtml = (renderer) =>
  playScene(
    async (scene: Phaser.Scene): Promise<HtmlReport> => {
      const { game } = scene;
      await takeOver(game);
      const ad = scene.add.image(200, 150, '__WHITE').setDisplaySize(120, 90);
      const mover = scene.add.image(0, 0, '__WHITE').setScale(10);
      const meter = GameMeter.of(game);
      const stop = meter.observe(ad, () => undefined);
      const panels = ['background: #333', 'backdrop-filter: blur(3px)'].map((look, i) => {
        const panel = document.createElement('div');
        panel.style.cssText = `position: absolute; left: ${60 * i}px; top: 0; width: 50px; height: 30px; ${look}`;
        document.body.append(panel);
        return panel;
      });
      const play = async (frames: number): Promise<number> => {
        let walks = 0;
        for (let frame = 0; frame < frames; frame++) {
          mover.setPosition(190 + 20 * Math.sin(frame / 5), 150);
          walks += await walksInFrame(game, frame);
        }
        return walks;
      };
      await new Promise((looked) => setTimeout(looked, PAGE_MS));
      await play(FRAMES_BEFORE);
      const walks = await play(FRAMES);
      const { percentageInView: percentageBeside } = meter.measure(ad);
      for (const panel of panels) panel.style.top = '150px';
      for (const [i, panel] of panels.entries()) panel.style.left = `${150 + 50 * i}px`;
      await new Promise((looked) => setTimeout(looked, PAGE_MS));
      await play(FRAMES_BEFORE);
      const { percentageInView: percentageUnder, reasons: reasonsUnder } = meter.measure(ad);
      stop();
      for (const panel of panels) panel.remove();
      return { walks, percentageBeside, percentageUnder, reasonsUnder };
    },
    Phaser[renderer === 'webgl' ? 'WEBGL' : 'CANVAS'],
  );

/** One that is batched as such. */
function triangle(scene: Phaser.Scene, x: number, y: number): Phaser.GameObjects.Triangle {
  return scene.add.triangle(x, y, 0, 20, 10, 0, 20, 20, 0x445566);
}

let time = 1000;

/**
 * How often display lists are walked for the next frame, which is made by hand, in a task of its own. Waiting for time to
 * spare takes as long as a frame of the page, and pictures need it only in the beginning.
 */
async function walksInFrame(game: Phaser.Game, frame: number): Promise<number> {
  let walks = 0;
  const { read } = FrameReader.prototype;
  FrameReader.prototype.read = function (...args) {
    walks++;
    return read.apply(this, args);
  };
  await new Promise((next) => (frame < READING_FRAMES ? requestIdleCallback(next) : setTimeout(next)));
  game.step((time += FRAME_MS), FRAME_MS);
  FrameReader.prototype.read = read;
  return walks;
}

/** Rings in files, as games load them. */
async function addTextures({ textures }: Phaser.Scene): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d')!;
  context.lineWidth = 8;
  for (const [x, y] of [
    [16, 16],
    [48, 16],
    [32, 48],
  ] as const) {
    // prettier-ignore
    context.beginPath();
    context.arc(x, y, 11, 0, 7);
    context.stroke();
  }
  for (const key of ['ring', 'atlas']) {
    const loaded = new Promise((done) => textures.once(`addtexture-${key}`, done));
    textures.addBase64(key, canvas.toDataURL());
    await loaded;
  }
  const atlas = textures.get('atlas');
  atlas.add('first', 0, 0, 0, 32, 32);
  atlas.add('trimmed', 0, 16, 32, 32, 32)!.setTrim(48, 48, 4, 10, 32, 32);
}

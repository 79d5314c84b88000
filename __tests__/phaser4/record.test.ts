import Phaser from 'phaser';

import { GameMeter } from '../../src/meter/GameMeter.js';
import { calculateAdCoverage, checkAdFullVisibility } from '../../src/meter/tracking.js';
import { stubWebGL } from './support/stubWebGL.js';

/** What of Phaser 4 the types of 3 do not have. */
interface Filters {
  readonly internal: FilterList;
  readonly external: FilterList;
}
interface FilterList {
  clear(): void;
  addMask(mask: object | string, invert?: boolean): void;
  addSampler(callback: () => void): void;
  addGlow(): void;
  addBlur(): void;
  addVignette(x?: number, y?: number, radius?: number, strength?: number, color?: number, blendMode?: number): void;
  addPixelate(amount: number): void;
  addBlocky(config: object): void;
  addThreshold(from: number, to: number, invert?: boolean): void;
  addColorMatrix(): { readonly colorMatrix: { grayscale(value: number): void } };
}
type Filtered = Phaser.GameObjects.Image & { enableFilters(): Filtered; readonly filters: Filters };
interface Context4 {
  setColorWritemask(red: boolean, green: boolean, blue: boolean, alpha: boolean): void;
}
type Scene4 = Omit<Phaser.Scene, 'add'> & {
  readonly add: Omit<Phaser.GameObjects.GameObjectFactory, 'image'> & {
    image(x: number, y: number, key: string): Filtered;
    stencil(x: number, y: number, children: object[]): Phaser.GameObjects.Container & { stencilInvert: boolean };
    customcontext(x: number, y: number, children: object[], set: (context: Context4) => void): unknown;
    captureFrame(key: string): unknown;
    noise(config: object, x: number, y: number, width: number, height: number): unknown;
    gradient(config: object, x: number, y: number, width: number, height: number): unknown;
    spriteGPULayer(key: string, size: number): { addMember(member: object): unknown };
  };
};
type Camera4 = Phaser.Cameras.Scene2D.Camera & {
  readonly filters: Filters;
  setForceComposite(is: boolean): void;
};

let game: Phaser.Game;
let scene: Scene4;
let camera: Camera4;
let ad: Filtered;
let time = 0;
let captures = 0;

const step = (): void => game.step((time += 16), 16);

beforeAll(async () => {
  stubWebGL();
  jest.spyOn(console, 'warn').mockImplementation();
  game = await new Promise((resolve) => {
    const started = new Phaser.Game({
      type: Phaser.WEBGL,
      width: 400,
      height: 300,
      banner: false,
      autoFocus: false,
      audio: { noAudio: true },
      canvas: document.createElement('canvas'),
      scene: { create: () => resolve(started) },
    });
  });
  game.loop.stop();
  scene = game.scene.scenes[0] as unknown as Scene4;
});
afterAll(() => {
  game.destroy(true);
  step();
});

/** An ad of 100 × 50 in the middle, at 150–250 and 125–175. */
beforeEach(() => {
  camera = scene.cameras.main as Camera4;
  ad = scene.add.image(200, 150, '__WHITE').setDisplaySize(100, 50);
});
afterEach(() => {
  for (const child of [...scene.children.list]) child.destroy();
  scene.cameras.resetAll();
  step();
});

/** A white picture over the ad, or beside it. */
function cover(x: number, y: number, width: number, height: number): Filtered {
  return scene.add.image(x, y, '__WHITE').setDisplaySize(width, height).setName('cover');
}

/** The left half of the ad and more. */
const overLeft = (): Filtered => cover(175, 150, 50, 80);

/** A camera of some opacity that draws the ad, too, above what it shows, and after that something over the ad's left half. */
function lieAbove(alpha: number): void {
  scene.cameras.add(0, 100, 400, 200).setScroll(0, 200).setAlpha(alpha);
  cover(175, 250, 50, 80);
}

/** A small picture, 50 wide, of all that was drawn so far. */
function showCapture(x: number, y: number): void {
  camera.setForceComposite(true);
  const key = `captured ${(captures += 1)}`;
  scene.add.captureFrame(key);
  scene.add.image(x, y, key).setDisplaySize(50, 80);
}

/** What is drawn of y up to 135: the topmost 10 pixels of the ad. */
function maskOfTop(): Phaser.GameObjects.Graphics {
  return (scene as unknown as Phaser.Scene).make.graphics({}, false).fillStyle(0xffffff).fillRect(0, 0, 400, 135);
}

/** Shares of the ad in percent, of a single call and of an observed frame; and whether nobody can know. */
function seen(): { call: number; frame: number; isFull: boolean; unmeasurable: boolean } {
  step();
  const { visibleArea, totalArea } = calculateAdCoverage(ad, camera);
  const call = Math.round((1000 * visibleArea) / totalArea) / 10;
  const { isFullyVisible: isFull } = checkAdFullVisibility(ad, ad.scene);
  let frame = NaN;
  let unmeasurable = false;
  const stop = GameMeter.of(game).observe(ad, ({ percentageInView, reasons, isFullyVisible }) => {
    frame = Math.round(10 * percentageInView) / 10;
    unmeasurable = reasons.includes('unmeasurable');
    expect(isFullyVisible).toBe(isFull);
  });
  step();
  step();
  stop();
  return { call, frame, isFull, unmeasurable };
}

const namesOfBlockers = (): string[] => checkAdFullVisibility(ad, ad.scene).blockingSprites.map(({ name }) => name);

const exactly = (percent: number): object => ({
  call: percent,
  frame: percent,
  isFull: percent === 100,
  unmeasurable: false,
});

/** Puts something on the stage. */
type Put = () => unknown;

describe('of Phaser 4 it is known to the pixel', () => {
  it.each<[string, number, Put]>([
    ['an ad alone', 100, () => undefined],
    ['an image', 50, overLeft],
    ['a rectangle', 50, () => scene.add.rectangle(175, 150, 50, 80, 0xff0000)],
    ['graphics', 50, () => scene.add.graphics().fillStyle(0xff).fillRect(150, 100, 50, 100)],
    ['a container', 50, () => scene.add.container(100, 50, [overLeft().setPosition(75, 100)])],
    ['a layer', 50, () => scene.add.layer([overLeft()])],
    ['a tile sprite', 50, () => scene.add.tileSprite(175, 150, 50, 80, '__WHITE')],
    ['a nine-slice', 50, () => scene.add.nineslice(175, 150, '__WHITE', undefined, 50, 80, 1, 1, 1, 1)],
    ['a camera that has moved since it drew', 100, () => camera.setScroll(30, 20)],
    ['a camera that is zoomed and turned', 50, () => (overLeft(), camera.setZoom(0.8).setRotation(0.3))],
    ['a camera at another place', 50, () => camera.setViewport(200, 0, 200, 300).setScroll(200, 0)],
    ['a scroll factor', 70, () => { overLeft().setPosition(165, 145).setScrollFactor(0.5); camera.setScroll(-20, -10); }],
    ['a faded camera, in which what covers hides all', 50, () => (overLeft(), camera.setAlpha(0.7))],
    ['a faded camera above, which draws the ad elsewhere', 100, () => lieAbove(0.4)],
    ['a camera above that is less faded', 50, () => lieAbove(0.6)],
    ['a camera drawn onto a picture first', 85, () => { cover(175, 130, 50, 20); camera.setForceComposite(true); }],
    ['a noise', 50, () => scene.add.noise({}, 175, 150, 50, 80)],
    ['a gradient', 50, () => scene.add.gradient({}, 175, 150, 50, 80)],
    ['a captured picture that lies beside the ad', 100, () => showCapture(50, 240)],
    ['a captured picture over the ad', 50, () => { cover(200, 150, 400, 300).setDepth(-1); showCapture(175, 150); }],
    ['a captured picture of an ad that is covered', 0, () => { showCapture(50, 240); cover(200, 150, 110, 60); }],
    ['a mask on what covers', 90, () => overLeft().enableFilters().filters.external.addMask(maskOfTop())],
    ['a mask turned round', 60, () => overLeft().enableFilters().filters.external.addMask(maskOfTop(), true)],
    ['a mask on the ad', 20, () => ad.enableFilters().filters.external.addMask(maskOfTop())],
    ['a mask on the camera', 20, () => camera.filters.external.addMask(maskOfTop())],
    ['a mask that is a texture', 100, () => ad.enableFilters().filters.internal.addMask('__WHITE')],
    ['a grey cover', 50, () => overLeft().enableFilters().filters.internal.addColorMatrix().colorMatrix.grayscale(1)],
    ['a cover in full colours only', 50, () => overLeft().enableFilters().filters.external.addThreshold(0.2, 0.6)],
    ['blocks that stay beside the ad', 100, () => cover(120, 150, 48, 80).enableFilters().filters.external.addPixelate(2)],
    ['a glow that stays within its picture', 100, () => cover(120, 150, 50, 80).enableFilters().filters.internal.addGlow()],
    ['a stencil', 50, () => scene.children.moveTo(scene.add.stencil(0, 0, [overLeft()]), 0)],
    ['a stencil turned round', 50, () => {
      const stencil = scene.add.stencil(0, 0, [overLeft()]);
      stencil.stencilInvert = true;
      scene.children.moveTo(stencil, 0);
    }],
    ['a round window in a stencil turned round', 78.5, () => {
      const circle = (scene as unknown as Phaser.Scene).add.circle(200, 150, 50, 0xffffff).setScale(1, 0.5);
      const stencil = scene.add.stencil(0, 0, [circle]);
      stencil.stencilInvert = true;
      scene.children.moveTo(stencil, 0);
    }],
    ['a faint stencil that is beside the ad', 100, () =>
      scene.children.moveTo(scene.add.stencil(0, 0, [cover(120, 150, 40, 40).setAlpha(0.5)]), 0)],
    ['a panel and a picture on it, in a faded camera above', 100, () => {
      const above = scene.cameras.add(0, 0, 400, 300).setAlpha(0.4);
      const shown = [overLeft(), overLeft()];
      camera.ignore(shown);
      above.ignore(ad);
    }],
    ['a second camera', 100, () => {
      camera.ignore(overLeft());
      scene.cameras.add(0, 0, 150, 300);
    }],
  ])('%s: %s %%', (_name, percent, put) => {
    put();
    expect(seen()).toEqual(exactly(percent));
  }); // prettier-ignore
});

it('gives a sampler of Phaser 4 the picture of each frame once, and none of a question', () => {
  const renderer = game.renderer as unknown as { snapshotFramebuffer(): void };
  const read = jest.spyOn(renderer, 'snapshotFramebuffer').mockImplementation();
  overLeft()
    .enableFilters()
    .filters.internal.addSampler(() => undefined);
  step();
  expect(read).toHaveBeenCalledTimes(1);
  expect(calculateAdCoverage(ad, camera).visibleArea).toBeCloseTo(2500);
  expect(read).toHaveBeenCalledTimes(1);
});

describe('of Phaser 4 nobody knows, and nothing is said to be seen whole', () => {
  it.each<[string, Put]>([
    ['under a glow', () => overLeft().enableFilters().filters.internal.addGlow()],
    ['beside a glow that reaches it', () => cover(120, 150, 50, 80).enableFilters().filters.external.addGlow()],
    ['under a blur', () => overLeft().enableFilters().filters.external.addBlur()],
    ['beside blocks that reach it', () => cover(120, 150, 48, 80).enableFilters().filters.external.addPixelate(8)],
    ['beside other blocks that reach it', () => cover(120, 150, 48, 80).enableFilters().filters.external.addBlocky({ size: 8 })],
    ['under what is opaque where nothing was', () => cover(20, 20, 9, 9).enableFilters().filters.external.addThreshold(0.2, 0.6, true)],
    ['in a camera with a vignette that adds', () => camera.filters.external.addVignette(0.5, 0.5, 0.5, 0.5, 0xffffff, 1)],
    ['under a layer that is blurred', () => {
      const layer = scene.add.layer([overLeft()]) as unknown as Filtered;
      layer.enableFilters().filters.external.addBlur();
    }],
    ['under a noise with a faint colour', () => scene.add.noise({ noiseColorEnd: [0, 0, 0, 0.5] }, 175, 150, 50, 80)],
    ['under a gradient that ends faint', () =>
      scene.add.gradient({ bands: { colorStart: 0, colorEnd: [0, 0, 0, 0.5] } }, 175, 150, 50, 80)],
    ['under a gradient that ends within', () => scene.add.gradient({ repeatMode: 1 }, 175, 150, 50, 80)],
    ['under an extern', () => scene.add.extern()],
    ['under sprites of the GPU', () => scene.add.spriteGPULayer('__WHITE', 10).addMember({ x: 175, y: 150 })],
    ['in red only', () => scene.add.customcontext(0, 0, [ad], (context) => context.setColorWritemask(true, false, false, true))],
    ['under a cover of all colours but red', () =>
      scene.add.customcontext(0, 0, [overLeft()], (context) => context.setColorWritemask(false, true, true, true))],
    ['behind a stencil that is faint', () => scene.children.moveTo(scene.add.stencil(0, 0, [overLeft().setAlpha(0.5)]), 0)],
  ])('%s', (_name, put) => {
    put();
    expect(seen()).toMatchObject({ isFull: false, unmeasurable: true });
  }); // prettier-ignore

  it('but not in the middle of a vignette, and none of it in the dark around one', () => {
    camera.filters.external.addVignette();
    expect(seen()).toEqual({ call: 100, frame: 100, isFull: true, unmeasurable: false });
    camera.filters.external.clear();
    camera.filters.external.addVignette(0.9, 0.5, 0.1);
    expect(seen()).toEqual({ call: 0, frame: 0, isFull: false, unmeasurable: false });
  });

  it('under a step of drawing of the game, until it was watched: this one paints nothing', () => {
    const own = overLeft() as unknown as { addRenderStep(step: () => void, index: number): void };
    own.addRenderStep(() => undefined, 0);
    step();
    expect(calculateAdCoverage(ad, camera).visibleArea).toBe(0);
    step();
    expect(seen()).toMatchObject(exactly(100));
  });

  it('under a mask in a renderer with a single texture unit, which does not reach it', () => {
    const renderer = game.renderer as unknown as { maxTextures: number };
    const { maxTextures } = renderer;
    overLeft().enableFilters().filters.external.addMask(maskOfTop());
    step();
    renderer.maxTextures = 1;
    const measured = seen();
    renderer.maxTextures = maxTextures;
    expect(measured).toMatchObject({ isFull: false, unmeasurable: true });
  });

  it.each([
    'drawElements',
    'drawInstancedArrays',
    'cameraRenderNode',
    'renderNodes',
    'glWrapper',
    'baseDrawingContext',
  ])('where the renderer has no %s', (name) => {
    const renderer = game.renderer as unknown as Record<string, unknown>;
    step();
    const before = renderer[name];
    renderer[name] = undefined;
    try {
      const { isFullyVisible } = checkAdFullVisibility(ad, ad.scene);
      const { reasons } = GameMeter.of(game).measure(ad);
      expect(isFullyVisible).toBe(false);
      expect(reasons).toContain('unmeasurable');
    } finally {
      renderer[name] = before;
    }
  });
});

describe('a batch that is drawn in a call for each texture', () => {
  const far = (key: string): Filtered => scene.add.image(50, 50, key);

  it('is measured whichever of its calls covers the ad', () => {
    for (let at = 0; at < 6; at++) {
      const others = ['__DEFAULT', '__MISSING', '__WHITE', '__DEFAULT', '__MISSING', '__WHITE'].map(far);
      others[at]!.setTexture('__WHITE').setPosition(175, 150).setDisplaySize(50, 80);
      expect(seen()).toEqual(exactly(50));
      for (const other of others) other.destroy();
    }
  });

  it('is not taken for the last one when its first part cannot be drawn yet', () => {
    far('__DEFAULT');
    far('__MISSING');
    far('__DEFAULT');
    const { renderNodes } = game.renderer as unknown as {
      renderNodes: {
        getNode(name: string): { programManager: { getCurrentProgramSuite(): object | null } };
        finishBatch(): void;
      };
    };
    const second = far('__DEFAULT') as Filtered & { addRenderStep(step: () => void, index: number): void };
    second.addRenderStep(() => renderNodes.finishBatch(), 0);
    far('__MISSING');
    overLeft();
    const { programManager } = renderNodes.getNode('BatchHandlerQuad');
    const { getCurrentProgramSuite } = programManager;
    let calls = 0;
    step();
    // Its program is still being compiled.
    const spy = jest
      .spyOn(programManager, 'getCurrentProgramSuite')
      .mockImplementation(() => (++calls === 5 ? null : getCurrentProgramSuite.call(programManager)));
    let percentageInView = NaN;
    const stop = GameMeter.of(game).observe(ad, (measurement) => ({ percentageInView } = measurement));
    step();
    stop();
    spy.mockRestore();
    expect(calls).toBe(6);
    expect(percentageInView).toBeCloseTo(50, 3);
  });
});

it('names what covers an ad, each once', () => {
  overLeft().setName('image');
  scene.add.container(0, 0, [cover(225, 150, 50, 20).setName('child')]).setName('container');
  step();
  expect(namesOfBlockers()).toEqual(['image', 'child']);
});

it.each<[string, Put]>([
  ['a camera', () => camera.filters.external.addMask(maskOfTop())],
  ['a camera that is faded', () => { camera.filters.external.addMask(maskOfTop()); camera.setAlpha(0.8); }],
  ['a camera by its own picture', () => camera.filters.internal.addMask(maskOfTop())],
  ['a layer of both', () => {
    const layer = scene.add.layer(scene.children.list.slice()) as unknown as Filtered;
    layer.enableFilters().filters.external.addMask(maskOfTop());
  }],
])('names what covers an ad behind the mask of %s, and not the mask', (_name, mask) => {
  overLeft();
  mask();
  step();
  expect(namesOfBlockers()).toEqual(['cover']);
}); // prettier-ignore

it('leaves the renderer as it was', () => {
  overLeft().enableFilters().filters.external.addMask(maskOfTop());
  step();
  const renderer = game.renderer as unknown as Record<string, unknown> & { gl: Record<string, unknown> };
  const names = ['drawElements', 'drawInstancedArrays', 'emit', 'currentViewCamera'];
  const read = (): unknown[] => [
    ...names.map((name) => renderer[name]),
    renderer.gl['clear'],
    camera.renderList.length,
  ];
  const before = read();
  checkAdFullVisibility(ad, ad.scene);
  expect(read()).toEqual(before);
});

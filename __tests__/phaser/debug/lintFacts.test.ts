import fc from 'fast-check';

import { adShape } from '../../../src/index.js';
import { readFacts } from '../../../src/debug/lint/readFacts.js';
import { isFaded, isPageAbove, screenCover } from '../../../src/debug/lint/screenCover.js';
import { evenly } from '../../helpers/evenly.js';
import { TestGame } from '../support/TestGame.js';

afterEach(() => TestGame.endAll());

const WIDTH = 400;
const HEIGHT = 300;

async function start(options: object = {}) {
  const test = await TestGame.start();
  const scene = test.scene();
  const ad = scene.ads.place('billboard', { x: 200, y: 150, width: 150, height: 125, ...options });
  await ad.ready;
  test.step(2);
  const facts = () => readFacts(ad, scene.ads.all(), []);
  return { test, scene, ad, facts, camera: scene.cameras.main };
}

it('a picture is shown as large, as stretched, as mirrored and as whole as its transforms say', async () => {
  const { test, scene, ad, facts, camera } = await start();
  const truck = scene.add.container(200, 150);
  truck.add(ad.sprite.setPosition(0, 0));
  const scale = fc.tuple(evenly(0.05, 3), fc.constantFrom(1, -1)).map(([size, sign]) => size * sign);
  const crop = fc.option(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 250 })), { nil: null });
  fc.assert(
    fc.property(
      fc.tuple(scale, scale, scale, fc.boolean()),
      fc.tuple(fc.boolean(), fc.boolean(), evenly(0.2, 3), evenly(-3, 3)),
      crop,
      ([scaleX, scaleY, outer, isOuterMirrored], [flipX, flipY, zoom, angle], cut) => {
        ad.sprite.setScale(scaleX, scaleY).setFlip(flipX, flipY).setRotation(angle);
        if (cut === null) ad.sprite.setCrop();
        else ad.sprite.setCrop(0, 0, cut[0], cut[1]);
        truck.setScale(isOuterMirrored ? -outer : outer, outer).setRotation(2 * angle);
        camera.setZoom(zoom);
        test.step();
        const { picture } = facts();
        // A mirrored picture that is cropped cannot be measured on Canvas.
        const isKnown = !ad.measurement!.reasons.includes('unmeasurable');
        expect(isKnown || cut !== null).toBe(true);
        if (!isKnown) {
          expect(picture).toBeNull();
          return;
        }
        const sizes = [scaleX, scaleY].map((size) => Math.abs(size * outer) * zoom);
        expect(picture!.magnification).toBeCloseTo(Math.max(...sizes), 4);
        expect(picture!.distortion).toBeCloseTo(Math.max(...sizes) / Math.min(...sizes), 4);
        expect(picture!.shownShare).toBeCloseTo(cut === null ? 1 : (cut[0] * cut[1]) / (300 * 250), 9);
        const mirrors = [scaleX < 0, scaleY < 0, isOuterMirrored, flipX, flipY].filter(Boolean).length;
        expect(picture!.isMirrored).toBe(mirrors % 2 === 1);
      },
    ),
  );
});

it('a picture that turns under a camera with two zooms is as large and as stretched as its outline', async () => {
  const { test, ad, facts, camera } = await start();
  fc.assert(
    fc.property(evenly(0.2, 0.5), evenly(0.2, 0.5), evenly(-3, 3), evenly(0.3, 1), evenly(0.3, 1), evenly(-3, 3), (...of) => {
      const [scaleX, scaleY, angle, zoomX, zoomY, turn] = of;
      ad.sprite.setScale(scaleX, scaleY).setRotation(angle);
      camera.setZoom(zoomX, zoomY).setRotation(turn);
      test.step();
      const xy = adShape(ad.sprite, camera).outline[0]!;
      const across = Math.hypot(xy[2]! - xy[0]!, xy[3]! - xy[1]!) / 300;
      const down = Math.hypot(xy[4]! - xy[2]!, xy[5]! - xy[3]!) / 250;
      const { magnification, distortion } = facts().picture!;
      expect(magnification).toBeCloseTo(Math.max(across, down), 4);
      expect(distortion).toBeCloseTo(Math.max(across, down) / Math.min(across, down), 3);
    }),
  );
}); // prettier-ignore

it('an ad is out of bounds where no camera can go, and nowhere else', async () => {
  const { test, scene, ad, facts, camera } = await start();
  const bounds = fc.tuple(evenly(-300, 300), evenly(-300, 300), evenly(300, 900), evenly(200, 700));
  fc.assert(
    fc.property(
      evenly(-500, 1300),
      evenly(-500, 1000),
      bounds,
      evenly(0.5, 2),
      (x, y, [left, top, wide, high], zoom) => {
        camera.setBounds(left, top, wide, high).setZoom(zoom);
        ad.sprite.setPosition(x, y);
        // As near to the ad as the bounds let the camera come.
        camera.centerOn(x, y);
        test.step();
        const isLarger = camera.displayWidth > wide || camera.displayHeight > high;
        const isShown = ad.measurement!.onScreenArea > 0;
        expect(facts().isOutOfBounds).toBe(!isLarger && !isShown);
      },
    ),
  );
  camera.setZoom(1).setBounds(0, 0, 800, 600);
  ad.sprite.setPosition(-500, 0);
  expect(facts().isOutOfBounds).toBe(true);
  // Beside the edge, and a hundredth of a pixel nearer.
  for (const [x, y, toX, toY] of [[-75, 300, 1, 0], [875, 300, -1, 0], [400, -62.5, 0, 1], [400, 662.5, 0, -1]] as const) {
    ad.sprite.setPosition(x, y);
    expect(facts().isOutOfBounds).toBe(true);
    ad.sprite.setPosition(x + toX / 100, y + toY / 100);
    expect(facts().isOutOfBounds).toBe(false);
  } // prettier-ignore
  ad.sprite.setPosition(-500, 0);
  camera.useBounds = false;
  expect(facts().isOutOfBounds).toBe(false);
  camera.useBounds = true;
  // It is where the camera is, the camera turns, or another one goes where it likes.
  ad.sprite.setScrollFactor(1, 0);
  expect(facts().isOutOfBounds).toBe(false);
  ad.sprite.setScrollFactor(0, 1);
  expect(facts().isOutOfBounds).toBe(false);
  ad.sprite.setScrollFactor(1);
  camera.setRotation(0.1);
  expect(facts().isOutOfBounds).toBe(false);
  camera.setRotation(0);
  const other = scene.cameras.add(0, 0, 100, 100);
  expect(facts().isOutOfBounds).toBe(false);
  other.ignore(ad.sprite);
  expect(facts().isOutOfBounds).toBe(true);
  camera.ignore(ad.sprite);
  expect(facts().isOutOfBounds).toBe(false);
});

it('what covers the screen above an ad is what the player sees on most of it, drawn in any way', async () => {
  const { test, scene, ad, camera } = await start();
  const covers = [
    scene.add.rectangle(0, 0, WIDTH, HEIGHT, 0x0000ff),
    scene.add
      .graphics()
      .fillStyle(0x0000ff)
      .fillRect(-WIDTH / 2, -HEIGHT / 2, WIDTH, HEIGHT),
  ] as const;
  const place = fc.tuple(evenly(-40, 40), evenly(-40, 40), evenly(0.8, 1.6), evenly(0.8, 1.6));
  let found = 0;
  fc.assert(
    fc.property(
      place,
      evenly(0.6, 1.5),
      fc.constantFrom(0, 0.5, 1),
      fc.constantFrom(0, 1),
      (at, zoom, factor, kind) => {
        const [x, y, scaleX, scaleY] = at;
        camera.setZoom(zoom).setScroll(30 * x, y);
        const [cover, other] = [covers[kind], covers[1 - kind]!];
        other.setVisible(false);
        cover.setVisible(true).setPosition(WIDTH / 2 + x + 30 * x * factor, HEIGHT / 2 + y + y * factor);
        cover.setScale(scaleX / zoom, scaleY / zoom).setScrollFactor(factor);
        ad.sprite.setPosition(200 + 30 * x, 150 + y);
        test.step();
        const share = scene.ads.measure(cover).onScreenArea / (WIDTH * HEIGHT);
        fc.pre(Math.abs(share - 0.8) > 0.001);
        expect(screenCover(ad, ad.measurement!)?.object ?? null).toBe(share > 0.8 ? cover : null);
        if (share > 0.8) found++;
      },
    ),
  );
  expect(found).toBeGreaterThan(20);
  covers[0].setVisible(false);
  covers[1].setVisible(true).setPosition(200, 150).setScale(9).setScrollFactor(0);
  test.step();
  expect(screenCover(ad, ad.measurement!)?.object).toBe(covers[1]);
  // What was drawn with it is gone before a frame without it was drawn.
  covers[1].clear();
  expect(screenCover(ad, ad.measurement!)).toBeNull();
});

it('the twin of an ad is one of its surface that was placed earlier, while half of both is in view', async () => {
  const { test, scene, ad } = await start({ x: 100 });
  const later = scene.ads.place('billboard', { x: 300, y: 150, width: 150, height: 125 });
  await later.ready;
  const other = scene.ads.place('another', { x: 200, y: 20, width: 40, height: 30 });
  await other.ready;
  const twins = () => {
    test.step(2);
    return [ad, later, other].map((one) => readFacts(one, scene.ads.all(), []).twin);
  };
  expect(twins()).toEqual([null, 'billboard', null]);
  ad.sprite.x = 0;
  expect([ad.measurement!.percentageInView > 50, ...twins()]).toEqual([true, null, 'billboard', null]);
  expect(ad.measurement!.percentageInView).toBe(50);
  ad.sprite.x = -1;
  expect(twins()).toEqual([null, null, null]);
  ad.sprite.x = 100;
  later.sprite.x = 410;
  expect(twins()).toEqual([null, null, null]);
});

it('a cover is a background where no more of the scene is drawn below it than above it, wherever it is inside', async () => {
  const { test, scene, ad } = await start();
  scene.add.container(0, 0).add(ad.sprite);
  const dots = fc.integer({ min: 0, max: 4 });
  fc.assert(
    fc.property(dots, dots, fc.constantFrom('scene', 'container', 'layer'), (below, above, inside) => {
      const made = Array.from({ length: below }, () => scene.add.rectangle(5, 5, 1, 1, 0));
      const cover = scene.add.rectangle(200, 150, WIDTH, HEIGHT, 0x0000ff);
      const root =
        inside === 'scene' ? cover : inside === 'layer' ? scene.add.layer(cover) : scene.add.container(0, 0, cover);
      const more = Array.from({ length: above }, () => scene.add.rectangle(5, 5, 1, 1, 0));
      test.step();
      expect(screenCover(ad, ad.measurement!)).toEqual({ object: cover, isBackground: below <= above });
      cover.destroy();
      // It is gone before a frame without it was drawn.
      expect(screenCover(ad, ad.measurement!)).toBeNull();
      for (const one of [...made, ...more, ...(root === cover ? [] : [root])]) one.destroy();
      test.step();
    }),
    { numRuns: 40 },
  );
  test.game.scene.add('menu', { create(this: Phaser.Scene) { this.add.rectangle(200, 150, WIDTH, HEIGHT, 0) } }, true); // prettier-ignore
  test.step(2);
  expect(screenCover(ad, ad.measurement!)).toMatchObject({ isBackground: false });
  const { cameras } = test.scene('menu');
  cameras.remove(cameras.main);
  expect(screenCover(ad, ad.measurement!)).toBeNull();
});

it.each<readonly [string, readonly (readonly number[])[], boolean]>([
  ['nothing', [], false],
  ['a dialog over all of it', [[0, 0, 1, 1]], true],
  ['a banner', [[0, 0, 1, 0.3]], false],
  ['a box in the middle', [[0.3, 0.3, 0.7, 0.7]], false],
  ['a chat beside it', [[-1, 0, 0, 1], [1, 0, 2, 1]], false],
  ['all but its upper left', [[0.3, 0.3, 1, 1]], false],
  ['all but its lower right', [[0, 0, 0.7, 0.7]], false],
  ['a frame around the middle', [[0, 0, 1, 0.2], [0, 0.8, 1, 1]], false],
])('of HTML, %s is above the picture as a whole: %#', async (_name, boxes, isAbove) => {
  const { test } = await start();
  const { game } = test;
  const box = { left: 100, top: 50, width: 200, height: 150 };
  jest.spyOn(game.canvas, 'getBoundingClientRect').mockReturnValue(box as DOMRect);
  // Missing in jsdom.
  document.elementFromPoint = (left, top) => {
    const [x, y] = [(left - box.left) / box.width, (top - box.top) / box.height] as const;
    const isIn = ([l, t, r, b]: readonly number[]): boolean => x >= l! && x < r! && y >= t! && y < b!;
    return boxes.some(isIn) ? document.body : isIn([0, 0, 1, 1]) ? game.canvas : null;
  };
  try {
    expect(isPageAbove(game)).toBe(isAbove);
    // Outside the window nothing is hit.
    document.elementFromPoint = () => null;
    expect(isPageAbove(game)).toBe(false);
  } finally {
    Reflect.deleteProperty(document, 'elementFromPoint');
  }
}); // prettier-ignore

it('a camera is faded while it flashes or fades, and after it has faded out', async () => {
  const { test, camera } = await start();
  const after = (frames: number): boolean => {
    test.step(frames);
    return isFaded(camera);
  };
  expect([isFaded(null), after(1)]).toEqual([false, false]);
  camera.flash(100);
  expect([after(1), after(10)]).toEqual([true, false]);
  camera.fadeOut(100);
  expect([after(1), after(10)]).toEqual([true, true]);
  camera.fadeIn(100);
  expect([after(1), after(10)]).toEqual([true, false]);
});

it("of the game's own objects, a frame of an atlas is a whole picture, one without bounds is nowhere outside, and none is a twin", async () => {
  const { test, scene, camera } = await start({ x: 50 });
  scene.textures.createCanvas('atlas', 100, 100)!.add('part', 0, 0, 0, 50, 40);
  const served = { adId: 'own', url: '' };
  const own = scene.ads.observe(scene.add.image(250, 150, 'atlas', 'part'), served);
  const drawn = scene.ads.observe(scene.add.graphics().fillStyle(0xff0000).fillRect(300, 10, 50, 50), served);
  camera.setBounds(0, 0, 400, 300);
  test.step(2);
  expect(readFacts(own, scene.ads.all(), []).picture).toMatchObject({ shownShare: 1, magnification: 1 });
  expect(readFacts(drawn, scene.ads.all(), [])).toMatchObject({ isOutOfBounds: false, picture: null, twin: null });
});

it('what shows no picture of an ad, or one without a size, is told neither stretched nor cropped', async () => {
  const { test, scene, ad, facts } = await start({ x: 50 });
  for (const [scaleX, scaleY] of [[0, 0], [0.5, 0], [0, 0.5]] as const) {
    ad.sprite.setScale(0.5);
    test.step();
    // Before and after a frame was drawn with it.
    ad.sprite.setScale(scaleX, scaleY);
    expect(facts().picture).toBeNull();
    test.step();
    expect(facts().picture).toBeNull();
  } // prettier-ignore
  const atlas = scene.textures.createCanvas('atlas', 100, 100)!;
  atlas.add('part', 0, 0, 0, 50, 40);
  atlas.add('none', 0, 0, 0, 0, 0);
  const served = { adId: 'own', url: '' };
  const pictureOf = (sprite: Phaser.GameObjects.Image | Phaser.GameObjects.Sprite | Phaser.GameObjects.Video) => {
    const own = scene.ads.observe(sprite, served);
    test.step();
    return readFacts(own, scene.ads.all(), []).picture;
  };
  for (const kind of ['image', 'sprite'] as const) {
    expect(pictureOf(scene.add[kind](300, 150, 'atlas', 'part').setFlipX(true))).toMatchObject({ isMirrored: true });
  }
  expect(pictureOf(scene.add.video(300, 150))).toBeNull();
  expect(pictureOf(scene.add.video(300, 150).setTexture('atlas', 'part').setFlipX(true))).toMatchObject({
    isMirrored: true,
  });
  expect(pictureOf(scene.add.image(300, 150, 'atlas').setCrop(0, 0, 90, 90).setFrame('part'))).toMatchObject({
    shownShare: 1,
  });
  expect(pictureOf(scene.add.image(300, 150, 'atlas', 'none').setCrop(0, 0, 1, 1))).toBeNull();
});

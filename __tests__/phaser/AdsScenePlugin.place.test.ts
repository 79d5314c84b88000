import Phaser from 'phaser';

import { AdsEvents } from '../../src/events.js';
import { AdBox } from '../../src/placement/AdBox.js';
import type { Fit } from '../../src/placement/fitCreative.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { pngOf } from './support/imageFiles.js';
import { TestGame } from './support/TestGame.js';

type Image = Phaser.GameObjects.Image;

afterEach(() => TestGame.endAll());

const PLACE = { x: 200, y: 150, width: 200, height: 100 };

/** Left, top, width and height in the world. */
function boxOf(sprite: Phaser.GameObjects.GameObject): number[] {
  const { x, y, width, height } = (sprite as Image).getBounds();
  return [x, y, width, height].map((value) => Math.round(value * 1000) / 1000);
}

describe('place', () => {
  it('gives a real Image with a placeholder of the whole box at once', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const ad = scene.ads.place('billboard', PLACE);
    expect(ad.sprite).toBeInstanceOf(Phaser.GameObjects.Image);
    expect(ad.state).toBe('requesting');
    expect(ad.surface).toEqual({ adSurfaceId: 'billboard' });
    expect(scene.children.list).toContain(ad.sprite);
    expect(boxOf(ad.sprite)).toEqual([100, 100, 200, 100]);
    expect(ad.sprite.texture.key).toMatch(/placeholder/);
    expect(scene.ads.all()).toEqual([ad]);
  });

  it('shows the creative, tells it once, and measures it from the next frame on', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const loaded = jest.fn();
    scene.ads.on(AdsEvents.LOADED, loaded);
    const ad = scene.ads.place('billboard', PLACE);
    await expect(ad.ready).resolves.toBe('shown');
    test.step(3);
    expect(loaded).toHaveBeenCalledTimes(1);
    expect(loaded).toHaveBeenCalledWith({ placedAd: ad, ad: { adId: 'ad-of-billboard', url: IMAGE_URL } });
    expect(ad.measurement?.isFullyVisible).toBe(true);
    expect(ad.measurement?.totalArea).toBeCloseTo(12_000, 3);
  });

  it('takes the size the surface prescribes when none is given', async () => {
    const test = await TestGame.start();
    const surface = { adSurfaceId: 'billboard', name: 'Street', width: 120, height: 60 };
    const ad = test.scene().ads.place(surface, { x: 200, y: 150 });
    expect(boxOf(ad.sprite)).toEqual([140, 120, 120, 60]);
    expect(ad.surface).toEqual(surface);
  });

  it.each([
    // The creative has 300 × 250 pixels.
    ['contain', [140, 100, 120, 100]],
    ['cover', [100, 100, 200, 100]],
    ['stretch', [100, 100, 200, 100]],
  ] as const)('fits the creative by %s into the middle of the box', async (fit, box) => {
    const test = await TestGame.start();
    const ad = test.scene().ads.place('billboard', { ...PLACE, fit });
    await ad.ready;
    test.step();
    expect(boxOf(ad.sprite)).toEqual(box);
    expect(ad.measurement?.totalArea).toBeCloseTo(box[2] * box[3], 3);
  });

  it('cuts what overhangs with cover, the same on both sides', async () => {
    const test = await TestGame.start();
    const ad = test.scene().ads.place('billboard', { ...PLACE, fit: 'cover' });
    await ad.ready;
    const { frame } = ad.sprite;
    expect([frame.cutX, frame.cutY, frame.cutWidth, frame.cutHeight]).toEqual([0, 50, 300, 150]);
  });

  it('cuts one creative for boxes of different shapes, each from the whole of it', async () => {
    const test = await TestGame.start();
    const { ads } = test.scene();
    const cutOf = async (width: number, height: number) => {
      const ad = ads.place('billboard', { x: 0, y: 0, width, height, fit: 'cover' });
      await ad.ready;
      const { cutX, cutY, cutWidth, cutHeight } = ad.sprite.frame;
      return [cutX, cutY, cutWidth, cutHeight];
    };
    expect(await cutOf(200, 100)).toEqual([0, 50, 300, 150]);
    expect(await cutOf(100, 100)).toEqual([25, 0, 250, 250]);
    expect(await cutOf(120, 100)).toEqual([0, 0, 300, 250]);
  });

  it.each([
    [0, [140 + 100, 150, 120, 100]],
    [1, [40, 50, 120, 100]],
  ])('keeps the creative in the middle of a box placed by origin %d', async (origin, box) => {
    const test = await TestGame.start();
    const ad = test.scene().ads.place('billboard', { ...PLACE, origin });
    await ad.ready;
    expect(boxOf(ad.sprite)).toEqual(box);
  });

  it('keeps what the game did to the sprite while the creative was on its way', async () => {
    const test = await TestGame.start();
    const ad = test.scene().ads.place('billboard', { ...PLACE, fit: 'stretch' });
    const sprite = ad.sprite;
    sprite.setPosition(50, 60).setAngle(90).setAlpha(0.7).setOrigin(0, 0);
    sprite.scaleX *= -2;
    sprite.scaleY *= 0.5;
    const before = boxOf(sprite);
    await ad.ready;
    expect(boxOf(sprite)).toEqual(before);
    expect(sprite).toMatchObject({ x: 50, y: 60, angle: 90, alpha: 0.7, originX: 0, originY: 0 });
    expect(sprite.scaleX).toBeLessThan(0);
  });

  it('tells how much larger its box is shown, and lets a tween change that, whatever picture is there', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const ad = scene.ads.place('billboard', { ...PLACE, fit: 'stretch' });
    const box = ad.box!;
    const scales = (): number[] => [box.scaleX, box.scaleY].map((scale) => Math.round(scale * 1e6) / 1e6);
    expect(scales()).toEqual([1, 1]);
    box.scaleX = 0.5;
    box.scaleY = 0.25;
    expect([boxOf(ad.sprite), scales()]).toEqual([
      [150, 137.5, 100, 25],
      [0.5, 0.25],
    ]);
    await ad.ready;
    expect([boxOf(ad.sprite), scales()]).toEqual([
      [150, 137.5, 100, 25],
      [0.5, 0.25],
    ]);
    const tween = scene.tweens.add({ targets: box, scale: { from: 0, to: 1.5 }, duration: 20 });
    // Tweens of Phaser 3 go by the wall clock.
    while (!tween.isDestroyed()) test.step();
    expect(boxOf(ad.sprite)).toEqual([50, 75, 300, 150]);
    ad.sprite.setScale(2 * ad.sprite.scaleX, ad.sprite.scaleY);
    expect(scales()).toEqual([3, 1.5]);
    expect(scene.ads.observe(scene.add.image(50, 60, '__WHITE'), { adId: 'own', url: IMAGE_URL }).box).toBeNull();
    ad.destroy();
    expect(() => (box.scaleX = 1)).not.toThrow();
  });

  it('shows one creative after another in the box that the game has moved and scaled meanwhile', async () => {
    const scene = (await TestGame.start()).scene();
    scene.textures.createCanvas('tall', 40, 90);
    scene.textures.createCanvas('wide', 300, 20);
    const sprite = scene.add.image(50, 60, '__WHITE').setOrigin(0.2, 0.7);
    const box = new AdBox(sprite, 200, 100);
    const fill = (fit: Fit): number[] => {
      for (const key of ['wide', 'tall']) for (const each of ['cover', 'contain', fit] as const) box.show(key, each);
      return boxOf(sprite);
    };
    expect(fill('stretch')).toEqual([10, -10, 200, 100]);
    expect(fill('contain')[3]).toBe(100);
    sprite.setPosition(70, 80).setOrigin(0, 0);
    sprite.setScale(2 * sprite.scaleX, 3 * sprite.scaleY);
    expect(fill('stretch')).toEqual([70, 80, 400, 300]);
    expect(fill('contain')[3]).toBe(300);
    sprite.setOrigin(0.5, sprite.originY);
    expect(fill('stretch')).toEqual([-130, 80, 400, 300]);
  });

  it.each(['scaleX', 'scaleY'] as const)(
    'leaves an arcade body whole while the game has set %s to 0',
    async (scale) => {
      const test = await TestGame.start({ physics: { default: 'arcade', arcade: {} } });
      const ad = test.scene().ads.place('billboard', { ...PLACE, fit: 'stretch' });
      const { body } = test.scene().physics.add.existing(ad.sprite) as { body: Phaser.Physics.Arcade.Body };
      ad.sprite[scale] = 0;
      await ad.ready;
      const { offset } = body;
      for (const value of [body.sourceWidth, body.sourceHeight, offset.x, offset.y])
        expect(Number.isFinite(value)).toBe(true);
    },
  );

  it.each([
    ['wide', pngOf(728, 90)],
    ['tall', pngOf(90, 300)],
  ])('keeps an arcade body where it is when a %s creative comes', async (_, body) => {
    const world = new FakeWorld();
    world.images.set(IMAGE_URL, { body });
    const test = await TestGame.start({ world, physics: { default: 'arcade', arcade: {} } });
    const scene = test.scene();
    const ad = scene.ads.place('billboard', PLACE);
    const { body: own } = scene.physics.add.existing(ad.sprite) as { body: Phaser.Physics.Arcade.Body };
    test.step();
    const before = [own.x, own.y, own.width, own.height];
    await ad.ready;
    test.step();
    [own.x, own.y, own.width, own.height].forEach((value, i) => expect(value).toBeCloseTo(before[i]!, 3));
    expect(before).toEqual([100, 100, 200, 100]);
  });

  it('keeps an arcade body where it is while one creative after another comes', async () => {
    const test = await TestGame.start({ physics: { default: 'arcade', arcade: {} } });
    const scene = test.scene();
    scene.textures.createCanvas('tall', 40, 90);
    scene.textures.createCanvas('wide', 300, 20);
    const sprite = scene.add.image(150, 160, '__WHITE').setOrigin(0.25, 0.75);
    const box = new AdBox(sprite, 200, 100);
    const { body } = scene.physics.add.existing(sprite) as { body: Phaser.Physics.Arcade.Body };
    for (const key of ['wide', 'tall', 'wide']) {
      for (const fit of ['stretch', 'cover', 'contain', 'stretch'] as const) {
        box.show(key, fit);
        test.step();
        const place = [body.x, body.y, body.width, body.height].map((value) => Math.round(value * 1e3) / 1e3);
        expect([key, fit, place]).toEqual([key, fit, [100, 85, 200, 100]]);
      }
    }
  });

  it('shows no ad whose texture the game has removed, as between two levels: another one is loaded', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const { textures } = scene;
    const own = textures.getTextureKeys();
    const empty = (): void => {
      for (const key of textures.getTextureKeys()) if (!own.includes(key)) textures.remove(key);
    };
    const hidden = scene.ads.place('hidden', PLACE);
    await hidden.ready;
    hidden.sprite.setVisible(false);
    await scene.ads.preload(['preloaded']);
    empty();
    // All of them show the same creative.
    for (const surface of ['preloaded', 'another']) {
      const ad = scene.ads.place(surface, { ...PLACE, fit: 'stretch' });
      await expect(ad.ready).resolves.toBe('shown');
      expect(textures.exists(ad.sprite.texture.key)).toBe(true);
      expect([ad.sprite.frame.realWidth, ad.sprite.frame.realHeight]).toEqual([300, 250]);
      test.step(2);
      expect(ad.measurement?.isFullyVisible).toBe(true);
      ad.destroy();
    }
    hidden.destroy();
    expect(test.creativeKeys()).toEqual([]);
  });

  it('leaves a Matter body as it is when a creative comes; it grows with the box', async () => {
    const test = await TestGame.start({ physics: { default: 'matter', matter: { gravity: { x: 0, y: 0 } } } });
    const scene = test.scene();
    const ad = scene.ads.place('billboard', PLACE);
    const { body } = scene.matter.add.gameObject(ad.sprite, { shape: { type: 'rectangle', width: 200, height: 100 } });
    const sizeOf = (): number[] => {
      const { min, max } = (body as MatterJS.BodyType).bounds;
      return [max.x - min.x, max.y - min.y].map((side) => Math.round(side * 1000) / 1000);
    };
    expect(sizeOf()).toEqual([200, 100]);
    await ad.ready;
    expect(boxOf(ad.sprite)).toEqual([140, 100, 120, 100]);
    expect(sizeOf()).toEqual([200, 100]);
    ad.box!.scaleX = 2;
    expect([sizeOf(), boxOf(ad.sprite)]).toEqual([
      [400, 100],
      [80, 100, 240, 100],
    ]);
  });

  it('hangs the sprite into a container or layer and leaves it out of the scene', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const container = scene.add.container(10, 20);
    const layer = scene.add.layer();
    const first = scene.ads.place('billboard', { ...PLACE, container });
    const second = scene.ads.place('billboard', { x: 350, y: 50, width: 60, height: 50, container: layer });
    expect(container.list).toEqual([first.sprite]);
    expect(layer.list).toEqual([second.sprite]);
    expect(scene.children.list).toEqual([container, layer]);
    await first.ready;
    test.step();
    expect(first.measurement?.isFullyVisible).toBe(true);
  });

  it('sets depth and scroll factor', async () => {
    const test = await TestGame.start();
    const ad = test.scene().ads.place('billboard', { ...PLACE, depth: 7, scrollFactor: { x: 0, y: 0.5 } });
    expect(ad.sprite).toMatchObject({ depth: 7, scrollFactorX: 0, scrollFactorY: 0.5 });
  });

  it('loads one address once for all who show it, and removes the texture with the last of them', async () => {
    const test = await TestGame.start();
    const { ads } = test.scene();
    const first = ads.place('one', PLACE);
    const second = ads.place('two', PLACE);
    await Promise.all([first.ready, second.ready]);
    expect(test.world.fetchCount).toBe(1);
    expect(test.creativeKeys()).toHaveLength(1);
    first.destroy();
    expect(test.creativeKeys()).toHaveLength(1);
    expect(test.world.openImages.size).toBe(1);
    second.destroy();
    expect(test.creativeKeys()).toEqual([]);
    expect(test.world.openImages.size).toBe(0);
    test.step(2);
  });

  it('keeps a texture as long as a sprite of the game shows it too', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const ad = scene.ads.place('one', PLACE);
    await ad.ready;
    const copy = scene.add.image(0, 0, ad.sprite.texture.key);
    ad.destroy();
    expect(() => test.step(2)).not.toThrow();
    expect(test.creativeKeys()).toHaveLength(1);
    copy.destroy();
    const next = scene.ads.place('one', PLACE);
    await next.ready;
    next.destroy();
    expect(test.creativeKeys()).toEqual([]);
  });

  it('makes the placeholder of a shape of box once, of 256 pixels at most and never of none', async () => {
    const test = await TestGame.start();
    const textureFor = (width: number, height: number) =>
      test.scene().ads.place('a', { x: 0, y: 0, width, height }).sprite.texture;
    expect(textureFor(200, 100).key).toBe(textureFor(400, 200).key);
    expect(textureFor(100, 200).key).not.toBe(textureFor(200, 100).key);
    const sizeFor = (width: number, height: number) => {
      const [source] = textureFor(width, height).source;
      return [source!.width, source!.height];
    };
    expect([sizeFor(200, 100), sizeFor(100, 200), sizeFor(2_000, 10)]).toEqual([[256, 128], [128, 256], [256, 16]]); // prettier-ignore
  });

  it("uses the game's own placeholder texture, if it exists", async () => {
    const test = await TestGame.start({ data: { placeholder: 'panel' } });
    const scene = test.scene();
    expect(scene.ads.place('a', PLACE).sprite.texture.key).not.toBe('panel');
    scene.textures.createCanvas('panel', 10, 10);
    const ad = scene.ads.place('b', PLACE);
    expect(ad.sprite.texture.key).toBe('panel');
    expect(boxOf(ad.sprite)).toEqual([100, 100, 200, 100]);
  });

  it('fits two creatives of different sizes by their own size', async () => {
    const world = new FakeWorld();
    world.images.set('https://cdn.example.com/wide.png', { body: pngOf(728, 90) });
    world.ads.set('wide', { adId: 'w', url: 'https://cdn.example.com/wide.png' });
    const test = await TestGame.start({ world });
    const ad = test.scene().ads.place('wide', { ...PLACE, width: 182, height: 100 });
    await ad.ready;
    expect(boxOf(ad.sprite)).toEqual([109, 138.75, 182, 22.5]);
  });
});

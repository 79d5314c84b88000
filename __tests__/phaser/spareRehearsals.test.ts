import type Phaser from 'phaser';
import { GameMeter, type SpriteMeasurement } from 'phaser-inview';

import { Rehearsal } from '../../src/rehearsal/Rehearsal.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

type Image = Phaser.GameObjects.Image;

/** An ad of 80 × 40 and what lies over half of it, moving in each of so many frames. */
async function play(change: (ad: Image, cover: Image, scene: Phaser.Scene) => unknown) {
  const test = await TestGame.start();
  const scene = test.scene('main');
  const ad = scene.add.image(200, 150, '__WHITE').setDisplaySize(80, 40);
  const cover = scene.add.image(180, 150, '__WHITE').setDisplaySize(40, 60);
  change(ad, cover, scene);
  let measurement: SpriteMeasurement | null = null;
  GameMeter.of(test.game).observe(ad, (latest) => (measurement = latest));
  const rehearsals = jest.spyOn(Rehearsal.prototype, 'run');
  rehearsals.mockClear();
  for (let frame = 0; frame < 30; frame++) {
    cover.y = 150 + (frame % 3);
    test.step();
  }
  return { percentageInView: measurement!.percentageInView, rehearsals: rehearsals.mock.calls.length };
}

// A rehearsal draws the scenes a second time, and makes objects for it.
describe('on Canvas no frame is drawn a second time for an ad', () => {
  it.each<[string, (ad: Image, cover: Image, scene: Phaser.Scene) => unknown, number]>([
    ['under opaque sprites', () => undefined, 50],
    ['under translucent sprites that block it', (_, cover) => cover.setAlpha(0.6), 50],
    ['under translucent sprites that do not', (_, cover) => cover.setAlpha(0.3), 100],
    ['that is translucent itself', (ad) => ad.setAlpha(0.9), 50],
    ['that the canvas cuts off', (ad, cover) => [ad.setX(0), cover.setX(20)], 0],
    [
      'that is mirrored under mirrored sprites',
      (ad, cover) => [ad.setFlip(true, true), cover.setFlip(true, false)],
      50,
    ],
  ])('%s', async (_, change, percentageInView) => {
    const played = await play(change);
    expect(played.rehearsals).toBe(0);
    expect(played.percentageInView).toBeCloseTo(percentageInView, 1);
  });

  it.each<[string, (ad: Image, cover: Image, scene: Phaser.Scene) => unknown]>([
    [
      'under something else than sprites',
      (_, cover, scene) => [cover.setX(-99), scene.add.rectangle(180, 150, 40, 60, 0)],
    ],
    ['under a sprite whose alpha is no number', (_, cover) => cover.setAlpha(NaN)],
    ['whose own alpha is no number', (ad) => ad.setAlpha(NaN)],
  ])('but for one %s', async (_, change) => {
    expect((await play(change)).rehearsals).toBe(30);
  });
});

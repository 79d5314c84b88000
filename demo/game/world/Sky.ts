import * as Phaser from 'phaser';
import type { Dice } from '../art/dice.js';
import { art, ART_SCALE, RESOLUTION } from '../resolution.js';
import { Depth, VIEW_HEIGHT, VIEW_WIDTH, Y } from './layout.js';

/** One moment of the day: how much of each sky shows, the tint of the skylines, the strength of the veil. */
interface Moment {
  readonly at: number;
  readonly day: number;
  readonly dusk: number;
  readonly night: number;
  readonly tint: number;
  /** Stays below half of full opacity: the veil dims ads, it must not hide them. */
  readonly veil: number;
  readonly lamps: number;
}

// The ride starts in the best light of the day and comes back to it after two minutes.
const DAY_LENGTH_S = 110;
const moments: readonly Moment[] = [
  { at: 0, day: 0, dusk: 1, night: 0, tint: 0xffffff, veil: 0.06, lamps: 0.55 },
  { at: 0.16, day: 0, dusk: 1, night: 0, tint: 0xe8c8ff, veil: 0.14, lamps: 0.8 },
  { at: 0.34, day: 0, dusk: 0, night: 1, tint: 0x7078c8, veil: 0.34, lamps: 1 },
  { at: 0.62, day: 0, dusk: 0, night: 1, tint: 0x7078c8, veil: 0.34, lamps: 1 },
  { at: 0.74, day: 0.25, dusk: 0.9, night: 0, tint: 0xffdfe0, veil: 0.1, lamps: 0.5 },
  { at: 0.82, day: 1, dusk: 0, night: 0, tint: 0xd8e4ff, veil: 0, lamps: 0 },
  { at: 0.92, day: 1, dusk: 0, night: 0, tint: 0xe8e8ff, veil: 0, lamps: 0 },
  { at: 1, day: 0, dusk: 1, night: 0, tint: 0xffffff, veil: 0.06, lamps: 0.55 },
];

/** Sky, sun and moon, clouds, two far skylines, and the veil that darkens the street at night. */
export class Sky {
  /** 0 by day, 1 at night: strength of everything that shines. */
  lamps = 0;
  private readonly skies: readonly Phaser.GameObjects.Image[];
  private readonly stars: Phaser.GameObjects.TileSprite;
  private readonly sun: Phaser.GameObjects.Image;
  private readonly moon: Phaser.GameObjects.Image;
  private readonly far: Phaser.GameObjects.TileSprite;
  private readonly mid: Phaser.GameObjects.TileSprite;
  private readonly veil: Phaser.GameObjects.Rectangle;
  private readonly clouds: Phaser.GameObjects.Image[] = [];
  private seconds = 0;

  constructor(scene: Phaser.Scene, layer: Phaser.GameObjects.Layer, dice: Dice) {
    const add = <T extends Phaser.GameObjects.GameObject>(object: T): T => {
      layer.add(object);
      return object;
    };
    const sky = (key: string) =>
      add(
        scene.add
          .image(VIEW_WIDTH / 2, Y.houseFoot + 60, key)
          .setOrigin(0.5, 1)
          .setDisplaySize(1400, 860)
          .setScrollFactor(0, 1)
          .setDepth(Depth.sky),
      ).setName('sky');
    this.skies = [sky('sky-night'), sky('sky-dusk'), sky('sky-day')];
    this.stars = add(
      scene.add
        .tileSprite(VIEW_WIDTH / 2, -160, 1400, 512, 'stars')
        .setTileScale(ART_SCALE)
        .setOrigin(0.5, 0)
        .setScrollFactor(0, 1)
        .setDepth(Depth.stars),
    ).setName('stars');
    this.sun = add(
      art(scene.add.image(700, 250, 'sun'))
        .setScrollFactor(0, 1)
        .setDepth(Depth.sun),
    ).setName('sun');
    this.moon = add(
      art(scene.add.image(760, 90, 'moon'))
        .setScrollFactor(0, 1)
        .setDepth(Depth.sun),
    ).setName('moon');
    for (let i = 0; i < 5; i++) {
      const cloud = scene.add.image(dice.between(-100, 1100), dice.between(10, 150), `cloud-${String(i % 3)}`);
      this.clouds.push(
        add(
          art(cloud, dice.between(0.7, 1.5)).setAlpha(0.8).setScrollFactor(0, 1).setDepth(Depth.cloud).setName('cloud'),
        ),
      );
    }
    const skyline = (key: string, depth: number, lift: number) =>
      add(
        scene.add
          .tileSprite(VIEW_WIDTH / 2, Y.houseFoot - lift, 1400, 256, key)
          .setTileScale(ART_SCALE)
          .setOrigin(0.5, 1)
          .setScrollFactor(0, 1)
          .setDepth(depth),
      ).setName(key);
    this.far = skyline('skyline-far', Depth.skylineFar, 56);
    this.mid = skyline('skyline-mid', Depth.skylineMid, 0);
    this.veil = add(
      scene.add
        .rectangle(VIEW_WIDTH / 2, VIEW_HEIGHT / 2, 1500, 1000, 0x0a0b3a)
        .setScrollFactor(0)
        .setDepth(Depth.veil)
        .setName('night'),
    );
    this.update(0, 0);
  }

  update(dtSeconds: number, scrollX: number): void {
    this.seconds += dtSeconds;
    const now = (this.seconds / DAY_LENGTH_S) % 1;
    let i = 0;
    while (i < moments.length - 2 && moments[i + 1]!.at <= now) i++;
    const from = moments[i]!;
    const to = moments[i + 1]!;
    const t = Phaser.Math.Clamp((now - from.at) / (to.at - from.at), 0, 1);
    const mix = (a: number, b: number) => a + (b - a) * t;

    const night = mix(from.night, to.night);
    this.lamps = mix(from.lamps, to.lamps);
    // The night sky lies beneath the others, so that a change of light never shows a hole.
    this.skies[0]!.setVisible(night > 0 || mix(from.dusk, to.dusk) + mix(from.day, to.day) < 1);
    this.skies[1]!.setAlpha(mix(from.dusk, to.dusk));
    this.skies[2]!.setAlpha(mix(from.day, to.day));
    this.stars.setAlpha(Math.max(0, night * 1.2 - 0.2));
    this.moon.setAlpha(night).setY(130 - 50 * night);
    const sunRise = now < 0.5 ? 1 - now / 0.22 : (now - 0.66) / 0.2;
    this.sun.setVisible(sunRise > -0.2).setY(330 - 90 * Phaser.Math.Clamp(sunRise, -0.5, 2.4));
    this.veil.setAlpha(mix(from.veil, to.veil)).setVisible(this.veil.alpha > 0.01);

    const a = Phaser.Display.Color.IntegerToColor(from.tint);
    const b = Phaser.Display.Color.IntegerToColor(to.tint);
    const tint = Phaser.Display.Color.GetColor(mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue));
    this.far.setTint(tint).tilePositionX = scrollX * 0.08 * RESOLUTION;
    this.mid.setTint(tint).tilePositionX = scrollX * 0.2 * RESOLUTION;
    this.clouds.forEach((cloud, index) => {
      cloud.setTint(tint);
      cloud.x -= dtSeconds * (4 + index * 1.6);
      if (cloud.x < -340) cloud.x += 1660;
    });
  }
}

import type * as Phaser from 'phaser';
import type { Dice } from '../art/dice.js';
import { BLIMP_PANEL } from '../art/paintVehicles.js';
import { art, zoomOf } from '../resolution.js';
import type { AdSpots } from './AdSpots.js';
import { Depth } from './layout.js';

interface Flyer {
  readonly sprite: Phaser.GameObjects.Sprite;
  readonly vx: number;
  readonly vy: number;
  readonly phase: number;
}

const BLIMP_SCROLL = 0.4;
const BLIMP_SCALE = 0.95;

/** Birds, balloons, the blimp that carries an ad, and dark leaves close to the camera. */
export class Flyers {
  private readonly flyers: Flyer[] = [];
  readonly blimp: Phaser.GameObjects.Container;
  private readonly near: Phaser.GameObjects.Image[];
  private readonly waits = { birds: 3.2, balloon: 6, near: 9 };
  private seconds = 0;

  constructor(
    private readonly scene: Phaser.Scene,
    private readonly layer: Phaser.GameObjects.Layer,
    ads: AdSpots,
    private readonly dice: Dice,
  ) {
    if (!scene.anims.exists('bird')) {
      scene.anims.create({
        key: 'bird',
        frames: [0, 1, 2, 3].map((frame) => ({ key: `bird-${String(frame)}` })),
        frameRate: 11,
        repeat: -1,
        yoyo: true,
      });
    }
    this.blimp = scene.add
      .container(200, 92)
      .setScale(BLIMP_SCALE)
      .setScrollFactor(BLIMP_SCROLL, 1)
      .setDepth(Depth.blimp)
      .setName('blimp');
    this.blimp.add(art(scene.add.image(0, 0, 'blimp')).setName('blimp'));
    layer.add(this.blimp);
    const { x, y, width, height } = BLIMP_PANEL;
    ads.hang({
      kind: 'blimp',
      x: x + width / 2 - 180,
      y: y + height / 2 - 85,
      width,
      height,
      depth: 0,
      container: this.blimp,
    });
    this.near = ['near-branch', 'near-bush'].map((key) => {
      const image = art(scene.add.image(0, 0, key))
        .setVisible(false)
        .setScrollFactor(1.45, 1)
        .setDepth(Depth.near)
        .setName(key === 'near-bush' ? 'bush' : 'branch');
      layer.add(image);
      return image;
    });
  }

  update(dtSeconds: number, camera: Phaser.Cameras.Scene2D.Camera, left: number, right: number): void {
    this.seconds += dtSeconds;
    const blimp = this.blimp;
    blimp.x += dtSeconds * 14;
    blimp.y = 96 + Math.sin(this.seconds * 0.5) * 8;
    blimp.rotation = Math.sin(this.seconds * 0.37) * 0.05;
    const onScreen = blimp.x - camera.scrollX * BLIMP_SCROLL;
    if (onScreen < -360) blimp.x += 1750;
    if (onScreen > 1500) blimp.x -= 1800;

    this.waits.birds -= dtSeconds;
    this.waits.balloon -= dtSeconds;
    this.waits.near -= dtSeconds;
    if (this.waits.birds <= 0) this.flock(left, right);
    if (this.waits.balloon <= 0) this.balloon(left, right);
    if (this.waits.near <= 0) this.leaves(camera);

    for (let i = this.flyers.length - 1; i >= 0; i--) {
      const { sprite, vx, vy, phase } = this.flyers[i]!;
      sprite.x += vx * dtSeconds;
      sprite.y += (vy + Math.sin(this.seconds * 2 + phase) * 9) * dtSeconds;
      if (sprite.x < left - 500 || sprite.x > right + 700 || sprite.y < -420) {
        sprite.destroy();
        this.flyers.splice(i, 1);
      }
    }
  }

  flock(left: number, right: number): void {
    this.waits.birds = this.dice.between(5, 9);
    const rightwards = this.dice.chance(0.4);
    const x = rightwards ? left - 60 : right + 60;
    const y = this.dice.between(70, 190);
    const count = this.dice.integer(4, 7);
    for (let i = 0; i < count; i++) {
      const row = Math.ceil(i / 2) * (rightwards ? -1 : 1);
      const sprite = this.scene.add.sprite(x + row * 36, y + (i % 2 === 0 ? 1 : -1) * Math.abs(row) * 16, 'bird-0');
      art(sprite, this.dice.between(0.75, 1.05))
        .setName('bird')
        .setFlipX(!rightwards)
        .play({ key: 'bird', startFrame: i % 4 });
      this.add(sprite, Depth.bird, rightwards ? 520 : -150, this.dice.between(-6, 6));
    }
  }

  private balloon(left: number, right: number): void {
    this.waits.balloon = this.dice.between(5, 9);
    const x = this.dice.between(left + (right - left) * 0.6, right + 300);
    const count = this.dice.integer(1, 3);
    for (let i = 0; i < count; i++) {
      const sprite = this.scene.add.sprite(
        x + i * 30,
        430 + this.dice.between(0, 60),
        `balloon-${String(this.dice.integer(0, 3))}`,
      );
      art(sprite).setName('balloon').setRotation(this.dice.between(-0.15, 0.15));
      this.add(sprite, Depth.bird, this.dice.between(-12, 16), this.dice.between(-70, -52));
    }
  }

  private leaves(camera: Phaser.Cameras.Scene2D.Camera): void {
    this.waits.near = this.dice.between(7, 12);
    const image = this.near[this.dice.chance(0.55) ? 0 : 1]!;
    const branch = image === this.near[0];
    const start = 480 + 480 / zoomOf(camera) + 320;
    image.setPosition(start + camera.scrollX * 1.45, branch ? 40 : 498).setVisible(true);
    if (branch) image.setFlipX(this.dice.chance(0.5));
  }

  private add(sprite: Phaser.GameObjects.Sprite, depth: number, vx: number, vy: number): void {
    this.layer.add(sprite.setDepth(depth));
    this.flyers.push({ sprite, vx, vy, phase: this.dice.between(0, 2 * Math.PI) });
  }
}

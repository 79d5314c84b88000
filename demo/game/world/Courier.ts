import type * as Phaser from 'phaser';
import { COURIER_SCALE } from '../art/paintCourier.js';
import { fillTint } from '../fillTint.js';
import { art, ART_SCALE } from '../resolution.js';
import { Depth, Y } from './layout.js';

const GRAVITY = 1850;
const JUMP = -640;
const SECOND_JUMP = -560;
const DASH_S = 0.34;
const DASH_SPEED = 460;
const DASH_COOLDOWN_S = 1.5;
const STUN_S = 1.1;

/** What happened to the courier in this step, for sound and dust. */
export interface CourierEvents {
  onJump(second: boolean): void;
  onLand(speed: number): void;
  onDash(): void;
}

/** The cat on its scooter: how it moves and how it looks while it does. */
export class Courier {
  readonly body: Phaser.GameObjects.Container;
  /** Pixels of the world per second. */
  speed = 0;
  cruise = 0;
  /** Height above the road, upwards positive. */
  height = 0;
  private vy = 0;
  private jumps = 0;
  private dashLeft = 0;
  private dashWait = 0;
  private stunLeft = 0;
  private ghostClock = 0;
  private seconds = 0;
  private readonly shadow: Phaser.GameObjects.Image;
  private readonly figure: Phaser.GameObjects.Container;
  private readonly wheels: readonly Phaser.GameObjects.Image[];
  private readonly scarf: Phaser.GameObjects.Sprite;
  private readonly beam: Phaser.GameObjects.Image;

  constructor(
    private readonly scene: Phaser.Scene,
    private readonly layer: Phaser.GameObjects.Layer,
    private readonly events: CourierEvents,
  ) {
    if (!scene.anims.exists('scarf')) {
      scene.anims.create({
        key: 'scarf',
        frames: [0, 1, 2, 3, 4, 5].map((frame) => ({ key: `scarf-${String(frame)}` })),
        frameRate: 14,
        repeat: -1,
      });
    }
    this.shadow = art(scene.add.image(0, 0, 'shadow')).setName('courier shadow');
    this.scarf = art(scene.add.sprite(-30, -152, 'scarf-0'))
      .setOrigin(0.96, 0.5)
      .setName('scarf')
      .play('scarf');
    const picture = art(scene.add.image(0, 0, 'courier'))
      .setOrigin(0.5, 1)
      .setName('courier');
    this.wheels = [-56, 84].map((x) => art(scene.add.image(x, -26, 'courier-wheel')).setName('courier wheel'));
    this.beam = art(scene.add.image(88, -150, 'headlight'), 1.5)
      .setOrigin(0, 0.5)
      .setBlendMode('ADD')
      .setName('headlight');
    this.figure = scene.add
      .container(0, 0, [this.scarf, this.wheels[0]!, this.wheels[1]!, picture, this.beam])
      .setScale(COURIER_SCALE);
    this.body = scene.add
      .container(0, Y.courier, [this.shadow, this.figure])
      .setDepth(Depth.courier)
      .setName('courier');
    layer.add(this.body);
  }

  get x(): number {
    return this.body.x;
  }

  get isDashing(): boolean {
    return this.dashLeft > 0;
  }

  get isSafe(): boolean {
    return this.dashLeft > 0 || this.stunLeft > 0;
  }

  /** 0 = just used, 1 = ready. */
  get dashReady(): number {
    return 1 - Math.max(0, this.dashWait) / DASH_COOLDOWN_S;
  }

  jump(): void {
    if (this.jumps >= 2) return;
    this.vy = this.jumps === 0 ? JUMP : SECOND_JUMP;
    this.jumps++;
    this.events.onJump(this.jumps === 2);
    this.squash(0.82, 1.2);
    if (this.jumps === 2)
      this.scene.tweens.add({ targets: this.figure, angle: { from: -360, to: 0 }, duration: 420, ease: 'Cubic.out' });
  }

  dash(): void {
    if (this.dashWait > 0) return;
    this.dashLeft = DASH_S;
    this.dashWait = DASH_COOLDOWN_S;
    this.vy = Math.min(this.vy, 0) * 0.3;
    this.events.onDash();
    this.squash(1.25, 0.82);
  }

  crash(): void {
    this.stunLeft = STUN_S;
    this.speed *= 0.25;
    this.scene.tweens.add({ targets: this.figure, angle: { from: -16, to: 0 }, duration: 460, ease: 'Bounce.out' });
  }

  update(dtSeconds: number, lamps: number): void {
    this.seconds += dtSeconds;
    this.dashLeft = Math.max(0, this.dashLeft - dtSeconds);
    this.dashWait = Math.max(0, this.dashWait - dtSeconds);
    this.stunLeft = Math.max(0, this.stunLeft - dtSeconds);

    const target = this.stunLeft > 0.5 ? this.cruise * 0.35 : this.cruise;
    this.speed += (target - this.speed) * Math.min(1, dtSeconds * 3);
    this.body.x += (this.speed + (this.isDashing ? DASH_SPEED : 0)) * dtSeconds;

    if (this.height > 0 || this.vy < 0) {
      if (!this.isDashing) this.vy += GRAVITY * dtSeconds;
      this.height -= this.vy * dtSeconds;
      if (this.height <= 0) this.land();
    }
    this.pose(lamps, dtSeconds);
  }

  private land(): void {
    const speed = this.vy;
    this.height = 0;
    this.vy = 0;
    this.jumps = 0;
    this.events.onLand(speed);
    this.squash(1.18, 0.8);
  }

  private pose(lamps: number, dtSeconds: number): void {
    const ground = this.height === 0;
    this.body.y = Y.courier;
    this.figure.y = -this.height + (ground ? Math.sin(this.seconds * 22) * Math.min(1, this.speed / 300) * 0.9 : 0);
    this.shadow
      .setScale((1 - Math.min(0.55, this.height / 330)) * ART_SCALE, (1 - Math.min(0.5, this.height / 330)) * ART_SCALE)
      .setAlpha(1 - Math.min(0.7, this.height / 260));
    for (const wheel of this.wheels) wheel.rotation += (this.speed / 15) * dtSeconds;
    if (!this.scene.tweens.isTweening(this.figure)) {
      const lean = this.isDashing ? 7 : ground ? 0 : this.vy * 0.02;
      this.figure.angle += (lean - this.figure.angle) * Math.min(1, dtSeconds * 12);
    }
    this.scarf.anims.timeScale = 0.5 + this.speed / 300;
    this.beam.setAlpha(lamps * 0.85).setVisible(lamps > 0.05);
    this.body.setAlpha(this.stunLeft > 0 && Math.floor(this.seconds * 14) % 2 === 0 ? 0.55 : 1);

    if (!this.isDashing) return;
    this.ghostClock -= dtSeconds;
    if (this.ghostClock > 0) return;
    this.ghostClock = 0.05;
    const ghost = art(this.scene.add.image(this.body.x, this.body.y - this.height, 'courier'), COURIER_SCALE)
      .setOrigin(0.5, 1)
      .setAlpha(0.42);
    fillTint(ghost, 0x5ff0c8);
    this.layer.add(ghost.setDepth(Depth.courier - 1).setName('dash trail'));
    this.scene.tweens.add({ targets: ghost, alpha: 0, duration: 300, onComplete: () => ghost.destroy() });
  }

  private squash(x: number, y: number): void {
    this.scene.tweens.add({
      targets: this.figure,
      scaleX: { from: COURIER_SCALE * x, to: COURIER_SCALE },
      scaleY: { from: COURIER_SCALE * y, to: COURIER_SCALE },
      duration: 260,
      ease: 'Back.out',
    });
  }
}

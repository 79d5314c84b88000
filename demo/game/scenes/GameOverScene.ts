import * as Phaser from 'phaser';
import { keepBest, visit } from '../session.js';
import { Button, text } from '../ui/Button.js';
import { VIEW_HEIGHT, VIEW_WIDTH } from '../world/layout.js';
import { ART_SCALE, zoomTo } from '../resolution.js';
import { SceneKey } from './sceneKeys.js';

export interface RideResult {
  readonly score: number;
  readonly delivered: number;
  readonly metres: number;
}

/** The score, and once more. */
export class GameOverScene extends Phaser.Scene {
  constructor() {
    super(SceneKey.GAME_OVER);
  }

  create({ score, delivered, metres }: RideResult): void {
    zoomTo(this.cameras.main, 1);
    const isBest = keepBest(score);
    const middle = VIEW_WIDTH / 2;
    this.add.rectangle(middle, VIEW_HEIGHT / 2, VIEW_WIDTH, VIEW_HEIGHT, 0x0b0d26, 0.62).setName('dimmer');
    text(this, middle, 112, isBest ? 'NEW BEST RIDE' : 'TIME IS UP', 30, isBest ? '#5ff0c8' : '#ffb45c').setOrigin(0.5);
    const figure = text(this, middle, 196, '0', 96, '#ffffff', '900').setOrigin(0.5);
    this.tweens.addCounter({
      from: 0,
      to: score,
      duration: 900,
      ease: 'Cubic.out',
      onUpdate: (tween) => figure.setText(String(Math.round(tween.getValue() ?? 0))),
    });
    text(
      this,
      middle,
      276,
      `${delivered} parcels delivered   ·   ${metres} m   ·   best ${visit.best}`,
      19,
      '#cfd4ff',
      '600',
    ).setOrigin(0.5);
    const again = new Button(this, middle, 356, 'Ride again', () => this.leave(SceneKey.GAME), {
      primary: true,
      scale: 1.1,
    });
    new Button(this, middle, 436, 'Menu', () => this.leave(SceneKey.MENU));
    this.input.keyboard?.on('keydown-ENTER', again.press, again);
    this.input.keyboard?.on('keydown-SPACE', again.press, again);
    if (isBest) {
      this.add
        .particles(middle, -20, 'confetti', {
          x: { min: -480, max: 480 },
          speedY: { min: 120, max: 260 },
          speedX: { min: -60, max: 60 },
          rotate: { start: 0, end: 720 },
          lifespan: 3800,
          quantity: 2,
          scale: ART_SCALE,
          frequency: 60,
          tint: [0xff6f5e, 0xffc65c, 0x5ff0c8, 0x7fc8ff, 0xc08aff],
        })
        .setName('confetti');
    }
    this.cameras.main.fadeIn(220, 11, 13, 38);
  }

  private leave(next: string): void {
    this.scene.stop(SceneKey.HUD);
    this.scene.stop(SceneKey.GAME);
    this.scene.start(next);
  }
}

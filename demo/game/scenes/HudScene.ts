import * as Phaser from 'phaser';
import { visit } from '../session.js';
import { iconButton, stackIcons, text } from '../ui/Button.js';
import { VIEW_HEIGHT, VIEW_WIDTH } from '../world/layout.js';
import { MAP_AREA } from '../world/Minimap.js';
import { art, zoomTo } from '../resolution.js';
import type { GameScene } from './GameScene.js';
import { SceneKey } from './sceneKeys.js';

/** Asks the page to show or hide the overlay; whoever draws it listens on the game's emitter. */
export const TOGGLE_OVERLAY = 'toggle-overlay';

/** Score, parcels, time, dash, the frame of the map, and the buttons: a scene of its own above the ride. */
export class HudScene extends Phaser.Scene {
  private score!: Phaser.GameObjects.Text;
  private parcels!: Phaser.GameObjects.Text;
  private combo!: Phaser.GameObjects.Text;
  private clock!: Phaser.GameObjects.Text;
  private dash!: Phaser.GameObjects.Graphics;
  private shownScore = 0;

  constructor() {
    super(SceneKey.HUD);
  }

  create(): void {
    this.shownScore = 0;
    zoomTo(this.cameras.main, 1);
    art(this.add.image(112, 36, 'pill')).setName('score plate');
    this.score = text(this, 32, 36, '0', 24, '#ffffff', '900').setOrigin(0, 0.5);
    art(this.add.image(144, 35, 'parcel'), 0.82).setName('parcels');
    this.parcels = text(this, 164, 36, '×0', 19, '#ffd27a').setOrigin(0, 0.5);
    this.combo = text(this, 34, 74, '', 15, '#5ff0c8').setOrigin(0, 0.5);
    this.add
      .image(VIEW_WIDTH / 2, 31, 'pill')
      .setDisplaySize(120, 44)
      .setName('clock plate');
    this.clock = text(this, VIEW_WIDTH / 2, 31, '', 26, '#ffffff', '900').setOrigin(0.5);
    this.dash = this.add.graphics().setName('dash meter');
    art(this.add.image(MAP_AREA.x + MAP_AREA.width / 2, MAP_AREA.y + MAP_AREA.height / 2, 'map-frame')).setName(
      'map frame',
    );

    const pause = iconButton(this, 'icon-pause', () => this.ride.pauseRide());
    const eye = iconButton(this, 'icon-eye', () => this.game.events.emit(TOGGLE_OVERLAY));
    const sound = iconButton(this, visit.synth.isOn ? 'icon-sound' : 'icon-muted', () => toggleSound());
    stackIcons(this, [pause, eye, sound]);
    const toggleSound = () => sound.setTexture(visit.synth.toggle() ? 'icon-sound' : 'icon-muted');
    this.input.keyboard?.on('keydown-M', toggleSound);

    if (this.sys.game.device.input.touch) {
      art(this.add.image(66, VIEW_HEIGHT - 62, 'touch-dash')).setName('dash pad');
      art(this.add.image(VIEW_WIDTH - 66, VIEW_HEIGHT - 62, 'touch-jump')).setName('jump pad');
    }
  }

  override update(): void {
    const { ride } = this;
    this.shownScore += (ride.score - this.shownScore) * 0.25;
    if (ride.score - this.shownScore < 1) this.shownScore = ride.score;
    this.score.setText(String(Math.round(this.shownScore)));
    this.parcels.setText(`×${ride.carried}`);
    this.combo.setText(ride.combo > 1 ? `combo ×${ride.combo}` : '');
    const left = ride.secondsLeft;
    this.clock
      .setText(left >= 10 ? `${Math.ceil(left)} s` : left.toFixed(1))
      .setColor(left < 10 ? '#ff8f7c' : '#ffffff');
    this.clock.setScale(left < 10 && left > 0 ? 1 + 0.1 * Math.abs(Math.sin(left * Math.PI)) : 1);
    const ready = ride.courier.dashReady;
    const pen = this.dash.clear();
    pen.fillStyle(0x0b0d26, 0.72).fillRoundedRect(VIEW_WIDTH / 2 - 44, 57, 88, 7, 3.5);
    pen
      .fillStyle(ready === 1 ? 0x5ff0c8 : 0x7fc8ff, 1)
      .fillRoundedRect(VIEW_WIDTH / 2 - 42, 59, Math.max(4, 84 * ready), 3, 1.5);
  }

  private get ride(): GameScene {
    return this.scene.get<GameScene>(SceneKey.GAME);
  }
}

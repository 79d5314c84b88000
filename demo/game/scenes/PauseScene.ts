import * as Phaser from 'phaser';
import { Button, text } from '../ui/Button.js';
import { VIEW_HEIGHT, VIEW_WIDTH } from '../world/layout.js';
import { zoomTo } from '../resolution.js';
import { SceneKey } from './sceneKeys.js';

/** Lies above the ride while it stands still. */
export class PauseScene extends Phaser.Scene {
  constructor() {
    super(SceneKey.PAUSE);
  }

  create(): void {
    zoomTo(this.cameras.main, 1);
    const middle = VIEW_WIDTH / 2;
    this.add
      .rectangle(middle, VIEW_HEIGHT / 2, VIEW_WIDTH, VIEW_HEIGHT, 0x0b0d26, 0.66)
      .setName('pause dimmer')
      .setInteractive();
    text(this, middle, 150, 'PAUSED', 56, '#ffffff', '900').setOrigin(0.5);
    const resume = new Button(this, middle, 248, 'Resume', () => this.resume(), { primary: true });
    new Button(this, middle, 326, 'Start over', () => this.leave(SceneKey.GAME));
    new Button(this, middle, 404, 'Menu', () => this.leave(SceneKey.MENU));
    this.input.keyboard?.on('keydown-P', resume.press, resume);
    this.input.keyboard?.on('keydown-ESC', resume.press, resume);
    this.input.keyboard?.on('keydown-ENTER', resume.press, resume);
  }

  private resume(): void {
    this.scene.resume(SceneKey.HUD);
    this.scene.resume(SceneKey.GAME);
    this.scene.stop();
  }

  private leave(next: string): void {
    this.scene.stop(SceneKey.HUD);
    this.scene.stop(SceneKey.GAME);
    this.scene.start(next);
  }
}

import * as Phaser from 'phaser';
import { paintUi } from '../art/paintUi.js';
import { SceneKey } from './sceneKeys.js';

/** Paints what the progress bar itself needs. */
export class BootScene extends Phaser.Scene {
  constructor() {
    super(SceneKey.BOOT);
  }

  create(): void {
    paintUi(this.textures);
    this.scene.start(SceneKey.PRELOADER);
  }
}

import * as Phaser from 'phaser';
import { AdsEvents, inviewPlugins } from 'phaser-inview';

class Street extends Phaser.Scene {
  create() {
    this.ads.place('roof', { x: 400, y: 200, width: 320, height: 180 });
    this.ads.on(AdsEvents.VISIBLE, ({ coverage }) => console.log('seen', coverage.screenCoveragePercentage));
  }
}

/** @returns ends the game, with its ads */
export function startGame(parent) {
  const plugins = inviewPlugins({ testMode: true });
  const game = new Phaser.Game({ parent, width: 800, height: 450, scene: Street, plugins });
  return () => game.destroy(true);
}

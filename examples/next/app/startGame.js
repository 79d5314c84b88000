import * as Phaser from 'phaser';
import { AdsEvents, inviewPlugins } from 'phaser-inview';

class Street extends Phaser.Scene {
  create() {
    this.add.rectangle(400, 370, 420, 160, 0x8d4a5b); // a house: the ad stands on its roof
    for (let x = 230; x <= 570; x += 68) this.add.rectangle(x, 345, 36, 50, 0xffd97a); // its windows
    this.add.rectangle(400, 425, 800, 50, 0x2a2d43); // the street
    this.ads.place('roof', { x: 400, y: 200, width: 320, height: 180 });
    this.ads.on(AdsEvents.VISIBLE, ({ coverage }) => console.log('seen', coverage.screenCoveragePercentage));
  }
}

/** @returns ends the game, with its ads */
export function startGame(parent) {
  const game = new Phaser.Game({
    parent,
    width: 800,
    height: 450,
    backgroundColor: '#6fa8dc',
    scene: Street,
    plugins: inviewPlugins({ testMode: true }),
  });
  return () => game.destroy(true);
}

import * as Phaser from 'phaser';
import { AdsEvents, inviewPlugins } from 'phaser-inview';
import { StaticAds } from 'phaser-inview/static';

class Street extends Phaser.Scene {
  create() {
    this.ads.place('roof', { x: 400, y: 200, width: 320, height: 180 });
    this.ads.on(AdsEvents.VISIBLE, ({ coverage }) => console.log('seen', coverage.screenCoveragePercentage));
    this.ads.on(AdsEvents.ERROR, ({ error }) => console.log(error.message));
  }
}

new Phaser.Game({
  width: 800,
  height: 450,
  scene: Street,
  // No account and no ad service: the file lies beside the game.
  plugins: inviewPlugins({ source: new StaticAds('ads/house-ads.json') }),
});

import * as Phaser from 'phaser';
import { AdsEvents, inviewPlugins } from 'phaser-inview';

class Street extends Phaser.Scene {
  preload() {
    this.load.tilemapTiledJSON('street', 'street.json');
  }

  create() {
    const map = this.make.tilemap({ key: 'street' });
    // One ad for each object of the layer that has the property `adSurfaceId`.
    const ads = this.ads.placeFromObjects(map, 'billboards');
    console.log('placed', ads.length);
    this.ads.on(AdsEvents.VISIBLE, ({ coverage }) => console.log('seen', coverage.screenCoveragePercentage));
  }
}

new Phaser.Game({
  width: 800,
  height: 450,
  scene: Street,
  plugins: inviewPlugins({ testMode: true }),
});

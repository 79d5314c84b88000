import * as Phaser from 'phaser';
import { AdsEvents, inviewPlugins } from 'phaser-inview';

class Street extends Phaser.Scene {
  preload() {
    this.load.tilemapTiledJSON('street', 'street.json');
  }

  create() {
    for (const x of [120, 280, 500, 680]) this.add.rectangle(x, 330, 12, 150, 0x5a4636); // what the billboards stand on
    this.add.rectangle(400, 425, 800, 50, 0x2a2d43); // the street

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
  backgroundColor: '#6fa8dc',
  scene: Street,
  plugins: inviewPlugins({ testMode: true }),
});

import * as Phaser from 'phaser';
import { AdsEvents, inviewPlugins } from 'phaser-inview';

class Street extends Phaser.Scene {
  create() {
    this.add.rectangle(400, 380, 800, 140, 0x2b3050);
    this.ads.place('roof', { x: 400, y: 200, width: 320, height: 180 });

    const bus = this.add.rectangle(-100, 240, 200, 120, 0xd04040).setDepth(10);
    this.tweens.add({ targets: bus, x: 900, duration: 4000, repeat: -1, repeatDelay: 2000 });

    this.ads.on(AdsEvents.LOADED, ({ ad }) => console.log('loaded', ad.adId));
    this.ads.on(AdsEvents.VISIBLE, ({ coverage }) => console.log('seen', coverage.screenCoveragePercentage));
    this.ads.on(AdsEvents.BLOCKED, ({ reasons }) => console.log('blocked', reasons.join(', ')));
  }
}

new Phaser.Game({
  width: 800,
  height: 450,
  scale: { mode: Phaser.Scale.FIT, autoCenter: Phaser.Scale.CENTER_BOTH },
  scene: Street,
  plugins: inviewPlugins({ testMode: true }),
});

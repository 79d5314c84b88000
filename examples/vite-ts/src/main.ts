import * as Phaser from 'phaser';
import { AdsEvents, inviewPlugins } from 'phaser-inview';

class Street extends Phaser.Scene {
  create() {
    this.add.rectangle(400, 370, 420, 160, 0x8d4a5b); // a house: the ad stands on its roof
    for (let x = 230; x <= 570; x += 68) this.add.rectangle(x, 345, 36, 50, 0xffd97a); // its windows
    this.add.rectangle(400, 425, 800, 50, 0x2a2d43); // the street
    this.ads.place('roof', { x: 400, y: 200, width: 320, height: 180 });

    const bus = this.add.container(-130, 320, [
      this.add.rectangle(0, 0, 240, 160, 0xd04040),
      this.add.rectangle(0, -30, 210, 50, 0xcfe8ff),
      this.add.circle(-70, 80, 24, 0x111111),
      this.add.circle(70, 80, 24, 0x111111),
    ]);
    bus.setDepth(10);
    this.tweens.add({ targets: bus, x: 930, duration: 4000, repeat: -1, repeatDelay: 2000 });

    this.ads.on(AdsEvents.LOADED, ({ ad }) => console.log('loaded', ad.adId));
    this.ads.on(AdsEvents.VISIBLE, ({ coverage }) => console.log('seen', coverage.screenCoveragePercentage));
    this.ads.on(AdsEvents.BLOCKED, ({ reasons }) => console.log('blocked', reasons.join(', ')));
  }
}

new Phaser.Game({
  width: 800,
  height: 450,
  backgroundColor: '#6fa8dc',
  scale: { mode: Phaser.Scale.FIT, autoCenter: Phaser.Scale.CENTER_BOTH },
  scene: Street,
  plugins: inviewPlugins({ testMode: true }),
});

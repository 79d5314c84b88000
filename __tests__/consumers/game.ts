/** A game as a stranger writes it, built of the packed package by several bundlers, each with Phaser from outside. */
import * as Phaser from 'phaser';
import { AdsEvents, inviewPlugins } from 'phaser-inview';
import { StaticAds } from 'phaser-inview/static';

class Street extends Phaser.Scene {
  create(): void {
    const { sprite, ready } = this.ads.place('roof-64x64', { x: 99, y: 99, width: 64, height: 64 });
    let impressions = 0;
    this.ads.on(AdsEvents.IMPRESSION, () => impressions++);
    void ready.then(async (state) => {
      while (impressions === 0) await new Promise((resolve) => this.events.once('postupdate', resolve));
      const { url } = await new StaticAds({ ads: [{ url: 'https://example.com/ad.png' }] }).getAd('roof');
      Object.assign(window, { consumer: { state, width: sprite.displayWidth, houseAd: url } });
    });
  }
}

new Phaser.Game({
  type: Phaser.CANVAS,
  banner: false,
  audio: { noAudio: true },
  plugins: inviewPlugins({ testMode: true }),
  scene: Street,
});

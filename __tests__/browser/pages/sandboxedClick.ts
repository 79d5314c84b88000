import * as Phaser from 'phaser';
import { AdsGlobalPlugin, AdsScenePlugin, type AdsEventMap } from 'phaser-inview';

declare global {
  interface Window {
    /** Hangs one clickable test ad over the whole canvas, and waits until it is drawn. */
    hangAd?: () => Promise<void>;
    /** What the first click on it was said to be. */
    clicked?: Promise<AdsEventMap['adclick']['isOpened']>;
  }
}

window.hangAd = () =>
  new Promise((resolve) => {
    new Phaser.Game({
      type: Phaser.CANVAS,
      width: 300,
      height: 200,
      banner: false,
      audio: { noAudio: true },
      plugins: {
        global: [{ key: 'Ads', plugin: AdsGlobalPlugin, start: true, data: { testMode: true } }],
        scene: [{ key: 'AdsScene', plugin: AdsScenePlugin, mapping: 'ads' }],
      },
      scene: {
        create(this: Phaser.Scene) {
          window.clicked = new Promise((told) => this.ads.once('adclick', ({ isOpened }) => told(isOpened)));
          this.ads.place('roof-300x200', { x: 150, y: 100, width: 300, height: 200, clickable: true });
          this.ads.once('advisible', () => resolve());
        },
      },
    });
  });

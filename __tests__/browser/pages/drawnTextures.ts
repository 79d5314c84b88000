import * as Phaser from 'phaser';
import { GameMeter } from 'phaser-inview';
import { playScene } from './playScene.js';

/** What was said of an ad under darkness with a hole, while the game plays. */
export interface DarknessReport {
  /** The first figure that was said to be known: the hole leaves half of the ad. */
  readonly before: number;
  /** A second after the hole was moved away. */
  readonly after: { readonly percentageInView: number; readonly reasons: readonly string[] };
}

declare global {
  interface Window {
    measureUnderDarkness?: () => Promise<DarknessReport>;
  }
}

const WIDTH = 400;
const HEIGHT = 300;
const LATER_MS = 1000;

window.measureUnderDarkness = () =>
  playScene((scene) => {
    const ad = scene.add.rectangle(200, 150, 80, 40, 0xffffff);
    const lamp = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(0, 0, 40, 40);
    const darkness = scene.add.renderTexture(0, 0, WIDTH, HEIGHT).setOrigin(0);
    const lightAt = (x: number, y: number): void => {
      darkness.clear().fill(0x101820).erase(lamp, x, y);
      // Phaser 4 draws into a texture when it is told to.
      (darkness as Partial<{ render(): unknown }>).render?.();
    };
    lightAt(160, 130);

    return new Promise((resolve) => {
      let before: number | null = null;
      let movedAt = 0;
      const stop = GameMeter.of(scene.game).observe(ad, ({ percentageInView, reasons }) => {
        if (before === null) {
          if (reasons.includes('unmeasurable')) return;
          before = percentageInView;
          lightAt(20, 20);
          movedAt = performance.now();
        } else if (performance.now() - movedAt > LATER_MS) {
          stop();
          resolve({ before, after: { percentageInView, reasons: [...reasons] } });
        }
      });
    });
  }, Phaser.WEBGL);

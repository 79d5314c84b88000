import * as Phaser from 'phaser';
import { GameMeter } from 'phaser-inview';
import { playScene } from './playScene.js';
import { takeOver } from './takeOver.js';

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
    measureUnderRenewed?: (way: 'source' | 'picture' | 'numbers') => Promise<readonly number[]>;
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

interface Renewable {
  setSource(data: unknown): void;
  readonly source: readonly { update(): void }[];
}

/**
 * What is said of an ad below a faint picture, and three frames after that was sent to the GPU once more as an opaque one, in
 * a way of Phaser 4.
 */
window.measureUnderRenewed = (way) =>
  playScene(async (scene) => {
    const { game, textures } = scene;
    await takeOver(game);
    const picture = await pictureOf(0.1);
    const numbers = new Uint8Array(4 * 64 * 64).fill(20);
    if (way === 'numbers') textures.addUint8Array('cover', numbers, 64, 64);
    else textures.addImage('cover', picture);
    const ad = scene.add.rectangle(200, 150, 40, 40, 0xffffff);
    scene.add.image(200, 150, 'cover');
    const meter = GameMeter.of(game);
    meter.observe(ad, () => undefined);
    let time = 1000;
    const figureAfter = async (frames: number): Promise<number> => {
      for (; frames > 0; frames--) {
        game.step((time += 16), 16);
        await new Promise((rested) => requestIdleCallback(rested));
      }
      return meter.measure(ad).percentageInView;
    };
    const before = await figureAfter(5);
    const cover = textures.get('cover') as unknown as Renewable;
    if (way === 'source') {
      cover.setSource(await pictureOf(1));
    } else {
      numbers.fill(255);
      picture.src = (await pictureOf(1)).src;
      await picture.decode();
      cover.source[0]!.update();
    }
    return [before, await figureAfter(3)];
  }, Phaser.WEBGL);

async function pictureOf(alpha: number): Promise<HTMLImageElement> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d')!;
  context.globalAlpha = alpha;
  context.fillRect(0, 0, 64, 64);
  const picture = new Image();
  picture.src = canvas.toDataURL();
  await picture.decode();
  return picture;
}

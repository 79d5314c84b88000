import * as Phaser from 'phaser';
import { calculateAdCoverage, checkAdFullVisibility, GameMeter, ObstructionPurpose } from 'phaser-inview';
import { nextLook } from './nextLook.js';
import { playScene } from './playScene.js';
import { takeOver } from './takeOver.js';

type Renderer = 'webgl' | 'canvas';

/** Games in which something goes wrong, or did, with what was seen; by the row of the field's findings. */
export interface Field {
  /** E3: frames in which an ad was said to be seen whole while a text with a ground lay over it. */
  framesWholeUnderText(): Promise<number>;
  /** E4: shares in view, in percent, of an ad on a canvas with a style or without a place in the page; every frame's and a single call's. */
  sharesOnCanvas(style: string | null): Promise<readonly [number, number]>;
  /** E7: what is named as blocking an ad under a DOM element in a list, and the share in view once that is friendly. */
  domElementIn(
    renderer: Renderer,
    list: 'container' | 'layer',
  ): Promise<{ readonly blockers: readonly string[]; readonly share: number }>;
  /** E8: how often the share of an ad in a still scene changed, once it had come to rest. */
  changesAtRest(what: 'render texture' | 'turned canvas'): Promise<number>;
  /**
   * E8: an ad under the canvas texture of a disc, which is drawn again in each frame: how often the share changed while the
   * pixels were the same, the share before and after a smaller disc was drawn, and how often it changed once it had settled.
   */
  redraws(
    renderer: Renderer,
  ): Promise<{ readonly same: number; readonly shares: readonly [number, number]; readonly settled: number }>;
  /** E12: how far the share in a frame is from that of a single call, in percentage points, frame by frame. */
  differences(renderer: Renderer, width: number, height: number): Promise<readonly number[]>;
  /** E13: the share of an ad half outside of a viewport that Phaser has stopped clipping to. */
  shareBeyondViewport(): Promise<number>;
}

declare global {
  interface Window {
    field?: Field;
  }
}

const FRAME_MS = 16;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function play<T>(
  renderer: Renderer,
  scene: (scene: Phaser.Scene, step: (count?: number) => void) => Promise<T>,
  config: Phaser.Types.Core.GameConfig = {},
): Promise<T> {
  return playScene(
    async (playing) => {
      await takeOver(playing.game);
      let time = 1000;
      return scene(playing, (count = 1) => {
        for (let i = 0; i < count; i++) playing.game.step((time += FRAME_MS), FRAME_MS);
      });
    },
    renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS,
    config,
  );
}

function putAd(scene: Phaser.Scene, width = 80, height = 40): Phaser.GameObjects.Image {
  return scene.add.image(200, 150, '__WHITE').setDisplaySize(width, height);
}

/** A canvas with a disc on it. */
function disc(scene: Phaser.Scene, key: string, size: number): string {
  const texture = scene.textures.createCanvas(key, size, size)!;
  const { context } = texture;
  context.arc(size / 2, size / 2, size / 2 - 2, 0, 7);
  context.fill();
  texture.refresh();
  return key;
}

window.field = {
  framesWholeUnderText: () =>
    play('canvas', async (scene, step) => {
      const ad = putAd(scene);
      const text = scene.add.text(160, 130, ' ', { fixedWidth: 80, fixedHeight: 40 });
      let whole = 0;
      GameMeter.of(scene.game).observe(ad, ({ isFullyVisible }) => void (whole += isFullyVisible ? 1 : 0));
      for (let i = 0; i < 4; i++) {
        step(10);
        await pause(20);
      }
      if (whole === 0) throw new Error('The ad was never seen');
      whole = 0;
      text.setBackgroundColor('#112233');
      step(30);
      return whole;
    }),

  sharesOnCanvas: (style) =>
    play('canvas', async (scene, step) => {
      const ad = putAd(scene);
      const { canvas } = scene.game;
      let share = NaN;
      GameMeter.of(scene.game).observe(ad, ({ percentageInView }) => void (share = percentageInView));
      step();
      if (style === null) canvas.remove();
      else canvas.style.cssText += style;
      await nextLook();
      step();
      const { visibleArea, totalArea } = calculateAdCoverage(ad, scene.cameras.main);
      return [share, (100 * visibleArea) / totalArea] as const;
    }),

  domElementIn: (renderer, list) =>
    play(
      renderer,
      async (scene, step) => {
        const ad = putAd(scene);
        const node = document.createElement('div');
        node.style.cssText = 'width: 200px; height: 100px; background: #334455';
        const form = scene.add.dom(200, 150, node);
        form.name = 'form';
        if (list === 'container') scene.add.container(0, 0, [form]);
        else scene.add.layer([form]);
        const meter = GameMeter.of(scene.game);
        let share = NaN;
        meter.observe(ad, ({ percentageInView }) => void (share = percentageInView));
        step(2);
        const blockers = checkAdFullVisibility(ad, scene).blockingSprites.map(({ name }) => name);
        meter.friendly.add(form, ObstructionPurpose.OTHER);
        await nextLook();
        step(2);
        return { blockers, share };
      },
      { parent: document.body, dom: { createContainer: true } },
    ),

  changesAtRest: (what) =>
    play('canvas', async (scene, step) => {
      const ad = putAd(scene, 160, 120);
      const key = disc(scene, 'disc', 90);
      if (what === 'render texture') scene.add.renderTexture(230, 160, 100, 100).draw(key, 5, 5).setRotation(0.3);
      else scene.add.image(230, 160, key).setRotation(0.3);
      let changes = 0;
      let share = NaN;
      GameMeter.of(scene.game).observe(ad, ({ percentageInView }) => {
        if (percentageInView !== share) changes++;
        share = percentageInView;
      });
      const second = async (): Promise<void> => {
        for (let i = 0; i < 12; i++) {
          step(5);
          await pause(5);
        }
      };
      await second();
      if (!(share > 20 && share < 80)) throw new Error(`The disc is not known: ${share} %`);
      changes = 0;
      for (let i = 0; i < 5; i++) await second();
      return changes;
    }),

  redraws: (renderer) =>
    play(renderer, async (scene, step) => {
      // So small that every pixel is looked at.
      const ad = putAd(scene, 64, 60);
      const texture = scene.textures.createCanvas('drawn again', 50, 50)!;
      const draw = (radius: number): void => {
        texture.clear();
        texture.context.beginPath();
        texture.context.arc(25, 25, radius, 0, 7);
        texture.context.fill();
        texture.refresh();
      };
      draw(24);
      scene.add.image(200, 150, 'drawn again');
      let changes = 0;
      let share = NaN;
      GameMeter.of(scene.game).observe(ad, ({ percentageInView, reasons }) => {
        // On a slow machine nobody knows the pixels in the frame they were painted in.
        if (reasons.includes('unmeasurable')) return;
        if (percentageInView !== share) changes++;
        share = percentageInView;
      });
      const second = async (radius: number): Promise<number> => {
        for (let i = 0; i < 12; i++) {
          draw(radius);
          step(5);
          await pause(5);
        }
        const counted = changes;
        changes = 0;
        return counted;
      };
      await second(24);
      const same = await second(24);
      const before = share;
      await second(12);
      await second(12);
      const after = share;
      return { same, shares: [before, after], settled: await second(12) };
    }),

  differences: (renderer, width, height) =>
    play(renderer, async (scene, step) => {
      const ad = putAd(scene, width, height);
      const covers = [40, 60, 90].map((size) => scene.add.image(200, 150, disc(scene, `disc${size}`, size)));
      let share = NaN;
      let isKnown = false;
      GameMeter.of(scene.game).observe(ad, ({ percentageInView, reasons }) => {
        share = percentageInView;
        isKnown = !reasons.includes('unmeasurable');
      });
      const found: number[] = [];
      for (let frame = 0; frame < 120; frame++) {
        covers.forEach((cover, i) => {
          cover.setPosition(200 + 55 * Math.sin(frame / 7 + 2 * i), 150 + 40 * Math.cos(frame / 5 + i));
          cover.setRotation(frame / 11 + i).setScale(1 + 0.3 * Math.sin(frame / 3 + i));
        });
        step();
        if (frame % 5 === 0) await pause(5);
        if (frame < 20 || !isKnown) continue;
        const { visibleArea, totalArea } = calculateAdCoverage(ad, scene.cameras.main);
        found.push(Math.abs(share - (100 * visibleArea) / totalArea));
      }
      return found;
    }),

  shareBeyondViewport: () =>
    play('webgl', async (scene, step) => {
      scene.cameras.main.setViewport(0, 0, 200, 300);
      const mask = scene.make.image({ x: 60, y: 60, key: '__WHITE' }, false);
      scene.add.image(60, 60, '__WHITE').setMask(mask.createBitmapMask());
      const ad = putAd(scene);
      let share = NaN;
      GameMeter.of(scene.game).observe(ad, ({ percentageInView }) => void (share = percentageInView));
      for (let i = 0; i < 4; i++) {
        step(3);
        await pause(10);
      }
      return share;
    }),
};

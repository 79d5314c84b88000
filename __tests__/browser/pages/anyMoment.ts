import * as Phaser from 'phaser';
import { GameMeter } from '../../../src/meter/GameMeter.js';
import { seededRandom } from '../../bench/seededRandom.js';
import { playScene } from './playScene.js';
import { takeOver } from './takeOver.js';

declare global {
  interface Window {
    observeAtAnyMoment?: (
      seed: number,
      frames: number,
      renderer: 'webgl' | 'canvas',
    ) => Promise<{ told: number; wrong: string[] }>;
  }
}

/** What is seen of each ad, in percent. */
const SHARES = [100, 75, 25];
const AD = { width: 80, height: 40 };

/** Ads begin and cease to be observed at any moment of a frame, where a game may have code of its own. Gives each wrong figure. */
window.observeAtAnyMoment = (seed, frames, renderer) =>
  playScene(
    async (scene) => {
      const { game } = scene;
      await takeOver(game);
      const ads = SHARES.map((share, i) => {
        const y = 60 + 80 * i;
        const ad = scene.add.image(200, y, '__WHITE').setDisplaySize(AD.width, AD.height);
        const width = AD.width * (1 - share / 100);
        if (width > 0) {
          const x = 200 - AD.width / 2;
          scene.add
            .image(x, y, '__WHITE')
            .setOrigin(0, 0.5)
            .setDisplaySize(width, AD.height + 10);
        }
        return ad;
      });
      const random = seededRandom(seed);
      const meter = GameMeter.of(game);
      const stops: ((() => void) | null)[] = ads.map(() => null);
      const wrong: string[] = [];
      let told = 0;
      let frame = 0;
      const toggle = (i: number, moment: string): void => {
        const stop = stops[i];
        if (stop) {
          stops[i] = null;
          stop();
          return;
        }
        const began = `${moment} of frame ${frame}`;
        stops[i] = meter.observe(ads[i]!, ({ percentageInView, reasons }) => {
          told++;
          if (Math.abs(percentageInView - SHARES[i]!) < 0.01) return;
          wrong.push(`frame ${frame}: ad ${i}, since ${began}: ${percentageInView} %, ${reasons.join()}`);
        });
      };
      const act = (moment: string) => (): void => {
        while (random() < 0.2) toggle(Math.floor(random() * ads.length), moment);
      };
      const { renderer: drawing } = game as unknown as { renderer: Phaser.Events.EventEmitter };
      const moments: [string, Phaser.Events.EventEmitter, string[]][] = [
        ['game', game.events, ['prestep', 'step', 'poststep', 'prerender', 'postrender']],
        ['scene', scene.events, ['preupdate', 'update', 'postupdate', 'prerender', 'render']],
        ['renderer', drawing, ['prerender', 'render', 'postrender']],
      ];
      for (const [who, emitter, events] of moments) {
        for (const event of events) emitter.on(event, act(`${event} of the ${who}`));
      }
      for (; frame < frames; frame++) {
        // Heard after the meter, if it listens already.
        game.events.once('postrender', act('late postrender'));
        act('between frames')();
        game.step(1000 + 16 * frame, 16);
      }
      for (const stop of stops) stop?.();
      return { told, wrong };
    },
    renderer === 'webgl' ? Phaser.WEBGL : Phaser.CANVAS,
  );

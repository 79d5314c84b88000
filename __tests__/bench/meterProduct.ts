import { GameMeter } from 'phaser-inview';
import { VertexTap } from '../../src/record/phaser3/VertexTap.js';
import { DrawTap } from '../../src/record/phaser4/DrawTap.js';
import type { ProductOf, Verdict } from './Product.js';

/** The measurement every placed ad gets: `GameMeter`, with a listener that takes what it is given. */
export const meterProduct: ProductOf = (game, ads) => {
  const meter = GameMeter.of(game);
  const latest: Verdict[] = [];
  let stops: (() => void)[] = [];
  return {
    start() {
      stops = ads.map((ad, i) => meter.observe(ad, (measurement) => (latest[i] = measurement)));
    },
    stop() {
      for (const stop of stops) stop();
    },
    bracket(brackets) {
      brackets.attachTo(VertexTap.prototype, 'adDrawn');
      brackets.attachTo(DrawTap.prototype, 'adDrawn');
      brackets.attachTo(DrawTap.prototype, 'onDraw');
    },
    // The measurement is a live object, and its blockers are looked up when they are asked for.
    verdicts: () =>
      latest.map(({ percentageInView, blockingSprites }) => ({
        percentageInView,
        blockingSprites: [...blockingSprites],
      })),
  };
};

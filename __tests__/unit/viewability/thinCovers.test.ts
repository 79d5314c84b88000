import * as fc from 'fast-check';

import { evenly } from '../../helpers/evenly.js';
import { measureView } from '../../../src/measure/measureView.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { opacityAt } from './support/everyPixel.js';
import { alphaMap, FrameBuilder, rectangle, turned } from './support/FrameBuilder.js';

/**
 * The plainest count: of each pixel around one of the given points, the share that is ad is lost where at its centre the covers
 * leave half of the light or less.
 */
function lostPixels({ snapshot, view }: FrameBuilder, points: Iterable<[x: number, y: number]>): number {
  const seen = new Set<number>();
  let lost = 0;
  for (const [pointX, pointY] of points) {
    for (let y = Math.floor(pointY) - 1.5; y < pointY + 3; y++) {
      for (let x = Math.floor(pointX) - 1.5; x < pointX + 3; x++) {
        if (seen.size === seen.add(1e4 * y + x).size) continue;
        let light = 1;
        for (let i = view.pieceTo; i < snapshot.count; i++) light *= 1 - opacityAt(snapshot, i, x, y, false);
        if (light > 0.5) continue;
        for (let k = 0; k < 64; k++) {
          const [atX, atY] = [x - 0.4375 + (k % 8) / 8, y - 0.4375 + Math.floor(k / 8) / 8];
          lost += opacityAt(snapshot, view.pieceFrom, atX, atY, true) / 64;
        }
      }
    }
  }
  return lost;
}

function* along(corners: readonly number[]): Generator<[number, number]> {
  for (let i = 0; i < 8; i += 2) {
    const [x, y, toX, toY] = [corners[i]!, corners[i + 1]!, corners[(i + 2) % 8]!, corners[(i + 3) % 8]!];
    const length = Math.hypot(toX - x, toY - y);
    for (let at = 0; at <= length; at += 2) yield [x + ((toX - x) * at) / length, y + ((toY - y) * at) / length];
  }
}

function measure(scene: FrameBuilder): ViewMeasurement {
  const out = new ViewMeasurement();
  measureView(scene.snapshot, scene.view, { blockingOpacity: 0.5 }, out);
  expect(out.visibleArea + out.lostArea).toBeCloseTo(out.onScreenArea, 6);
  return out;
}

/** Hides nothing, and everything must be looked at. */
const faint = alphaMap(1, 1, () => 0.3);
const solid = alphaMap(1, 1, () => 1);
const sides = fc.subarray([0, 1, 2, 3], { minLength: 1 });
const size = fc.record({ width: fc.integer({ min: 40, max: 1800 }), height: fc.integer({ min: 40, max: 900 }) });

/** Pictures that end on pixels at an ad that lies between pixels: they hide its part of those pixels, and no pixel of its own. */
describe('what pictures hide along the edge of an ad is lost', () => {
  test('however large the ad is, below a faint picture over all of it', () => {
    // Such as the plain count tells exactly.
    const share = fc.constantFrom(0.25, 0.375);
    const length = fc.integer({ min: 12, max: 40 });
    fc.assert(
      fc.property(size, sides, share, length, ({ width, height }, which, part, long) => {
        const ad = rectangle(21 - part, 21 - part, width - 2 + 2 * part, height - 2 + 2 * part);
        const scene = new FrameBuilder(2000, 1000).ad(ad).paint(ad, { map: faint });
        const strips = [
          rectangle(24, 10, long, 11),
          rectangle(19 + width, 24, 11, long),
          rectangle(24, 19 + height, long, 11),
          rectangle(10, 24, 11, long),
        ];
        for (const side of which) scene.paint(strips[side]!, { map: solid });
        const lost = lostPixels(scene, along(ad));
        const out = measure(scene);
        expect(out.isFullyVisible).toBe(false);
        expect((100 * Math.abs(out.lostArea - lost)) / (width * height)).toBeLessThanOrEqual(0.3);
      }),
      { numRuns: 25 },
    );
  });

  test('however large the ad is, and turned, below a faint picture over all of it', () => {
    const angle = evenly(0.05, 1.5);
    fc.assert(
      fc.property(size, sides, angle, ({ width, height }, which, radians) => {
        const ad = turned(1000, 1000, width, height, radians);
        const scene = new FrameBuilder(2000, 2000).ad(ad).paint(ad, { map: faint });
        const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
        const at = (x: number, y: number, w: number, h: number): number[] =>
          turned(1000 + x * cos - y * sin, 1000 + x * sin + y * cos, w, h, radians);
        // They cover a third of a pixel: of the pixels there, those whose centres lie in it.
        const strips = [
          at(0, -height / 2 - 4, 40, 8.6),
          at(width / 2 + 4, 0, 8.6, 40),
          at(0, height / 2 + 4, 40, 8.6),
          at(-width / 2 - 4, 0, 8.6, 40),
        ];
        for (const side of which) scene.paint(strips[side]!, { map: solid });
        const lost = lostPixels(scene, along(ad));
        const out = measure(scene);
        expect(out.isFullyVisible).toBe(false);
        expect((100 * Math.abs(out.lostArea - lost)) / (width * height)).toBeLessThanOrEqual(0.3);
      }),
      { numRuns: 12 },
    );
  });

  test('and what hangs from it over the ad, however narrow it is and however few points are sampled at first', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 770 }),
        fc.integer({ min: 100, max: 400 }),
        fc.boolean(),
        (x, long, isOwn) => {
          const ad = rectangle(20, 20, 800, 600);
          const scene = new FrameBuilder(1000, 1000)
            .ad(ad, [ad], isOwn ? { map: solid } : {})
            .paint(ad, { map: faint });
          // As Canvas draws.
          if (isOwn) scene.snapshot.pixelPoints = 8;
          const out = measure(scene.paint(rectangle(x, 10, 1, 10 + long), { map: solid }));
          expect(out.isFullyVisible).toBe(false);
          expect(out.lostArea).toBeGreaterThan(long / 6);
        },
      ),
      { numRuns: 30 },
    );
  });
});

test('on Canvas a neighbour takes its share of the pixels it has in common with the ad, in WebGL only what lies over it', () => {
  const part = evenly(0.2, 0.35);
  fc.assert(
    fc.property(part, fc.integer({ min: 40, max: 150 }), fc.integer({ min: 40, max: 90 }), (part, width, height) => {
      for (const points of [4, 8] as const) {
        const scene = new FrameBuilder().ad(rectangle(21 - part, 20, width + part, height));
        scene.snapshot.pixelPoints = points;
        // More than a pixel in all, and hardly anything of each.
        scene.paint(rectangle(10, 20, 11 - part + 1.5 / height, height));
        expect(measure(scene).isFullyVisible).toBe(points === 4);
      }
    }),
  );
});

test('on Canvas neighbours take from those pixels one after another, and behind one mask together', () => {
  const eighths = fc.integer({ min: 1, max: 7 });
  const opacities = fc.array(fc.constantFrom(1, 0.7, 0.45, 0.3), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      eighths,
      fc.integer({ min: 20, max: 60 }),
      opacities,
      fc.boolean(),
      fc.boolean(),
      (part, height, opacities, isMasked, isPicture) => {
        const share = part / 8;
        const scene = new FrameBuilder();
        const mask = isMasked ? { mask: scene.mask([{ points: rectangle(0, 0, 200, 200) }]) } : {};
        const ad = rectangle(21 - share, 20, 60 + share, height);
        scene.ad(ad);
        scene.snapshot.pixelPoints = 8;
        scene.paint(rectangle(0, 0, 200, 200), { opacity: 0.1, ...(isPicture ? { map: solid } : {}) });
        for (const opacity of opacities) scene.paint(rectangle(10, 20, 11.001 - share, height), { opacity, ...mask });
        const through = (of: number): number => opacities.reduce((light, opacity) => light * (1 - of * opacity), 0.9);
        const light = isMasked ? share * 0.9 + (1 - share) * through(1) : through(1 - share);
        const lost = light > 0.5 ? 0 : share * height;
        const out = measure(scene);
        expect(out.isFullyVisible).toBe(lost < 2);
        if (lost >= 2) expect(out.lostArea).toBeCloseTo(lost, 4);
      },
    ),
    { numRuns: 200 },
  );
});

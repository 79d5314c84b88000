import fc from 'fast-check';
import { evenly } from '../../helpers/evenly.js';
import { AdBins } from '../../../src/record/frame/AdBins.js';

const BYTES = 1024;

const box = fc
  .tuple(evenly(-100, 900), evenly(-100, 900), evenly(0.5, 400), evenly(0.5, 400))
  .map(([x, y, width, height]) => [x, y, x + width, y + height]);

/** Bits of the ads a box meets. */
function met(ads: readonly number[][], [minX, minY, maxX, maxY]: readonly number[]): number {
  let bits = 0;
  ads.forEach(([left, top, right, bottom], i) => {
    const isMet = maxX! > left! && minX! < right! && maxY! > top! && minY! < bottom!;
    if (isMet) bits |= AdBins.bitOf(i);
  });
  return bits;
}

describe('which ads a box may touch', () => {
  it('is never too few, and none that does not count, however frames draw their ads', () => {
    const frames = fc.array(fc.array(box, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 });
    // Ads stay from frame to frame, move, come and go.
    const lives = fc.tuple(frames, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }));
    fc.assert(
      fc.property(lives, fc.array(box, { minLength: 1, maxLength: 8 }), ([frames, stays], boxes) => {
        const bins = new AdBins(new ArrayBuffer(BYTES), 0);
        const missed: number[] = [];
        const uncalledFor: number[] = [];
        let ads = frames[0]!;
        frames.forEach((frame, f) => {
          if (stays[f] !== true) ads = [...ads.slice(0, 2), ...frame];
          for (let count = 1; count <= ads.length; count++) {
            bins.fill(Float64Array.from(ads.slice(0, count).flat()), count);
            const all = ads.slice(0, count).reduce((bits, _, i) => bits | AdBins.bitOf(i), 0);
            for (const asked of boxes) {
              const touched = bins.touching(Float64Array.from(asked), 0);
              missed.push(met(ads.slice(0, count), asked) & ~touched);
              uncalledFor.push(touched & ~all);
            }
          }
          bins.end();
        });
        expect([missed.find((bits) => bits !== 0), uncalledFor.find((bits) => bits !== 0)]).toEqual([
          undefined,
          undefined,
        ]);
      }),
    );
  });

  it('is all of the ads in the rectangle that count', () => {
    const bins = new AdBins(new ArrayBuffer(BYTES), 0);
    const ads = Float64Array.of(0, 0, 10, 10, 90, 90, 100, 100);
    bins.fill(ads, 2);
    expect([...bins.rectangle]).toEqual([0, 0, 100, 100]);
    expect(bins.touching(Float64Array.of(95, 95, 99, 99), 0)).toBe(2);
    bins.end();
    bins.fill(ads, 1);
    expect(bins.touching(Float64Array.of(95, 95, 99, 99), 0)).toBe(0);
    bins.end();
    // The second one is gone.
    bins.fill(ads, 1);
    expect([...bins.rectangle]).toEqual([0, 0, 10, 10]);
  });

  it('holds nothing of an ad in the place that it has left', () => {
    const bins = new AdBins(new ArrayBuffer(BYTES), 0);
    const corners = [0, 0, 10, 10, 990, 990, 1000, 1000];
    const third = AdBins.bitOf(2);
    const [there, here] = [[480, 480, 520, 520], [80, 80, 120, 120]] as const; // prettier-ignore
    for (const [now, before] of [[there, here], [here, there]] as const) {
      bins.fill(Float64Array.of(...corners, ...now), 3);
      expect(bins.touching(Float64Array.from(now), 0) & third).toBe(third);
      expect(bins.touching(Float64Array.from(before), 0) & third).toBe(0);
    } // prettier-ignore
  });

  it('is asked within a rectangle that holds all ads with the room around them', () => {
    fc.assert(
      fc.property(fc.array(box, { minLength: 1, maxLength: 5 }), fc.constantFrom(0, 1, 7.5), (ads, margin) => {
        const bins = new AdBins(new ArrayBuffer(BYTES), 0);
        bins.fill(Float64Array.from(ads.flat()), ads.length, margin);
        const [minX, minY, maxX, maxY] = [0, 1, 2, 3].map((side) => ads.map((ad) => ad[side]!)) as [number[], number[], number[], number[]]; // prettier-ignore
        const around = [Math.min(...minX) - margin, Math.min(...minY) - margin, Math.max(...maxX) + margin, Math.max(...maxY) + margin]; // prettier-ignore
        expect([...bins.rectangle]).toEqual(around.map(Math.fround));
      }),
    );
  });

  it('has as much room around each ad as is asked for, and no more when it is not', () => {
    const bins = new AdBins(new ArrayBuffer(BYTES), 0);
    const ads = Float64Array.of(0, 0, 10, 10, 90, 90, 100, 100);
    const beside = Float64Array.of(10.5, 0, 12, 10);
    bins.fill(ads, 2, 32);
    expect([...bins.rectangle]).toEqual([-32, -32, 132, 132]);
    expect(bins.touching(Float64Array.of(40, 0, 41, 10), 0)).toBe(1);
    bins.fill(ads, 2, 1);
    expect(bins.touching(beside, 0)).toBe(1);
    bins.fill(ads, 1);
    expect([...bins.rectangle]).toEqual([0, 0, 10, 10]);
  });
});

it.each([31, 32, 33, 63])('of %i ads, some of which share a bit, none is missed', (count) => {
  const bins = new AdBins(new ArrayBuffer(BYTES), 0);
  const ads = Array.from({ length: count }, (_, i) => [20 * i, 0, 20 * i + 10, 10]);
  const boxes = Float64Array.from(ads.flat());
  bins.fill(boxes, count);
  for (let i = 0; i < count; i++) expect(bins.touching(boxes, i) & AdBins.bitOf(i)).not.toBe(0);
});

import * as fc from 'fast-check';
import type * as Phaser from 'phaser';

import { ReadingCost } from '../../../src/textures/ReadingCost.js';

const frameOf = (cutWidth: number, cutHeight: number): Phaser.Textures.Frame =>
  ({ source: { image: {} }, cutWidth, cutHeight }) as unknown as Phaser.Textures.Frame;

test('a reading is expected to take as long lying as upright, and longer the more texels there are', () => {
  const side = fc.integer({ min: 1, max: 2000 });
  fc.assert(
    fc.property(side, side, fc.integer({ min: 2, max: 4 }), (width, height, times) => {
      const cost = new ReadingCost();
      const ms = cost.expectedMs(frameOf(width, height), 0);
      expect(cost.expectedMs(frameOf(height, width), 0)).toBe(ms);
      expect(cost.expectedMs(frameOf(times * width, height), 0)).toBeGreaterThan(ms);
      expect(cost.expectedMs(frameOf(width, times * height), 0)).toBeGreaterThan(ms);
    }),
  );
});

describe('what a reading is expected to take', () => {
  class Picture {
    constructor(
      readonly naturalWidth = 512,
      readonly naturalHeight = 512,
    ) {}
  }
  class Canvas {
    readonly width = 1;
  }
  beforeAll(() => void Object.assign(globalThis, { HTMLImageElement: Picture, HTMLCanvasElement: Canvas }));
  afterAll(() => {
    delete (globalThis as { HTMLImageElement?: unknown }).HTMLImageElement;
    delete (globalThis as { HTMLCanvasElement?: unknown }).HTMLCanvasElement;
  });

  const framed = (image: unknown, cutWidth = 512, cutHeight = 512): Phaser.Textures.Frame =>
    ({ source: { image }, cutWidth, cutHeight }) as unknown as Phaser.Textures.Frame;
  const warm = (): ReadingCost => {
    const cost = new ReadingCost();
    cost.record(frameOf(1, 1), 0, 0, 0);
    return cost;
  };

  it('is more for the first of all', () => {
    const [first, later] = [new ReadingCost(), warm()];
    expect(first.expectedMs(frameOf(64, 64), 0)).toBeGreaterThan(later.expectedMs(frameOf(64, 64), 0));
    // What cannot be read has not been read.
    first.record(framed(null), 1, 1, 0);
    expect(first.expectedMs(frameOf(64, 64), 0)).toBeGreaterThan(later.expectedMs(frameOf(64, 64), 0));
  });

  it('is more for a file that must be decoded, the more pixels it has, but not soon after it was', () => {
    const cost = warm();
    const frame = framed(new Picture());
    const before = cost.expectedMs(frame, 1000);
    expect(before).toBeGreaterThan(cost.expectedMs(frameOf(512, 512), 1000));
    expect(cost.expectedMs(framed(new Picture(1024, 512)), 1000)).toBeGreaterThan(before);
    expect(cost.expectedMs(framed(new Picture(512, 1024)), 1000)).toBeGreaterThan(before);
    cost.record(frame, 0, 0, 1000);
    for (const now of [1000, 2000, 11_000]) {
      expect(cost.expectedMs(frame, now)).toBe(cost.expectedMs(frameOf(512, 512), now));
    }
    // The browser may have let the pixels go.
    expect(cost.expectedMs(frame, 601_000)).toBe(before);
    expect(cost.expectedMs(framed(new Picture()), 2000)).toBe(before);
  });

  it('is learned from readings: as slow as the machine is, within reason', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 200, noNaN: true }), (slowness) => {
        const cost = warm();
        const frame = frameOf(2048, 2048);
        const usual = cost.expectedMs(frame, 0);
        for (let n = 0; n < 200; n++) cost.record(frame, cost.expectedMs(frame, 0), slowness * usual, 0);
        const learned = cost.expectedMs(frame, 0) / usual;
        const [least, most] = [Math.min(0.5, 0.9 * slowness), Math.max(1, slowness) * 1.1];
        expect(learned).toBeLessThan(Math.min(most, 20));
        expect(learned).toBeGreaterThan(slowness > 1 ? Math.min(0.9 * slowness, 10) : least);
        if (slowness > 0.6 && slowness < 15) expect(learned / slowness).toBeCloseTo(1, 1);
      }),
    );
  });

  it('is hardly changed by one that something else held up, and not by those too short to tell', () => {
    const cost = warm();
    const [frame, small] = [frameOf(2048, 2048), frameOf(8, 8)];
    const usual = cost.expectedMs(frame, 0);
    for (let n = 0; n < 20; n++) cost.record(small, cost.expectedMs(small, 0), 50, 0);
    expect(cost.expectedMs(frame, 0)).toBe(usual);
    cost.record(frame, usual, 1000 * usual, 0);
    expect(cost.expectedMs(frame, 0)).toBeLessThan(1.5 * usual);
    // Nor by the first, which waits for much else.
    const cold = new ReadingCost();
    cold.record(frame, usual, 4 * usual, 0);
    expect(cold.expectedMs(frame, 0)).toBe(usual);
  });

  it('is for a canvas, or what is drawn on the GPU, what it took the last time, and of no other', () => {
    const onGpu = { source: { image: {}, glTexture: { isRenderTexture: true } }, cutWidth: 512, cutHeight: 512 };
    for (const frame of [framed(new Canvas()), onGpu as unknown as Phaser.Textures.Frame]) {
      const cost = warm();
      const usual = cost.expectedMs(frame, 0);
      cost.record(frame, usual, 2.5 * usual, 0);
      expect(cost.expectedMs(frame, 0)).toBe(2.5 * usual);
      expect(cost.expectedMs(framed(new Canvas()), 0)).toBe(usual);
      cost.record(frame, usual, 0.1 * usual, 0);
      expect(cost.expectedMs(frame, 0)).toBe(usual);
      // One that something else held up must not keep it from ever being read at once.
      cost.record(frame, usual, 1000 * usual, 0);
      expect(cost.expectedMs(frame, 0)).toBeLessThan(10 * usual);
    }
  });
});

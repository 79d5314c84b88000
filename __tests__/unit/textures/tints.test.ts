import fc from 'fast-check';
import type * as Phaser from 'phaser';

import { type AlphaLookup, lookupOfPixels } from '../../../src/textures/AlphaReader.js';
import { AlphaMaps } from '../../../src/textures/AlphaMaps.js';
import { Blend } from '../../../src/textures/Blend.js';
import { contrastOf, lightOf } from '../../../src/textures/colourLight.js';
import type { ScratchContext } from '../../../src/textures/scratchContext.js';

/** A canvas of one colour throughout: red, green, blue and alpha, 0–255 each. */
class FakeCanvas {
  readonly naturalWidth = 4;
  readonly naturalHeight = 4;
  isTainted = false;

  constructor(public rgba: readonly number[]) {}
}

const globals = globalThis as { HTMLCanvasElement?: unknown; HTMLImageElement?: unknown };
beforeAll(() => (globals.HTMLCanvasElement = globals.HTMLImageElement = FakeCanvas));
afterAll(() => {
  delete globals.HTMLCanvasElement;
  delete globals.HTMLImageElement;
});

function start(canvas: FakeCanvas) {
  let now = 0;
  let uploads = 0;
  const context = {
    canvas: { width: 1, height: 1 },
    clearRect: () => undefined,
    drawImage: () => undefined,
    getImageData: (_x: number, _y: number, width: number, height: number) => {
      if (canvas.isTainted) throw new Error('tainted');
      return { data: Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => canvas.rgba[i % 4]!) };
    },
  } as unknown as ScratchContext;
  const pixels = {
    isPaintedDirectly: false,
    versionOf: () => uploads,
    changedAt: () => -Infinity,
    watchDrawing: () => undefined,
  };
  const maps = new AlphaMaps(
    () => ++now,
    () => context,
    pixels as never,
    null,
  );
  const frame = { source: { image: canvas }, cutX: 0, cutY: 0, cutWidth: 4, cutHeight: 4 } as unknown as Phaser.Textures.Frame; // prettier-ignore
  maps.beginFrame();
  const upload = (): void => {
    uploads++;
  };
  return { maps, frame, upload };
}

/** How dark the canvas is, 0–1, if it is so throughout. */
function darknessOf(lookup: AlphaLookup): number | string {
  if (lookup.kind !== 'map') return lookup.kind === 'opaque' ? 1 : lookup.kind;
  expect(lookup.map.alpha).toHaveLength(lookup.map.width * lookup.map.height);
  const values = new Set(lookup.map.alpha);
  return values.size === 1 ? [...values][0]! / 255 : 'uneven';
}

const byte = fc.integer({ min: 0, max: 255 });

describe('a picture filled with a tint', () => {
  it('hides by the light of the tint as far as it is opaque, and by its own as far as it is not', () => {
    fc.assert(
      fc.property(byte, byte, byte, (grey, alpha, strength) => {
        const { maps, frame } = start(new FakeCanvas([grey, grey, grey, alpha]));
        const own = (alpha / 255) * (grey / 255) * (1 - alpha / 255);
        const tint = (alpha / 255) * (strength / 255);
        const lit = darknessOf(maps.lookupFilled(frame, Blend.ADD, strength / 255)) as number;
        const dark = darknessOf(maps.lookupFilled(frame, Blend.DARKEN, strength / 255)) as number;
        expect(Math.abs(lit - Math.min(1, tint + own))).toBeLessThan(0.03);
        expect(Math.abs(dark - Math.max(0, tint - own))).toBeLessThan(0.03);
      }),
    );
  });
});

describe('a picture filled with a tint that lies over an ad', () => {
  it('hides by its opacity, or by the light that goes beyond white where that is more', () => {
    fc.assert(
      fc.property(byte, byte, byte, byte, (grey, alpha, opacity, tint) => {
        const { maps, frame } = start(new FakeCanvas([grey, grey, grey, alpha]));
        const strength = (opacity / 255) * (tint / 255);
        const own = (alpha / 255) * (grey / 255) * (1 - alpha / 255);
        const hidden = darknessOf(maps.lookupFilled(frame, Blend.COVER, strength, opacity / 255)) as number;
        // What is opaque is left to its vertices.
        if (maps.lookup(frame, Blend.COVER).kind === 'opaque') expect(hidden).toBe(1);
        else {
          const most = Math.max((alpha / 255) * (opacity / 255), (alpha / 255) * strength + own);
          expect(Math.abs(hidden - Math.min(1, most))).toBeLessThan(0.03);
        }
      }),
    );
  });

  it('keeps no answer for each of thousands of tints and opacities', () => {
    const { maps, frame } = start(new FakeCanvas([255, 255, 255, 100]));
    const answer = () => maps.lookupFilled(frame, Blend.COVER, 0.25, 0.5);
    const first = answer();
    expect(answer()).toBe(first);
    for (let i = 0; i < 64; i++) for (let k = 0; k < 8; k++) maps.lookupFilled(frame, Blend.COVER, i / 64, 1 - k / 64);
    expect(answer()).not.toBe(first);
    expect(answer()).toEqual(first);
  });
});

describe('a picture that multiplies under a tint', () => {
  it('takes away the light that neither picture nor tint lets through, as far as it is opaque', () => {
    fc.assert(
      fc.property(byte, byte, byte, byte, byte, (red, green, blue, alpha, tint) => {
        const { maps, frame } = start(new FakeCanvas([red, green, blue, alpha]));
        const expected = (alpha / 255) * (1 - (tint / 255) * ((red + green + blue) / 765));
        expect(Math.abs((darknessOf(maps.lookupTinted(frame, tint / 255)) as number) - expected)).toBeLessThan(0.016);
      }),
    );
  });

  it('is known from what was read of it: the same tint gives the same map, and white what it is untinted', () => {
    const { maps, frame } = start(new FakeCanvas([200, 100, 50, 128]));
    const [half, dim] = [maps.lookupTinted(frame, 0.5), maps.lookupTinted(frame, 0.25)];
    expect(maps.lookupTinted(frame, 0.5)).toBe(half);
    expect(maps.lookupTinted(frame, 0.25)).toBe(dim);
    expect(darknessOf(dim)).toBeGreaterThan(darknessOf(half) as number);
    expect(maps.lookupTinted(frame, 1)).toBe(maps.lookup(frame, Blend.DARKEN));
    expect(half).toMatchObject({ kind: 'map', map: { width: 4, height: 4 } });
  });

  it('has as many cells as the picture, and one where that is white and opaque throughout', () => {
    for (const [grey, side] of [
      [255, 1],
      [128, 4],
    ] as const) {
      // prettier-ignore
      const { maps, frame } = start(new FakeCanvas([grey, grey, grey, 255]));
      const lookup = maps.lookupTinted(frame, 0.5);
      expect(lookup).toMatchObject({ map: { width: side, height: side, isPixelated: false } });
      expect(darknessOf(lookup)).toBeCloseTo(1 - grey / 510, 1);
    }
  });

  it('is known anew when the picture is another', () => {
    const canvas = new FakeCanvas([255, 255, 255, 255]);
    const { maps, frame, upload } = start(canvas);
    expect(darknessOf(maps.lookupTinted(frame, 0.5))).toBeCloseTo(0.5, 1);
    canvas.rgba = [0, 0, 0, 255];
    upload();
    maps.beginFrame();
    expect(darknessOf(maps.lookupTinted(frame, 0.5))).toBe(1);
  });

  it('is unknown where the picture may not be read', () => {
    const canvas = new FakeCanvas([0, 0, 0, 255]);
    canvas.isTainted = true;
    const { maps, frame } = start(canvas);
    expect(darknessOf(maps.lookupTinted(frame, 0.5))).toBe('unknown');
  });
});

describe('the light of a colour', () => {
  it('is the mean of its channels, whichever they are', () => {
    fc.assert(
      fc.property(byte, byte, byte, (red, green, blue) => {
        const light = (red + green + blue) / 765;
        for (const [r, g, b] of [
          [red, green, blue],
          [blue, red, green],
          [green, blue, red],
        ] as [number, number, number][])
          // prettier-ignore
          expect(lightOf((r << 16) | (g << 8) | b)).toBeCloseTo(light, 12);
      }),
    );
  });

  it('has a contrast that is 0 at half light, 1 in black and white, and the same for a colour and its opposite', () => {
    expect([contrastOf(0, 0, 0), contrastOf(255, 255, 255), contrastOf(127.5, 127.5, 127.5)]).toEqual([1, 1, 0]);
    fc.assert(
      fc.property(byte, byte, byte, (red, green, blue) => {
        const contrast = contrastOf(red, green, blue);
        expect(contrastOf(255 - red, 255 - green, 255 - blue)).toBeCloseTo(contrast, 12);
        expect(contrastOf(green, blue, red)).toBeCloseTo(contrast, 12);
        expect(contrastOf(red, 255, blue)).toBeGreaterThanOrEqual(contrast);
      }),
    );
  });
});

test.each([
  ['an opaque pixel is as bright as it is', [60, 60, 60, 255], 60 / 255],
  ['a faint one is brightened by rounding alone', [255, 255, 255, 1], 0],
  ['one in between', [200, 200, 200, 51], 195 / 255],
])('brightness: %s', (_what, pixel, brightness) => {
  const pixels = Uint8ClampedArray.from(pixel);
  expect(lookupOfPixels(pixels, 1, 1, Blend.COVER, false)).toMatchObject({
    brightest: expect.closeTo(brightness, 6) as number,
  });
});

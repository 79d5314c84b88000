import { measured, takeArea } from '../../../src/geometry/convexArea.js';
import { alphasOf, type Band, gradientBands } from '../../../src/page/gradientBands.js';

const BOX = { left: 0, top: 0, right: 200, bottom: 100 };
const INK = 'rgb(0, 0, 0)';
const CLEAR = 'rgba(0, 0, 0, 0)';

/** How opaque a gradient is at a point, by its bands. */
function alphaAt(image: string, x: number, y: number): number {
  return alphaIn(gradientBands(image, BOX)!, x, y);
}

function alphaIn(bands: readonly Band[], x: number, y: number): number {
  return bands.find(({ shape }) => holds(shape, x, y))?.opacity ?? 0;
}

function holds(shape: readonly number[], x: number, y: number): boolean {
  let [isLeft, isRight] = [false, false];
  for (let i = 0; i < shape.length; i += 2) {
    const n = (i + 2) % shape.length;
    const side = (shape[n]! - shape[i]!) * (y - shape[i + 1]!) - (shape[n + 1]! - shape[i + 1]!) * (x - shape[i]!);
    isLeft ||= side < 0;
    isRight ||= side > 0;
  }
  return !(isLeft && isRight);
}

describe('a gradient along an axis', () => {
  it.each([
    ['90deg', 0.25, 150, 50],
    ['to left', 0.75, 150, 50],
    ['180deg', 0.25, 100, 75],
    ['to top', 0.75, 100, 75],
  ])('fades towards where it goes: %s', (side, alpha, x, y) => {
    expect(alphaAt(`linear-gradient(${side}, ${INK}, ${CLEAR})`, x, y)).toBeCloseTo(alpha, 1);
  });

  it.each([
    [CLEAR, INK, 100],
    [CLEAR, 'rgba(0, 0, 0, 0.8)', 75],
    ['rgba(0, 0, 0, 0.3)', 'rgba(0, 0, 0, 0.7)', 100],
  ])('takes half of the light as far as it does: from %s to %s', (to, from, at) => {
    const bands = gradientBands(`linear-gradient(90deg, ${from}, ${to})`, BOX)!;
    const opaque = bands.filter(({ opacity }) => opacity >= 0.5);
    expect(Math.max(...opaque.flatMap(({ shape }) => shape.filter((_, i) => i % 2 === 0)))).toBeCloseTo(at);
  });

  it('has sharp edges where stops meet, and lies evenly between those without a place', () => {
    const image = `linear-gradient(90deg, ${INK} 40px, ${CLEAR} 40px, ${CLEAR}, ${INK})`;
    expect(alphaAt(image, 39, 50)).toBe(1);
    expect(alphaAt(image, 41, 50)).toBe(0);
    expect(alphaAt(image, 160, 50)).toBeCloseTo(0.5, 1);
  });
});

describe('a gradient around a point', () => {
  it('keeps the area of its circle', () => {
    const bands = gradientBands(`radial-gradient(circle at 100px 50px, ${INK} 40px, ${CLEAR} 40px)`, BOX)!;
    let area = 0;
    for (const { shape } of bands) {
      takeArea(Float64Array.from(shape), 0, shape.length / 2);
      area += Math.abs(measured.area);
    }
    expect(area).toBeCloseTo(Math.PI * 1600, 0);
  });

  it.each<[size: string, across: number, down: number]>([
    ['circle closest-side', 30, 30],
    ['closest-side circle', 30, 30],
    ['circle farthest-side', 140, 140],
    ['circle closest-corner', Math.hypot(60, 30), Math.hypot(60, 30)],
    ['circle', Math.hypot(140, 70), Math.hypot(140, 70)],
    ['closest-side', 60, 30],
    ['ellipse farthest-side', 140, 70],
    ['closest-corner', 60 * Math.SQRT2, 30 * Math.SQRT2],
    ['', 140 * Math.SQRT2, 70 * Math.SQRT2],
    ['40px', 40, 40],
    ['60px 20px', 60, 20],
    ['25% 40%', 50, 40],
  ])('reaches as far each way as CSS says: %s', (size, across, down) => {
    const bands = gradientBands(`radial-gradient(${size} at 60px 30px, ${CLEAR}, ${INK})`, BOX)!;
    for (let k = 0; k < 64; k++) {
      const [part, angle] = [0.12 + (k % 8) / 10, 0.1 + (Math.PI * (k >> 3)) / 4];
      const [x, y] = [60 + part * across * Math.cos(angle), 30 + part * down * Math.sin(angle)];
      if (x < 0 || x > 200 || y < 0 || y > 100) continue;
      expect(Math.abs(alphaIn(bands, x, y) - part)).toBeLessThan(0.08);
    }
  });

  it('leaves a hole where it is clear', () => {
    const image = `radial-gradient(circle, ${CLEAR} 20px, ${INK} 20px)`;
    expect(alphaAt(image, 100, 50)).toBe(0);
    expect(alphaAt(image, 100, 75)).toBe(1);
  });
});

describe('other pictures', () => {
  it.each([
    `linear-gradient(45deg, ${INK}, ${CLEAR})`,
    `repeating-linear-gradient(90deg, ${INK}, ${CLEAR} 4px)`,
    `conic-gradient(${INK}, ${CLEAR})`,
    `linear-gradient(90deg, ${INK}, 30%, ${CLEAR})`,
    `linear-gradient(90deg, ${INK} calc(1em + 2px), ${CLEAR})`,
    'url("a.png")',
    'none',
  ])('are not told: %s', (image) => expect(gradientBands(image, BOX)).toBeNull());

  it('but where a gradient is the same everywhere', () => {
    expect(alphasOf(`conic-gradient(rgba(1, 2, 3, 0.5), rgba(3, 2, 1, 0.5))`)).toEqual({ least: 0.5, most: 0.5 });
    expect(alphasOf(`linear-gradient(${INK}, ${CLEAR})`)).toEqual({ least: 0, most: 1 });
    expect(alphasOf('url("linear-gradient(rgba(0, 0, 0, 0.1))")')).toEqual({ least: 0, most: 1 });
  });
});

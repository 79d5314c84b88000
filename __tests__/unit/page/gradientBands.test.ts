import fc from 'fast-check';

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

/** A colour of a gradient, and where it is, if that is said. */
interface Stop {
  readonly alpha: number;
  readonly at: number | null;
}

/** How opaque a gradient is so far along its line, as css-images-3 says. */
function opacityAlong(stops: readonly Stop[], length: number, at: number): number {
  const last = stops.length - 1;
  const places = stops.map((stop, i) => stop.at ?? (i === 0 ? 0 : i === last ? length : null));
  let most = -Infinity;
  const known = places.map((place) => (place === null ? null : (most = Math.max(most, place))));
  const line = known.map((place, i) => {
    if (place !== null) return place;
    const before =
      i -
      1 -
      known
        .slice(0, i)
        .reverse()
        .findIndex((one) => one !== null);
    const after = known.findIndex((one, k) => k > i && one !== null);
    return known[before]! + ((known[after]! - known[before]!) * (i - before)) / (after - before);
  });
  const next = line.findIndex((place) => place > at);
  if (next < 0) return stops[last]!.alpha;
  if (next === 0) return stops[0]!.alpha;
  const share = (at - line[next - 1]!) / (line[next]! - line[next - 1]!);
  return stops[next - 1]!.alpha + (stops[next]!.alpha - stops[next - 1]!.alpha) * share;
}

const textOf = (stops: readonly Stop[]): string =>
  stops.map(({ alpha, at }) => `rgba(0, 0, 0, ${alpha})${at === null ? '' : ` ${at}px`}`).join(', ');

const anyStops = fc.array(
  fc.record({
    alpha: fc.integer({ min: 0, max: 20 }).map((n) => n / 20),
    at: fc.option(fc.integer({ min: -40, max: 240 }), { nil: null }),
  }),
  { minLength: 2, maxLength: 5 },
);
/** Boxes that begin somewhere on the page. */
const anyBox = fc
  .record({
    left: fc.integer({ min: -300, max: 300 }),
    top: fc.integer({ min: -300, max: 300 }),
    width: fc.integer({ min: 20, max: 200 }),
    height: fc.integer({ min: 20, max: 200 }),
  })
  .map(({ left, top, width, height }) => ({ left, top, right: left + width, bottom: top + height }));

describe('what is made of a gradient, whatever its stops and wherever its box', () => {
  it.each(['to top', 'to right', 'to bottom', 'to left'])('is as opaque as the gradient: %s', (side) => {
    fc.assert(
      fc.property(anyBox, anyStops, (box, stops) => {
        const bands = gradientBands(`linear-gradient(${side}, ${textOf(stops)})`, box)!;
        expect(bands.flatMap(({ shape }) => shape).every(Number.isFinite)).toBe(true);
        const isDown = side === 'to top' || side === 'to bottom';
        const length = isDown ? box.bottom - box.top : box.right - box.left;
        const along = (at: number): number => opacityAlong(stops, length, at);
        for (let at = 0.37; at < length; at += length / 13) {
          const far = side === 'to top' || side === 'to left' ? length - at : at;
          const [x, y] = isDown ? [box.left + 3, box.top + far] : [box.left + far, box.top + 3];
          const near = [along(at - 2), along(at), along(at + 2)];
          const alpha = alphaIn(bands, x, y);
          expect(alpha).toBeGreaterThan(Math.min(...near) - 0.02);
          expect(alpha).toBeLessThan(Math.max(...near) + 0.02);
          // What takes half of the light hides what lies below: where that begins is exact.
          if (Math.min(...near) > 0.5) expect(alpha).toBeGreaterThanOrEqual(0.5);
          if (Math.max(...near) < 0.5) expect(alpha).toBeLessThan(0.5);
          expect(bands.filter(({ shape }) => holds(shape, x, y)).length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 40 },
    );
  });

  const keyword = fc.constantFrom('closest-side', 'farthest-side', 'closest-corner', 'farthest-corner');
  it('is as opaque as a gradient around a point', () => {
    const centre = fc.record({ x: fc.integer({ min: -60, max: 260 }), y: fc.integer({ min: -60, max: 260 }) });
    fc.assert(
      fc.property(anyBox, anyStops, centre, keyword, fc.boolean(), (box, stops, { x, y }, size, isCircle) => {
        const [width, height] = [box.right - box.left, box.bottom - box.top];
        const sides = [Math.abs(x), Math.abs(width - x), Math.abs(y), Math.abs(height - y)] as const;
        fc.pre(Math.min(...sides) > 3);
        const of = size.startsWith('closest') ? Math.min : Math.max;
        const [across, down] = [of(sides[0], sides[1]), of(sides[2], sides[3])];
        const isCorner = size.endsWith('corner');
        const round = isCorner ? Math.hypot(across, down) : of(across, down);
        const oval = isCorner ? Math.SQRT2 : 1;
        const [reachX, reachY] = isCircle ? [round, round] : [across * oval, down * oval];
        const shape = isCircle ? 'circle ' : '';
        const bands = gradientBands(`radial-gradient(${shape}${size} at ${x}px ${y}px, ${textOf(stops)})`, box)!;
        const along = (at: number): number => opacityAlong(stops, reachX, at);
        for (let k = 0; k < 16; k++) {
          const [px, py] = [(width * ((k & 3) + 0.43)) / 4, (height * ((k >> 2) + 0.57)) / 4];
          const at = reachX * Math.hypot((px - x) / reachX, (py - y) / reachY);
          // Its bands are many-sided, not round.
          const near = [-1, -0.5, 0, 0.5, 1].map((share) => along(at + share * (0.02 * at + 2 * Math.max(1, reachX / reachY)))); // prettier-ignore
          const alpha = alphaIn(bands, box.left + px, box.top + py);
          expect(alpha).toBeGreaterThan(Math.min(...near) - 0.06);
          expect(alpha).toBeLessThan(Math.max(...near) + 0.06);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('other pictures', () => {
  it.each([
    `radial-gradient(closest-side at 0px 50px, ${INK}, ${CLEAR})`,
    `radial-gradient(closest-side at 50px 0px, ${INK}, ${CLEAR})`,
    `radial-gradient(circle at 1em 50px, ${INK}, ${CLEAR})`,
    `radial-gradient(circle at 50px 1em, ${INK}, ${CLEAR})`,
    `radial-gradient(20px at right 10px bottom 20px, ${INK}, ${CLEAR})`,
    `radial-gradient(20px at 10px, ${INK}, ${CLEAR})`,
    `linear-gradient(1rad, ${INK}, ${CLEAR})`,
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

import fc from 'fast-check';
import { boxAround, cornersOf } from '../../../src/page/Box.js';
import { cut, inside, isBox, outlineOf, ring, roundBox, type Shape } from '../../../src/page/shapes.js';

const area = (shape: Shape): number => {
  let twice = 0;
  for (let i = 0; i < shape.length; i += 2) {
    const n = (i + 2) % shape.length;
    twice += shape[i]! * shape[n + 1]! - shape[n]! * shape[i + 1]!;
  }
  return Math.abs(twice) / 2;
};
type Radius = readonly [number, number];

const sum = (shapes: readonly Shape[]): number => shapes.reduce((all, shape) => all + area(shape), 0);

const size = fc.integer({ min: 1, max: 400 });
const box = fc.record({ left: size, top: size, width: size, height: size }).map(({ left, top, width, height }) => ({ left, top, right: left + width, bottom: top + height })); // prettier-ignore

describe('boxes with round corners', () => {
  it('have the area of the rounded rectangle', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 3000 }), (radius) => {
        const round = { box: { left: 0, top: 0, right: 4 * radius, bottom: 3 * radius }, radii: Array.from({ length: 4 }, () => [radius, radius] as const) }; // prettier-ignore
        const truth = 12 * radius ** 2 - (4 - Math.PI) * radius ** 2;
        expect(area(outlineOf(round)) / truth).toBeCloseTo(1, 6);
      }),
    );
  });

  it('take lengths, and shares of width and height; radii that are too large together shrink alike', () => {
    const styled = (radius: string): CSSStyleDeclaration =>
      ({
        borderRadius: radius,
        getPropertyValue: (name: string) => (name.endsWith('-radius') ? radius : ''),
      }) as CSSStyleDeclaration;
    expect(roundBox(styled('25% 10%'), 80, 40).radii[0]).toEqual([20, 4]);
    expect(roundBox(styled('6px'), 80, 40).radii[2]).toEqual([6, 6]);
    expect(roundBox(styled('80px 40px'), 80, 40).radii[1]).toEqual([40, 20]);
  });

  const radius = fc.constantFrom(0, 1, 3, 10, 40, 150);
  const radii = fc.array(fc.tuple(radius, radius), { minLength: 4, maxLength: 4 });
  const corners = ['top-left', 'top-right', 'bottom-right', 'bottom-left'];
  const styled = (each: readonly (readonly number[])[], shapes: Readonly<Record<string, string>> = {}) => {
    const values = corners.map((name, i) => [`border-${name}-radius`, each[i]!.map((one) => `${one}px`).join(' ')]);
    const all = new Map([...(values as [string, string][]), ...Object.entries(shapes)]);
    return { borderRadius: 'some', getPropertyValue: (name: string) => all.get(name) ?? '' } as CSSStyleDeclaration;
  };

  it('shrink all their radii by one factor, and only as far as they are too large together', () => {
    fc.assert(
      fc.property(radii, size, size, (each, width, height) => {
        const made = roundBox(styled(each), width, height).radii;
        const fit = Math.max(...each.flat()) > 0 ? Math.max(...made.flat()) / Math.max(...each.flat()) : 1;
        made.forEach(([across, down], i) => {
          expect(across).toBeCloseTo(each[i]![0] * fit);
          expect(down).toBeCloseTo(each[i]![1] * fit);
        });
        const [a, b, c, d] = made as [Radius, Radius, Radius, Radius];
        const used = [(a[0] + b[0]) / width, (c[0] + d[0]) / width, (a[1] + d[1]) / height, (b[1] + c[1]) / height];
        if (fit === 1) expect(Math.max(...used)).toBeLessThanOrEqual(1 + 1e-9);
        else expect(Math.max(...used)).toBeCloseTo(1);
      }),
    );
  });

  it('lose what is beyond the ellipses of their corners, each as its own radii say', () => {
    fc.assert(
      fc.property(radii, box, (each, { left, top, right, bottom }) => {
        const round = roundBox(styled(each), right - left, bottom - top);
        const lost = round.radii.reduce((sum, [across, down]) => sum + (1 - Math.PI / 4) * across * down, 0);
        const outline = outlineOf({ box: { left, top, right, bottom }, radii: round.radii });
        // The smallest corners are taken for sharp.
        const least = round.radii.some(([across, down]) => across > 3 && down > 3) ? lost * 1e-3 : 0;
        const small = round.radii.reduce((sum, [across, down]) => sum + (Math.min(across, down) > 3 ? 0 : (1 - Math.PI / 4) * across * down), 0); // prettier-ignore
        const missing = (right - left) * (bottom - top) - area(outline);
        expect(missing).toBeGreaterThan(lost - small - least - 1e-6);
        expect(missing).toBeLessThan(lost + least + 1e-6);
        expect(boxAround(outline)).toEqual({ left, top, right, bottom });
      }),
    );
  });

  it.each(corners)('are taken for sharp once one of them is no ellipse: %s', (corner) => {
    const each = [[9], [9], [9], [9]];
    const shape = (value: string) => roundBox(styled(each, { [`corner-${corner}-shape`]: value }), 80, 40).radii.flat();
    for (const round of ['round', 'superellipse(1)']) expect(shape(round)).toEqual(each.flatMap(([one]) => [one, one]));
    for (const odd of ['bevel', 'superellipse(2)']) expect(Math.max(...shape(odd))).toBe(0);
  });

  it('have few enough points to be cut, however large they are', () => {
    const huge = { box: { left: 0, top: 0, right: 1e5, bottom: 1e5 }, radii: Array.from({ length: 4 }, () => [4e4, 4e4] as const) }; // prettier-ignore
    expect(outlineOf(huge).length / 2).toBeLessThan(256);
  });

  it('are nothing once their sides have met', () => {
    const small = { box: { left: 0, top: 0, right: 10, bottom: 10 }, radii: Array.from({ length: 4 }, () => [0, 0] as const) }; // prettier-ignore
    expect(outlineOf(inside(small, [6, 6, 6, 6]))).toEqual([]);
    expect(outlineOf(inside(small, [6, 1, 6, 1]))).toEqual([]);
    expect(outlineOf(inside(small, [1, 5, 1, 5]))).toEqual([]);
  });

  it('have their sides moved in, each by its own length', () => {
    const sharp = Array.from({ length: 4 }, () => [0, 0] as const);
    const less = inside({ box: { left: 5, top: 7, right: 105, bottom: 57 }, radii: sharp }, [1, 2, 3, 4]);
    expect(less.box).toEqual({ left: 9, top: 8, right: 103, bottom: 54 });
    expect(isBox(outlineOf(less))).toBe(true);
  });
});

describe('cutting', () => {
  it('parts a box into what lies inside of another one and what lies outside', () => {
    fc.assert(
      fc.property(box, box, (a, b) => {
        const [whole, hole] = [cornersOf(a), cornersOf(b)];
        expect(area(cut(whole, hole)) + sum(ring(whole, hole))).toBeCloseTo(area(whole), 6);
      }),
    );
  });

  it('parts a box by a triangle, and a triangle by a box', () => {
    fc.assert(
      fc.property(box, box, (a, b) => {
        const [whole, other] = [cornersOf(a), [b.left, b.top, b.right, b.top, b.left, b.bottom]];
        expect(area(cut(whole, other)) + sum(ring(whole, other))).toBeCloseTo(area(whole), 6);
        expect(area(cut(other, whole)) + sum(ring(other, whole))).toBeCloseTo(area(other), 6);
        expect(area(cut(other, whole))).toBeCloseTo(area(cut(whole, other)), 6);
      }),
    );
  });

  it('leaves all where nothing is cut out, and nothing of nothing', () => {
    const whole = [5, 5, 9, 5, 9, 8, 5, 8];
    expect(sum(ring(whole, []))).toBe(12);
    expect(ring([], whole)).toEqual([]);
    expect(cut(whole, [])).toEqual([]);
  });

  it('knows a rectangle from other shapes, wherever it lies', () => {
    fc.assert(
      fc.property(box, (one) => {
        const [x, y] = [(one.left + one.right) / 2, (one.top + one.bottom) / 2];
        expect(isBox(cornersOf(one))).toBe(true);
        expect(isBox([x, one.top, one.right, y, x, one.bottom, one.left, y])).toBe(false);
      }),
    );
  });

  it('knows a rectangle from other shapes', () => {
    expect(isBox([0, 0, 9, 0, 9, 5, 0, 5])).toBe(true);
    expect(isBox([5, 0, 9, 5, 5, 9, 0, 5])).toBe(false);
    expect(isBox([0, 0, 9, 0, 9, 5])).toBe(false);
    expect(isBox([0, 0, 9, 5, 9, 0, 0, 5])).toBe(false);
    expect(boxAround([0, 0, 9, 0, 9, 5])).toEqual({ left: 0, top: 0, right: 9, bottom: 5 });
  });
});

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

  it('have few enough points to be cut, however large they are', () => {
    const huge = { box: { left: 0, top: 0, right: 1e5, bottom: 1e5 }, radii: Array.from({ length: 4 }, () => [4e4, 4e4] as const) }; // prettier-ignore
    expect(outlineOf(huge).length / 2).toBeLessThan(256);
  });

  it('are nothing once their sides have met', () => {
    const small = { box: { left: 0, top: 0, right: 10, bottom: 10 }, radii: Array.from({ length: 4 }, () => [0, 0] as const) }; // prettier-ignore
    expect(outlineOf(inside(small, [6, 6, 6, 6]))).toEqual([]);
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

  it('knows a rectangle from other shapes', () => {
    expect(isBox([0, 0, 9, 0, 9, 5, 0, 5])).toBe(true);
    expect(isBox([5, 0, 9, 5, 5, 9, 0, 5])).toBe(false);
    expect(isBox([0, 0, 9, 0, 9, 5])).toBe(false);
    expect(isBox([0, 0, 9, 5, 9, 0, 0, 5])).toBe(false);
    expect(boxAround([0, 0, 9, 0, 9, 5])).toEqual({ left: 0, top: 0, right: 9, bottom: 5 });
  });
});

import fc from 'fast-check';
import { common, isEmpty } from '../../../src/page/Box.js';
import { elementsOver } from '../../../src/page/elementsOver.js';
import { isCovered, type PageCover } from '../../../src/page/PageView.js';

const cover = (more: object): PageCover => {
  const at = { minX: 10, minY: 20, maxX: 30, maxY: 40 };
  return {
    ...at,
    shape: null,
    opacity: 1,
    isCertain: true,
    owner: null,
    element: 'menu' as unknown as Element,
    ...more,
  };
};
const square = (left: number, top: number): number[] =>
  [0, 0, 4, 0, 4, 4, 0, 4].map((at, i) => at + (i % 2 === 0 ? left : top));
const over = (covers: readonly PageCover[], ...area: number[][]): Element[] => elementsOver(covers, area, 0.5);

describe('the HTML elements over an area', () => {
  it('are those that cover any piece of it', () => {
    const pieces: [left: number, top: number, isOver: boolean][] = [
      [12, 22, true],
      [28, 22, true],
      [30, 22, false],
      [12, 40, false],
      [6, 22, false],
      [12, 16, false],
    ];
    for (const [left, top, isOver] of pieces) {
      expect(over([cover({})], square(left, top))).toEqual(isOver ? ['menu'] : []);
      expect(over([cover({})], square(90, 90), square(left, top))).toEqual(isOver ? ['menu'] : []);
    }
    expect(over([cover({})])).toEqual([]);
  });

  it('cover no more than their shape', () => {
    const triangle = cover({ shape: Float64Array.of(10, 20, 30, 20, 10, 40) });
    expect(over([triangle], square(11, 21))).toEqual(['menu']);
    expect(over([triangle], square(26, 36))).toEqual([]);
  });

  it('are named once each, in the order of the covers', () => {
    const covers = [{ element: 'b' }, { element: 'a' }, { element: 'b' }].map(cover);
    expect(over(covers, square(12, 22))).toEqual(['b', 'a']);
  });

  it('are strong enough to hide something, or may be, and no objects of the game', () => {
    expect(over([cover({ opacity: 0.5 })], square(12, 22))).toEqual(['menu']);
    expect(over([cover({ opacity: 0.4 })], square(12, 22))).toEqual([]);
    expect(over([cover({ opacity: 0.4, isCertain: false })], square(12, 22))).toEqual(['menu']);
    expect(over([cover({ owner: {} })], square(12, 22))).toEqual([]);
  });
});

it('a rectangle is covered if it has more than an edge in common with a cover', () => {
  const side = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 3 }));
  const box = fc.tuple(side, side).map(([[left, width], [top, height]]) => ({
    left,
    top,
    right: left + width,
    bottom: top + height,
  }));
  fc.assert(
    fc.property(fc.array(box, { maxLength: 3 }), box, fc.nat(3), (boxes, { left, top, right, bottom }, at) => {
      const numbers = Float64Array.from([...Array<number>(at).fill(-9), left, top, right, bottom, 99]);
      const covers = boxes.map((one) => cover({ minX: one.left, minY: one.top, maxX: one.right, maxY: one.bottom }));
      const isOver = boxes.some((one) => !isEmpty(common(one, { left, top, right, bottom })));
      expect(isCovered(covers, numbers, at)).toBe(isOver);
    }),
  );
});

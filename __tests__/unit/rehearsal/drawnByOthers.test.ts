import { addDrawnBy } from '../../../src/rehearsal/drawnByOthers.js';

const filtersOf = (...list: object[]): object => ({ internal: { list }, external: { list: [] } });
const listOf = (...list: object[]): object => ({ list, sortChildrenFlag: false });

const found = (target: object): Set<object> => {
  const to = new Set<object>();
  addDrawnBy(target, to);
  return to;
};

describe('what others draw, apart from where it is', () => {
  test.each<[string, (source: object) => object]>([
    ['the picture of a mask of Phaser 3', (bitmapMask) => ({ mask: { bitmapMask } })],
    ['the drawing of a mask', (geometryMask) => ({ mask: { geometryMask } })],
    ['the source of a mask filter', (maskGameObject) => ({ filters: filtersOf({ maskGameObject }) })],
    [
      'the source of a mask filter around it',
      (maskGameObject) => ({ filters: { internal: { list: [] }, external: { list: [{}, { maskGameObject }] } } }),
    ],
    ['what a reference draws as its stencil', (targetStencil) => ({ targetStencil })],
    [
      'the source of a filter within another',
      (maskGameObject) => ({
        filters: filtersOf({ top: { list: [] }, bottom: { list: [{ maskGameObject }] } }),
      }),
    ],
    [
      'the same from its other side',
      (maskGameObject) => ({ filters: filtersOf({ top: { list: [{ maskGameObject }] } }) }),
    ],
    ['the source of what is in a list', (targetStencil) => listOf({}, listOf({ targetStencil }))],
  ])('%s', (_name, using) => {
    const source = {};
    expect([...found(using(source))]).toEqual([source]);
  });

  test('and what that is drawn with itself', () => {
    const inner = {};
    const source = listOf({ targetStencil: inner });
    expect([...found({ targetStencil: source })]).toEqual([source, inner]);
  });

  test('also where they are drawn with each other', () => {
    const mask = { bitmapMask: {} };
    Object.assign(mask.bitmapMask, { mask });
    expect([...found({ mask })]).toEqual([mask.bitmapMask]);
  });

  test('nothing of most', () => {
    expect(found(listOf({ mask: null, filters: null }, { filters: filtersOf({}) })).size).toBe(0);
  });
});

import { ViewMemory } from '../../../src/measure/ViewMemory.js';
import { alphaMap, FrameBuilder, type Paint, rectangle } from './support/FrameBuilder.js';

const map = alphaMap(4, 4, () => 0.5);
const ad = { name: 'ad' };
const tree = { name: 'tree' };

interface Change {
  shape?: number[];
  pieces?: number[][];
  tree?: number[];
  paint?: Paint;
  far?: number[];
  opacity?: number;
  maskRadius?: number;
}

function frame(change: Change = {}): FrameBuilder {
  const result = new FrameBuilder();
  Object.assign(result, { adObject: ad });
  const mask = result.mask([{ points: rectangle(0, 0, change.maskRadius ?? 200, 200) }]);
  const shape = change.shape ?? rectangle(0, 0, 100, 50);
  result.ad(shape, change.pieces ?? [shape]);
  result.view.opacity = change.opacity ?? 1;
  result.paint(change.tree ?? rectangle(20, 20, 30, 30), { owner: tree, map, mask, opacity: 0.9, ...change.paint });
  result.paint(change.far ?? rectangle(500, 500, 10, 10), { owner: 'far' });
  return result;
}

test('a view is not known at first, and known when the next frame is the same', () => {
  const memory = new ViewMemory();
  for (const expected of [false, true, true]) {
    const { snapshot, view } = frame();
    expect(memory.isSame(snapshot, view)).toBe(expected);
  }
});

test('changes far from the ad do not matter', () => {
  const memory = new ViewMemory();
  memory.isSame(frame().snapshot, frame().view);
  const moved = frame({ far: rectangle(600, 500, 10, 10) });
  expect(memory.isSame(moved.snapshot, moved.view)).toBe(true);
});

test.each<[string, Change]>([
  ['the ad moves', { shape: rectangle(1, 0, 100, 50) }],
  ['the ad is clipped', { pieces: [rectangle(0, 0, 90, 50)] }],
  ['the ad fades', { opacity: 0.8 }],
  ['something over it moves', { tree: rectangle(20, 20, 30, 31) }],
  ['something over it fades', { paint: { opacity: 0.4 } }],
  ['something over it becomes another object', { paint: { owner: {} } }],
  ['a texture changes', { paint: { map: alphaMap(4, 4, () => 0.5) } }],
  ['a texture scrolls', { paint: { uv: [0.1, 0, 0, 0.1, 1, 0] } }],
  ['a gradient appears', { paint: { gradient: [0.01, 0] } }],
  ['a mask changes', { maskRadius: 40 }],
  ['something comes near', { far: rectangle(50, 10, 10, 10) }],
])('the view is not the same when %s, and is again when that lasts', (_, change) => {
  const memory = new ViewMemory();
  const before = frame();
  memory.isSame(before.snapshot, before.view);
  const after = frame(change);
  const far = 'far' in change;
  expect(memory.isSame(after.snapshot, after.view)).toBe(false);
  expect(memory.isSame(after.snapshot, after.view)).toBe(true);
  expect(memory.isSame(before.snapshot, before.view)).toBe(false);
  expect(far || after.snapshot.count === before.snapshot.count).toBe(true);
});

test('a forgotten view is not known', () => {
  const memory = new ViewMemory();
  const { snapshot, view } = frame();
  memory.isSame(snapshot, view);
  memory.forget();
  expect(memory.isSame(snapshot, view)).toBe(false);
});

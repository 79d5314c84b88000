import * as fc from 'fast-check';

import { measureView } from '../../../src/measure/measureView.js';
import { PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
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
  isUnknown?: boolean;
  isInverted?: boolean;
  opacity?: number;
  maskRadius?: number;
  outerRadius?: number;
}

function frame(change: Change = {}): FrameBuilder {
  const result = new FrameBuilder();
  Object.assign(result, { adObject: ad });
  const outer = result.mask([{ points: rectangle(0, 0, change.outerRadius ?? 300, 200) }]);
  const mask = result.mask([{ points: rectangle(0, 0, change.maskRadius ?? 200, 200) }], change.isInverted, outer);
  const shape = change.shape ?? rectangle(0, 0, 100, 50);
  result.ad(shape, change.pieces ?? [shape]);
  result.view.opacity = change.opacity ?? 1;
  result.view.unmeasurable = change.isUnknown ?? false;
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
  ['a texture scrolls down', { paint: { uv: [4 / 30, 0, 0, 4 / 30, (-4 * 20) / 30, 0] } }],
  ['a gradient appears', { paint: { gradient: [0.01, 0] } }],
  ['a gradient appears from above', { paint: { gradient: [0, 0.01] } }],
  ['something over it adds light', { paint: { flags: PolygonFlag.ADDS } }],
  ['the ad becomes unknown', { isUnknown: true }],
  ['a mask is turned about', { isInverted: true }],
  ['a mask changes', { maskRadius: 40 }],
  ['a mask around a mask changes', { outerRadius: 40 }],
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

/** Two sheets over an ad. */
function twoSheets(put: (builder: FrameBuilder) => readonly [Paint, Paint]): FrameBuilder {
  const result = new FrameBuilder();
  Object.assign(result, { adObject: ad });
  const paints = put(result);
  result.ad(rectangle(0, 0, 100, 50));
  for (const paint of paints) result.paint(rectangle(20, 20, 30, 30), { owner: tree, ...paint });
  return result;
}

test('the view is not the same when what was behind one mask is behind two of its kind', () => {
  const window = [{ points: rectangle(0, 0, 40, 40) }];
  const joined = (): FrameBuilder => twoSheets((of) => ((mask) => [{ mask }, { mask }] as const)(of.mask(window)));
  const apart = (): FrameBuilder => twoSheets((of) => [{ mask: of.mask(window) }, { mask: of.mask(window) }]);
  const memory = new ViewMemory();
  const isSame = ({ snapshot, view }: FrameBuilder): boolean => memory.isSame(snapshot, view);
  expect([joined(), joined(), apart(), apart(), joined()].map(isSame)).toEqual([false, true, false, true, false]);
});

test('the view is the same when something beneath the ad, or painted for other ads only, changes', () => {
  const memory = new ViewMemory();
  const isSame = (size: number, reach = 9): boolean => {
    const { snapshot, view } = twoSheets((of) => {
      of.paint(rectangle(0, 0, size, size), { owner: 'ground' });
      return [{}, {}];
    });
    const other = snapshot.addPolygon(rectangle(0, 0, size, size), 0, 4);
    snapshot.reach[other] = reach;
    return memory.isSame(snapshot, view);
  };
  expect([isSame(60), isSame(70), isSame(70, 0), isSame(80, 0)]).toEqual([false, true, false, false]);
});

test('the view is not the same when something beneath an ad that lets it through changes', () => {
  const memory = new ViewMemory();
  const isSame = (size: number, alpha: number, ground = 0): boolean => {
    const { snapshot, view } = twoSheets((of) => {
      of.paint(rectangle(0, 0, size, size), { owner: 'ground' });
      return [{}, {}];
    });
    view.alpha = alpha;
    snapshot.ground = ground;
    return memory.isSame(snapshot, view);
  };
  expect([isSame(60, 0.9), isSame(60, 0.9), isSame(70, 0.9), isSame(70, 0.8)]).toEqual([false, true, false, false]);
  expect([isSame(70, 0.8, 1), isSame(70, 0.8, 1)]).toEqual([false, true]);
});

test('the view is not the same when the last of its covers is gone, however many there are', () => {
  const memory = new ViewMemory();
  const isSame = (covers: number): boolean => {
    const frame = new FrameBuilder();
    Object.assign(frame, { adObject: ad });
    frame.ad(rectangle(0, 0, 100, 50));
    for (let i = 0; i < covers; i++) frame.paint(rectangle(i % 90, 20, 5, 5), { owner: tree });
    return memory.isSame(frame.snapshot, frame.view);
  };
  expect([isSame(300), isSame(300), isSame(299), isSame(299), isSame(300)]).toEqual([false, true, false, true, false]);
});

test('the view is not the same when the ad has become another of its pieces', () => {
  const memory = new ViewMemory();
  const isSame = (pieces: number): boolean => {
    const frame = new FrameBuilder();
    // The ad's second piece is painted as its cover is.
    frame.ad(
      rectangle(0, 0, 100, 50),
      Array.from({ length: pieces }, () => rectangle(0, 0, 100, 50)),
      { owner: tree },
    );
    if (pieces === 1) frame.paint(rectangle(0, 0, 100, 50), { owner: tree });
    return memory.isSame(frame.snapshot, frame.view);
  };
  expect([isSame(2), isSame(2), isSame(1)]).toEqual([false, true, false]);
});

describe('whatever a frame is made of', () => {
  const maps = [0, 1].map((odd) => alphaMap(4, 4, (column, row) => (column + row + odd) % 2));
  const cover = fc.record({
    points: fc.constantFrom(rectangle(5, 5, 20, 20), rectangle(5, 5, 20, 9), [5, 5, 30, 5, 5, 20]),
    opacity: fc.constantFrom(1, 0.4),
    gradient: fc.constantFrom<[number, number]>([0, 0], [-0.01, 0], [-0.02, 0], [0, -0.02], [0, -0.03]),
    flags: fc.constantFrom(0, 0, PolygonFlag.ADDS, PolygonFlag.UNMEASURABLE),
    map: fc.constantFrom(null, ...maps),
    uv: fc.tuple(...[0.2, 0, 0, 0.2, -1, -1].map((number) => fc.constantFrom(number, number, number + 0.05))),
    maskWidth: fc.constantFrom(Infinity, 20, 12),
    isInverted: fc.boolean(),
  });
  const parts = fc.record({
    shape: fc.constantFrom(rectangle(0, 0, 40, 20), rectangle(-40, 0, 80, 20)),
    piece: fc.constantFrom(rectangle(0, 0, 40, 20), rectangle(0, 0, 30, 20)),
    opacity: fc.constantFrom(1, 0.7, 0.3),
    fade: fc.constantFrom(1, 0.75),
    alpha: fc.constantFrom(1, 0.6),
    unmeasurable: fc.boolean(),
    ground: fc.constantFrom(1, 0),
    beneath: fc.constantFrom(rectangle(0, 0, 40, 20), rectangle(0, 0, 10, 20)),
    first: cover,
    second: cover,
  });
  type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

  function put({ shape, piece, ground, beneath, first, second, ...view }: Parts): FrameBuilder {
    const result = new FrameBuilder(200, 200);
    Object.assign(result, { adObject: ad });
    result.paint(beneath, { owner: tree, opacity: 0.8 });
    const covers = [first, second].map(({ points, map, maskWidth, isInverted, uv, ...paint }) => ({
      points,
      paint: {
        ...paint,
        owner: tree,
        ...(map === null ? {} : { map, uv }),
        ...(maskWidth === Infinity ? {} : { mask: result.mask([{ points: rectangle(0, 0, maskWidth, 20) }], isInverted) }),
      },
    })); // prettier-ignore
    result.ad(shape, [piece]);
    Object.assign(result.view, view);
    result.snapshot.ground = ground;
    for (const { points, paint } of covers) result.paint(points, paint);
    return result;
  }

  function measured({ snapshot, view }: FrameBuilder): ViewMeasurement {
    const out = new ViewMeasurement();
    measureView(snapshot, view, { blockingOpacity: 0.5 }, out);
    return out;
  }

  /** Another frame that differs in one thing at most. */
  const almost = (one: Parts) =>
    fc
      .tuple(parts, fc.constantFrom(...(Object.keys(one) as (keyof Parts)[])))
      .chain(([other, key]) =>
        key !== 'first' && key !== 'second'
          ? fc.constant({ ...one, [key]: other[key] })
          : fc
              .constantFrom(...(Object.keys(one[key]) as (keyof Parts['first'])[]))
              .map((within) => ({ ...one, [key]: { ...one[key], [within]: other[key][within] } })),
      );

  it('a view that is the same has the same figures', () => {
    const pair = parts.chain((one) => fc.tuple(fc.constant(one), almost(one)));
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const memory = new ViewMemory();
        const [before, after] = [put(one), put(other)];
        memory.isSame(before.snapshot, before.view);
        if (memory.isSame(after.snapshot, after.view)) expect(measured(after)).toEqual(measured(before));
        expect(memory.isSame(after.snapshot, after.view)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

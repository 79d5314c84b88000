import * as fc from 'fast-check';
import { evenly } from '../../helpers/evenly.js';
import { FragmentSet } from '../../../src/geometry/FragmentSet.js';
import { collectVisibleFragments } from '../../../src/measure/collectVisibleFragments.js';
import { PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { measureView } from '../../../src/measure/measureView.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { whyUnseenAt } from '../../../src/measure/whyUnseenAt.js';
import { alphaMap, FrameBuilder, rectangle, regular, turned } from './support/FrameBuilder.js';

const OPTIONS = { blockingOpacity: 0.5 };
/** Nearer to an edge than this, rounding decides. */
const MARGIN = 1e-6;

const at = ({ snapshot, view }: FrameBuilder, x: number, y: number, options = OPTIONS) =>
  whyUnseenAt(snapshot, view, x, y, options);

function seenArea({ snapshot, view }: FrameBuilder): number {
  const seen = new FragmentSet();
  collectVisibleFragments(snapshot, view, OPTIONS, seen);
  seen.sumUp();
  return seen.area;
}

/** How far a point lies within a convex polygon; below 0, outside. */
function depthIn(xy: ArrayLike<number>, start: number, length: number, x: number, y: number): number {
  let area = 0;
  let depth = Infinity;
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < length; i++) {
      const a = start + 2 * i;
      const b = start + 2 * ((i + 1) % length);
      const [ax, ay, bx, by] = [xy[a]!, xy[a + 1]!, xy[b]!, xy[b + 1]!];
      if (pass === 0) area += ax * by - bx * ay;
      else {
        const side = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / (Math.hypot(bx - ax, by - ay) || 1);
        depth = Math.min(depth, Math.sign(area) * side);
      }
    }
  }
  return depth;
}

describe('E1: whether an ad is what the player sees at a point', () => {
  const number = (min: number, max: number) => evenly(min, max);
  const cover = fc.record({
    shape: fc.oneof(
      fc
        .tuple(number(0, 400), number(0, 300), number(1, 250), number(1, 250), number(0, 6.3))
        .map(([x, y, width, height, angle]) => turned(x, y, width, height, angle)),
      fc
        .tuple(number(0, 400), number(0, 300), number(2, 120), fc.integer({ min: 3, max: 12 }), fc.boolean())
        .map(([x, y, radius, sides, reversed]) => regular(x, y, radius, sides, 0.3, reversed)),
    ),
    opacity: fc.oneof(fc.constant(1), number(0.02, 1)),
    isTextured: fc.boolean(),
    flags: fc.constantFrom(0, 0, 0, PolygonFlag.UNMEASURABLE, PolygonFlag.ADDS),
  });
  const own = fc.record({
    shape: fc.tuple(number(60, 300), number(60, 200), number(20, 250), number(20, 200), number(0, 6.3)),
    isCut: fc.boolean(),
    opacity: fc.constantFrom(1, 1, 0.6, 0.3),
    isTextured: fc.boolean(),
    isMasked: fc.boolean(),
  });
  const holes = alphaMap(7, 5, (column, row) => ((column + row) % 3 === 0 ? 0.1 : 0.9));

  it('is so strictly within what is shown of it as seen, and nowhere outside of that', () => {
    fc.assert(
      fc.property(
        own,
        fc.array(cover, { maxLength: 5 }),
        fc.array(fc.tuple(number(-10, 410), number(-10, 310)), { minLength: 20, maxLength: 20 }),
        (ad, covers, points) => {
          const frame = new FrameBuilder(400, 300);
          const shape = turned(...ad.shape);
          const mask = ad.isMasked ? frame.mask([{ points: regular(200, 150, 90, 8) }]) : undefined;
          frame.ad(shape, [ad.isCut ? rectangle(100, 80, 90, 70) : shape], {
            ...(ad.isTextured ? { map: holes } : {}),
            ...(mask === undefined ? {} : { mask }),
          });
          frame.view.opacity = ad.opacity;
          for (const { shape: points, opacity, isTextured, flags } of covers) {
            frame.paint(points, { opacity, flags, ...(isTextured ? { map: holes } : {}) });
          }
          const seen = new FragmentSet();
          collectVisibleFragments(frame.snapshot, frame.view, OPTIONS, seen);
          for (const [x, y] of points) {
            let depth = -Infinity;
            for (let i = 0; i < seen.count; i++) {
              depth = Math.max(depth, depthIn(seen.xy, seen.start[i]!, seen.length[i]!, x, y));
            }
            if (!(x >= 0 && y >= 0 && x < 400 && y < 300)) expect(at(frame, x, y)).toBe('viewport');
            else if (depth > MARGIN) expect(at(frame, x, y)).toBeNull();
            // What is cut off may leave fragments that meet at the point.
            else if (depth < -MARGIN) expect(at(frame, x, y)).not.toBeNull();
          }
        },
      ),
    );
  });

  it('is so in the very pixels that are shown of it as seen, each once, where texels, masks or several covers decide', () => {
    const [width, height] = [16, 10];
    const place = fc
      .tuple(number(-6, 15), number(-6, 9), number(1, 20), number(1, 15), fc.constantFrom(0, 0, 0.4))
      .map(([x, y, w, h, angle]) => turned(x + w / 2, y + h / 2, w, h, angle));
    const sheet = fc.record({ place, opacity: fc.constantFrom(1, 0.4, 0.3), isTextured: fc.boolean() });
    const ad = fc.record({ place, isTextured: fc.boolean(), window: fc.option(place) });
    const seen = new FragmentSet();
    fc.assert(
      fc.property(ad, fc.array(sheet, { maxLength: 4 }), ({ place, isTextured, window }, sheets) => {
        const frame = new FrameBuilder(width, height);
        const map = (is: boolean) => (is ? { map: holes } : {});
        const mask = window ? { mask: frame.mask([{ points: window }]) } : {};
        frame.ad(place, undefined, { ...map(isTextured), ...mask });
        for (const one of sheets) frame.paint(one.place, { opacity: one.opacity, ...map(one.isTextured) });
        // One that lets light through decides nothing by itself: from here on pixels do.
        frame.paint(rectangle(0, 0, width, height), { opacity: 0.02 });
        collectVisibleFragments(frame.snapshot, frame.view, OPTIONS, seen);
        const shown = new Uint8Array(width * height);
        for (let i = 0; i < seen.count; i++) {
          const [left, top, , , right, bottom] = seen.xy.subarray(seen.start[i], seen.start[i]! + 8);
          for (let y = top!; y < bottom!; y++) for (let x = left!; x < right!; x++) shown[y * width + x]! += 1;
        }
        const pixels = Array.from(shown, (_, k) => at(frame, (k % width) + 0.5, Math.floor(k / width) + 0.5));
        expect([...shown]).toEqual(pixels.map((reason) => (reason === null ? 1 : 0)));
      }),
      { numRuns: 25 },
    );
  });

  it('is shown as one piece where rows of pixels are alike, however large it is', () => {
    const frame = new FrameBuilder(700, 600).ad(rectangle(50, 40, 600, 500));
    const isCovered = (column: number, row: number): boolean =>
      column < 200 ? column < 100 || row >= 450 : column < 300;
    const band = alphaMap(600, 500, (column, row) => Number(isCovered(column, row)));
    frame.paint(rectangle(50, 40, 600, 500), { map: { ...band, isPixelated: true } });
    const seen = new FragmentSet();
    collectVisibleFragments(frame.snapshot, frame.view, OPTIONS, seen);
    const pieces = Array.from({ length: seen.count }, (_, i) => [...seen.xy.subarray(8 * i, 8 * i + 8)]);
    expect(pieces).toEqual([rectangle(150, 40, 100, 450), rectangle(350, 40, 300, 500)]);
  });

  it('says why not', () => {
    const frame = new FrameBuilder(400, 300)
      .ad(rectangle(100, 100, 200, 100), [rectangle(100, 100, 150, 100)])
      .paint(rectangle(160, 100, 20, 100), { flags: PolygonFlag.UNMEASURABLE })
      .paint(rectangle(100, 100, 50, 100))
      .paint(rectangle(200, 100, 20, 100), { opacity: 0.4 });
    expect(at(frame, 120, 150)).toBe('obstructed');
    expect(at(frame, 170, 150)).toBe('unmeasurable');
    expect(at(frame, 155, 150)).toBeNull();
    expect(at(frame, 210, 150)).toBeNull();
    expect(at(frame, 210, 150, { blockingOpacity: 0.3 })).toBe('obstructed');
    expect([at(frame, 270, 150), at(frame, 50, 50)]).toEqual(['clipped', 'clipped']);
    frame.view.opacity = 0.4;
    expect([at(frame, 155, 150), at(frame, 50, 50)]).toEqual(['transparent', 'clipped']);
    frame.view.opacity = 0.5;
    expect(at(frame, 155, 150)).toBeNull();
    frame.view.opacity = 1;
    frame.view.unmeasurable = true;
    expect(at(frame, 155, 150)).toBe('unmeasurable');
    expect(seenArea(frame)).toBe(0);
  });

  it('is so neither outside of the canvas nor at what is no point', () => {
    const frame = new FrameBuilder(400, 300).ad(rectangle(-50, -50, 500, 400));
    for (const [x, y] of [[-1, 50], [50, -1], [400, 50], [50, 300], [NaN, 50], [50, NaN], [Infinity, 50]] as const) {
      expect(at(frame, x, y)).toBe('viewport');
    } // prettier-ignore
    expect(at(frame, 399.9, 299.9)).toBeNull();
    expect(at(frame, 0, 0)).toBeNull();
    expect(at(new FrameBuilder(400, 300).ad(rectangle(100, 100, 50, 50), []), 120, 120)).toBe('clipped');
    expect(at(new FrameBuilder(400, 300).ad([100, 100, 150, NaN, 200, 100, 200, 200, 100, 200]), 120, 150)).toBe(
      'clipped',
    );
  });

  it('is so at the clear texels of what lies above, and not at its own', () => {
    const left = alphaMap(2, 1, (column) => (column === 0 ? 1 : 0));
    const under = new FrameBuilder(400, 300)
      .ad(rectangle(100, 100, 100, 100))
      .paint(rectangle(100, 100, 100, 100), { map: left });
    expect([at(under, 110, 150), at(under, 190, 150)]).toEqual(['obstructed', null]);
    const itself = new FrameBuilder(400, 300).ad(rectangle(100, 100, 100, 100), undefined, { map: left });
    expect([at(itself, 110, 150), at(itself, 190, 150)]).toEqual([null, 'clipped']);
  });

  it.each(['beside', 'beneath'])('is so as the pixel is around the point, where texels or several covers decide %s it', (side) => {
    const isBeneath = side === 'beneath';
    const place = (x: number, y: number, width: number, height: number): number[] =>
      isBeneath ? rectangle(y, x, height, width) : rectangle(x, y, width, height);
    const along = (frame: FrameBuilder, ...places: number[]) =>
      places.map((place) => (isBeneath ? at(frame, 150, place) : at(frame, place, 150)));
    const isFirst = (column: number, row: number): number => (column + row === 0 ? 1 : 0);
    const first = isBeneath ? alphaMap(1, 2, isFirst) : alphaMap(2, 1, isFirst);
    const itself = new FrameBuilder(400, 300).ad(place(100.3, 100, 100, 100), undefined, { map: first });
    expect(along(itself, 149.9, 150.1)).toEqual([null, 'clipped']);
    const texels = new FrameBuilder(400, 300).ad(place(100, 100, 100, 100));
    texels.paint(place(100.3, 100, 100, 100), { map: first });
    expect(along(texels, 149.9, 150.1)).toEqual(['obstructed', null]);
    const under = new FrameBuilder(400, 300).ad(place(100, 100, 100, 100));
    for (let i = 0; i < 2; i++) under.paint(place(100, 100, 20.6, 100), { opacity: 0.4 });
    expect(along(under, 120.9, 121.1)).toEqual(['obstructed', null]);
    // A cover that blocks by itself has exact edges.
    for (const opacity of [1, 0.5]) {
      const exact = new FrameBuilder(400, 300).ad(place(100, 100, 100, 100));
      exact.paint(place(100, 100, 20.6, 100), { opacity });
      expect(along(exact, 120.5, 120.9)).toEqual(['obstructed', null]);
    }
  }); // prettier-ignore

  it('is not so where its own mask and what lies above dim it to less than half together', () => {
    const frame = new FrameBuilder(400, 300);
    const mask = frame.mask([{ points: rectangle(0, 0, 400, 300), paint: { opacity: 0.7 } }]);
    frame.ad(rectangle(100, 100, 100, 100), undefined, { mask });
    expect(at(frame, 150, 150)).toBeNull();
    frame.paint(rectangle(100, 100, 50, 100), { opacity: 0.4 });
    expect([at(frame, 120, 150), at(frame, 180, 150)]).toEqual(['obstructed', null]);
    expect(seenArea(frame)).toBe(5000);
  });

  it('is not known where light falls on an ad that shows something unknown below it', () => {
    const lit = (...below: number[]): FrameBuilder => {
      const frame = new FrameBuilder(400, 300).paint(below, { flags: PolygonFlag.UNMEASURABLE });
      frame
        .ad(rectangle(100, 100, 100, 100))
        .paint(rectangle(100, 100, 50, 100), { opacity: 0.1, flags: PolygonFlag.ADDS });
      Object.assign(frame.view, { alpha: 0.6, opacity: 0.6 });
      return frame;
    };
    const unknown = lit(...rectangle(90, 90, 120, 120));
    const measured = new ViewMeasurement();
    measureView(unknown.snapshot, unknown.view, OPTIONS, measured);
    expect([measured.unmeasurable, at(unknown, 120, 150), seenArea(unknown)]).toEqual([true, 'unmeasurable', 0]);
    const beside = lit(...rectangle(0, 0, 50, 50));
    expect([at(beside, 120, 150), seenArea(beside)]).toEqual([null, 10_000]);
  });
});

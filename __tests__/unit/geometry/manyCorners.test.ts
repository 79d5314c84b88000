import { clipConvex } from '../../../src/geometry/clipConvex.js';
import { ClipRegion } from '../../../src/geometry/ClipRegion.js';
import { intersectRegions } from '../../../src/geometry/combineRegions.js';
import { convexArea } from '../../../src/geometry/convexArea.js';
import { FragmentSet } from '../../../src/geometry/FragmentSet.js';
import { measureView } from '../../../src/measure/measureView.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { alphaMap, FrameBuilder, type Paint, rectangle, regular } from '../viewability/support/FrameBuilder.js';

const DISC = Math.PI * 100 ** 2;
const disc = (corners: number, x = 0): Float64Array => Float64Array.from(regular(x, 0, 100, corners));
const square = Float64Array.from(rectangle(-200, -200, 400, 400));

function uncovered(subject: Float64Array, covers: readonly Float64Array[]): number {
  const fragments = new FragmentSet();
  fragments.add(subject, 0, subject.length / 2);
  for (const cover of covers) fragments.subtract(cover, 0, cover.length / 2);
  fragments.sumUp();
  return fragments.area;
}

/** Rooms that once had a fixed size: beyond it corners were lost without a word, and what they hid was seen. */
describe.each([256, 300, 700, 5000])('a polygon of %i corners', (corners) => {
  test('takes its area of another', () => {
    expect(uncovered(square, [disc(corners)]) / (160_000 - DISC)).toBeCloseTo(1, 3);
  });

  test('is covered by another of as many', () => {
    expect(uncovered(disc(corners), [disc(corners, 0.001)])).toBeLessThan(1);
  });

  test('is counted once where two others of as many lie over it', () => {
    const left = uncovered(
      square,
      [0, 50, -50].map((x) => disc(corners, x)),
    );
    const lens = (apart: number): number =>
      2 * 100 ** 2 * Math.acos(apart / 200) - (apart / 2) * Math.sqrt(4 * 100 ** 2 - apart ** 2);
    // What all three have in common is what the outer two have.
    expect(left / (160_000 - 3 * DISC + 2 * lens(50))).toBeCloseTo(1, 3);
  });

  test('is clipped by another of as many, and never with corners left out', () => {
    const out = new Float64Array(4 * corners);
    const length = clipConvex(disc(corners), 0, corners, disc(corners, 50), 0, corners, out);
    const lens = 2 * 100 ** 2 * Math.acos(0.25) - 25 * Math.sqrt(4 * 100 ** 2 - 50 ** 2);
    expect(convexArea(out, 0, length) / lens).toBeCloseTo(1, 3);
    expect(() =>
      clipConvex(disc(corners), 0, corners, disc(corners, 0.1), 0, corners, new Float64Array(2 * 100)),
    ).toThrow(RangeError);
    const [one, other, both] = [new ClipRegion(), new ClipRegion(), new ClipRegion()];
    one.addPiece(disc(corners), 0, corners);
    other.addPiece(disc(corners, 50), 0, corners);
    intersectRegions(one, other, both);
    expect(convexArea(both.xy, 0, both.start[1]! / 2) / lens).toBeCloseTo(1, 3);
  });

  test.each<[string, Paint]>([
    ['opaque', {}],
    ['translucent', { opacity: 0.7 }],
    ['textured', { map: alphaMap(4, 4, () => 1) }],
  ])('hides of an ad what it covers: %s', (_how, paint) => {
    const frame = new FrameBuilder().ad(rectangle(300, 300, 200, 200)).paint(regular(400, 400, 90, corners), paint);
    const out = new ViewMeasurement();
    measureView(frame.snapshot, frame.view, { blockingOpacity: 0.5 }, out);
    expect(Math.abs(out.lostArea - Math.PI * 90 ** 2)).toBeLessThan(0.01 * 40_000);
  });
});

import { FrameSnapshot, NONE, PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { alphaMap, rectangle } from './support/FrameBuilder.js';

/** All that a snapshot tells of a polygon. */
const told = ({ flags, opacity, gradient, owner, alphaMap, mask, reach, box, start, length }: FrameSnapshot, i: number) => [
  flags[i], opacity[i], gradient[2 * i], gradient[2 * i + 1], owner[i], alphaMap[i], mask[i], reach[i], length[i],
  start[i], ...box.subarray(4 * i, 4 * i + 4),
]; // prettier-ignore

function fillIn(snapshot: FrameSnapshot, i: number): void {
  snapshot.flags[i] = 31;
  snapshot.opacity[i] = 0.25;
  snapshot.gradient.set([0.5, 0.75], 2 * i);
  snapshot.owner[i] = snapshot.alphaMap[i] = snapshot.mask[i] = i + 1;
  snapshot.reach[i] = -i - 1;
  snapshot.uv.fill(i, 6 * i, 6 * i + 6);
}

it('knows nothing of a polygon but its shape, whatever the frame before had in its place', () => {
  const snapshot = new FrameSnapshot();
  const fresh = [PolygonFlag.PAINTED, 1, 0, 0, NONE, NONE, NONE, 0, 4, 0, 5, 6, 15, 26];
  for (let frame = 0; frame < 2; frame++) {
    snapshot.reset(100, 100);
    const index = snapshot.addPolygon(rectangle(5, 6, 10, 20), 0, 4);
    expect(index).toBe(0);
    expect(told(snapshot, index)).toEqual(fresh);
    fillIn(snapshot, index);
  }
});

it('keeps all that it was told of polygons when there are very many', () => {
  const snapshot = new FrameSnapshot();
  const many = 1000;
  const expected: unknown[] = [];
  for (let i = 0; i < many; i++) {
    snapshot.addPolygon(rectangle(i, 0, 1, 1), 0, 4);
    fillIn(snapshot, i);
    expected.push(told(snapshot, i));
  }
  expect(snapshot.count).toBe(many);
  for (let i = 0; i < many; i++) {
    expect(told(snapshot, i)).toEqual(expected[i]);
    expect(expected[i]).not.toContain(undefined);
    expect([...snapshot.uv.subarray(6 * i, 6 * i + 6)]).toEqual(Array(6).fill(i));
    const from = 2 * snapshot.start[i]!;
    expect([...snapshot.xy.subarray(from, from + 8)]).toEqual(rectangle(i, 0, 1, 1));
  }
});

it.each([
  [0, [true, true, true]],
  [1, [false, true, true]],
  [2, [false, false, true]],
  [-1, [true, false, false]],
  [-2, [true, true, false]],
])('a polygon of reach %i may cover of three views these: %p', (reach, covered) => {
  const snapshot = new FrameSnapshot();
  const views = [0, 1, 2].map((ad) => snapshot.addView(ad));
  const index = snapshot.addPolygon(rectangle(0, 0, 1, 1), 0, 4);
  snapshot.reach[index] = reach;
  expect(views.map((view) => snapshot.mayCover(index, view))).toEqual(covered);
  snapshot.flags[index] = PolygonFlag.UNMEASURABLE;
  expect(views.some((view) => snapshot.mayCover(index, view))).toBe(false);
});

it('begins each view anew, and shares the index of what was added just before', () => {
  const snapshot = new FrameSnapshot();
  const view = snapshot.addView(3, 'camera');
  expect(view).toMatchObject({ ad: 3, camera: 'camera' });
  Object.assign(view, { unmeasurable: true, opacity: 0.5, pieceTo: 9 });
  const [one, other] = [{}, {}];
  expect([one, one, other, one].map((owner) => snapshot.addOwner(owner))).toEqual([0, 0, 1, 2]);
  const mask = { from: 0, to: 1, invert: false, outer: -1 };
  expect([mask, mask, { ...mask }].map((each) => snapshot.addMask(each))).toEqual([0, 0, 1]);
  const [bitmap, picture] = [alphaMap(1, 1, () => 1), alphaMap(1, 1, () => 1)];
  expect([bitmap, bitmap, picture, bitmap].map((each) => snapshot.addAlphaMap(each))).toEqual([0, 0, 1, 2]);
  snapshot.reset(10, 10);
  expect(snapshot.addView()).toMatchObject({
    index: 0,
    ad: 0,
    camera: null,
    unmeasurable: false,
    opacity: 1,
    pieceTo: 0,
  });
  expect([snapshot.addOwner(other), snapshot.addMask(mask), snapshot.addAlphaMap(picture)]).toEqual([0, 0, 0]);
  snapshot.addPolygon(rectangle(0, 0, 1, 1), 0, 4);
  snapshot.release();
  const { owners, masks, alphaMaps, views, count } = snapshot;
  expect([owners, masks, alphaMaps, views, count]).toEqual([[], [], [], [], 0]);
});

it('knows the box around some of its polygons', () => {
  const snapshot = new FrameSnapshot();
  for (const [x, y, width, height] of [[0, 0, 99, 99], [5, 40, 3, 2], [2, 50, 9, 1], [7, 30, 2, 8], [0, 0, 99, 99]] as const)
    snapshot.addPolygon(rectangle(x, y, width, height), 0, 4); // prettier-ignore
  const around = Float64Array.of(3, 3, 3, 3, 3);
  for (const [from, to, box] of [[1, 4, [2, 30, 11, 51]], [2, 3, [2, 50, 11, 51]], [1, 2, [5, 40, 8, 42]]] as const) {
    snapshot.takeBox(from, to, around);
    expect([...around]).toEqual([...box, 3]);
  } // prettier-ignore
});

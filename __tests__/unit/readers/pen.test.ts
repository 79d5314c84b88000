import { ClipRegion } from '../../../src/geometry/ClipRegion.js';
import { isConvex } from '../../../src/geometry/isConvex.js';
import { convexArea } from '../../../src/geometry/convexArea.js';
import type { Pen } from '../../../src/record/Pen.js';
import { Snap } from '../../../src/record/Pen.js';
import type { FrameSnapshot } from '../../../src/measure/FrameSnapshot.js';
import { paint, placed } from './painting.js';

const SIDES = 300;
const circle = Array.from({ length: SIDES }, (_, i) => [
  400 + 100 * Math.cos((2 * Math.PI * i) / SIDES),
  300 + 100 * Math.sin((2 * Math.PI * i) / SIDES),
]).flat();
const circleArea = (SIDES / 2) * 100 ** 2 * Math.sin((2 * Math.PI) / SIDES);

function areaOf({ count, start, length, xy }: FrameSnapshot): number {
  let area = 0;
  for (let i = 0; i < count; i++) area += Math.abs(convexArea(xy, 2 * start[i]!, length[i]!));
  return area;
}

function drawn(draw: (pen: Pen) => void): FrameSnapshot {
  return paint((_object, { pen }) => draw(pen), placed).snapshot;
}

describe('a pen', () => {
  test('draws a convex polygon of any number of corners whole', () => {
    expect(
      areaOf(
        drawn((pen) => {
          pen.convex(circle, 0, SIDES, 1);
        }),
      ),
    ).toBeCloseTo(circleArea, 6);
  });

  test('clips to a mask of any number of corners', () => {
    const snapshot = drawn((pen) => {
      const mask = new ClipRegion();
      mask.addPiece(circle, 0, SIDES);
      pen.clip = mask;
      pen.quad(200, 100, 400, 400, 1);
    });
    expect(areaOf(snapshot)).toBeCloseTo(circleArea, 6);
  });

  test('moves a rectangle as a whole to where its first corner is on a pixel', () => {
    const { xy } = drawn((pen) => {
      pen.snap = Snap.FIRST;
      pen.quad(10.3, 20.6, 5.5, 5.5, 1);
    });
    expect([...xy.slice(0, 8)]).toEqual([10, 21, 15.5, 21, 15.5, 26.5, 10, 26.5]);
  });

  test('rounds each corner where every corner is rounded', () => {
    const { xy } = drawn((pen) => {
      pen.snap = Snap.EACH;
      pen.quad(10.3, 20.6, 5.5, 5.5, 1);
    });
    expect([...xy.slice(0, 8)]).toEqual([10, 21, 16, 21, 16, 26, 10, 26]);
  });

  test('draws an outline that a shader rounds in convex pieces with whole corners', () => {
    const small = circle.map((at, i) => (i % 2 === 0 ? 400.3 + (at - 400) / 4 : 300.4 + (at - 300) / 4));
    const painting = paint((_object, { pen }) => {
      pen.roundsCorners = true;
      pen.convex(small, 0, SIDES, 1);
    }, placed);
    const { count, start, length, xy } = painting.snapshot;
    const pieces = Array.from({ length: count }, (_, i) => [...xy.slice(2 * start[i]!, 2 * (start[i]! + length[i]!))]);
    expect(pieces.filter((points) => !isConvex(points, points.length / 2))).toEqual([]);
    expect(pieces.flat().filter((at) => !Number.isInteger(at))).toEqual([]);
    // No corner moves farther than half the diagonal of a pixel.
    const at = (radius: number, turn: number) =>
      painting.at(400.3 + radius * Math.cos(turn), 300.4 + radius * Math.sin(turn));
    const turns = Array.from({ length: 100 }, (_, i) => (i * Math.PI) / 50);
    expect(turns.filter((turn) => at(25 - 0.8, turn) !== 1 || at(25 + 0.8, turn) !== 0)).toEqual([]);
  });
});

import * as fc from 'fast-check';

import { ClipRegion } from '../../../src/geometry/ClipRegion.js';
import { complementInside, intersectRegions, makeDisjoint } from '../../../src/geometry/combineRegions.js';
import { convexArea } from '../../../src/geometry/convexArea.js';
import { regular } from '../viewability/support/FrameBuilder.js';
import {
  cellsIn,
  cornersOf,
  GRID,
  gridRectangle,
  orSkip,
  referenceDifference,
  referenceIntersection,
  referenceUnion,
  spreadPolygon,
  square,
} from './support.js';

function region(polygons: readonly (readonly number[])[]): ClipRegion {
  const result = new ClipRegion();
  for (const polygon of polygons) result.addPiece(polygon, 0, polygon.length / 2);
  return result;
}

function disjoint(polygons: readonly (readonly number[])[]): ClipRegion {
  const result = new ClipRegion();
  makeDisjoint(region(polygons), result);
  return result;
}

function pieces(of: ClipRegion): number[][] {
  return Array.from({ length: of.pieceCount }, (_, i) => of.xy.slice(of.start[i], of.start[i + 1]));
}

function sumOfAreas(of: ClipRegion): number {
  return pieces(of).reduce((sum, piece) => sum + convexArea(piece, 0, piece.length / 2), 0);
}

const polygons = fc.array(spreadPolygon, { minLength: 1, maxLength: 10 });

test('overlapping polygons become pieces whose areas add up to the area of the union', () => {
  fc.assert(
    fc.property(polygons, (list) => {
      const union = orSkip(() => referenceUnion(list));
      expect(Math.abs(sumOfAreas(disjoint(list)) - union)).toBeLessThanOrEqual(1e-6 * union);
    }),
    { numRuns: 60 },
  );
});

test('pieces made disjoint do not overlap and cover what was given, no more', () => {
  fc.assert(
    fc.property(polygons, (list) => {
      const made = pieces(disjoint(list));
      const union = orSkip(() => referenceUnion(list));
      expect(Math.abs(orSkip(() => referenceUnion(made)) - union)).toBeLessThanOrEqual(1e-5 * union);
      expect(Math.abs(orSkip(() => referenceUnion([...made, ...list])) - union)).toBeLessThanOrEqual(1e-5 * union);
    }),
    { numRuns: 50 },
  );
});

test('a rectangle drawn as triangles becomes one rectangle', () => {
  const made = disjoint([
    [10, 10, 60, 10, 60, 40],
    [10, 10, 60, 40, 10, 40],
  ]);
  expect(made.isRectangle).toBe(true);
  expect(pieces(made)).toEqual([[10, 10, 60, 10, 60, 40, 10, 40]]);
});

test('the complement inside a rectangle is the rectangle minus the region', () => {
  fc.assert(
    fc.property(polygons, (list) => {
      const out = new ClipRegion();
      complementInside(region(list), 0, 0, 100, 100, out);
      const expected = orSkip(() => referenceDifference(square, list));
      expect(Math.abs(sumOfAreas(out) - expected)).toBeLessThanOrEqual(1e-6 * 10_000);
    }),
    { numRuns: 80 },
  );
});

test('the complement of nothing is the whole rectangle, that of everything is nothing', () => {
  const out = new ClipRegion();
  complementInside(region([]), 0, 0, 100, 100, out);
  expect(out.isRectangle).toBe(true);
  complementInside(region([[-10, -10, 210, -10, -10, 210]]), 0, 0, 100, 100, out);
  expect(out.pieceCount).toBe(0);
});

test('the intersection of two regions is what both cover', () => {
  fc.assert(
    fc.property(polygons, polygons, (a, b) => {
      const out = new ClipRegion();
      intersectRegions(disjoint(a), disjoint(b), out);
      const expected = orSkip(() => referenceIntersection(a, b));
      expect(Math.abs(sumOfAreas(out) - expected)).toBeLessThanOrEqual(1e-5 * 10_000);
    }),
    { numRuns: 60 },
  );
});

test('two rectangles meet in a rectangle, or in nothing', () => {
  const a = new ClipRegion();
  const b = new ClipRegion();
  const out = new ClipRegion();
  a.setRectangle(0, 0, 50, 50);
  b.setRectangle(30, 40, 90, 90);
  intersectRegions(a, b, out);
  expect([out.isRectangle, out.minX, out.minY, out.maxX, out.maxY]).toEqual([true, 30, 40, 50, 50]);
  b.setRectangle(50, 0, 90, 90);
  intersectRegions(a, b, out);
  expect(out.pieceCount).toBe(0);
});

test('of a rectangle and another shape only the rectangle is one', () => {
  const window = new ClipRegion();
  const out = new ClipRegion();
  window.setRectangle(0, 0, 100, 50);
  const triangle = region([[0, 0, 100, 0, 0, 100]]);
  for (const [a, b] of [
    [window, triangle],
    [triangle, window],
  ] as const) {
    intersectRegions(a, b, out);
    expect(out.isRectangle).toBe(false);
    expect(sumOfAreas(out)).toBeCloseTo(3750, 6);
  }
  complementInside(region([[0, 0, 5, 0, 0, 5]]), 0, 0, 100, 100, out);
  expect(out.isRectangle).toBe(false);
  expect(sumOfAreas(out)).toBeCloseTo(9987.5, 6);
  // A piece added to a rectangle leaves it none.
  window.addPiece([200, 0, 220, 0, 220, 50, 200, 50], 0, 4);
  intersectRegions(window, region([square]), out);
  expect(sumOfAreas(out)).toBeCloseTo(5000, 6);
  intersectRegions(window, disjoint([[150, 0, 300, 0, 300, 50, 150, 50]]), out);
  expect(sumOfAreas(out)).toBeCloseTo(1000, 6);
});

test('a rectangle of not-a-number is empty', () => {
  const window = new ClipRegion();
  window.setRectangle(0, 0, NaN, 50);
  expect(window.pieceCount).toBe(0);
});

test('what is left but for rounding is nothing', () => {
  const out = new ClipRegion();
  const bottom = 100 - 2 ** -30;
  complementInside(region([[0, 0, 100, 0, 100, bottom, 0, bottom]]), 0, 0, 100, 100, out);
  expect(out.pieceCount).toBe(0);
  // On two sides.
  const top = 2 ** -30;
  complementInside(region([[0, top, 100, top, 100, bottom, 0, bottom]]), 0, 0, 100, 100, out);
  expect(out.pieceCount).toBe(0);
});

test.each([0, -5000])('a clip that goes back for rounding cuts nothing off, also near (%i, 0)', (x) => {
  const out = new ClipRegion();
  const at = (points: readonly number[]): number[] => points.map((value, i) => (i % 2 === 0 ? value + x : value - 500));
  intersectRegions(region([at(square)]), region([at([0, 0, 50, 0, 50, 100, 50 - 3e-13, 100 - 9e-13, 0, 100])]), out);
  expect(sumOfAreas(out)).toBeCloseTo(5000, 6);
});

test('what a region has in common with another does not depend on vertices doubled but for rounding', () => {
  const noise = fc.double({ min: -3e-13, max: 3e-13, noNaN: true });
  const doubled = fc
    .tuple(spreadPolygon, fc.array(fc.tuple(noise, noise), { minLength: 8, maxLength: 8 }))
    .map(([polygon, noises]) =>
      noises.slice(0, polygon.length / 2).flatMap(([dx, dy], i) => {
        const [x, y] = [polygon[2 * i]!, polygon[2 * i + 1]!];
        return [x, y, x + dx, y + dy];
      }),
    );
  fc.assert(
    fc.property(doubled, polygons, (clip, list) => {
      const single = clip.filter((_, i) => i % 4 < 2);
      const [common, expected] = [new ClipRegion(), new ClipRegion()];
      intersectRegions(disjoint(list), region([clip]), common);
      intersectRegions(disjoint(list), region([single]), expected);
      expect(Math.abs(sumOfAreas(common) - sumOfAreas(expected))).toBeLessThanOrEqual(1e-6);
    }),
    { numRuns: 60 },
  );
});

/** Fails unless the region is exactly these cells of the grid, each in one piece, with their bounds. */
function expectCells(of: ClipRegion, cells: readonly boolean[]): void {
  const isInside = (piece: readonly number[], x: number, y: number): boolean => {
    const sides = piece.flatMap((ax, i) => {
      if (i % 2 === 1) return [];
      const [ay, bx, by] = [1, 2, 3].map((k) => piece[(i + k) % piece.length]!) as [number, number, number];
      return [Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax))];
    });
    return !(sides.includes(1) && sides.includes(-1));
  };
  const among = pieces(of);
  const counts = cells.map((_, i) => {
    // Not the middle, which edges between corners of the grid may run through.
    const [x, y] = [(i % GRID) + 0.4871, Math.floor(i / GRID) + 0.5137];
    return among.filter((piece) => isInside(piece, x, y)).length;
  });
  expect(counts).toEqual(cells.map(Number));
  const inside = cells.flatMap((isIn, i) => (isIn ? [[i % GRID, Math.floor(i / GRID)] as const] : []));
  const [xs, ys] = [inside.map(([x]) => x), inside.map(([, y]) => y)];
  const bounds = [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1] as const;
  expect([of.minX, of.minY, of.maxX, of.maxY]).toEqual(bounds);
  const isFull = inside.length > 0 && (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]) === inside.length;
  expect([of.isRectangle, isFull && of.pieceCount]).toEqual([isFull, isFull && 1]);
}

test('regions of rectangles are what a grid shows, cell by cell, with its bounds', () => {
  const list = fc.array(fc.tuple(gridRectangle, fc.boolean()), { maxLength: 8 });
  const cellsOf = (rectangles: readonly (readonly [Parameters<typeof cellsIn>[0], boolean])[]): boolean[] =>
    rectangles.map(([one]) => cellsIn(one)).reduce((all, more) => all.map((isIn, i) => isIn || more[i]!), cellsIn([0, 0, 0, 0])); // prettier-ignore
  const out = new ClipRegion();
  fc.assert(
    fc.property(list, list, gridRectangle, (first, second, frame) => {
      const [a, b] = [first, second].map((rectangles) =>
        disjoint(rectangles.map(([one, isReversed]) => cornersOf(one, isReversed))),
      ) as [ClipRegion, ClipRegion];
      expectCells(a, cellsOf(first));
      intersectRegions(a, b, out);
      const [inFirst, inSecond, inFrame] = [cellsOf(first), cellsOf(second), cellsIn(frame)];
      expectCells(out, inFirst.map((isIn, i) => isIn && inSecond[i]!)); // prettier-ignore
      complementInside(b, ...frame, out);
      expectCells(out, inFrame.map((isIn, i) => isIn && !inSecond[i]!)); // prettier-ignore
    }),
  );
});

test('a region of a single point has nothing in common with any other', () => {
  const out = new ClipRegion();
  intersectRegions(region([square]), region([[50, 50, 50, 50, 50, 50]]), out);
  expect(out.pieceCount).toBe(0);
});

test('what two regions of many turned corners have in common has the corners of both', () => {
  const out = new ClipRegion();
  const turned = region([regular(0, 0, 100, 700, Math.PI / 700)]);
  intersectRegions(region([regular(0, 0, 100, 700)]), turned, out);
  expect(pieces(out).map(({ length }) => length)).toEqual([2800]);
});

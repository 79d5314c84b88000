import * as fc from 'fast-check';

import type { Pen } from '../../../src/phaser/reading/Pen.js';
import { isConvex, PolygonTape } from '../../../src/phaser/reading/readers/PolygonTape.js';
import { convexArea } from '../../../src/geometry/convexArea.js';

/** What a tape draws, polygon by polygon. */
function drawn(tape: PolygonTape): number[][] {
  const polygons: number[][] = [];
  const pen = {
    reaches: () => true,
    strength: () => 1,
    convex: (xy: Float64Array, at: number, length: number) => polygons.push([...xy.slice(at, at + 2 * length)]),
  };
  tape.play(pen as unknown as Pen, 1);
  return polygons;
}

/** Corners on a circle, as many as need several pieces too. */
const outline = fc
  .tuple(fc.integer({ min: 3, max: 90 }), fc.double({ min: 0, max: 6, noNaN: true }))
  .map(([sides, turn]) =>
    Array.from({ length: sides }, (_, i) => {
      const angle = turn + (i * 2 * Math.PI) / sides;
      return [100 * Math.cos(angle), 100 * Math.sin(angle)] as const;
    }),
  );
const off = fc.double({ min: -1e-4, max: 1e-4, noNaN: true });

test('points repeated nearly at the same place leave no edge between them, and the area as it is', () => {
  fc.assert(
    fc.property(outline, fc.array(fc.tuple(off, off), { minLength: 90, maxLength: 90 }), (corners, offs) => {
      const points = corners.flatMap(([x, y], i) => [x, y, x + offs[i]![0], y + offs[i]![1]]);
      const tape = new PolygonTape();
      tape.reset();
      expect(tape.fillConvex([...points, corners[0]![0], corners[0]![1]], 0, points.length + 2)).toBe(true);
      const pieces = drawn(tape);
      const vertices = pieces.reduce((sum, piece) => sum + piece.length / 2, 0);
      // A piece begins with the corner all have in common, and the last one of the piece before.
      expect(vertices).toBe(corners.length + 2 * (pieces.length - 1));
      for (const piece of pieces) expect(isConvex(piece, 0, piece.length)).toBe(true);
      const area = pieces.reduce((sum, piece) => sum + convexArea(piece, 0, piece.length / 2), 0);
      const single = corners.flat();
      expect(area).toBeCloseTo(convexArea(single, 0, corners.length), 6);
    }),
    { numRuns: 100 },
  );
});

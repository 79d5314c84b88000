import fc from 'fast-check';
import { NearQuads } from '../../../src/phaser/reading/NearQuads.js';

const STRIDE = 7;
type Point = readonly [number, number];
interface Shape {
  readonly points: readonly Point[];
  readonly isQuad: boolean;
}

const coordinate = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -400, max: 900, noNaN: true }) },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 130 }) },
  { weight: 1, arbitrary: fc.constantFrom(-0, 0, 1e-40, -1e-40, 1e30, -1e30, 100) },
);
const point = fc.tuple(coordinate, coordinate);
const shape: fc.Arbitrary<Shape> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(point, point, point, point).map((points) => ({ points, isQuad: true })) },
  { weight: 1, arbitrary: fc.tuple(point, point, point).map((points) => ({ points, isQuad: false })) },
);

/** Vertices as `MultiPipeline` batches them. */
function batch(shapes: readonly Shape[]): { bits: Uint32Array; f32: Float32Array; count: number } {
  const vertices = shapes.flatMap(({ points, isQuad }) =>
    isQuad ? [0, 1, 2, 0, 2, 3].map((i) => points[i]!) : [...points],
  );
  const f32 = new Float32Array(vertices.length * STRIDE + 8);
  vertices.forEach(([x, y], i) => f32.set([x, y, 0.5, 0.5, 1, 0, -1], i * STRIDE));
  return { bits: new Uint32Array(f32.buffer), f32, count: vertices.length };
}

/** First vertices of the triangles whose boxes meet the rectangle. */
function touching(f32: Float32Array, count: number, [minX, minY, maxX, maxY]: readonly number[]): number[] {
  const found: number[] = [];
  for (let v = 0; v + 3 <= count; v += 3) {
    const xs = [0, 1, 2].map((i) => f32[(v + i) * STRIDE]!);
    const ys = [0, 1, 2].map((i) => f32[(v + i) * STRIDE + 1]!);
    const isApart =
      Math.max(...xs) <= minX! || Math.min(...xs) >= maxX! || Math.max(...ys) <= minY! || Math.min(...ys) >= maxY!;
    if (!isApart) found.push(v);
  }
  return found;
}

/** First vertices of the triangles it found. */
function trianglesOf(near: NearQuads, count: number): number[] {
  return [...near.found.subarray(0, near.count)].flatMap((v) =>
    v >= 0 ? [v, v + 3] : ~v + 6 <= count ? [~v, ~v + 3] : [~v],
  );
}

/** A batch, and what was found in it. */
function lookedThrough(shapes: readonly Shape[], box: readonly [number, number, number, number]) {
  const vertices = batch(shapes);
  const near = new NearQuads();
  near.near(...box);
  near.find(vertices.bits, 0, vertices.count);
  return { ...vertices, near };
}

describe('the look through a batch', () => {
  const rectangle = fc
    .tuple(
      fc.constantFrom(0, -0, 10.5, 100),
      fc.constantFrom(0, -0, 3, 77.7),
      fc.double({ min: 1, max: 300, noNaN: true }),
    )
    .map(([x, y, size]): [number, number, number, number] => [x, y, x + size, y + size / 2]);

  it('misses no triangle that touches the rectangle', () => {
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 40 }), rectangle, (shapes, box) => {
        const { f32, count, near } = lookedThrough(shapes, box);
        const found = new Set(trianglesOf(near, count));
        expect(touching(f32, count, box).filter((v) => !found.has(v))).toEqual([]);
      }),
    );
  });

  it('takes two triangles for a quad only where they are one', () => {
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 40 }), rectangle, (shapes, box) => {
        const { f32, near } = lookedThrough(shapes, box);
        const corner = (v: number) => [f32[v * STRIDE], f32[v * STRIDE + 1]];
        for (const v of near.found.subarray(0, near.count)) {
          if (v < 0) continue;
          expect(corner(v + 3)).toEqual(corner(v));
          expect(corner(v + 4)).toEqual(corner(v + 2));
        }
      }),
    );
  });

  it('leaves out what lies apart', () => {
    const apart: Shape = { isQuad: true, points: [[200, 0], [200, 9], [209, 9], [209, 0]] }; // prettier-ignore
    const over: Shape = { isQuad: true, points: [[50, 50], [50, 59], [59, 59], [59, 50]] }; // prettier-ignore
    const left: Shape = { isQuad: true, points: [[-50, 50], [-50, 59], [-1, 59], [-1, 50]] }; // prettier-ignore
    const { bits, count, near } = lookedThrough([apart, over, left, apart], [0, 0, 100, 100]);
    expect([...near.found.subarray(0, near.count)]).toEqual([6]);
    near.find(bits, 12, count);
    expect(near.count).toBe(0);
  });
});

import fc from 'fast-check';
import { isQuad, NearQuads, type VertexOwner } from '../../../src/phaser/reading/NearQuads.js';

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

/** As `MultiPipeline` keeps its vertices. */
function pipelineFor(capacity: number, vertexCount: number): VertexOwner {
  const vertexData = new ArrayBuffer(capacity * STRIDE * 4);
  return {
    vertexData,
    bytes: new Uint8Array(vertexData),
    vertexViewF32: new Float32Array(vertexData),
    vertexViewU32: new Uint32Array(vertexData),
    vertexCount,
  };
}

/** A batch, and what was found in it. */
function lookedThrough(
  isSimd: boolean,
  shapes: readonly Shape[],
  box: readonly [number, number, number, number],
  from = 0,
) {
  const vertices = shapes.flatMap(({ points, isQuad }) =>
    isQuad ? [0, 1, 2, 0, 2, 3].map((i) => points[i]!) : [...points],
  );
  const count = vertices.length;
  // In the middle of a batch the vertices stay where they are.
  const pipeline = pipelineFor(count, isSimd ? 0 : 6);
  const original = pipeline.vertexData;
  const near = NearQuads.of(pipeline);
  expect(pipeline.vertexData === original).toBe(!isSimd);
  const { vertexViewF32: f32, vertexViewU32: bits } = pipeline;
  vertices.forEach(([x, y], i) => f32.set([x, y, 0.5, 0.5, 1, 0, -1], i * STRIDE));
  near.find(f32, from, count, ...box);
  return { f32, bits, count, found: [...near.found.subarray(0, near.count)] };
}

/** First vertices of the triangles, or of so many vertices in a row, whose boxes meet the rectangle. */
function touching(f32: Float32Array, count: number, box: readonly number[], step = 3): number[] {
  const [minX, minY, maxX, maxY] = box;
  const found: number[] = [];
  for (let v = 0; v + step <= count; v += step) {
    const corners = Array.from({ length: step }, (_, i) => (v + i) * STRIDE);
    const xs = corners.map((at) => f32[at]!);
    const ys = corners.map((at) => f32[at + 1]!);
    const isApart =
      Math.max(...xs) <= minX! || Math.min(...xs) >= maxX! || Math.max(...ys) <= minY! || Math.min(...ys) >= maxY!;
    if (!isApart) found.push(v);
  }
  return found;
}

describe.each([
  ['with SIMD', true],
  ['without it', false],
])('the look through a batch %s', (_, isSimd) => {
  const rectangle = fc
    .tuple(
      fc.double({ min: -50, max: 400, noNaN: true }),
      fc.double({ min: -50, max: 400, noNaN: true }),
      fc.double({ min: 0.5, max: 300, noNaN: true }),
      fc.double({ min: 0.5, max: 300, noNaN: true }),
    )
    .map(([x, y, w, h]) => [x, y, x + w, y + h].map(Math.fround) as [number, number, number, number]);

  it('misses no triangle that touches the rectangle, and finds no pair of which neither touches it', () => {
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 40 }), rectangle, (shapes, box) => {
        const { f32, count, found } = lookedThrough(isSimd, shapes, box);
        const isNear = new Set(touching(f32, count, box));
        const pairs = new Set(found.flatMap((v) => (v + 6 <= count ? [v, v + 3] : [v])));
        expect([...isNear].filter((v) => !pairs.has(v))).toEqual([]);
        const isBoxNear = (v: number) => touching(f32, count, box, 6).includes(v);
        expect(found.filter((v) => v + 6 <= count && !isBoxNear(v))).toEqual([]);
      }),
    );
  });

  it('takes two triangles for a quad only where they are one', () => {
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 40 }), rectangle, (shapes, box) => {
        const { f32, bits, count, found } = lookedThrough(isSimd, shapes, box);
        const corner = (v: number) => [f32[v * STRIDE], f32[v * STRIDE + 1]];
        for (const v of found) {
          if (v + 6 > count || !isQuad(bits, v)) continue;
          expect([corner(v + 3), corner(v + 4)]).toEqual([corner(v), corner(v + 2)]);
        }
      }),
    );
  });

  it('finds nothing where quads are elsewhere, and begins and ends where it is told', () => {
    const apart: Shape = { isQuad: true, points: [[200, 0], [200, 9], [209, 9], [209, 0]] }; // prettier-ignore
    const over: Shape = { isQuad: true, points: [[50, 50], [50, 59], [59, 59], [59, 50]] }; // prettier-ignore
    const left: Shape = { isQuad: true, points: [[-50, 50], [-50, 59], [-1, 59], [-1, 50]] }; // prettier-ignore
    const shapes = [apart, over, left, apart];
    expect(lookedThrough(isSimd, shapes, [0, 0, 100, 100]).found).toEqual([6]);
    expect(lookedThrough(isSimd, shapes, [0, 0, 100, 100], 12).found).toEqual([]);
  });

  it('looks at the vertices of the pipeline, wherever somebody else has moved them', () => {
    const pipeline = pipelineFor(6, isSimd ? 0 : 6);
    const near = NearQuads.of(pipeline);
    const moved = new Float32Array(6 * STRIDE);
    for (let v = 0; v < 6; v++) moved.set([10 + (v % 2), 10 + (v % 3)], v * STRIDE);
    near.find(moved, 0, 6, 0, 0, 100, 100);
    expect(near.count).toBe(1);
    near.find(pipeline.vertexViewF32, 0, 6, 5, 5, 100, 100);
    expect(near.count).toBe(0);
  });
});

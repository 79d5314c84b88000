import fc from 'fast-check';
import { evenly } from '../../helpers/evenly.js';
import { FragmentSet } from '../../../src/geometry/FragmentSet.js';
import { QUAD_NUMBERS, NearQuads, type QuadBuffer, type VertexOwner } from '../../../src/record/frame/NearQuads.js';

const STRIDE = 7;
type Point = readonly [number, number];
interface Shape {
  readonly points: readonly Point[];
  readonly isQuad: boolean;
}

const coordinate = fc.oneof(
  { weight: 6, arbitrary: evenly(-400, 900) },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 130 }) },
  { weight: 1, arbitrary: fc.constantFrom(-0, 0, 1e-40, -1e-40, 1e30, -1e30, -4e8, -1e9, -4e9, 3e9, 100) },
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

type Box = readonly [number, number, number, number];

/** As they stand in a batch: two triangles a quad, one a triangle. */
function verticesOf(shapes: readonly Shape[]): Point[] {
  return shapes.flatMap(({ points, isQuad }) => (isQuad ? [0, 1, 2, 0, 2, 3].map((i) => points[i]!) : [...points]));
}

/** A pipeline with that batch in it, and what looks through it. In the middle of a batch the vertices stay where they are. */
function lookAt(isSimd: boolean, shapes: readonly Shape[], capacity = 0) {
  const vertices = verticesOf(shapes);
  const pipeline = pipelineFor(Math.max(capacity, vertices.length), isSimd ? 0 : 6);
  const original = pipeline.vertexData;
  const near = NearQuads.of(pipeline);
  expect(pipeline.vertexData === original).toBe(!isSimd);
  vertices.forEach(([x, y], i) => pipeline.vertexViewF32.set([x, y, i, 0.5, 1, 0, -1], i * STRIDE));
  return { pipeline, near, count: vertices.length };
}

/** The corners of a quad. */
function cornersOf(near: NearQuads, quad: number): Point[] {
  const at = [0, 1, 2, 3].map((i) => quad * QUAD_NUMBERS + i * STRIDE);
  return at.map((i): Point => [near.f32[i]!, near.f32[i + 1]!]);
}

/** A batch, and what was found in it, with one ad: the rectangle. */
function lookedThrough(isSimd: boolean, shapes: readonly Shape[], box: Box, from = 0) {
  const { pipeline, near, count } = lookAt(isSimd, shapes);
  near.begin();
  near.bins.fill(Float64Array.from(box), 1);
  expect(near.find(pipeline, from, count)).toBe(count);
  const quads = Array.from({ length: near.count }, (_, i) => i);
  const found = quads.map((quad) => near.vertexOf(quad));
  return { f32: pipeline.vertexViewF32, near, count, found, quads };
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
    .tuple(evenly(-50, 400), evenly(-50, 400), evenly(0.5, 300), evenly(0.5, 300))
    .map(([x, y, w, h]) => [x, y, x + w, y + h].map(Math.fround) as [number, number, number, number]);

  it('misses no triangle that touches the rectangle, and keeps no pair of which neither touches it', () => {
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 40 }), rectangle, (shapes, box) => {
        const { f32, near, count, found, quads } = lookedThrough(isSimd, shapes, box);
        const triangles = new Set(
          quads.flatMap((i) => (near.isTriangle(i) ? [found[i]!] : [found[i]!, found[i]! + 3])),
        );
        expect(touching(f32, count, box).filter((v) => !triangles.has(v))).toEqual([]);
        const pairs = new Set(touching(f32, count, box, 6));
        const isAlone = (v: number) => v + 3 === count && count % 6 === 3;
        expect([...triangles].filter((v) => !isAlone(v) && !pairs.has(v - (v % 6)))).toEqual([]);
      }),
    );
  });

  it('keeps the corners of what it finds: two triangles as a quad only where they are one', () => {
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 40 }), rectangle, (shapes, box) => {
        const { f32, near, found, quads } = lookedThrough(isSimd, shapes, box);
        const corner = (v: number): Point => [f32[v * STRIDE]!, f32[v * STRIDE + 1]!];
        for (const i of quads) {
          const v = found[i]!;
          const last = near.isTriangle(i) ? v + 2 : v + 5;
          expect(cornersOf(near, i)).toEqual([v, v + 1, v + 2, last].map(corner));
          if (!near.isTriangle(i)) expect([corner(v + 3), corner(v + 4)]).toEqual([corner(v), corner(v + 2)]);
        }
      }),
    );
  });

  it('finds nothing where quads are elsewhere, and begins and ends where it is told', () => {
    const apart = quadAt(200, 0, 9);
    const over = quadAt(50, 50, 9);
    const left = quadAt(-50, 50, 49);
    const shapes = [apart, over, left, apart];
    expect(lookedThrough(isSimd, shapes, [0, 0, 100, 100]).found).toEqual([6]);
    expect(lookedThrough(isSimd, shapes, [0, 0, 100, 100], 12).found).toEqual([]);
  });

  it('looks at the vertices of the pipeline, wherever somebody else has moved them', () => {
    const { pipeline, near } = lookAt(isSimd, [quadAt(500, 500, 9)]);
    near.begin();
    near.bins.fill(Float64Array.of(0, 0, 100, 100), 1);
    const moved = pipelineFor(6, 6);
    verticesOf([quadAt(10, 10, 2)]).forEach(([x, y], v) => moved.vertexViewF32.set([x, y], v * STRIDE));
    near.find(moved, 0, 6);
    expect(near.count).toBe(1);
    near.find(pipeline, 0, 6);
    expect(near.count).toBe(1);
  });

  it('loses what is written beyond a full batch, as the pipeline does without it', () => {
    const { pipeline, near } = lookAt(isSimd, [quadAt(500, 500, 9)]);
    near.begin();
    near.bins.fill(Float64Array.of(0, 0, 100, 100), 1);
    for (let i = 6 * STRIDE; i < 4000; i++) {
      pipeline.vertexViewF32[i] = 500;
      pipeline.vertexViewU32[i] = 1;
      pipeline.bytes[4 * i] = 1;
    }
    pipeline.vertexViewF32.set(verticesOf([quadAt(10, 10, 2)]).flatMap(([x, y]) => [x, y, 0, 0, 0, 0, 0]));
    near.find(pipeline, 0, 6);
    expect(near.count).toBe(1);
    expect(near.adsOf(0)).toBe(1);
  });

  it('names the ads a quad touches, and keeps none that lies between them', () => {
    const ads = Float64Array.of(0, 0, 40, 40, 300, 0, 340, 40, 300, 300, 340, 340);
    const shapes = [quadAt(10, 10, 9), quadAt(150, 150, 9), quadAt(20, 20, 300), quadAt(310, 310, 9)];
    const { pipeline, near, count } = lookAt(isSimd, shapes);
    near.begin();
    near.bins.fill(ads, 3);
    near.find(pipeline, 0, count);
    expect([0, 1, 2].map((quad) => [near.vertexOf(quad), near.adsOf(quad)])).toEqual([
      [0, 0b001],
      [12, 0b111],
      [18, 0b100],
    ]);
    expect(near.count).toBe(3);
  });

  it('tells which ads are touched by what is other than in the last frame, to the bit', () => {
    const ads = Float64Array.of(0, 0, 40, 40, 300, 0, 340, 40);
    const { pipeline, near, count } = lookAt(isSimd, [quadAt(10, 10, 9), quadAt(310, 10, 9), quadAt(320, 10, 9)]);
    const look = () => {
      near.begin();
      near.bins.fill(ads, 2);
      near.find(pipeline, 0, count);
      return near.changedAds;
    };
    expect(look()).toBe(0b11);
    expect(look()).toBe(0);
    // Every number of every corner counts: here the colour of the last one.
    pipeline.vertexViewU32[(6 + 5) * STRIDE + 6]! ^= 1;
    expect(look()).toBe(0b10);
    expect([0, 1, 2].map((quad) => near.isChanged(quad))).toEqual([false, true, false]);
    expect(look()).toBe(0);
    // One that goes from one ad to the other concerns both.
    verticesOf([quadAt(330, 10, 9)]).forEach(([x, y], v) => pipeline.vertexViewF32.set([x, y], v * STRIDE));
    expect(look()).toBe(0b11);
  });

  it('compares what was rounded as it stands in the batch', () => {
    const { pipeline, near, count } = lookAt(isSimd, [quadAt(10.4, 10.6, 9), quadAt(12.2, 10, 9)]);
    const look = () => {
      near.begin();
      near.bins.fill(Float64Array.of(0, 0, 40, 40), 1);
      near.find(pipeline, 0, count);
      return near.changedAds;
    };
    expect(look()).toBe(1);
    near.round(0, 600);
    // As the shader has it, whose coordinates count from the bottom: a half goes up.
    expect(cornersOf(near, 0)).toEqual(quadAt(10, 11, 9).points);
    expect(look()).toBe(0);
    expect(near.f32[0]).toBe(Math.fround(10.4));
    near.round(1, 600);
    expect(cornersOf(near, 1)).toEqual(quadAt(12, 10, 9).points);
    pipeline.vertexViewF32[6 * STRIDE] = 12.3;
    expect(look()).toBe(1);
    expect([0, 1].map((quad) => near.isChanged(quad))).toEqual([false, true]);
  });

  it('stops when there is room for no more, and goes on from there', () => {
    const shapes = Array.from({ length: 1200 }, (_, i) => quadAt(i % 90, i % 70, 5));
    const { pipeline, near, count } = lookAt(isSimd, shapes);
    near.begin();
    near.bins.fill(Float64Array.of(0, 0, 100, 100), 1);
    const found: number[] = [];
    for (let from = 0; from < count;) {
      from = near.find(pipeline, from, count);
      found.push(...Array.from({ length: near.count }, (_, i) => near.vertexOf(i)));
      expect(near.count).toBeLessThanOrEqual(near.capacity);
      near.count = 0;
    }
    expect(found).toEqual(shapes.map((_, i) => 6 * i));
  });
});

describe('the look through a batch of four vertices a quad', () => {
  /** As Phaser 4 keeps its vertices. */
  function bufferOf(quads: readonly (readonly Point[])[]): QuadBuffer {
    const dataBuffer = new ArrayBuffer(4 * quads.length * STRIDE * 4);
    const buffer: QuadBuffer = {
      dataBuffer,
      viewU8: new Uint8Array(dataBuffer),
      viewU16: new Uint16Array(dataBuffer),
      viewF32: new Float32Array(dataBuffer),
      viewU32: new Uint32Array(dataBuffer),
    };
    quads.flat().forEach(([x, y], i) => buffer.viewF32.set([x, y, i, 0.5, 1, 0, -1], i * STRIDE));
    return buffer;
  }

  const number = fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: -6, max: 50 }).map((n) => 10 * n) },
    { weight: 3, arbitrary: coordinate },
    { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity) },
  );
  const corner = fc.tuple(number, number);
  /** Its edges may be those of an ad. */
  const upright = fc
    .tuple(fc.integer({ min: -6, max: 50 }), fc.integer({ min: -6, max: 50 }), fc.integer({ min: 1, max: 9 }))
    .map(([x, y, size]) => quadAt(10 * x, 10 * y, 10 * size).points as [Point, Point, Point, Point]);
  const quads = fc.array(fc.oneof(upright, fc.tuple(corner, corner, corner, corner)), { minLength: 1, maxLength: 30 });
  const side = fc.integer({ min: 1, max: 20 }).map((n) => 10 * n);
  const place = fc.integer({ min: -5, max: 40 }).map((n) => 10 * n);
  const ads = fc.array(
    fc.tuple(place, place, side, side).map(([x, y, width, height]) => [x, y, x + width, y + height]),
    { minLength: 1, maxLength: 4 },
  );

  it('moves what is there, and all views of it', () => {
    const buffer = bufferOf([quadAt(1, 2, 3).points, quadAt(4, 5, 6).points]);
    const before = Array.from(buffer.viewU8);
    const near = NearQuads.ofBuffer(buffer);
    expect(Array.from(buffer.viewU8.subarray(0, before.length))).toEqual(before);
    for (const view of [buffer.viewF32, buffer.viewU8, buffer.viewU16, buffer.viewU32]) {
      expect(view!.buffer).toBe(buffer.dataBuffer);
    }
    expect(near.holds(buffer.viewF32)).toBe(true);
    expect(NearQuads.ofBuffer(buffer)).toBe(near);
    expect(near.holds(bufferOf([]).viewF32)).toBe(false);
  });

  it('stops at each quad whose box may touch an ad, and at no other, wherever it begins and ends', () => {
    fc.assert(
      fc.property(quads, ads, fc.nat(), fc.nat(), (batch, boxes, a, b) => {
        const buffer = bufferOf(batch);
        const near = NearQuads.ofBuffer(buffer);
        const { bins } = near;
        bins.fill(Float64Array.from(boxes.flat()), boxes.length);
        const from = a % (batch.length + 1);
        const to = from + (b % (batch.length + 1 - from));
        const found: number[] = [];
        let v = near.next(4 * from, 4 * to);
        for (; v < 4 * to; v = near.next(v + 4, 4 * to)) found.push(v / 4);
        expect(v).toBe(4 * to);
        const [minX, minY, maxX, maxY] = bins.rectangle as unknown as [number, number, number, number];
        const expected = batch
          .map((points, i) => ({ points, i }))
          .filter(({ points, i }) => {
            const xs = points.map(([x]) => Math.fround(x));
            const ys = points.map(([, y]) => Math.fround(y));
            const isOn = (test: (x: number, y: number) => boolean) => xs.every((x, k) => test(x, ys[k]!));
            if (isOn((x) => x <= minX) || isOn((x) => x >= maxX)) return false;
            if (isOn((_, y) => y <= minY) || isOn((_, y) => y >= maxY)) return false;
            const [left, top] = [xs, ys].map((of) => of.filter((n) => !Number.isNaN(n))) as [number[], number[]];
            const box = Float64Array.of(Math.min(...left), Math.min(...top), Math.max(...left), Math.max(...top));
            return i >= from && i < to && bins.touching(box, 0) !== 0;
          });
        expect(found).toEqual(expected.map(({ i }) => i));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the area that quads cover of an ad', () => {
  const spread = (min: number, max: number) =>
    fc.noBias(fc.integer({ min: 0, max: 2 ** 20 })).map((n) => Math.fround(min + ((max - min) * n) / 2 ** 20));
  /** A turned and sheared rectangle, mirrored now and then. */
  const parallelogram: fc.Arbitrary<Shape> = fc
    .record({
      x: spread(-20, 120),
      y: spread(-20, 120),
      width: spread(2, 90),
      height: spread(2, 90),
      angle: spread(0, 6.3),
      shear: spread(-0.5, 0.5),
      isMirrored: fc.boolean(),
    })
    .map(({ x, y, width, height, angle, shear, isMirrored }) => {
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const corners = [[0, 0], [0, 1], [1, 1], [1, 0]] as const; // prettier-ignore
      const points = corners.map(([u, v]): Point => {
        const along = (u + shear * v) * width * (isMirrored ? -1 : 1);
        return [Math.fround(x + along * cos - v * height * sin), Math.fround(y + along * sin + v * height * cos)];
      });
      return { points, isQuad: true };
    });

  function covered(ad: Shape, covers: readonly Shape[]): number {
    const { pipeline, near, count } = lookAt(true, [ad, ...covers]);
    near.begin();
    near.bins.fill(Float64Array.of(-1e4, -1e4, 1e4, 1e4), 1);
    near.keep(pipeline, 0, 0);
    near.find(pipeline, 6, count);
    near.cover(0, 1, 1);
    return near.coveredArea[0]!;
  }

  function reference(ad: Shape, covers: readonly Shape[]): number {
    const fragments = new FragmentSet();
    fragments.add(ad.points.flat(), 0, 4);
    fragments.sumUp();
    const total = fragments.area;
    for (const { points } of covers) fragments.subtract(points.flat(), 0, 4);
    fragments.sumUp();
    return total - fragments.area;
  }

  it('is what the polygons of the snapshot say', () => {
    let isKnown = 0;
    fc.assert(
      fc.property(parallelogram, fc.array(parallelogram, { maxLength: 9 }), (ad, covers) => {
        const area = covered(ad, covers);
        if (Number.isNaN(area)) return;
        isKnown++;
        expect(Math.abs(area - reference(ad, covers))).toBeLessThan(1e-6 * reference(ad, [ad]));
      }),
      { numRuns: 1000 },
    );
    expect(isKnown).toBeGreaterThan(800);
  });

  it('is exact where edges coincide, as those of tiles do', () => {
    const ad = quadAt(0, 0, 64);
    const tiles = [0, 16, 32, 48].flatMap((x) => [0, 16].map((y) => quadAt(x, y, 16)));
    expect(covered(ad, tiles)).toBe(64 * 32);
    expect(covered(ad, [...tiles, ...tiles.slice(0, 3)])).toBe(64 * 32);
    expect(covered(ad, [ad])).toBe(64 * 64);
    expect(covered(ad, [quadAt(64, 0, 64), quadAt(-64, 0, 64)])).toBe(0);
  });

  it('is left to others where quads are not convex, or too many on top of each other', () => {
    const dart: Shape = { isQuad: true, points: [[0, 0], [50, 10], [20, 20], [10, 50]] }; // prettier-ignore
    const bow: Shape = { isQuad: true, points: [[0, 0], [50, 50], [50, 0], [0, 50]] }; // prettier-ignore
    expect(covered(quadAt(0, 0, 64), [dart])).toBeNaN();
    expect(covered(quadAt(0, 0, 64), [bow])).toBeNaN();
    expect(covered(dart, [])).toBeNaN();
    const heap = Array.from({ length: 20 }, (_, i) => quadAt(i, i, 30));
    expect(covered(quadAt(0, 0, 64), heap)).toBeNaN();
    const row = Array.from({ length: 40 }, (_, i) => quadAt(i, 0, 1));
    expect(covered(quadAt(0, 0, 64), row)).toBeNaN();
    expect(covered(quadAt(0, 0, 64), row.slice(0, 32))).toBe(32);
  });
});

function quadAt(x: number, y: number, size: number): Shape {
  return { isQuad: true, points: [[x, y], [x, y + size], [x + size, y + size], [x + size, y]] }; // prettier-ignore
}

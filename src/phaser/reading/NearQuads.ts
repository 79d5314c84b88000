import { NEAR_QUADS_MODULE } from './nearQuadsModule.js';

/** Numbers per vertex of MultiPipeline: x, y and five more. A constant of this file, which the engine knows for one. */
const STRIDE = 7;
const VERTEX_BYTES = 4 * STRIDE;

/** Vertices of a quad: two triangles. */
const QUAD = 6;

/** No batch has more vertices. A bound the compiler can see saves it from checking every index for overflow. */
const MAX_VERTEX = 0xffffff;

const PAGE_BYTES = 65_536;

/** A pipeline of Phaser's, as far as its vertices go: four views of one memory. */
export interface VertexOwner {
  vertexData: ArrayBuffer;
  bytes: Uint8Array;
  vertexViewF32: Float32Array;
  vertexViewU32: Uint32Array;
  readonly vertexCount: number;
}

/** `find` of `nearQuads.wat`. */
type Find = (
  at: number,
  end: number,
  vertex: number,
  out: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
) => number;

/**
 * Finds the quads and triangles of a batch whose box may touch a rectangle of the canvas. This is the one loop that looks
 * at every object of a game. Most quads are elsewhere, but on a random side, which processors foresee badly; so where the
 * browser knows WebAssembly with SIMD, the pipeline's vertices move into memory of its kind, and the loop runs there
 * without branches.
 */
export class NearQuads {
  /** How many were found. */
  count = 0;
  /** The first vertex of each pair of triangles found: a quad where {@link isQuad}. A single last triangle counts as a pair. */
  found = new Int32Array(64);

  private simd: Find | null = null;
  /** Where in its memory the finds go. */
  private out = 0;
  private simdFound = new Int32Array(0);
  /** The pipeline's vertices as long as they lie in that memory: others may replace them as well. */
  private vertices: Float32Array | null = null;

  private constructor() {
    // One per pipeline: `of` makes it.
  }

  /**
   * Of this pipeline. The first call moves its vertices to where SIMD can look at them, which nobody else notices; not in a
   * browser without it, on a page whose content security policy forbids WebAssembly, or in the middle of a batch.
   */
  static of(pipeline: VertexOwner): NearQuads {
    let near = known.get(pipeline);
    if (near === undefined) {
      near = new NearQuads();
      known.set(pipeline, near);
      if (pipeline.vertexCount === 0) near.adopt(pipeline);
    }
    return near;
  }

  private adopt(pipeline: VertexOwner): void {
    const vertexBytes = pipeline.vertexData.byteLength;
    const foundBytes = 4 * (Math.ceil(vertexBytes / (QUAD * VERTEX_BYTES)) + 1);
    const memory = instantiate(vertexBytes + foundBytes, (find) => (this.simd = find));
    if (memory === null) return;
    const bytes = new Uint8Array(memory);
    bytes.set(pipeline.bytes);
    pipeline.vertexData = memory;
    pipeline.bytes = bytes;
    pipeline.vertexViewF32 = this.vertices = new Float32Array(memory);
    pipeline.vertexViewU32 = new Uint32Array(memory);
    this.out = vertexBytes;
    this.simdFound = new Int32Array(memory, vertexBytes);
  }

  /**
   * Looks through the vertices `from ≤ v < to` of a batch, two triangles at a time, for what touches the rectangle, in canvas
   * pixels.
   */
  find(vertices: Float32Array, from: number, to: number, minX: number, minY: number, maxX: number, maxY: number): void {
    const whole = to - ((to - from) % QUAD);
    if (this.simd !== null && vertices === this.vertices) {
      this.found = this.simdFound;
      this.count = this.simd(from * VERTEX_BYTES, whole * VERTEX_BYTES, from, this.out, minX, minY, maxX, maxY);
    } else {
      this.findPlainly(vertices, from, whole, minX, minY, maxX, maxY);
    }
    if (whole + 3 <= to) this.found[this.count++] = whole;
  }

  private findPlainly(
    vertices: Float32Array,
    from: number,
    to: number,
    minX: number,
    minY: number,
    maxX: number,
    maxY: number,
  ): void {
    const most = (to - from) / QUAD + 1;
    if (this.found === this.simdFound || this.found.length < most) this.found = new Int32Array(Math.max(64, most));
    const { found } = this;
    let count = 0;
    for (let v = from; v < to; v += QUAD) {
      const at = (v & MAX_VERTEX) * STRIDE;
      if (isBeside(vertices, at, minX, maxX) || isBeside(vertices, at + 1, minY, maxY)) continue;
      found[count++] = v;
    }
    this.count = count;
  }
}

const known = new WeakMap<VertexOwner, NearQuads>();

/** True when all of six vertices are on one side of a span, in x or in y, whichever `at` is the first of. */
function isBeside(vertices: Float32Array, at: number, min: number, max: number): boolean {
  const first = vertices[at]!;
  const second = vertices[at + STRIDE]!;
  const third = vertices[at + 2 * STRIDE]!;
  const fourth = vertices[at + 3 * STRIDE]!;
  const fifth = vertices[at + 4 * STRIDE]!;
  const sixth = vertices[at + 5 * STRIDE]!;
  return first <= min
    ? second <= min && third <= min && fourth <= min && fifth <= min && sixth <= min
    : first >= max && second >= max && third >= max && fourth >= max && fifth >= max && sixth >= max;
}

/** True when two triangles are one quad, whose corners are its vertices 0, 1, 2 and 5: the second has two of the first's. */
export function isQuad(bits: Uint32Array, v: number): boolean {
  const at = v * STRIDE;
  return (
    bits[at] === bits[at + 3 * STRIDE] &&
    bits[at + 1] === bits[at + 3 * STRIDE + 1] &&
    bits[at + 2 * STRIDE] === bits[at + 4 * STRIDE] &&
    bits[at + 2 * STRIDE + 1] === bits[at + 4 * STRIDE + 1]
  );
}

/** Null until it is asked for; false where the browser refuses it. */
let compiled: WebAssembly.Module | false | null = null;

/** Memory of at least so many bytes, and the loop that looks through it; null where there is none. */
function instantiate(bytes: number, take: (find: Find) => void): ArrayBuffer | null {
  if (compiled === false) return null;
  try {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(NEAR_QUADS_MODULE), (char) => char.charCodeAt(0)));
    const vertices = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
    const { exports } = new WebAssembly.Instance(compiled, { game: { vertices } });
    take(exports['find'] as Find);
    return vertices.buffer;
  } catch {
    compiled = false;
    return null;
  }
}

import { roundedX, roundedY } from '../phaser3/shaderRounding.js';
import { AdBins } from './AdBins.js';
import { NEAR_QUADS_MODULE } from './nearQuadsModule.js';

/** Numbers per vertex of MultiPipeline: x, y, u, v, texture unit, tint effect, colour. */
export const STRIDE = 7;
const VERTEX_BYTES = 4 * STRIDE;

/** Vertices of a quad in a batch: two triangles. */
const QUAD = 6;
/** Vertices of a batched quad that are its corners. */
const CORNERS = [0, 1, 2, 5] as const;

/** No batch has more vertices. A bound the compiler can see saves it from checking every index for overflow. */
const MAX_VERTEX = 0xffffff;

const PAGE_BYTES = 65_536;

/** Offsets of what lies in memory before the near quads, in bytes; the text of `nearQuads.wat` describes it. */
const BINS_AT = 0;
const CHANGED_AT = 564;
const COVERED_AT = 568;
const STOPPED_AT = 576;
const QUADS_AT = 14_400;

/** Room for so many near quads, until {@link NearQuads.clear} empties it. */
const CAPACITY = 512;
const QUAD_BYTES = 128;

/** Numbers of a near quad: 32-bit words. Its corners come first, {@link STRIDE} numbers each. */
export const QUAD_NUMBERS = QUAD_BYTES / 4;
const ADS = 28;
const FLAGS = 29;
const VERTEX = 30;

const CHANGED = 1;
const TRIANGLE = 2;

/** The vertices of a Phaser 3 pipeline: views of one memory. */
export interface VertexOwner {
  vertexData: ArrayBuffer;
  bytes: Uint8Array;
  vertexViewF32: Float32Array;
  vertexViewU32: Uint32Array;
  readonly vertexCount: number;
}

/** A buffer of Phaser 4: views of one memory. */
export interface QuadBuffer {
  dataBuffer: ArrayBuffer;
  viewU8: Uint8Array;
  viewU16: Uint16Array | null;
  viewF32: Float32Array;
  viewU32: Uint32Array;
}

/** What `nearQuads.wat` exports; its text describes the parameters. */
interface Machine {
  keep(at: number, to: number, ads: number, vertex: number): void;
  find(at: number, end: number, to: number, limit: number, list: number): number;
  next(at: number, end: number): number;
  cover(ad: number, from: number, end: number, ads: number): void;
}

/**
 * Finds the quads and triangles in a frame's batches that may touch an ad, and keeps a copy of each, a *near quad*. It
 * notes whether a near quad differs from the one that had the same place in the last frame. The search is the one loop
 * that looks at every object of a game. Most quads are elsewhere, but on a random side, which processors predict badly.
 * So where the browser has WebAssembly with SIMD, the pipeline's vertices move into WebAssembly memory, and the loop
 * runs there with one branch for every two quads.
 */
export class NearQuads {
  /** Near quads of this frame so far. */
  count = 0;
  /** Corners and colours of the near quads, {@link QUAD_NUMBERS} numbers each: four corners in order around, as they stand in the batch. */
  f32: Float32Array;
  /** The same numbers as bits. */
  u32: Uint32Array;
  /** Which ads a box may touch. Fill them before {@link find}. */
  readonly bins: AdBins;
  /** Result of {@link readBox}: minX, minY, maxX, maxY. */
  readonly box = new Float64Array(4);

  /** The first byte of the layout, and of the quads. */
  #base: number;
  #quads: number;
  #header: Int32Array;
  /** Result of {@link cover}: one number, in canvas pixels². */
  readonly coveredArea: Float64Array;
  #machine: Machine | null = null;
  /**
   * The view of the pipeline's vertices in WebAssembly memory, if they were moved. Others may replace the pipeline's
   * view later; see {@link holds}.
   */
  #vertices: Float32Array | null = null;
  /** Quads whose corners {@link round} has moved, and where the corners were before, eight numbers each. */
  readonly #rounded: number[] = [];
  #roundedCount = 0;
  #unrounded = new Float32Array(0);

  /** @param vertices what is to move into WebAssembly memory; null for nothing */
  private constructor(vertices: Uint8Array | null) {
    const vertexBytes = vertices === null ? 0 : 16 * Math.ceil(vertices.byteLength / 16);
    const layoutBytes = QUADS_AT + CAPACITY * QUAD_BYTES;
    const listBytes = 4 * (Math.ceil(vertexBytes / (QUAD * VERTEX_BYTES)) + 1);
    const bytes = vertexBytes + layoutBytes + listBytes;
    let memory = instantiate(bytes, vertexBytes, (machine) => (this.#machine = machine));
    this.#base = 0;
    if (memory === null) memory = new ArrayBuffer(layoutBytes);
    else if (vertices !== null) {
      this.#base = vertexBytes;
      new Uint8Array(memory).set(vertices);
      this.#vertices = new Float32Array(memory, 0, vertices.byteLength >> 2);
    }
    this.#quads = this.#base + QUADS_AT;
    this.#header = new Int32Array(memory, this.#base, QUADS_AT / 4);
    this.coveredArea = new Float64Array(memory, this.#base + COVERED_AT, 1);
    this.f32 = new Float32Array(memory, this.#quads, CAPACITY * QUAD_NUMBERS);
    this.u32 = new Uint32Array(memory, this.#quads, CAPACITY * QUAD_NUMBERS);
    this.bins = new AdBins(memory, this.#base + BINS_AT);
  }

  /**
   * The near quads of a pipeline. The first call moves its vertices to where SIMD can read them, which nobody else
   * notices. It does not move them in a browser without SIMD, on a page whose content security policy forbids
   * WebAssembly, or in the middle of a batch.
   */
  static of(pipeline: VertexOwner): NearQuads {
    // In the middle of a batch the vertices must stay where they are.
    return NearQuads.#move(pipeline, pipeline.vertexCount === 0 ? pipeline.bytes : null, (memory, floats, end) => {
      pipeline.vertexData = memory;
      pipeline.bytes = new Uint8Array(memory, 0, end);
      pipeline.vertexViewF32 = floats;
      pipeline.vertexViewU32 = new Uint32Array(memory, 0, end >> 2);
    });
  }

  /** The near quads of Phaser 4's batch of quads; its vertices move likewise, for {@link next} to look through. */
  static ofBuffer(buffer: QuadBuffer): NearQuads {
    return NearQuads.#move(buffer, buffer.viewU8, (memory, floats, end) => {
      buffer.dataBuffer = memory;
      buffer.viewU8 = new Uint8Array(memory, 0, end);
      buffer.viewU16 = new Uint16Array(memory, 0, end >> 1);
      buffer.viewF32 = floats;
      buffer.viewU32 = new Uint32Array(memory, 0, end >> 2);
    });
  }

  /** The views end where the vertices do: what others write beyond a full batch is lost, as before, and falls on no near quad. */
  static #move(
    owner: VertexOwner | QuadBuffer,
    bytes: Uint8Array | null,
    take: (memory: ArrayBuffer, floats: Float32Array, end: number) => void,
  ): NearQuads {
    let near = known.get(owner);
    if (near === undefined) {
      near = new NearQuads(bytes);
      known.set(owner, near);
      if (near.#vertices !== null) take(near.#vertices.buffer as ArrayBuffer, near.#vertices, bytes!.byteLength);
    }
    return near;
  }

  /** Near quads of vertices that lie elsewhere: the caller adds each with {@link write}. */
  static alone(): NearQuads {
    return new NearQuads(null);
  }

  /** Starts a frame, whose quads are compared with those of the last one. */
  begin(): void {
    this.clear();
    this.#header[CHANGED_AT / 4] = 0;
  }

  /** Takes all near quads out. */
  clear(): void {
    this.count = 0;
    // The next quads are compared with these as they stood in the batch, before {@link round}.
    const { f32 } = this;
    const rounded = this.#rounded;
    const roundedCount = this.#roundedCount;
    const unrounded = this.#unrounded;
    for (let i = 0; i < roundedCount; i++) {
      const at = rounded[i]! * QUAD_NUMBERS;
      for (let k = 0; k < 8; k++) f32[at + (k >> 1) * STRIDE + (k & 1)] = unrounded[8 * i + k]!;
    }
    this.#roundedCount = 0;
  }

  /** Some quads were moved by {@link round}. */
  get hasRounded(): boolean {
    return this.#roundedCount > 0;
  }

  /** Moves the corners of the quads from `from` on to where a shader that rounds draws them. */
  round(from: number, canvasHeight: number): void {
    const { f32, count } = this;
    const rounded = this.#rounded;
    if (this.#unrounded.length === 0) this.#unrounded = new Float32Array(8 * CAPACITY);
    const unrounded = this.#unrounded;
    for (let quad = from; quad < count; quad++) {
      const i = this.#roundedCount++;
      rounded[i] = quad;
      for (let k = 0; k < 8; k += 2) {
        const at = quad * QUAD_NUMBERS + (k >> 1) * STRIDE;
        unrounded[8 * i + k] = f32[at]!;
        unrounded[8 * i + k + 1] = f32[at + 1]!;
        f32[at] = roundedX(f32[at]!);
        f32[at + 1] = roundedY(f32[at + 1]!, canvasHeight);
      }
    }
  }

  /** Ads touched by quads that changed since the last frame, as they were or as they are; bits. */
  get changedAds(): number {
    return this.#header[CHANGED_AT / 4]!;
  }

  /** There is no room for more quads. */
  get isFull(): boolean {
    return this.count > CAPACITY - 3;
  }

  /** The ads a quad may touch, one bit each. From {@link count} on these are quads that the last frame left behind. */
  adsOf(quad: number): number {
    return this.u32[quad * QUAD_NUMBERS + ADS]! | 0;
  }

  isChanged(quad: number): boolean {
    return (this.u32[quad * QUAD_NUMBERS + FLAGS]! & CHANGED) !== 0;
  }

  /** True when only the first three corners count. */
  isTriangle(quad: number): boolean {
    return (this.u32[quad * QUAD_NUMBERS + FLAGS]! & TRIANGLE) !== 0;
  }

  /** True when the box of a quad meets box number `box` of `boxes`, four numbers each, by more than an edge. */
  touches(quad: number, boxes: Float64Array, box: number): boolean {
    const { f32 } = this;
    const at = quad * QUAD_NUMBERS;
    const x0 = f32[at]!;
    const y0 = f32[at + 1]!;
    const x1 = f32[at + STRIDE]!;
    const y1 = f32[at + STRIDE + 1]!;
    const x2 = f32[at + 2 * STRIDE]!;
    const y2 = f32[at + 2 * STRIDE + 1]!;
    const x3 = f32[at + 3 * STRIDE]!;
    const y3 = f32[at + 3 * STRIDE + 1]!;
    return (
      Math.max(x0, x1, x2, x3) > boxes[4 * box]! &&
      Math.min(x0, x1, x2, x3) < boxes[4 * box + 2]! &&
      Math.max(y0, y1, y2, y3) > boxes[4 * box + 1]! &&
      Math.min(y0, y1, y2, y3) < boxes[4 * box + 3]!
    );
  }

  /** The quad's first vertex in its batch. */
  vertexOf(quad: number): number {
    return this.u32[quad * QUAD_NUMBERS + VERTEX]!;
  }

  /** The most quads there can be: this frame's and those left from the last one. */
  get capacity(): number {
    return CAPACITY;
  }

  /**
   * Keeps the quad that begins at a vertex of the batch, whether near or not.
   * @param ads the ads it may touch
   * @returns the number of its copy
   */
  keep(pipeline: VertexOwner, vertex: number, ads: number): number {
    const quad = this.count++;
    if (this.#machine !== null && this.holds(pipeline.vertexViewF32)) {
      this.#machine.keep(vertex * VERTEX_BYTES, this.#quads + quad * QUAD_BYTES, ads, vertex);
    } else {
      this.#put(pipeline.vertexViewU32, vertex, 5, quad, ads, 0);
    }
    return quad;
  }

  /** Writes the box of the quad that begins at a vertex of the batch to {@link box}. */
  readBox({ vertexViewF32: vertices }: VertexOwner, vertex: number): void {
    const { box } = this;
    const at = (vertex & MAX_VERTEX) * STRIDE;
    // Written out: where the JavaScript engine does not inline a function, a fraction it returns costs an object.
    let minX = vertices[at]!;
    let minY = vertices[at + 1]!;
    let maxX = minX;
    let maxY = minY;
    for (let i = at + STRIDE; i < at + QUAD * STRIDE; i += STRIDE) {
      const x = vertices[i]!;
      const y = vertices[i + 1]!;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    box[0] = minX;
    box[1] = minY;
    box[2] = maxX;
    box[3] = maxY;
  }

  /**
   * Looks through the vertices `from ≤ v < to` of a batch, two triangles at a time, for what touches one of the ads in
   * {@link bins}.
   * @returns the vertex where it stopped because there was no room for more; `to` when it did not stop
   */
  find(pipeline: VertexOwner, from: number, to: number): number {
    const whole = to - ((to - from) % QUAD);
    let stopped: number;
    if (this.#machine !== null && this.holds(pipeline.vertexViewF32)) {
      const quads = this.#quads;
      const machine = this.#machine;
      const limit = quads + (CAPACITY - 3) * QUAD_BYTES;
      const end = machine.find(
        from * VERTEX_BYTES,
        whole * VERTEX_BYTES,
        quads + this.count * QUAD_BYTES,
        limit,
        quads + CAPACITY * QUAD_BYTES,
      );
      this.count = (end - quads) / QUAD_BYTES;
      stopped = end > limit ? this.#header[STOPPED_AT / 4]! / VERTEX_BYTES : whole;
    } else {
      stopped = this.#findPlainly(pipeline, from, whole);
    }
    if (stopped < whole) return stopped;
    // A single last triangle: it may touch any ad.
    if (whole + 3 <= to) this.#put(pipeline.vertexViewU32, whole, 2, this.count++, -1, TRIANGLE);
    return to;
  }

  /** True when these vertices lie in its WebAssembly memory. */
  holds(vertices: Float32Array): boolean {
    return vertices === this.#vertices;
  }

  /**
   * Looks through the vertices `from ≤ v < to`, four a quad and {@link STRIDE} numbers each. Returns where the first
   * quad begins that may touch one of the ads in {@link bins}; `to` when there is none. Only for vertices that it
   * {@link holds}.
   */
  next(from: number, to: number): number {
    return (this.#machine!.next(from * VERTEX_BYTES, to * VERTEX_BYTES) / VERTEX_BYTES) | 0;
  }

  /**
   * Writes to {@link coveredArea} how much of the near quad `ad` other near quads cover together. NaN where it cannot
   * tell: without WebAssembly, when too many lie on top of each other, or when one is not convex. All of them must be
   * quads.
   * @param from the first of the covering quads
   * @param ads only quads that may touch one of these count; bits
   */
  cover(ad: number, from: number, ads: number): void {
    const { count } = this;
    const quads = this.#quads;
    const machine = this.#machine;
    if (machine === null) this.coveredArea[0] = NaN;
    else {
      const end = quads + count * QUAD_BYTES;
      machine.cover(quads + ad * QUAD_BYTES, quads + from * QUAD_BYTES, end, ads);
    }
  }

  #findPlainly(pipeline: VertexOwner, from: number, to: number): number {
    const { vertexViewF32: vertices, vertexViewU32: bits } = pipeline;
    const { bins, box } = this;
    for (let v = from; v < to; v += QUAD) {
      const at = (v & MAX_VERTEX) * STRIDE;
      if (isBeside(vertices, at, bins.rectangle, 0) || isBeside(vertices, at, bins.rectangle, 1)) continue;
      this.readBox(pipeline, v);
      const ads = bins.touching(box, 0);
      if (ads === 0) continue;
      if (this.isFull) return v;
      if (isQuad(bits, v)) this.#put(bits, v, 5, this.count++, ads, 0);
      else {
        this.#put(bits, v, 2, this.count++, ads, TRIANGLE);
        this.#put(bits, v + 3, 2, this.count++, ads, TRIANGLE);
      }
    }
    return to;
  }

  /**
   * Keeps a shape of four corners in order around, or a triangle.
   * @param bits {@link STRIDE} numbers for each corner
   * @returns the number of its copy
   */
  write(bits: Uint32Array, ads: number, isTriangle: boolean): number {
    const { u32, count } = this;
    const to = count * QUAD_NUMBERS;
    const kind = isTriangle ? TRIANGLE : 0;
    let isSame = this.#isSameKind(to, ads, kind);
    for (let k = 0; k < 4 * STRIDE; k++) {
      const value = bits[k]!;
      if (u32[to + k] === value) continue;
      u32[to + k] = value;
      isSame = false;
    }
    this.#note(to, ads, kind, isSame);
    return this.count++;
  }

  /** Copies the vertex at `vertex`, the two after it and the one `last` after it into a near quad. */
  #put(bits: Uint32Array, vertex: number, last: number, quad: number, ads: number, kind: number): void {
    const { u32 } = this;
    const to = quad * QUAD_NUMBERS;
    let isSame = this.#isSameKind(to, ads, kind);
    for (let corner = 0; corner < 4; corner++) {
      const at = (vertex + (corner === 3 ? last : CORNERS[corner]!)) * STRIDE;
      for (let k = 0; k < STRIDE; k++) {
        const value = bits[at + k]!;
        if (u32[to + corner * STRIDE + k] === value) continue;
        u32[to + corner * STRIDE + k] = value;
        isSame = false;
      }
    }
    this.#note(to, ads, kind, isSame);
    u32[to + VERTEX] = vertex;
  }

  #isSameKind(to: number, ads: number, kind: number): boolean {
    const { u32 } = this;
    return (u32[to + ADS]! | 0) === ads && (u32[to + FLAGS]! & TRIANGLE) === kind;
  }

  #note(to: number, ads: number, kind: number, isSame: boolean): void {
    const { u32 } = this;
    if (!isSame) this.#header[CHANGED_AT / 4]! |= u32[to + ADS]! | ads;
    u32[to + ADS] = ads;
    u32[to + FLAGS] = isSame ? kind : kind | CHANGED;
  }
}

const known = new WeakMap<VertexOwner | QuadBuffer, NearQuads>();

/** True when all of six vertices are on one side of a rectangle, in x (axis 0) or in y (1). */
function isBeside(vertices: Float32Array, from: number, rectangle: Float32Array, axis: 0 | 1): boolean {
  const at = from + axis;
  const min = rectangle[axis]!;
  const max = rectangle[2 + axis]!;
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

/**
 * True when two triangles form one quad: the second shares two corners with the first. The quad's corners are then the
 * vertices 0, 1, 2 and 5.
 */
function isQuad(bits: Uint32Array, v: number): boolean {
  const at = v * STRIDE;
  return (
    bits[at] === bits[at + 3 * STRIDE] &&
    bits[at + 1] === bits[at + 3 * STRIDE + 1] &&
    bits[at + 2 * STRIDE] === bits[at + 4 * STRIDE] &&
    bits[at + 2 * STRIDE + 1] === bits[at + 4 * STRIDE + 1]
  );
}

/** The compiled `nearQuads.wat`: null until first used, false where the browser refuses it. */
let compiled: WebAssembly.Module | false | null = null;

/** Makes memory of at least `bytes` bytes, and hands the functions that work in it to `take`. Null where there is none. */
function instantiate(bytes: number, base: number, take: (machine: Machine) => void): ArrayBuffer | null {
  if (compiled === false) return null;
  try {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(NEAR_QUADS_MODULE), (char) => char.charCodeAt(0)));
    const vertices = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
    const { exports } = new WebAssembly.Instance(compiled, { game: { vertices, base } });
    take(exports as unknown as Machine);
    return vertices.buffer;
  } catch {
    compiled = false;
    return null;
  }
}

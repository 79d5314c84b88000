import type * as Phaser from 'phaser';

import { STRIDE, type VertexOwner } from '../frame/NearQuads.js';
import type { Affine, CameraInternals, TexturedObject } from '../phaser3/internals.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

/** Vertices of a quad, as in a batch of MultiPipeline. */
export const QUAD = 6;

/** Texture coordinates of each vertex. */
const PLACES = [
  [0, 0],
  [0, 1],
  [1, 1],
  [0, 0],
  [1, 1],
  [1, 0],
] as const;

/** Colour of every vertex: Canvas has no tints, and a byte cannot hold its opacities. */
const WHITE = 0xffffffff;

/** From 3.86 on Canvas draws rounded sprites larger by this much, in their own pixels. */
export const SEAM_PX = 0.5;

/** Where the Canvas renderer draws sprites, as quads of a batch such as WebGL has. */
export class SpriteQuads {
  readonly batch: VertexOwner;
  /** Box of the quad last put: minX, minY, maxX, maxY. */
  readonly box = new Float64Array(4);
  #camera!: Camera;
  #matrix!: Affine;
  /** What the camera puts on whole pixels: positions, pictures within their objects, and where it all lies on the canvas. */
  #roundsPosition = false;
  roundsPicture = false;
  #roundsPlace = false;
  /** Phaser 3.86 or later. */
  #isLatest = false;

  /** @param quads how many the batch holds */
  constructor(quads: number) {
    this.batch = emptyBatch(quads);
  }

  /** Turns to a camera, which draws the sprites put from here on. */
  aim(camera: Camera, matrix: Affine): void {
    this.#camera = camera;
    this.#matrix = matrix;
    const { roundPixels } = camera;
    const { renderRoundPixels } = camera as unknown as CameraInternals;
    this.#isLatest = renderRoundPixels !== undefined;
    // A game does not tell its version, but this method came with 3.70.
    const isOldest = roundPixels && !('setScale9' in camera.scene.sys.textures.get('__DEFAULT').get());
    this.#roundsPosition = roundPixels && (isOldest || this.#isLatest);
    this.roundsPicture = roundPixels && !isOldest;
    this.#roundsPlace = roundPixels && renderRoundPixels !== false;
  }

  /**
   * Writes a sprite as a quad of the batch, as `CanvasRenderer.batchSprite` draws it, and notes its {@link box}; false when it has none.
   * The shape of an ad keeps its size where the camera rounds.
   */
  put(sprite: TexturedObject, quad: number, isAd: boolean): boolean {
    const matrix = this.#matrix;
    const camera = this.#camera;
    const { frame, flipX, flipY, rotation, _displayOriginX: originX, _displayOriginY: originY } = sprite;
    const { resolution } = frame.source;
    let scaleX = sprite._scaleX;
    let scaleY = sprite._scaleY;
    let left = frame.x - originX;
    let top = frame.y - originY;
    if (flipX) {
      scaleX = -scaleX;
      if (!frame.customPivot) left += 2 * originX - frame.realWidth;
    }
    if (flipY) {
      scaleY = -scaleY;
      if (!frame.customPivot) top += 2 * originY - frame.realHeight;
    }
    let width = frame.cutWidth / resolution;
    let height = frame.cutHeight / resolution;
    let { x, y } = sprite;
    if (this.#roundsPosition) {
      x = Math.floor(x);
      y = Math.floor(y);
    }
    if (this.roundsPicture && !isAd && width > 0 && height > 0) {
      left = Math.floor(left + 0.5);
      top = Math.floor(top + 0.5);
      width = this.#isLatest ? width + SEAM_PX : Math.round(width);
      height = this.#isLatest ? height + SEAM_PX : Math.round(height);
    }
    x -= camera.scrollX * sprite.scrollFactorX;
    y -= camera.scrollY * sprite.scrollFactorY;
    let e = matrix.a * x + matrix.c * y + matrix.e;
    let f = matrix.b * x + matrix.d * y + matrix.f;
    if (this.#roundsPlace) {
      e = Math.round(e);
      f = Math.round(f);
    }
    const cos = Math.cos(rotation);
    const sin = Math.sin(rotation);
    const a = (matrix.a * cos + matrix.c * sin) * scaleX;
    const b = (matrix.b * cos + matrix.d * sin) * scaleX;
    const c = (matrix.c * cos - matrix.a * sin) * scaleY;
    const d = (matrix.d * cos - matrix.b * sin) * scaleY;
    const x0 = e + a * left + c * top;
    const y0 = f + b * left + d * top;
    const ax = a * width;
    const ay = b * width;
    const bx = c * height;
    const by = d * height;
    const { vertexViewF32: out } = this.batch;
    const at = quad * QUAD * STRIDE;
    out[at] = out[at + 3 * STRIDE] = x0;
    out[at + 1] = out[at + 3 * STRIDE + 1] = y0;
    out[at + STRIDE] = x0 + bx;
    out[at + STRIDE + 1] = y0 + by;
    out[at + 2 * STRIDE] = out[at + 4 * STRIDE] = x0 + ax + bx;
    out[at + 2 * STRIDE + 1] = out[at + 4 * STRIDE + 1] = y0 + ay + by;
    out[at + 5 * STRIDE] = x0 + ax;
    out[at + 5 * STRIDE + 1] = y0 + ay;
    const { box } = this;
    box[0] = x0 + (ax < 0 ? ax : 0) + (bx < 0 ? bx : 0);
    box[1] = y0 + (ay < 0 ? ay : 0) + (by < 0 ? by : 0);
    box[2] = x0 + (ax > 0 ? ax : 0) + (bx > 0 ? bx : 0);
    box[3] = y0 + (ay > 0 ? ay : 0) + (by > 0 ? by : 0);
    // False for broken transforms and empty frames.
    return box[2] - box[0] < Infinity && box[3] - box[1] < Infinity && width > 0 && height > 0;
  }
}

/** A batch of quads that each show all of their texture: the corners tell how a sprite is mirrored. */
function emptyBatch(quads: number): VertexOwner {
  const vertexData = new ArrayBuffer(4 * STRIDE * QUAD * quads);
  const vertexViewF32 = new Float32Array(vertexData);
  const vertexViewU32 = new Uint32Array(vertexData).fill(WHITE);
  for (let vertex = 0; vertex < QUAD * quads; vertex++) {
    const [u, v] = PLACES[vertex % QUAD]!;
    vertexViewF32.set([0, 0, u, v, 0, 0], STRIDE * vertex);
  }
  return { vertexData, bytes: new Uint8Array(vertexData), vertexViewF32, vertexViewU32, vertexCount: 0 };
}

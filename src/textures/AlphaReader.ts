import type * as Phaser from 'phaser';

import type { AlphaMap } from '../measure/AlphaMap.js';
import { Blend } from './Blend.js';
import { contrastOf } from './colourLight.js';
import { divideByAlpha, drawnTextureOf, gpuTexels, hasDividedColours, sizeOnGpu } from './gpuTexels.js';
import type { ScratchContext } from './scratchContext.js';
import { shrinkTexels } from './shrinkTexels.js';

type Frame = Phaser.Textures.Frame;
type Source = Phaser.Textures.TextureSource;

/**
 * Cells of the largest map; a frame with fewer texels gets one cell per texel. Up to about this many, reading each texel takes
 * no longer than drawing them smaller first, and the strokes of a page of writing are not lost.
 */
export const MAX_CELLS = 2 ** 18;

/** The most texels read back from the GPU at once: somewhat more than 1920 × 1080. */
const MOST_READ_BACK = 2 ** 21;

/** Alpha from which a texel counts as fully opaque: hand-drawn art is full of 254s. */
const OPAQUE = 250;

/** `Phaser.ScaleModes.NEAREST`: texels are drawn as they are, as pixel art wants it. */
const NEAREST = 1;

/** Of {@link isTooFine}: steps of alpha between a mean and its texel, and from one side of an edge to the other. */
const FAR_OFF = 64;
const EDGE = 144;

/** One in so many cells. */
const FINE = 16;

/** One in so many rows of cells is looked at for fine details. */
const LOOKED_AT = 4;

/** The result of reading a frame. `brightest` is the light of its brightest texel, 0–1. */
export type AlphaLookup =
  | { readonly kind: 'opaque'; readonly brightest: number }
  | { readonly kind: 'map'; readonly map: AlphaMap; readonly brightest: number }
  /** Tainted, compressed or GPU-only pixels; or not read yet. */
  | { readonly kind: 'unknown' };

export const UNKNOWN_LOOKUP: AlphaLookup = { kind: 'unknown' };

/** A part of a picture, in texels of it. */
interface Cut {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the alpha of texture frames, each drawn into a small scratch canvas and read back from there.
 *
 * Browsers keep only the file's bytes of an `HTMLImageElement`: the first reading decodes the whole picture, on the main
 * thread and in one piece, whatever part is asked for. An earlier upload to the GPU or `decode()` does not spare this;
 * `createImageBitmap` of an element also decodes before it returns.
 */
export class AlphaReader {
  #context: ScratchContext | null = null;

  /** @param createContext Makes the 2D context through which pixels are read; null where there is none. */
  constructor(private readonly createContext: () => ScratchContext | null) {}

  /** @param isPainted The picture is a canvas that may have been painted on since it was sent to the GPU. */
  read(frame: Frame, blend: Blend, isPainted: boolean): AlphaLookup {
    const { source } = frame;
    const isOnGpu = isPainted || drawnTextureOf(source) !== null || isData(source);
    const cut = isOnGpu ? cutOnGpu(frame) : cutOfPicture(frame);
    if (cut === null) return UNKNOWN_LOOKUP;
    const shrink = Math.min(1, Math.sqrt(MAX_CELLS / (cut.width * cut.height)));
    const width = Math.max(1, Math.round(cut.width * shrink));
    const height = Math.max(1, Math.round(cut.height * shrink));
    const pixels = isOnGpu
      ? cellsOnGpu(source, cut, width, height)
      : this.#cellsOf(source.image as CanvasImageSource, cut, width, height);
    if (pixels === null) return UNKNOWN_LOOKUP;
    // Numbers are not smoothed, which no field of their source tells.
    const isNearest = source.scaleMode === NEAREST || isData(source);
    const lookup = lookupOfPixels(pixels, width, height, blend, shrink === 1 && isNearest);
    if (shrink === 1 || isOnGpu || lookup.kind !== 'map') return lookup;
    const texels = this.#singlesOf(source.image as CanvasImageSource, cut, width, height);
    return texels && !isTooFine(pixels, width, texels, LOOKED_AT) ? lookup : UNKNOWN_LOOKUP;
  }

  /** A part of a picture, drawn in the given size: means of its texels. Null where it cannot be read. */
  #cellsOf(image: CanvasImageSource, cut: Cut, width: number, height: number): Uint8ClampedArray | null {
    return this.#draw(width, height, (context) => {
      const part = this.#halved(image, cut, width, height);
      context.imageSmoothingEnabled = true;
      context.drawImage(part.image, part.x, part.y, part.width, part.height, 0, 0, width, height);
    });
  }

  /**
   * A part of a picture, no more than twice as large as the given size. Browsers may look at four texels for each that they draw,
   * however much smaller (Firefox does): at half the size these are all.
   */
  #halved(image: CanvasImageSource, cut: Cut, width: number, height: number): Cut & { image: CanvasImageSource } {
    let part = { ...cut, image };
    while (part.width > 2 * width && part.height > 2 * height) {
      const context = this.createContext()!;
      const half = {
        image: context.canvas,
        x: 0,
        y: 0,
        width: Math.ceil(part.width / 2),
        height: Math.ceil(part.height / 2),
      };
      Object.assign(context.canvas, { width: half.width, height: half.height });
      context.drawImage(part.image, part.x, part.y, part.width, part.height, 0, 0, half.width, half.height);
      part = half;
    }
    return part;
  }

  /**
   * The alpha of one texel of each cell, in some rows of cells. Drawn as large as they are: Firefox smooths whatever it draws
   * smaller.
   */
  #singlesOf(image: CanvasImageSource, cut: Cut, width: number, height: number): Uint8Array | null {
    const rows = Math.ceil(height / LOOKED_AT);
    const wide = Math.ceil(cut.width);
    const lines = this.#draw(wide, rows, (context) => {
      context.imageSmoothingEnabled = false;
      for (let row = 0; row < rows; row++) {
        const y = cut.y + Math.floor(((rowLookedAt(row, LOOKED_AT, height) + 0.5) * cut.height) / height);
        context.drawImage(image, cut.x, y, cut.width, 1, 0, row, cut.width, 1);
      }
    });
    if (lines === null) return null;
    const columns = Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * cut.width) / width));
    const alphaAt = (row: number, x: number): number => lines[4 * (row * wide + columns[x]!) + 3]!;
    return Uint8Array.from({ length: width * rows }, (_, k) => alphaAt(Math.floor(k / width), k % width));
  }

  #draw(width: number, height: number, paint: (context: ScratchContext) => void): Uint8ClampedArray | null {
    try {
      const context = this.#scratch(width, height);
      context.clearRect(0, 0, width, height);
      paint(context);
      return context.getImageData(0, 0, width, height).data;
    } catch {
      // A tainted image taints the scratch canvas for good: the next read starts with a new one.
      this.#context = null;
      return null;
    }
  }

  #scratch(width: number, height: number): ScratchContext {
    this.#context ??= this.createContext();
    if (this.#context === null) throw new Error('no 2D context');
    const { canvas } = this.#context;
    if (canvas.width < width) canvas.width = width;
    if (canvas.height < height) canvas.height = height;
    return this.#context;
  }
}

/**
 * True when a picture has many details that its cells do not show, such as a mesh: where a cell's mean is far from one of its
 * texels, and the cells on its sides show no edge either.
 *
 * @param singles the alpha of one texel of each cell, in one of `every` rows of cells
 */
function isTooFine(means: Uint8ClampedArray, width: number, singles: Uint8Array, every = 1): boolean {
  const height = means.length / 4 / width;
  let count = 0;
  for (let k = 0; k < singles.length; k++) {
    const cell = rowLookedAt(Math.floor(k / width), every, height) * width + (k % width);
    const near = (step: number): number => means[4 * (cell + step) + 3]!;
    if (
      Math.abs(near(0) - singles[k]!) > FAR_OFF &&
      Math.abs(near(-1) - near(1)) < EDGE &&
      Math.abs(near(-width) - near(width)) < EDGE
    )
      count++;
  }
  return FINE * count > singles.length;
}

/** Which row of cells is looked at, among `every` that follow each other. Not always the same: details may recur, too. */
function rowLookedAt(group: number, every: number, height: number): number {
  return Math.min(height - 1, every * group + (((group * (group + 1)) / 2) % every));
}

/** What pixels (RGBA, rows from the top) hide of what is below them. */
export function lookupOfPixels(
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
  blend: Blend,
  isPixelated: boolean,
): AlphaLookup {
  const alpha = new Uint8Array(width * height);
  let lowest = 255;
  let brightest = 0;
  for (let i = 0; i < alpha.length; i++) {
    let value = pixels[4 * i + 3]!;
    if (value > 0) {
      // Pictures are kept multiplied by their alpha, in whole steps: the fainter a pixel, the less is known of its colour.
      const doubt = value < 255 ? (3 * 255) / value : 0;
      const light = pixels[4 * i]! + pixels[4 * i + 1]! + pixels[4 * i + 2]! - doubt;
      if (light > brightest) brightest = light;
    }
    if (blend !== Blend.COVER) value = Math.round(value * hiding(blend, pixels, 4 * i));
    alpha[i] = value;
    if (value < lowest) lowest = value;
  }
  brightest /= 765;
  if (lowest >= OPAQUE) return { kind: 'opaque', brightest };
  return { kind: 'map', map: { width, height, alpha, isPixelated }, brightest };
}

/** The part of a picture that a frame shows; null when it cannot be read, or what is drawn is something else. */
function cutOfPicture({ source, cutX: x, cutY: y, cutWidth: width, cutHeight: height }: Frame): Cut | null {
  const { image, compressionAlgorithm } = source;
  if (!(width > 0 && height > 0) || compressionAlgorithm || !isDrawable(image)) return null;
  if (!(source as { readonly glTexture?: object | null }).glTexture) return { x, y, width, height };
  // Phaser 4 wants pictures flipped on their way to the GPU, but WebGL never flips an ImageBitmap.
  if (source.flipY && isInstance(image, 'ImageBitmap')) return null;
  // Beyond the picture the GPU repeats the texels of its edge or the whole picture. Texts are sized in fractions of a texel.
  const size = sizeOf(image);
  const isBeyond = x <= -1 || y <= -1 || x + width >= size.width + 1 || y + height >= size.height + 1;
  return isBeyond ? null : { x, y, width, height };
}

/**
 * The part of a texture of the GPU that a frame shows; null when it reaches beyond the texture, or is too large to read.
 */
function cutOnGpu({ source, cutX, cutY, cutWidth, cutHeight }: Frame): Cut | null {
  const { width, height } = source;
  if (cutX < 0 || cutY < 0 || cutX + cutWidth > width || cutY + cutHeight > height) return null;
  const real = sizeOnGpu(source);
  const left = Math.floor((cutX * real.width) / width);
  const top = Math.floor((cutY * real.height) / height);
  const right = Math.ceil(((cutX + cutWidth) * real.width) / width);
  const bottom = Math.ceil(((cutY + cutHeight) * real.height) / height);
  const texels = (right - left) * (bottom - top);
  return texels > 0 && texels <= MOST_READ_BACK ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** A part of a texture of the GPU, in the given size. Null where it cannot be read. */
function cellsOnGpu(source: Source, cut: Cut, width: number, height: number): Uint8ClampedArray | null {
  const texels = gpuTexels(source, cut.x, cut.y, cut.width, cut.height);
  if (texels === null) return null;
  const isShrunk = width !== cut.width || height !== cut.height;
  const singles = isShrunk ? new Uint8Array(width * height) : undefined;
  const cells = shrinkTexels(texels, cut.width, cut.height, width, height, singles);
  if (singles && isTooFine(cells, width, singles)) return null;
  if (!hasDividedColours(source)) divideByAlpha(cells);
  return cells;
}

/**
 * True for a texture made of numbers (`textures.addUint8Array`). It is read back from the GPU: games use one array for many
 * textures, so it may no longer hold what was sent there.
 */
function isData(source: Source): boolean {
  return (source.image as unknown) instanceof Uint8Array;
}

/** How far an opaque pixel hides what is below, 0–1. */
function hiding(blend: Blend, pixels: Uint8ClampedArray, at: number): number {
  const red = pixels[at]!;
  const green = pixels[at + 1]!;
  const blue = pixels[at + 2]!;
  if (blend === Blend.HARD_LIGHT) return contrastOf(red, green, blue);
  const light = (red + green + blue) / 765;
  return blend === Blend.DARKEN ? 1 - light : light;
}

/** Canvas and video pixels change without notice; decoded images never do. */
export function isDynamic(image: unknown): boolean {
  return (
    isInstance(image, 'HTMLCanvasElement') ||
    isInstance(image, 'HTMLVideoElement') ||
    isInstance(image, 'OffscreenCanvas')
  );
}

export function isVideo(image: unknown): boolean {
  return isInstance(image, 'HTMLVideoElement');
}

/** Whether the browser holds the file rather than its pixels. */
export function isEncoded(image: unknown): image is HTMLImageElement {
  return isInstance(image, 'HTMLImageElement');
}

function isDrawable(image: unknown): image is CanvasImageSource {
  return isDynamic(image) || isEncoded(image) || isInstance(image, 'ImageBitmap');
}

/** The size of a picture in its own pixels, whatever the page makes of it. */
export function sizeOf(image: unknown): { width: number; height: number } {
  const { naturalWidth, naturalHeight } = image as Partial<HTMLImageElement>;
  const { videoWidth, videoHeight } = image as Partial<HTMLVideoElement>;
  const { width, height } = image as HTMLCanvasElement;
  // A drawing without a size of its own has natural ones of 0.
  return { width: naturalWidth || videoWidth || width, height: naturalHeight || videoHeight || height };
}

function isInstance(value: unknown, name: string): boolean {
  const type = (globalThis as Record<string, unknown>)[name];
  return typeof type === 'function' && value instanceof type;
}

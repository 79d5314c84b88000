import type * as Phaser from 'phaser';

import type { AlphaMap } from '../measure/AlphaMap.js';
import { contrastOf } from './colourLight.js';
import { dataPicture, isData, isDataPixelated } from './dataPicture.js';
import { drawnTextureOf } from './drawnTextureOf.js';
import { divideByAlpha, gpuTexels, sizeOnGpu } from './gpuTexels.js';
import { Blend } from './Blend.js';
import type { ScratchContext } from './scratchContext.js';
import { shrinkTexels } from './shrinkTexels.js';
import { isTurned, lyingPartOf } from './turnedFrames.js';

/** Cells of the largest map; a frame with fewer texels gets one cell per texel. */
export const MAX_CELLS = 65536;

/** The most texels read back from the GPU at once: somewhat more than 1920 × 1080. */
const MOST_READ_BACK = 2 ** 21;

/** Alpha from which a texel counts as fully opaque: hand-drawn art is full of 254s. */
const OPAQUE = 250;

/** `Phaser.ScaleModes.NEAREST`: texels are drawn as they are, as pixel art wants it. */
const NEAREST = 1;

/** The result of reading a frame. `brightest` is the light of its brightest texel, 0–1. */
export type AlphaLookup =
  | { readonly kind: 'opaque'; readonly brightest: number }
  | { readonly kind: 'map'; readonly map: AlphaMap; readonly brightest: number }
  /** Tainted, compressed or GPU-only pixels; or not read yet. */
  | { readonly kind: 'unknown' };

export const UNKNOWN_LOOKUP: AlphaLookup = { kind: 'unknown' };

/** A part of a picture, in whole texels of it. */
interface Cut {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the alpha of texture frames, each with one drawing into a small scratch canvas and one reading back.
 *
 * Browsers keep only the file's bytes of an `HTMLImageElement`: the first reading decodes the whole picture, on the main
 * thread and in one piece, whatever part is asked for. An earlier upload to the GPU or `decode()` does not spare this;
 * `createImageBitmap` of an element also decodes before it returns.
 */
export class AlphaReader {
  private context: ScratchContext | null = null;

  /** @param createContext Makes the 2D context through which pixels are read; null where there is none. */
  constructor(private readonly createContext: () => ScratchContext | null) {}

  /** @param version of the pixels: another one when they were sent to the GPU again */
  read(frame: Phaser.Textures.Frame, blend: Blend, version: number): AlphaLookup {
    return isTurned(frame)
      ? mirrored(this.readUpright(lyingPartOf(frame).frame, blend, version))
      : this.readUpright(frame, blend, version);
  }

  private readUpright(frame: Phaser.Textures.Frame, blend: Blend, version: number): AlphaLookup {
    const { source, cutX, cutY, cutWidth, cutHeight } = frame;
    if (!(cutWidth > 0 && cutHeight > 0) || source.compressionAlgorithm) return UNKNOWN_LOOKUP;
    if (drawnTextureOf(source)) {
      const cut = cutOnGpu(frame);
      return cut === null ? UNKNOWN_LOOKUP : readCut(source, cut, blend, (w, h) => cellsOnGpu(source, cut, w, h));
    }
    const image: unknown = isData(source) ? dataPicture(source, version, this.createContext) : source.image;
    if (!isDrawable(image) || isUnturned(source)) return UNKNOWN_LOOKUP;
    const read = (cut: Cut): AlphaLookup => readCut(source, cut, blend, (w, h) => this.cellsOf(image, cut, w, h));
    if ((source as { readonly glTexture?: object | null }).glTexture && reachesBeyond(frame, image)) {
      // Beyond the picture the GPU repeats the texels of its edge or the whole picture: an opaque picture gets no holes.
      const whole = read({ x: 0, y: 0, ...sizeOf(image) });
      return whole.kind === 'opaque' ? whole : UNKNOWN_LOOKUP;
    }
    return read({ x: cutX, y: cutY, width: cutWidth, height: cutHeight });
  }

  /** A part of a picture, drawn in the given size. Null where it cannot be read. */
  private cellsOf(image: CanvasImageSource, cut: Cut, width: number, height: number): Uint8ClampedArray | null {
    try {
      const context = this.scratch(width, height);
      context.clearRect(0, 0, width, height);
      context.drawImage(image, cut.x, cut.y, cut.width, cut.height, 0, 0, width, height);
      return context.getImageData(0, 0, width, height).data;
    } catch {
      // A tainted image taints the scratch canvas for good: the next read starts with a new one.
      this.context = null;
      return null;
    }
  }

  private scratch(width: number, height: number): ScratchContext {
    let context = this.context;
    if (context === null) {
      context = this.createContext();
      if (context === null) throw new Error('no 2D context');
      context.imageSmoothingQuality = 'high';
      this.context = context;
    }
    const canvas = context.canvas;
    if (canvas.width < width || canvas.height < height) {
      canvas.width = Math.max(canvas.width, width);
      canvas.height = Math.max(canvas.height, height);
      context.imageSmoothingQuality = 'high';
    }
    return context;
  }
}

/** @param cellsIn Gives the pixels of the cut, RGBA, in a width and height that are at most its own. */
function readCut(
  source: Phaser.Textures.TextureSource,
  cut: Cut,
  blend: Blend,
  cellsIn: (width: number, height: number) => Uint8ClampedArray | null,
): AlphaLookup {
  const shrink = Math.min(1, Math.sqrt(MAX_CELLS / (cut.width * cut.height)));
  const width = Math.max(1, Math.round(cut.width * shrink));
  const height = Math.max(1, Math.round(cut.height * shrink));
  const isNearest = isData(source) ? isDataPixelated(source) : source.scaleMode === NEAREST;
  const isPixelated = shrink === 1 && isNearest;
  const pixels = cellsIn(width, height);
  if (pixels === null) return UNKNOWN_LOOKUP;
  return lookupOfPixels(pixels, width, height, blend, isPixelated);
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
      const light = pixels[4 * i]! + pixels[4 * i + 1]! + pixels[4 * i + 2]!;
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

/**
 * The part of a texture Phaser draws into that a frame shows; null when it reaches beyond the texture, or is too large to read.
 */
function cutOnGpu({ source, cutX, cutY, cutWidth, cutHeight }: Phaser.Textures.Frame): Cut | null {
  const { width, height } = source;
  if (cutX < 0 || cutY < 0 || cutX + cutWidth > width || cutY + cutHeight > height) return null;
  const { width: realWidth, height: realHeight } = sizeOnGpu(source);
  const left = Math.floor((cutX * realWidth) / width);
  const top = Math.floor((cutY * realHeight) / height);
  const right = Math.ceil(((cutX + cutWidth) * realWidth) / width);
  const bottom = Math.ceil(((cutY + cutHeight) * realHeight) / height);
  if ((right - left) * (bottom - top) > MOST_READ_BACK) return null;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A part of a texture Phaser draws into, in the given size. Null where it cannot be read. */
function cellsOnGpu(
  source: Phaser.Textures.TextureSource,
  cut: Cut,
  width: number,
  height: number,
): Uint8ClampedArray | null {
  const texels = gpuTexels(source, cut.x, cut.y, cut.width, cut.height);
  if (texels === null) return null;
  const cells = shrinkTexels(texels, cut.width, cut.height, width, height);
  divideByAlpha(cells);
  return cells;
}

/** Mirrors the map from right to left, in place. */
function mirrored(lookup: AlphaLookup): AlphaLookup {
  if (lookup.kind !== 'map') return lookup;
  const { width, alpha } = lookup.map;
  for (let i = 0; i < alpha.length; i += width) alpha.subarray(i, i + width).reverse();
  return lookup;
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

/** True when Phaser 4 wanted the picture flipped on its way to the GPU and WebGL did not: it never flips an ImageBitmap. */
function isUnturned(source: Phaser.Textures.TextureSource): boolean {
  const { glTexture } = source as { readonly glTexture?: object | null };
  return source.flipY && Boolean(glTexture) && isInstance(source.image, 'ImageBitmap');
}

function isDrawable(image: unknown): image is CanvasImageSource {
  return isDynamic(image) || isEncoded(image) || isInstance(image, 'ImageBitmap');
}

/** True for a frame that reaches beyond its picture by at least a texel: texts are sized in fractions of a texel. */
function reachesBeyond({ cutX, cutY, cutWidth, cutHeight }: Phaser.Textures.Frame, image: unknown): boolean {
  const { width, height } = sizeOf(image);
  return cutX <= -1 || cutY <= -1 || cutX + cutWidth >= width + 1 || cutY + cutHeight >= height + 1;
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

import type * as Phaser from 'phaser';

import type { AlphaMap } from '../../viewability/AlphaMap.js';
import { contrastOf } from './colourLight.js';
import { dataPicture, isData, isDataPixelated } from './dataPicture.js';
import { Blend } from './Pen.js';
import type { ScratchContext } from './scratchContext.js';
import { isTurned, lyingPartOf } from './turnedFrames.js';

/** Cells of the largest map; a frame with fewer texels gets one cell per texel. */
export const MAX_CELLS = 65536;

/** Alpha from which a texel counts as fully opaque: hand-drawn art is full of 254s. */
const OPAQUE = 250;

/** `Phaser.ScaleModes.NEAREST`: texels are drawn as they are, as pixel art wants it. */
const NEAREST = 1;

/** What became of a frame. The light of its brightest texel is 0–1. */
export type AlphaLookup =
  | { readonly kind: 'opaque'; readonly brightest: number }
  | { readonly kind: 'map'; readonly map: AlphaMap; readonly brightest: number }
  /** Tainted, compressed or GPU-only pixels; or not read yet. */
  | { readonly kind: 'unknown' };

export const UNKNOWN_LOOKUP: AlphaLookup = { kind: 'unknown' };

/**
 * Reads the alpha of texture frames, each with one drawing into a small scratch canvas and one reading back.
 *
 * Browsers keep of an `HTMLImageElement` only the file's bytes: the first reading decodes the whole picture, on the main
 * thread and in one piece, whatever part is asked for. Uploading it to the GPU or `decode()` leaves nothing behind that
 * spares this; `createImageBitmap` of an element decodes just the same before it returns.
 */
export class AlphaReader {
  private context: ScratchContext | null = null;

  /** @param createContext Makes what pixels are read through; null where there is none. */
  constructor(private readonly createContext: () => ScratchContext | null) {}

  read(frame: Phaser.Textures.Frame, blend: Blend): AlphaLookup {
    return isTurned(frame)
      ? mirrored(this.readUpright(lyingPartOf(frame).frame, blend))
      : this.readUpright(frame, blend);
  }

  private readUpright(frame: Phaser.Textures.Frame, blend: Blend): AlphaLookup {
    const { cutX, cutY, cutWidth, cutHeight, source } = frame;
    const image: unknown = isData(source) ? dataPicture(source, this.createContext) : source.image;
    if (!(cutWidth > 0 && cutHeight > 0)) return UNKNOWN_LOOKUP;
    if (frame.source.compressionAlgorithm || !isDrawable(image)) return UNKNOWN_LOOKUP;
    if ((frame.source as { readonly glTexture?: object | null }).glTexture && reachesBeyond(frame, image)) {
      // The GPU goes on with the texels of the edge, or begins anew: an opaque picture it makes no holes in.
      const { width, height } = sizeOf(image);
      const whole = this.readPart(frame, image, 0, 0, width, height, blend);
      return whole.kind === 'opaque' ? whole : UNKNOWN_LOOKUP;
    }
    return this.readPart(frame, image, cutX, cutY, cutWidth, cutHeight, blend);
  }

  private readPart(
    { source }: Phaser.Textures.Frame,
    image: CanvasImageSource,
    cutX: number,
    cutY: number,
    cutWidth: number,
    cutHeight: number,
    blend: Blend,
  ): AlphaLookup {
    const shrink = Math.min(1, Math.sqrt(MAX_CELLS / (cutWidth * cutHeight)));
    const width = Math.max(1, Math.round(cutWidth * shrink));
    const height = Math.max(1, Math.round(cutHeight * shrink));
    const isNearest = isData(source) ? isDataPixelated(source) : source.scaleMode === NEAREST;
    const isPixelated = shrink === 1 && isNearest;
    let pixels: Uint8ClampedArray;
    try {
      const context = this.scratch(width, height);
      context.clearRect(0, 0, width, height);
      context.drawImage(image, cutX, cutY, cutWidth, cutHeight, 0, 0, width, height);
      pixels = context.getImageData(0, 0, width, height).data;
    } catch {
      // A tainted image taints the scratch canvas for good: the next read starts with a new one.
      this.context = null;
      return UNKNOWN_LOOKUP;
    }
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

/** The same from right to left. */
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

/** Whether the browser holds the file rather than its pixels. */
export function isEncoded(image: unknown): image is HTMLImageElement {
  return isInstance(image, 'HTMLImageElement');
}

function isDrawable(image: unknown): image is CanvasImageSource {
  return isDynamic(image) || isEncoded(image) || isInstance(image, 'ImageBitmap');
}

/** True for a frame that shows more than its picture has, by a texel at least: texts are sized in fractions of one. */
function reachesBeyond({ cutX, cutY, cutWidth, cutHeight }: Phaser.Textures.Frame, image: unknown): boolean {
  const { width, height } = sizeOf(image);
  return cutX <= -1 || cutY <= -1 || cutX + cutWidth >= width + 1 || cutY + cutHeight >= height + 1;
}

/** The size of a picture in its own pixels, whatever the page makes of it. */
function sizeOf(image: unknown): { width: number; height: number } {
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

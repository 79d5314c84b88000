import type * as Phaser from 'phaser';

import type { AlphaMap } from '../../viewability/AlphaMap.js';
import { Blend } from './Pen.js';
import type { ScratchContext } from './scratchContext.js';
import type { UploadWatch } from './UploadWatch.js';

/** Cells of the largest map; a frame with fewer texels gets one cell per texel. */
const MAX_CELLS = 65536;

/** Alpha from which a texel counts as fully opaque: hand-drawn art is full of 254s. */
const OPAQUE = 250;

/** How long the map of a canvas or video texture is trusted, in milliseconds, before the frame loop reads it again. */
const DYNAMIC_TTL_MS = 200;

/** What became of a frame. */
export type AlphaLookup =
  | { readonly kind: 'opaque' }
  | { readonly kind: 'map'; readonly map: AlphaMap }
  /** Tainted, compressed or GPU-only pixels; or not read yet because this frame's time budget is spent. */
  | { readonly kind: 'unknown' };

const OPAQUE_LOOKUP: AlphaLookup = { kind: 'opaque' };
const UNKNOWN_LOOKUP: AlphaLookup = { kind: 'unknown' };

interface Entry {
  image: unknown;
  cutX: number;
  cutY: number;
  cutWidth: number;
  cutHeight: number;
  dynamic: boolean;
  /** Start of the frame in which it was read. */
  readAt: number;
  /** The image's upload count at that time. */
  version: number;
  readonly lookups: [AlphaLookup | null, AlphaLookup | null, AlphaLookup | null];
}

/**
 * One small alpha grid per texture frame, read lazily. Phaser's own `getPixelAlpha` is not used: it reads back one
 * pixel a call through a context shared by the whole game, which one tainted image would spoil for good.
 *
 * Maps are held weakly by their frame, so they go with the texture.
 */
export class AlphaMaps {
  private readonly entries = new WeakMap<Phaser.Textures.Frame, Entry>();
  private context: ScratchContext | null = null;
  /** Reading time spent in this frame on textures never read before, and on those read again. */
  private spentMs = 0;
  private spentAgainMs = 0;
  /** When the current frame began. */
  private frameMs = 0;

  /**
   * @param now Monotonic milliseconds.
   * @param createContext Makes what pixels are read through; null where there is none.
   * @param budgetMs Reading time per frame, in milliseconds; beyond it textures wait for the next one and count as
   * unknown. Without a limit every call sees the pixels as they are now.
   * @param uploadWatch Tells when a canvas or video was sent to the GPU, in WebGL.
   */
  constructor(
    private readonly now: () => number,
    private readonly createContext: () => ScratchContext | null,
    private readonly budgetMs: number = Infinity,
    private readonly uploadWatch: UploadWatch | null = null,
  ) {}

  /** Another number when a canvas or video was sent to the GPU since; 0 for ever where uploads are not watched. */
  get uploads(): number {
    return this.uploadWatch?.total ?? 0;
  }

  /**
   * Starts a new frame with a new time budget.
   * @param time when the frame began, in milliseconds of any monotonic clock
   */
  beginFrame(time: number): void {
    this.spentMs = 0;
    this.spentAgainMs = 0;
    this.frameMs = time;
  }

  lookup(frame: Phaser.Textures.Frame, blend: Blend): AlphaLookup {
    const image = frame.source.image as unknown;
    let entry = this.entries.get(frame);
    if (
      entry === undefined ||
      entry.image !== image ||
      entry.cutX !== frame.cutX ||
      entry.cutY !== frame.cutY ||
      entry.cutWidth !== frame.cutWidth ||
      entry.cutHeight !== frame.cutHeight
    ) {
      entry = {
        image,
        cutX: frame.cutX,
        cutY: frame.cutY,
        cutWidth: frame.cutWidth,
        cutHeight: frame.cutHeight,
        dynamic: isDynamic(image),
        readAt: -Infinity,
        version: -1,
        lookups: [null, null, null],
      };
      this.entries.set(frame, entry);
    }
    const known = entry.lookups[blend];
    if (known !== null && !this.isStale(entry)) return known;
    // Two budgets: what is read again must not keep what was never read from its turn.
    if (known === null ? this.spentMs >= this.budgetMs : this.spentAgainMs >= this.budgetMs) {
      return known ?? UNKNOWN_LOOKUP;
    }
    if (this.isStale(entry)) entry.lookups.fill(null);
    const start = this.now();
    const lookup = this.read(frame, blend);
    const spent = this.now() - start;
    if (known === null) this.spentMs += spent;
    else this.spentAgainMs += spent;
    entry.lookups[blend] = lookup;
    entry.readAt = this.frameMs;
    entry.version = this.versionOf(image);
    return lookup;
  }

  /** Only canvases and videos change. Where uploads are watched a map holds until the next one. */
  private isStale(entry: Entry): boolean {
    if (!entry.dynamic || entry.readAt === this.frameMs) return false;
    if (this.budgetMs === Infinity) return true;
    if (this.uploadWatch !== null) return this.versionOf(entry.image) !== entry.version;
    return this.frameMs - entry.readAt >= DYNAMIC_TTL_MS;
  }

  private versionOf(image: unknown): number {
    return this.uploadWatch?.versionOf(image) ?? 0;
  }

  private read(frame: Phaser.Textures.Frame, blend: Blend): AlphaLookup {
    const image = frame.source.image as unknown;
    const { cutX, cutY, cutWidth, cutHeight } = frame;
    if (!(cutWidth > 0 && cutHeight > 0)) return UNKNOWN_LOOKUP;
    if (frame.source.compressionAlgorithm || !isDrawable(image)) return UNKNOWN_LOOKUP;
    const shrink = Math.min(1, Math.sqrt(MAX_CELLS / (cutWidth * cutHeight)));
    const width = Math.max(1, Math.round(cutWidth * shrink));
    const height = Math.max(1, Math.round(cutHeight * shrink));
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
    for (let i = 0; i < alpha.length; i++) {
      let value = pixels[4 * i + 3]!;
      if (blend !== Blend.COVER) {
        const light = (pixels[4 * i]! + pixels[4 * i + 1]! + pixels[4 * i + 2]!) / (3 * 255);
        value = Math.round(value * (blend === Blend.LIGHTEN ? light : 1 - light));
      }
      alpha[i] = value;
      if (value < lowest) lowest = value;
    }
    return lowest >= OPAQUE ? OPAQUE_LOOKUP : { kind: 'map', map: { width, height, alpha } };
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

/** Canvas and video pixels change without notice; decoded images never do. */
function isDynamic(image: unknown): boolean {
  return (
    isInstance(image, 'HTMLCanvasElement') ||
    isInstance(image, 'HTMLVideoElement') ||
    isInstance(image, 'OffscreenCanvas')
  );
}

function isDrawable(image: unknown): image is CanvasImageSource {
  return isDynamic(image) || isInstance(image, 'HTMLImageElement') || isInstance(image, 'ImageBitmap');
}

function isInstance(value: unknown, name: string): boolean {
  const type = (globalThis as Record<string, unknown>)[name];
  return typeof type === 'function' && value instanceof type;
}

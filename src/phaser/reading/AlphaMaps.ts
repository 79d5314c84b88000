import type * as Phaser from 'phaser';

import type { AlphaMap } from '../../viewability/AlphaMap.js';
import { contrastOf } from './colourLight.js';
import { Blend } from './Pen.js';
import type { ScratchContext } from './scratchContext.js';
import type { UploadWatch } from './UploadWatch.js';

/** Cells of the largest map; a frame with fewer texels gets one cell per texel. */
const MAX_CELLS = 65536;

/** Alpha from which a texel counts as fully opaque: hand-drawn art is full of 254s. */
const OPAQUE = 250;

/** Steps of brightness in which tints are told apart. */
const TINT_STEPS = 64;

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
  /** By {@link Blend}. */
  readonly lookups: (AlphaLookup | null)[];
  /** What is dark of the frame under a tint, by the tint's light in steps; null until a tinted one is asked for. */
  tinted: Map<number, AlphaLookup> | null;
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

  /** As {@link lookup}, for a frame that multiplies and is tinted by a colour of the given light, 0–1. */
  lookupTinted(frame: Phaser.Textures.Frame, light: number): AlphaLookup {
    const step = Math.round(light * TINT_STEPS);
    if (step === TINT_STEPS) return this.lookup(frame, Blend.DARKEN);
    const cover = this.lookup(frame, Blend.COVER);
    const lit = this.lookup(frame, Blend.LIGHTEN);
    const entry = this.entries.get(frame)!;
    if (cover.kind === 'unknown' || lit.kind === 'unknown') return UNKNOWN_LOOKUP;
    entry.tinted ??= new Map();
    let lookup = entry.tinted.get(step);
    if (lookup === undefined) {
      lookup = darkened(cover, lit, step / TINT_STEPS);
      entry.tinted.set(step, lookup);
    }
    return lookup;
  }

  lookup(frame: Phaser.Textures.Frame, mode: Blend): AlphaLookup {
    const blend = mode === Blend.ADD ? Blend.LIGHTEN : mode;
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
        lookups: [null, null, null, null, null],
        tinted: null,
      };
      this.entries.set(frame, entry);
    }
    const known = entry.lookups[blend] ?? null;
    if (known !== null && !this.isStale(entry)) return known;
    // Two budgets: what is read again must not keep what was never read from its turn.
    if (known === null ? this.spentMs >= this.budgetMs : this.spentAgainMs >= this.budgetMs) {
      return known ?? UNKNOWN_LOOKUP;
    }
    if (this.isStale(entry)) entry.lookups.fill(null);
    entry.tinted = null;
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
      if (blend !== Blend.COVER) value = Math.round(value * hiding(blend, pixels, 4 * i));
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

/** How far an opaque pixel hides what is below, 0–1. */
function hiding(blend: Blend, pixels: Uint8ClampedArray, at: number): number {
  const red = pixels[at]!;
  const green = pixels[at + 1]!;
  const blue = pixels[at + 2]!;
  if (blend === Blend.HARD_LIGHT) return contrastOf(red, green, blue);
  const light = (red + green + blue) / 765;
  return blend === Blend.DARKEN ? 1 - light : light;
}

/** What is dark of a frame that a tint of some light dims: where it is, less the light that picture and tint let through. */
function darkened(cover: AlphaLookup, lit: AlphaLookup, light: number): AlphaLookup {
  const alphaOf = cover.kind === 'map' ? cover.map : null;
  const lightOf = lit.kind === 'map' ? lit.map : null;
  const { width, height } = alphaOf ?? lightOf ?? { width: 1, height: 1 };
  const alpha = new Uint8Array(width * height);
  for (let i = 0; i < alpha.length; i++) {
    const whole = alphaOf?.alpha[i] ?? 255;
    alpha[i] = Math.round(whole - light * Math.min(whole, lightOf?.alpha[i] ?? 255));
  }
  return { kind: 'map', map: { width, height, alpha } };
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

import type * as Phaser from 'phaser';

import { type AlphaLookup, AlphaReader, isDynamic, isVideo, UNKNOWN_LOOKUP } from './AlphaReader.js';
import { drawnTextureOf } from './drawnTextureOf.js';
import { Blend } from './Blend.js';
import { ReadingCost } from './ReadingCost.js';
import type { ScratchContext } from './scratchContext.js';
import { SpareTime, type SpareTimeWindow } from './SpareTime.js';
import { isTurned } from './turnedFrames.js';

export type { AlphaLookup } from './AlphaReader.js';

/** Tints are told apart by their brightness, in this many steps. */
const TINT_STEPS = 64;

/** How long the map of a canvas or video texture is trusted, in milliseconds, before the frame loop reads it again. */
const DYNAMIC_TTL_MS = 200;

/**
 * After this many frames in one task the game is stepped by hand: nothing runs between its frames. After this many frames in
 * all without spare time, the page has none. In both cases everything is read within frames.
 */
const MOST_FRAMES_IN_A_TASK = 4;
const MOST_FRAMES_WAITED = 60;

/**
 * Share of the time that reading a texture Phaser draws into may take, since each reading waits for the GPU. A player feels
 * readings longer than {@link FELT_MS}: they may take a tenth of that share.
 */
const DRAWN_SHARE = 0.02;
const FELT_SHARE = 0.002;
const FELT_MS = 10;

/** How long the old map is good enough after the pixels have changed, in milliseconds. */
const STALE_TTL_MS = 500;

interface Entry {
  /** The picture, or the texture of the GPU that Phaser draws into. */
  image: unknown;
  cutX: number;
  cutY: number;
  cutWidth: number;
  cutHeight: number;
  turned: boolean;
  scaleMode: number;
  dynamic: boolean;
  /** Phaser draws into it. */
  drawn: boolean;
  /** Before this time it is not read again while the game plays. */
  restsUntil: number;
  /** When the pixels were first seen to differ from those that were read; NaN until then. */
  changedAt: number;
  /** Start of the frame in which it was read, and its number. */
  readAt: number;
  readIn: number;
  /** The image's upload count at that time. */
  version: number;
  /** By {@link Blend}. */
  readonly lookups: (AlphaLookup | null)[];
  /** The lookups before the pixels were last read again. */
  readonly previous: (AlphaLookup | null)[];
  /** How dark the frame is under a tint, by the tint's light in steps; null until first asked for. */
  tinted: Map<number, AlphaLookup> | null;
  /** A bit for each {@link Blend} that is to be read between frames. */
  waiting: number;
}

/** Tells when the pixels of a canvas, a video or a texture of the GPU changed. */
export interface PixelVersions {
  /** Number of changes of all pixels together. */
  readonly total: number;
  /** Equal numbers mean equal pixels; not-a-number equals nothing. */
  versionOf(pixels: unknown): number;
  /**
   * When the pixels first changed since they were {@link settle}d, on the clock of `performance.now`; undefined when not seen.
   */
  changedAt?(pixels: unknown): number | undefined;
  /** The pixels have been read as they are now. */
  settle?(pixels: unknown): void;
  /** Counts from now on what Phaser draws into a texture of the GPU. */
  watchDrawing?(texture: object): void;
}

/** A texture frame that is to be read between frames. */
interface Wish {
  readonly frame: Phaser.Textures.Frame;
  readonly entry: Entry;
  readonly blend: Blend;
}

/**
 * One small alpha grid per texture frame, read lazily. Phaser's own `getPixelAlpha` is not used: it reads back one pixel a
 * call through a context shared by the whole game, which one tainted image would spoil for good.
 *
 * Within a frame only what fits the budget is read. The rest, such as pictures that have to be decoded first, is read between
 * frames, in the page's spare time. Until then it counts as unknown, and a canvas that has changed keeps its old map.
 *
 * Maps are held weakly by their frame, so they go with the texture.
 */
export class AlphaMaps {
  /** While true, every texture is read when it is asked for: for calls that cannot ask again in the next frame. */
  isUrgent = false;
  /** While true, textures never read before are read when asked for: without its own texture an ad's area would be wrong. */
  isOfAd = false;
  /** The last answer was a map of pixels that have changed since: the same question will get another answer. */
  isBehind = false;
  private readonly entries = new WeakMap<Phaser.Textures.Frame, Entry>();
  /** By texture of the GPU: the last frame asked for. */
  private readonly framesOf = new WeakMap<object, Phaser.Textures.Frame>();
  private readonly reader: AlphaReader;
  private readonly cost = new ReadingCost();
  private readonly spareTime: SpareTime | null;
  private readonly wishes: Wish[] = [];
  /** Reading time spent in this frame on textures never read before, and on those read again. */
  private spentMs = 0;
  private spentAgainMs = 0;
  /** When the current frame began, and its number: a game's clock may stand still. */
  private frameMs = 0;
  private frame = 0;
  /** Frames begun since there was time to spare, while something waits for it. */
  private framesWaited = 0;
  /** Those of them in the present task. */
  private framesInTask = 0;
  private readBetweenFrames = 0;

  /**
   * @param now Monotonic milliseconds.
   * @param createContext Makes the 2D context through which pixels are read; null where there is none.
   * @param budgetMs Reading time per frame, in milliseconds; beyond it textures wait and count as unknown. Without a limit
   * every call sees the pixels as they are now.
   * @param pixelWatch Tells when a canvas or video was sent to the GPU, in WebGL, or painted on, on Canvas.
   * @param isPaintedDirectly On Canvas: what is painted on a picture is on screen at once, without an upload.
   * @param page Gives spare time between frames; without it, what waits is read in the next frames, at least one texture in
   * each.
   */
  constructor(
    private readonly now: () => number,
    createContext: () => ScratchContext | null,
    private readonly budgetMs: number = Infinity,
    private readonly pixelWatch: PixelVersions | null = null,
    page: SpareTimeWindow | null = null,
    private readonly isPaintedDirectly = false,
  ) {
    this.reader = new AlphaReader(createContext);
    this.spareTime = page === null ? null : new SpareTime(page, now, (leftMs) => this.readWishes(leftMs));
  }

  /**
   * Changes when the same question may get another answer: a canvas or video was sent to the GPU, or something was read
   * between frames. Where uploads are not watched, it does not tell of canvases and videos.
   */
  get changes(): number {
    return (this.pixelWatch?.total ?? 0) + this.readBetweenFrames;
  }

  /**
   * Starts a new frame with a new time budget.
   * @param time when the frame began, in milliseconds of any monotonic clock
   */
  beginFrame(time: number): void {
    this.spentMs = 0;
    this.spentAgainMs = 0;
    this.frameMs = time;
    this.frame++;
    if (this.wishes.length === 0) return;
    this.framesWaited++;
    if (this.framesInTask++ === 0) void Promise.resolve().then(this.endTask);
  }

  /** Gives up what waits to be read between frames: nothing is left behind. */
  stop(): void {
    this.spareTime?.cancel();
    for (const { entry } of this.wishes) entry.waiting = 0;
    this.wishes.length = 0;
    this.framesWaited = this.framesInTask = 0;
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
    this.isBehind = false;
    const entry = this.entryOf(frame);
    const known = entry.lookups[blend] ?? null;
    if (known !== null && !this.isStale(entry)) return known;
    const isAgain = known !== null;
    if (this.mayRead(frame, entry, isAgain)) {
      const tookMs = this.read(frame, entry, blend);
      if (isAgain) this.spentAgainMs += tookMs;
      else this.spentMs += tookMs;
      return entry.lookups[blend]!;
    }
    if (this.spareTime !== null) this.wish(frame, entry, blend);
    if (known === null || this.isOutdated(entry, known)) return UNKNOWN_LOOKUP;
    this.isBehind = true;
    return known;
  }

  /**
   * A frame of this texture of the GPU that was asked for before; null if there is none. Texts and other objects with a
   * canvas of their own have textures the game's texture manager does not list.
   */
  frameOf(glTexture: object): Phaser.Textures.Frame | null {
    const frame = this.framesOf.get(glTexture);
    // A destroyed frame has no source.
    const source = frame?.source as { readonly glTexture: object | null } | null | undefined;
    return source?.glTexture === glTexture ? frame! : null;
  }

  private readonly endTask = (): void => {
    this.framesInTask = 0;
  };

  private entryOf(frame: Phaser.Textures.Frame): Entry {
    const image = pixelsOf(frame.source);
    let entry = this.entries.get(frame);
    if (entry === undefined || !isOf(entry, frame)) {
      const drawn = drawnTextureOf(frame.source) !== null;
      if (drawn) this.pixelWatch?.watchDrawing?.(image as object);
      entry = {
        image,
        cutX: frame.cutX,
        cutY: frame.cutY,
        cutWidth: frame.cutWidth,
        cutHeight: frame.cutHeight,
        turned: isTurned(frame),
        scaleMode: frame.source.scaleMode,
        dynamic: drawn || isDynamic(image),
        drawn,
        restsUntil: -Infinity,
        changedAt: NaN,
        readAt: -Infinity,
        readIn: -1,
        version: -1,
        lookups: [null, null, null, null, null],
        previous: [null, null, null, null, null],
        tinted: null,
        waiting: 0,
      };
      this.entries.set(frame, entry);
      const { glTexture } = frame.source as { readonly glTexture: object | null };
      // A `TexturePart` has no `texture`: it is no frame.
      if (glTexture && (frame.texture as unknown)) this.framesOf.set(glTexture, frame);
    }
    return entry;
  }

  /**
   * Whether there is time to read the frame now. New textures and those read again have a budget each, so that neither has
   * to wait for ever.
   */
  private mayRead(frame: Phaser.Textures.Frame, entry: Entry, isAgain: boolean): boolean {
    const { budgetMs, spentMs, spentAgainMs } = this;
    if (budgetMs === Infinity || this.isUrgent || (this.isOfAd && !isAgain)) return true;
    const isStepped = this.framesInTask >= MOST_FRAMES_IN_A_TASK;
    if (this.spareTime === null || isStepped || this.framesWaited >= MOST_FRAMES_WAITED) {
      if (!isStepped && this.now() < entry.restsUntil) return false;
      return isAgain ? spentAgainMs < budgetMs : spentMs < budgetMs;
    }
    // Within a frame the reading would wait until the GPU has drawn all of it.
    if (entry.drawn) return false;
    const expectedMs = this.cost.expectedMs(frame, this.now());
    return isAgain ? spentAgainMs + expectedMs <= budgetMs / 2 : spentMs + spentAgainMs + expectedMs <= budgetMs;
  }

  /** Reads the frame. @returns the time it took, in milliseconds */
  private read(frame: Phaser.Textures.Frame, entry: Entry, blend: Blend): number {
    const { lookups, previous } = entry;
    const version = this.versionOf(entry.image);
    // The maps of all blends are of the same pixels.
    if (this.isStale(entry) || !Object.is(version, entry.version)) {
      for (let b = 0; b < lookups.length; b++) previous[b] = lookups[b] ?? previous[b]!;
      lookups.fill(null);
    }
    const start = this.now();
    const expectedMs = this.cost.expectedMs(frame, start);
    const lookup = this.reader.read(frame, blend, version);
    const before = previous[blend] ?? null;
    // Equal content keeps the same map: an ad under pixels that were read again and are unchanged is not measured anew.
    const isSame = before !== null && isSameLookup(before, lookup);
    lookups[blend] = isSame ? before : lookup;
    if (!isSame) entry.tinted = null;
    const end = this.now();
    this.cost.record(frame, expectedMs, end - start, end);
    entry.readAt = this.frameMs;
    entry.readIn = this.frame;
    if (entry.drawn) entry.restsUntil = end + (end - start) / (end - start > FELT_MS ? FELT_SHARE : DRAWN_SHARE);
    entry.changedAt = NaN;
    entry.version = version;
    this.pixelWatch?.settle?.(entry.image);
    return end - start;
  }

  private wish(frame: Phaser.Textures.Frame, entry: Entry, blend: Blend): void {
    if ((entry.waiting & (1 << blend)) === 0) {
      entry.waiting |= 1 << blend;
      this.wishes.push({ frame, entry, blend });
    }
    this.spareTime!.request();
  }

  /** Reads what waits, at least one texture: there may never be enough time for a large picture. */
  private readWishes(leftMs: () => number): void {
    const { wishes } = this;
    this.framesWaited = this.framesInTask = 0;
    let isFirst = true;
    let done = 0;
    const resting: Wish[] = [];
    for (; done < wishes.length; done++) {
      const wish = wishes[done]!;
      const { frame, entry, blend } = wish;
      const isWanted =
        // Not destroyed with its texture, and still of the same pixels.
        (frame.source as unknown) &&
        this.entries.get(frame) === entry &&
        isOf(entry, frame) &&
        (entry.lookups[blend] === null || this.isStale(entry));
      if (isWanted && this.now() < entry.restsUntil) {
        resting.push(wish);
        continue;
      }
      if (isWanted) {
        if (!isFirst && this.cost.expectedMs(frame, this.now()) > leftMs()) break;
        isFirst = false;
        this.read(frame, entry, blend);
        this.readBetweenFrames++;
      }
      entry.waiting &= ~(1 << blend);
    }
    wishes.splice(0, done, ...resting);
    if (wishes.length > 0) this.spareTime!.request();
  }

  /**
   * Where uploads are watched, a map holds until the next upload: pictures may be sent once more, too
   * (`TextureSource.update` of Phaser 4). Elsewhere only canvases and videos change.
   */
  private isStale(entry: Entry): boolean {
    if (entry.readIn === this.frame) return false;
    if (!entry.dynamic && (this.pixelWatch === null || this.isPaintedDirectly)) return false;
    if (entry.dynamic && this.budgetMs === Infinity && !this.isPaintedDirectly) return true;
    if (this.pixelWatch !== null) return this.versionOf(entry.image) !== entry.version;
    // A game may make frames by a clock of its own, and later go on by another one that is behind.
    const ageMs = this.frameMs - entry.readAt;
    return ageMs < 0 || ageMs >= DYNAMIC_TTL_MS;
  }

  /**
   * Whether a stale map must not be used any more: its pixels changed too long ago. On Canvas this holds for every stale
   * map, since what is painted on a canvas is on screen at once. A video that was opaque stays opaque.
   */
  private isOutdated(entry: Entry, known: AlphaLookup): boolean {
    if (known.kind === 'opaque' && isVideo(entry.image)) return false;
    if (this.isPaintedDirectly) return true;
    const now = this.now();
    if (Number.isNaN(entry.changedAt)) entry.changedAt = this.pixelWatch?.changedAt?.(entry.image) ?? now;
    return !(now - entry.changedAt < STALE_TTL_MS);
  }

  private versionOf(image: unknown): number {
    return this.pixelWatch?.versionOf(image) ?? 0;
  }
}

function isSameLookup(a: AlphaLookup, b: AlphaLookup): boolean {
  if (a.kind === 'unknown' || b.kind === 'unknown') return a.kind === b.kind;
  if (a.kind !== b.kind || a.brightest !== b.brightest) return false;
  if (a.kind !== 'map' || b.kind !== 'map') return true;
  const { width, height, isPixelated, alpha } = a.map;
  const other = b.map;
  if (width !== other.width || height !== other.height || isPixelated !== other.isPixelated) return false;
  for (let i = 0; i < alpha.length; i++) if (alpha[i] !== other.alpha[i]) return false;
  return true;
}

/** What holds a source's pixels: the texture of the GPU that Phaser draws into, or the picture. */
function pixelsOf(source: Phaser.Textures.TextureSource): unknown {
  return drawnTextureOf(source) ?? source.image;
}

/** Whether the entry is about the pixels the frame now shows. */
function isOf(entry: Entry, frame: Phaser.Textures.Frame): boolean {
  return (
    entry.image === pixelsOf(frame.source) &&
    entry.cutX === frame.cutX &&
    entry.cutY === frame.cutY &&
    entry.cutWidth === frame.cutWidth &&
    entry.cutHeight === frame.cutHeight &&
    entry.turned === isTurned(frame) &&
    entry.scaleMode === frame.source.scaleMode
  );
}

/** How dark a frame is under a tint of the given light: its alpha, less the light that picture and tint let through. */
function darkened(cover: AlphaLookup, lit: AlphaLookup, light: number): AlphaLookup {
  const alphaOf = cover.kind === 'map' ? cover.map : null;
  const lightOf = lit.kind === 'map' ? lit.map : null;
  const { width, height, isPixelated = false } = alphaOf ?? lightOf ?? { width: 1, height: 1 };
  const alpha = new Uint8Array(width * height);
  for (let i = 0; i < alpha.length; i++) {
    const whole = alphaOf?.alpha[i] ?? 255;
    alpha[i] = Math.round(whole - light * Math.min(whole, lightOf?.alpha[i] ?? 255));
  }
  return { kind: 'map', map: { width, height, alpha, isPixelated }, brightest: 1 };
}

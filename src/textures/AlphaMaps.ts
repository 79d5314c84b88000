import type * as Phaser from 'phaser';

import { type AlphaLookup, AlphaReader, isDynamic, isVideo, UNKNOWN_LOOKUP } from './AlphaReader.js';
import { Blend } from './Blend.js';
import { drawnTextureOf } from './gpuTexels.js';
import { ReadingCost } from './ReadingCost.js';
import type { ScratchContext } from './scratchContext.js';
import { SpareTime, type SpareTimeWindow } from './SpareTime.js';
import { isCreative } from './wholeOf.js';

export type { AlphaLookup } from './AlphaReader.js';

type Frame = Phaser.Textures.Frame;

/** Reading time per frame, in milliseconds: enough for a label, not for a picture. Textures read again get half of it. */
const BUDGET_MS = 0.5;

/** Tints are told apart by their brightness, in this many steps. */
const TINT_STEPS = 64;
/** Of a frame whose tint and opacity both change, so many answers are kept. */
const MOST_TINTED = 256;

/** Alpha and light of what hides everything. */
const OPAQUE = 255;

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

/**
 * How long the old map is good enough after the pixels have changed, in milliseconds: less where the reading before brought
 * other pixels, too, as with light that follows the player.
 */
const STALE_TTL_MS = 500;
const CHANGING_TTL_MS = 100;

/** A key as `Phaser.Utils.String.UUID` makes it. */
const MADE_UP = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What is known of one texture frame, for one way of painting. */
interface Entry {
  readonly frame: Frame;
  readonly blend: Blend;
  /** The picture, or the texture of the GPU that Phaser draws into. */
  readonly image: unknown;
  readonly cutX: number;
  readonly cutY: number;
  readonly cutWidth: number;
  readonly cutHeight: number;
  readonly scaleMode: number;
  /** Its pixels may change at any time. */
  readonly isDynamic: boolean;
  /** Phaser draws into it. */
  readonly isDrawn: boolean;
  /** What was read last; null before. */
  lookup: AlphaLookup | null;
  /** Number of the frame in which it was read, and of the version of the pixels. */
  readIn: number;
  version: number;
  /** The last reading brought other pixels than the one before. */
  isChanging: boolean;
  /** Before this time it is not read from the GPU again while the game plays. */
  restsUntil: number;
  /** It is to be read between frames. */
  isWaiting: boolean;
}

interface SentSource {
  readonly glTexture?: object | null;
  readonly texture: { readonly key: string; readonly manager: { readonly list: Readonly<Record<string, unknown>> } };
}

/** How dark a frame is under tints, by their light in steps; made from what was read of it for two ways of painting. */
interface Tinted {
  readonly cover: AlphaLookup;
  readonly lit: AlphaLookup;
  readonly byStep: Map<number, AlphaLookup>;
}

/** Tells when the pixels of a canvas, a video or a texture of the GPU changed. */
export interface PixelVersions {
  /** Number of changes of all pixels together. */
  readonly total: number;
  /** On Canvas: what is painted on a picture is on screen at once, without an upload. */
  readonly isPaintedDirectly: boolean;
  /** Equal numbers mean equal pixels; not-a-number equals nothing. */
  versionOf(pixels: unknown): number;
  /**
   * When the pixels changed from this version to the next, or somewhat earlier, on the clock of `performance.now`. Minus
   * infinity when that was long ago.
   */
  changedAt?(pixels: unknown, version: number): number;
  /** Whether the pixels were just sent to this texture of the GPU, and to no other since. */
  isJustSent?(pixels: unknown, texture: object): boolean;
  /** Counts from now on what Phaser draws into a texture of the GPU. */
  watchDrawing?(texture: object): void;
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
  /** While true, textures never read before are read when asked for: without its own texture an ad's area would be wrong. */
  isOfAd = false;
  /** The last answer was a map of pixels that have changed since: the same question will get another answer. */
  isBehind = false;
  /** By {@link Blend}. */
  readonly #entries = Object.values(Blend).map(() => new WeakMap<Frame, Entry>());
  readonly #tints = new WeakMap<Frame, Tinted>();
  /** By texture of the GPU: the last frame asked for. */
  readonly #framesOf = new WeakMap<object, Frame>();
  readonly #reader: AlphaReader;
  readonly #cost = new ReadingCost();
  readonly #spareTime: SpareTime | null;
  readonly #wishes: Entry[] = [];
  /** Reading time spent in this frame. */
  #spentMs = 0;
  /** Number of the current frame. */
  #frame = 0;
  /** Frames begun since there was time to spare, while something waits for it. */
  #framesWaited = 0;
  /** Those of them in the present task. */
  #framesInTask = 0;
  #readBetweenFrames = 0;

  /**
   * @param now Monotonic milliseconds.
   * @param createContext Makes the 2D context through which pixels are read; null where there is none.
   * @param pixels Tells when a canvas or video was sent to the GPU, in WebGL, or painted on, on Canvas.
   * @param page Gives spare time between frames; without it, everything is read when it is asked for.
   */
  constructor(
    private readonly now: () => number,
    createContext: () => ScratchContext | null,
    private readonly pixels: PixelVersions,
    page: SpareTimeWindow | null = null,
  ) {
    this.#reader = new AlphaReader(createContext);
    this.#spareTime = page === null ? null : new SpareTime(page, now, (leftMs) => this.#readWishes(leftMs));
  }

  /**
   * Changes when the same question may get another answer: a canvas or video was sent to the GPU, or something was read
   * between frames.
   */
  get changes(): number {
    return this.pixels.total + this.#readBetweenFrames;
  }

  /** Starts a new frame with a new time budget. */
  beginFrame(): void {
    this.#spentMs = 0;
    this.#frame++;
    if (this.#wishes.length === 0) return;
    this.#framesWaited++;
    if (this.#framesInTask++ === 0) void Promise.resolve().then(this.#endTask);
  }

  /** Gives up what waits to be read between frames: nothing is left behind. */
  stop(): void {
    this.#spareTime?.cancel();
    for (const entry of this.#wishes) entry.isWaiting = false;
    this.#wishes.length = 0;
    this.#framesWaited = this.#framesInTask = 0;
  }

  /** As {@link lookup}, for a frame that multiplies and is tinted by a colour of the given light, 0–1. */
  lookupTinted(frame: Frame, light: number): AlphaLookup {
    const step = Math.round(light * TINT_STEPS);
    return step === TINT_STEPS ? this.lookup(frame, Blend.DARKEN) : this.#lookupStep(frame, step, 0, darkened);
  }

  /**
   * As {@link lookup}, for a frame that is filled with a tint: what is half clear shows some of its own light beside it.
   * @param strength how much light of what is below the tint alone hides, 0–1
   * @param opacity of the picture for {@link Blend.COVER}, 0–1: it is part of the answer if that is a map
   */
  lookupFilled(frame: Frame, blend: Blend, strength: number, opacity = 1): AlphaLookup {
    const step = Math.round(strength * TINT_STEPS);
    if (blend === Blend.COVER) {
      const cover = this.lookup(frame, blend);
      if (cover.kind !== 'map') return cover;
      const shown = Math.round(opacity * TINT_STEPS);
      // After the numbers of the other blends.
      return this.#lookupStep(frame, step, (shown + 2) * (TINT_STEPS + 1), filledOver, shown / TINT_STEPS);
    }
    const sign = blend === Blend.DARKEN ? -1 : 1;
    const make = sign < 0 ? filledDark : filled;
    return this.#lookupStep(frame, step, sign * (TINT_STEPS + 1), make);
  }

  #lookupStep(frame: Frame, step: number, from: number, make: typeof filledOver, opacity = 1): AlphaLookup {
    const cover = this.lookup(frame, Blend.COVER);
    const isCoverBehind = this.isBehind;
    const lit = this.lookup(frame, Blend.LIGHTEN);
    this.isBehind ||= isCoverBehind;
    if (cover.kind === 'unknown' || lit.kind === 'unknown') return UNKNOWN_LOOKUP;
    let tinted = this.#tints.get(frame);
    if (tinted?.cover !== cover || tinted.lit !== lit) {
      tinted = { cover, lit, byStep: new Map() };
      this.#tints.set(frame, tinted);
    }
    let lookup = tinted.byStep.get(from + step);
    if (lookup === undefined) {
      lookup = make(cover, lit, step / TINT_STEPS, opacity);
      if (tinted.byStep.size >= MOST_TINTED) tinted.byStep.clear();
      tinted.byStep.set(from + step, lookup);
    }
    return lookup;
  }

  lookup(frame: Frame, blend: Blend): AlphaLookup {
    this.isBehind = false;
    const entry = this.#entryOf(frame, blend === Blend.ADD ? Blend.LIGHTEN : blend);
    const known = entry.lookup;
    if (known !== null && !this.#isStale(entry)) return known;
    if (this.#mayRead(entry)) {
      this.#spentMs += this.#read(entry);
      return entry.lookup!;
    }
    this.#wish(entry);
    if (known === null || this.#isOutdated(entry, known)) return UNKNOWN_LOOKUP;
    this.isBehind = true;
    return known;
  }

  /**
   * A frame of this texture of the GPU that was asked for before; null if there is none. Texts and other objects with a
   * canvas of their own have textures the game's texture manager does not list.
   */
  frameOf(glTexture: object): Frame | null {
    const frame = this.#framesOf.get(glTexture);
    // A destroyed frame has no source.
    const source = frame?.source as { readonly glTexture: object | null } | null | undefined;
    return source?.glTexture === glTexture ? frame! : null;
  }

  readonly #endTask = (): void => {
    this.#framesInTask = 0;
  };

  #entryOf(frame: Frame, blend: Blend): Entry {
    const known = this.#entries[blend]!.get(frame);
    if (known !== undefined && isOf(known, frame)) return known;
    const image = pixelsOf(frame.source);
    const isDrawn = drawnTextureOf(frame.source) !== null;
    if (isDrawn) this.pixels.watchDrawing?.(image as object);
    // A text's new words give its canvas another size: the last map is as good as after any other change, unless it had no words.
    const isWritten = known !== undefined && isResized(known, frame, this.pixels.versionOf(image));
    const resized = isWritten && !isBlankOf(known, frame) ? known : null;
    const entry: Entry = {
      frame,
      blend,
      image,
      cutX: frame.cutX,
      cutY: frame.cutY,
      cutWidth: frame.cutWidth,
      cutHeight: frame.cutHeight,
      scaleMode: frame.source.scaleMode,
      isDynamic: isDrawn || isDynamic(image),
      isDrawn,
      lookup: resized?.lookup ?? null,
      readIn: -1,
      version: resized?.version ?? -1,
      isChanging: resized?.isChanging ?? false,
      restsUntil: -Infinity,
      isWaiting: false,
    };
    this.#entries[blend]!.set(frame, entry);
    const { glTexture } = frame.source as { readonly glTexture: object | null };
    // A part of a texture that Phaser keeps no frame of has no `texture`.
    if (glTexture && (frame.texture as unknown)) this.#framesOf.set(glTexture, frame);
    return entry;
  }

  /** Whether there is time to read the frame now. */
  #mayRead(entry: Entry): boolean {
    const { frame, lookup } = entry;
    const isAgain = lookup !== null;
    if (this.#spareTime === null || (this.isOfAd && !isAgain)) return true;
    if (this.#framesInTask >= MOST_FRAMES_IN_A_TASK || this.#framesWaited >= MOST_FRAMES_WAITED) {
      return this.#spentMs < BUDGET_MS;
    }
    // Within a frame the reading would wait until the GPU has drawn all of it.
    if (this.#isOnGpu(entry)) return false;
    return this.#spentMs + this.#cost.expectedMs(frame, this.now()) <= (isAgain ? BUDGET_MS / 2 : BUDGET_MS);
  }

  /** Whether only the GPU has its pixels. */
  #isOnGpu(entry: Entry): boolean {
    return entry.isDrawn || this.#mayBePainted(entry);
  }

  /**
   * Whether the game may have painted on a canvas since it was sent to the GPU: it may use one canvas for many textures. Texts
   * are sent as soon as they are painted; their textures have a key that Phaser made up, or are not listed. On creatives
   * only the plugin paints.
   */
  #mayBePainted({ frame, image, isDynamic, isDrawn }: Entry): boolean {
    if (!isDynamic || isDrawn || isVideo(image) || isCreative(image)) return false;
    const { glTexture, texture } = frame.source as SentSource;
    // On Canvas there is none, and pictures without a texture of Phaser's are read, too.
    if (!glTexture || texture.manager.list[texture.key] !== texture || MADE_UP.test(texture.key)) return false;
    return this.pixels.isJustSent?.(image, glTexture) === false;
  }

  /** Reads the frame. @returns the time it took, in milliseconds */
  #read(entry: Entry): number {
    const { frame, image, blend, lookup: before } = entry;
    const version = this.pixels.versionOf(image);
    const start = this.now();
    const expectedMs = this.#cost.expectedMs(frame, start);
    const isPainted = this.#mayBePainted(entry);
    const lookup = this.#reader.read(frame, blend, isPainted);
    // Equal content keeps the same map: an ad under pixels that were read again and are unchanged is not measured anew.
    const isNew = before === null || !isSameLookup(before, lookup);
    if (isNew) entry.lookup = lookup;
    entry.isChanging = isNew && before !== null;
    const end = this.now();
    const tookMs = end - start;
    this.#cost.record(frame, expectedMs, tookMs, end);
    entry.readIn = this.#frame;
    entry.version = version;
    if (entry.isDrawn || isPainted) entry.restsUntil = end + tookMs / (tookMs > FELT_MS ? FELT_SHARE : DRAWN_SHARE);
    return tookMs;
  }

  #wish(entry: Entry): void {
    if (!entry.isWaiting) this.#wishes.push(entry);
    entry.isWaiting = true;
    this.#spareTime!.request();
  }

  /** Reads what waits, at least one texture: there may never be enough time for a large picture. */
  #readWishes(leftMs: () => number): void {
    const wishes = this.#wishes;
    this.#framesWaited = this.#framesInTask = 0;
    let hasRead = false;
    let done = 0;
    const resting: Entry[] = [];
    for (; done < wishes.length; done++) {
      const entry = wishes[done]!;
      if (this.#isWanted(entry)) {
        if (this.now() < entry.restsUntil && this.#isOnGpu(entry)) {
          resting.push(entry);
          continue;
        }
        if (hasRead && this.#cost.expectedMs(entry.frame, this.now()) > leftMs()) break;
        hasRead = true;
        this.#read(entry);
        this.#readBetweenFrames++;
      }
      entry.isWaiting = false;
    }
    wishes.splice(0, done, ...resting);
    if (wishes.length > 0) this.#spareTime!.request();
  }

  /** Whether the frame is not destroyed with its texture, still shows the same pixels, and has not been read meanwhile. */
  #isWanted(entry: Entry): boolean {
    const { frame, blend, lookup } = entry;
    if (!(frame.source as unknown) || this.#entries[blend]!.get(frame) !== entry || !isOf(entry, frame)) return false;
    return lookup === null || this.#isStale(entry);
  }

  /**
   * In WebGL a map holds until the next upload: pictures may be sent once more, too (`TextureSource.update` of Phaser 4). On
   * Canvas only canvases and videos change.
   */
  #isStale({ readIn, isDynamic, image, version }: Entry): boolean {
    if (readIn === this.#frame || (this.pixels.isPaintedDirectly && !isDynamic)) return false;
    return this.pixels.versionOf(image) !== version;
  }

  /**
   * Whether a stale map must not be used any more: its pixels changed too long ago. On Canvas this holds for every stale
   * map, since what is painted on a canvas is on screen at once. A video or creative that was opaque stays so.
   */
  #isOutdated(entry: Entry, known: AlphaLookup): boolean {
    if (known.kind === 'opaque' && (isVideo(entry.image) || isCreative(entry.image))) return false;
    const changedAt = this.pixels.changedAt?.(entry.image, entry.version) ?? -Infinity;
    return this.now() - changedAt >= (entry.isChanging ? CHANGING_TTL_MS : STALE_TTL_MS);
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
function isOf(entry: Entry, frame: Frame): boolean {
  return (
    entry.image === pixelsOf(frame.source) &&
    entry.cutX === frame.cutX &&
    entry.cutY === frame.cutY &&
    entry.cutWidth === frame.cutWidth &&
    entry.cutHeight === frame.cutHeight &&
    entry.scaleMode === frame.source.scaleMode
  );
}

/** Whether the pixels of the entry have changed, and with them only the size of what the frame shows of them. */
function isResized({ isDynamic, image, cutX, cutY, version }: Entry, frame: Frame, now: number): boolean {
  return isDynamic && image === pixelsOf(frame.source) && cutX === frame.cutX && cutY === frame.cutY && version !== now;
}

/** Whether nothing that was read is half opaque, as of a text without words on a faint ground, and now there is far more. */
function isBlankOf({ lookup, cutWidth, cutHeight }: Entry, frame: Frame): boolean {
  const isLarger = frame.cutWidth * frame.cutHeight > 2 * cutWidth * cutHeight;
  return isLarger && lookup?.kind === 'map' && lookup.map.alpha.every((alpha) => alpha < 128);
}

/** How dark a frame is under a tint of the given light: its alpha, less the light that picture and tint let through. */
function darkened(cover: AlphaLookup, lit: AlphaLookup, light: number): AlphaLookup {
  return combined(cover, lit, (whole, own) => whole - light * Math.min(whole, own));
}

/** What a frame hides with the light of a tint and with its own: as `mix` in Phaser's shader. */
function filled(cover: AlphaLookup, lit: AlphaLookup, strength: number): AlphaLookup {
  return combined(cover, lit, (whole, own) => Math.min(OPAQUE, whole * strength + own * (1 - whole / OPAQUE)));
}

/** As {@link filled}, of what darkens: its own light brightens. */
function filledDark(cover: AlphaLookup, lit: AlphaLookup, strength: number): AlphaLookup {
  return combined(cover, lit, (whole, own) => Math.max(0, whole * strength - own * (1 - whole / OPAQUE)));
}

/** As {@link filled}, laid over what is below: what it adds to a bright ad beyond white hides more than its alpha. */
function filledOver(cover: AlphaLookup, lit: AlphaLookup, strength: number, opacity: number): AlphaLookup {
  return combined(cover, lit, (whole, own) =>
    Math.min(OPAQUE, Math.max(whole * opacity, whole * strength + own * (1 - whole / OPAQUE))),
  );
}

/** @param hidden by alpha and light of a cell, 0–255 */
function combined(cover: AlphaLookup, lit: AlphaLookup, hidden: (whole: number, own: number) => number): AlphaLookup {
  const alphaOf = cover.kind === 'map' ? cover.map : null;
  const lightOf = lit.kind === 'map' ? lit.map : null;
  const { width, height, isPixelated = false } = alphaOf ?? lightOf ?? { width: 1, height: 1 };
  const alpha = new Uint8Array(width * height);
  for (let i = 0; i < alpha.length; i++) {
    alpha[i] = Math.round(hidden(alphaOf?.alpha[i] ?? OPAQUE, lightOf?.alpha[i] ?? OPAQUE));
  }
  return { kind: 'map', map: { width, height, alpha, isPixelated }, brightest: 1 };
}

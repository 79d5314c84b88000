import type * as Phaser from 'phaser';

import { isDynamic, isEncoded, MAX_CELLS } from './AlphaReader.js';
import { drawnTextureOf } from './gpuTexels.js';

type Frame = Phaser.Textures.Frame;

/** What reading takes at pace 1, in milliseconds: per call, and per texel or cell. Measured in Chromium, software drawing. */
const CALL_MS = 0.1;
const DECODED_TEXEL_MS = 20e-6;
const SHRUNK_TEXEL_MS = 8e-6;
const CELL_MS = 10e-6;

/** The first reading of all makes the scratch canvas, and runs code that is not compiled yet. */
const FIRST_CALL_MS = 1;

/** How long the browser is trusted to keep the pixels of a picture it decoded, in milliseconds; in Chromium far longer. */
const KEPT_DECODED_MS = 30_000;

/** Shorter readings tell nothing about the pace: browsers round their clock to a tenth of a millisecond. */
const SHORTEST_TELLING_MS = 0.3;
const SLOWEST_PACE = 16;
const FASTEST_PACE = 0.5;

/** A reading that took more than this many times the expected time was held up by something else. */
const OUTLIER = 4;

/**
 * Estimates how long it takes to read the alpha of a texture frame, from the number of texels and from what the readings
 * before took on this machine.
 */
export class ReadingCost {
  /** How much slower this machine is than the one the constants come from. */
  #pace = 1;
  #isFirst = true;
  /** When a picture was last read, and so decoded. */
  readonly #decodedAt = new WeakMap<object, number>();
  /** What the last reading of a canvas or video took, in milliseconds: some wait for the GPU, which their size does not tell. */
  readonly #lastMs = new WeakMap<object, number>();

  /** @param nowMs Monotonic milliseconds. */
  expectedMs(frame: Frame, nowMs: number): number {
    const image: unknown = frame.source.image;
    const texels = frame.cutWidth * frame.cutHeight;
    let ms = CALL_MS + Math.min(MAX_CELLS, texels) * CELL_MS;
    if (this.#isFirst) ms += FIRST_CALL_MS;
    if (texels > MAX_CELLS) ms += texels * SHRUNK_TEXEL_MS;
    if (isEncoded(image) && !(nowMs - (this.#decodedAt.get(image) ?? -Infinity) < KEPT_DECODED_MS)) {
      ms += image.naturalWidth * image.naturalHeight * DECODED_TEXEL_MS;
    }
    ms *= this.#pace;
    // An outlier is forgotten only with the next reading, so it must not keep a small canvas from being read at once.
    return Math.max(ms, Math.min(this.#lastMs.get(image as object) ?? 0, OUTLIER * ms));
  }

  /** Learns from a reading. `expectedMs` is what was expected of it. */
  record(frame: Frame, expectedMs: number, tookMs: number, nowMs: number): void {
    const image = frame.source.image as object | null;
    if (image === null) return;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isEncoded(image)) this.#decodedAt.set(image, nowMs);
    if (isDynamic(image) || drawnTextureOf(frame.source)) {
      this.#lastMs.set(image, tookMs);
    } else if (!isFirst && expectedMs >= SHORTEST_TELLING_MS) {
      const ratio = Math.min(tookMs / expectedMs, OUTLIER);
      this.#pace = Math.min(SLOWEST_PACE, Math.max(FASTEST_PACE, this.#pace * (1 + (ratio - 1) / 8)));
    }
  }
}

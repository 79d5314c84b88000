import type * as Phaser from 'phaser';

import { isDynamic, isEncoded, MAX_CELLS } from './AlphaReader.js';
import { drawnTextureOf } from './drawnTextureOf.js';

/** What reading takes at pace 1, in milliseconds: per call, and per texel or cell. Measured in Chromium, software drawing. */
const CALL_MS = 0.1;
const DECODED_TEXEL_MS = 20e-6;
const SHRUNK_TEXEL_MS = 8e-6;
const CELL_MS = 10e-6;

/** The first reading of all makes the scratch canvas, and the first cells are looked through by code not compiled yet. */
const FIRST_CALL_MS = 1;
const COLD_CELL_MS = 100e-6;
const COLD_CELLS = 20_000;

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
  private pace = 1;
  private calls = 0;
  private cells = 0;
  /** When a picture was last read, and so decoded. */
  private readonly decodedAt = new WeakMap<object, number>();
  /** What the last reading of a canvas or video took, in milliseconds: some wait for the GPU, which their size does not tell. */
  private readonly lastMs = new WeakMap<object, number>();

  /** @param nowMs Monotonic milliseconds. */
  expectedMs(frame: Phaser.Textures.Frame, nowMs: number): number {
    const image = frame.source.image as object | null;
    const size = this.pace * this.sizeMs(frame, nowMs);
    const last = image === null ? undefined : this.lastMs.get(image);
    // An outlier is forgotten only with the next reading, so it must not keep a small canvas from being read at once.
    return last === undefined ? size : Math.max(size, Math.min(last, OUTLIER * size));
  }

  /** Learns from a reading. `expectedMs` is what was expected of it. */
  record(frame: Phaser.Textures.Frame, expectedMs: number, tookMs: number, nowMs: number): void {
    const image = frame.source.image as object | null;
    if (image === null) return;
    const isWarm = this.calls > 0 && this.cells >= COLD_CELLS;
    this.calls++;
    this.cells += cellsOf(frame);
    if (isEncoded(image)) this.decodedAt.set(image, nowMs);
    else if (isDynamic(image) || drawnTextureOf(frame.source)) {
      this.lastMs.set(image, tookMs);
      return;
    }
    if (!isWarm || expectedMs < SHORTEST_TELLING_MS) return;
    const ratio = Math.min(tookMs / expectedMs, OUTLIER);
    this.pace = Math.min(SLOWEST_PACE, Math.max(FASTEST_PACE, this.pace * (1 + (ratio - 1) / 8)));
  }

  private sizeMs(frame: Phaser.Textures.Frame, nowMs: number): number {
    const image = frame.source.image as unknown;
    const texels = frame.cutWidth * frame.cutHeight;
    const cells = cellsOf(frame);
    let ms = CALL_MS + cells * (this.cells < COLD_CELLS ? COLD_CELL_MS : CELL_MS);
    if (this.calls === 0) ms += FIRST_CALL_MS;
    if (texels > MAX_CELLS) ms += texels * SHRUNK_TEXEL_MS;
    if (isEncoded(image) && !(nowMs - (this.decodedAt.get(image) ?? -Infinity) < KEPT_DECODED_MS)) {
      ms += image.naturalWidth * image.naturalHeight * DECODED_TEXEL_MS;
    }
    return ms;
  }
}

function cellsOf(frame: Phaser.Textures.Frame): number {
  return Math.min(MAX_CELLS, frame.cutWidth * frame.cutHeight);
}

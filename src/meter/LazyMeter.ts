import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import type { FrameMeter, MeasurementListener, ObserveOptions } from './FrameMeter.js';
import { isDestroyed } from './isDestroyed.js';
import type { MeterOf } from './loadMeter.js';

type GameObject = Phaser.GameObjects.GameObject;

/**
 * The meter of one game, which is loaded when the game begins: the larger part of the package, and only what reads this
 * game's renderer. Until it is there, what the player sees of an ad is unknown, so nothing is counted.
 */
export class LazyMeter {
  #meterOf: MeterOf | null = null;
  #isLoading = false;
  #hasFailed = false;
  /** What is observed as soon as there is a meter. */
  readonly #waiting = new Set<(meter: FrameMeter) => void>();

  constructor(
    private readonly game: Phaser.Game,
    private readonly loadMeter: (game: Phaser.Game) => MeterOf | Promise<MeterOf>,
  ) {}

  /** Null until it is loaded. */
  get meter(): FrameMeter | null {
    return this.#meterOf?.(this.game) ?? null;
  }

  /**
   * As `FrameMeter.observe`, as soon as there is a meter. If loading has failed before, it is tried once more: bundlers with
   * a loader of their own fetch it again, Chromium's `import()` does not.
   */
  observe(object: GameObject, listener: MeasurementListener, options: ObserveOptions): () => void {
    this.load();
    const { meter } = this;
    if (meter !== null) return meter.observe(object, listener, options);
    let stop: (() => void) | null = null;
    const begin = (loaded: FrameMeter): void => {
      stop = loaded.observe(object, listener, options);
    };
    this.#waiting.add(begin);
    return () => {
      this.#waiting.delete(begin);
      stop?.();
    };
  }

  /** Loads the meter, if that has not begun. */
  load(): void {
    const { game } = this;
    // Before a game has its canvas, its renderer is unknown.
    if (this.#meterOf !== null || this.#isLoading || !(game.canvas as unknown)) return;
    const meterOf = this.loadMeter(game);
    if (!(meterOf instanceof Promise)) {
      this.#meterOf = meterOf;
      return;
    }
    this.#isLoading = true;
    void meterOf
      .then((of) => this.#begin(of))
      .catch((cause: unknown) => this.#tell(cause))
      .finally(() => (this.#isLoading = false));
  }

  #begin(meterOf: MeterOf): void {
    const { game } = this;
    const waiting = this.#waiting;
    if (isDestroyed(game)) return;
    this.#meterOf = meterOf;
    // No meter is made before it is needed: until the game's textures are ready, Phaser 4's renderer is not whole.
    for (const observe of waiting) {
      // One that cannot be measured must not keep the others from it.
      try {
        observe(meterOf(game));
      } catch (error) {
        console.error(error);
      }
    }
    waiting.clear();
  }

  /** Prints only once: whatever kept the meter from loading may do so again. */
  #tell(cause: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const hint =
      'Put all files of the build on the server, and let the Content-Security-Policy load them: no ad is measured.';
    console.error(
      new AdsError('net/unreachable', 'The part of the package that measures ads did not load', { cause, hint }),
    );
  }
}

import type { CreativeEnvironment } from './CreativeEnvironment.js';
import { untilAborted } from '../waiting.js';

/** Below this area, in pixels², an upload costs a frame too little to be worth a pause. */
const SMALL_AREA_PX = 262_144;
/** From one upload to the next. Counted in frames, as a slow device draws few, and can least bear two uploads in one. */
const PAUSE_FRAMES = 2;

/**
 * Keeps large images that are ready at the same time from being uploaded in the same frame: after each of them the next
 * one waits for two frames.
 */
export class UploadPace {
  #pause: Promise<void> | null = null;
  #cancel: () => void = () => undefined;

  constructor(private readonly environment: CreativeEnvironment) {}

  /**
   * Resolves when an image of this area may be uploaded, which is to be done at once.
   * @throws the signal's reason
   */
  async turn(areaPx: number, signal: AbortSignal): Promise<void> {
    if (areaPx <= SMALL_AREA_PX) return;
    while (this.#pause !== null) await untilAborted(this.#pause, signal);
    this.#pause = new Promise((resolve) => {
      this.#cancel = this.environment.afterFrames(PAUSE_FRAMES, () => {
        this.#pause = null;
        resolve();
      });
    });
  }

  /** Callers that still wait have to be ended by their signals. */
  destroy(): void {
    this.#cancel();
  }
}

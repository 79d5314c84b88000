import type { CreativeEnvironment } from './CreativeEnvironment.js';
import { untilAborted } from './untilAborted.js';

/** Uploading less than this costs a frame nothing worth sparing, in pixels². */
const SMALL_AREA_PX = 262_144;
/** From one upload to the next. A slow device has few frames in any time, and is the last to bear two uploads in one. */
const PAUSE_FRAMES = 2;

/**
 * Keeps large images that are ready at the same time from being uploaded in the same frame: after each of them the next
 * one waits for two frames.
 */
export class UploadPace {
  private pause: Promise<void> | null = null;
  private cancel: () => void = () => undefined;

  constructor(private readonly environment: CreativeEnvironment) {}

  /**
   * Resolves when an image of this area may be uploaded, at once.
   * @throws the signal's reason
   */
  async turn(areaPx: number, signal: AbortSignal): Promise<void> {
    if (areaPx <= SMALL_AREA_PX) return;
    while (this.pause !== null) await untilAborted(this.pause, signal);
    this.pause = new Promise((resolve) => {
      this.cancel = this.environment.afterFrames(PAUSE_FRAMES, () => {
        this.pause = null;
        resolve();
      });
    });
  }

  /** Whoever still waits has to be ended by the signal. */
  destroy(): void {
    this.cancel();
  }
}

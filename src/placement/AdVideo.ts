import type { CreativeVideo } from '../creative/CreativeVideo.js';
import { AdsError } from '../errors.js';
import { VIDEO_MILESTONES, type VideoMilestone } from '../report/AdEvent.js';

/** A video that shows no new picture for so long does not play, whatever the browser says. */
const MAX_STILL_MS = 250;

/** It plays only while at least so much of it is in view, the share the MRC asks for, so that no second of it is lost. */
const MIN_PERCENTAGE_IN_VIEW = 50;

export interface AdVideoHost {
  /** Draws the video's present frame into its texture. */
  refreshTexture(): void;
  tell(milestone: VideoMilestone): void;
  fail(error: AdsError): void;
  /** Calls back whenever the player presses something; the returned function ends that. */
  onPress(callback: () => void): () => void;
}

/**
 * Plays the video of one placed ad: once, while it can be seen, muted. It pauses out of view and goes on where it
 * stopped; after its end it stays at its last frame.
 */
export class AdVideo {
  #reached = 0;
  #drawnTimeSeconds = 0;
  #isStarting = false;
  /** The browser has refused to play it; it stays at its first frame until the player presses something. */
  #isRefused = false;
  #stopListening: (() => void) | null = null;
  /** It has been told that the video broke off. */
  #isBroken = false;
  #isDestroyed = false;
  /** Time of the last frame with a new picture. */
  #movedAt = -Infinity;

  constructor(
    private readonly video: CreativeVideo,
    private readonly host: AdVideoHost,
  ) {}

  /** True while the video shows new pictures, and plays on: {@link update} with the same figures does not pause it. */
  movesOn(time: number, percentageInView: number): boolean {
    const { isPlaying, currentTimeSeconds } = this.video;
    if (!isPlaying || percentageInView < MIN_PERCENTAGE_IN_VIEW) return false;
    return currentTimeSeconds !== this.#drawnTimeSeconds || time - this.#movedAt <= MAX_STILL_MS;
  }

  /** To be called when no frames are drawn for a while. */
  pause(): void {
    this.video.pause();
  }

  /**
   * To be called with every drawn frame.
   * @param time of the frame, in milliseconds
   * @param percentageInView also 0 while the scene is paused: the video then pauses with the game
   */
  update(time: number, percentageInView: number): void {
    if (this.#isDestroyed) return;
    const { video } = this;
    const { isBroken } = video;
    if (percentageInView >= MIN_PERCENTAGE_IN_VIEW && !isBroken) {
      const mayPlay = !video.hasEnded && !this.#isRefused;
      if (mayPlay && !video.isPlaying && !this.#isStarting) void this.#play();
    } else if (video.isPlaying) {
      video.pause();
    }
    const { currentTimeSeconds } = video;
    // What broke may be a picture that is too large to be uploaded.
    if (currentTimeSeconds !== this.#drawnTimeSeconds && !isBroken) {
      this.#drawnTimeSeconds = currentTimeSeconds;
      this.#movedAt = time;
      this.host.refreshTexture();
    }
    if (isBroken && !this.#isBroken) {
      this.#isBroken = true;
      this.host.fail(new AdsError('ad/decode', 'A video broke off while it played'));
    }
    if (currentTimeSeconds === 0) return;
    const quarters = video.hasEnded ? 4 : Math.min(3, Math.floor((4 * currentTimeSeconds) / video.durationSeconds));
    while (!this.#isDestroyed && this.#reached <= quarters) this.host.tell(VIDEO_MILESTONES[this.#reached++]!);
  }

  /** The scene has been left or the ad has ended. */
  destroy(): void {
    this.#isDestroyed = true;
    this.#stopListening?.();
    this.video.pause();
  }

  async #play(): Promise<void> {
    this.#isStarting = true;
    try {
      await this.video.play();
    } catch (error) {
      // Paused before it began, because it went out of view: it is tried again when it is back.
      const isPaused = (error as { name?: unknown } | null)?.name === 'AbortError';
      // A broken video refuses, too: that is told as what it is.
      if (this.#isDestroyed || isPaused || this.video.isBroken) return;
      this.#isRefused = true;
      if (this.#stopListening !== null) return;
      // Phones that save power play a video only for a player who has just pressed something.
      this.#stopListening = this.host.onPress(() => (this.#isRefused = false));
      this.host.fail(new AdsError('ad/autoplay', 'The browser did not let the video play', { cause: error }));
    } finally {
      this.#isStarting = false;
    }
  }
}

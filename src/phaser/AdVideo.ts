import type { CreativeVideo } from '../creative/CreativeVideo.js';
import { AdsError } from '../errors.js';
import { AdsEvents } from '../events.js';

/** How far a video must have played, 0–1, for each of its events: the words of VAST and OMID. */
const MILESTONES = [
  { event: AdsEvents.VIDEO_START, progressRatio: 0 },
  { event: AdsEvents.VIDEO_FIRST_QUARTILE, progressRatio: 0.25 },
  { event: AdsEvents.VIDEO_MIDPOINT, progressRatio: 0.5 },
  { event: AdsEvents.VIDEO_THIRD_QUARTILE, progressRatio: 0.75 },
  { event: AdsEvents.VIDEO_COMPLETE, progressRatio: 1 },
] as const;

export type VideoMilestone = (typeof MILESTONES)[number]['event'];

/** It plays only while at least so much of it is in view, the share the MRC asks for, so that no second of it is lost. */
const MIN_PERCENTAGE_IN_VIEW = 50;

export interface AdVideoHost {
  /** Draws the video's present frame into its texture. */
  refreshTexture(): void;
  tell(milestone: VideoMilestone): void;
  fail(error: AdsError): void;
}

/**
 * Plays the video of one placed ad: once, while it can be seen, muted. It pauses out of view and goes on where it
 * stopped; after its end it stays at its last frame.
 */
export class AdVideo {
  private reached = 0;
  private drawnTimeSeconds = 0;
  private isStarting = false;
  /** The browser has refused to play it; it stays at its first frame. */
  private refused = false;
  private isDestroyed = false;

  constructor(
    private readonly video: CreativeVideo,
    private readonly host: AdVideoHost,
  ) {}

  /** It never plays, so that no second of it can be counted. */
  get isRefused(): boolean {
    return this.refused;
  }

  /** No frames are drawn for a while. */
  pause(): void {
    if (!this.isDestroyed && this.video.isPlaying) this.video.pause();
  }

  /** With every drawn frame. */
  update(percentageInView: number): void {
    if (this.isDestroyed) return;
    const { video } = this;
    if (percentageInView >= MIN_PERCENTAGE_IN_VIEW) {
      if (!video.isPlaying && !video.hasEnded && !this.isStarting && !this.refused) void this.play();
    } else if (video.isPlaying) {
      video.pause();
    }
    const { currentTimeSeconds } = video;
    if (currentTimeSeconds !== this.drawnTimeSeconds) {
      this.drawnTimeSeconds = currentTimeSeconds;
      this.host.refreshTexture();
    }
    if (currentTimeSeconds === 0 && !video.hasEnded) return;
    const progressRatio = video.hasEnded ? 1 : Math.min(0.999, currentTimeSeconds / video.durationSeconds);
    while (!this.isDestroyed && this.reached < MILESTONES.length) {
      const milestone = MILESTONES[this.reached]!;
      if (progressRatio < milestone.progressRatio) break;
      this.reached++;
      this.host.tell(milestone.event);
    }
  }

  /** The scene has been left or the ad has ended. */
  destroy(): void {
    this.isDestroyed = true;
    this.video.pause();
  }

  private async play(): Promise<void> {
    this.isStarting = true;
    try {
      await this.video.play();
    } catch (error) {
      // Paused before it began, because it went out of view: it is tried again when it is back.
      if (this.isDestroyed || (error as { name?: unknown } | null)?.name === 'AbortError') return;
      this.refused = true;
      this.host.fail(new AdsError('ad/autoplay', 'The browser did not let the video play', { cause: error }));
    } finally {
      this.isStarting = false;
    }
  }
}

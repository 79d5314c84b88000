/** The longest that one frame counts, in milliseconds: what is longer is a stall, or the game was paused. */
const LONGEST_FRAME_MS = 250;

/** One frame of an ad that is shown, in a scene that runs. */
export interface SeenFrame {
  /** Canvas pixels². */
  readonly onScreenArea: number;
  readonly visibleArea: number;
  /** 0–100. */
  readonly percentageInView: number;
  readonly totalScreenPercentage: number;
}

/** What was seen of one placement over time. */
export class SeenSoFar {
  /** Time in which the ad was shown while its scene ran. */
  playedMs = 0;
  /** Time in which some of it lay within the screen, covered or not. */
  onScreenMs = 0;
  /** The most that was not covered of what lay within the screen, 0–1. */
  mostUncovered = 0;
  /** The longest time at a stretch with half of it in view. */
  longestViewMs = 0;
  /** How many such times have ended while the game went on. */
  views = 0;
  /** The largest it was, as a share of the canvas. */
  largestScreenPercentage = 0;
  /** What covered it, while nothing else has been seen. */
  coveredBy: readonly string[] = [];
  private viewMs = 0;

  /**
   * @param elapsedMs since the frame before
   * @param coversOf names what covers it; asked only when most of it is covered
   */
  note(frame: SeenFrame, elapsedMs: number, coversOf: () => readonly string[]): void {
    const ms = Math.min(LONGEST_FRAME_MS, Math.max(0, elapsedMs));
    this.playedMs += ms;
    if (frame.onScreenArea > 0) {
      this.onScreenMs += ms;
      this.mostUncovered = Math.max(this.mostUncovered, frame.visibleArea / frame.onScreenArea);
      this.largestScreenPercentage = Math.max(this.largestScreenPercentage, frame.totalScreenPercentage);
      if (this.mostUncovered < 0.5 && this.coveredBy.length === 0) this.coveredBy = coversOf();
    }
    if (frame.percentageInView >= 50) {
      this.viewMs += ms;
      this.longestViewMs = Math.max(this.longestViewMs, this.viewMs);
    } else {
      this.endView();
    }
  }

  /** The ad is gone from the screen, while the game goes on. */
  endView(): void {
    if (this.viewMs > 0) this.views++;
    this.viewMs = 0;
  }
}

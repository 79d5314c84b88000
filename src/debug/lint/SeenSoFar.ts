/** One frame of an ad that is shown, in a scene that runs. Areas in canvas pixels². */
export interface SeenFrame {
  readonly totalArea: number;
  readonly onScreenArea: number;
  readonly visibleArea: number;
  /** 0–100. */
  readonly percentageInView: number;
  /** What takes visible area away: `screen` for what lies over the whole picture, such as a menu or a page's own dialog. */
  readonly obstruction: 'none' | 'object' | 'screen';
}

/** What is known of an ad from before it was watched. */
export interface SeenBefore {
  /** Time in which any of it was in view. */
  readonly inViewMs: number;
  /** The longest time for which half of it is known to have been in view without a break. */
  readonly longestViewMs: number;
}

/** What was seen of one placement over time. */
export class SeenSoFar {
  /** Time in which the ad was shown while its scene ran. */
  playedMs = 0;
  /** Time in which an object of the game covered at least half of what lay within the screen. */
  coveredMs = 0;
  /** Time in which the ad was covered together with the rest of the picture. */
  curtainMs = 0;
  /** At some time more than half of what lay within the screen was not covered, or may not have been. */
  wasUncovered: boolean;
  /** At some time some of it lay within the screen, covered or not, or may have. */
  wasOnScreen: boolean;
  /** The longest time at a stretch with half of it in view. */
  longestViewMs: number;
  /** How many such stretches were seen from begin to end, and ended while the game went on. */
  views = 0;
  /** The largest area the ad had, in canvas pixels². */
  largestArea = 0;
  /** Names of what covered the ad, before it was seen uncovered. */
  coveredBy: readonly string[] = [];
  #viewMs = 0;
  /** The present view began before anybody watched, or went through an unmeasurable frame: its length is not known. */
  #isViewCut: boolean;
  /** Something has covered the ad during a view. If the view goes on after it, it was a break; if not, it was a menu. */
  #isViewCovered = false;

  constructor(before: SeenBefore) {
    this.wasUncovered = this.wasOnScreen = this.#isViewCut = before.inViewMs > 0;
    this.longestViewMs = before.longestViewMs;
  }

  /**
   * @param ms since the frame before
   * @param coversOf names what covers it; asked only when most of it is covered
   */
  note(frame: SeenFrame, ms: number, coversOf: () => readonly string[]): void {
    this.playedMs += ms;
    if (frame.onScreenArea > 0) this.#noteOnScreen(frame, ms, coversOf);
    if (frame.percentageInView >= 50) this.#noteInView(ms);
    else if (frame.visibleArea >= frame.onScreenArea) this.endView();
    else this.#isViewCovered = true;
  }

  /** A frame that does not tell what the player sees. */
  noteUnknown(ms: number): void {
    this.playedMs += ms;
    this.wasOnScreen = this.wasUncovered = this.#isViewCut = true;
    this.#viewMs = 0;
  }

  /** The ad is gone from the screen, while the game goes on. */
  endView(): void {
    if (this.#viewMs > 0 && !this.#isViewCut) this.views++;
    this.#viewMs = 0;
    this.#isViewCut = this.#isViewCovered = false;
  }

  #noteOnScreen(frame: SeenFrame, ms: number, coversOf: () => readonly string[]): void {
    const { onScreenArea, visibleArea, totalArea, obstruction } = frame;
    this.wasOnScreen = true;
    this.largestArea = Math.max(this.largestArea, totalArea);
    if (visibleArea >= 0.5 * onScreenArea) {
      this.wasUncovered = true;
    } else if (obstruction !== 'none') {
      if (obstruction === 'screen') this.curtainMs += ms;
      else this.coveredMs += ms;
      if (!this.wasUncovered && this.coveredBy.length === 0) this.coveredBy = coversOf();
    }
  }

  #noteInView(ms: number): void {
    if (this.#isViewCovered) this.endView();
    this.#viewMs += ms;
    this.longestViewMs = Math.max(this.longestViewMs, this.#viewMs);
  }
}

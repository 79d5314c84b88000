/** What measurement alone says of the attention an ad may have had, in the words of IAB and MRC. */
export interface AttentionFigures {
  /** Time in which any part of the ad was in view, in milliseconds. */
  readonly dwellMs: number;
  /** How much of the canvas the part of the ad in view took, on average over that time, 0–100. */
  readonly meanScreenPercentage: number;
  /** How many times the ad came into view: stretches of that time, whatever their length. */
  readonly looks: number;
}

/** Adds up how long an ad was in view, how large it was, and how often it came into view. */
export class Attention {
  #dwellMs = 0;
  #shareMs = 0;
  #looks = 0;
  #isInView = false;
  #screenPercentage = 0;

  /** Time has passed in which nothing has changed. */
  spend(ms: number): void {
    if (!this.#isInView) return;
    this.#dwellMs += ms;
    this.#shareMs += this.#screenPercentage * ms;
  }

  /**
   * Sets what holds from now on.
   * @param screenPercentage of the canvas, 0–100
   */
  set(isInView: boolean, screenPercentage: number): void {
    if (isInView && !this.#isInView) this.#looks++;
    this.#isInView = isInView;
    this.#screenPercentage = screenPercentage;
  }

  /** Null as long as nothing has been in view. */
  figures(): AttentionFigures | null {
    const dwellMs = this.#dwellMs;
    const shareMs = this.#shareMs;
    const looks = this.#looks;
    if (looks === 0) return null;
    return { dwellMs, meanScreenPercentage: dwellMs === 0 ? 0 : shareMs / dwellMs, looks };
  }
}

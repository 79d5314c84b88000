/** The most points a timeline keeps. */
export const MAX_TIMELINE_POINTS = 64;

const FIRST_SPACING_MS = 100;

/**
 * Percentage in view over time, in few enough steps to be reported; each value holds until the next. Whenever the points are
 * used up, every second one is dropped and new ones come no closer than those, so that it covers a second or a day alike.
 */
export class ViewTimeline {
  readonly #times = new Float64Array(MAX_TIMELINE_POINTS);
  readonly #values = new Float64Array(MAX_TIMELINE_POINTS);
  #count = 0;
  #spacingMs = FIRST_SPACING_MS;
  #lastTime = 0;
  #lastValue = -1;

  /** @param percentage In view from `time` on. */
  add(time: number, percentage: number): void {
    this.#lastTime = time;
    this.#lastValue = percentage;
    const count = this.#count;
    const times = this.#times;
    const values = this.#values;
    if (values[count - 1] === percentage || time - times[count - 1]! < this.#spacingMs) return;
    // One place is left for the end.
    if (count === MAX_TIMELINE_POINTS - 1) this.#thin();
    times[this.#count] = time;
    values[this.#count++] = percentage;
  }

  /** Milliseconds and percentages, in order; the last value added is the last point. */
  points(): [tMs: number, percentageInView: number][] {
    const points: [number, number][] = [];
    for (let i = 0; i < this.#count; i++) points.push([this.#times[i]!, this.#values[i]!]);
    if (this.#count > 0 && this.#values[this.#count - 1] !== this.#lastValue)
      points.push([this.#lastTime, this.#lastValue]);
    return points;
  }

  #thin(): void {
    let kept = 0;
    for (let i = 0; i < this.#count; i += 2, kept++) {
      this.#times[kept] = this.#times[i]!;
      this.#values[kept] = this.#values[i]!;
    }
    this.#count = kept;
    // New points must not be closer than those kept: otherwise each thinning would take more and more of the beginning.
    this.#spacingMs = (this.#times[kept - 1]! - this.#times[0]!) / (kept - 1);
  }
}

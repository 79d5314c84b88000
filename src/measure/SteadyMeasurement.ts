import type { AdView, FrameSnapshot } from './FrameSnapshot.js';
import { measureView } from './measureView.js';
import { type MeasureOptions, ViewMeasurement } from './ViewMeasurement.js';

/** A picture that stands still is sampled this many times; a power of two. */
const MOST_PASSES = 16;

/**
 * The measurement of a view that grows finer while the picture stands still: where points are sampled, each frame without a
 * change looks at other points, and the figures become the mean of all. No frame costs more than one with a change.
 */
export class SteadyMeasurement {
  /** What is known so far. */
  readonly measurement = new ViewMeasurement();
  readonly #latest = new ViewMeasurement();
  #passes = 0;
  #totalArea = 0.5;
  #onScreenArea = 0.5;
  #visibleArea = 0.5;
  #lostArea = 0.5;
  #meanTransmittance = 0.5;

  /** The figures may still grow finer. */
  get canRefine(): boolean {
    return this.measurement.isCoarse && this.#passes < MOST_PASSES;
  }

  /** Measures a new picture. */
  start(snapshot: FrameSnapshot, view: AdView, options: MeasureOptions): void {
    const { measurement } = this;
    measureView(snapshot, view, options, measurement);
    this.#passes = 1;
    this.#totalArea = measurement.totalArea;
    this.#onScreenArea = measurement.onScreenArea;
    this.#visibleArea = measurement.visibleArea;
    this.#lostArea = measurement.lostArea;
    this.#meanTransmittance = measurement.meanTransmittance;
  }

  /**
   * Looks once more at the same picture. The figures are renewed after 2, 4, 8 and 16 looks, when the points of all of them
   * together lie evenly.
   * @returns True when they were.
   */
  refine(snapshot: FrameSnapshot, view: AdView, options: MeasureOptions): boolean {
    const { measurement } = this;
    const latest = this.#latest;
    measureView(snapshot, view, options, latest, this.#passes);
    const passes = ++this.#passes;
    this.#totalArea += latest.totalArea;
    this.#onScreenArea += latest.onScreenArea;
    this.#visibleArea += latest.visibleArea;
    this.#lostArea += latest.lostArea;
    this.#meanTransmittance += latest.meanTransmittance;
    if ((passes & (passes - 1)) !== 0) return false;
    measurement.totalArea = this.#totalArea / passes;
    measurement.onScreenArea = this.#onScreenArea / passes;
    measurement.visibleArea = this.#visibleArea / passes;
    measurement.lostArea = this.#lostArea / passes;
    measurement.meanTransmittance = this.#meanTransmittance / passes;
    measurement.judge();
    return true;
  }
}

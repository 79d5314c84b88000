import type { Reason } from './AdMeasurement.js';

/**
 * Why a press and release on an ad are no click. `notOnCanvas`: one of them was on another element of the page.
 * `scripted`: no player made them. All others say, in the words of measuring, why the ad was not what the player saw
 * there: `obstructed`, `clipped`, `transparent`, `hidden`, `unmeasurable` …
 */
export type ClickRefusal = 'notOnCanvas' | 'scripted' | Reason;

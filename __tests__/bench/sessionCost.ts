/**
 * What following viewability costs per ad and frame, the measurement aside, in frames in which nothing changes.
 *
 *     npm run bench:session
 *
 * A session with the default standards and an evidence trace is given the same measurement in every frame. Whatever it
 * reports is counted: in the frames that are timed it must be nothing.
 */
import { AdSession } from '../../src/viewability/AdSession.js';
import type { AdMeasurement } from '../../src/measure/AdMeasurement.js';
import { DEFAULT_STANDARDS } from '../../src/viewability/ViewabilityStandards.js';
import { median } from './statistics.js';

const FRAME_MS = 1000 / 60;
const WARM_UP_FRAMES = 20_000;
const FRAMES = 10_000;
const ROUNDS = 31;

const measurement: AdMeasurement = {
  isFullyVisible: false,
  isVisible: true,
  camera: null,
  totalArea: 75_000,
  onScreenArea: 75_000,
  visibleArea: 70_000,
  percentageInView: 93.3,
  pixelsInView: 70_000,
  totalPixels: 75_000,
  totalScreenPercentage: 8.1,
  squeezeRatio: 1,
  screenCoveragePercentage: 7.6,
  meanTransmittance: 0.93,
  reasons: [],
  blockingSprites: [],
};

let facts = 0;
const count = (): void => {
  facts++;
};
const session = new AdSession({
  standards: DEFAULT_STANDARDS,
  isTraced: true,
  maxFactBytes: () => 4096,
  listener: { fact: count, geometryChange: count },
});
session.loaded();
/** Holds its number as it is: a variable would be a new object in every frame. */
const time = new Float64Array(1);
const follow = (frames: number): void => {
  for (let i = 0; i < frames; i++) session.update((time[0]! += FRAME_MS), measurement);
};
follow(WARM_UP_FRAMES);

const factsBefore = facts;
const nanoseconds: number[] = [];
const bytes: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const start = process.hrtime.bigint();
  follow(FRAMES);
  nanoseconds.push(Number(process.hrtime.bigint() - start) / FRAMES);
  bytes.push((process.memoryUsage().heapUsed - heap) / FRAMES);
}
console.log(
  `a session, per ad and frame without change: ${median(nanoseconds).toFixed(0)} ns, ${median(bytes).toFixed(2)} bytes, ` +
    `${facts - factsBefore} facts in ${ROUNDS * FRAMES} frames`,
);

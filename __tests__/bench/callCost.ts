/**
 * What calls of `checkAdFullVisibility` and `calculateAdCoverage` cost, as a share of Phaser's frame in the same run: one after
 * which the ad is forgotten; and calls in each frame, with what the frame does for them.
 *
 *     npm run bench:calls
 */
import { calculateAdCoverage, checkAdFullVisibility } from 'phaser-inview';
import { type BenchCase, CASES } from './cases.js';
import { populate } from './populate.js';
import { startGame } from './startGame.js';
import { median } from './statistics.js';

const CALLS = 150;
const WARM_UP = 50;
/** Frames with a call and frames without one take turns. */
const ROUNDS = 20;
const ROUND = 30;
/** More than `RepeatedCalls` remembers an ad for. */
const FORGOTTEN_AFTER = 61;

const usual = CASES[1]!;
const cases: readonly BenchCase[] = [
  { ...usual, movingRatio: 0 },
  usual,
  { ...usual, overlaps: 0 },
  { ...usual, containersRatio: 0.5 },
];

console.log(
  '| objects | over the ad | moving | in containers | names, once | names, each frame | areas, once | areas, each frame |',
);
console.log('| --: | --: | --: | --: | --: | --: | --: | --: |');
for (const benchCase of cases) console.log(await rowOf(benchCase));
process.exit(0);

async function rowOf(benchCase: BenchCase): Promise<string> {
  const { scene, step } = await startGame(benchCase.renderer);
  const [ad] = populate(scene, benchCase, 7);
  const names = () => checkAdFullVisibility(ad!, scene);
  const areas = () => calculateAdCoverage(ad!, scene.cameras.main);
  const cells = [names, areas].flatMap((call) => [shareOfOne(step, call), shareOfEach(step, call)]);
  const { objects, overlaps, movingRatio, containersRatio } = benchCase;
  return `| ${[objects, overlaps, movingRatio, containersRatio, ...cells.map(inPercent)].join(' | ')} |`;
}

/** A call by itself. */
function shareOfOne(step: () => void, call: () => unknown): number {
  const frames: number[] = [];
  const calls: number[] = [];
  for (let i = 0; i < WARM_UP + CALLS; i++) {
    for (let frame = 0; frame < FORGOTTEN_AFTER; frame++) step();
    const frame = timeOf(step);
    const cost = timeOf(call);
    if (i < WARM_UP) continue;
    frames.push(frame);
    calls.push(cost);
  }
  return median(calls) / median(frames);
}

/** A frame in which the call is made, against one in which none is. */
function shareOfEach(step: () => void, call: () => unknown): number {
  const ratios: number[] = [];
  const both = () => {
    step();
    call();
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (let frame = 0; frame < FORGOTTEN_AFTER; frame++) step();
    const without = Array.from({ length: ROUND }, () => timeOf(step));
    for (let frame = 0; frame < ROUND; frame++) both();
    const withCalls = Array.from({ length: ROUND }, () => timeOf(both));
    ratios.push(median(withCalls) / median(without) - 1);
  }
  return median(ratios);
}

function timeOf(work: () => unknown): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

function inPercent(ratio: number): string {
  return `${(100 * ratio).toFixed(1)} %`;
}

/**
 * What a call of `checkAdFullVisibility` costs, as a share of Phaser's frame in the same run: one after which the ad is forgotten,
 * and one that is made in each frame.
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
  const cells = [names, areas].flatMap((call) => [shareOf(step, call, FORGOTTEN_AFTER), shareOf(step, call, 1)]);
  const { objects, overlaps, movingRatio, containersRatio } = benchCase;
  return `| ${[objects, overlaps, movingRatio, containersRatio, ...cells.map(inPercent)].join(' | ')} |`;
}

/** A call in every so manieth frame, as a share of a frame. */
function shareOf(step: () => void, call: () => unknown, every: number): number {
  const frames: number[] = [];
  const calls: number[] = [];
  for (let i = 0; i < WARM_UP + CALLS; i++) {
    for (let frame = 1; frame < every; frame++) step();
    const before = performance.now();
    step();
    const drawn = performance.now();
    call();
    if (i < WARM_UP) continue;
    frames.push(drawn - before);
    calls.push(performance.now() - drawn);
  }
  return median(calls) / median(frames);
}

function inPercent(ratio: number): string {
  return `${(100 * ratio).toFixed(1)} %`;
}

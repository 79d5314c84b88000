import type { BenchCase } from './cases.js';
import { populate } from './populate.js';
import type { ProductOf } from './Product.js';
import { startGame } from './startGame.js';
import { median } from './statistics.js';
import { warmUp } from './warmUp.js';

/** Options of the process: room for objects that die young, so that a block of frames ends before any are collected. */
export const ROOM_FOR_BLOCKS = ['--min-semi-space-size=1024', '--max-semi-space-size=1024', '--expose-gc'];

/** Rounds that count, and at most so many in which something was collected. */
const ROUNDS = 7;
const MOST_SPOILT = 40;
/** Before these, as many as it takes until the engine has chosen for good which functions it puts into which others. */
const SETTLING_ROUNDS = 12;
/** What Phaser allocates in the frames of a block, at most, unless one period is more: some of that room. */
const BLOCK_BYTES = 300_000_000;
/** Blocks are of whole periods, after which the measurement asks anew what it has kept in mind. */
const PERIOD_FRAMES = 32;
/** Phaser looks at the size of its parent twice a second; blocks of the same length have the same share of that. */
const MOST_PERIODS = 15;

/**
 * Counts the bytes the measurement allocates in one frame: the difference between whole frames with it and without. Needs
 * a process of its own, started with {@link ROOM_FOR_BLOCKS}.
 */
export async function countBytes(benchCase: BenchCase, productOf: ProductOf): Promise<number> {
  const { game, scene, step } = await startGame(benchCase.renderer, benchCase.phaser, benchCase.batchTextures);
  const product = productOf(game, populate(scene, benchCase, 7));
  const bytesOf = (frames: number): number => {
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < frames; i++) step();
    return (process.memoryUsage().heapUsed - before) / frames;
  };

  warmUp(product, step);
  globalThis.gc!();
  // Once more: a collection may throw compiled code away.
  warmUp(product, step);
  let each = 0;
  // A collection in between would let large frames seem to be small.
  for (let tries = 0; tries < 3; tries++) each = Math.max(each, bytesOf(2));
  const periods = Math.floor(BLOCK_BYTES / Math.max(1, each) / PERIOD_FRAMES);
  const frames = PERIOD_FRAMES * Math.max(1, Math.min(MOST_PERIODS, periods));
  const differences: number[] = [];
  let spoilt = 0;
  for (let round = 0; differences.length < ROUNDS && spoilt < MOST_SPOILT; round++) {
    product.start();
    for (let i = 0; i < frames; i++) step();
    const withIt = bytesOf(frames);
    product.stop();
    for (let i = 0; i < frames; i++) step();
    const without = bytesOf(frames);
    if (round < SETTLING_ROUNDS) continue;
    // Below zero something was collected.
    if (withIt >= 0 && without >= 0) differences.push(withIt - without);
    else spoilt++;
  }
  if (differences.length === 0) throw new Error('Every block of frames had a collection: it needs more room');
  return Math.max(0, Math.round(median(differences)));
}

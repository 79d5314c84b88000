import type * as Phaser from 'phaser';
import type { BenchCase } from './cases.js';
import { EventBrackets } from './EventBrackets.js';
import { exactShare } from './exactShare.js';
import { compareBounds, readAll, searchTree, type Blockers } from './peers.js';
import { populate } from './populate.js';
import type { Product, ProductOf } from './Product.js';
import { seededRandom } from './seededRandom.js';
import { startGame } from './startGame.js';
import { median, medianError } from './statistics.js';
import { warmUp } from './warmUp.js';

type Sprite = Phaser.GameObjects.Sprite;

/** What one case costs in time. Ratios are medians over rounds, each taken within one round. */
export interface CaseTimes extends BenchCase {
  /** Phaser's own JavaScript per frame, in microseconds. */
  readonly phaserFrameUs: number;
  /** The measurement as a share of Phaser's frame, 0–1. */
  readonly vsPhaserFrame: number;
  /** How many times cheaper than comparing bounding boxes one by one. */
  readonly vsNaive: number;
  /** How many times cheaper than a tree of bounding boxes filled anew. */
  readonly vsTree: number;
  /** How many times the cost of reading every object's properties and doing nothing. */
  readonly vsFloor: number;
  /** How much longer the whole frame is with the measurement than without, as a share: the check on `vsPhaserFrame`. */
  readonly wholeFrame: number;
  /** Half the width of the interval around `wholeFrame` that holds the true value nineteen times in twenty. */
  readonly wholeFrameError: number;
}

/** How long a block of frames of one candidate takes, unless its frames are so long that it needs more. */
const BLOCK_MS = 60;
const LEAST_FRAMES = 3;
const ROUNDS = 21;
const LARGE_ROUNDS = 11;
const WARM_UP_MS = 400;
/** Measured and exact share of an ad may differ by this, in percentage points: positions are batched as 32-bit floats. */
const AGREEMENT = 0.05;

const nowUs = () => Number(process.hrtime.bigint()) / 1000;

/** Times one case. A process runs one and ends: what one scene teaches the engine's compiler must not help another. */
export async function timeCase(benchCase: BenchCase, productOf: ProductOf): Promise<CaseTimes> {
  const { game, scene, step } = await startGame(benchCase.renderer, benchCase.phaser, benchCase.batchTextures);
  const ads = populate(scene, benchCase, 7);
  const sprites = drawnSprites(scene);
  const product = productOf(game, ads);
  const clock = new EventBrackets(nowUs);
  clock.attach(game);
  product.bracket(clock);

  checkAgreement(scene, ads, sprites, product, step);

  const timeOf = (work: () => void) => {
    const before = nowUs();
    work();
    return nowUs() - before;
  };
  const peer = (work: () => void) => ({ start: nothing, stop: nothing, work });
  const candidates = {
    alone: peer(nothing),
    product: { start: () => product.start(), stop: () => product.stop(), work: nothing },
    bounds: peer(() => void compareBounds(scene, ads)),
    tree: peer(() => void searchTree(scene, ads)),
    floor: peer(() => readAll(sprites)),
  };
  type Name = keyof typeof candidates;
  const names = Object.keys(candidates) as Name[];

  const block = (name: Name, proceed: (frames: number, spentUs: number) => boolean) => {
    const { start, stop, work } = candidates[name];
    const works: number[] = [];
    const events: number[] = [];
    const frames: number[] = [];
    start();
    for (let i = 0; i < 2; i++) {
      step();
      work();
    }
    clock.take();
    for (let spent = 0; proceed(frames.length, spent);) {
      const frameUs = timeOf(step);
      const inEventsUs = clock.take();
      const workUs = timeOf(work);
      frames.push(frameUs);
      events.push(inEventsUs);
      works.push(workUs);
      spent += frameUs + workUs;
    }
    stop();
    return { work: median(works), events: median(events), frame: median(frames) };
  };

  for (const name of names) block(name, (frames, spentUs) => frames < 20 || spentUs < WARM_UP_MS * 1000);
  warmUp(product, step);

  const rounds = benchCase.objects > 20_000 ? LARGE_ROUNDS : ROUNDS;
  const random = seededRandom(rounds);
  const ratios = { frame: [] as number[], naive: [] as number[], tree: [] as number[], floor: [] as number[] };
  const withProduct: number[] = [];
  const without: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const order = names.map((name) => ({ name, key: random() })).sort((a, b) => a.key - b.key);
    const results = {} as Record<Name, ReturnType<typeof block>>;
    for (const { name } of order)
      results[name] = block(name, (frames, spentUs) => frames < LEAST_FRAMES || spentUs < BLOCK_MS * 1000);
    const { alone, bounds, tree, floor } = results;
    // What the events cost with nobody listening is part of the frame.
    const cost = results.product.events - alone.events;
    ratios.frame.push(cost / alone.frame);
    ratios.naive.push(bounds.work / cost);
    ratios.tree.push(tree.work / cost);
    ratios.floor.push(cost / floor.work);
    withProduct.push(results.product.frame);
    without.push(alone.frame);
  }
  const differences = withProduct.map((frame, i) => frame / without[i]! - 1);

  return {
    ...benchCase,
    phaserFrameUs: median(without),
    vsPhaserFrame: median(ratios.frame),
    vsNaive: median(ratios.naive),
    vsTree: median(ratios.tree),
    vsFloor: median(ratios.floor),
    wholeFrame: median(differences),
    wholeFrameError: medianError(differences),
  };
}

function nothing(): void {
  // The frame alone.
}

/** Every sprite of the scene, the ones in containers too. */
function drawnSprites(scene: Phaser.Scene): Sprite[] {
  const list = scene.children.list as (Sprite | { readonly list: Sprite[] })[];
  return list.flatMap((object) => ('list' in object ? object.list : [object]));
}

/** Before anything is timed: a fast wrong answer is no answer. */
function checkAgreement(
  scene: Phaser.Scene,
  ads: readonly Phaser.GameObjects.Image[],
  sprites: readonly Sprite[],
  product: Product,
  step: () => void,
): void {
  product.start();
  for (let i = 0; i < 3; i++) step();
  const verdicts = product.verdicts();
  product.stop();

  const byBounds = compareBounds(scene, ads);
  const byTree = searchTree(scene, ads);
  ads.forEach((ad, i) => {
    const verdict = verdicts[i];
    if (!verdict) throw new Error(`ad ${i}: not measured`);
    expectSame(`ad ${i}: both peers`, byBounds[i] ?? [], byTree[i] ?? []);
    const exact = exactShare(ad, sprites.slice(ads.length));
    const error = Math.abs(verdict.percentageInView - exact.percentageInView);
    if (!(error <= AGREEMENT)) {
      throw new Error(`ad ${i}: measured ${verdict.percentageInView} % in view, exact ${exact.percentageInView} %`);
    }
    const foreign = verdict.blockingSprites.filter((object) => !exact.overlapping.has(object));
    if (foreign.length > 0) throw new Error(`ad ${i}: ${foreign.length} blockers do not touch it`);
    if (exact.percentageInView < 99 && verdict.blockingSprites.length === 0) throw new Error(`ad ${i}: no blocker`);
  });
}

function expectSame(what: string, a: Blockers, b: Blockers): void {
  if (a.length !== b.length || a.some((object, i) => object !== b[i])) {
    throw new Error(`${what} disagree: ${a.length} and ${b.length} objects`);
  }
}

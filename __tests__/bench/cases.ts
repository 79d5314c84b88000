import type { Population } from './populate.js';
import type { BatchTextures, PhaserPackage, Renderer } from './startGame.js';

/** One scene to be timed. */
export interface BenchCase extends Population {
  readonly renderer: Renderer;
  /** Default `phaser`, the version developed on. */
  readonly phaser?: PhaserPackage;
  /** Default 16, as on a desktop. */
  readonly batchTextures?: BatchTextures;
}

const usual: BenchCase = {
  renderer: 'webgl',
  objects: 1000,
  ads: 1,
  overlaps: 5,
  movingRatio: 0.5,
  containersRatio: 0,
  alpha: 1,
};

/** What is timed, in the order of the table: by objects, ads, overlaps, moving share, containers' share, renderer, opacity, version of Phaser. */
export const CASES: readonly BenchCase[] = [
  { ...usual, objects: 100 },
  usual,
  { ...usual, objects: 10_000 },
  { ...usual, objects: 50_000 },
  { ...usual, ads: 4 },
  { ...usual, ads: 16 },
  { ...usual, objects: 10_000, ads: 16 },
  { ...usual, overlaps: 0 },
  { ...usual, overlaps: 20 },
  { ...usual, overlaps: 50 },
  { ...usual, movingRatio: 0 },
  { ...usual, movingRatio: 1 },
  { ...usual, containersRatio: 0.2 },
  { ...usual, containersRatio: 0.5 },
  { ...usual, renderer: 'canvas' },
  { ...usual, renderer: 'canvas', objects: 10_000 },
  { ...usual, overlaps: 20, alpha: 0.6 },
  { ...usual, overlaps: 20, alpha: 0.6, renderer: 'canvas' },
  { ...usual, phaser: 'phaser-4.2' },
  { ...usual, objects: 10_000, phaser: 'phaser-4.2' },
  { ...usual, ads: 16, phaser: 'phaser-4.2' },
  { ...usual, overlaps: 20, alpha: 0.6, phaser: 'phaser-4.2' },
];

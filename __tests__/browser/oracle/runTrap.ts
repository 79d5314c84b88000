import { adCorners, polygonArea } from './adArithmetic.js';
import { candidatesUnderTest } from './candidatesUnderTest.js';
import type { Drawable } from './displayTree.js';
import { judge, nameOf } from './judge.js';
import { pixelTruth, type ViewTruth } from './pixelTruth.js';
import { oracleError } from './oracleError.js';
import { everyFrame } from './productCandidates.js';
import type { SceneReport } from './sceneReport.js';
import { type RendererName, Stage } from './Stage.js';
import { traps } from './traps/index.js';
import { TRAP_HEIGHT, TRAP_WIDTH } from './traps/Trap.js';

export interface TrapReport extends SceneReport {
  /** Names of what blocks by the picture. */
  blockers: string[];
  /** The scene cannot be made in this version of Phaser, and why: it lacks something, or fails at it itself. */
  unmade: string | null;
}

const NOTHING_FOUND: TrapReport = {
  seed: 0,
  kinds: [],
  features: [],
  truth: 0,
  oracleError: null,
  findings: [],
  blockers: [],
  unmade: null,
};

/** Runs one variant on a game of its own and compares every named candidate with the picture. */
export async function runTrap(
  renderer: RendererName,
  title: string,
  name: string,
  candidates: readonly string[],
): Promise<TrapReport> {
  const variant = traps.find((trap) => trap.title === title)?.variants.find((entry) => entry.name === name);
  if (!variant) throw new Error(`No trap "${title}: ${name}"`);
  const ownGame = variant.ownGame ?? variant.config !== undefined;
  const stage = await stageFor(renderer, ownGame, variant.config);
  let ad: Drawable;
  try {
    ad = await stage.withRandom(() => variant.build(stage));
    for (let frame = 0; frame < (variant.frames ?? 2); frame++) stage.step(16);
  } catch (error) {
    // A game that failed in the midst of a frame is not to be gone on with.
    if (!ownGame) shared.delete(renderer);
    close(stage);
    return { ...NOTHING_FOUND, unmade: error instanceof Error ? error.message : String(error) };
  }
  try {
    const truths = variant.withoutPicture ? knownTruth(ad, variant.share as number) : pixelTruth(stage, ad);
    return {
      ...NOTHING_FOUND,
      truth: Math.max(0, ...truths.map(({ seen, total }) => (100 * seen.area) / (total || 1))),
      oracleError: oracleError(truths),
      blockers: [...new Set(truths.flatMap(({ blockers }) => [...blockers].map(nameOf)))],
      findings: candidatesUnderTest
        .filter((candidate) => candidates.includes(candidate.name))
        .filter((candidate) => !(variant.onlyNow && candidate === everyFrame))
        .map((candidate) => judge(candidate, ad, truths, () => stage.step())),
    };
  } finally {
    if (ownGame) close(stage);
  }
}

const shared = new Map<RendererName, Stage>();

/** An empty stage: most traps share one per renderer. */
async function stageFor(
  renderer: RendererName,
  ownGame: boolean,
  config: Phaser.Types.Core.GameConfig = {},
): Promise<Stage> {
  let stage = ownGame ? undefined : shared.get(renderer);
  if (!stage) {
    stage = await Stage.open({ renderer, width: TRAP_WIDTH, height: TRAP_HEIGHT, config, paintsPicturesOnly: true });
    if (!ownGame) shared.set(renderer, stage);
  }
  stage.clear();
  stage.seedRandom(1);
  stage.step();
  return stage;
}

function close(stage: Stage): void {
  try {
    stage.close();
  } catch {
    // Phaser 3.60 cannot take down a container that does not own its children; the page is thrown away anyway.
  }
}

/** The truth of a variant without picture. */
function knownTruth(ad: Drawable, share: number): ViewTruth[] {
  return ad.scene.sys.cameras.cameras.map((camera) => {
    const total = polygonArea(adCorners(ad, camera));
    const area = (total * share) / 100;
    return {
      camera,
      total,
      inViewport: total,
      bare: total,
      onScreen: area,
      seen: { area, pixels: Math.round(area), undecided: 0 },
      lost: total - area,
      opacity: share === 0 ? 0 : 1,
      blockers: new Set(),
      arguable: new Set(),
      taken: new Map(),
    };
  });
}

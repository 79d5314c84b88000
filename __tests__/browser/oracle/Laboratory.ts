import { buildStage } from './buildScene.js';
import type { Candidate } from './candidates.js';
import { candidatesUnderTest } from './candidatesUnderTest.js';
import { type Finding, judge, nameOf } from './judge.js';
import { oracleError } from './oracleError.js';
import { pixelTruth, type ViewTruth } from './pixelTruth.js';
import { pictureOfLight, pictureOfPolygons } from './pictures.js';
import { everyFrame, trackingFunctions } from './productCandidates.js';
import { HEIGHT, randomScene, WIDTH } from './randomScene.js';
import type { StageSpec } from './SceneSpec.js';
import { featuresIn, kindsIn, type SceneReport } from './sceneReport.js';
import { shrink } from './shrink.js';
import { type RendererName, Stage } from './Stage.js';

/** What a shrunken scene must still show. */
export type Failing = 'share' | 'blockers' | 'full' | 'total' | 'failure' | 'oracle' | 'unmeasurable';

/** Runs random scenes on one stage, in the page. */
export class Laboratory {
  static async open(renderer: RendererName): Promise<Laboratory> {
    return new Laboratory(await Stage.open({ renderer, width: WIDTH, height: HEIGHT, paintsPicturesOnly: true }));
  }

  private constructor(readonly stage: Stage) {}

  runSeeds(from: number, count: number, names: readonly string[]): SceneReport[] {
    const chosen = candidatesUnderTest.filter(({ name }) => names.includes(name));
    return Array.from({ length: count }, (_, i) => this.run(randomScene(from + i), from + i, chosen));
  }

  /** The smallest scene on which one candidate still fails in the same way. */
  shrink(spec: StageSpec, name: string, failing: Failing, least: number, seed: number): StageSpec {
    const chosen = candidatesUnderTest.filter((candidate) => candidate.name === name);
    return shrink(spec, (smaller) => fails(this.run(smaller, seed, chosen), failing, least));
  }

  /**
   * Everything about one scene: in words what the picture says per camera and object and what each candidate says; and
   * pictures of the frame, of the ad's light in it, and of the ad's outline with what the product cuts out exactly.
   */
  explain(
    spec: StageSpec,
    names: readonly string[],
    seed: number,
  ): { lines: string[]; pictures: Record<string, string> } {
    const { stage } = this;
    stage.seedRandom(seed);
    const { ad } = buildStage(stage, spec);
    const truths = pixelTruth(stage, ad);
    const lines = truths.flatMap((truth, index) => describeTruth(truth, index));
    stage.picture();
    const pictures = {
      frame: stage.game.canvas.toDataURL(),
      light: pictureOfLight(stage, ad),
      polygons: pictureOfPolygons(stage, ad),
    };
    for (const candidate of candidatesUnderTest.filter(({ name }) => names.includes(name))) {
      stage.step();
      lines.push(...describeFinding(judge(candidate, ad, truths, () => stage.step())));
    }
    return { lines, pictures };
  }

  private run(spec: StageSpec, seed: number, chosen: readonly Candidate[]): SceneReport {
    const { stage } = this;
    const report: SceneReport = {
      seed,
      kinds: kindsIn(spec),
      features: featuresIn(spec),
      truth: 0,
      oracleError: null,
      findings: [],
    };
    try {
      stage.seedRandom(seed);
      const { ad } = buildStage(stage, spec);
      const truths = pixelTruth(stage, ad);
      report.truth = Math.max(0, ...truths.map(({ seen, total }) => (100 * seen.area) / (total || 1)));
      report.oracleError = oracleError(truths);
      report.findings = chosen.map((candidate) => judge(candidate, ad, truths, () => stage.step()));
      shareUnmeasurable(report.findings);
    } catch (error) {
      report.failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    return report;
  }
}

/** The tracking functions have no word for it, so what the same engine says in every frame counts for them too. */
function shareUnmeasurable(findings: readonly Finding[]): void {
  const unmeasurable = findings.some((finding) => finding.candidate === everyFrame.name && finding.unmeasurable);
  for (const finding of findings) {
    if (finding.candidate === trackingFunctions.name) finding.unmeasurable = unmeasurable;
  }
}

function fails(report: SceneReport, failing: Failing, least: number): boolean {
  if (failing === 'failure') return report.failure !== undefined;
  if (report.failure !== undefined) return false;
  if (failing === 'oracle') return (report.oracleError ?? 0) >= least;
  return report.findings.some((finding) => {
    if (failing === 'unmeasurable') return finding.unmeasurable;
    if (finding.unmeasurable) return false;
    if (failing === 'share') return finding.error >= least;
    if (failing === 'total') return finding.totalError >= least;
    if (failing === 'full') return finding.falseFull || finding.falseBlocked;
    return finding.missed.length + finding.wrong.length > 0;
  });
}

function describeTruth(truth: ViewTruth, index: number): string[] {
  const { total, inViewport, bare, onScreen, seen, lost, opacity } = truth;
  const share = total > 0 ? (100 * seen.area) / total : 0;
  return [
    `camera ${index}: sees ${share.toFixed(2)} % (${seen.area.toFixed(1)} of ${total.toFixed(1)} px², ` +
      `${seen.pixels} whole pixels, ${seen.undecided} undecided), lost ${lost.toFixed(2)}, ad opacity ${opacity.toFixed(3)}`,
    `  in the viewport ${inViewport.toFixed(1)}, bare picture ${bare.toFixed(1)}, with masks ${onScreen.toFixed(1)}`,
    ...[...truth.taken].map(([object, area]) => {
      const role = truth.blockers.has(object) ? 'blocks' : 'arguable';
      return `  ${nameOf(object)} ${role}, alone takes ${area.toFixed(2)}`;
    }),
    ...[...truth.blockers, ...truth.arguable]
      .filter((object) => !truth.taken.has(object))
      .map(
        (object) => `  ${nameOf(object)} ${truth.blockers.has(object) ? 'blocks' : 'is arguable'} together with others`,
      ),
  ];
}

export function describeFinding(finding: Finding): string[] {
  const { candidate, views, isFullyVisible, hits, wrong, missed, reasons } = finding;
  return [
    `${candidate}: fully visible ${isFullyVisible}${finding.falseFull ? ' (FALSE FULL)' : ''}` +
      `${finding.falseBlocked ? ' (FALSE BLOCKED)' : ''}${finding.unmeasurable ? ', unmeasurable' : ''}` +
      (reasons.length > 0 ? `, reasons ${reasons.join(' ')}` : ''),
    ...views.map(
      (view) =>
        `  camera ${view.camera}: says ${view.said.toFixed(2)} %, truth ${view.truth.toFixed(2)} %, error ` +
        `${view.error.toFixed(2)}; total ${view.totalSaid.toFixed(1)}, truth ${view.totalTruth.toFixed(1)}`,
    ),
    `  blockers right: ${hits.join(' ') || '-'}; wrong: ${wrong.join(' ') || '-'}; missed: ${missed.join(' ') || '-'}`,
  ];
}

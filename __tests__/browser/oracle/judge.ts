import type { Candidate, Verdict } from './candidates.js';
import { type Drawable, sceneOf } from './displayTree.js';
import { LEAST_LOSS, type ViewTruth } from './pixelTruth.js';

type GameObject = Phaser.GameObjects.GameObject;

/** One candidate compared with the picture of one ad; plain data, to be handed out of the page. */
export interface Finding {
  candidate: string;
  views: {
    /** Index of the camera in its scene. */
    camera: number;
    /** Visible share in percent, by the picture and by the candidate. */
    truth: number;
    said: number;
    /** Distance in percentage points, what rounding left undecided taken off. */
    error: number;
    /** Canvas pixels² of the whole ad, by arithmetic and by the candidate. */
    totalTruth: number;
    totalSaid: number;
    /** Share of the canvas the visible part covers, percent, by the picture and by the candidate (null: not said). */
    screenTruth: number;
    screenSaid: number | null;
  }[];
  /** Largest error of all views, percentage points. */
  error: number;
  /** Largest error of a total area, percent of it. */
  totalError: number;
  isFullyVisible: boolean;
  /** The candidate said "fully visible", and every camera's picture lacks more than {@link LEAST_LOSS} pixels. */
  falseFull: boolean;
  /** The candidate said "not fully visible", and some camera's picture lacks nothing. */
  falseBlocked: boolean;
  /** Names of blockers: named rightly, wrongly, and not named though they block. */
  hits: string[];
  wrong: string[];
  missed: string[];
  unmeasurable: boolean;
  reasons: string[];
  milliseconds: number;
}

/** Less than this much of an ad, in canvas pixels², is no loss. */
const NO_LOSS = 0.5;

/** Runs a candidate on the frame last drawn and compares its verdict with the truth. */
export function judge(
  candidate: Candidate,
  ad: Drawable,
  truths: readonly ViewTruth[],
  drawFrame: () => void,
): Finding {
  const cameras = truths.map(({ camera }) => camera);
  const start = performance.now();
  const verdict = candidate.measure(ad, cameras, drawFrame);
  const milliseconds = performance.now() - start;
  const all = sceneOf(ad).sys.cameras.cameras;
  const { width, height } = ad.scene.sys.scale.baseSize;
  const canvasArea = width * height;

  const views = verdict.views.flatMap(({ camera, visibleArea, totalArea, screenPercentage }) => {
    const truth = truths.find((view) => view.camera === camera);
    if (!truth) return [];
    const share = truth.total > 0 ? truth.seen.area / truth.total : 0;
    const said = totalArea > 0 ? visibleArea / totalArea : 0;
    const undecided = truth.total > 0 ? truth.seen.undecided / truth.total : 0;
    const error = Math.max(0, Math.abs(said - share) - undecided);
    return [
      {
        camera: all.indexOf(camera),
        truth: 100 * share,
        said: 100 * said,
        error: Number.isFinite(said) ? 100 * error : 100,
        totalTruth: truth.total,
        totalSaid: totalArea,
        screenTruth: (100 * truth.seen.area) / canvasArea,
        screenSaid: screenPercentage ?? null,
      },
    ];
  });
  const leastLost = Math.min(...truths.map(({ lost, seen }) => lost - seen.undecided));
  const leastSurelyLost = Math.min(...truths.map(({ lost, seen }) => lost + seen.undecided));
  const drawn = truths.filter(({ opacity }) => opacity > 0);
  const totals = views.filter((view) => drawn.some(({ camera }) => all.indexOf(camera) === view.camera));
  const totalErrors = totals.map(({ totalTruth, totalSaid }) => (100 * Math.abs(totalSaid - totalTruth)) / totalTruth);

  return {
    candidate: candidate.name,
    views,
    error: views.reduce((most, view) => Math.max(most, view.error), 0),
    totalError: Math.max(0, ...totalErrors),
    isFullyVisible: verdict.isFullyVisible,
    falseFull: verdict.isFullyVisible && leastLost > LEAST_LOSS,
    falseBlocked: !verdict.isFullyVisible && leastSurelyLost < NO_LOSS,
    ...compareBlockers(verdict, truths),
    unmeasurable: verdict.unmeasurable,
    reasons: [...verdict.reasons],
    milliseconds,
  };
}

/**
 * Blockers are those in the camera that shows most of the ad. Where several cameras show about as much, the one whose
 * blockers fit best counts; an ad wholly visible in some camera has none.
 */
function compareBlockers(verdict: Verdict, truths: readonly ViewTruth[]): Pick<Finding, 'hits' | 'wrong' | 'missed'> {
  const named = new Set<GameObject>(verdict.blockers);
  const most = Math.max(0, ...truths.map(({ seen }) => seen.area));
  const shown = truths.filter(
    ({ seen, lost }) => seen.area >= most - Math.max(LEAST_LOSS, 0.02 * most) || (seen.area > 0 && lost <= LEAST_LOSS),
  );
  const comparisons = shown.map(({ blockers, arguable }) => ({
    hits: [...blockers].filter((object) => named.has(object)).map(nameOf),
    missed: [...blockers].filter((object) => !named.has(object)).map(nameOf),
    wrong: [...named]
      .filter((object) => !blockers.has(object as Drawable) && !arguable.has(object as Drawable))
      .map(nameOf),
  }));
  comparisons.sort((a, b) => a.missed.length + a.wrong.length - b.missed.length - b.wrong.length);
  return comparisons[0] ?? { hits: [], missed: [], wrong: [...named].map(nameOf) };
}

export function nameOf(object: GameObject): string {
  return object.name || object.type;
}

import type * as Phaser from 'phaser';
import type { PlacedAd } from '../../index.js';
import { adsOf, summariesOf } from '../adsIn.js';
import { documentOf } from '../documentOf.js';
import { nameOf } from '../nameOf.js';
import type { FrameFaults } from './FrameFaults.js';
import type { LintSeverity } from './LintRule.js';
import type { PlacementFacts, Size } from './PlacementFacts.js';
import { PlacementWatch } from './PlacementWatch.js';
import { readFacts } from './readFacts.js';
import { LINT_RULES } from './rules.js';

/** Something that may be wrong with a placement. */
export interface LintFinding {
  /** Names the rule, such as `too-small`. */
  readonly rule: string;
  /** `error`: the ad earns nothing as it is. `warning`: it may earn less, or look bad. */
  readonly severity: LintSeverity;
  /** The ad; it may have finished meanwhile. */
  readonly ad: PlacedAd;
  /** Name of its sprite, or of its surface. */
  readonly name: string;
  /** What was found. */
  readonly sentence: string;
  /** What to do about it. */
  readonly hint: string;
}

export interface LintOptions {
  /**
   * Sizes of the screens the game is made for, in CSS pixels. Only a game with `Phaser.Scale.RESIZE` shows an ad in another
   * share of them.
   * @default this device's screen
   */
  readonly resolutions?: readonly Size[];
}

/**
 * Looks for ads that will not be counted, or look bad, before players find out: for the overlay, and for tests.
 *
 * ```ts
 * expect(lintPlacements(scene)).toEqual([]);
 * ```
 *
 * Judges the frame drawn last. If `watchPlacements()` or the overlay watches an ad, it judges all that was seen of that ad: a
 * board that turns is squeezed in some frames, and one under a menu is covered for a while. The faults that take time to find out
 * (always covered, never on screen, too brief) are found only in watched ads.
 *
 * @param target a scene, or the game for all its scenes
 * @returns the findings, ad by ad; empty when there are none
 */
export function lintPlacements(target: Phaser.Scene | Phaser.Game, options: LintOptions = {}): LintFinding[] {
  const game = 'sys' in target ? target.sys.game : target;
  const scenes = 'sys' in target ? [target] : game.scene.scenes;
  const screens = options.resolutions ?? screensOf(game);
  const watch = PlacementWatch.of(game);
  const { wasScreenFree } = watch;
  return scenes.flatMap((scene) => {
    const all = adsOf(scene);
    const summaries = summariesOf(scene);
    const present = all.flatMap((ad) => {
      const inViewMs = summaries.find(({ placedAd }) => placedAd === ad)?.attention?.dwellMs ?? 0;
      const { seen = null, faults } = watch.seenOf(ad) ?? {};
      return check(ad, { ...readFacts(ad, all, screens), inViewMs, wasScreenFree, seen }, faults);
    });
    const { canvas } = game;
    const gone = watch
      .ended(scene)
      .flatMap(({ ad, seen, faults }) => check(ad, { ...NOTHING_KNOWN, canvas, wasScreenFree, seen }, faults));
    return [...present, ...gone];
  });
}

/** Placements that are being watched. */
export interface WatchedPlacements {
  /** As `lintPlacements(game)`. */
  findings(options?: LintOptions): LintFinding[];
  /** Stops watching; what was seen so far stays known, of ads that are still there until somebody watches again. */
  stop(): void;
}

/**
 * Watches all ads of a game from now on, frame by frame, for the rules that need time: always covered, never on screen, too
 * brief. For development and tests; the overlay does the same while it is shown.
 */
export function watchPlacements(game: Phaser.Game): WatchedPlacements {
  const stop = PlacementWatch.of(game).start();
  return { findings: (options) => lintPlacements(game, options), stop };
}

/** @param faults those found in an ad that was watched */
function check(ad: PlacedAd, facts: PlacementFacts, faults: FrameFaults | undefined): LintFinding[] {
  return LINT_RULES.flatMap((rule) => {
    const words = rule.judges === 'frame' && faults !== undefined ? faults.of(rule) : rule.check(facts);
    return words === null ? [] : [{ rule: rule.id, severity: rule.severity, ad, name: nameOf(ad), ...words }];
  });
}

/** The facts of an ad that is gone, besides what was seen of it. */
const NOTHING_KNOWN: Omit<PlacementFacts, 'canvas' | 'wasScreenFree' | 'seen'> = {
  frame: null,
  picture: null,
  followsWindow: false,
  screens: [],
  isOutOfBounds: false,
  twin: null,
  inViewMs: 0,
};

function screensOf(game: Phaser.Game): Size[] {
  const screen = documentOf(game).defaultView?.screen;
  return screen === undefined ? [] : [screen];
}

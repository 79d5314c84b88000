import type { AttentionFigures } from '../viewability/Attention.js';

/** How an ad came to its end. */
export type AdEnd =
  | 'destroyed'
  | 'unobserved'
  | 'texture-changed'
  | 'refreshed'
  | 'expired'
  | 'unfilled'
  | 'reported'
  | 'scene-ended'
  | 'game-ended';

/** Which ad a fact is about, as far as that is known. */
interface AdNames {
  /** One served ad in one placement (OMID: one ad session), a UUID; its events form a chain, see `EventStamp`. */
  readonly placementId?: string;
  /** Absent for a sprite the game made itself. */
  readonly adSurfaceId?: string;
  /** Absent while no ad is served. */
  readonly adId?: string;
  readonly serveId?: string;
}

/** What the player saw of an ad at a change. */
export interface SeenFigures {
  /** 0–100. */
  readonly percentageInView: number;
  /** Canvas pixels². */
  readonly visibleArea: number;
  /** Canvas pixels². */
  readonly totalArea: number;
  /** 0–100. */
  readonly screenCoveragePercentage: number;
  /** Why not all of it is in view, in OMID's words. */
  readonly reasons: readonly string[];
  /** Game objects that take visible area away. */
  readonly blockerCount: number;
}

/** The limits a viewability verdict was reached by; an absent one is no condition. */
export interface RuleFigures {
  /** 0–100. */
  readonly minPercentageInView: number;
  /** Continuous. */
  readonly minDurationMs: number;
  /** Size of the whole ad as a share of the canvas, 0–100. */
  readonly minScreenPercentage?: number;
  /** Size of the whole ad in CSS pixels². */
  readonly minAreaPx?: number;
  /** Cosine of the steepest angle: how far the ad may be squeezed in one direction, 0–1. */
  readonly minSqueezeRatio?: number;
  /** The window must have the focus. */
  readonly requiresFocus?: boolean;
}

export type Verdict = 'viewable' | 'notViewable' | 'undetermined';

/**
 * What the viewability clock was fed with during one stretch of time:
 * `[startMs, durationMs, percentageInView, percentageAtMost, screenPercentage, areaPx, squeezeRatio, isFocused]`. `startMs`
 * counts from the first measured frame of the placement. `endReason` says why time in view ended there, if it did.
 */
export type TraceRun = readonly [
  startMs: number,
  durationMs: number,
  percentageInView: number,
  percentageAtMost: number,
  screenPercentage: number,
  areaPx: number,
  squeezeRatio: number,
  isFocused: 0 | 1,
  endReason?: string,
];

/** Evidence: enough to reach the same verdict again (`npm run replay`). */
export interface EvidenceTrace {
  /** A longer time between two frames ended continuous time in view. */
  readonly maxGapMs: number;
  readonly runs: readonly TraceRun[];
  /** The beginning did not fit and was left out. */
  readonly isCut: boolean;
  /** Measuring has failed: rules that were not met might have been. */
  readonly hasFailed?: boolean;
  /** The rules the verdicts of a summary were reached by, by the id of the standard. */
  readonly rules?: Readonly<Record<string, RuleFigures>>;
}

/** Something that happened in one placement. Says nothing about who plays. */
export type SessionFact =
  | { readonly kind: 'loaded' | 'noFill' | 'click' }
  | VideoFact
  | { readonly kind: 'error'; readonly errorCode: string }
  /** `impression`: the first frame with any pixel of the ad. `visible` and `blocked`: full visibility has changed. */
  | ({ readonly kind: 'impression' | 'visible' | 'blocked' } & SeenFigures)
  | ViewableFact
  | SummaryFact;

/** How far a video has played, in the words of OMID and VAST; each once, in this order. */
export const VIDEO_MILESTONES = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'] as const;
export type VideoMilestone = (typeof VIDEO_MILESTONES)[number];

/** A video creative has reached a milestone; comes with what was in view at that moment. */
export interface VideoFact extends SeenFigures {
  readonly kind: VideoMilestone;
  /** Duration of the whole video, in milliseconds. */
  readonly videoDurationMs: number;
}

/** A standard's rule was met; once per standard. */
export interface ViewableFact extends SeenFigures {
  readonly kind: 'viewable';
  readonly standard: string;
  readonly rule: RuleFigures;
  /** How long it was met without a break. */
  readonly durationMs: number;
  readonly trace?: EvidenceTrace;
}

/** Everything measured until now. Of several summaries the one with the highest ordinal holds. */
export interface SummaryFact {
  readonly kind: 'summary';
  /** Nothing follows in this placement. */
  readonly isFinal: boolean;
  readonly finishReason?: AdEnd;
  /** By the id of the standard. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** All time in which the conditions of the first standard were met, whether or not for its duration. */
  readonly timeInViewMs: number;
  readonly longestInViewMs: number;
  /** 0–100. */
  readonly maxPercentageInView: number;
  /** Time for which it is known what the player saw. */
  readonly measurableMs: number;
  readonly unmeasurableMs: number;
  /** For how long each reason held; several may hold at once. */
  readonly reasonsMs: Readonly<Record<string, number>>;
  /** How long, how large and how often it was in view at all. Absent as long as it was not. */
  readonly attention?: AttentionFigures;
  /**
   * How many presses released on the ad were no clicks, by reason: invalid traffic. Absent when there were none; clicks
   * that count are events of their own.
   */
  readonly refusedClicks?: Readonly<Record<string, number>>;
  /** How much was in view over time: milliseconds since the first measured frame, percentage in view. At most 64 points. */
  readonly timeline: readonly (readonly [tMs: number, percentageInView: number])[];
  readonly trace?: EvidenceTrace;
}

/** A {@link SessionFact}, and the ad it is about. */
export type AdFact = AdNames & SessionFact & Declared;

/** What the game left out of the measurement. */
export interface Declared {
  /** With `viewable` and `summary`: what the game declared as belonging to ads; it was not counted as covering them. */
  readonly friendlyObstructions?: readonly { readonly purpose: string; readonly reason?: string }[];
  /** How many the game declared, when these are more than are told one by one. */
  readonly friendlyObstructionCount?: number;
}

/** A fact as it is sent, however often: frozen when recorded, so that each repetition has the same bytes. */
export type AdEvent = AdFact & {
  /** Unique for ever; the service counts by it. */
  readonly id: string;
  /** One run of one game. */
  readonly sessionId: string;
  /** Milliseconds since the session began, on the monotonic clock. */
  readonly time: number;
  /** The wall clock then, in milliseconds since 1970. Never rewritten, however late the event is sent. */
  readonly wallTime: number;
  /** 0, 1, 2… within the placement. */
  readonly sequence?: number;
  /** Hexadecimal SHA-256 of the canonical JSON of the placement's previous event; absent for the first. */
  readonly previousHash?: string;
  /** Counts the events of its kind in the placement, from 1. */
  readonly ordinal?: number;
};

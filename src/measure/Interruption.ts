/** What ends continuous time in view between two frames, beside the reasons a frame can tell. */
export const Interruption = {
  /** The page was hidden, frozen or left. The same word as the reason of a frame. */
  BACKGROUNDED: 'backgrounded',
  /** The graphics context is lost: the canvas is blank. */
  CONTEXT_LOST: 'contextLost',
  /** The whole game is paused and draws no frames. */
  GAME_PAUSED: 'gamePaused',
  /** No frame for longer than a gap may be: the device stalled or slept. */
  STALL: 'stall',
  /** The ad is a video that stands still: before its start, after its end, or paused. Its frames are measured all the same. */
  NOT_PLAYING: 'notPlaying',
  /** Measuring has failed. */
  UNMEASURABLE: 'unmeasurable',
} as const;
export type Interruption = (typeof Interruption)[keyof typeof Interruption];

/** While one of these holds, what the player sees is unknown; while one of the others holds, it is nothing. */
export const UNKNOWN_VIEW: ReadonlySet<string> = new Set([
  Interruption.GAME_PAUSED,
  Interruption.STALL,
  Interruption.UNMEASURABLE,
]);

/**
 * Times of sessions that the service and its clients have to agree on, in seconds; the contract's document states them
 * as `info.x-times`.
 */
export const ACCOUNT_TIMES = {
  /**
   * How long a token request whose answer may have been lost can be repeated: a refresh with the same refresh token, a
   * poll of a connect request that has given its tokens, and a poll of one that was confirmed at its very end.
   */
  repeatGraceSeconds: 600,
  /** How long the older of several answers to one such request can still be used: tabs may ask at the same time. */
  siblingGraceSeconds: 30,
  /** The longest time the answer to a poll is held for the player's decision. */
  longestHoldSeconds: 25,
} as const;

export const REPEAT_GRACE_MS = ACCOUNT_TIMES.repeatGraceSeconds * 1000;
export const SIBLING_GRACE_MS = ACCOUNT_TIMES.siblingGraceSeconds * 1000;
/** A session's last use is kept to this: not every request writes. */
export const USE_IS_TOLD_AFTER_MS = 60_000;

/** What a draw means for the ads. */
export const DrawRole = {
  /** It may cover an ad drawn before. */
  COVER: 0,
  /** The ad as it would be whole: neither cropped nor masked nor rounded. This paints nothing on the screen. */
  SHAPE: 1,
  /** The ad as it is drawn. */
  PIECE: 2,
} as const;
export type DrawRole = (typeof DrawRole)[keyof typeof DrawRole];

/** How painting changes the light of what lies below. Everything a Phaser blend mode does falls into one of these. */
export const Blend = {
  /** Replaces what is below by the painter's alpha (NORMAL and most others); also ERASE, which removes it. */
  COVER: 0,
  /** Only adds light, the less the lighter it is below (SCREEN): hides as far as the painter is bright. */
  LIGHTEN: 1,
  /** Only takes light away (MULTIPLY): hides as far as the painter is dark. */
  DARKEN: 2,
  /** Adds its light to whatever is below (ADD): as LIGHTEN, but several add up until all is white. */
  ADD: 3,
  /** Darkens as far as the painter is darker than half, lightens as far as it is brighter (HARD_LIGHT, Canvas only). */
  HARD_LIGHT: 4,
} as const;
export type Blend = (typeof Blend)[keyof typeof Blend];

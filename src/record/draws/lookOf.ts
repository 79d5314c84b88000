import { Blend } from '../../textures/Blend.js';
import { type DrawOp, IGNORES_TEXTURE, ProgramKind, type Shape, TINT_ADDS, TINT_MIXES } from './DrawOp.js';

/** How a shape hides what lies below it, whatever its texture shows. */
export interface ShapeLook {
  /** How it changes the light below. What is unknown counts as a cover. */
  readonly blend: Blend;
  /** It is unknown what it hides. */
  readonly isGuess: boolean;
  /** One opacity fits all of it. */
  readonly isEven: boolean;
  /** A shader paints something unknown. */
  readonly isForeign: boolean;
  readonly ignoresTexture: boolean;
}

/** @param blend How it is drawn; null where that is unknown. */
export function lookOf({ program: { kind } }: DrawOp, { colors, effect }: Shape, blend: Blend | null): ShapeLook {
  const [first = 0] = colors;
  const isOfOneColor = colors.every((color) => (color & 0xffffff) === (first & 0xffffff));
  const isOfOneAlpha = colors.every((color) => color >>> 24 === first >>> 24);
  const isForeign = kind >= ProgramKind.WITHIN;
  const mixesLight = blend !== null && blend !== Blend.COVER;
  // If light and opacity both change between the corners, their product is not linear.
  const isCurved = !isOfOneColor && (!isOfOneAlpha || (blend === Blend.DARKEN && effect === 0));
  const isOfOwnLight = kind === ProgramKind.LIT || effect === TINT_MIXES || effect === TINT_ADDS || isCurved;
  const isGuess = blend === null || isForeign || (mixesLight && isOfOwnLight);
  return {
    blend: isGuess ? Blend.COVER : blend,
    isGuess,
    isEven: isOfOneAlpha && (!mixesLight || isOfOneColor || kind > ProgramKind.LIT),
    isForeign,
    ignoresTexture: effect === IGNORES_TEXTURE || isForeign,
  };
}

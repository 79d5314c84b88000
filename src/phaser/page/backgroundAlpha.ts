import { colorAlpha } from './colorAlpha.js';

/** How opaque a background is where it is the most, 0–1. */
export function backgroundAlpha({ backgroundImage, backgroundColor, backgroundClip }: CSSStyleDeclaration): number {
  // It fills letters, whose boxes count.
  if (backgroundClip === 'text') return 0;
  const below = colorAlpha(backgroundColor);
  if (backgroundImage === 'none' || backgroundImage === '') return below;
  return 1 - (1 - pictureAlpha(backgroundImage)) * (1 - below);
}

/** Of pictures of CSS: gradients at their strongest. */
export function pictureAlpha(image: string): number {
  if (!/^[^;]*gradient\(/.test(image) || /url\(|image-set\(|element\(/.test(image)) return 1;
  const colors = image.match(/(?:rgba?|color|hsla?|hwb|lab|lch|oklab|oklch)\([^()]*\)/g);
  return colors === null ? 1 : Math.max(...colors.map(colorAlpha));
}

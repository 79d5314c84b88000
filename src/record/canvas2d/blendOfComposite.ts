import { Blend } from '../../textures/Blend.js';

/**
 * What a composite operation does to the light below, on an opaque canvas; null when it leaves that light, or paints
 * beneath.
 */
export function blendOfComposite(name: string): Blend | null {
  switch (name) {
    case 'lighter':
    case 'difference':
    case 'exclusion':
      return Blend.ADD;
    case 'screen':
    case 'lighten':
      return Blend.LIGHTEN;
    case 'hard-light':
      return Blend.HARD_LIGHT;
    case 'multiply':
    case 'darken':
      return Blend.DARKEN;
    case 'overlay':
    case 'color-dodge':
    case 'color-burn':
    case 'soft-light':
    case 'destination-over':
      return null;
    default:
      return Blend.COVER;
  }
}

/** What is white below becomes dark, and what is black, bright: light is taken twice. */
export function inverts(name: string): boolean {
  return name === 'difference' || name === 'exclusion';
}

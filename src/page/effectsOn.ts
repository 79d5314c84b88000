import { has, lengthsIn, splitAt } from './css.js';
import { painterOf } from './flatTree.js';
import { placeOf } from './placeOf.js';

/** The effects on everything that an element paints: those of its own style and those of its ancestors. */
export interface Effects {
  /** 0–1. */
  opacity: number;
  /** False where it is blurred, masked, cut into a shape, given a shadow, or blended with what lies below. */
  isKnown: boolean;
  /** True where a picture looks different from how it was drawn. */
  isAltered: boolean;
  /** How far blurs and shadows spread, in CSS pixels of the window. */
  reach: number;
  /** The outermost element that has such a filter. */
  spreader: Element | null;
}

/** A blur shows up to so many times its length away. */
export const BLUR = 3;
/** Nobody can tell how far filters of the page and reflections paint beyond an element. */
export const ANYWHERE_PX = 1e5;
const CUTS = ['mask-image', '-webkit-mask-box-image-source', 'clip-path'];
/** How pages cut away what only screen readers are to find. */
const NOTHING_LEFT = /^inset\((?:50|100)%\)$|^rect\(([\d.]+px), \1, \1, \1\)$/;

/** @param end The elements that also paint the canvas: their effects apply to the canvas, too, and are left out. */
export function effectsOn(element: Element, end: ReadonlySet<Element>): Effects {
  const effects: Effects = { opacity: 1, isKnown: true, isAltered: false, reach: 0, spreader: null };
  for (let e: Element | null = element; e !== null && !end.has(e); e = painterOf(e)) {
    const style = getComputedStyle(e);
    // An element without a box has no effects: its children are drawn in its place.
    if (style.display === 'contents') continue;
    effects.opacity *= Number(style.opacity);
    const clip = style.position === 'absolute' || style.position === 'fixed' ? style.getPropertyValue('clip') : 'auto';
    if (NOTHING_LEFT.test(style.clipPath) || NOTHING_LEFT.test(clip)) effects.opacity = 0;
    if (CUTS.some((name) => has(style, name)) || clip.startsWith('rect') || style.mixBlendMode !== 'normal') {
      effects.isKnown = false;
      effects.isAltered = true;
    }
    for (const filter of has(style, 'filter') ? splitAt(style.filter, ' ') : []) {
      const [, name = '', value = ''] = /^([a-z-]+)\((.*)\)$/.exec(filter) ?? [];
      if (name === 'opacity') effects.opacity *= parseFloat(value) / (value.endsWith('%') ? 100 : 1);
      else if (name !== 'drop-shadow') effects.isAltered = true;
    }
    if (!spreads(style)) continue;
    const isAnywhere = style.filter.includes('url(') || has(style, '-webkit-box-reflect');
    effects.reach += isAnywhere ? ANYWHERE_PX : BLUR * lengthsIn(style.filter) * placeOf(e).scale;
    effects.spreader = e;
    effects.isKnown = false;
  }
  return effects;
}

/** Whether what an element paints shows beyond where it paints it: blurred, with a shadow, or in a mirror. */
export function spreads(style: CSSStyleDeclaration): boolean {
  return /blur|drop-shadow|url/.test(style.filter) || has(style, '-webkit-box-reflect');
}

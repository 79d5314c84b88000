import { boxAround, cornersOf, grown } from './Box.js';
import { FAINT, type Paint } from './boxPaints.js';
import { clipOf, clipped } from './clipOf.js';
import { has, isOutOfFlow, lengthsIn, shadowsIn, splitAt } from './css.js';
import { painterOf } from './flatTree.js';
import { placeOf } from './placeOf.js';

/** The effects on everything that an element paints: those of its own style and those of its ancestors. */
export interface Effects {
  /** 0–1. */
  opacity: number;
  /** The innermost element that is faint: all that is painted in it is faint together. */
  group: Element | null;
  /** False where it is blurred, masked, cut into a shape, mirrored, or blended with what lies below. */
  isKnown: boolean;
  /** True where a picture looks different from how it was drawn. */
  isAltered: boolean;
  /** How far blurs and the like spread, in CSS pixels of the window. */
  reach: number;
  /** The outermost element that has such a filter. */
  spreader: Element | null;
  /** The elements with `drop-shadow`, the innermost first, and its parameters. */
  readonly shadows: { readonly caster: Element; readonly value: string }[];
}

/** A blur shows up to so many times its length away. */
export const BLUR = 3;
/** Nobody can tell how far filters of the page and reflections paint beyond an element. */
export const ANYWHERE_PX = 1e5;
/** Filters that change nothing, as animations leave them. */
const IDLE =
  /^(?:(?:blur|grayscale|sepia|invert|hue-rotate)\(0(?:px|deg|%)?\)|(?:brightness|contrast|saturate)\((?:1|100%)\))$/;
const CUTS = ['mask-image', '-webkit-mask-box-image-source', 'clip-path'];
/** What only keeps shadows from reaching farther. */
const NOTHING_CUT = /^inset\((?:-[\d.]+(?:px|%) ?)+\)$/;
/** How pages cut away what only screen readers are to find. */
const NOTHING_LEFT = /^inset\((?:50|100)%\)$|^rect\(([\d.]+px), \1, \1, \1\)$/;

/** @param end The elements that also paint the canvas: their effects apply to the canvas, too, and are left out. */
export function effectsOn(element: Element, end: ReadonlySet<Element>): Effects {
  const effects: Effects = {
    opacity: 1,
    group: null,
    isKnown: true,
    isAltered: false,
    reach: 0,
    spreader: null,
    shadows: [],
  };
  for (let e: Element | null = element; e !== null && !end.has(e); e = painterOf(e)) {
    const style = getComputedStyle(e);
    // An element without a box has no effects: its children are drawn in its place.
    if (style.display === 'contents') continue;
    effects.opacity *= Number(style.opacity);
    const clip = isOutOfFlow(style.position) ? style.getPropertyValue('clip') : 'auto';
    if (NOTHING_LEFT.test(style.clipPath) || NOTHING_LEFT.test(clip)) effects.opacity = 0;
    if (
      CUTS.some((name) => has(style, name) && !NOTHING_CUT.test(style.getPropertyValue(name))) ||
      clip.startsWith('rect') ||
      style.mixBlendMode !== 'normal'
    ) {
      effects.isKnown = false;
      effects.isAltered = true;
    }
    for (const filter of has(style, 'filter') ? splitAt(style.filter, ' ') : []) {
      if (IDLE.test(filter)) continue;
      const [, name = '', value = ''] = /^([a-z-]+)\((.*)\)$/.exec(filter) ?? [];
      if (name === 'opacity') effects.opacity *= parseFloat(value) / (value.endsWith('%') ? 100 : 1);
      else if (name === 'drop-shadow') effects.shadows.push({ caster: e, value });
      else effects.isAltered = true;
    }
    if (effects.opacity < 1) effects.group ??= e;
    if (!spreads(style)) continue;
    const isAnywhere = style.filter.includes('url(') || has(style, '-webkit-box-reflect');
    effects.reach += isAnywhere ? ANYWHERE_PX : BLUR * lengthsIn(style.filter) * placeOf(e).scale;
    effects.spreader = e;
    effects.isKnown = false;
  }
  return effects;
}

/** Whether nobody can tell how far beyond itself an element paints: it is blurred, mirrored, or filtered by the page. */
function spreads(style: CSSStyleDeclaration): boolean {
  return /blur\((?!0px)|url/.test(style.filter) || has(style, '-webkit-box-reflect');
}

/** Whether what an element paints also shows elsewhere. */
export function casts(style: CSSStyleDeclaration): boolean {
  return spreads(style) || style.filter.includes('drop-shadow');
}

/** The shadows (`drop-shadow`) of what an element paints, and the shadows of those. */
export function shadowsOf(element: Element, paints: readonly Paint[], effects: Effects): Paint[] {
  const found: Paint[] = [];
  for (const { caster, value } of effects.shadows) {
    const outer = clipOf(caster);
    const { alpha, x, y, blur } = shadowsIn(value)[0]!;
    const [dx, dy] = placeOf(caster).vectorToWindow(x, y);
    // What lies outside of the window may cast its shadow into it.
    const sources = paints.map((paint) => ({
      ...paint,
      shape: clipped(paint.shape, clipOf(element, caster, paint.position)),
      opacity: paint.isBackdrop === true ? 0 : paint.opacity * effects.opacity,
      isCertain: paint.isCertain && effects.isKnown,
      hitBox: paint.hitBox ?? boxAround(paint.shape),
    }));
    const cast = [...sources, ...found]
      .filter(({ opacity, shape }) => opacity * alpha > 0 && shape.length >= 6)
      .map((source) => {
        const shape = source.shape.map((at, i) => at + (i % 2 === 0 ? dx : dy));
        return { ...source, opacity: source.opacity * alpha, shape: clipped(shape, outer) };
      });
    found.push(...cast);
    if (blur === 0 || cast.length === 0) continue;
    // Beyond the sharp edge a blurred one has less than half of its strength, whatever else lies in it.
    const wide = grown(boxAround(cast.flatMap(({ shape }) => shape)), BLURRED * blur);
    const opacity = FAINT * Math.max(...cast.map((one) => one.opacity));
    const isCertain = cast.every((one) => one.isCertain);
    found.push({ ...cast[0]!, opacity, isCertain, shape: clipped(cornersOf(wide), outer) });
  }
  return found;
}
/** The blur of a shadow shows up to so many times its length away. */
const BLURRED = 2;

import { boxAround, cornersOf, grown, moved } from './Box.js';
import type { Paint } from './boxPaints.js';
import { clipOf, clipped, insetOf } from './clipOf.js';
import { has, shadowsIn, splitAt } from './css.js';
import { painterOf } from './flatTree.js';
import { placeOf } from './placeOf.js';

/** The effects on everything that an element paints: those of its own style and those of its ancestors. */
export interface Effects {
  /** 0–1. */
  opacity: number;
  /** False where it is blurred, masked, cut into a shape, or blended with what lies below. */
  isKnown: boolean;
  /** True where it does not look as it was drawn: recoloured, or not {@link isKnown}. */
  isAltered: boolean;
  /** How far blurs spread, in CSS pixels of the window. */
  reach: number;
  /** The outermost element that is blurred. */
  spreader: Element | null;
  /** The innermost first. */
  readonly shadows: Shadow[];
}

/** A shadow or reflection that shows all of an element once more. */
interface Shadow {
  readonly caster: Element;
  readonly value: string;
}

/** Filters that change colours, but move nothing. */
const HARMLESS = /^(?:none|brightness|contrast|grayscale|hue-rotate|invert|saturate|sepia)\b/;

/** @param end The elements that also paint the canvas: their effects apply to the canvas, too, and are left out. */
export function effectsOn(element: Element, end: ReadonlySet<Element>): Effects {
  const effects: Effects = { opacity: 1, isKnown: true, isAltered: false, reach: 0, spreader: null, shadows: [] };
  let isBlended = false;
  for (let e: Element | null = element; e !== null && !end.has(e); e = painterOf(e)) {
    const style = getComputedStyle(e);
    // An element without a box has no effects: its children are drawn in its place.
    if (style.display === 'contents') continue;
    effects.opacity *= Number(style.opacity);
    if (has(style, 'mask-image') || has(style, '-webkit-mask-box-image-source')) effects.isKnown = false;
    if (has(style, 'clip-path') && insetOf(style) === null) effects.isKnown = false;
    // An element that is blended within a stacking context mixes with nothing below that context.
    if (isBlended && isStackingContext(style)) isBlended = false;
    if (style.mixBlendMode !== 'normal') isBlended = effects.isAltered = true;
    if (has(style, '-webkit-box-reflect')) effects.shadows.push({ caster: e, value: '' });
    if (!has(style, 'filter')) continue;
    for (const filter of splitAt(style.filter, ' ')) {
      const [, name = '', value = ''] = /^([a-z-]+)\((.*)\)$/.exec(filter) ?? [];
      if (name !== 'opacity' && name !== 'drop-shadow') effects.isAltered = true;
      if (name === 'opacity') effects.opacity *= parseFloat(value) / (value.endsWith('%') ? 100 : 1);
      else if (name === 'drop-shadow') effects.shadows.push({ caster: e, value });
      else if (name === 'blur') effects.reach += 3 * parseFloat(value) * placeOf(e).scale;
      else if (!HARMLESS.test(filter)) {
        effects.isKnown = false;
        effects.reach += drawnReach(e, value);
      }
      if (name !== 'opacity' && name !== 'drop-shadow' && !HARMLESS.test(filter)) effects.spreader = e;
    }
  }
  if (isBlended || effects.reach > 0) effects.isKnown = false;
  effects.isAltered ||= !effects.isKnown;
  return effects;
}

/** How far an SVG filter of the page may paint beyond an element, in CSS pixels. */
function drawnReach(element: Element, value: string): number {
  const filter = element.ownerDocument.getElementById(/#([^"')]+)/.exec(value)?.[1] ?? '');
  const isPlain = filter !== null && REGION.every((name) => !filter.hasAttribute(name));
  const { width, height } = element.getBoundingClientRect();
  return isPlain ? Math.max(width, height) : ANYWHERE_PX;
}
const REGION = ['x', 'y', 'width', 'height', 'filterUnits'];
const ANYWHERE_PX = 1e5;

function isStackingContext(style: CSSStyleDeclaration): boolean {
  const { isolation, opacity, zIndex, position } = style;
  return (
    isolation === 'isolate' ||
    Number(opacity) < 1 ||
    has(style, 'transform') ||
    has(style, 'filter') ||
    (zIndex !== 'auto' && position !== 'static') ||
    position === 'fixed' ||
    position === 'sticky'
  );
}

/** The shadows and reflections of what an element paints, including shadows of shadows. */
export function shadowsOf(element: Element, paints: readonly Paint[], { shadows }: Effects): Paint[] {
  const found: Paint[] = [];
  for (const { caster, value } of shadows) {
    const outer = clipOf(caster);
    const sources = paints
      .map((paint) => ({
        ...paint,
        shape: clipped(paint.shape, clipOf(element, caster, paint.position)),
        hitBox: paint.hitBox ?? boxAround(paint.shape),
      }))
      .filter(({ shape }) => shape.length >= 6);
    if (value === '') {
      // It is unknown what a reflection covers beside its box, on any side.
      const { width, height } = caster.getBoundingClientRect();
      const around = ({ shape }: Paint): number[] => cornersOf(grown(boxAround(shape), 2 * Math.max(width, height)));
      for (const source of sources) found.push({ ...source, shape: clipped(around(source), outer), isCertain: false });
      continue;
    }
    const { alpha, x, y, blur } = shadowsIn(value)[0]!;
    const [dx, dy] = placeOf(caster).vectorToWindow(x, y);
    for (const source of [...sources, ...found]) {
      const opacity = source.opacity * alpha;
      const shape = source.shape.map((number, i) => number + (i % 2 === 0 ? dx : dy));
      if (opacity <= 0) continue;
      found.push({ ...source, opacity, shape: clipped(shape, outer) });
      // A blurred edge has less than half of its strength beyond the sharp one.
      const wide = cornersOf(grown(moved(boxAround(source.shape), dx, dy), 2 * blur));
      if (blur > 0) found.push({ ...source, opacity: 0.49 * opacity, shape: clipped(wide, outer) });
    }
  }
  return found;
}

import { boxAround, cornersOf, grown, moved } from './Box.js';
import type { Paint } from './boxPaints.js';
import { clipOf, clipped, insetOf } from './clipOf.js';
import { has, shadowsIn, splitAt } from './css.js';
import { painterOf } from './flatTree.js';
import { placeOf } from './placeOf.js';

/** What is done to all that an element paints, by its own style and by those of what it is painted in. */
export interface Effects {
  /** 0–1. */
  opacity: number;
  /** False where it is blurred, masked, cut into a shape, or mixed with what lies below. */
  isKnown: boolean;
  /** True where its own light is not as it was drawn: recoloured, or any of that. */
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

/** They change colours and leave light and dark where they are. */
const HARMLESS = /^(?:none|brightness|contrast|grayscale|hue-rotate|invert|saturate|sepia)\b/;

/** @param end What also paints the canvas: what that does is done to the canvas, too. */
export function effectsOn(element: Element, end: ReadonlySet<Element>): Effects {
  const effects: Effects = { opacity: 1, isKnown: true, isAltered: false, reach: 0, spreader: null, shadows: [] };
  let isBlended = false;
  for (let e: Element | null = element; e !== null && !end.has(e); e = painterOf(e)) {
    const style = getComputedStyle(e);
    // What has no box is drawn as if it were not there, its children in its place.
    if (style.display === 'contents') continue;
    effects.opacity *= Number(style.opacity);
    if (has(style, 'mask-image') || has(style, '-webkit-mask-box-image-source')) effects.isKnown = false;
    if (has(style, 'clip-path') && insetOf(style) === null) effects.isKnown = false;
    // What is blended within a stacking context mixes with nothing below that.
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

/** How far a filter that is drawn in the page may paint beyond an element, in CSS pixels. */
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

/** Where shadows and reflections show again what an element paints, their own shadows included. */
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
      // Nobody can tell what a reflection leaves beside its box, on any side.
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

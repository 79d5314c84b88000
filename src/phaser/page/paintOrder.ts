import { follows, holds, isInTopLayer, isStackingContext, painterOf, parentOf } from './flatTree.js';

/**
 * Whether an element is painted after another one, by the rules of CSS 2, appendix E: for what cannot be hit, since where it
 * can, the browser tells better. Of the top layer, whose order nobody tells, all is taken for later.
 */
export function isPaintedAfter(element: Element, other: Element, pseudo?: string): boolean {
  const steps = stepsTo(element, pseudo);
  const others = stepsTo(other);
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!;
    const its = others[i];
    if (its === undefined) return step.level >= 0;
    if (step.element === its.element && step.pseudo === undefined) continue;
    if (step.level !== its.level) return step.level > its.level;
    if (step.level === Infinity) return true;
    if (step.pseudo !== undefined && holds(step.element, its.element)) return step.pseudo === '::after';
    return follows(step.element, its.element);
  }
  return false;
}

/** What is painted in one go, at one of the levels of what it is in. */
interface Step {
  readonly element: Element;
  /** Given where it is not the element but what that puts before or after its content. */
  readonly pseudo: string | undefined;
  /** The z-index; boxes without one lie between -1 and 0. */
  readonly level: number;
}

const BLOCK = -0.75;
const FLOAT = -0.5;
const INLINE = -0.25;

/** From the outermost inwards, the element last, or its pseudo-element. */
function stepsTo(target: Element, itsPseudo?: string): Step[] {
  const steps: Step[] = [];
  // What has a level by itself goes past all that is no stacking context, the rest with the nearest thing painted in one go.
  let isFree = false;
  const climb = (element: Element, pseudo?: string): void => {
    const isTarget = steps.length === 0;
    const style = getComputedStyle(element, pseudo);
    const parent = pseudo === undefined ? parentOf(element) : element;
    const isItem = parent !== null && /flex|grid/.test(getComputedStyle(parent).display);
    const isPositioned = style.position !== 'static';
    const z = isPositioned || isItem ? parseInt(style.zIndex) : NaN;
    const isContext = z <= 0 || z >= 0 || stacks(style);
    const isFloat = style.float !== 'none' && !isItem;
    if (!isTarget && !isContext && (isFree || !(isPositioned || isFloat || isItem))) return;
    const isBlock = pseudo !== undefined || !REPLACED.test(element.tagName);
    let level = INLINE;
    if (pseudo === undefined && isInTopLayer(element)) level = Infinity;
    else if (isContext || isPositioned) level = z || 0;
    else if (isFloat) level = FLOAT;
    else if (isTarget && !isItem && isBlock && !style.display.startsWith('inline')) level = BLOCK;
    steps.push({ element, pseudo, level });
    isFree = isContext || isPositioned;
  };
  if (itsPseudo !== undefined) climb(target, itsPseudo);
  for (let e: Element | null = target; e !== null; e = painterOf(e)) climb(e);
  return steps.reverse();
}

function stacks(style: CSSStyleDeclaration): boolean {
  const { contain, mixBlendMode, willChange } = style;
  return (
    isStackingContext(style) ||
    mixBlendMode !== 'normal' ||
    /paint|layout|strict|content/.test(contain) ||
    WILL_STACK.test(willChange) ||
    STACKING.some((name) => (style[name] || 'none') !== 'none')
  );
}

const WILL_STACK =
  /opacity|transform|filter|perspective|clip-path|mask|isolation|position|z-index|rotate|scale|translate/;

/** Properties that make a stacking context, with any value but `none`. */
const STACKING = ['backdropFilter', 'clipPath', 'maskImage', 'perspective', 'rotate', 'scale', 'translate'] as const;

const REPLACED = /^(?:canvas|img|video|iframe|svg|object|embed|input|textarea|select)$/i;

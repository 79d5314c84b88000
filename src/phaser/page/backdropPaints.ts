import type { Box } from './Box.js';
import { boxPaints } from './boxPaints.js';
import type { Paint } from './Paint.js';
import { THE_WINDOW } from './placeOf.js';
import { isReshaped, transformed } from './pseudoTransform.js';

/** What covers the page below something in the top layer. */
export function backdropPaints(element: Element): Paint[] {
  const style = getComputedStyle(element, '::backdrop');
  if (style.display === 'none' || style.visibility !== 'visible') return [];
  const opacity = Number(style.opacity);
  const hitBox = element.getBoundingClientRect();
  const box = transformed(backdropBox(element, style), style);
  const isCut = [style.clipPath, style.maskImage].some((value) => (value || 'none') !== 'none');
  return boxPaints(box, style, 0, THE_WINDOW, isReshaped(style)).map((paint) => ({
    ...paint,
    opacity: paint.opacity * opacity,
    isCertain: paint.isCertain && !isCut,
    hitBox,
    isBackdrop: true,
  }));
}

/** All of the window, where its style says nothing else. */
function backdropBox({ ownerDocument: { documentElement: root } }: Element, style: CSSStyleDeclaration): Box {
  const [left, top, width, height] = [style.left, style.top, style.width, style.height].map(parseFloat) as Four;
  if (![left, top, width, height].every(Number.isFinite))
    return { left: 0, top: 0, right: root.clientWidth, bottom: root.clientHeight };
  return { left, top, right: left + width, bottom: top + height };
}

type Four = [left: number, top: number, width: number, height: number];

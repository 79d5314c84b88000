import { PSEUDO_ELEMENTS } from './PseudoElement.js';

/** Something is painted before or after what the element holds. */
export function hasPseudo(element: Element): boolean {
  return PSEUDO_ELEMENTS.some((pseudo) => {
    const { content } = getComputedStyle(element, pseudo);
    return content !== 'none' && content !== 'normal';
  });
}

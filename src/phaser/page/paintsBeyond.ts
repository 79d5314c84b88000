import { hasListPicture } from './hasListPicture.js';
import { hasPseudo } from './hasPseudo.js';

/** Whether what an element paints, without its content, may reach beyond its box: looked at for all elements of the page. */
export function paintsBeyond(element: Element, style: CSSStyleDeclaration): boolean {
  return (
    style.boxShadow !== 'none' ||
    style.outlineStyle !== 'none' ||
    (style.borderImageSource || 'none') !== 'none' ||
    hasListPicture(style) ||
    (element.tagName === 'svg' && style.overflowX === 'visible') ||
    hasPseudo(element)
  );
}

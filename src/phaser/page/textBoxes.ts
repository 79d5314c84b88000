import type { Box } from './Box.js';

/** Boxes of the text lines directly inside an element that paints no background of its own. */
export function textBoxes(element: Element): Box[] {
  const boxes: Box[] = [];
  for (const node of element.childNodes) {
    if (node.nodeType !== 3 || (node.textContent ?? '').trim() === '') continue;
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) boxes.push(rect);
  }
  return boxes;
}

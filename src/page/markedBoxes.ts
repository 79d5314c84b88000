import type { Box } from './Box.js';

/** Boxes that the player has selected or a script has highlighted: browsers lay a colour over them, even over pictures. */
export function* markedBoxes(document: Document): Generator<Box> {
  const selection = document.getSelection();
  const isMarked = selection !== null && !selection.isCollapsed;
  for (let i = 0; isMarked && i < selection.rangeCount; i++) yield* selection.getRangeAt(i).getClientRects();
  const { highlights } = CSS as { highlights?: Map<string, Iterable<AbstractRange>> };
  for (const highlight of highlights?.values() ?? []) {
    for (const range of highlight) yield* (range instanceof Range ? range : wholeOf(range)).getClientRects();
  }
}

/** All of the nodes in which a range begins and ends: of one that does not follow the page, only they are sure to be there. */
function wholeOf({ startContainer, endContainer }: AbstractRange): Range {
  const whole = startContainer.ownerDocument!.createRange();
  whole.selectNodeContents(endContainer);
  whole.setStart(startContainer, 0);
  return whole;
}

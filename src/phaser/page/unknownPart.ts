import type { Box } from './Box.js';
import { colorAlpha } from './colorAlpha.js';
import { hasListPicture } from './hasListPicture.js';
import type { Place } from './placeOf.js';

/** Where an element paints something of which no style tells how far it goes: lines between columns, pictures in lists. */
export function unknownPart(style: CSSStyleDeclaration, place: Place, box: Box): Box | null {
  if (hasListPicture(style)) {
    if (style.listStylePosition === 'inside') return box;
    const { left, top, right, bottom } = place.toOwn(box);
    return place.toWindow(
      style.direction === 'rtl'
        ? { left: right, top, right: right + LIST_MARGIN_PX, bottom }
        : { left: left - LIST_MARGIN_PX, top, right: left, bottom },
    );
  }
  const { columnRuleStyle, columnRuleWidth, columnRuleColor, columnCount, columnWidth, display } = style;
  if (columnRuleStyle === 'none' || columnRuleStyle === 'hidden' || parseFloat(columnRuleWidth) === 0) return null;
  // Newer browsers draw them between the columns of grids and rows of boxes, too.
  const hasColumns = columnCount !== 'auto' || columnWidth !== 'auto' || /flex|grid/.test(display);
  return hasColumns && colorAlpha(columnRuleColor) > 0 ? box : null;
}

/** Lists leave so much room at their start for what is beside their points. */
const LIST_MARGIN_PX = 40;

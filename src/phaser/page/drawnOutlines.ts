import { pointsOf, shapeOf } from './RoundBox.js';
import { pathOutlines } from './pathOutlines.js';
import type { Outline } from './Outline.js';

/** A straight piece is off its curve by no more, in window pixels: it is short of a circle's area by less than anyone sees. */
const TOLERANCE_PX = 0.1;

/**
 * The lines along which a part of a drawing is painted, in its own lengths. Null where nobody can tell.
 * @param scale Window pixels per length of its own.
 */
export function drawnOutlines(part: Element, style: CSSStyleDeclaration, scale: number): Outline[] | null {
  switch (part.tagName) {
    case 'line': {
      const { x1, y1, x2, y2 } = part as SVGLineElement;
      return [{ points: [x1, y1, x2, y2].map(({ baseVal }) => baseVal.value), isClosed: false }];
    }
    case 'polyline':
    case 'polygon': {
      const points = [...(part as SVGPolygonElement).points].flatMap(({ x, y }) => [x, y]);
      return points.length < 2 ? [] : [{ points, isClosed: part.tagName === 'polygon' }];
    }
    case 'path': {
      const [, data = part.getAttribute('d') ?? ''] = /^path\("(.*)"\)$/.exec(style.getPropertyValue('d')) ?? [];
      return pathOutlines(data, TOLERANCE_PX / scale);
    }
    case 'rect':
    case 'circle':
    case 'ellipse': {
      const { x, y, width, height } = (part as SVGGraphicsElement).getBBox();
      const radius = (name: 'rx' | 'ry'): number => {
        const text = style.getPropertyValue(name);
        // Percentages are of the drawing.
        return text.endsWith('%') ? (part as SVGRectElement)[name].baseVal.value : parseFloat(text);
      };
      const isRect = part.tagName === 'rect';
      const rx = isRect ? radius('rx') : width / 2;
      const ry = isRect ? radius('ry') : height / 2;
      // Either is as the other where it is left open.
      const across = scale * Math.min(Number.isNaN(rx) ? ry || 0 : rx, width / 2);
      const down = scale * Math.min(Number.isNaN(ry) ? rx || 0 : ry, height / 2);
      const box = { left: scale * x, top: scale * y, right: scale * (x + width), bottom: scale * (y + height) };
      const corner = [across, down] as const;
      const points = pointsOf(shapeOf({ box, radii: [corner, corner, corner, corner] }));
      // Dashes begin at the left of the upper side of rectangles, and on the right of all that is round.
      const start = isRect ? [box.left + across, box.top] : [box.right, (box.top + box.bottom) / 2];
      const first = nearestTo(points, start[0]!, start[1]!);
      const turned = [...points.slice(first), ...points.slice(0, first)];
      return [{ points: turned.map((value) => value / scale), isClosed: true }];
    }
    default:
      return null;
  }
}

/** Where the nearest of the points begins in them. */
function nearestTo(points: readonly number[], x: number, y: number): number {
  let nearest = 0;
  let least = Infinity;
  for (let i = 0; i < points.length; i += 2) {
    const far = Math.hypot(points[i]! - x, points[i + 1]! - y);
    if (far < least) [nearest, least] = [i, far];
  }
  return nearest;
}

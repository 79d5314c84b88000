import { escapes } from './clipOf.js';
import { cornerRadii, CORNERS } from './cornerRadii.js';
import { painterOf } from './flatTree.js';
import { placeOf } from './placeOf.js';

/** Straight pieces that stand for a quarter of an ellipse. */
const PIECES = 8;

/**
 * What rounded corners cut off the canvas, its own and those of boxes around it that hide their overflow: triangles in
 * window pixels, x and y alternating.
 */
export function roundCuts(canvas: HTMLCanvasElement): number[][] {
  const triangles: number[][] = [];
  let position = '';
  for (let e: Element | null = canvas; e !== null; e = painterOf(e)) {
    const style = getComputedStyle(e);
    const isCanvas = e === canvas;
    if (escapes(position, style)) continue;
    position = style.position;
    if (!isCanvas && style.overflowX === 'visible') continue;
    const place = placeOf(e);
    if (!place.isUpright) continue;
    const border = place.toOwn(e.getBoundingClientRect());
    const radii = cornerRadii(style, border.right - border.left, border.bottom - border.top);
    if (radii === null) continue;
    const rim = (side: string): number =>
      length(style, `border-${side}-width`) + (isCanvas ? length(style, `padding-${side}`) : 0);
    CORNERS.forEach(([, sideX, sideY], corner) => {
      const across = radii[corner]![0] - rim(sideX);
      const down = radii[corner]![1] - rim(sideY);
      if (!(across > 0) || !(down > 0)) return;
      const x = sideX === 'left' ? border.left + rim('left') : border.right - rim('right');
      const y = sideY === 'top' ? border.top + rim('top') : border.bottom - rim('bottom');
      const inX = sideX === 'left' ? across : -across;
      const inY = sideY === 'top' ? down : -down;
      const points = Array.from({ length: PIECES + 1 }, (_, i) => {
        const angle = (i / PIECES) * (Math.PI / 2);
        return [x + inX * (1 - Math.cos(angle)), y + inY * (1 - Math.sin(angle))] as const;
      });
      for (let i = 0; i < PIECES; i++) {
        triangles.push(
          [[x, y] as const, points[i]!, points[i + 1]!].flatMap(([px, py]) => {
            const { left, top } = place.toWindow({ left: px, top: py, right: px, bottom: py });
            return [left, top];
          }),
        );
      }
    });
  }
  return triangles;
}

function length(style: CSSStyleDeclaration, name: string): number {
  return parseFloat(style.getPropertyValue(name)) || 0;
}

import { escapes } from './clipOf.js';
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
    if (CORNERS.every(([name]) => style.getPropertyValue(name).startsWith('0px'))) continue;
    if (!isCanvas && style.overflowX === 'visible') continue;
    const place = placeOf(e);
    if (!place.isUpright) continue;
    const border = place.toOwn(e.getBoundingClientRect());
    const width = border.right - border.left;
    const height = border.bottom - border.top;
    const radii = CORNERS.map(([name]) => radiiOf(style.getPropertyValue(name), width, height));
    const fit = fitOf(radii, width, height);
    const rim = (side: string): number =>
      length(style, `border-${side}-width`) + (isCanvas ? length(style, `padding-${side}`) : 0);
    CORNERS.forEach(([, sideX, sideY], corner) => {
      const across = radii[corner]![0] * fit - rim(sideX);
      const down = radii[corner]![1] * fit - rim(sideY);
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

const CORNERS = [
  ['border-top-left-radius', 'left', 'top'],
  ['border-top-right-radius', 'right', 'top'],
  ['border-bottom-right-radius', 'right', 'bottom'],
  ['border-bottom-left-radius', 'left', 'bottom'],
] as const;

function radiiOf(value: string, width: number, height: number): [number, number] {
  const [across = '0', down = across] = value.split(' ');
  const px = (one: string, whole: number): number => parseFloat(one) * (one.endsWith('%') ? whole / 100 : 1) || 0;
  return [px(across, width), px(down, height)];
}

/** Radii that are too large together all shrink by the same share. */
function fitOf(radii: readonly [number, number][], width: number, height: number): number {
  const [a, b, c, d] = radii as [[number, number], [number, number], [number, number], [number, number]];
  return Math.min(1, width / (a[0] + b[0]), width / (c[0] + d[0]), height / (a[1] + d[1]), height / (b[1] + c[1]));
}

function length(style: CSSStyleDeclaration, name: string): number {
  return parseFloat(style.getPropertyValue(name)) || 0;
}

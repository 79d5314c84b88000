import { type Box, boxAround, eachPoint } from './Box.js';
import { clipOf } from './clipOf.js';
import { colorAlpha } from './colorAlpha.js';
import { painterOf } from './flatTree.js';
import type { Paint } from './Paint.js';
import { type Place, placeOf } from './placeOf.js';

/** Whether a style shows all that an element paints, its content included, once more elsewhere. */
export function hasEchoes(style: CSSStyleDeclaration): boolean {
  return style.filter.includes('drop-shadow(') || (style.getPropertyValue(REFLECTION) || 'none') !== 'none';
}
const REFLECTION = '-webkit-box-reflect';

/**
 * Where shadows and reflections show again what an element paints: its own and those of what it is in, up to what holds the
 * canvas, too, since what that casts lies below the canvas. Their boxes are cut already.
 */
export function echoesOf(element: Element, paint: Paint, holdsCanvas: (e: Element) => boolean): Paint[] {
  const echoes: Paint[] = [];
  for (let e: Element | null = element; e !== null && !holdsCanvas(e); e = painterOf(e)) {
    const style = getComputedStyle(e);
    if (!hasEchoes(style)) continue;
    const copies = copiesOf(style, placeOf(e), e.getBoundingClientRect());
    const sources = [{ ...paint, box: clipOf(element, paint.box, e) }, ...echoes];
    for (const copy of copies) {
      // Each shadow is one of the shadows before it, too.
      for (const source of [...sources]) {
        const opacity = source.opacity * copy.opacity;
        const { left, top, right, bottom } = source.box;
        if (opacity <= 0 || right <= left || bottom <= top) continue;
        const corners = source.corners && copy.move(source.corners);
        const moved = boxAround(copy.move([left, top, right, bottom]));
        const echo: Paint = {
          ...source,
          box: clipOf(e, moved),
          ...(corners && { corners }),
          opacity,
          isCertain: source.isCertain && copy.isCertain,
          hitBox: paint.hitBox ?? paint.box,
        };
        sources.push(echo);
        echoes.push(echo);
      }
    }
  }
  return echoes;
}

interface Copy {
  readonly opacity: number;
  readonly isCertain: boolean;
  /** Of points in the window, x and y alternating. */
  move(points: readonly number[]): number[];
}

function copiesOf(style: CSSStyleDeclaration, place: Place, outer: Box): Copy[] {
  const copies: Copy[] = [];
  const reflection = style.getPropertyValue(REFLECTION);
  const [, side = '', distance = ''] = /^(above|below|left|right) (-?[\d.]+(?:px|%))/.exec(reflection) ?? [];
  if (side !== '') {
    const { left, top, right, bottom } = place.toOwn(outer);
    const isDown = side === 'above' || side === 'below';
    const whole = distance.endsWith('%') ? (isDown ? bottom - top : right - left) / 100 : 1;
    const gap = parseFloat(distance) * whole;
    const twice = { above: 2 * top - gap, below: 2 * bottom + gap, left: 2 * left - gap, right: 2 * right + gap }[
      side
    ]!;
    copies.push({
      opacity: 1,
      // What comes after the distance fades it.
      isCertain: place.isUpright && !reflection.includes('('),
      move: (points) =>
        eachPoint(points, (x, y) => {
          const own = place.toOwn({ left: x, top: y, right: x, bottom: y });
          const there = isDown ? { x: own.left, y: twice - own.top } : { x: twice - own.left, y: own.top };
          const { left, top } = place.toWindow({ left: there.x, top: there.y, right: there.x, bottom: there.y });
          return [left, top];
        }),
    });
  }
  for (const [, shadow = ''] of style.filter.matchAll(DROP_SHADOWS)) {
    const [x = 0, y = 0] = shadow.match(/-?[\d.]+px/g)?.map(parseFloat) ?? [];
    const [dx, dy] = place.vectorToWindow(x, y);
    const color = /[a-z]+\([^)]*\)/.exec(shadow)?.[0] ?? '';
    copies.push({
      opacity: colorAlpha(color),
      isCertain: true,
      move: (points) => eachPoint(points, (px, py) => [px + dx, py + dy]),
    });
  }
  return copies;
}

const DROP_SHADOWS = /drop-shadow\(((?:[^()]|\([^()]*\))*)\)/g;

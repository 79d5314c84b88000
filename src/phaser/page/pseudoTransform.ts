import type { Box } from './Box.js';

/** Its zoom and transforms do more than move it. */
export function isReshaped(own: CSSStyleDeclaration): boolean {
  const { transform, rotate, scale } = own;
  const isMoved = transform === 'none' || transform.startsWith('matrix(1, 0, 0, 1, ');
  const isZoomed = (Number(own.getPropertyValue('zoom')) || 1) !== 1;
  return !isMoved || isZoomed || [rotate, scale].some((value) => (value || 'none') !== 'none');
}

/** The box around what a pseudo-element's own transforms make of its box. */
export function transformed(box: Box, own: CSSStyleDeclaration): Box {
  const { transform, transformOrigin } = own;
  const hasOwn = [transform, own.translate, own.rotate, own.scale].some((value) => (value || 'none') !== 'none');
  if (!hasOwn) return box;
  const matrix = new DOMMatrix(transform === 'none' ? '' : transform);
  matrix.preMultiplySelf(separateTransforms(own, box));
  const [x = 0, y = 0] = transformOrigin.split(' ').map(parseFloat);
  const fixed = { x: box.left + x, y: box.top + y };
  const xs: number[] = [];
  const ys: number[] = [];
  for (const cornerX of [box.left, box.right]) {
    for (const cornerY of [box.top, box.bottom]) {
      const point = matrix.transformPoint({ x: cornerX - fixed.x, y: cornerY - fixed.y });
      xs.push(fixed.x + point.x / point.w);
      ys.push(fixed.y + point.y / point.w);
    }
  }
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** What the properties `translate`, `rotate` and `scale` do, in this order before `transform`. */
function separateTransforms({ translate, rotate, scale }: CSSStyleDeclaration, box: Box): DOMMatrix {
  const matrix = new DOMMatrix();
  if ((translate || 'none') !== 'none') {
    const wholes = [box.right - box.left, box.bottom - box.top];
    const [x = 0, y = 0] = translate.split(' ').map((one, i) => parseFloat(one) * (one.endsWith('%') ? (wholes[i] ?? 0) / 100 : 1)); // prettier-ignore
    matrix.translateSelf(x, y);
  }
  const angle = (rotate || 'none') === 'none' ? null : /(-?[\d.e+-]+)deg$/.exec(rotate);
  if (angle !== null) {
    const [x = 0, y = 0, z = 1] = AXES[rotate[0]!] ?? rotate.slice(0, -angle[0].length).trim().split(' ').filter(Boolean).map(Number); // prettier-ignore
    matrix.rotateAxisAngleSelf(x, y, z, Number(angle[1]));
  }
  if ((scale || 'none') !== 'none') {
    const [x = 1, y = x] = scale.split(' ').map(Number);
    matrix.scaleSelf(x, y);
  }
  return matrix;
}
const AXES: Readonly<Record<string, readonly number[]>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

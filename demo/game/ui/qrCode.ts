import { encode } from 'uqr';

const SVG = 'http://www.w3.org/2000/svg';
/** Readers need this much light around the code (ISO 18004), in modules. */
const QUIET_MODULES = 4;

/**
 * A text as a QR code: dark on light, whatever is around it.
 *
 * @param label for those who hear the page
 */
export function qrCode(text: string, label: string): SVGSVGElement {
  const { size, data } = encode(text, { border: QUIET_MODULES });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const image = document.createElementNS(SVG, 'svg');
  image.setAttribute('class', 'qr');
  image.setAttribute('viewBox', `0 0 ${size} ${size}`);
  image.setAttribute('shape-rendering', 'crispEdges');
  image.setAttribute('role', 'img');
  image.setAttribute('aria-label', label);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', dark.join(''));
  image.append(path);
  return image;
}

import { type Box, grown, overlap } from './Box.js';
import type { Cover } from './Cover.js';
import { elementsAt, opacityChain, shadowOf } from './flatTree.js';
import { hasPseudo } from './hasPseudo.js';
import { OVERLAY_ATTRIBUTE } from './overlayAttribute.js';

/**
 * A closed shadow root may be what fills it: an element of a kind of its own, or one that widgets append to the page, with
 * no other root, and nothing in it that shows. Other elements are not suspected: probing takes long, and nearly every page
 * has an empty `div` somewhere.
 */
export function mayKeepSecrets(element: Element): boolean {
  if (shadowOf(element) !== null || element.firstElementChild !== null) return false;
  const { body } = element.ownerDocument;
  const isWidget = element.parentElement === body && ROOTABLE.has(element.tagName);
  return (isWidget || element.tagName.includes('-')) && (element.textContent ?? '').trim() === '';
}

/** Parts of an area, across and down, each looked at in its middle. */
const PROBES_ACROSS = 12;
const PROBES_DOWN = 9;
/** How many looks at an area {@link secretIn} takes. */
export const PROBES = PROBES_ACROSS * PROBES_DOWN;

/** Boxes that touch may overlap by rounding. */
const NEAR_PX = 1;

/** Elements that `attachShadow` takes and widgets are made of. */
const ROOTABLE = new Set(['DIV', 'SPAN', 'SECTION', 'ASIDE']);

/**
 * What closed shadow roots paint over a part of an area: nobody can look into them, but a hit tells of their host. Where
 * that is hit beyond its box there is something in it; own elements are there to show something within theirs, too.
 */
export function secretIn(
  { left, top, right, bottom }: Box,
  probe: number,
  canvas: Element,
  hosts: ReadonlySet<Element>,
): Cover | null {
  const width = (right - left) / PROBES_ACROSS;
  const height = (bottom - top) / PROBES_DOWN;
  const x = left + (probe % PROBES_ACROSS) * width;
  const y = top + Math.floor(probe / PROBES_ACROSS) * height;
  const stack = elementsAt(canvas.ownerDocument, x + width / 2, y + height / 2);
  const above = stack.slice(0, Math.max(0, stack.indexOf(canvas)));
  const point = { left: x + width / 2, top: y + height / 2, right: x + width / 2, bottom: y + height / 2 };
  const element = above.find((one) => hosts.has(one) && isSecret(one, point, canvas));
  if (element === undefined) return null;
  return { element, box: { left: x, top: y, right: x + width, bottom: y + height }, opacity: 1, isCertain: false };
}

function isSecret(host: Element, point: Box, canvas: Element): boolean {
  if (host.closest(`[${OVERLAY_ATTRIBUTE}]`) !== null || hasPseudo(host) || opacityChain(host, canvas) <= 0)
    return false;
  return (
    host.tagName.includes('-') || overlap(grown(host.getBoundingClientRect(), NEAR_PX), grown(point, NEAR_PX)) === null
  );
}

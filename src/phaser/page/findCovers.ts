import { type Box, grown, overlap } from './Box.js';
import { clipOf } from './clipOf.js';
import { mayKeepSecrets, PROBES, secretIn } from './closedRoots.js';
import type { Cover } from './Cover.js';
import { echoesOf, hasEchoes } from './echoes.js';
import { elementsIn, holds, isInTopLayer, isMixed, lookAroundIn, opacityChain, painterOf } from './flatTree.js';
import { HittablePage } from './HittablePage.js';
import { type Candidate, type KnownLayers, layerOf, liesAbove } from './liesAbove.js';
import { OVERLAY_ATTRIBUTE } from './overlayAttribute.js';
import type { Paint } from './Paint.js';
import { paintsBeyond } from './paintsBeyond.js';
import { paintsOf } from './paintsOf.js';
import { cutsOn, shapedPaints } from './shapedPaints.js';

/** Boxes without area lie on the canvas, too, and may have pseudo-elements. */
const NEAR_PX = 1;

/** Elements that never paint. */
const SILENT = new Set([
  'SCRIPT',
  'STYLE',
  'LINK',
  'META',
  'TITLE',
  'HEAD',
  'TEMPLATE',
  'NOSCRIPT',
  'BR',
  'SOURCE',
  'TRACK',
  'PARAM',
  'OPTION',
]);

/**
 * What elements of the canvas's document paint over one of the areas. Pauses, with the page as it was found, each time it
 * is told to.
 */
export function* findCovers(
  canvas: Element,
  areas: readonly Box[],
  shouldPause: () => boolean,
): Generator<void, Cover[]> {
  const { body, documentElement: root } = canvas.ownerDocument;
  const candidates: Candidate[] = [];
  if (areas.length === 0) return candidates;
  lookAroundIn(canvas);
  const mayLieAbove = ancestorsAbove(canvas);
  const secretive = new Set<Element>();
  /** What is shown again elsewhere by itself, or by what it is in. */
  const echoed = new Set<Element>();
  const holdsCanvas = (element: Element): boolean => holds(element, canvas);
  // All of them, however many: what is left out would be taken for what covers nothing. Some are appended beside the body.
  for (const element of [root, ...elementsIn(root)]) {
    if (shouldPause()) yield;
    if (element === canvas || SILENT.has(element.tagName)) continue;
    if (mayKeepSecrets(element)) secretive.add(element);
    // A drawing is read as one.
    if ('ownerSVGElement' in element && element.ownerSVGElement !== null) continue;
    const near = grown(element.getBoundingClientRect(), NEAR_PX);
    const hasBackdrop = isInTopLayer(element);
    const isPage = element === root || element === body;
    const style = getComputedStyle(element);
    // What has no box of its own may have pseudo-elements.
    if (!element.checkVisibility() && style.display !== 'contents') continue;
    const painter = painterOf(element);
    const isEchoed = hasEchoes(style) || (painter !== null && echoed.has(painter));
    if (isEchoed) echoed.add(element);
    const mayCome = hasBackdrop || isPage || isEchoed || areas.some((area) => overlap(area, near) !== null);
    if (!mayCome && !paintsBeyond(element, style)) continue;
    if (element.closest(`[${OVERLAY_ATTRIBUTE}]`) !== null) continue;
    if (style.visibility !== 'visible' || style.display === 'none') continue;
    // Of what the canvas is in, it lies above all else; the page's own background is that of the window.
    const isBelow = isPage || (holds(element, canvas) && !mayLieAbove.has(element));
    const paints = paintsOf(element, style, hasBackdrop).filter(({ pseudo }) => pseudo !== undefined || !isBelow);
    if (paints.length === 0) continue;
    const opacity = opacityChain(element, canvas);
    if (opacity <= 0 && !hasBackdrop) continue;
    const layer = layerOf(element, style, canvas);
    const isUnknown = isMixed(element, canvas);
    for (const backdrop of paints) if (backdrop.isBackdrop) candidates.push({ ...backdrop, element, layer });
    if (opacity <= 0) continue;
    const content = hasBackdrop ? paints.filter(({ isBackdrop }) => isBackdrop !== true) : paints;
    const echoes = isEchoed ? content.flatMap((paint) => echoesOf(element, paint, holdsCanvas)) : [];
    const isNearby = ({ box }: Paint): boolean => areas.some((area) => overlap(area, box) !== null);
    const close = content.filter(isNearby);
    // One that falls into many shapes is cut in the same way everywhere.
    const clip = close.length > 0 ? clipOf(element, EVERYWHERE) : EVERYWHERE;
    const own = close.map((one) => ({ ...one, box: commonBox(one.box, clip) })).filter(isNearby);
    const cuts = own.length > 0 ? cutsOn(element) : [];
    for (const paint of [...own.flatMap((one) => shapedPaints(one, cuts)), ...echoes].filter(isNearby)) {
      const isCertain = paint.isCertain && !isUnknown;
      candidates.push({ ...paint, element, isCertain, opacity: paint.opacity * opacity, layer });
    }
  }
  const covers: Cover[] = [];
  const hittable = new HittablePage(canvas.ownerDocument);
  try {
    const known: KnownLayers = new Map();
    for (const candidate of candidates) {
      if (shouldPause()) {
        hittable.end();
        yield;
      }
      hittable.begin();
      if (liesAbove(candidate, canvas, areas, known)) covers.push(candidate);
    }
    if (secretive.size === 0) return covers;
    for (const area of areas) {
      for (let probe = 0; probe < PROBES; probe++) {
        if (shouldPause()) {
          hittable.end();
          yield;
        }
        hittable.begin();
        const secret = secretIn(area, probe, canvas, secretive);
        if (secret !== null) covers.push(secret);
      }
    }
    return covers;
  } finally {
    hittable.end();
  }
}

const EVERYWHERE: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

/** It may be turned inside out. */
function commonBox(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

/** Ancestors that a negative z-index may have put over the canvas. */
function ancestorsAbove(canvas: Element): ReadonlySet<Element> {
  const found = new Set<Element>();
  let isSunk = false;
  for (let e: Element | null = canvas; e !== null; e = painterOf(e)) {
    if (isSunk) found.add(e);
    isSunk ||= parseInt(getComputedStyle(e).zIndex) < 0;
  }
  return found;
}

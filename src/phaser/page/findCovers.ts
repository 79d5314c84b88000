import { type Box, grown, overlap } from './Box.js';
import { clipOf } from './clipOf.js';
import { cutToBox } from './cutToBox.js';
import { echoesOf, hasEchoes } from './echoes.js';
import { elementsAt, elementsIn, holds, isInTopLayer, isMixed, lookAroundIn, opacityChain, painterOf, parentOf, shadowOf } from './flatTree.js'; // prettier-ignore
import { isPaintedAfter } from './paintOrder.js';
import { type Paint, paintsBeyond, paintsOf, PSEUDO_ELEMENTS } from './paintsOf.js';
import { shapedPaints } from './shapedPaints.js';

/** Attribute that marks HTML made by this package for developers, such as a debug overlay: it never counts as a cover. */
export const OVERLAY_ATTRIBUTE = 'data-phaser-inview-overlay';

/** More elements than this are not looked at: a game page has dozens. */
const MAX_ELEMENTS = 4000;

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

/** Something that is painted over the canvas. */
export interface Cover extends Paint {
  readonly element: Element;
}

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
  for (const element of [root, body, ...elementsIn(body, MAX_ELEMENTS)]) {
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
    if (opacity <= 0) continue;
    const layer = layerOf(element, style, canvas);
    const isUnknown = isMixed(element, canvas);
    const echoes = isEchoed ? paints.flatMap((paint) => echoesOf(element, paint, holdsCanvas)) : [];
    const isNearby = ({ box }: Paint): boolean => areas.some((area) => overlap(area, box) !== null);
    const own = paints.map((one) => ({ ...one, box: clipOf(element, one.box) })).filter(isNearby);
    for (const paint of [...own.flatMap((one) => shapedPaints(element, one)), ...echoes].filter(isNearby)) {
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
      for (let probe = 0; probe < PROBES_ACROSS * PROBES_DOWN; probe++) {
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

interface Candidate extends Cover {
  /** Of its siblings, those with the same one are painted in one go: all of them before the canvas, or all after it. */
  readonly layer: string;
}

function layerOf(element: Element, style: CSSStyleDeclaration, canvas: Element): string {
  const { position, zIndex, order, float, display, opacity, transform, filter, isolation, mixBlendMode, willChange } =
    style;
  const parent = parentOf(element);
  const isBeside = parent !== null && holds(parent, canvas);
  const side = isBeside ? element.compareDocumentPosition(canvas) & Node.DOCUMENT_POSITION_FOLLOWING : '';
  const hasEffect = transform !== 'none' || filter !== 'none' || isInTopLayer(element);
  return [side, position, zIndex, order, float, display, opacity === '1', hasEffect, isolation, mixBlendMode, willChange].join(); // prettier-ignore
}

/** Of layers already hit-tested, by what their siblings are in: whether they lie above the canvas. */
type KnownLayers = Map<Element | null, Map<string, boolean>>;

/** Hit tests take long: there is one for each layer of siblings. */
function liesAbove(candidate: Candidate, canvas: Element, areas: readonly Box[], known: KnownLayers): boolean {
  const { element, layer, pseudo } = candidate;
  if (pseudo !== undefined) return isAbove(candidate, canvas, areas) === true;
  const parent = parentOf(element);
  const layers = known.get(parent) ?? new Map<string, boolean>();
  known.set(parent, layers);
  const isKnownAbove = layers.get(layer) ?? isAbove(candidate, canvas, areas);
  if (isKnownAbove !== null) layers.set(layer, isKnownAbove);
  return isKnownAbove === true;
}

/** Hit-tests a few points: the order of painting is the browser's business. Null where none of them hits the element. */
function isAbove(
  { element, box, corners, hitBox, pseudo }: Cover,
  canvas: Element,
  areas: readonly Box[],
): boolean | null {
  // A hit does not tell an element from its pseudo-elements.
  if (pseudo === undefined && holds(element, canvas) && hasPseudo(element)) return null;
  if (isUnhittable(element, pseudo) || isUnhittable(canvas)) return isPaintedAfter(element, canvas, pseudo);
  if (hitBox !== undefined) {
    const place = overlap(windowOf(canvas), hitBox);
    const points = place === null ? [] : hitPointsIn(place);
    // Beside the canvas no hit tells.
    return isAboveIn(points, element, canvas, null) ?? isPaintedAfter(element, canvas, pseudo);
  }
  for (const area of areas) {
    const place = overlap(area, box);
    const isHitAbove = place === null ? null : isAboveIn(hitPointsIn(place, corners), element, canvas, true);
    if (isHitAbove !== null) return isHitAbove;
  }
  return null;
}

/** It is never hit: as inert, or by a rule that no sheet of the document lifts, such as one in a shadow root. */
function isUnhittable(element: Element, pseudo?: string): boolean {
  return isInert(element) || getComputedStyle(element, pseudo).pointerEvents === 'none';
}

/** It is made so, or lies outside of the modal dialog that is open. */
function isInert(element: Element): boolean {
  let isOutside = element.ownerDocument.querySelector('dialog:modal') !== null;
  for (let e: Element | null = element; e !== null; e = parentOf(e)) {
    if ((e as HTMLElement).inert) return true;
    if (isOutside && e.matches('dialog:modal')) isOutside = false;
  }
  return isOutside;
}

/** @param alone What to say of a hit on the element where the canvas is not hit; null: to try on. */
function isAboveIn(points: readonly number[], element: Element, canvas: Element, alone: true | null): boolean | null {
  const hit = TABLE_PART.test(getComputedStyle(element).display) ? (element.closest('table') ?? element) : element;
  for (let i = 0; i < points.length; i += 2) {
    const stack = elementsAt(canvas.ownerDocument, points[i]!, points[i + 1]!);
    const at = stack.indexOf(hit);
    if (at < 0) continue;
    const below = stack.indexOf(canvas);
    if (below >= 0) return at < below;
    if (alone !== null) return !holds(element, canvas);
  }
  return null;
}

/** Only cells and whole tables are hit. */
const TABLE_PART = /^table-(?:row|column|header|footer)/;

/** The middle of a box, or of what of a turned rectangle lies in it, and the middles between that and its corners. */
function hitPointsIn(box: Box, corners?: readonly number[]): number[] {
  const { left, top, right, bottom } = box;
  const shape = corners === undefined ? [left, top, right, top, left, bottom, right, bottom] : cutToBox(corners, box);
  const count = shape.length / 2;
  if (count < 3) return [];
  let x = 0;
  let y = 0;
  for (let i = 0; i < shape.length; i += 2) {
    x += shape[i]! / count;
    y += shape[i + 1]! / count;
  }
  return [x, y, ...shape.map((value, i) => (value + (i % 2 === 0 ? x : y)) / 2)];
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

/**
 * A closed shadow root may be what fills it: an element of a kind of its own, or one that widgets append to the page, with
 * no other root, and nothing in it that shows. Other elements are not suspected: probing takes long, and nearly every page
 * has an empty `div` somewhere.
 */
function mayKeepSecrets(element: Element): boolean {
  if (shadowOf(element) !== null || element.firstElementChild !== null) return false;
  const { body } = element.ownerDocument;
  const isWidget = element.parentElement === body && ROOTABLE.has(element.tagName);
  return (isWidget || element.tagName.includes('-')) && (element.textContent ?? '').trim() === '';
}

/** Elements that `attachShadow` takes and widgets are made of. */
const ROOTABLE = new Set(['DIV', 'SPAN', 'SECTION', 'ASIDE']);

/**
 * What closed shadow roots paint over a part of an area: nobody can look into them, but a hit tells of their host. Where
 * that is hit beyond its box there is something in it; own elements are there to show something within theirs, too.
 */
function secretIn(
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
const PROBES_ACROSS = 12;
const PROBES_DOWN = 9;

function isSecret(host: Element, point: Box, canvas: Element): boolean {
  if (host.closest(`[${OVERLAY_ATTRIBUTE}]`) !== null || hasPseudo(host) || opacityChain(host, canvas) <= 0)
    return false;
  return (
    host.tagName.includes('-') || overlap(grown(host.getBoundingClientRect(), NEAR_PX), grown(point, NEAR_PX)) === null
  );
}

function hasPseudo(element: Element): boolean {
  return PSEUDO_ELEMENTS.some((pseudo) => {
    const { content } = getComputedStyle(element, pseudo);
    return content !== 'none' && content !== 'normal';
  });
}

function windowOf({ ownerDocument: { documentElement } }: Element): Box {
  return { left: 0, top: 0, right: documentElement.clientWidth, bottom: documentElement.clientHeight };
}

/** `elementsFromPoint` leaves out `pointer-events: none`; a constructed style sheet lifts that for a moment. */
class HittablePage {
  private sheet: CSSStyleSheet | null = null;

  constructor(private readonly document: Document) {}

  /** Harmless when it has begun. */
  begin(): void {
    if (this.sheet !== null) return;
    const window = this.document.defaultView as unknown as { CSSStyleSheet: typeof CSSStyleSheet };
    try {
      const sheet = new window.CSSStyleSheet();
      sheet.replaceSync('*, ::before, ::after { pointer-events: auto !important; }');
      this.document.adoptedStyleSheets = [...this.document.adoptedStyleSheets, sheet];
      this.sheet = sheet;
    } catch {
      // An old browser: what lets the pointer through is not found.
    }
  }

  end(): void {
    const { document, sheet } = this;
    if (sheet === null) return;
    this.sheet = null;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  }
}

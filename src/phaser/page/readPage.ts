import type * as Phaser from 'phaser';

import { openPage, type PageCover, type PageView } from './PageView.js';

/** Attribute that marks HTML made by this package for developers, such as a debug overlay: it never counts as a cover. */
export const OVERLAY_ATTRIBUTE = 'data-phaser-inview-overlay';

/** More elements than this are not looked at: a game page has dozens. */
const MAX_ELEMENTS = 4000;

/** Elements that paint a picture of their own, whatever their background. */
const REPLACED = new Set([
  'IMG',
  'VIDEO',
  'CANVAS',
  'IFRAME',
  'EMBED',
  'OBJECT',
  'INPUT',
  'TEXTAREA',
  'SELECT',
  'PROGRESS',
  'METER',
  'svg',
]);

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

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Reads what the page shows of the game's canvas, now. Forces a layout: meant for calls on demand and for a slow
 * timer, never for every frame.
 *
 * Not seen: covers with rounded or cut-out shapes count with their whole rectangle, and another origin's page around an
 * iframe is only visible to IntersectionObserver, see `PageWatcher`.
 *
 * @param areas Where covers matter, in canvas pixels: minX, minY, maxX, maxY per area. Empty: the whole canvas.
 */
export function readPage(game: Phaser.Game, areas: readonly number[] = []): PageView {
  const { width, height } = game.scale.baseSize;
  const canvas = game.canvas;
  const document = canvas.ownerDocument;
  const window = document.defaultView;
  const isTabHidden = document.visibilityState === 'hidden';
  if (window === null || !hasLayout(canvas)) return { ...openPage(width, height), hidden: isTabHidden };
  const hidden =
    isTabHidden ||
    !canvas.isConnected ||
    !canvas.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) ||
    opacityChain(canvas, null) < 0.5;
  const focused = document.hasFocus();
  const box = contentBox(canvas);
  const scaleX = width / (box.right - box.left);
  const scaleY = height / (box.bottom - box.top);
  if (hidden || !Number.isFinite(scaleX) || !Number.isFinite(scaleY)) {
    return { ...openPage(width, height), hidden: true, focused };
  }
  const seen = intersectWithClippers(canvas, box, window);
  const view = {
    hidden: seen.right <= seen.left || seen.bottom <= seen.top,
    focused,
    minX: clamp((seen.left - box.left) * scaleX, 0, width),
    minY: clamp((seen.top - box.top) * scaleY, 0, height),
    maxX: clamp((seen.right - box.left) * scaleX, 0, width),
    maxY: clamp((seen.bottom - box.top) * scaleY, 0, height),
    covers: [] as PageCover[],
    unsure: false,
    cssAreaRatio: 1 / (scaleX * scaleY),
    cssAspectRatio: scaleY / scaleX,
  };
  if (view.hidden) return view;
  const where: Box[] = [];
  for (let i = 0; i + 3 < areas.length; i += 4) {
    const area = {
      left: Math.max(seen.left, box.left + areas[i]! / scaleX),
      top: Math.max(seen.top, box.top + areas[i + 1]! / scaleY),
      right: Math.min(seen.right, box.left + areas[i + 2]! / scaleX),
      bottom: Math.min(seen.bottom, box.top + areas[i + 3]! / scaleY),
    };
    if (area.right > area.left && area.bottom > area.top) where.push(area);
  }
  if (areas.length === 0) where.push(seen);
  for (const cover of findCovers(canvas, where)) {
    view.covers.push({
      minX: (cover.box.left - box.left) * scaleX,
      minY: (cover.box.top - box.top) * scaleY,
      maxX: (cover.box.right - box.left) * scaleX,
      maxY: (cover.box.bottom - box.top) * scaleY,
      opacity: cover.opacity,
      owner: domElementOf(game, cover.element),
    });
  }
  return view;
}

/** False in environments that compute no boxes, such as jsdom: there nothing can be known of the page. */
export function hasLayout(canvas: HTMLCanvasElement): boolean {
  return typeof canvas.checkVisibility === 'function';
}

/** The rectangle the canvas picture fills, without border and padding. */
function contentBox(canvas: HTMLCanvasElement): Box {
  const rect = canvas.getBoundingClientRect();
  const scale = canvas.offsetWidth > 0 ? rect.width / canvas.offsetWidth : 1;
  const style = getComputedStyle(canvas);
  const pad = (edge: string): number => (parseFloat(style.getPropertyValue(edge)) || 0) * scale;
  return {
    left: rect.left + pad('border-left-width') + pad('padding-left'),
    top: rect.top + pad('border-top-width') + pad('padding-top'),
    right: rect.right - pad('border-right-width') - pad('padding-right'),
    bottom: rect.bottom - pad('border-bottom-width') - pad('padding-bottom'),
  };
}

function intersectWithClippers(element: Element, box: Box, window: Window): Box {
  const root = element.ownerDocument.documentElement;
  const result = {
    left: Math.max(box.left, 0),
    top: Math.max(box.top, 0),
    right: Math.min(box.right, root.clientWidth || window.innerWidth),
    bottom: Math.min(box.bottom, root.clientHeight || window.innerHeight),
  };
  let position = getComputedStyle(element).position;
  for (let parent = element.parentElement; parent !== null && position !== 'fixed'; parent = parent.parentElement) {
    const style = getComputedStyle(parent);
    // An absolutely positioned box is clipped only by ancestors that are positioned themselves.
    const contains = position !== 'absolute' || style.position !== 'static' || style.transform !== 'none';
    const isRoot = parent === root || parent === element.ownerDocument.body;
    if (contains && !isRoot && (style.overflowX !== 'visible' || style.overflowY !== 'visible')) {
      const rect = parent.getBoundingClientRect();
      const inner = { left: rect.left + parent.clientLeft, top: rect.top + parent.clientTop };
      if (style.overflowX !== 'visible') {
        result.left = Math.max(result.left, inner.left);
        result.right = Math.min(result.right, inner.left + parent.clientWidth);
      }
      if (style.overflowY !== 'visible') {
        result.top = Math.max(result.top, inner.top);
        result.bottom = Math.min(result.bottom, inner.top + parent.clientHeight);
      }
    }
    if (contains) position = style.position;
  }
  return result;
}

interface Found {
  element: Element;
  box: Box;
  opacity: number;
}

/** Elements of the same document that paint over one of the areas. */
function findCovers(canvas: HTMLCanvasElement, areas: readonly Box[]): Found[] {
  const document = canvas.ownerDocument;
  const found: Found[] = [];
  if (areas.length === 0) return found;
  const elements = document.body.getElementsByTagName('*');
  const candidates: Found[] = [];
  for (let i = 0; i < elements.length && i < MAX_ELEMENTS; i++) {
    const element = elements[i]!;
    if (element === canvas || SILENT.has(element.tagName) || element.contains(canvas)) continue;
    if (element.closest(`[${OVERLAY_ATTRIBUTE}]`) !== null) continue;
    const box = element.getBoundingClientRect();
    if (!areas.some((area) => overlap(area, box) !== null)) continue;
    const style = getComputedStyle(element);
    if (style.visibility !== 'visible' || style.display === 'none') continue;
    const opacity = opacityChain(element, canvas);
    if (opacity <= 0) continue;
    const own = paintAlpha(element, style);
    if (own > 0) candidates.push({ element, box, opacity: own * opacity });
    else for (const line of textBoxes(element)) candidates.push({ element, box: line, opacity });
  }
  if (candidates.length === 0) return found;
  const restore = makeEverythingHittable(document);
  try {
    for (const candidate of candidates) {
      const above = areas.some((area) => {
        const common = overlap(area, candidate.box);
        return common !== null && isAbove(candidate.element, canvas, common);
      });
      if (above) found.push(candidate);
    }
  } finally {
    restore();
  }
  return found;
}

/** Hit-tests a few points of the common box: document order of painting is the browser's business. */
function isAbove(element: Element, canvas: HTMLCanvasElement, box: Box): boolean {
  const document = canvas.ownerDocument;
  for (const [fx, fy] of HIT_POINTS) {
    const stack = document.elementsFromPoint(
      box.left + (box.right - box.left) * fx,
      box.top + (box.bottom - box.top) * fy,
    );
    const at = stack.indexOf(element);
    if (at < 0) continue;
    const below = stack.indexOf(canvas);
    return below < 0 || at < below;
  }
  return false;
}
const HIT_POINTS = [
  [0.5, 0.5],
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const;

/** `elementsFromPoint` leaves out `pointer-events: none`; a constructed style sheet lifts that for a moment. */
function makeEverythingHittable(document: Document): () => void {
  const window = document.defaultView;
  try {
    const sheet = new (window as unknown as { CSSStyleSheet: typeof CSSStyleSheet }).CSSStyleSheet();
    sheet.replaceSync('* { pointer-events: auto !important; }');
    const before = document.adoptedStyleSheets;
    document.adoptedStyleSheets = [...before, sheet];
    return () => {
      document.adoptedStyleSheets = before;
    };
  } catch {
    return () => undefined;
  }
}

function paintAlpha(element: Element, style: CSSStyleDeclaration): number {
  if (REPLACED.has(element.tagName)) return 1;
  if (style.backgroundImage !== 'none') return 1;
  return colorAlpha(style.backgroundColor);
}

function colorAlpha(color: string): number {
  if (color === 'transparent') return 0;
  const match = /rgba?\([^)]*[,/]\s*([\d.]+%?)\s*\)$/.exec(color);
  if (match === null || !/rgba|\//.test(color)) return 1;
  const value = match[1]!;
  return value.endsWith('%') ? parseFloat(value) / 100 : parseFloat(value);
}

/** Boxes of the text lines directly inside an element that paints no background of its own. */
function textBoxes(element: Element): Box[] {
  const boxes: Box[] = [];
  for (const node of element.childNodes) {
    if (node.nodeType !== 3 || (node.textContent ?? '').trim() === '') continue;
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) boxes.push(rect);
  }
  return boxes;
}

/** Product of the opacities from the element up to the ancestor it shares with the canvas, or up to the root. */
function opacityChain(element: Element, canvas: Element | null): number {
  let opacity = 1;
  for (let e: Element | null = element; e !== null && (canvas === null || !e.contains(canvas)); e = e.parentElement) {
    opacity *= Number(getComputedStyle(e).opacity);
  }
  return opacity;
}

function overlap(a: Box, b: Box): Box | null {
  const left = Math.max(a.left, b.left);
  const top = Math.max(a.top, b.top);
  const right = Math.min(a.right, b.right);
  const bottom = Math.min(a.bottom, b.bottom);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}

function domElementOf(game: Phaser.Game, element: Element): Phaser.GameObjects.GameObject | null {
  for (const scene of game.scene.scenes) {
    for (const object of scene.sys.displayList?.list ?? []) {
      if (object.type !== 'DOMElement') continue;
      const node = (object as unknown as { node: Element | null }).node;
      if (node !== null && node.contains(element)) return object;
    }
  }
  return null;
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

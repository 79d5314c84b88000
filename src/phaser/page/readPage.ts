import type * as Phaser from 'phaser';

import { type Box, overlap } from './Box.js';
import { clipOf } from './clipOf.js';
import { findCovers } from './findCovers.js';
import { opacityChain, parentOf } from './flatTree.js';
import { scaleOf } from './scaleOf.js';
import { openPage, type PageCover, type PageView } from './PageView.js';

/**
 * Reads what the page shows of the game's canvas, now. Forces a layout: meant for calls on demand and for a slow
 * timer, never for every frame.
 *
 * Not seen: covers with rounded or cut-out shapes count with their whole rectangle, what closed shadow roots hold does not
 * count, and another origin's page around an iframe is only visible to IntersectionObserver, see `PageWatcher`.
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
  const seen = clipOf(canvas, box);
  const view = {
    hidden: seen.right <= seen.left || seen.bottom <= seen.top,
    focused,
    minX: clamp((seen.left - box.left) * scaleX, 0, width),
    minY: clamp((seen.top - box.top) * scaleY, 0, height),
    maxX: clamp((seen.right - box.left) * scaleX, 0, width),
    maxY: clamp((seen.bottom - box.top) * scaleY, 0, height),
    covers: [] as PageCover[],
    unsure: isDistorted(canvas),
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
  for (const { element, box: painted, opacity, isCertain } of findCovers(canvas, where)) {
    const common = overlap(painted, seen);
    if (common === null) continue;
    view.covers.push({
      minX: (common.left - box.left) * scaleX,
      minY: (common.top - box.top) * scaleY,
      maxX: (common.right - box.left) * scaleX,
      maxY: (common.bottom - box.top) * scaleY,
      opacity,
      isCertain,
      owner: domElementOf(game, element),
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
  const scale = scaleOf(canvas, rect);
  const style = getComputedStyle(canvas);
  const pad = (edge: string): number => (parseFloat(style.getPropertyValue(edge)) || 0) * scale;
  return {
    left: rect.left + pad('border-left-width') + pad('padding-left'),
    top: rect.top + pad('border-top-width') + pad('padding-top'),
    right: rect.right - pad('border-right-width') - pad('padding-right'),
    bottom: rect.bottom - pad('border-bottom-width') - pad('padding-bottom'),
  };
}

/** The page shows the canvas blurred, recoloured, cut out, turned or mixed with what lies below. */
function isDistorted(canvas: HTMLCanvasElement): boolean {
  for (let e: Element | null = canvas; e !== null; e = parentOf(e)) {
    const { filter, clipPath, maskImage, mixBlendMode, transform } = getComputedStyle(e);
    if (clipPath !== 'none' || (maskImage || 'none') !== 'none' || mixBlendMode !== 'normal') return true;
    const effects = filter.replace(DROP_SHADOWS, '').trim();
    if (effects !== 'none' && effects !== '') return true;
    if (transform === 'none') continue;
    const { is2D, b, c } = new DOMMatrix(transform);
    if (!is2D || Math.abs(b) > SKEW || Math.abs(c) > SKEW) return true;
  }
  return false;
}

/** They leave the canvas itself as it is. */
const DROP_SHADOWS = /drop-shadow\((?:[^()]|\([^)]*\))*\)/g;

/** Less than this is rounding. */
const SKEW = 1e-6;

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

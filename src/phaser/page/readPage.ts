import type * as Phaser from 'phaser';

import { type Box, boxAround, overlap } from './Box.js';
import { clipOf } from './clipOf.js';
import { cutToBox } from './cutToBox.js';
import { findCovers } from './findCovers.js';
import { painterOf } from './flatTree.js';
import { isShown } from './isShown.js';
import { openPage, type PageCover, type PageView } from './PageView.js';
import { pictureBox } from './pictureBox.js';
import { type Place, placeOf } from './placeOf.js';
import { roundCuts } from './roundCuts.js';
import { coversOfFrames, throughFrames } from './throughFrames.js';

/**
 * Reads what the page shows of the game's canvas, now. Forces a layout and, on a crowded page, takes many milliseconds:
 * meant for calls on demand, never for every frame.
 *
 * Not seen: what closed shadow roots hold is only noticed (see `findCovers`), and another origin's page around an iframe is
 * only visible to IntersectionObserver, see `PageWatcher`.
 *
 * @param areas Where covers matter, in canvas pixels: minX, minY, maxX, maxY per area. Empty: the whole canvas.
 * @param frame What the pages around this one leave of the canvas, in fractions of its border box. Null: all of it.
 */
export function readPage(game: Phaser.Game, areas: readonly number[] = [], frame: Box | null = null): PageView {
  return finished(readPageInParts(game, areas, frame, NEVER));
}

const NEVER = (): boolean => false;

function finished<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * As {@link readPage}, in parts between which the page goes on, unaltered. When the canvas has been moved meanwhile, all
 * is read again in one go.
 * @param shouldPause Asked often; true when this part has lasted long enough.
 */
export function* readPageInParts(
  game: Phaser.Game,
  areas: readonly number[],
  frame: Box | null,
  shouldPause: () => boolean,
): Generator<void, PageView> {
  const { width, height } = game.scale.baseSize;
  const canvas = game.canvas;
  const document = canvas.ownerDocument;
  const window = document.defaultView;
  const isTabHidden = document.visibilityState === 'hidden';
  if (window === null || !hasLayout(canvas))
    return { ...openPage(width, height), hidden: isTabHidden || !canvas.isConnected };
  const hidden = isTabHidden || !isShown(canvas);
  const focused = document.hasFocus();
  const place = placeOf(canvas);
  const content = contentBox(canvas, place);
  const picture = pictureBox(getComputedStyle(canvas), canvas, content);
  const box = place.toWindow(picture);
  const across = (place.isSwapped ? box.bottom - box.top : box.right - box.left) / width;
  const down = (place.isSwapped ? box.right - box.left : box.bottom - box.top) / height;
  if (hidden || !(across > 0) || !(down > 0)) return { ...openPage(width, height), hidden: true, focused };
  const scaleX = width / (picture.right - picture.left);
  const scaleY = height / (picture.bottom - picture.top);
  const toCanvas = (inWindow: Box): Pick<PageView, 'minX' | 'minY' | 'maxX' | 'maxY'> => {
    const { left, top, right, bottom } = place.toOwn(inWindow);
    return {
      minX: clamp((left - picture.left) * scaleX, 0, width),
      minY: clamp((top - picture.top) * scaleY, 0, height),
      maxX: clamp((right - picture.left) * scaleX, 0, width),
      maxY: clamp((bottom - picture.top) * scaleY, 0, height),
    };
  };
  // What `object-fit` puts beyond the canvas's own box is cut off.
  let seen = clipOf(canvas, overlap(box, place.toWindow(content)) ?? NOTHING);
  // Read now: observers of frames tell of it later, and nothing of their opacity.
  const framed = throughFrames(window, seen);
  seen = (framed && overlap(seen, framed)) ?? NOTHING;
  if (frame !== null) seen = overlap(seen, within(canvas.getBoundingClientRect(), frame)) ?? NOTHING;
  const view = {
    hidden: seen.right <= seen.left || seen.bottom <= seen.top,
    focused,
    ...toCanvas(seen),
    covers: [] as PageCover[],
    unsure: !place.isUpright || isDistorted(canvas),
    cssAreaRatio: across * down,
    cssAspectRatio: across / down,
  };
  if (view.hidden) return view;
  const where: Box[] = [];
  for (let i = 0; i + 3 < areas.length; i += 4) {
    const area = overlap(
      seen,
      place.toWindow({
        left: picture.left + areas[i]! / scaleX,
        top: picture.top + areas[i + 1]! / scaleY,
        right: picture.left + areas[i + 2]! / scaleX,
        bottom: picture.top + areas[i + 3]! / scaleY,
      }),
    );
    if (area !== null) where.push(area);
  }
  if (areas.length === 0) where.push(seen);
  const before = canvas.getBoundingClientRect();
  let hasPaused = false;
  const pausesNow = (): boolean => {
    const pauses = shouldPause();
    hasPaused ||= pauses;
    return pauses;
  };
  const covers = yield* findCovers(canvas, where, pausesNow);
  covers.push(...(yield* coversOfFrames(window, where, pausesNow)));
  if (hasPaused && !isSame(before, canvas.getBoundingClientRect())) return readPage(game, areas, frame);
  const shapeOnCanvas = (points: readonly number[]): Pick<PageCover, 'minX' | 'minY' | 'maxX' | 'maxY' | 'shape'> => {
    const shape = new Float64Array(points.length);
    for (let i = 0; i < shape.length; i += 2) {
      const [x, y] = [points[i]!, points[i + 1]!];
      const { left, top } = place.toOwn({ left: x, top: y, right: x, bottom: y });
      shape[i] = (left - picture.left) * scaleX;
      shape[i + 1] = (top - picture.top) * scaleY;
    }
    const { left: minX, top: minY, right: maxX, bottom: maxY } = boxAround(shape);
    return { minX, minY, maxX, maxY, shape };
  };
  for (const { element, box: painted, corners, opacity, isCertain } of covers) {
    const common = overlap(painted, seen);
    if (common === null) continue;
    const points = corners && cutToBox(corners, common);
    if (points && points.length < 6) continue;
    const where = points ? shapeOnCanvas(points) : { ...toCanvas(common), shape: null };
    view.covers.push({ ...where, opacity, isCertain, owner: domElementOf(game, element) });
  }
  for (const triangle of roundCuts(canvas)) {
    const where = shapeOnCanvas(triangle);
    const isSeen = where.maxX > view.minX && where.minX < view.maxX && where.maxY > view.minY && where.minY < view.maxY;
    if (isSeen) view.covers.push({ ...where, opacity: 1, isCertain: true, owner: null });
  }
  return view;
}

function isSame(a: DOMRect, b: DOMRect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

const NOTHING: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** A part of a box, in fractions of it. */
function within({ left, top, width, height }: DOMRect, part: Box): Box {
  return {
    left: left + part.left * width,
    top: top + part.top * height,
    right: left + part.right * width,
    bottom: top + part.bottom * height,
  };
}

/** False in environments that compute no boxes, such as jsdom: there nothing can be known of the page. */
export function hasLayout(canvas: HTMLCanvasElement): boolean {
  return typeof canvas.checkVisibility === 'function';
}

/** The canvas's box without border and padding, in its own CSS pixels. */
export function contentBox(canvas: HTMLCanvasElement, place: Place): Box {
  const style = getComputedStyle(canvas);
  const pad = (edge: string): number => parseFloat(style.getPropertyValue(edge)) || 0;
  const border = place.toOwn(canvas.getBoundingClientRect());
  return {
    left: border.left + pad('border-left-width') + pad('padding-left'),
    top: border.top + pad('border-top-width') + pad('padding-top'),
    right: border.right - pad('border-right-width') - pad('padding-right'),
    bottom: border.bottom - pad('border-bottom-width') - pad('padding-bottom'),
  };
}

/** The page shows the canvas blurred, recoloured, cut out or mixed with what lies below. */
function isDistorted(canvas: HTMLCanvasElement): boolean {
  for (let e: Element | null = canvas; e !== null; e = painterOf(e)) {
    const { filter, clipPath, maskImage, mixBlendMode } = getComputedStyle(e);
    if (
      !(clipPath === 'none' || STRAIGHT_CUT.test(clipPath)) ||
      (maskImage || 'none') !== 'none' ||
      mixBlendMode !== 'normal'
    )
      return true;
    const effects = filter.replace(DROP_SHADOWS, '').trim();
    if (effects !== 'none' && effects !== '') return true;
  }
  return false;
}

/** A cut that leaves a rectangle, which `clipOf` knows. */
const STRAIGHT_CUT = /^inset\((?:-?[\d.]+(?:px|%)\s?)+\)$/;

/** They leave the canvas itself as it is. */
const DROP_SHADOWS = /drop-shadow\((?:[^()]|\([^)]*\))*\)/g;

function domElementOf(game: Phaser.Game, element: Element): Phaser.GameObjects.GameObject | null {
  for (const scene of game.scene.scenes) {
    const object = domElementIn(scene.sys.displayList?.list ?? [], element);
    if (object !== null) return object;
  }
  return null;
}

/** As {@link domElementOf}, in a list and the containers and layers in it. */
function domElementIn(
  list: readonly Phaser.GameObjects.GameObject[],
  element: Element,
): Phaser.GameObjects.GameObject | null {
  for (const object of list) {
    const { type, node, list: children } = object as unknown as ListedObject;
    if (type === 'DOMElement' && node?.contains(element)) return object;
    const inside = children instanceof Array ? domElementIn(children, element) : null;
    if (inside !== null) return inside;
  }
  return null;
}

interface ListedObject {
  readonly type: string;
  /** Of a DOMElement. */
  readonly node?: Element | null;
  /** Of a Container or Layer. */
  readonly list?: readonly Phaser.GameObjects.GameObject[];
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

import type * as Phaser from 'phaser';

import { type Box, boxAround, common, cornersOf, isEmpty } from './Box.js';
import { pictureBox } from './boxPaints.js';
import { has, sidesOf } from './css.js';
import type { Cover } from './PaintSearch.js';
import { lookAt } from './lookAt.js';
import { openPage, type PageCover, type PageView } from './PageView.js';
import { type Place, placeOf } from './placeOf.js';
import { cut, hasOddCorners, inside, isBox, outlineOf, type RoundBox, roundBox, type Shape } from './shapes.js';

/**
 * Reads what the page shows of the game's canvas, now. Forces a layout and, on a crowded page, takes many milliseconds:
 * meant for calls on demand, never for every frame.
 *
 * Does not see a page of another origin around an iframe: only an IntersectionObserver tells of that, see `PageWatcher`.
 *
 * @param frame What the pages around this one leave of the canvas, in fractions of its border box. Null: all of it.
 */
export function readPage(game: Phaser.Game, frame: Box | null = null): PageView {
  const reading = readPageInParts(game, frame, () => false);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

/**
 * As {@link readPage}, in parts; between them the page goes on, unaltered. When the canvas has moved meanwhile, everything is
 * read again in one go.
 * @param shouldPause Asked often; true when this part has lasted long enough.
 */
export function* readPageInParts(
  game: Phaser.Game,
  frame: Box | null,
  shouldPause: () => boolean,
): Generator<void, PageView> {
  const { width, height } = game.scale.baseSize;
  const { canvas } = game;
  const { visibilityState, defaultView: window } = canvas.ownerDocument;
  const isTabHidden = visibilityState === 'hidden';
  if (window === null || !hasLayout(canvas)) {
    return { ...openPage(width, height), hidden: isTabHidden || !canvas.isConnected };
  }
  const focused = canvas.ownerDocument.hasFocus();
  const place = placeOf(canvas);
  const { content, picture } = pictureOf(canvas, place);
  const onPage = place.toWindow(picture);
  const across = (place.isSwapped ? onPage.bottom - onPage.top : onPage.right - onPage.left) / width;
  const down = (place.isSwapped ? onPage.right - onPage.left : onPage.bottom - onPage.top) / height;
  if (isTabHidden || !(across > 0) || !(down > 0)) return { ...openPage(width, height), hidden: true, focused };
  // What `object-fit` puts beyond the canvas's own box is cut off.
  let area = common(onPage, place.toWindow(content.box));
  if (frame !== null) area = common(area, part(canvas.getBoundingClientRect(), frame));
  const before = JSON.stringify(canvas.getBoundingClientRect());
  const style = getComputedStyle(canvas);
  const look = yield* lookAt(canvas, area, place.pointsToWindow(outlineOf(content)), shouldPause);
  if (JSON.stringify(canvas.getBoundingClientRect()) !== before) return readPage(game, frame);
  const toCanvas = (shape: Shape): number[] => {
    const own = place.pointsToOwn(shape);
    return own.map((value, i) =>
      i % 2 === 0
        ? ((value - picture.left) / (picture.right - picture.left)) * width
        : ((value - picture.top) / (picture.bottom - picture.top)) * height,
    );
  };
  const {
    left: minX,
    top: minY,
    right: maxX,
    bottom: maxY,
  } = common(boxAround(toCanvas(cornersOf(look.seen))), { left: 0, top: 0, right: width, bottom: height });
  const isHidden = isEmpty(look.seen) || !(maxX > minX && maxY > minY);
  const covers = isHidden
    ? []
    : look.covers.flatMap((cover) =>
        pageCover(game, cover, toCanvas, { left: minX, top: minY, right: maxX, bottom: maxY }),
      );
  return {
    hidden: isHidden,
    focused,
    ...(isHidden ? { minX: 0, minY: 0, maxX: 0, maxY: 0 } : { minX, minY, maxX, maxY }),
    // What is hidden for sure is hidden whatever else lies there.
    covers: covers.sort((a, b) => Number(a.isCertain) - Number(b.isCertain)),
    unsure:
      !place.isUpright || !look.isKnown || hasOddCorners(style) || has(style, 'object-view-box') || isOddSize(game),
    cssAreaRatio: across * down,
    cssAspectRatio: across / down,
  };
}

/** The canvas's box without border and padding, and where in it the picture lies, both in its own CSS pixels. */
export function pictureOf(canvas: HTMLCanvasElement, place: Place): { content: RoundBox; picture: Box } {
  const style = getComputedStyle(canvas);
  const content = inside(
    inside(roundBox(style, place.width, place.height), sidesOf(style, 'border-*-width')),
    sidesOf(style, 'padding-*'),
  );
  return { content, picture: pictureBox(style, canvas.width, canvas.height, content.box) };
}

/** True when canvas or renderer have other pixels than the scale manager knows of: where in them the game draws is unknown. */
function isOddSize({ canvas, renderer, scale: { baseSize } }: Phaser.Game): boolean {
  const { width, height } = baseSize;
  return [canvas, renderer ?? baseSize].some(
    (size) => Math.abs(size.width - width) >= 1 || Math.abs(size.height - height) >= 1,
  );
}

/** The part of a cover that lies on the visible part of the canvas, in canvas pixels. Empty if there is none. */
function pageCover(game: Phaser.Game, cover: Cover, toCanvas: (shape: Shape) => number[], seen: Box): PageCover[] {
  const { element, shape, opacity, isCertain } = cover;
  const there = toCanvas(shape);
  const part = cut(isCertain ? there : cornersOf(boxAround(there)), cornersOf(seen));
  if (part.length < 6) return [];
  const { left: minX, top: minY, right: maxX, bottom: maxY } = boxAround(part);
  const own = isBox(part) ? null : Float64Array.from(part);
  return [{ minX, minY, maxX, maxY, shape: own, opacity, isCertain, owner: domElementOf(game, element), element }];
}

/** A part of a box, in fractions of it. */
function part({ left, top, width, height }: DOMRect, of: Box): Box {
  return {
    left: left + of.left * width,
    top: top + of.top * height,
    right: left + of.right * width,
    bottom: top + of.bottom * height,
  };
}

/** False in environments that compute no boxes, such as jsdom: every browser can tell what a point hits. */
export function hasLayout({ ownerDocument }: HTMLCanvasElement): boolean {
  return typeof (ownerDocument as Partial<Document>).elementsFromPoint === 'function';
}

/** The Phaser DOMElement that an HTML element belongs to, also looked for in containers and layers. */
function domElementOf(game: Phaser.Game, element: Element): Phaser.GameObjects.GameObject | null {
  const within = (list: readonly Phaser.GameObjects.GameObject[]): Phaser.GameObjects.GameObject | null => {
    for (const object of list) {
      const { node, list: inner } = object as {
        node?: Element | null;
        list?: readonly Phaser.GameObjects.GameObject[];
      };
      if (object.type === 'DOMElement' && node?.contains(element) === true) return object;
      const found = Array.isArray(inner) ? within(inner) : null;
      if (found !== null) return found;
    }
    return null;
  };
  for (const { sys } of game.scene.scenes) {
    const found = within((sys.displayList as Phaser.GameObjects.DisplayList | null)?.list ?? []);
    if (found !== null) return found;
  }
  return null;
}

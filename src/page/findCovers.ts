import { type Box, common, cornersOf, isEmpty } from './Box.js';
import { elementsIn, isInTopLayer, lineOf, lookAroundIn, painterOf } from './flatTree.js';
import { HitTest, holdsPoint } from './HitTest.js';
import { markedBoxes } from './markedBoxes.js';
import { type Cover, PaintSearch } from './PaintSearch.js';
import { cut, ring, type Shape } from './shapes.js';

export interface Covers {
  readonly covers: readonly Cover[];
  /** False when something may lie above the canvas in an unknown place. */
  readonly isKnown: boolean;
}

/** The most points of the net across and down; the finer net is for a page that may hide something. */
const NET_POINTS = 10;
const FINE_NET_POINTS = 48;
/** The points are about this far apart at least, in CSS pixels. */
const NET_PX = 8;

/**
 * Finds what elements of the canvas's document paint over an area of the window; only what lies within all `clips` is seen.
 * Two searches complement each other. The box search reads what each element paints. Then the net asks the browser at many
 * points what lies above the canvas; where the box search cannot explain a hit, the place is unmeasurable. Pauses each time
 * `shouldPause` returns true, and leaves the page as it was meanwhile.
 */
export function* findCovers(
  canvas: Element,
  area: Box,
  clips: readonly Shape[],
  shouldPause: () => boolean,
): Generator<void, Covers> {
  lookAroundIn(canvas);
  const { documentElement: root } = canvas.ownerDocument;
  const hits = new HitTest(canvas);
  if (getComputedStyle(canvas).pointerEvents === 'none') hits.liftIn(canvas);
  const search = new PaintSearch(area, hits);
  for (const element of [root, ...elementsIn(root)]) {
    if (shouldPause()) yield;
    search.read(element);
  }
  const covers = [...markedBoxes(canvas.ownerDocument)]
    .filter((box) => !isEmpty(common(area, box)))
    .map((box): Cover => ({ element: root, shape: cornersOf(box), opacity: 1, isCertain: false }));
  function* goOn(): Generator<void> {
    if (shouldPause()) {
      hits.end();
      yield;
    }
    hits.begin();
  }
  try {
    // The net comes first: its hits tell for most elements whether they lie above the canvas.
    covers.push(...(yield* castNet(search, clips, goOn)));
    covers.push(...(yield* coversIn(search, goOn)));
  } finally {
    hits.end();
  }
  return { covers, isKnown: (hits.isCanvasHit || !search.isHiding) && !isInTransition(root) };
}

/** The places above the canvas where a point hits what the box search cannot explain. */
function* castNet(search: PaintSearch, clips: readonly Shape[], goOn: () => Generator<void>): Generator<void, Cover[]> {
  const { area, hits } = search;
  const most = search.isHiding ? FINE_NET_POINTS : NET_POINTS;
  const across = netPoints(area.right - area.left, most);
  const down = netPoints(area.bottom - area.top, most);
  const [width, height] = [(area.right - area.left) / across, (area.bottom - area.top) / down];
  const above: { x: number; y: number; stack: readonly Element[] }[] = [];
  for (let i = 0; i < across * down; i++) {
    yield* goOn();
    const x = area.left + ((i % across) + 0.5) * width;
    const y = area.top + (Math.floor(i / across) + 0.5) * height;
    if (hits.isFree(x, y) || !clips.every((shape) => holdsPoint(shape, x, y))) continue;
    above.push({ x, y, stack: hits.at(x, y) });
  }
  // Whether the canvas can be hit at all is known only now.
  return above.flatMap(({ x, y, stack }): Cover[] => {
    const end = stack.indexOf(hits.canvas);
    const unexplained =
      end < 0 && hits.isCanvasHit
        ? hits.canvas
        : stack.slice(0, end < 0 ? stack.length : end).find((element) => !search.explains(element, x, y));
    if (unexplained === undefined) return [];
    const cell = { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
    return [{ element: unexplained, shape: cornersOf(cell), opacity: 1, isCertain: false }];
  });
}

/** Those of the paints found that lie above the canvas, or may. */
function* coversIn({ found, area, hits }: PaintSearch, goOn: () => Generator<void>): Generator<void, Cover[]> {
  const isCanvasOut = isLiftedOut(hits.canvas);
  const above: Cover[] = [];
  for (const paint of withoutDoubles(found)) {
    yield* goOn();
    const { element, hitBox, shape } = paint;
    // Beside the canvas no hit tells.
    const where = cut(hitBox === undefined ? shape : cornersOf(hitBox), cornersOf(area));
    const isElementOut = isLiftedOut(element);
    // Everything in the top layer lies above everything else.
    if (isCanvasOut && !isElementOut) continue;
    const isAbove = (isElementOut && !isCanvasOut) || hits.isAbove(element, where, paint.isText);
    // If no hit tells, paint that is too faint to hide anything counts as lying above.
    if (isAbove ?? paint.opacity < 0.5) above.push(paint);
    else if (isAbove === null || paint.isOutline === true) above.push({ ...paint, isCertain: false });
  }
  return above;
}

/** Leaves out what lies over or under opaque paint of the same faint group: there the group is just as faint. */
function withoutDoubles(covers: readonly Cover[]): Cover[] {
  const [opaque, others] = [covers.filter(({ group }) => group), covers.filter(({ group }) => !group)];
  if (opaque.length === 0) return others;
  const parts: Cover[] = [];
  for (const cover of [...opaque, ...others]) {
    const line = lineOf(cover.element, painterOf);
    const over = cover.isBackdrop ? [] : parts.filter(({ group }) => group && line.has(group));
    const left = over.reduce((rest, { shape }) => rest.flatMap((one) => ring(one, shape)), [cover.shape]);
    parts.push(...left.map((shape) => ({ ...cover, shape })));
  }
  return parts;
}

function netPoints(length: number, most: number): number {
  return Math.max(1, Math.min(most, Math.ceil(length / NET_PX)));
}

/** Whether a view transition runs: the page then shows pictures of itself. */
function isInTransition(root: Element): boolean {
  const selector = ':active-view-transition';
  return CSS.supports(`selector(${selector})`) && root.matches(selector);
}

/** Whether an element is in the top layer, or inside an element that is. */
function isLiftedOut(element: Element): boolean {
  for (const e of lineOf(element, painterOf)) if (isInTopLayer(e)) return true;
  return false;
}

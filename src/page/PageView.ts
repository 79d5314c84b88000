import type * as Phaser from 'phaser';

/** Something of the page that lies over the canvas: a rectangle in canvas pixels, or a convex shape within it. */
export interface PageCover {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  /** The shape, x and y alternating; null for the whole rectangle. */
  readonly shape: Float64Array | null;
  /** 0–1. */
  readonly opacity: number;
  /** False where it is unknown what the player sees there: what lies below is `unmeasurable`. */
  readonly isCertain: boolean;
  /** The Phaser DOMElement it belongs to, or null for other HTML. */
  readonly owner: Phaser.GameObjects.GameObject | null;
  /** The element that paints it; the canvas itself where its own round corners cut the picture off. */
  readonly element: Element;
}

/** What the page lets the player see of the canvas. Lengths in canvas pixels. */
export interface PageView {
  /** The tab is hidden, or the canvas is not shown at all. */
  readonly hidden: boolean;
  /** The window has the focus. */
  readonly focused: boolean;
  /** The part of the canvas inside the browser window and every scrolling or clipping box around it. */
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  /** What lies over the canvas; what is certain comes last. */
  readonly covers: readonly PageCover[];
  /** Something may cover the canvas in an unknown place, or the page shows the canvas altered. */
  readonly unsure: boolean;
  /** CSS pixels² per canvas pixel². */
  readonly cssAreaRatio: number;
  /** CSS pixels per canvas pixel across, divided by the same down: not 1 when the page stretches the canvas. */
  readonly cssAspectRatio: number;
}

/** A page that hides nothing: for environments without layout, such as jsdom. */
export function openPage(width: number, height: number): PageView {
  return {
    hidden: false,
    focused: true,
    minX: 0,
    minY: 0,
    maxX: width,
    maxY: height,
    covers: [],
    unsure: false,
    cssAreaRatio: 1,
    cssAspectRatio: 1,
  };
}

/**
 * True when something of the page may lie over a rectangle of the canvas: minX, minY, maxX, maxY from index `at` of `box` on.
 * Numbers passed one by one would be boxed.
 */
export function isCovered(covers: readonly PageCover[], box: Float64Array, at: number): boolean {
  for (let i = 0; i < covers.length; i++) if (liesOver(covers[i]!, box, at)) return true;
  return false;
}

/** As {@link isCovered}, for one cover. */
export function liesOver({ minX, minY, maxX, maxY }: PageCover, box: Float64Array, at: number): boolean {
  return minX < box[at + 2]! && maxX > box[at]! && minY < box[at + 3]! && maxY > box[at + 1]!;
}

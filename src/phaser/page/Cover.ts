import type { Paint } from './Paint.js';

/** Something that is painted over the canvas. */
export interface Cover extends Paint {
  readonly element: Element;
}

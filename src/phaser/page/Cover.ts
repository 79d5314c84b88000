import type { Paint } from './paintsOf.js';

/** Something that is painted over the canvas. */
export interface Cover extends Paint {
  readonly element: Element;
}

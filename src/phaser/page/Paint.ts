import type { Box } from './Box.js';
import type { PseudoElement } from './PseudoElement.js';

/** One rectangle an element paints. */
export interface Paint {
  /** In the window; of any other shape the box around it. */
  readonly box: Box;
  /** The corners of a turned, skewed or rounded rectangle, or of a convex part of some shape, x and y alternating. */
  readonly corners?: readonly number[];
  /** 0–1, without the opacity of the element and of what it is in. */
  readonly opacity: number;
  /** False where it changes what lies below in a way that cannot be known. */
  readonly isCertain: boolean;
  /** Where the element can be hit, when that is not where it paints. */
  readonly hitBox?: Box;
  /** What of the element paints it, if not the element itself. */
  readonly pseudo?: PseudoElement;
  /** It lies below the element over all of the page: nothing that is done to the element changes it. */
  readonly isBackdrop?: true;
}

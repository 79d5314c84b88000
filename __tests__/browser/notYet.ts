import type { RendererName } from './oracle/Stage.js';

/** A trap the product does not pass yet; its test then fails as soon as it does. Empty is the goal. */
export interface NotYet {
  title: string;
  name: string;
  renderer?: RendererName;
  /** Why, in one line. */
  because: string;
}

export const notYet: readonly NotYet[] = [];

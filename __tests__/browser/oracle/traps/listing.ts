import type { RendererName } from '../Stage.js';
import { traps } from './index.js';
import type { Variant } from './Trap.js';

/** A variant as a test names it. */
export interface TrapListing {
  number: number;
  title: string;
  name: string;
  renderers: readonly RendererName[];
  mayBeUnmeasurable: boolean;
  isMeasured: boolean;
  namesUnjudged: boolean;
  share: Variant['share'];
  shareWithin: number;
}

/** Every variant of every trap, for tests that run outside of the page. */
export const trapListing: readonly TrapListing[] = traps.flatMap(({ number, title, variants }) =>
  variants.map((variant) => ({
    number,
    title,
    name: variant.name,
    renderers: variant.renderers ?? ['webgl', 'canvas'],
    namesUnjudged: variant.namesUnjudged ?? false,
    mayBeUnmeasurable: variant.mayBeUnmeasurable ?? false,
    isMeasured: variant.isMeasured ?? false,
    share: variant.share,
    shareWithin: variant.shareWithin ?? 1,
  })),
);

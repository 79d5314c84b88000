import type { PostPipeline } from '../record/phaser3/internals.js';

interface FilterList {
  readonly list: readonly { readonly active: boolean }[];
}

/** An object or camera. */
interface Filtered {
  /** Effects of Phaser 3, also a game's own. */
  readonly postPipelines?: readonly PostPipeline[] | null;
  readonly filters?: { readonly internal: FilterList; readonly external: FilterList } | null;
  /** Of an object and of a camera: it draws on a texture of its own even without filters. */
  readonly filtersForceComposite?: boolean;
  readonly forceComposite?: boolean;
}

/** Effects that leave each pixel in its place (`Phaser.FX`): vignette, shine, gradient, colour matrix, circle, wipe. */
const IN_PLACE: ReadonlySet<number> = new Set([7, 8, 12, 14, 15, 18]);

/**
 * True for an object or camera that is drawn on a texture of its own: what it paints may reach anywhere from there. A
 * game's own effects of Phaser 3 do not count, since a rehearsal does not draw them.
 */
export function paintsElsewhere(target: object): boolean {
  const { filters, filtersForceComposite, forceComposite, postPipelines } = target as Filtered;
  if (postPipelines?.some(movesPixels) === true) return true;
  if (filters === undefined || filters === null) return false;
  if (filtersForceComposite === true || forceComposite === true) return true;
  return filters.internal.list.some(isActive) || filters.external.list.some(isActive);
}

function movesPixels({ active, controller }: PostPipeline): boolean {
  return active && Boolean(controller) && !IN_PLACE.has(controller!.type);
}

function isActive({ active }: { readonly active: boolean }): boolean {
  return active;
}

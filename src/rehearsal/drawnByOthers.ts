import { isList } from '../record/objects/isList.js';
import type { DrawnObject } from '../record/phaser3/internals.js';

/** A filter: a mask has a source, some filters hold others. */
interface Filter {
  readonly maskGameObject?: object | null;
  readonly top?: FilterList;
  readonly bottom?: FilterList;
}

interface FilterList {
  readonly list: readonly Filter[];
}

/** An object or a camera. */
interface Drawn {
  readonly mask?: { readonly bitmapMask?: object | null; readonly geometryMask?: object | null } | null;
  readonly filters?: { readonly internal?: FilterList; readonly external?: FilterList } | null;
  readonly targetStencil?: object | null;
}

/**
 * Adds the objects that `target`, or anything in it, draws as masks or stencils: at another place, or although they are
 * in no list.
 */
export function addDrawnBy(target: object, to: Set<object>): void {
  const { mask, filters, targetStencil } = target as Drawn;
  if (mask) {
    add(mask.bitmapMask, to);
    add(mask.geometryMask, to);
  }
  if (filters) {
    addSources(filters.internal, to);
    addSources(filters.external, to);
  }
  add(targetStencil, to);
  if (isList(target as DrawnObject)) for (const child of (target as { list: object[] }).list) addDrawnBy(child, to);
}

function addSources(filters: FilterList | undefined, to: Set<object>): void {
  for (const { maskGameObject, top, bottom } of filters?.list ?? []) {
    add(maskGameObject, to);
    addSources(top, to);
    addSources(bottom, to);
  }
}

function add(source: object | null | undefined, to: Set<object>): void {
  if (!source || to.has(source)) return;
  to.add(source);
  addDrawnBy(source, to);
}

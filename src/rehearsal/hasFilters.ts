interface FilterList {
  readonly list: readonly { readonly active: boolean }[];
}

/** An object or camera of Phaser 4. */
interface Filtered {
  readonly filters?: { readonly internal: FilterList; readonly external: FilterList } | null;
  /** Of an object and of a camera: it draws on a texture of its own without filters, too. */
  readonly filtersForceComposite?: boolean;
  readonly forceComposite?: boolean;
}

/** True for what is drawn on a texture of its own, as objects and cameras of Phaser 4 may be: what they paint may reach anywhere. */
export function hasFilters(target: object): boolean {
  const { filters, filtersForceComposite, forceComposite } = target as Filtered;
  if (filters === undefined || filters === null) return false;
  if (filtersForceComposite === true || forceComposite === true) return true;
  return filters.internal.list.some(isActive) || filters.external.list.some(isActive);
}

function isActive({ active }: { readonly active: boolean }): boolean {
  return active;
}

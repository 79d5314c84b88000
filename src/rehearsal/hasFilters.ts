interface FilterList {
  readonly list: readonly { readonly active: boolean }[];
}

/** True for what is drawn through filters, as objects and cameras of Phaser 4 may be: what they paint may reach anywhere. */
export function hasFilters(target: object): boolean {
  const { filters } = target as {
    readonly filters?: { readonly internal: FilterList; readonly external: FilterList } | null;
  };
  if (filters === undefined || filters === null) return false;
  return filters.internal.list.some(isActive) || filters.external.list.some(isActive);
}

function isActive({ active }: { readonly active: boolean }): boolean {
  return active;
}

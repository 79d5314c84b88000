type Present<T> = { [K in keyof T]: Exclude<T[K], null | undefined> };

/** A copy without the fields that are absent or null. */
export function present<T extends object>(value: T): Present<T> {
  const entries = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(entries) as Present<T>;
}

/**
 * Some fields of an argument, each read once: a getter that throws, or answers differently each time, does no harm later.
 * @returns nothing of a value that cannot be read
 */
export function readFields<K extends string>(value: unknown, ...names: readonly K[]): Partial<Record<K, unknown>> {
  const fields: Partial<Record<K, unknown>> = {};
  try {
    for (const name of names) {
      const field = (value as Record<K, unknown>)[name];
      if (field !== undefined) fields[name] = field;
    }
    return fields;
  } catch {
    return {};
  }
}

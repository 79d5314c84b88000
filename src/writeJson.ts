/**
 * JSON text of plain data: `JSON.stringify`, whatever the page has done to the prototypes of builtins. Prototype.js 1.6 gives
 * arrays a `toJSON`, after which every list becomes a text within the text, and what we send is refused.
 *
 * An object's own `toJSON`, and that of its class, count as ever. A value that JSON cannot express is left out of objects, and
 * is `null` in lists and by itself.
 * @throws RangeError for an object that holds itself
 */
export function writeJson(value: unknown): string {
  return textOf(value, Object.keys) ?? 'null';
}

/**
 * {@link writeJson} with the keys of every object in order (RFC 8785 for the values events are made of): an event that was read
 * back from a database hashes to the same value as the one that was written.
 */
export function canonicalJson(value: unknown): string {
  return textOf(value, (object) => Object.keys(object).sort()) ?? 'null';
}

function textOf(value: unknown, keysOf: (object: object) => string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (const item of value as unknown[]) items.push(textOf(item, keysOf) ?? 'null');
    return `[${items.join(',')}]`;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'null' : `"${value.toISOString()}"`;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function' && toJSON !== (Object.prototype as { toJSON?: unknown }).toJSON) {
    return textOf((toJSON as (this: unknown, key: string) => unknown).call(value, ''), keysOf);
  }
  const fields: string[] = [];
  for (const key of keysOf(value)) {
    const text = textOf((value as Record<string, unknown>)[key], keysOf);
    if (text !== undefined) fields.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${fields.join(',')}}`;
}

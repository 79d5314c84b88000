/**
 * JSON text of plain data: `JSON.stringify`, whatever the page has done to the prototypes of builtins. Prototype.js 1.6 gives
 * arrays a `toJSON`, after which every list becomes a text within the text, and what we send is refused.
 *
 * An object's own `toJSON`, and that of its class, count as ever. A value that JSON cannot express is left out of objects, and
 * is `null` in lists and by itself.
 * @throws RangeError for an object that holds itself
 */
export function writeJson(value: unknown): string {
  return textOf(value) ?? 'null';
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (const item of value as unknown[]) items.push(textOf(item) ?? 'null');
    return `[${items.join(',')}]`;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'null' : `"${value.toISOString()}"`;
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function' && toJSON !== (Object.prototype as { toJSON?: unknown }).toJSON) {
    return textOf((toJSON as (this: unknown, key: string) => unknown).call(value, ''));
  }
  const fields: string[] = [];
  for (const key of Object.keys(value)) {
    const text = textOf((value as Record<string, unknown>)[key]);
    if (text !== undefined) fields.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${fields.join(',')}}`;
}

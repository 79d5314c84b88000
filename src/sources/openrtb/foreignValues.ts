/** What exchanges send, read as it occurs: numbers as texts, ids as numbers, one object in place of a list. */

export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that is present but no list counts as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return isAbsent(value) ? [] : [value];
}

/** Null and the empty text say as little as nothing at all. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** What Prebid Server adds to a bid; empty if the bid is not from Prebid Server. */
export function prebidOf(ext: unknown): Fields {
  const prebid = isObject(ext) ? ext['prebid'] : undefined;
  return isObject(prebid) ? prebid : {};
}

export function textOf(value: unknown): string | undefined {
  if (Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A text of at most 256 printable characters; undefined when nothing is left. */
export function idOf(value: unknown): string | undefined {
  const text = textOf(value)?.replace(/\p{Cc}/gu, ' ').trim(); // prettier-ignore
  return text === undefined || text === '' ? undefined : cut(text, 256);
}

export function numberOf(value: unknown): number | undefined {
  // There is one way only to divide a row of digits: of a million digits there would be too many to try.
  const isNumber =
    typeof value === 'number' ||
    (typeof value === 'string' && /^\s*-?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i.test(value));
  const number = isNumber ? Number(value) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** The beginning of a text, without half a character at its end. */
export function cut(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/\p{Surrogate}$/u, '');
}

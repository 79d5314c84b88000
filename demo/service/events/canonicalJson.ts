/**
 * A JSON value as the one text it has by RFC 8785 (JSON Canonicalization Scheme): members sorted by their names' UTF-16
 * code units, no blanks, numbers and strings as ECMAScript writes them. Equal values give equal texts, whatever order
 * their members came in.
 *
 * @param value made by `JSON.parse`; members that are undefined count as absent.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

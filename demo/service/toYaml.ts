/** A value JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** Text that YAML 1.1 and 1.2 both read as this text without quotes. */
const PLAIN = /^[A-Za-z/$][\w ,./(){}$-]*[\w.)}]$/;
/** Words of that shape that mean something else. */
const WORDS = /^(true|false|yes|no|on|off|null|y|n|nan|inf)$/i;

/** Writes a value as YAML, in blocks, keys in their order: the same value always gives the same text. */
export function toYaml(value: Json): string {
  return `${block(value, 0).trimStart()}\n`;
}

/** What stands behind a key or a dash: a scalar on the same line, or a line break and a block. */
function block(value: Json, depth: number): string {
  if (typeof value !== 'object' || value === null) return ` ${scalar(value)}`;
  const indent = `\n${'  '.repeat(depth)}`;
  if (isList(value)) {
    if (value.length === 0) return ' []';
    return value.map((item) => `${indent}-${nested(item, depth)}`).join('');
  }
  const entries = Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  if (entries.length === 0) return ' {}';
  return entries.map(([key, child]) => `${indent}${scalar(key)}:${block(child, depth + 1)}`).join('');
}

/** An item of a list begins on the line of its dash. */
function nested(item: Json, depth: number): string {
  const text = block(item, depth + 1);
  return text.startsWith('\n') ? ` ${text.trimStart()}` : text;
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (PLAIN.test(value) && !WORDS.test(value)) return value;
  // In single quotes nothing but they themselves means anything. A JSON string is a double-quoted scalar of YAML.
  return /['\\\p{Cc}]/u.test(value) ? JSON.stringify(value) : `'${value}'`;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

/** Random choices of one run. */
export interface Dice {
  /** 0 … count − 1. */
  below(count: number): number;
}

export function diceOf(random: () => number): Dice {
  return { below: (count) => Math.floor(random() * count) };
}

/** Values that have broken programs before, as JSON text where JavaScript could not hold them. */
const NASTY_TEXTS = [
  'null', 'true', 'false', '0', '-0', '-1', '1e999', '-1e999', '1e-999', '9007199254740993', '2147483648', '0.1', '""', '" "',
  '[]', '{}', '[[]]', '[null]', '{"":0}', '"__proto__"', '"constructor"', '"toString"', '"\\u0000"', '"\\ud800"', '"\\r\\nX-Evil: 1"',
  '"javascript:alert(1)"', '"data:text/html,x"', '"https://user:pw@evil.example/"', '"http://169.254.169.254/"', '"/relative"', '"NaN"',
  '{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', '{"length":4294967295}', '{"toString":1,"valueOf":1}',
  '{"then":1}', '{"toJSON":1}', `"${'x'.repeat(70_000)}"`, `${'['.repeat(40)}${']'.repeat(40)}`, `${'{"a":'.repeat(31)}1${'}'.repeat(31)}`,
]; // prettier-ignore

const NASTY_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'length',
  '',
  '\u0000',
  'x'.repeat(300),
];

const NASTY_BYTES = [
  '',
  ' ',
  '{',
  '[',
  '"',
  'null',
  'undefined',
  'NaN',
  '<!doctype html>',
  ")]}',\n{}",
  '\ufeff{}',
  '{}{}',
  '{"a":1,}',
  "{'a':1}",
  '\u0000',
  '//x\n{}',
];

/** A value whose JSON is written as the given text. */
class RawJson {
  constructor(readonly text: string) {}
}

/**
 * Text of a service's answer that follows the contract everywhere but in a few random places: values of other types and
 * sizes, fields gone, doubled, renamed, forbidden; and now and then text that is no JSON at all.
 */
export function mutateAnswer(answer: unknown, dice: Dice): string {
  if (dice.below(12) === 0) return damage(write(answer), dice);
  let mutated = answer;
  for (let count = 1 + dice.below(3); count > 0; count--) mutated = mutateSomewhere(mutated, dice);
  return write(mutated);
}

function mutateSomewhere(value: unknown, dice: Dice): unknown {
  if (value instanceof RawJson || typeof value !== 'object' || value === null || dice.below(6) === 0) {
    return mutateHere(value, dice);
  }
  if (Array.isArray(value)) {
    if (value.length === 0 || dice.below(3) === 0) return mutateHere(value, dice);
    const at = dice.below(value.length);
    return value.map((item, i) => (i === at ? mutateSomewhere(item, dice) : (item as unknown)));
  }
  const entries = entriesOf(value);
  if (entries.length === 0 || dice.below(4) === 0) return mutateHere(value, dice);
  const at = dice.below(entries.length);
  return new Fields(entries.map(([key, field], i) => [key, i === at ? mutateSomewhere(field, dice) : field]));
}

function mutateHere(value: unknown, dice: Dice): unknown {
  if (Array.isArray(value) && dice.below(2) === 0) {
    const copy = [...(value as unknown[])];
    if (dice.below(2) === 0) copy.splice(dice.below(copy.length + 1), 1);
    else copy.push(...copy.slice(0, 1 + dice.below(4)), nasty(dice));
    return copy;
  }
  if (typeof value === 'object' && value !== null && !(value instanceof RawJson) && dice.below(4) > 0) {
    const fields = [...entriesOf(value)];
    const at = dice.below(Math.max(1, fields.length));
    const [key = '', field] = fields[at] ?? [];
    const change = dice.below(4);
    if (change === 0) fields.splice(at, 1);
    else if (change === 1) fields.push([key, nasty(dice)]);
    else if (change === 2) fields.push([NASTY_KEYS[dice.below(NASTY_KEYS.length)]!, nasty(dice)]);
    else fields[at] = [key.toUpperCase(), field];
    return new Fields(fields);
  }
  if (typeof value === 'number' && dice.below(3) === 0) return value * [-1, 0, 1e9, 1e-9, 0.5][dice.below(5)]!;
  if (typeof value === 'string' && dice.below(3) === 0) {
    return [value.repeat(40), value.slice(0, dice.below(value.length + 1)), `${value}\n`, ` ${value} `][dice.below(4)];
  }
  return nasty(dice);
}

/** Cuts, doubles or replaces bytes of the text. */
function damage(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  const piece = NASTY_BYTES[dice.below(NASTY_BYTES.length)]!;
  return [text.slice(0, at), text.slice(at), text.slice(0, at) + piece + text.slice(at), text + text, piece][
    dice.below(5)
  ]!;
}

function nasty(dice: Dice): RawJson {
  return new RawJson(NASTY_TEXTS[dice.below(NASTY_TEXTS.length)]!);
}

/** The fields of an object, of which two may have the same name. */
class Fields {
  constructor(readonly list: readonly (readonly [key: string, value: unknown])[]) {}
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return value instanceof Fields ? value.list : Object.entries(value);
}

function write(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${entriesOf(value).map(([key, field]) => `${JSON.stringify(key)}:${write(field)}`).join()}}`; // prettier-ignore
}

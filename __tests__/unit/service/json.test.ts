import fc from 'fast-check';
import type { AdsError } from '../../../src/errors.js';
import { MAX_JSON_DEPTH, parseJson, parseJsonText } from '../../../src/service/json.js';
import { withCode } from '../../helpers/withCode.js';

describe('JSON of others', () => {
  /** What looks like structure inside of texts, and texts that are not whole. */
  const text = fc.array(fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', 'a', '\u00e9', '\ud83d\ude00', '\ud83d', '\u2028'), { maxLength: 6 }).map((parts) => parts.join('')); // prettier-ignore
  const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'prototype'));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .array(fc.tuple(key, tie('value')), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries.map(([name, part]) => [name, part]))),
      fc.tuple(fc.integer({ min: 25, max: 33 }), tie('value'), fc.boolean()).map(([levels, part, isList]) => {
        let nested = part;
        for (let i = 0; i < levels; i++) nested = isList ? [nested] : { a: nested };
        return nested;
      }),
    ),
  }));

  const isForbidden = (name: string, part: unknown): boolean =>
    name === '__proto__' ||
    (name === 'constructor' && typeof part === 'object' && part !== null && Object.hasOwn(part, 'prototype'));

  /** The value as it may be used at a depth, and what had to be mended for it. */
  function mended(given: unknown, depth: number, faults: Set<string>): unknown {
    if (typeof given === 'string') {
      const whole = given.replace(/\p{Surrogate}/gu, '\ufffd');
      if (whole !== given) faults.add('response/not-json');
      return whole;
    }
    if (typeof given !== 'object' || given === null) return given;
    if (depth === MAX_JSON_DEPTH) {
      faults.add('response/too-deep');
      return null;
    }
    if (Array.isArray(given)) return given.map((part) => mended(part, depth + 1, faults));
    const entries = Object.entries(given).map(([name, part]) => [name, mended(part, depth + 1, faults)] as const);
    const kept = entries.filter(([name, part]) => !isForbidden(name, part));
    if (kept.length < entries.length) faults.add('response/forbidden-key');
    return Object.fromEntries(kept);
  }

  it('is read as it stands if nothing is wrong with it, refused for what is wrong, and mended where a part may be lost', () => {
    fc.assert(
      fc.property(value, fc.boolean(), (given, isSpaced) => {
        const json = JSON.stringify(given, null, isSpaced ? 1 : 0);
        const faults = new Set<string>();
        const usable = JSON.stringify(mended(given, 0, faults));
        expect(JSON.stringify(parseJsonText(json, 'all'))).toBe(usable);
        if (faults.size === 0) {
          expect(JSON.stringify(parseJsonText(json))).toBe(usable);
          expect(JSON.stringify(parseJson(new TextEncoder().encode(`\ufeff${json}`)))).toBe(usable);
          return;
        }
        try {
          parseJsonText(json);
          throw new Error('taken');
        } catch (error) {
          expect(faults).toContain((error as AdsError).code);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each(['[1', '{"a":1', '[[1]', ']', '{]', '', '"a', '[1]]', `${'['.repeat(40)}1`])('%s is none', (broken) => {
    expect(() => parseJsonText(broken, 'all')).toThrow(withCode('response/not-json'));
  });

  it('that is not UTF-8 is none', () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toThrow(withCode('response/not-json'));
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { ADS_ERROR_CODES, AdsError, type AdsErrorDetails, isAdsError, toAdsError } from '../../src/errors.js';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== 'errors.ts')
  .map((file) => readFileSync(path.join('src', file), 'utf8'))
  .join('\n');

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'demo/README.md'],
  ...readdirSync('docs').flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : [])),
].map((file) => [file, readFileSync(file, 'utf8')] as const);

const families = [...new Set(ADS_ERROR_CODES.map((code) => code.split('/')[0]))];

describe('the list of error codes', () => {
  it('stays whole whatever a game does to it, so that every error is still known as one', () => {
    expect(() => (ADS_ERROR_CODES as unknown[]).pop()).toThrow(TypeError);
    expect(ADS_ERROR_CODES.every((code) => isAdsError(new AdsError(code, 'test'), code))).toBe(true);
    expect(ADS_ERROR_CODES).toContain('internal/unexpected');
  });

  it('holds no code that nothing throws', () => {
    expect(ADS_ERROR_CODES.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
  });

  it.each(documents)('holds every code that %s names', (_file, text) => {
    const named = text.match(new RegExp(`\\b(${families.join('|')})/[a-z]+(-[a-z]+)*(?=[\`'"\\]])`, 'g')) ?? [];
    expect(named.filter((code) => !(ADS_ERROR_CODES as readonly string[]).includes(code))).toEqual([]);
  });

  it('S19: names the browsers that package.json does', () => {
    const { browserslist } = JSON.parse(readFileSync('package.json', 'utf8')) as { browserslist: string[] };
    const { hint } = new AdsError('config/browser', 'test');
    const versions = (text: string): string[] => [...new Set(text.match(/\d+(\.\d+)?/g))].sort();
    expect(versions(hint)).toEqual(versions(browserslist.join()));
  });

  it('says of every code what to do', () => {
    for (const code of ADS_ERROR_CODES) {
      const error = new AdsError(code, 'test');
      expect(error.hint.length).toBeGreaterThan(10);
      expect(error.message).toBe(`test [${code}] ${error.hint}`);
    }
  });
});

describe('an error', () => {
  it('holds what is known of it, and nothing of what is not', () => {
    const details: fc.Arbitrary<AdsErrorDetails> = fc.record(
      {
        status: fc.nat(),
        retryAfterMs: fc.nat(),
        path: fc.string(),
        requestId: fc.string(),
        hint: fc.string(),
        cause: fc.anything().filter((cause) => cause !== undefined),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...ADS_ERROR_CODES), details, (code, given) => {
        const error = new AdsError(code, 'test', given);
        const plain = new AdsError(code, 'test');
        const held = Object.fromEntries(
          (['status', 'retryAfterMs', 'path', 'requestId', 'hint', 'cause'] as const).flatMap((name) =>
            name in error ? [[name, error[name]]] : [],
          ),
        );
        expect(held).toEqual({ hint: plain.hint, ...given });
        expect([error.name, error.code, error.retryable]).toEqual(['AdsError', code, plain.retryable]);
      }),
    );
  });

  it('is one of this package by its name and code, also of a second copy of it; anything else is none', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record({
            name: fc.constant('AdsError'),
            code: fc.oneof(fc.anything(), fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype))),
          }),
        ),
        (value) => {
          expect(isAdsError(value)).toBe(false);
          expect(toAdsError(value)).toMatchObject({
            code: 'internal/unexpected',
            ...(value === undefined ? {} : { cause: value }),
          });
        },
      ),
    );
    for (const other of [
      { name: 'Error', code: 'net/offline' },
      { name: 'AdsError' },
      () => 'net/offline',
      'AdsError',
    ]) {
      expect(isAdsError(other)).toBe(false);
    }
    const copy = { name: 'AdsError', code: 'net/offline' };
    expect([isAdsError(copy), isAdsError(copy, 'net/offline'), isAdsError(copy, 'net/timeout')]).toEqual([true, true, false]); // prettier-ignore
    expect(toAdsError(copy)).toBe(copy);
  });
});

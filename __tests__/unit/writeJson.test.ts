import fc from 'fast-check';
import { writeJson } from '../../src/writeJson.js';

type Patched = { toJSON?: () => string };

/** What Prototype.js 1.6 does to a page, and worse: objects have it too. */
function patchBuiltins(): () => void {
  const prototypes: Patched[] = [Array.prototype as Patched, String.prototype as Patched, Object.prototype];
  for (const prototype of prototypes) prototype.toJSON = () => 'not what was meant';
  return () => prototypes.forEach((prototype) => delete prototype.toJSON);
}

function onAPatchedPage<T>(act: () => T): T {
  const restore = patchBuiltins();
  try {
    return act();
  } finally {
    restore();
  }
}

const anything = fc.anything({ maxDepth: 4, withDate: true, withSparseArray: true });

describe('writeJson', () => {
  it('S20: writes what JSON.stringify writes on an untouched page, on any page', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const meant = JSON.stringify(value) ?? 'null';
        expect(writeJson(value)).toBe(meant);
        expect(onAPatchedPage(() => writeJson(value))).toBe(meant);
      }),
    );
  });

  it('S20: the page is one on which JSON.stringify does not', () => {
    expect(onAPatchedPage(() => JSON.stringify([1, { a: [2] }]))).not.toBe('[1,{"a":[2]}]');
    expect(onAPatchedPage(() => writeJson([1, { a: [2] }]))).toBe('[1,{"a":[2]}]');
  });

  it('lets an object of a class, or with a toJSON of its own, say what it is', () => {
    class Money {
      toJSON(): unknown {
        return { amount: [1] };
      }
    }
    const value = { price: new Money(), none: { toJSON: 1 }, own: { toJSON: () => 'mine' }, at: new Date(0), never: new Date(NaN), url: new URL('https://a.example/') }; // prettier-ignore
    expect(writeJson(value)).toBe(JSON.stringify(value));
  });
});

import { AdsError } from '../../src/errors.js';
import { chooseFallback, readFallback, readLabel, readRefresh } from '../../src/placementRules.js';

const wrong = (name: string, expected: string) => new AdsError('arg/option', `${name}: ${expected}`);
const trap = new Proxy({}, { get: () => { throw new Error('trap'); } }); // prettier-ignore
const CAUSE = { adSurfaceId: 'roof', error: null };

describe('refresh', () => {
  it.each([
    [false, null],
    [true, 30_000],
    [{}, 30_000],
    [{ minIntervalMs: 5_000 }, 5_000],
    [{ minIntervalMs: 60_000 }, 60_000],
    [{ minIntervalMs: 86_400_000 }, 86_400_000],
  ])('%j is %p ms', (given, ms) => expect(readRefresh(given, wrong)).toBe(ms));

  it.each([
    [{ minIntervalMs: 4_999 }],
    [{ minIntervalMs: 86_400_001 }],
    [{ minIntervalMs: NaN }],
    [{ minIntervalMs: Infinity }],
    [{ minIntervalMs: '30000' }],
    [30_000],
    [null],
    ['yes'],
    [trap],
  ])(
    // prettier-ignore
    'refuses %#',
    (given) => expect(() => readRefresh(given, wrong)).toThrow(/^refresh: .*5000 or more/),
  );
});

describe('label', () => {
  it.each([
    [true, true],
    [false, null],
    [' Anzeige ', 'Anzeige'],
    ['x'.repeat(20), 'x'.repeat(20)],
  ])('%j is %j', (given, label) => expect(readLabel(given, wrong)).toBe(label));

  it.each([[''], [' '], ['x'.repeat(21)], [7], [null], [trap]])('refuses %#', (given) => {
    expect(() => readLabel(given, wrong)).toThrow(/^label: .*at most 20/);
  });
});

describe('fallback', () => {
  const house = { houseAd: { url: 'https://a.example/x.png', clickUrl: 'https://a.example/' } };

  it.each([['placeholder'], ['hide'], [{ textureKey: 'wall' }], [house]])('takes %j', (given) => {
    expect(readFallback(given, wrong)).toEqual(given);
  });

  it.each([
    ['nothing'],
    [7],
    [null],
    [{}],
    [{ textureKey: '' }],
    [{ houseAd: {} }],
    [{ houseAd: { url: 7 } }],
    [{ houseAd: { url: 'x', clickUrl: 7 } }],
    [trap],
  ])('refuses %#', (given) => expect(() => readFallback(given, wrong)).toThrow(/^fallback: .*houseAd/));

  it('is chosen by a function in each case, the placeholder when it chooses none or throws', () => {
    const chooser = jest.fn(() => 'hide' as const);
    expect(chooseFallback(readFallback(chooser, wrong), CAUSE)).toBe('hide');
    expect(chooser).toHaveBeenCalledWith(CAUSE);
    expect(chooseFallback(house, CAUSE)).toBe(house);
    expect(chooseFallback(() => undefined, CAUSE)).toBe('placeholder');
    expect(chooseFallback(() => 'somewhere' as never, CAUSE)).toBe('placeholder');
    expect(chooseFallback(() => { throw new Error('mistake'); }, CAUSE)).toBe('placeholder'); // prettier-ignore
  });

  it.each([
    ['a promise', async () => 'hide'],
    ['a promise that fails', () => Promise.reject(new Error('late'))],
    ['another word', () => 'somewhere'],
    ['null', () => null],
    [
      'nothing but an exception',
      () => {
        throw new Error('mistake');
      },
    ],
  ])('S6: tells a chooser that answers with %s what to return', async (name, chooser) => {
    const unheard = jest.fn();
    process.on('unhandledRejection', unheard);
    const told: AdsError[] = [];
    expect(chooseFallback(chooser as never, CAUSE, (error) => told.push(error))).toBe('placeholder');
    expect(told).toMatchObject([{ code: 'config/option' }]);
    if (name.includes('exception')) expect(told[0]!.cause).toEqual(new Error('mistake'));
    else expect(told[0]!.hint).toMatch(/^Return .*textureKey/);
    expect(chooseFallback(() => undefined, CAUSE, (error) => told.push(error))).toBe('placeholder'); // prettier-ignore
    expect(told).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve));
    process.off('unhandledRejection', unheard);
    expect(unheard).not.toHaveBeenCalled();
  });
});

import { readConsent, readSignals } from '../../../src/consentRules.js';
import { withCode } from '../../helpers/withCode.js';

const LONG = 'x'.repeat(16_384);
const trap = new Proxy({}, { get: () => { throw new Error('trap'); } }); // prettier-ignore

describe('consent signals', () => {
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['gdprApplies', [true, false], ['true', 2, null]],
    ['tcString', ['CPXx', 'C.Y_Z-1', LONG], ['', '<script>', 'a b', `${LONG}x`, 7, null]],
    ['addtlConsent', ['2~1.35.41~dv.9'], ['', '"', 7]],
    ['gppString', ['DBAA~BVQ', LONG], ['', '\n', `${LONG}x`, {}]],
    [
      'gppSections',
      [[7], [2, 6]],
      [7, '7', [], [-1], [0], ['x'], [1.5], Array<number>(101).fill(7), [{ toString: 1, valueOf: 1 }], [Symbol('7')]],
    ],
    ['usPrivacy', ['1YNN', '1---', '1ynn'], ['2YNN', '1YN', '1YNNN', 'x1YNN', 1, null]],
    ['globalPrivacyControl', [true, false], ['1', 2, null]],
    ['underAge', [true], [false, 0, '', null]],
  ])('%s is kept as it is, or left out when it is of another kind', (name, kept, dropped) => {
    for (const value of kept) expect(readSignals({ [name]: value })).toEqual({ [name]: value });
    for (const value of dropped) expect(readSignals({ [name]: value, other: value })).toEqual({});
  });

  it.each([
    [{ gdprApplies: 1 }, { gdprApplies: true }],
    [{ gdprApplies: 0 }, { gdprApplies: false }],
    [{ globalPrivacyControl: 1 }, { globalPrivacyControl: true }],
    [{ underAge: 1 }, { underAge: true }],
    [{ underAge: 'true' }, { underAge: true }],
  ])('are taken as numbers, too, and a child by whatever says yes: %j', (given, signals) => {
    expect(readSignals(given)).toEqual(signals);
  });

  it('are a frozen copy, of sections the numbers alone', () => {
    const given = { gdprApplies: true, gppSections: [7, '8', -1, null, 9.5] };
    const signals = readSignals(given);
    given.gdprApplies = false;
    expect(signals).toEqual({ gdprApplies: true, gppSections: [7, 8] });
    expect([Object.isFrozen(signals), Object.isFrozen(signals?.gppSections)]).toEqual([true, true]);
    expect(readSignals({ gppSections: Array<number>(100).fill(7) })?.gppSections).toHaveLength(100);
  });

  it.each([[undefined], [null], [7], ['CPXx'], [{ watch: () => undefined, gdprApplies: false }]])('are none in %p', (value) => {
    expect(readSignals(value)).toBeNull();
  }); // prettier-ignore
});

describe('the option `consent`', () => {
  it('is nothing, signals, or a provider, which stays itself', () => {
    const provider = { signals: {}, isDecided: false, watch: () => () => undefined };
    expect([readConsent(undefined), readConsent(null)]).toEqual([null, null]);
    expect(readConsent({ tcString: 'CPXx' })).toEqual({ tcString: 'CPXx' });
    expect(readConsent(provider)).toBe(provider);
  });

  it.each([[7], ['CPXx'], [true], [trap], [{ watch: () => undefined }], [{ watch: 1, isDecided: true }]])('is not %#', (value) => {
    expect(() => readConsent(value)).toThrow(withCode('config/option'));
  }); // prettier-ignore
});

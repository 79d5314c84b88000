import { withCode } from '../../helpers/withCode.js';
import { isAdsError } from '../../../src/errors.js';
import { resolveOptions } from '../../../src/resolveOptions.js';
import {
  DEFAULT_STANDARDS,
  minSqueezeRatioOf,
  resolveStandards,
  VIEWABILITY_STANDARDS,
} from '../../../src/viewability/ViewabilityStandards.js';

const OWN = { id: 'house', minPercentageInView: 66, minDurationMs: 3_000 };

it('the published figures', () => {
  expect(Object.values(VIEWABILITY_STANDARDS)).toEqual([
    { id: 'iig-display', minPercentageInView: 50, minDurationMs: 1_000, minScreenPercentage: 1.5, maxAngleDeg: 55, requiresFocus: true }, // prettier-ignore
    { id: 'iig-video', minPercentageInView: 50, minDurationMs: 2_000, minScreenPercentage: 1.5, maxAngleDeg: 55, requiresFocus: true }, // prettier-ignore
    { id: 'mrc-display', minPercentageInView: 50, minDurationMs: 1_000, requiresFocus: true },
    { id: 'mrc-video', minPercentageInView: 50, minDurationMs: 2_000, requiresFocus: true },
    { id: 'mrc-large-display', minPercentageInView: 30, minDurationMs: 1_000, minAreaPx: 242_500, requiresFocus: true },
    { id: 'full-view', minPercentageInView: 100, minDurationMs: 1_000 },
  ]);
});

it('an angle is a squeeze to its cosine; the limit itself is allowed', () => {
  const limit = minSqueezeRatioOf(VIEWABILITY_STANDARDS.IIG_DISPLAY);
  const roundedAs = (degrees: number) => Math.round(Math.cos((degrees * Math.PI) / 180) * 10_000) / 10_000;
  expect(roundedAs(55)).toBeGreaterThanOrEqual(limit);
  expect(roundedAs(55.02)).toBeLessThan(limit);
  expect(minSqueezeRatioOf(VIEWABILITY_STANDARDS.FULL_VIEW)).toBe(0);
  expect(minSqueezeRatioOf({ ...OWN, maxAngleDeg: 0 })).toBe(1);
});

it('the option takes published ids and standards of one’s own, in the order given, copied and frozen', () => {
  for (const none of [undefined, null]) expect(resolveStandards(none)).toBe(DEFAULT_STANDARDS);
  const resolved = resolveStandards(['mrc-video', OWN]);
  expect(resolved.map(({ id }) => id)).toEqual(['mrc-video', 'house']);
  expect(resolved[1]).not.toBe(OWN);
  expect(resolveStandards([{ ...OWN, minAreaPx: undefined }])).toStrictEqual([OWN]);
  expect(resolved.every((standard) => Object.isFrozen(standard))).toBe(true);
  expect(resolveStandards(Array.from({ length: 8 }, (_, i) => ({ ...OWN, id: `s${i}` })))).toHaveLength(8);
  const { MRC_VIDEO } = VIEWABILITY_STANDARDS;
  expect(resolveStandards([{ ...MRC_VIDEO }])).toEqual([MRC_VIDEO]);
  expect(resolveStandards([Object.fromEntries(Object.entries(MRC_VIDEO).reverse())])).toEqual([MRC_VIDEO]);
});

it.each([
  ['minPercentageInView', [Number.MIN_VALUE, 100], [0, 100.001]],
  ['minDurationMs', [0, 3_600_000], [-0.001, 3_600_000.001]],
  ['minScreenPercentage', [0, 100], [-0.001, 100.001]],
  ['minAreaPx', [0, Number.MAX_SAFE_INTEGER], [-0.001, Infinity]],
  ['maxAngleDeg', [0, 90], [-0.001, 90.001]],
])('takes a %s of %j, and nothing beyond', (name, limits, beyond) => {
  for (const value of limits) expect(resolveStandards([{ ...OWN, [name]: value }])).toMatchObject([{ [name]: value }]);
  for (const value of beyond) {
    expect(() => resolveStandards([{ ...OWN, [name]: value }])).toThrow(withCode('config/standards'));
  }
});

it.each<[string, unknown]>([
  ['no list', 'iig-display'],
  ['an empty list', []],
  ['nine', Array.from({ length: 9 }, (_, i) => ({ ...OWN, id: `s${i}` }))],
  ['an unknown id', ['iab-display']],
  ['the same id twice', ['full-view', 'full-view']],
  ['null', [null]],
  ['an array', [[]]],
  ['no id', [{ minPercentageInView: 50, minDurationMs: 1 }]],
  ['an id that is no name', [{ ...OWN, id: 'House rule' }]],
  ['an id that only reads like one', [{ ...OWN, id: ['house'] }]],
  ['no duration', [{ id: 'a', minPercentageInView: 50 }]],
  ['a share of 0', [{ ...OWN, minPercentageInView: 0 }]],
  ['a share above 100', [{ ...OWN, minPercentageInView: 101 }]],
  ['a duration that is no number', [{ ...OWN, minDurationMs: NaN }]],
  ['a duration that is a text', [{ ...OWN, minDurationMs: '1000' }]],
  ['a negative duration', [{ ...OWN, minDurationMs: -1 }]],
  ['an angle above 90', [{ ...OWN, maxAngleDeg: 91 }]],
  ['a focus that is a word', [{ ...OWN, requiresFocus: 'yes' }]],
  ['a misspelt condition', [{ ...OWN, minScreenPercent: 2 }]],
  ['other figures under a published id', [{ ...VIEWABILITY_STANDARDS.IIG_DISPLAY, minDurationMs: 100 }]],
  ['a getter that throws', [Object.defineProperty({}, 'id', { enumerable: true, get: () => { throw new Error(); } })]], // prettier-ignore
])('refuses %s', (_, given) => {
  let error: unknown;
  try {
    resolveStandards(given);
  } catch (thrown) {
    error = thrown;
  }
  expect(isAdsError(error, 'config/standards')).toBe(true);
});

it('the share of placements with evidence is a ratio, 0.01 by default', () => {
  const options = { apiKey: 'key', privateKey: 'secret' };
  expect(resolveOptions(options).evidenceRatio).toBe(0.01);
  expect(resolveOptions({ ...options, evidenceRatio: 1 }).evidenceRatio).toBe(1);
  for (const evidenceRatio of [-0.1, 1.1, NaN, '0.5']) {
    expect(() => resolveOptions({ ...options, evidenceRatio })).toThrow(withCode('config/option'));
  }
});

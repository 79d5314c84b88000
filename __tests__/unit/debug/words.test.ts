import { deliveryWords, reasonWords } from '../../../src/debug/words.js';
import { standardWords } from '../../../src/debug/standardWords.js';
import { Reason } from '../../../src/measure/AdMeasurement.js';
import { Interruption } from '../../../src/measure/Interruption.js';
import { VIEWABILITY_STANDARDS } from '../../../src/viewability/ViewabilityStandards.js';

const figures = { percentageInView: 32, totalScreenPercentage: 0.8, totalPixels: 9_000, squeezeRatio: 0.5 };
const waiting = {
  standard: 'iig-display',
  rule: VIEWABILITY_STANDARDS.IIG_DISPLAY,
  verdict: 'notViewable',
  continuousMs: 400,
  timeInViewMs: 400,
  missingMs: 600,
} as const;

it('has a sentence for every reason a measurement or a session gives', () => {
  const reasons = [...Object.values(Reason), ...Object.values(Interruption)];
  for (const reason of reasons) expect(reasonWords(reason)).toMatch(/^[A-Z].+\.$/);
  expect(reasonWords('of another version')).toBe('of another version');
});

it.each([
  ['focus', 'waits for focus: click into the game'],
  ['minPercentageInView', 'waits for 50 % in view (now 32 %)'],
  ['minScreenPercentage', 'waits for 1.5 % of the screen: make the ad larger (now 0.8 %)'],
  ['maxAngleDeg', 'waits for an angle of at most 55°: turn the ad to the player (now 60 °)'],
  ['minDurationMs', 'waits for time: 0.4 of 1.0 s without a break'],
] as const)('says what a standard waits for: %s', (failingRule, words) => {
  expect(standardWords({ ...waiting, failingRule }, figures)).toBe(words);
});

it.each([
  ['minPercentageInView', 'in view (now 49 %)'],
  ['minScreenPercentage', '(now 1.4 %)'],
  ['maxAngleDeg', '(now 56 °)'],
] as const)('never says of what a standard waits for that it is there: %s', (failingRule, words) => {
  const nearly = { percentageInView: 49.97, totalScreenPercentage: 1.49, totalPixels: 9_000, squeezeRatio: 0.5709 };
  expect(standardWords({ ...waiting, failingRule }, nearly)).toContain(words);
});

it('says where the reports are, and what to do when they do not get through', () => {
  const dropped = { overflow: 0, tooOld: 2, tooLarge: 0, corrupt: 0, storageLost: 0 };
  const ledger = { created: 12, accepted: 5, duplicate: 1, rejected: 1, pending: 3, dropped };
  const lines = deliveryWords({ durability: 'memory', ledger, isBlocked: true });
  expect(lines.join('\n')).toMatch(/memory only.*\n12 events = 6 counted .* 3 waiting .* 1 refused .* 2 given up\n/);
  expect(lines.at(-1)).toContain('ad blocker');
  expect(deliveryWords({ durability: 'off', ledger, isBlocked: false })).toEqual([expect.stringContaining('off')]);
});

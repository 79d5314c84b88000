import { adState } from '../../../src/debug/adState.js';
import { deliveryWords, reasonWords, sessionWords } from '../../../src/debug/words.js';
import { standardChip, standardWords } from '../../../src/debug/standardWords.js';
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
  ['minAreaPx', 'waits for 242500 CSS pixels²: make the ad larger (now 9000 px²)'],
  ['maxAngleDeg', 'waits for an angle of at most 55°: turn the ad to the player (now 60 °)'],
  ['minDurationMs', 'waits for time: 0.4 of 1.0 s without a break'],
  [null, 'waits for the first frame'],
] as const)('says what a standard waits for: %s', (failingRule, words) => {
  const rule = { ...waiting.rule, minAreaPx: 242_500 };
  expect(standardWords({ ...waiting, rule, failingRule }, figures)).toBe(words);
});

it.each([
  ['focus', 'no focus'],
  ['minPercentageInView', 'too little'],
  ['minScreenPercentage', 'too small'],
  ['minAreaPx', 'too small'],
  ['maxAngleDeg', 'too steep'],
  ['minDurationMs', '0.4 / 1.0 s'],
  [null, '–'],
] as const)('says it shortly where there is no room: %s', (failingRule, words) => {
  expect(standardChip({ ...waiting, failingRule })).toBe(words);
});

it('of a standard that is met says for how long, whatever it lacks by now', () => {
  for (const failingRule of ['focus', 'minDurationMs', null] as const) {
    const met = { ...waiting, verdict: 'viewable', timeInViewMs: 2_400, failingRule } as const;
    expect(standardWords(met, figures)).toBe('viewable; 2.4 s in view so far');
    expect(standardChip(met)).toBe('2.4 s');
  }
});

it('names no figure of now while nothing is measured', () => {
  expect(standardWords({ ...waiting, failingRule: 'minPercentageInView' }, null)).toBe('waits for 50 % in view');
  expect(standardWords({ ...waiting, failingRule: 'maxAngleDeg' }, null)).toMatch(/: turn the ad to the player$/);
});

it.each([
  ['minPercentageInView', 'in view (now 49 %)'],
  ['minScreenPercentage', '(now 1.4 %)'],
  ['maxAngleDeg', '(now 56 °)'],
] as const)('never says of what a standard waits for that it is there: %s', (failingRule, words) => {
  const nearly = { percentageInView: 49.97, totalScreenPercentage: 1.49, totalPixels: 9_000, squeezeRatio: 0.5709 };
  expect(standardWords({ ...waiting, failingRule }, nearly)).toContain(words);
});

it('names a figure of now to one place after the point below ten, and whole from ten on, whatever was lost in rounding', () => {
  const failingRule = 'minPercentageInView';
  for (const [percentageInView, words] of [
    [8 - 1e-12, '(now 8.0 %)'],
    [9.99, '(now 9.9 %)'],
    [10, '(now 10 %)'],
    [10.6, '(now 10 %)'],
  ] as const) {
    expect(standardWords({ ...waiting, failingRule }, { ...figures, percentageInView })).toContain(words);
  }
  const facing = { ...figures, squeezeRatio: 1 + 1e-12 };
  expect(standardWords({ ...waiting, failingRule: 'maxAngleDeg' }, facing)).toContain('(now 0.0 °)');
});

it('never says that the time is there while a standard waits for it', () => {
  for (const [continuousMs, minDurationMs, done, all] of [
    [999.9, 1_000, '0.9', '1.0'],
    [1_950, 2_000, '1.9', '2.0'],
    [1_240, 1_250, '1.2', '1.3'],
    [0, 500, '0.0', '0.5'],
  ] as const) {
    const late = { ...waiting, rule: { ...waiting.rule, minDurationMs }, continuousMs, failingRule: 'minDurationMs' } as const; // prettier-ignore
    expect(standardWords(late, figures)).toBe(`waits for time: ${done} of ${all} s without a break`);
    expect(standardChip(late)).toBe(`${done} / ${all} s`);
  }
});

it('says where the reports are, and what to do when they do not get through', () => {
  const dropped = { overflow: 0, tooOld: 2, tooLarge: 0, corrupt: 0, storageLost: 0 };
  const ledger = { created: 12, accepted: 5, duplicate: 1, rejected: 1, pending: 3, dropped };
  const lines = deliveryWords({ durability: 'memory', ledger, isBlocked: true });
  expect(lines.join('\n')).toMatch(/memory only.*\n12 events = 6 counted .* 3 waiting .* 1 refused .* 2 given up\n/);
  expect(lines.at(-1)).toContain('ad blocker');
  expect(deliveryWords({ durability: 'off', ledger, isBlocked: false })).toEqual([expect.stringContaining('off')]);
});

it('says nothing of reports that were lost or refused where none were, and each way in which some were', () => {
  const dropped = { overflow: 0, tooOld: 0, tooLarge: 0, corrupt: 0, storageLost: 0 };
  const ledger = { created: 9, accepted: 6, duplicate: 1, rejected: 0, pending: 2, dropped };
  expect(deliveryWords({ durability: 'disk', ledger, isBlocked: false })).toEqual([
    'Kept on disk: what waits outlives this page.',
    '9 events = 7 counted by the service + 2 waiting + 0 refused + 0 given up',
  ]);
  const bad = { ...ledger, rejected: 1, dropped: { ...dropped, tooOld: 1, corrupt: 2 } };
  expect(deliveryWords({ durability: 'disk', ledger: bad, isBlocked: false }).slice(1)).toEqual([
    '9 events = 7 counted by the service + 2 waiting + 1 refused + 3 given up',
    'Given up (tooOld): 1',
    'Given up (corrupt): 2',
    expect.stringMatching(/^The service has refused events for good\..+\.$/),
  ]);
});

it.each([
  ['application', /^No player is signed in\./],
  ['connecting', /connect a player/],
  ['pending', /^The player is asked to confirm/],
  ['authenticating', /^Signing a player in/],
  ['connected', /^A player is signed in\.$/],
  ['denied', /declined/],
  ['expired', /^The request or the session of the player has ended\.$/],
  ['signedOut', /signed out/],
  ['destroyed', /^The game has ended\.$/],
] as const)('says where the session of a player stands: %s', (state, words) => {
  const session = { state, level: 'application', player: null, isStale: false, expiredReason: null, bindingCode: null, confirmUrl: null, requestExpiresAt: null } as const; // prettier-ignore
  expect(sessionWords(session)).toMatch(words);
  const long = sessionWords({ ...session, isStale: true, expiredReason: 'session' });
  expect(long).toBe(`${sessionWords(session)} (session) The session could not be renewed yet.`);
});

it('says in a word or two how an ad stands: what stopped it first, then what the player sees', () => {
  const whole = { isFullyVisible: true, isVisible: true, onScreenArea: 9 };
  const partly = { ...whole, isFullyVisible: false };
  const covered = { ...partly, isVisible: false };
  const away = { ...covered, onScreenArea: 0, reasons: ['noWindowFocus', 'viewport'] };
  const error = new Error('broken');
  for (const [state, measurement, failed, kind, label] of [
    ['shown', whole, null, 'visible', 'fully visible'],
    ['shown', partly, null, 'partly', 'partly visible'],
    ['shown', covered, null, 'blocked', 'not visible'],
    ['shown', away, null, 'away', 'off screen'],
    ['shown', { ...away, reasons: ['hidden'] }, null, 'away', 'not drawn'],
    ['shown', { ...away, reasons: ['noWindowFocus', 'notFound'] }, null, 'away', 'not drawn'],
    ['loading', null, null, 'waiting', 'loading'],
    ['noFill', whole, null, 'empty', 'no ad booked'],
    ['noFill', null, null, 'empty', 'no ad booked'],
    ['failed', null, error, 'error', 'error'],
    ['noFill', whole, error, 'error', 'error'],
  ] as const) {
    expect(adState({ state, measurement, error: failed } as never)).toEqual({ kind, label });
  }
});

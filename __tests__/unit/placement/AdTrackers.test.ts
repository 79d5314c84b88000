import { AdsError, type AdsErrorCode } from '../../../src/errors.js';
import { AdTrackers, checkBilling, hasBilling, vastErrorOf } from '../../../src/placement/AdTrackers.js';
import type { SessionFact, Verdict } from '../../../src/report/AdEvent.js';
import type { Ad, AdTrackerEvent } from '../../../src/service/AdService.js';
import { MAX_TRACKERS } from '../../../src/service/AdWarnings.js';

const urlOf = (event: string): string => `https://t.example.com/${event}`;
const adWith = (trackers: unknown): Ad => ({ adId: 'a', url: '', trackers }) as unknown as Ad;

/** The trackers of an ad that has one for each of these events, and what they have called. */
function tracked(...events: AdTrackerEvent[]) {
  const sent: [event: string, mustArrive: boolean][] = [];
  const send = (url: string, mustArrive: boolean): void => void sent.push([url.slice(urlOf('').length), mustArrive]);
  const trackers = new AdTrackers(adWith(events.map((event) => ({ event, url: urlOf(event) }))), { send, wallNow: () => 0 }); // prettier-ignore
  return { trackers, sent };
}

const viewable = (minPercentageInView: number, minDurationMs: number, standard = 'other') =>
  ({ kind: 'viewable', standard, rule: { minPercentageInView, minDurationMs } }) as SessionFact;

it.each<[number, number, string[]]>([
  [50, 1_000, ['viewable-mrc50']],
  [50, 999, []],
  [49.99, 3_000, []],
  [99.99, 1_999, ['viewable-mrc50']],
  [100, 1_000, ['viewable-mrc50', 'viewable-mrc100']],
  [100, 999, []],
  [50, 2_000, ['viewable-mrc50', 'viewable-video50']],
])(
  'a rule of %d %% for %d ms that is met calls %j, once; the one that leads is billed, too',
  (percentage, ms, events) => {
    const { trackers, sent } = tracked('viewable-mrc50', 'viewable-mrc100', 'viewable-video50', 'billable', 'viewable');
    for (let i = 0; i < 2; i++) trackers.note(viewable(percentage, ms), 'leading');
    const own = events.map((event) => [event, false]);
    expect(sent).toEqual(own);
    for (let i = 0; i < 2; i++) trackers.note(viewable(percentage, ms, 'leading'), 'leading');
    expect(sent).toEqual([...own, ['billable', true], ['viewable', false]]);
  },
);

it.each<[Verdict, string[]]>([
  ['viewable', []],
  ['notViewable', ['not-viewable']],
  ['undetermined', ['view-undetermined']],
])('an ad that was seen and ends %s by the standard that leads calls %j', (verdict, events) => {
  const { trackers, sent } = tracked('not-viewable', 'view-undetermined', 'click', 'midpoint');
  const summary = (isFinal: boolean) =>
    ({ kind: 'summary', isFinal, verdicts: { leading: verdict, other: 'notViewable' } }) as unknown as SessionFact;
  for (const fact of [{ kind: 'click' }, { kind: 'midpoint', videoDurationMs: 4_000 }])
    trackers.note(fact as SessionFact, 'leading');
  trackers.note(summary(true), 'leading');
  trackers.note({ kind: 'impression' } as SessionFact, 'leading');
  trackers.note(summary(false), 'leading');
  expect(sent.splice(0)).toEqual([
    ['click', false],
    ['midpoint', false],
  ]);
  trackers.note(summary(true), 'leading');
  trackers.note(summary(true), undefined);
  expect(sent).toEqual(events.map((event) => [event, false]));
});

it('an ad is billed wherever among its trackers the billing notice stands', () => {
  const { trackers, sent } = tracked(...Array<AdTrackerEvent>(MAX_TRACKERS).fill('click'), 'billable');
  expect(trackers.warnings).toEqual([]);
  trackers.fire('billable');
  expect(sent).toEqual([['billable', true]]);
});

it('trackers that cannot be called are named: no such event, no such address, too many, and what is no tracker', () => {
  const good = { event: 'click', url: urlOf('click') };
  const bad = [{ event: 'clik', url: urlOf('clik') }, { event: 'click', url: 'http://t.example.com/' }, null];
  const sent: string[] = [];
  const trackers = new AdTrackers(adWith([...bad, ...Array.from({ length: MAX_TRACKERS }, () => good)]), {
    send: (url) => void sent.push(url),
    wallNow: () => 0,
  });
  expect(trackers.warnings.map(({ code, path, count }) => [code, path, count])).toEqual([
    ['tracker/event', '$.trackers[0]', 2],
    ['tracker/address', '$.trackers[1]', 1],
    ['tracker/limit', `$.trackers[${MAX_TRACKERS}]`, 3],
  ]);
  trackers.fire('click');
  expect(sent).toHaveLength(MAX_TRACKERS - 3);
});

it('a fault of the ad is told once, with its number, and to nobody where nobody asks for it', () => {
  const sent: string[] = [];
  const sender = { send: (url: string) => void sent.push(url), wallNow: () => 0 };
  for (const trackers of [[{ event: 'error', url: `${urlOf('error')}?[ERRORCODE]` }], []]) {
    const told = new AdTrackers(adWith(trackers), sender);
    for (const code of ['ad/type', 'ad/timeout'] as const) told.fail(new AdsError(code, 'test'));
  }
  expect(sent).toEqual([urlOf('error?405')]);
});

it('an ad whose billing notice cannot be called is refused, and none whose other trackers cannot', () => {
  const [notice, click] = [
    { event: 'billable', url: 'http://t.example.com/' },
    { event: 'click', url: '' },
  ];
  const refusal: unknown = expect.objectContaining({ code: 'response/schema', path: '$.trackers[1].url' });
  expect(() => checkBilling(adWith([click, notice]))).toThrow(refusal as Error);
  const good = adWith([click, { ...notice, url: urlOf('billable') }]);
  expect(() => checkBilling(good)).not.toThrow();
  expect([adWith([click]), adWith(7), good].map(hasBilling)).toEqual([false, false, true]);
});

it.each<[AdsErrorCode, number]>([
  ['ad/duration', 202],
  ['ad/dimensions', 203],
  ['ad/http-status', 401],
  ['ad/redirect', 401],
  ['ad/cors', 401],
  ['net/unreachable', 401],
  ['ad/timeout', 402],
  ['ad/type', 405],
  ['ad/decode', 405],
  ['ad/autoplay', 405],
  ['internal/unexpected', 900],
])('%s is %i to the buyer of a video', (code, number) => {
  expect(vastErrorOf(new AdsError(code, 'test'))).toBe(number);
});

it('billing notices by the ten thousand are read at once, and none is lost', () => {
  const count = 20_000;
  const sent: string[] = [];
  const list = Array.from({ length: count }, (_, i) => ({ event: 'billable', url: urlOf(String(i)) }));
  const copied = jest.spyOn(Array.prototype, Symbol.iterator);
  const trackers = new AdTrackers(adWith(list), { send: (url) => void sent.push(url), wallNow: () => 0 });
  const copies = copied.mock.contexts.filter((list) => (list as unknown as unknown[]).length > 100).length;
  copied.mockRestore();
  trackers.fire('billable');
  expect(sent).toHaveLength(count);
  expect(copies).toBeLessThan(10);
});

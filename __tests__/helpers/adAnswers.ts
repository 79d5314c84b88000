/** What an answer of the ad service may carry. */
export const AD_BODIES: Readonly<Record<AdBody, { readonly text?: string; readonly type?: string }>> = {
  nothing: {},
  ad: { text: '{"adId":"ad-1","url":"https://cdn.example/ad.png"}', type: 'application/json' },
  'mistyped ad': { text: '{"adId":"ad-1","url":"https://cdn.example/ad.png"}', type: 'text/html' },
  page: { text: '<!doctype html><title>Welcome</title>', type: 'text/html' },
  'mistyped page': { text: '<!doctype html><title>Welcome</title>', type: 'application/json' },
};

export type AdBody = 'nothing' | 'ad' | 'mistyped ad' | 'page' | 'mistyped page';

/** Every status a service can answer with, and some that none should. */
export const STATUSES: readonly number[] = [...Array.from({ length: 400 }, (_, i) => 200 + i), 600, 700, 999];

/**
 * What a status means to who asks for an ad: an ad, no ad, or the code of the error. The first row that fits counts. No
 * row says what only a word of the service itself may say: that the game, its key or its surface is wrong for good.
 */
const MEANINGS: readonly (readonly [from: number, to: number, end: string])[] = [
  [204, 205, 'no ad'],
  [200, 299, 'what the body says'],
  [304, 304, 'no ad'],
  [300, 399, 'service/redirected'],
  [404, 404, 'service/not-found'],
  [408, 408, 'service/unavailable'],
  [425, 425, 'service/unavailable'],
  [429, 429, 'service/rate-limited'],
  [460, 460, 'service/unavailable'],
  [499, 499, 'service/unavailable'],
  [400, 499, 'service/refused'],
  [500, 999, 'service/unavailable'],
];

const IN_BODY: Readonly<Record<AdBody, string>> = {
  nothing: 'no ad',
  ad: 'ad-1',
  'mistyped ad': 'ad-1',
  page: 'response/not-json',
  'mistyped page': 'response/not-json',
};

/** How a call for an ad has to end. */
export function endOfAsking(status: number, body: AdBody): string {
  const [, , end] = MEANINGS.find(([from, to]) => status >= from && status <= to)!;
  return end === 'what the body says' ? IN_BODY[body] : end;
}

/** Every status with every body, by its name. */
export function everyAnswer(): { readonly name: string; readonly status: number; readonly body: AdBody }[] {
  const bodies = Object.keys(AD_BODIES) as AdBody[];
  return STATUSES.flatMap((status) => bodies.map((body) => ({ name: `${status}, ${body}`, status, body })));
}

import fc from 'fast-check';

import { type MixRules, readFrequency, readSeparation } from '../../../src/mixRules.js';
import { AdMix } from '../../../src/placement/AdMix.js';
import type { Ad } from '../../../src/service/AdService.js';
import { withCode } from '../../helpers/withCode.js';

const DAY_MS = 86_400_000;
const adOf = (domain: string, adId = `ad-of-${domain}`): Ad => ({ adId, url: '', advertiserDomains: [domain] });
const SODA = adOf('soda.example');
const SHOES = adOf('shoes.example');

function start(rules: Partial<MixRules>, clock = { now: 20_000 * DAY_MS }) {
  return { clock, mix: new AdMix({ frequency: null, separateAdvertisers: false, ...rules }, () => clock.now) };
}

/** A storage as browsers have it. */
function storage(): Pick<Storage, 'getItem' | 'setItem'> & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return { kept, getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

/** Gives the ad its place, and returns what gives it up. */
function claimed(mix: AdMix, adSurfaceId: string, ad: Ad): () => void {
  const claim = mix.claim(adSurfaceId, ad);
  if (typeof claim !== 'function') throw new Error(claim);
  return claim;
}

describe('how often one advertiser is seen', () => {
  it('is counted by its domain, whatever the creative, and ends at the limit of the page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 20 }), (perPage, seen) => {
        const { mix } = start({ frequency: { perPage } });
        for (let i = 0; i < seen; i++) mix.seen(adOf('soda.example', `ad-${i}`));
        expect(mix.refusalOf('roof', SODA)).toBe(seen >= perPage ? 'frequency' : null);
        expect(mix.refusalOf('roof', SHOES)).toBeNull();
      }),
    );
  });

  it('is counted by the name, or else by the ad, where there is no domain', () => {
    const { mix } = start({ frequency: { perPage: 1 } });
    const [named, other, nameless, stranger] = [{ advertiser: 'Soda' }, { advertiser: 'Shoes' }, {}, {}].map(
      (ad, i): Ad => ({ adId: `ad-${i}`, url: '', ...ad }),
    );
    for (const ad of [named!, nameless!]) mix.seen(ad);
    expect([named!, nameless!].map((ad) => mix.refusalOf('roof', ad))).toEqual(['frequency', 'frequency']);
    expect([other!, stranger!].map((ad) => mix.refusalOf('roof', ad))).toEqual([null, null]);
  });

  it('is counted anew each day, over pages that share a storage', () => {
    const frequency = { perDay: 2, storage: storage() };
    const { mix, clock } = start({ frequency });
    mix.seen(SODA);
    const later = start({ frequency }, clock).mix;
    expect(later.refusalOf('roof', SODA)).toBeNull();
    later.seen(SODA);
    expect(later.refusalOf('roof', SODA)).toBe('frequency');
    expect([...frequency.storage.kept.values()].join()).not.toContain('ad-of');
    clock.now += DAY_MS - 1;
    expect(later.refusalOf('roof', SODA)).toBe('frequency');
    clock.now++;
    expect(later.refusalOf('roof', SODA)).toBeNull();
  });

  it('is counted over pages that are open at the same time, and games of one page', () => {
    const frequency = { perDay: 3, storage: storage() };
    const { mix, clock } = start({ frequency });
    const other = start({ frequency }, clock).mix;
    expect([mix, other].map((one) => one.refusalOf('roof', SODA))).toEqual([null, null]);
    for (const one of [mix, other, mix]) one.seen(SODA);
    other.seen(SHOES);
    const later = start({ frequency }, clock).mix;
    for (const one of [mix, other, later]) expect(one.refusalOf('roof', SODA)).toBe('frequency');
  });

  it.each(['perPage', 'perDay'] as const)('is not exceeded by ads that hang at the same time: %s', (limit) => {
    const { mix } = start({ frequency: { [limit]: 2 } });
    const first = claimed(mix, 'roof', SODA);
    expect(mix.refusalOf('roof', SODA, first)).toBeNull();
    const second = claimed(mix, 'roof', adOf('soda.example', 'other'));
    expect([mix.claim('roof', SODA), mix.refusalOf('bus', SODA)]).toEqual(['frequency', 'frequency']);
    expect(mix.refusalOf('roof', SODA, second)).toBeNull();
    expect(mix.refusalOf('bus', SHOES)).toBeNull();
    // What goes unseen makes way for another one, what was seen does not.
    mix.seen(SODA, first);
    second();
    expect(mix.refusalOf('bus', SODA)).toBeNull();
    first();
    claimed(mix, 'bus', SODA);
    expect(mix.refusalOf('roof', SODA)).toBe('frequency');
  });

  it.each(['perPage', 'perDay'] as const)(
    'is kept to when there are more advertisers than can be counted; a limit that was not set binds nobody: %s',
    (limit) => {
      const { mix, clock } = start({ frequency: { [limit]: 2 } });
      const ads = Array.from({ length: 520 }, (_, i) => adOf(`advertiser-${i}.example`));
      const shown = new Map(ads.map((ad) => [ad, 0]));
      for (const ad of [...ads, ...ads, ...ads]) {
        if (mix.refusalOf('roof', ad) !== null) continue;
        mix.seen(ad);
        shown.set(ad, shown.get(ad)! + 1);
      }
      expect(Math.max(...shown.values())).toBe(2);
      expect([...shown.values()].filter((times) => times === 2).length).toBeGreaterThanOrEqual(500);
      clock.now += DAY_MS;
      expect(mix.refusalOf('roof', ads[519]!)).toBe(limit === 'perDay' ? null : 'frequency');
    },
  );

  it('of the day is kept to by a later page that cannot know all that were counted', () => {
    const frequency = { perDay: 1, storage: storage() };
    const { mix, clock } = start({ frequency });
    const ads = Array.from({ length: 501 }, (_, i) => adOf(`advertiser-${i}.example`));
    for (const ad of ads) mix.seen(ad);
    const [kept] = frequency.storage.kept.values();
    expect((JSON.parse(kept!) as { counts: unknown[] }).counts).toHaveLength(500);
    const later = start({ frequency }, clock).mix;
    for (const ad of ads.slice(-2)) expect(later.refusalOf('roof', ad)).toBe('frequency');
  });

  it.each<[string, Partial<Storage>]>([
    ['is full', { getItem: () => '{"day":20000,"counts":[["shoes.example",0]]}', setItem: () => { throw new Error('full'); } }],
    ['throws', { getItem: () => { throw new Error('denied'); }, setItem: () => { throw new Error('full'); } }],
    ['holds nonsense', { getItem: () => '{"day":20000,"counts":[["x"],["soda.example",-1e9],["shoes.example","9"],[["shoes.example"],9],["shoes.example",1e999],7]}', setItem: () => undefined }],
    ['holds no JSON', { getItem: () => '<html>', setItem: () => undefined }],
  ])('is counted for the page where the storage %s', (_name, broken) => {
    const { mix } = start({ frequency: { perDay: 1, storage: broken as Storage } });
    expect(mix.refusalOf('roof', SHOES)).toBeNull();
    mix.seen(SHOES);
    expect(mix.refusalOf('roof', SHOES)).toBe('frequency');
  }); // prettier-ignore
});

it('the count of a page is never lowered by a storage that has fallen behind', () => {
  const behind = { getItem: () => '{"day":20000,"counts":[["soda.example",1]]}', setItem: () => undefined };
  const { mix } = start({ frequency: { perDay: 3, storage: behind } });
  for (let i = 0; i < 2; i++) mix.seen(SODA);
  expect(mix.refusalOf('roof', SODA)).toBe('frequency');
});

describe('ads of one advertiser', () => {
  it('do not hang on neighbouring surfaces at once', () => {
    const { mix } = start({ separateAdvertisers: true });
    const giveUp = claimed(mix, 'roof', SODA);
    expect([mix.refusalOf('bus', SODA), mix.claim('bus', SODA)]).toEqual(['neighbour', 'neighbour']);
    expect(mix.refusalOf('bus', SHOES)).toBeNull();
    expect(mix.refusalOf('roof', SODA)).toBeNull();
    giveUp();
    expect(mix.refusalOf('bus', SODA)).toBeNull();
  });

  it('may hang far from one another, where it is said which surfaces are near', () => {
    const { mix } = start({ separateAdvertisers: { roof: ['bus'] } });
    const giveUp = claimed(mix, 'roof', SODA);
    expect(['bus', 'wall'].map((id) => mix.refusalOf(id, SODA))).toEqual(['neighbour', null]);
    giveUp();
    claimed(mix, 'bus', SODA);
    expect(mix.refusalOf('roof', SODA)).toBe('neighbour');
  });

  it.each([
    ['the next one', SHOES],
    ['the next one of the same advertiser', SODA],
    ['another one on the same surface', SODA],
  ])('what goes, told once or twice, takes nothing from %s', (_what, next) => {
    const { mix } = start({ separateAdvertisers: true });
    const giveUp = claimed(mix, 'roof', SODA);
    claimed(mix, 'roof', next);
    giveUp();
    giveUp();
    expect(mix.refusalOf('bus', next)).toBe('neighbour');
  });
});

it('an ad that the player has reported does not come again, however many others are reported', () => {
  const { mix } = start({});
  for (let i = 0; i < 1_000; i++) mix.report(adOf('shoes.example', `shoes-${i}`));
  mix.report(SODA);
  expect([mix.refusalOf('roof', SODA), mix.refusalOf('roof', adOf('soda.example', 'other'))]).toEqual([
    'reported',
    null,
  ]);
});

it.each([
  7,
  null,
  { perPage: 0 },
  { perPage: 1_000_001 },
  { perDay: 1.5 },
  { storage: {} },
  { storage: null },
  { perDya: 3 },
])('a frequency of %j is refused', (value) => {
  expect(() => readFrequency(value)).toThrow(withCode('config/option'));
});
it('a frequency stays as it was given', () => {
  const given = { perPage: 1 };
  const { mix } = start({ frequency: readFrequency(given) });
  given.perPage = 9;
  mix.seen(SODA);
  expect(mix.refusalOf('a', SODA)).toBe('frequency');
});
it('rules are taken up to their bounds, and none where none are given', () => {
  for (const rule of [
    {},
    { perPage: 1, perDay: 1_000_000 },
    { storage: { getItem: () => null, setItem: () => undefined } },
  ]) {
    expect(readFrequency(rule)).toEqual(rule);
  }
  for (const rule of [true, false, {}, { roof: ['bus'], bus: [] }]) expect(readSeparation(rule)).toEqual(rule);
  expect([readFrequency(undefined), readSeparation(undefined)]).toEqual([null, false]);
});
it.each([7, null, 'all', { roof: 'bus' }, { bus: ['roof'], roof: 'bus' }])('a separation of %j is refused', (value) => {
  expect(() => readSeparation(value)).toThrow(withCode('config/option'));
});

it('the rules stay as they were when they were checked, whatever the game does to its objects later', () => {
  const neighbours: Record<string, string[]> = { roof: ['wall'], tower: ['wall'] };
  const separateAdvertisers = readSeparation(neighbours);
  neighbours['roof']!.pop();
  delete neighbours['tower'];
  neighbours['wall'] = undefined as never;
  const { mix } = start({ separateAdvertisers });
  claimed(mix, 'wall', SODA);
  expect(['roof', 'tower', 'lawn'].map((id) => mix.refusalOf(id, SODA))).toEqual(['neighbour', 'neighbour', null]);
});

it('a limit that an object has from its class limits, as it was checked', () => {
  let asked = 0;
  class Rule {
    get perPage(): number {
      return ++asked;
    }
  }
  const { mix } = start({ frequency: readFrequency(new Rule()) });
  mix.seen(SODA);
  expect([mix.refusalOf('roof', SODA), mix.refusalOf('roof', SHOES), asked]).toEqual(['frequency', null, 1]);
});

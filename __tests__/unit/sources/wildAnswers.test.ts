import fc from 'fast-check';

import type { Ad } from '../../../src/service/AdService.js';
import { readBlockLists } from '../../../src/sources/openrtb/blockLists.js';
import { parseJsonText } from '../../../src/service/json.js';
import type { AskedFor } from '../../../src/sources/openrtb/readBidResponse.js';
import { withCode } from '../../helpers/withCode.js';
import { readAnswer } from './readAnswer.js';

/*
 * Answers as exchanges send them: right in what matters, and of other types than the specification names. Each is read
 * from its text, as `OpenRtbAds` does.
 */

const ASKED: AskedFor = {
  requestId: 'auction-1',
  impId: '1',
  mainImageId: 1,
  titleId: 2,
  sponsorId: 3,
  label: 'Ad',
  blocked: readBlockLists({}),
  accepts: () => true,
  isVideo: () => false,
};
const RUNS = process.env['DEEP'] ? 1_000_000 : 20_000;

const read = (response: unknown): Ad => readAnswer(parseJsonText(JSON.stringify(response), 'all'), ASKED);

const IMAGE = 'https://cdn.example.com/ad.png';
const NATIVE = {
  assets: [
    { id: 1, img: { url: IMAGE, w: 300, h: 250 } },
    { id: 2, title: { text: 'A drink' } },
  ],
};
const bid = (native: unknown, more: object = {}): Record<string, unknown> => ({
  id: 'b',
  impid: '1',
  price: 2,
  adm: JSON.stringify(native),
  ...more,
});
const answer = (...bids: object[]) => ({ id: 'auction-1', seatbid: [{ seat: 's', bid: bids }] });
const codes = ({ warnings = [] }: Ad) => warnings.map(({ code, count }) => [code, count]);

describe('S13: types as they occur', () => {
  it.each<[string, object]>([
    ['a price as text', bid(NATIVE, { price: ' 2.50 ' })],
    ['a price in exponents', bid(NATIVE, { price: '1.5E+0' })],
    ['a price without a zero', bid(NATIVE, { price: '.5' })],
    ['ids as numbers', bid(NATIVE, { id: 7, impid: 1, adid: 12, crid: 9 })],
    ['a missing id', bid(NATIVE, { id: undefined })],
    ['an object as markup', bid(NATIVE, { adm: NATIVE })],
    ['markup inside of native', bid({ native: NATIVE })],
    ['markup as text inside of native', bid({ native: JSON.stringify(NATIVE) })],
    ['markup encoded twice', bid(JSON.stringify(NATIVE))],
    ['markup in a list', bid([NATIVE])],
    ['a byte order mark', bid(NATIVE, { adm: `\ufeff${JSON.stringify(NATIVE)}` })],
    ['blanks around it', bid(NATIVE, { adm: `\r\n ${JSON.stringify(NATIVE)}\n` })],
    ['adm_native', bid(NATIVE, { adm: undefined, adm_native: NATIVE })],
    ['asset ids and sizes as text', bid({ assets: [{ id: '1', img: { url: IMAGE, w: '300', h: '250', type: '3' } }] })],
    ['one asset in place of a list', bid({ assets: NATIVE.assets[0] })],
    ['an image that does not say which', bid({ assets: [{ img: { url: IMAGE, w: 300, h: 250 } }] })],
    ['a price of nothing', bid(NATIVE, { price: 0 })],
    ['adm, whatever adm_native says beside it', bid(NATIVE, { adm_native: { assets: [] } })],
    ['an address without a scheme, and blanks', bid({ assets: [{ id: 1, img: { url: ' //cdn.example.com/ad.png\n', w: 300, h: 250 } }] })],
  ])('%s is read', (_name, given) => {
    expect(read(answer(given))).toMatchObject({ url: IMAGE, width: 300, height: 250 });
  }); // prettier-ignore

  it.each<[string, object]>([
    ['seatbid', { id: 'auction-1', seatbid: { bid: [bid(NATIVE)] } }],
    ['bid', { id: 'auction-1', seatbid: [{ bid: bid(NATIVE) }] }],
    ['the answer', [answer(bid(NATIVE))]],
    ['an answer that does not repeat the id', { seatbid: [{ bid: [bid(NATIVE)] }] }],
  ])('%s as one object, or one too many lists, is read', (_name, given) => {
    expect(read(given).url).toBe(IMAGE);
  });

  it.each(['null', '""', '" "', 'true', '[9]', '{}', '"0x10"', '"9 EUR"', '-1', '1e999', '"1e999"'])(
    'a price of %s is none: the bid is not taken',
    (price) => {
      const text = JSON.stringify(answer(bid(NATIVE, { price: 'PRICE' }), bid(NATIVE, { price: 1, adid: 'second' })));
      const ad = readAnswer(parseJsonText(text.replace('"PRICE"', price), 'all'), ASKED);
      expect([ad.adId, codes(ad)]).toEqual(['second', [['bid/unusable', 1]]]);
    },
  );

  it('the main image may have a link of its own; assets that hold no image cost nothing', () => {
    const own = { url: 'https://shop.example.com/own', clicktrackers: ['https://t.example.com/own'] };
    const assets = [null, 7, { id: 1 }, { id: 1, img: null }, { ...NATIVE.assets[0], link: own }];
    const link = { url: 'https://shop.example.com/', clicktrackers: ['https://t.example.com/all'] };
    expect(read(answer(bid({ assets, link })))).toMatchObject({
      url: IMAGE,
      clickUrl: own.url,
      trackers: [{ event: 'click', url: 'https://t.example.com/own' }],
    });
  });

  it('a text that is almost a number is none at once, however long it is', () => {
    const start = performance.now();
    const almost = `${'1'.repeat(50_000)}x`;
    const ad = read(answer(bid(NATIVE, { price: almost }), bid(NATIVE, { exp: almost })));
    expect(codes(ad)).toEqual([
      ['bid/unusable', 1],
      ['field/unusable', 1],
    ]);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('tells the price as the exchange has written it', () => {
    const burl = 'https://t.example.com/?p=${AUCTION_PRICE}';
    const { trackers } = read(answer(bid(NATIVE, { price: ' 1.50\n', burl })));
    expect(trackers).toEqual([{ event: 'billable', url: 'https://t.example.com/?p=1.50' }]);
  });
});

describe('S13: the currency', () => {
  it.each<[string, unknown, string | undefined]>([
    ['as a list', ['EUR'], 'EUR'],
    ['in small letters, with blanks', ' eur ', 'EUR'],
    ['left out', undefined, 'USD'],
    ['that is none', 'dollars', undefined],
  ])('%s is that of the bid, or nobody says what was earned', (_name, cur, currency) => {
    const ad = read({ ...answer(bid(NATIVE, { burl: 'https://t.example.com/?c=${AUCTION_CURRENCY}' })), cur });
    expect(ad.url).toBe(IMAGE);
    expect(ad.revenue?.currency).toBe(currency);
    expect(ad.trackers).toEqual([{ event: 'billable', url: `https://t.example.com/?c=${currency ?? ''}` }]);
    expect(codes(ad)).toEqual(currency === undefined ? [['field/unusable', 1]] : []);
  });
});

describe('S4: trackers', () => {
  const imp = (url: unknown) => read(answer(bid({ ...NATIVE, imptrackers: [url] })));
  const long = `https://t.example.com/?x=${'x'.repeat(16_384 - 25)}`;

  it.each([
    ['of 16 KB', long, long],
    ['without a scheme', '//t.example.com/i', 'https://t.example.com/i'],
    ['with blanks around it', ' \thttps://t.example.com/i\n', 'https://t.example.com/i'],
    ['with a port', 'https://t.example.com:8443/i', 'https://t.example.com:8443/i'],
  ])('%s are called', (_name, url, called) => {
    const ad = imp(url);
    expect(ad.trackers).toEqual([{ event: 'impression', url: called }]);
    expect(ad).not.toHaveProperty('warnings');
  });

  it.each([
    ['longer than that', `${long}x`],
    ['http', 'http://t.example.com/i'],
    ['of this machine', 'https://localhost/i'],
    ['with user information', 'https://u:p@t.example.com/i'],
    ['no text', { url: 'https://t.example.com/i' }],
  ])('%s are not, and told', (_name, url) => {
    const ad = imp(url);
    expect(ad.url).toBe(IMAGE);
    expect(ad.trackers).toEqual([]);
    expect(codes(ad)).toEqual([['tracker/address', 1]]);
  });

  it('are told the price wherever the macro stands, also percent-encoded', () => {
    const url = 'https://t.example.com/?a=%24%7BAUCTION_PRICE%7D&b=$%7bAUCTION_PRICE%3AB64%7d&c=${auction_price}';
    expect(imp(url).trackers).toEqual([{ event: 'impression', url: 'https://t.example.com/?a=2&b=Mg%3D%3D&c=2' }]);
  });

  it('are told no value that is longer than any real one: many of them would make an address of gigabytes', () => {
    const url = `https://t.example.com/?${'${AUCTION_AD_ID}${AUCTION_PRICE}'.repeat(4_000)}`;
    const flood = { imptrackers: [url, 'https://t.example.com/?a=${AUCTION_AD_ID}&p=${AUCTION_PRICE}'] };
    const long = { adid: 'x'.repeat(100_000), price: `2.${'0'.repeat(100_000)}` };
    const ad = read(answer(bid({ ...NATIVE, ...flood }, long)));
    expect(ad.trackers).toEqual([
      { event: 'impression', url: `https://t.example.com/?${'2'.repeat(4_000)}` },
      { event: 'impression', url: 'https://t.example.com/?a=&p=2' },
    ]);
  });

  it('are not filled any further once they are too long: a value named in a megabyte would make a hundred', () => {
    const encode = jest.spyOn(globalThis, 'encodeURIComponent');
    const url = `https://t.example.com/?${'${AUCTION_SEAT_ID}'.repeat(50_000)}`;
    const seatbid = (native: object, more: object) => [{ seat: 'ü'.repeat(256), bid: [bid(NATIVE, { adm: native, ...more }), bid(NATIVE, { id: 'good', price: 1 })] }]; // prettier-ignore
    const [billed, image] = [
      read({ ...answer(), seatbid: seatbid(NATIVE, { burl: url }) }),
      read({ ...answer(), seatbid: seatbid({ assets: [{ id: 1, img: { url } }], imptrackers: [url] }, {}) }),
    ];
    expect(billed.adId).toBe('good');
    expect(image.url.length).toBeLessThan(url.length + 16_384 + 9 * 256);
    expect(image.trackers).toEqual([]);
    expect(codes(image)).toEqual([['tracker/address', 1]]);
    expect(encode.mock.calls.length).toBeLessThan(100);
  });

  it.each(['x', 'https://'])('of a flood of %s no more than a few hundred are looked at', (url) => {
    const flood = Array<string>(50_000).fill(url);
    const ad = read(answer(bid(NATIVE, { adm: { ...NATIVE, imptrackers: flood }, burl: 'https://t.example.com/b' })));
    expect(ad.trackers).toEqual([{ event: 'billable', url: 'https://t.example.com/b' }]);
    expect(codes(ad)).toEqual([
      ['tracker/address', 199],
      ['tracker/limit', flood.length - 199],
    ]);
  });

  it('are read from one object or text in place of a list, and from numbers as text', () => {
    const native = {
      ...NATIVE,
      eventtrackers: { event: '2', method: '1', url: 'https://t.example.com/2' },
      imptrackers: 'https://t.example.com/1',
      link: { url: 'https://shop.example.com/', clicktrackers: 'https://t.example.com/c' },
    };
    expect(read(answer(bid(native))).trackers).toEqual([
      { event: 'viewable-mrc50', url: 'https://t.example.com/2' },
      { event: 'impression', url: 'https://t.example.com/1' },
      { event: 'click', url: 'https://t.example.com/c' },
    ]);
  });

  it.each([['http', 'http://t.example.com/bill'], ['a number', 7], ['an object', {}], ['more than 16 KB', `${long}x`]])('a bid whose billing notice is %s is not taken', (_name, burl) => {
    const dear = bid(NATIVE, { price: 9, burl });
    expect(() => read(answer(dear))).toThrow(withCode('response/schema'));
    const ad = read(answer(dear, bid(NATIVE, { adid: 'second' })));
    expect(ad.adId).toBe('second');
    expect(ad.warnings).toMatchObject([{ code: 'bid/unusable', count: 1, path: '$.seatbid[0].bid[0].burl' }]);
  }); // prettier-ignore
});

describe('S15: one bad optional part', () => {
  it('half an emoji in a title costs the half', () => {
    const half = '{"assets":[{"id":1,"img":{"url":"https://cdn.example.com/ad.png"}},{"id":2,"title":{"text":"Sale \\ud83d"}}]}';
    expect(read(answer(bid(NATIVE, { adm: half }))).alt).toBe('Sale \ufffd');
    expect(read(answer(bid(NATIVE, { ext: { note: '\ud83d' } }))).url).toBe(IMAGE);
  }); // prettier-ignore

  it('a forbidden key somewhere in the answer costs that key', () => {
    const text = `{"id":"auction-1","ext":{"__proto__":{"polluted":1}},"seatbid":[{"bid":${JSON.stringify([bid(NATIVE)])}}]}`;
    expect(readAnswer(parseJsonText(text, 'all'), ASKED).url).toBe(IMAGE);
    expect(Object.keys(parseJsonText(text, 'all') as { ext: object }['ext'])).not.toContain('__proto__');
  });

  it('a forbidden key, or a part nested too deep, costs itself wherever it stands: in the answer, the bid, the markup', () => {
    const deep = `${'['.repeat(50)}"]"${']'.repeat(50)}`;
    for (const odd of [deep, '{"__proto__":{"polluted":1}}', `{"a":${deep},"constructor":{"prototype":1}}`]) {
      const native = JSON.stringify({ ...NATIVE, ext: 'ODD' }).replace('"ODD"', odd);
      const text = JSON.stringify({ ...answer(bid(NATIVE, { adm: native, ext: 'ODD' })), ext: 'ODD' });
      const ad = readAnswer(parseJsonText(text.replace(/"ODD"/g, odd), 'all'), ASKED);
      expect([ad.url, ad.alt]).toEqual([IMAGE, 'A drink']);
    }
    expect(() => parseJsonText(`{"a":${'['.repeat(50)}}`, 'all')).toThrow(withCode('response/not-json'));
    expect(() => parseJsonText(deep)).toThrow(withCode('response/too-deep'));
  });

  it('a link into an app leads to the page that it names beside', () => {
    const link = { url: 'market://details?id=a', fallback: 'https://shop.example.com/' };
    expect(read(answer(bid({ ...NATIVE, link }))).clickUrl).toBe('https://shop.example.com/');
    const both = { url: 'https://shop.example.com/deal', fallback: 'https://shop.example.com/' };
    expect(read(answer(bid({ ...NATIVE, link: both }))).clickUrl).toBe('https://shop.example.com/deal');
  });

  it('of many bids a hundred are looked at, and none that can be shown is told by the fault of the best', () => {
    const bad = (price: number) => bid({ assets: [] }, { price });
    const bids = [...Array.from({ length: 99 }, (_, i) => bad(100 + i)), bid(NATIVE, { adm: '<p>', price: 900 })];
    const fault = (() => { try { read(answer(...bids, bid(NATIVE))); } catch (error) { return error; } })(); // prettier-ignore
    expect(fault).toMatchObject({ code: 'response/schema', path: '$.seatbid[0].bid[99].adm' });
    const ad = read(answer(...bids.slice(1), bid(NATIVE), bid(NATIVE, { price: 1 })));
    expect([ad.url, ...codes(ad)]).toEqual([IMAGE, ['bid/limit', 1], ['bid/unusable', 99]]);
  });

  it('is told when it is there and cannot be read', () => {
    const native = { ...NATIVE, assets: [{ id: 1, img: { url: IMAGE, w: 'wide', h: -1 } }], link: { url: [] } };
    const ad = read(answer(bid(native, { exp: 'soon', adid: {}, crid: 'creative' })));
    expect(ad).toMatchObject({ adId: 'creative', url: IMAGE });
    expect(codes(ad)).toEqual([['field/unusable', 5]]);
  });
});

/** One tracker of an answer: how it is written, and whether it is called. */
interface WildTracker {
  readonly place: 'event' | 'imp' | 'click';
  readonly written: (address: string) => unknown;
  readonly isCalled: boolean;
}

const writings: readonly (Pick<WildTracker, 'written' | 'isCalled'> & { readonly isLong?: boolean })[] = [
  { written: (a) => a, isCalled: true },
  { written: (a) => ` ${a}\n`, isCalled: true },
  { written: (a) => a.replace('https:', ''), isCalled: true },
  { written: (a) => a.replace('.com', '.com:444'), isCalled: true },
  { written: (a) => `${a}?${'x'.repeat(3_000)}`, isCalled: true, isLong: true },
  { written: (a) => a.replace('https:', 'http:'), isCalled: false },
  { written: (a) => `${a}?${'x'.repeat(20_000)}`, isCalled: false, isLong: true },
  { written: (a) => ({ url: a }), isCalled: false },
  { written: () => 'javascript:alert(1)', isCalled: false },
  { written: () => 7, isCalled: false },
];
const wildTracker: fc.Arbitrary<WildTracker> = fc
  .tuple(
    fc.constantFrom('event', 'imp', 'click'),
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...writings.filter(({ isLong }) => !isLong)) },
      fc.constantFrom(...writings),
    ),
  )
  .map(([place, writing]) => ({ place, ...writing }));

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

/** What may stand where something optional is expected. */
const nasty = fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, '', ' ', 'x', '\ud83d', '\u0000', [], {}, [[]], [null], [{}], { url: 7 }, { native: 1 }, 'x'.repeat(3_000), { toString: 1 }, nested(40), JSON.parse('{"__proto__":{"polluted":1}}'), { constructor: { prototype: 1 } }); // prettier-ignore
const OPTIONAL_OF_BID = ['id', 'adid', 'crid', 'cid', 'exp', 'w', 'h', 'adomain', 'cat', 'nurl', 'iurl', 'ext', 'attr', 'mtype', 'dealid']; // prettier-ignore
const OPTIONAL_OF_NATIVE = ['ver', 'link', 'privacy', 'jstracker', 'dcourl', 'ext', 'eventtrackers', 'imptrackers'];
const damages = (names: readonly string[]) => fc.dictionary(fc.constantFrom(...names), nasty, { maxKeys: 4 });

const wildAnswer = fc.record({
  trackers: fc.array(wildTracker, { maxLength: 6 }),
  single: fc.boolean(),
  markup: fc.constantFrom<(native: object) => object>(
    (native) => ({ adm: JSON.stringify(native) }),
    (native) => ({ adm: native }),
    (native) => ({ adm: JSON.stringify({ native }) }),
    (native) => ({ adm: JSON.stringify(JSON.stringify(native)) }),
    (native) => ({ adm: `\ufeff ${JSON.stringify(native)} ` }),
    (native) => ({ adm_native: native }),
  ),
  price: fc.constantFrom<unknown>(2, '2', '2.00', ' 2'),
  impid: fc.constantFrom<unknown>('1', 1),
  asset: fc.constantFrom<object>({ id: 1 }, { id: '1' }, { id: 9, type: 3 }, {}),
  others: fc.array(nasty, { maxLength: 3 }),
  ofBid: damages(OPTIONAL_OF_BID),
  ofNative: damages(OPTIONAL_OF_NATIVE),
  ofAnswer: damages(['bidid', 'cur', 'ext', 'customdata', 'nbr']),
  ofImage: damages(['w', 'h', 'ext']),
});

describe('a real answer, written wildly', () => {
  it('S4 S13 S15: is never an exception, never loses its bid for an optional part, and tells every tracker it drops', () => {
    fc.assert(
      fc.property(wildAnswer, (wild) => {
        const at = (i: number) => `https://t${i}.example.com/t`;
        const placed = (place: WildTracker['place']) =>
          wild.trackers.flatMap(({ written, ...tracker }, i) => (tracker.place === place ? [written(at(i))] : []));
        const list = (items: unknown[]) => (wild.single && items.length === 1 ? items[0] : items);
        const native = {
          assets: list([{ ...wild.asset, img: { url: IMAGE, type: (wild.asset as { type?: number }).type, ...wild.ofImage } }]),
          ...wild.ofNative,
          eventtrackers: list(placed('event').map((url) => ({ event: 1, method: 1, url }))),
          imptrackers: list(placed('imp')),
          link: { url: 'https://shop.example.com/', clicktrackers: list(placed('click')) },
        };
        delete (native as { jstracker?: unknown }).jstracker;
        const good = { ...wild.ofBid, price: wild.price, impid: wild.impid, ...wild.markup(native) };
        const ad = read({
          ...wild.ofAnswer,
          id: 'auction-1',
          seatbid: list([{ seat: 's', bid: [...wild.others, good] }]),
        });

        const called = wild.trackers.filter(({ isCalled }) => isCalled).length;
        const told = (ad.warnings ?? []).filter(({ code }) => code.startsWith('tracker/'));
        const toldCount = told.reduce((sum, { count }) => sum + count, 0);
        // By hand: `expect` takes most of the time of twenty thousand runs.
        return ad.url === IMAGE && ad.trackers?.length === called && toldCount === wild.trackers.length - called;
      }),
      { numRuns: RUNS },
    );
  }, 600_000); // prettier-ignore
});

it('what was read is changed by nobody, whoever gets it', () => {
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
  const more = { burl: 'https://t.example.com/b', adomain: ['shop.example.com'], cat: ['IAB1'], exp: 'soon' };
  const ad = read(answer(bid({ ...NATIVE, imptrackers: ['https://t.example.com/i', 'http://t.example.com'] }, more)));
  expect(codes(ad)).toHaveLength(2);
  expect(Object.keys(ad)).toEqual(expect.arrayContaining(['advertiserDomains', 'categories', 'revenue', 'trackers']));
  expect(Object.entries(ad).filter(([, part]) => !isFrozen(part))).toEqual([]);
  expect(isFrozen(ad)).toBe(true);
});

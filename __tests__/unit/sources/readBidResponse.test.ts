import fc from 'fast-check';

import { isAdsError } from '../../../src/errors.js';
import type { AskedFor } from '../../../src/sources/openrtb/readBidResponse.js';
import { withCode } from '../../helpers/withCode.js';
import { readAnswer } from './readAnswer.js';
import {
  AD_SERVED_ON_WIN,
  CONTENT_VIDEO,
  NATIVE_ASKED,
  nativeInline,
  SOCIAL_CLICKOUT,
  VAST_INLINE,
} from './specificationExamples.js';

const ASKED: AskedFor = { requestId: '123', impId: '2', ...NATIVE_ASKED };
const IMAGE = { id: 128, img: { url: 'https://cdn.example.com/ad.png', w: 300, h: 250 } };

/** As it is told, in words that may change. */
const warning = (code: string, count: number, path: string): object => ({ code, count, path, message: expect.any(String) as string }); // prettier-ignore

/** A bid on what was asked for. */
function bidOf(native: object, more: object = {}): Record<string, unknown> {
  return { id: 'bid-1', impid: '2', price: 1, adm: JSON.stringify(native), ...more };
}

function responseOf(...bids: object[]): object {
  return { id: '123', bidid: 'b-9', cur: 'EUR', seatbid: [{ seat: '512', bid: bids }] };
}

describe('the examples of the specifications', () => {
  it('Native 1.2 §6.1 as the markup of OpenRTB 2.6 §6.3.4', () => {
    expect(readAnswer(nativeInline(SOCIAL_CLICKOUT), ASKED)).toEqual({
      adId: '12345',
      label: 'Ad',
      advertiser: 'My Brand',
      revenue: { value: 0.003, currency: 'USD', precision: 'estimated' },
      serveId: '123:12345',
      // Plain http and the blank in the link are refused where they are used: by the gate, and by the click rules.
      url: 'http://www.myads.com/largethumb1.png',
      clickUrl: 'http: //i.am.a/URL',
      alt: 'My Brand: Learn about this awesome thing',
      // A script is never run, and a tracker must be https.
      trackers: [],
      warnings: [
        warning('tracker/script', 1, '$.seatbid[0].bid[0].adm.eventtrackers[0]'),
        warning('tracker/address', 1, '$.seatbid[0].bid[0].adm.eventtrackers[1]'),
      ],
    });
  });

  it('the same with https addresses: its trackers by image are kept', () => {
    const secure = JSON.parse(JSON.stringify(SOCIAL_CLICKOUT).replaceAll('http://', 'https://')) as object;
    expect(readAnswer(nativeInline(secure), ASKED)).toMatchObject({
      url: 'https://www.myads.com/largethumb1.png',
      trackers: [{ event: 'viewable-mrc50', url: 'https://www.mytracker.com/tracker.php' }],
    });
  });

  it('Native 1.2 §6.2: the main image of a video ad', () => {
    expect(readAnswer(nativeInline(CONTENT_VIDEO), ASKED)).toMatchObject({
      url: 'http://www.myads.com/largethumb1.png',
      alt: 'My Brand: Watch this awesome thing',
    });
  });

  it.each([
    ['§6.3.1, markup on the win notice', AD_SERVED_ON_WIN, { ...ASKED, requestId: '1234567890', impId: '102' }],
    ['§6.3.2, VAST', VAST_INLINE, ASKED],
  ])('OpenRTB 2.6 %s: is no native markup, response/schema', (_name, response, asked) => {
    expect(() => readAnswer(response, asked)).toThrow(withCode('response/schema'));
  });
});

describe('no bid (§7.1)', () => {
  it.each([
    ['204, no body', undefined],
    ['null', null],
    ['an empty object', {}],
    ['a reason', { id: '123', seatbid: [], nbr: 2 }],
    ['seats without bids', { id: '123', seatbid: [{ seat: 'a', bid: [] }] }],
  ])('%s is no ad', (_name, response) => {
    expect(readAnswer(response, ASKED)).toEqual({ adId: '', url: '' });
  });

  it.each([
    ['bids on something else', { impid: '7' }],
    ['a bid without a price', { price: undefined }],
    ['a price that is no number', { price: '1,5' }],
    ['a negative price', { price: -1 }],
  ])('S4: %s is no ad, and told', (_name, more) => {
    expect(readAnswer(responseOf(bidOf({ assets: [IMAGE] }, more)), ASKED)).toEqual({
      adId: '',
      url: '',
      warnings: [warning('bid/unusable', 1, '$.seatbid[0].bid[0]')],
    });
  });
});

describe('a bid response', () => {
  it('gives image, size, link, expiry, and trackers with the macros of §4.4 filled', () => {
    const q = 'p=${AUCTION_PRICE}&b=${AUCTION_PRICE:B64}&c=${AUCTION_CURRENCY}&s=${AUCTION_SEAT_ID}&x=${AUCTION_LOSS}';
    const native = {
      ver: '1.2',
      link: { url: 'https://shop.example.com/?a=${AUCTION_AD_ID}', clicktrackers: ['https://t.example.com/click'] },
      assets: [IMAGE],
      imptrackers: ['https://t.example.com/old'],
      jstracker: '<script src="https://t.example.com/old.js"></script>',
      eventtrackers: [
        { event: 1, method: 1, url: `https://t.example.com/imp?${q}` },
        {
          event: 2,
          method: 1,
          url: 'https://t.example.com/50?i=${AUCTION_ID}&m=${AUCTION_IMP_ID}&r=${AUCTION_BID_ID}',
        },
        { event: 3, method: 1, url: 'https://t.example.com/100?ts=${AUCTION_IMP_TS}' },
        { event: 4, method: 1, url: 'https://t.example.com/video' },
        { event: 500, method: 1, url: 'https://t.example.com/private' },
        { event: 1, method: 2, url: 'https://t.example.com/script.js' },
      ],
    };
    const bid = bidOf(native, {
      price: 2.5,
      adid: 'ad&7',
      exp: 60,
      burl: 'https://t.example.com/bill?p=${AUCTION_PRICE}',
    });
    expect(readAnswer(responseOf(bid), ASKED)).toEqual({
      adId: 'ad&7',
      label: 'Ad',
      revenue: { value: 0.0025, currency: 'EUR', precision: 'exact', line: 'ad&7' },
      serveId: '123:bid-1',
      url: 'https://cdn.example.com/ad.png',
      width: 300,
      height: 250,
      clickUrl: 'https://shop.example.com/?a=ad%267',
      expiresInSeconds: 60,
      trackers: [
        { event: 'billable', url: 'https://t.example.com/bill?p=2.5' },
        { event: 'impression', url: 'https://t.example.com/imp?p=2.5&b=Mi41&c=EUR&s=512&x=' },
        { event: 'viewable-mrc50', url: 'https://t.example.com/50?i=123&m=2&r=b-9' },
        { event: 'viewable-mrc100', url: 'https://t.example.com/100?ts=${AUCTION_IMP_TS}' },
        { event: 'viewable-video50', url: 'https://t.example.com/video' },
        { event: 'impression', url: 'https://t.example.com/old' },
        { event: 'click', url: 'https://t.example.com/click' },
      ],
      warnings: [
        warning('tracker/event', 1, '$.seatbid[0].bid[0].adm.eventtrackers[4]'),
        warning('tracker/script', 2, '$.seatbid[0].bid[0].adm.eventtrackers[5]'),
      ],
    });
  });

  it('takes the markup as an object, and the main image by its type', () => {
    const native = { assets: [{ id: 9, img: { type: 1, url: 'https://a/icon.png' } }, { id: 8, img: { type: 3, url: 'https://a.example/main.png' } }] }; // prettier-ignore
    expect(readAnswer(responseOf({ ...bidOf({}), adm: native }), ASKED).url).toBe('https://a.example/main.png');
  });

  it.each<[string, (native: object) => unknown]>([
    ['a list', (native) => [native]],
    ['a text of a list', (native) => JSON.stringify([native])],
    ['a list of texts', (native) => [JSON.stringify(native)]],
    ['an object that holds it', (native) => ({ native })],
    ['an object that holds a text', (native) => ({ native: JSON.stringify(native) })],
    ['a text of an object that holds a text', (native) => JSON.stringify({ native: JSON.stringify(native) })],
  ])('takes the markup out of %s', (_name, wrap) => {
    expect(readAnswer(responseOf({ ...bidOf({}), adm: wrap({ assets: [IMAGE] }) }), ASKED).url).toBe(IMAGE.img.url);
  });

  it('takes a lone image that does not say what it is for the main one, but none of several', () => {
    const image = (url: string) => ({ img: { url } });
    const [one, another] = [image('https://a.example/1.png'), image('https://a.example/2.png')];
    expect(readAnswer(responseOf(bidOf({ assets: [one] })), ASKED).url).toBe(one.img.url);
    expect(() => readAnswer(responseOf(bidOf({ assets: [one, another] })), ASKED)).toThrow(withCode('response/schema'));
    const icon = { img: { type: 1, url: 'https://a.example/icon.png' } };
    expect(() => readAnswer(responseOf(bidOf({ assets: [icon] })), ASKED)).toThrow(withCode('response/schema'));
  });

  it('calls no tracker that does not say for which event or how, or says so in numbers nobody knows', () => {
    const url = 'https://t.example.com/seen';
    const eventtrackers = [{ method: 1, url }, { event: 1, url }, { event: 1, method: 3, url }, { event: 0, method: 1, url }, null]; // prettier-ignore
    expect(readAnswer(responseOf(bidOf({ assets: [IMAGE], eventtrackers })), ASKED)).toMatchObject({
      trackers: [],
      warnings: [warning('tracker/event', 5, '$.seatbid[0].bid[0].adm.eventtrackers[0]')],
    });
  });

  it('tells the price as it was written, without the blanks around it', () => {
    const native = { assets: [IMAGE], imptrackers: ['https://t.example.com/?p=${AUCTION_PRICE}'] };
    expect(readAnswer(responseOf(bidOf(native, { price: ' 2.50 ' })), ASKED)).toMatchObject({
      revenue: { value: 0.0025 },
      trackers: [{ event: 'impression', url: 'https://t.example.com/?p=2.50' }],
    });
  });

  it('takes the best bid that can be shown, wherever it stands', () => {
    const at = (price: number, url: string) => bidOf({ assets: [{ id: 128, img: { url } }] }, { price });
    const html = bidOf({}, { price: 9, adm: '<div>buy</div>' });
    const response = { id: '123', seatbid: [{ bid: [at(1, 'https://a.example/1'), html] }, { bid: [at(3, 'https://a.example/3')] }] }; // prettier-ignore
    expect(readAnswer(response, ASKED).url).toBe('https://a.example/3');
  });

  it('tells where the bids stood that could not be taken, also those of which no part is wrong', () => {
    const tooLong = bidOf({}, { price: 9, adm: ' '.repeat(300_000) });
    const response = { id: '123', seatbid: [{ bid: [bidOf({ assets: [IMAGE] }), tooLong] }] };
    expect(readAnswer(response, ASKED).warnings).toEqual([warning('bid/unusable', 1, '$.seatbid[0].bid[1]')]);
    response.seatbid.unshift('no seat' as never, null as never);
    expect(readAnswer(response, ASKED).warnings).toEqual([warning('bid/unusable', 3, '$.seatbid[0]')]);
  });

  const adOf = (more: object, image: object = {}) =>
    readAnswer(responseOf(bidOf({ assets: [{ id: 128, img: { ...IMAGE.img, ...image } }] }, more)), ASKED);

  it('earns under the deal it was made by, else under its creative, else under its ad', () => {
    expect(adOf({ dealid: 'deal', crid: 'creative', adid: 'ad' }).revenue?.line).toBe('deal');
    expect(adOf({ crid: 'creative', adid: 'ad' }).revenue?.line).toBe('creative');
    expect(adOf({ adid: 'ad' }).revenue?.line).toBe('ad');
  });

  it('is by the sponsor it names, else by the first of its domains', () => {
    const sponsor = { id: ASKED.sponsorId, data: { value: 'My Brand' } };
    const named = bidOf({ assets: [IMAGE, sponsor] }, { adomain: ['a.example', 'b.example'] });
    expect(readAnswer(responseOf(named), ASKED).advertiser).toBe('My Brand');
    expect(adOf({ adomain: ['a.example', 'b.example'] }).advertiser).toBe('a.example');
    const blank = bidOf({ assets: [IMAGE, { ...sponsor, data: { value: ' ' } }] }, { adomain: ['a.example'] });
    expect(readAnswer(responseOf(blank), ASKED).advertiser).toBe('a.example');
  });

  it.each([
    [0.25, 1],
    [86_400, 86_400],
    [86_401, 86_400],
    [0, undefined],
  ])('that expires in %d s is kept for %p s', (exp, seconds) => {
    expect(adOf({ exp }).expiresInSeconds).toBe(seconds);
  });

  it.each<[string, object, object]>([
    ['of its ad', { adid: 'ad', crid: 'creative' }, { adId: 'ad', serveId: '123:bid-1' }],
    ['without what is no letter', { adid: ' a\nd\u0000 ' }, { adId: 'a d' }],
    ['of its creative, where that of its ad is blank', { adid: ' \u0007', crid: 'creative' }, { adId: 'creative' }],
    ['of the bid, where others are no numbers', { adid: Infinity, crid: NaN }, { adId: 'bid-1' }],
    ['of what was asked for, where it has none', { id: undefined }, { adId: '2', serveId: '123:' }],
  ])('goes by an id %s', (_name, more, ids) => {
    expect(adOf(more)).toMatchObject(ids);
  });

  it('has no side of 0 px', () => {
    const ad = adOf({}, { w: 0, h: -1 });
    expect([ad.width, ad.height]).toEqual([undefined, undefined]);
  });

  const HTTP = 'http://t.example.com/';
  /** What a path of a warning leads to, in answers whose markup is text, too. `[]` is any one of a list. */
  const at = (json: unknown, path: string): unknown =>
    path.match(/[^.[\]$]+/g)!.reduce<unknown>((holder, name) => {
      const node: unknown = typeof holder === 'string' ? JSON.parse(holder) : holder;
      const from: unknown =
        Array.isArray(node) && !/^\d+$/.test(name) ? (node as object[]).find((e) => name in e) : node;
      return (from as Record<string, unknown> | undefined)?.[name];
    }, json);

  it.each<[unknown, object, object?]>([
    ['$', {}, { cur: '$' }],
    [{ size: 7 }, bidOf({ assets: [{ id: 1 }, { id: 128, img: { ...IMAGE.img, w: { size: 7 } } }] })],
    [-7, bidOf({ assets: [{ id: 128, img: { ...IMAGE.img, h: -7 } }] })],
    [['no id'], bidOf({ assets: [IMAGE] }, { adid: ['no id'] })],
    ['never', bidOf({ assets: [IMAGE] }, { exp: 'never' })],
    [['x'], bidOf({ assets: [IMAGE], link: { url: ['x'] } })],
    [`${HTTP}2`, bidOf({ assets: [IMAGE], imptrackers: ['https://t.example.com/1', `${HTTP}2`] })],
    [`${HTTP}3`, bidOf({ assets: [IMAGE], link: { clicktrackers: [`${HTTP}3`] } })],
    [
      { event: 1, method: 1, url: HTTP },
      bidOf({ assets: [IMAGE], eventtrackers: [{ event: 1, method: 1, url: HTTP }] }),
    ],
    [{ method: 2 }, bidOf({ assets: [IMAGE], eventtrackers: [{ method: 2 }] })],
    ['<script>', bidOf({ assets: [IMAGE], jstracker: '<script>' })],
    [`${HTTP}w`, bidOf({ assets: [IMAGE] }, { ext: { prebid: { events: { win: `${HTTP}w` } } } })],
    [`${HTTP}i`, bidOf({ assets: [IMAGE] }, { ext: { prebid: { events: { imp: `${HTTP}i` } } } })],
    [[{ id: 7 }], bidOf({ assets: [{ id: 7 }] })],
    [{ no: 'address' }, bidOf({ assets: [{ id: 128, img: { url: { no: 'address' } } }] })],
    ['<div>', bidOf({}, { adm: '<div>' })],
    [`${HTTP}b`, bidOf({ assets: [IMAGE] }, { burl: `${HTTP}b` })],
  ])('of which %j cannot be used tells where it stands', (part, bid, more = {}) => {
    const response = { ...responseOf('adm' in bid ? bid : bidOf({ assets: [IMAGE] })), ...more };
    const paths: (string | undefined)[] = [];
    try {
      paths.push(...(readAnswer(response, ASKED).warnings ?? []).map(({ path }) => path));
    } catch (error) {
      paths.push(isAdsError(error) ? error.path : String(error));
    }
    expect(paths.map((path) => at(response, path!))).toEqual([part]);
  });

  it('has sides of up to 16,384 px', () => {
    expect(adOf({}, { w: 16_384, h: 16_385 })).toMatchObject({ width: 16_384 });
    expect(adOf({}, { w: 16_384, h: 16_385 })).not.toHaveProperty('height');
  });

  it('may hold a hundred bids, of which nobody is told that there were more', () => {
    const bids = Array.from({ length: 100 }, () => bidOf({ assets: [IMAGE] }));
    expect(readAnswer(responseOf(...bids), ASKED)).not.toHaveProperty('warnings');
  });

  it('calls a tracker that is named twice for the same event once', () => {
    const url = 'https://t.example.com/seen';
    const again = { event: 1, method: 1, url };
    const bid = bidOf({ assets: [IMAGE], eventtrackers: [again, again, { ...again, event: 2 }], imptrackers: [url] });
    expect(readAnswer(responseOf(bid), ASKED).trackers).toEqual([
      { event: 'impression', url },
      { event: 'viewable-mrc50', url },
    ]);
  });

  it('keeps 100 trackers of a flood, the billing notice among them', () => {
    const eventtrackers = Array.from({ length: 500 }, (_, i) => ({
      event: 1,
      method: 1,
      url: `https://t.example.com/${i}`,
    }));
    const bid = bidOf({ assets: [IMAGE], eventtrackers }, { burl: 'https://t.example.com/bill' });
    const { trackers, warnings } = readAnswer(responseOf(bid), ASKED);
    expect(trackers).toHaveLength(100);
    expect(trackers![0]!.event).toBe('billable');
    expect(warnings).toEqual([warning('tracker/limit', 401, '$.seatbid[0].bid[0].adm.eventtrackers[99]')]);
  });

  it('percent-encodes what fills a macro, and leaves out what cannot be', () => {
    const url = 'https://cdn.example.com/${AUCTION_SEAT_ID}/${AUCTION_PRICE:AES}';
    const response = (seat: string) => ({ id: '123', seatbid: [{ seat, bid: [bidOf({ assets: [{ id: 128, img: { url } }] })] }] }); // prettier-ignore
    expect(readAnswer(response('a/../b?c'), ASKED).url).toBe('https://cdn.example.com/a%2F..%2Fb%3Fc/');
    expect(readAnswer(response('\ud800'), ASKED).url).toBe('https://cdn.example.com//');
  });

  it.each([
    ['another auction', { ...responseOf(bidOf({ assets: [IMAGE] })), id: '124' }, 'response/schema'],
    ['no image', responseOf(bidOf({ assets: [] })), 'response/schema'],
    ['an image without address', responseOf(bidOf({ assets: [{ id: 128, img: {} }] })), 'response/schema'],
    ['an empty list', [], 'response/schema'],
    ['text', 'no', 'response/schema'],
    [
      'markup that is nothing but __proto__',
      responseOf({ ...bidOf({}), adm: '{"__proto__":{"assets":[]}}' }),
      'response/schema',
    ],
    ['markup nested 10,000 deep', responseOf({ ...bidOf({}), adm: '['.repeat(10_000) }), 'response/schema'],
    ['markup of 300 kB', responseOf({ ...bidOf({}), adm: ' '.repeat(300_000) }), 'response/too-large'],
  ])('%s: refused', (_name, response, code) => {
    expect(() => readAnswer(response, ASKED)).toThrow(withCode(code));
  });

  it('whatever comes, gives an ad of the documented shape or a typed error', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).join();
    const address = fc.oneof(fc.webUrl(), fc.string(), fc.constant('javascript:alert(1)'));
    const anything = fc.anything({ withNullPrototype: true });
    const tracker = fc.record({ event: fc.oneof(fc.integer({ min: 0, max: 5 }), anything), method: fc.constantFrom(1, 2, '1'), url: fc.oneof(address, anything) }, { requiredKeys: [] }); // prettier-ignore
    const native = fc.record({
      assets: fc.oneof(anything, fc.array(fc.oneof(anything, fc.record({ id: fc.constantFrom(128, 1), img: fc.oneof(anything, fc.record({ url: address, w: anything })) })))),
      link: fc.oneof(anything, fc.record({ url: fc.oneof(address, anything), clicktrackers: fc.oneof(anything, fc.array(address)) })),
      eventtrackers: fc.oneof(anything, fc.array(tracker)),
      imptrackers: fc.oneof(anything, fc.array(address)),
    }, { requiredKeys: [] }); // prettier-ignore
    const bid = fc.record({ id: fc.oneof(fc.string(), anything), impid: fc.constant('2'), price: fc.oneof(fc.double(), anything), adm: fc.oneof(native, native.map((value) => JSON.stringify(value)), anything), burl: fc.oneof(address, anything), exp: anything, adid: anything, crid: anything }); // prettier-ignore
    const response = fc.record({ id: fc.constant('123'), seatbid: fc.oneof(anything, fc.array(fc.oneof(anything, fc.record({ seat: anything, bid: fc.oneof(anything, fc.array(bid)) })))), cur: anything }); // prettier-ignore
    fc.assert(
      fc.property(fc.oneof(response, anything), (json) => {
        try {
          const ad = readAnswer(json, ASKED);
          expect(typeof ad.adId).toBe('string');
          expect(typeof ad.url).toBe('string');
          for (const { url } of ad.trackers ?? []) expect(url).toMatch(/^https:\/\//i);
        } catch (error) {
          if (!isAdsError(error)) throw error;
          expect(error.code).toMatch(/^response\//);
        }
      }),
      { numRuns: process.env['DEEP'] ? 100_000 : 2_000 },
    );
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
  });
});

import type { AskedFor } from '../../../src/sources/openrtb/readBidResponse.js';
import { type BlockLists, readBlockLists } from '../../../src/sources/openrtb/blockLists.js';
import { withCode } from '../../helpers/withCode.js';
import { readAnswer } from './readAnswer.js';

const ADM = JSON.stringify({
  assets: [
    { id: 1, img: { url: 'https://cdn.example.com/a.png' } },
    { id: 3, data: { value: ' Soda Inc. ' } },
  ],
});
const asked = (lists: BlockLists, accepts: AskedFor['accepts'] = () => true): AskedFor => ({
  requestId: 'auction-1',
  impId: '1',
  mainImageId: 1,
  titleId: 2,
  sponsorId: 3,
  label: 'Anzeige',
  blocked: readBlockLists(lists),
  accepts,
  isVideo: () => false,
});
const MANY = Array.from({ length: 300 }, (_, i) => `good${i}.example`);
const bid = (more: object): object => ({ id: 'b', impid: '1', price: 2.5, adm: ADM, ...more });
const answer = (...bids: object[]): object => ({ id: 'auction-1', cur: 'EUR', seatbid: [{ bid: bids }] });

describe('what may not be advertised', () => {
  it.each<[string, BlockLists, object, boolean]>([
    ['a domain', { badv: ['bad.example'] }, { adomain: ['bad.example'] }, true],
    ['a domain written as an address', { badv: ['bad.example'] }, { adomain: ['https://WWW.bad.example/x'] }, true],
    ['a subdomain', { badv: ['bad.example'] }, { adomain: 'shop.bad.example' }, true],
    ['a domain that only ends alike', { badv: ['bad.example'] }, { adomain: ['notbad.example'] }, false],
    ['a domain with a dot and a port at its end', { badv: ['bad.example.'] }, { adomain: ['bad.example:443/x'] }, true],
    ['a domain in another writing', { badv: ['bücher.example'] }, { adomain: ['XN--BCHER-KVA.example'] }, true],
    ['a text that is no host', { badv: ['Bad Shop'] }, { adomain: ['bad shop'] }, true],
    ['another text that is no host', { badv: ['Bad Shop'] }, { adomain: ['good shop'] }, false],
    ['one of several in a text', { badv: ['bad.example'] }, { adomain: ['good.example, bad.example'] }, true],
    ['the last of many domains', { badv: ['bad.example'] }, { adomain: [...MANY, 'bad.example'] }, true],
    ['the last of many categories', { bcat: ['IAB7'] }, { cat: [...MANY, 'IAB7'] }, true],
    ['a category in small letters', { bcat: ['IAB7'] }, { cat: ['iab7-39'] }, true],
    ['a category blocked in small letters', { bcat: ['iab7'] }, { cat: ['IAB7-39'] }, true],
    ['a category', { bcat: ['IAB7'] }, { cat: ['IAB1', 'IAB7'] }, true],
    ['a category below it', { bcat: ['IAB7'] }, { cat: ['IAB7-39'] }, true],
    ['a category that only begins alike', { bcat: ['IAB7'] }, { cat: ['IAB77'] }, false],
    ['a category by number', { bcat: ['7'] }, { cat: 7 }, true],
    ['an attribute', { battr: [8] }, { attr: [1, '8'] }, true],
    ['one of several attributes in a text', { battr: [8] }, { attr: '1, 8' }, true],
    ['another attribute', { battr: [8] }, { attr: [88, '8a', null] }, false],
    [
      'a domain of a list taken apart at its commas',
      { badv: 'a.example, bad.example'.split(',') },
      { adomain: ['bad.example'] },
      true,
    ],
    ['a category of a list in one text', { bcat: ['IAB2;IAB7 '] }, { cat: ['IAB7-39'] }, true],
    ['nobody knows whose', { badv: ['bad.example'] }, {}, false],
    ['nobody knows whose, asked for', { badv: ['bad.example'], blockUnknown: true }, {}, true],
    [
      'nobody knows whose, from words that say nothing',
      { badv: ['bad.example'], blockUnknown: true },
      { adomain: ['', ' ', null, {}] },
      true,
    ],
    ['nobody knows what, asked for', { bcat: ['IAB7'], blockUnknown: true }, { adomain: ['a.example'] }, true],
    ['told in another taxonomy', { bcat: ['IAB7'] }, { cat: ['483'] }, false],
    ['told in another taxonomy, asked for', { bcat: ['IAB7'], blockUnknown: true }, { cat: ['483'] }, true],
    ['of too many to look through', { badv: ['bad.example'] }, { adomain: Array(1_001).fill('a.example') }, true],
    ['of as many, where no domain is blocked', { battr: [8] }, { adomain: Array(1_001).fill('a.example') }, false],
    ['of too many kinds to look through', { bcat: ['IAB7'] }, { cat: Array(1_001).fill('IAB1') }, true],
    ['of too many attributes to look through', { battr: [8] }, { attr: Array(1_001).fill(1) }, true],
    ['of as many attributes, where none is blocked', { bcat: ['IAB7'] }, { attr: Array(1_001).fill(1) }, false],
    [
      'the last of many words between nothing',
      { badv: ['bad.example'] },
      { adomain: `${', ;'.repeat(2_000)}bad.example` },
      true,
    ],
    ['of as many kinds, where none is blocked', { battr: [8] }, { cat: Array(1_001).fill('IAB1') }, false],
  ])('%s', (_name, lists, more, isBlocked) => {
    const ad = readAnswer(answer(bid(more)), asked(lists));
    expect(ad.adId === '').toBe(isBlocked);
    if (isBlocked) expect(ad.warnings).toMatchObject([{ code: 'bid/blocked', count: 1 }]);
    const other = bid({ adid: 'second', price: 1, adomain: ['good.example'], cat: ['IAB1'] });
    expect(readAnswer(answer(bid(more), other), asked(lists)).adId).toBe(isBlocked ? 'second' : 'b');
  });

  it('a text of half a million words is not divided further than needed', () => {
    const flood = 'a,'.repeat(500_000);
    const [split, trim] = [jest.spyOn(String.prototype, 'split'), jest.spyOn(String.prototype, 'trim')];
    for (const lists of [{}, { bcat: ['IAB7'], badv: ['bad.example'], battr: [8] }]) {
      readAnswer(answer(bid({ adomain: flood, cat: flood, attr: flood }), bid({ price: 1 })), asked(lists));
    }
    expect(trim.mock.calls.length).toBeLessThan(10_000);
    expect(split.mock.contexts).not.toContain(flood);
  });

  it.each<[string, AskedFor['floor'], boolean]>([
    ['below the floor', { price: 2.51, currency: 'EUR' }, true],
    ['at the floor', { price: 2.5, currency: 'EUR' }, false],
    ['with a floor in another currency', { price: 9, currency: 'USD' }, false],
    ['without a floor', undefined, false],
  ])('a bid %s: whether the surface is not sold for it is %p %p', (_name, floor, isBelow) => {
    const ad = readAnswer(answer(bid({})), { ...asked({}), floor });
    expect(ad.adId).toBe(isBelow ? '' : 'b');
    expect(ad.warnings?.map(({ code }) => code)).toEqual(isBelow ? ['bid/floor'] : undefined);
  });

  it('the game would not show: the next best bid takes its place', () => {
    const accepts: AskedFor['accepts'] = ({ adId }) => adId !== 'first';
    const ad = readAnswer(answer(bid({ adid: 'first' }), bid({ adid: 'second', price: 1 })), asked({}, accepts));
    expect(ad.adId).toBe('second');
    expect(ad.warnings).toMatchObject([{ code: 'bid/mix', count: 1 }]);
  });

  it.each([
    { bcat: 'IAB7' },
    { bcat: [''] },
    { badv: [7] },
    { badv: [''] },
    { battr: ['8'] },
    { battr: 8 },
    { blockUnknown: 1 },
  ])('%j is refused', (lists) => {
    expect(() => readBlockLists(lists as never)).toThrow(withCode('config/option'));
  });
});

describe('P7: what a bid says of itself', () => {
  it('is the price of one impression, its line, label and advertiser', () => {
    const more = { adomain: ['Soda.example'], cat: ['IAB8'], dealid: 'deal-1', burl: 'https://b.example.com/' };
    expect(readAnswer(answer(bid(more)), asked({}))).toMatchObject({
      label: 'Anzeige',
      advertiser: 'Soda Inc.',
      advertiserDomains: ['soda.example'],
      categories: ['IAB8'],
      revenue: { value: 0.0025, currency: 'EUR', precision: 'exact', line: 'deal-1' },
    });
  });

  it('is told up to ten domains and ten categories', () => {
    const { advertiserDomains, categories } = readAnswer(answer(bid({ adomain: MANY, cat: MANY })), asked({}));
    expect([advertiserDomains, categories]).toEqual([MANY.slice(0, 10), MANY.slice(0, 10)]);
    const long = readAnswer(answer(bid({ adomain: 'x'.repeat(300), cat: 'x'.repeat(300) })), asked({}));
    expect([long.advertiserDomains, long.categories]).toEqual([['x'.repeat(253)], ['x'.repeat(253)]]);
  });

  it('is an estimate where the exchange counts by itself', () => {
    const { revenue } = readAnswer(answer(bid({ crid: 'c-1' })), asked({}));
    expect(revenue).toEqual({ value: 0.0025, currency: 'EUR', precision: 'estimated', line: 'c-1' });
  });
});

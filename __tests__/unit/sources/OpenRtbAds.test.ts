import { AdsError } from '../../../src/errors.js';
import { OpenRtbAds } from '../../../src/sources/openrtb/OpenRtbAds.js';
import type { BidRequest, OpenRtbOptions } from '../../../src/sources/openrtb/OpenRtbOptions.js';
import { DISPLAY_MANAGER_VERSION } from '../../../src/sources/openrtb/bidRequest.js';
import { readFileSync } from 'node:fs';
import { VastVideo } from '../../../src/sources/vast/VastVideo.js';
import { quoteForeign } from '../../../src/sources/quoteForeign.js';
import { withCode } from '../../helpers/withCode.js';
import { FakeService, type Answer, type SeenRequest } from '../service/FakeService.js';
import { FakeWorld } from '../service/FakeWorld.js';
import { faultOf } from '../service/startClient.js';

let exchange: FakeService;
let world: FakeWorld;

beforeEach(() => {
  exchange = new FakeService();
  world = new FakeWorld();
  world.page = { hostname: 'games.example', origin: 'https://games.example' };
});
afterEach(() => exchange.restore());

const OPTIONS: OpenRtbOptions = {
  endpoint: 'https://exchange.example/openrtb2/auction',
  surfaces: [
    { adSurfaceId: 'roof', width: 320, height: 180 },
    { adSurfaceId: 'bus', floor: { price: 0.5, currency: 'EUR' } },
  ],
};

const ads = (options: Partial<OpenRtbOptions> = {}) => new OpenRtbAds({ ...OPTIONS, ...options }, world);

/** An exchange that bids on everything. */
const bids = ({ body }: SeenRequest): Answer => {
  const { id, imp } = body as { id: string; imp: { id: string }[] };
  const native = { assets: [{ id: 1, img: { url: 'https://cdn.example.com/a.png' } }] };
  const bid = { id: 'b', impid: imp[0]!.id, price: 1, adm: JSON.stringify(native) };
  return { body: { id, seatbid: [{ bid: [bid] }] } };
};

describe('a text of an exchange that is printed', () => {
  it.each([
    ['is one line', ' no\n\u200b\tbids\u0007 today ', 'no bids today'],
    ['is whole up to 500 characters', 'ab '.repeat(166) + 'cd', 'ab '.repeat(166) + 'cd'],
    ['is cut after that', 'ab '.repeat(166) + 'cde', 'ab '.repeat(166) + 'cd…'],
    ['holds no e-mail', 'to <ada.l+1@example.com>, now', 'to <(e-mail)>, now'],
    [
      'holds nothing as long as a token',
      `id ${'x'.repeat(39)} of ${'y_-+='.repeat(8)}.`,
      `id ${'x'.repeat(39)} of (hidden).`,
    ],
    [
      'holds none of several e-mails or tokens',
      `a@b.example ${'x'.repeat(40)} c@d.example ${'y'.repeat(40)}`,
      '(e-mail) (hidden) (e-mail) (hidden)',
    ],
    ['may have the length of an id', 'e8a7c0de-0000-4000-8000-000000000001', 'e8a7c0de-0000-4000-8000-000000000001'],
    ['is not looked at beyond twice its length', `${' '.repeat(998)}a ${'b'.repeat(9)}`, 'a'],
    [
      'holds no part of an e-mail or a token there',
      `${'x'.repeat(970)} to "ada.lovelace.of.london@example.com"`,
      '(hidden) to "',
    ],
    ['has the word that ends there', `${'x'.repeat(995)} once`, '(hidden) once'],
  ])('%s', (_what, text, quoted) => {
    expect(quoteForeign(text)).toBe(quoted);
  });
});

describe('OpenRtbAds', () => {
  it('lists its surfaces and asks no one', async () => {
    expect((await ads().getAdSurfaces()).items.map(({ adSurfaceId }) => adSurfaceId)).toEqual(['roof', 'bus']);
    expect(exchange.seen).toEqual([]);
  });

  it('warns of options that do not exist: a block list or a floor that is misspelled would sell what was not for sale', () => {
    const surfaces = [{ adSurfaceId: 'roof', width: 320, height: 180, flor: { price: 9 } }];
    ads({ surfaces, bdav: ['casino.example'], tset: true } as Partial<OpenRtbOptions>);
    expect(world.warnings).toEqual([
      'phaser-inview: OpenRtbAds has no option `bdav`.',
      'phaser-inview: OpenRtbAds has no option `tset`.',
      'phaser-inview: a surface of OpenRtbAds has no option `flor`.',
    ]);
  });

  it('asks for a native ad in a game, and gives the best bid', async () => {
    exchange.on('/openrtb2/auction', bids);
    await expect(ads().getAd('roof')).resolves.toMatchObject({ url: 'https://cdn.example.com/a.png' });
    const [{ body, headers, method }] = exchange.seen as [SeenRequest];
    expect(method).toBe('POST');
    expect(headers.get('content-type')).toBe('text/plain');
    expect(headers.has('x-openrtb-version')).toBe(false);
    const { native, ...imp } = (body['imp'] as { native: { request: string; ver: string } }[])[0]!;
    expect(body).toMatchObject({
      at: 1,
      tmax: 3000,
      cur: ['USD'],
      site: { domain: 'games.example', page: 'https://games.example', content: { context: 2 } },
    });
    expect(body).not.toHaveProperty('test');
    expect(imp).toEqual({
      id: '1',
      tagid: 'roof',
      secure: 1,
      instl: 0,
      exp: 300,
      displaymanager: 'phaser-inview',
      displaymanagerver: DISPLAY_MANAGER_VERSION,
      ext: { intrinsic: 1 },
    });
    expect([native.ver, 'battr' in native]).toEqual(['1.2', false]);
    expect(JSON.parse(native.request)).toEqual({
      ver: '1.2',
      plcmtcnt: 1,
      aurlsupport: 0,
      durlsupport: 0,
      assets: [
        {
          id: 1,
          required: 1,
          img: { type: 3, w: 320, h: 180, mimes: expect.arrayContaining(['image/png']) as string[] },
        },
        { id: 2, required: 0, title: { len: 90 } },
        // Type 1: whose ad it is.
        { id: 3, required: 0, data: { type: 1, len: 40 } },
      ],
      eventtrackers: [1, 2, 3, 4].map((event) => ({ event, methods: [1] })),
    });
    for (const name of ['bcat', 'badv']) expect(body).not.toHaveProperty(name);
  });

  it.each([{}, { width: 320 }, { height: 180 }])(
    'asks for an image of no size where a surface has %j',
    async (size) => {
      exchange.on('', bids);
      await ads({ surfaces: [{ adSurfaceId: 'wall', ...size }] }).getAd('wall');
      const [{ native }] = exchange.seen[0]!.body['imp'] as [{ native: { request: string } }];
      const { assets } = JSON.parse(native.request) as { assets: [{ img: object }] };
      expect(Object.keys(assets[0].img)).toEqual(['type', 'mimes']);
    },
  );

  it('asks for the whole number of pixels next to the size of a surface', async () => {
    exchange.on('', bids);
    await ads({ surfaces: [{ adSurfaceId: 'wall', width: 319.6, height: 180.4 }] }).getAd('wall');
    const [{ native }] = exchange.seen[0]!.body['imp'] as [{ native: { request: string } }];
    const { assets } = JSON.parse(native.request) as { assets: [{ img: object }] };
    expect(assets[0].img).toMatchObject({ w: 320, h: 180 });
  });

  it('tells the exchange what may not be advertised, by image or by video', async () => {
    exchange.on('/openrtb2/auction', bids);
    const video = { request: () => ({ mimes: ['video/mp4'] }), isMarkup: () => false, read: jest.fn() };
    await ads({ bcat: ['IAB7'], badv: ['https://WWW.bad.example/'], battr: [8], video }).getAd('roof');
    expect(exchange.seen[0]!.body).toMatchObject({
      bcat: ['IAB7'],
      badv: ['bad.example'],
      imp: [{ native: { battr: [8] }, video: { mimes: ['video/mp4'], battr: [8] } }],
    });
  });

  it('knows title and sponsor of an answer by the ids it asked for them by', async () => {
    const adm = {
      assets: [
        { id: 1, img: { url: 'https://cdn.example.com/a.png' } },
        { id: 2, title: { text: 'Drink it cold' } },
        { id: 3, data: { value: 'Soda Inc.' } },
      ],
    };
    exchange.on('', ({ body }) => ({
      body: { id: body['id'], seatbid: [{ bid: [{ id: 'b', impid: '1', price: 1, adm }] }] },
    }));
    await expect(ads().getAd('roof')).resolves.toMatchObject({
      alt: 'Soda Inc.: Drink it cold',
      advertiser: 'Soda Inc.',
    });
  });

  it('gives each auction an id of its own', async () => {
    exchange.on('/openrtb2/auction', bids);
    const source = ads();
    await source.getAd('roof');
    await source.getAd('roof');
    expect(new Set(exchange.seen.map(({ body }) => body['id'])).size).toBe(2);
  });

  it('sends floor, app, test and what the studio adds', async () => {
    exchange.on('/openrtb2/auction', bids);
    const complete = jest.fn((request: BidRequest): BidRequest => ({ ...request, id: 'another', regs: { coppa: 1 } }));
    await ads({ app: { bundle: 'a.b.c', content: { context: 4, title: 'Rush' } }, test: true, complete, plainText: false }).getAd('bus'); // prettier-ignore
    const [{ body, headers }] = exchange.seen as [SeenRequest];
    expect(body).toMatchObject({
      imp: [{ tagid: 'bus', bidfloor: 0.5, bidfloorcur: 'EUR' }],
      app: { bundle: 'a.b.c', content: { context: 4, title: 'Rush' } },
      test: 1,
      regs: { coppa: 1 },
    });
    expect(body).not.toHaveProperty('site');
    expect(body['id']).not.toBe('another');
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('x-openrtb-version')).toBe('2.6');
  });

  it.each<[string, Answer | Error, string]>([
    ['429', { status: 429, headers: { 'retry-after': '7' } }, 'service/rate-limited'],
    ['503', { status: 503 }, 'service/unavailable'],
    ['404', { status: 404 }, 'service/not-found'],
    ['403', { status: 403 }, 'service/refused'],
    ['a web page', { text: '<html>' }, 'response/not-json'],
    ['no network', new TypeError('Failed to fetch'), 'net/unreachable'],
  ])('tells %s by a typed error', async (_name, answer, code) => {
    exchange.on('', answer);
    const fault = await faultOf(ads().getAd('roof'));
    expect(fault.code).toBe(code);
    if (code === 'service/rate-limited') expect(fault['retryAfterMs']).toBe(7000);
  });

  it('takes a 204 for no ad', async () => {
    globalThis.fetch = async () => new Response(null, { status: 204 });
    await expect(ads().getAd('roof')).resolves.toEqual({ adId: '', url: '' });
  });

  it.each(['', 'null', '{}', '{"nbr":2}'])(
    'takes the answer %j for no ad, also where there is a floor',
    async (text) => {
      exchange.on('', { text });
      const notes: string[] = [];
      const ad = await ads().getAd('bus', { note: (message) => void notes.push(message) });
      expect(ad).toEqual({ adId: '', url: '' });
      const reason = 'The exchange does not bid, no-bid reason 2 (OpenRTB 2.6, nbr)';
      expect(notes).toEqual(text.includes('nbr') ? [reason] : []);
    },
  );

  it('ends an auction that takes longer than it may', async () => {
    exchange.on('', 'silence');
    const fault = faultOf(ads({ timeoutMs: 1000 }).getAd('roof'));
    await world.advance(1499);
    // The exchange's own time, and the way there and back.
    expect(world.leftovers).toBe(1);
    await world.advance(2);
    expect((await fault).code).toBe('net/timeout');
    expect(world.leftovers).toBe(0);
  });

  it('ends an auction that nobody waits for any more, and its request', async () => {
    exchange.on('', 'silence');
    const left = new AbortController();
    const fault = faultOf(ads().getAd('roof', { signal: left.signal }));
    await world.advance(10);
    left.abort();
    expect((await fault).code).toBe('net/aborted');
    expect([exchange.seen[0]!.signal.aborted, world.leftovers]).toEqual([true, 0]);
  });

  it('tells twenty of the messages of an exchange', async () => {
    const texts = Array.from({ length: 29 }, (_, i) => ({ code: 1, message: `m${i}` }));
    const errors = { alpha: [null, {}, { message: '' }, 7, 'm', ...texts] };
    exchange.on('', { body: { ext: { errors } } });
    const notes: string[] = [];
    await ads().getAd('roof', { note: (message) => void notes.push(message) });
    expect(notes).toHaveLength(20);
    expect([notes[0], notes[19]]).toEqual([expect.stringMatching(/: m$/), expect.stringMatching(/: m18$/)]);
  });

  it.each([
    ['nobody waits', new AdsError('net/aborted', 'left')],
    ['one was read by mistake', new TypeError('a mistake')],
  ])('looks at no other video once %s', async (_why, reason) => {
    const adms = ['<VAST>1', '<VAST>2'];
    exchange.on('', ({ body }) => ({
      body: { id: body['id'], seatbid: [{ bid: adms.map((adm) => ({ impid: '1', price: 1, adm })) }] },
    }));
    const read = jest.fn(() => Promise.reject(reason));
    const video = { request: () => ({}), isMarkup: () => true, read };
    await expect(ads({ video }).getAd('roof')).rejects.toBe(reason);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('looks at each bid once, however many of them are videos that cannot be shown', async () => {
    const videos = Array.from({ length: 20 }, (_, i) => ({ impid: '1', price: 1, adm: `<VAST>${i}` }));
    const image = JSON.stringify({ assets: [{ id: 1, img: { url: 'https://cdn.example.com/a.png' } }] });
    exchange.on('', ({ body }) => ({
      body: { id: body['id'], seatbid: [{ bid: [{ impid: '1', price: 2, adm: image }, ...videos, videos[0]] }] },
    }));
    const read = jest.fn(() => Promise.reject(new AdsError('response/schema', 'No video')));
    const video = { request: () => ({}), isMarkup: (text: string) => text.startsWith('<VAST>'), read };
    const accepts = jest.fn(() => false);
    expect((await faultOf(ads({ video }).getAd('roof', { accepts }))).code).toBe('response/schema');
    expect([accepts.mock.calls.length, read.mock.calls.length]).toEqual([1, 20]);
  });

  it.each([
    [{ endpoint: 'http://exchange.example/' }, 'config/base-url'],
    [{ endpoint: 'https://user:pw@exchange.example/' }, 'config/base-url'],
    [{ endpoint: undefined }, 'config/base-url'],
    [{ surfaces: [] }, 'config/option'],
    [{ surfaces: 'roof' }, 'config/option'],
    [{ surfaces: [{}] }, 'response/schema'],
    [{ timeoutMs: 49 }, 'config/timeout'],
    [{ timeoutMs: 30_001 }, 'config/timeout'],
    [{ timeoutMs: '3000' }, 'config/timeout'],
    [{ video: {} }, 'config/option'],
    [{ video: () => undefined }, 'config/option'],
    [{ site: 'games.example' }, 'config/option'],
    [{ site: Promise.resolve({}) }, 'config/option'],
    [{ app: () => ({}) }, 'config/option'],
    [{ surfaces: [null, { adSurfaceId: 'roof' }] }, 'config/option'],
    [{ site: null }, 'config/option'],
    [{ app: [] }, 'config/option'],
    [{ video: null }, 'config/option'],
    [{ complete: {} }, 'config/option'],
    [{ storedRequest: '' }, 'config/option'],
    [{ storedRequest: { id: '7' } }, 'config/option'],
    [{ surfaces: [{ adSurfaceId: 'roof', storedRequest: 7 }] }, 'config/option'],
    [{ currency: 'dollars' }, 'config/option'],
    [{ currency: 840 }, 'config/option'],
  ])('refuses the options %j', (options, code) => {
    expect(() => ads(options as never)).toThrow(withCode(code));
  });

  it.each([undefined, null, 'https://exchange.example/'])('refuses %j, which are no options', (options) => {
    expect(() => new OpenRtbAds(options as never, world)).toThrow(withCode('config/missing'));
  });

  it.each([
    { timeoutMs: 50 },
    { timeoutMs: 30_000 },
    { surfaces: [{ adSurfaceId: 'roof', floor: { price: 0, currency: 'EUR' } }] },
  ])('takes the options %j', (options) => {
    expect(() => ads(options)).not.toThrow();
  });

  it.each<[unknown]>([
    [{ price: 2 }],
    [{ currency: 'EUR' }],
    [{ price: '2.50', currency: 'EUR' }],
    [{ price: '2,50', currency: 'EUR' }],
    [{ price: NaN, currency: 'EUR' }],
    [{ price: Infinity, currency: 'EUR' }],
    [{ price: -1, currency: 'EUR' }],
    [{ price: 2, currency: '€' }],
    [{ price: 2, currency: ['EUR'] }],
    [2],
    [null],
  ])('refuses the floor %j, which would never hold', (floor) => {
    const surfaces = [{ adSurfaceId: 'roof' }, { adSurfaceId: 'bus', floor }];
    expect(() => ads({ surfaces } as never)).toThrow(withCode('config/option'));
  });

  it('takes a currency in small letters for what it is', async () => {
    exchange.on('', bids);
    const source = ads({ currency: 'usd', surfaces: [{ adSurfaceId: 'bus', floor: { price: 2, currency: 'usd' } }] });
    await expect(source.getAd('bus')).resolves.toMatchObject({ adId: '', warnings: [{ code: 'bid/floor' }] });
    expect(exchange.seen[0]!.body).toMatchObject({ cur: ['USD'], imp: [{ bidfloor: 2, bidfloorcur: 'USD' }] });
  });

  it.each([
    ['that nests too deeply', '['.repeat(100) + ']'.repeat(100)],
    ['with a forbidden key', '{"__proto__":{}}'],
    ['with half an emoji', '"\\ud83d"'],
  ])('takes the bid of an answer with a part %s', async (_name, part) => {
    exchange.on('', (request) => {
      const text = JSON.stringify({ ...(bids(request).body as object), ext: 'PART' });
      return { text: text.replace('"PART"', part) };
    });
    await expect(ads().getAd('roof')).resolves.toMatchObject({ adId: 'b' });
  });

  it.each<[string, object, number]>([
    ['in another currency than the floor', { cur: 'USD' }, 1],
    ['in a currency that cannot be read', { cur: '$' }, 1],
    ['in that of the floor', { cur: 'eur' }, 0],
    ['that has no bids', { seatbid: [] }, 0],
  ])('says of an answer %s whether its prices can be compared', async (_name, more, times) => {
    exchange.on('', (request) => ({ body: { ...(bids(request).body as object), ...more } }));
    const notes: string[] = [];
    await ads().getAd('bus', { note: (message) => void notes.push(message) });
    expect(notes.filter((note) => note.includes('floor'))).toHaveLength(times);
  });

  it('what `complete` changes in a request holds for that request alone', async () => {
    exchange.on('', () => ({ status: 204 }));
    const site = { publisher: { id: '1' }, content: { genre: ['race'] } };
    const source = ads({
      site,
      bcat: ['IAB7'],
      video: new VastVideo({}, world as never),
      complete(request) {
        const { bcat, site, imp } = request as unknown as Record<string, never[] & { content: { genre: unknown[] } }>;
        bcat!.push('IAB8' as never);
        site!.content.genre.push('cars');
        (imp![0] as unknown as { video: { mimes: string[] } }).video.mimes.pop();
        return request;
      },
    });
    for (let i = 0; i < 2; i++) await source.getAd('roof');
    const [first, second] = exchange.seen.map(({ body: { id: _id, ...others } }) => others);
    expect(second).toEqual(first);
    expect(second).toMatchObject({ bcat: ['IAB7', 'IAB8'], site: { content: { genre: ['race', 'cars'] } } });
    expect(site.content.genre).toEqual(['race']);
  });

  it('refuses a surface it does not sell, and survives a `complete` that throws', async () => {
    expect((await faultOf(ads().getAd('cellar'))).code).toBe('ad/unknown-surface');
    const mistake = new Error('mistake');
    const complete = () => {
      throw mistake;
    };
    expect(await faultOf(ads({ complete }).getAd('roof'))).toMatchObject({ code: 'config/option', cause: mistake });
  });

  it.each<[string, unknown]>([
    ['nothing', () => undefined],
    ['a promise', async (request: object) => request],
    ['a promise that fails', () => Promise.reject(new Error('late'))],
    ['a list', (request: object) => [request]],
    ['a text', () => 'request'],
    ['an empty object', () => ({})],
    ['a request without imp', (request: object) => ({ ...request, imp: [] })],
  ])('S6: sends nothing, and says what to return, when `complete` returns %s', async (_name, complete) => {
    exchange.on('', bids);
    const fault = await faultOf(ads({ complete: complete as never }).getAd('roof'));
    expect(fault).toMatchObject({
      code: 'config/option',
      hint: expect.stringContaining('Return the request') as string,
    });
    expect(exchange.seen).toEqual([]);
  });

  it('S6: sends nothing that cannot be written as JSON', async () => {
    const site: Record<string, unknown> = {};
    site['self'] = site;
    expect((await faultOf(ads({ site }).getAd('roof'))).code).toBe('config/option');
    expect(exchange.seen).toEqual([]);
  });

  it.each([
    ['a file', { hostname: '', origin: 'file://' }],
    ['a frame written by its page', { hostname: '', origin: 'null' }],
    ['an app', { hostname: 'localhost', origin: 'capacitor://localhost' }],
    ['no page', null],
  ])('S12: says nothing of a page that is %s', async (_name, page) => {
    exchange.on('', bids);
    world.page = page;
    await ads().getAd('roof');
    expect(exchange.seen[0]!.body['site']).toEqual({ content: { context: 2 } });
  });

  it.each([
    ['a site', {}, true],
    ['an app', { app: { bundle: 'com.example.rush' } }, false],
    [
      'an app, whatever is said of a site',
      { app: { bundle: 'com.example.rush' }, site: { domain: 'a.example' } },
      false,
    ],
  ])('P8: a game is sold as %s, never as both: buyers take that for fraud', async (_name, more, isSite) => {
    exchange.on('', bids);
    await ads(more).getAd('roof');
    const { body } = exchange.seen[0]!;
    expect(['site' in body, 'app' in body]).toEqual([isSite, !isSite]);
  });

  it('P8: the page on where ads may run says it of each kind of place', () => {
    const text = readFileSync('docs/where-ads-may-run.md', 'utf8');
    const row = (place: string): string =>
      text.split('\n').find((line) => line.startsWith('|') && line.includes(place))!;
    for (const place of ['a site of your own', 'publisher', 'Telegram', 'Capacitor', 'Electron']) {
      expect(row(place)).toMatch(/\| yes.*\| yes/);
    }
    for (const portal of ['Poki', 'CrazyGames', 'Yandex', 'YouTube Playables']) {
      expect(row(portal)).toMatch(/\| no.*\| yes/);
    }
    expect(row('COPPA')).toContain('underAge');
    for (const word of ['app-ads.txt', 'schain', '`site` or `app`']) expect(text).toContain(word);
  });

  it('fills what the studio has not said of its site', async () => {
    exchange.on('', bids);
    await ads({ site: { publisher: { id: '7' }, page: 'https://games.example/rush' } }).getAd('roof');
    expect(exchange.seen[0]!.body['site']).toEqual({
      domain: 'games.example',
      page: 'https://games.example/rush',
      publisher: { id: '7' },
      content: { context: 2 },
    });
  });

  it('names itself by the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(DISPLAY_MANAGER_VERSION).toBe(version);
  });
});

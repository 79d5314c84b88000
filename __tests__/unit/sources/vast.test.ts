import fc from 'fast-check';
import { JSDOM } from 'jsdom';

import { isAdsError } from '../../../src/errors.js';
import type { Ad } from '../../../src/service/AdService.js';
import { OpenRtbAds } from '../../../src/sources/openrtb/OpenRtbAds.js';
import { chooseMediaFile } from '../../../src/sources/vast/chooseMediaFile.js';
import { readVast, type VastMediaFile } from '../../../src/sources/vast/readVast.js';
import { VastFault } from '../../../src/sources/vast/VastFault.js';
import { type VastEnvironment, VastVideo, type VastVideoOptions } from '../../../src/sources/vast/VastVideo.js';
import { withCode } from '../../helpers/withCode.js';
import { FakeService, type Script, type SeenRequest } from '../service/FakeService.js';
import { FakeWorld } from '../service/FakeWorld.js';
import { faultOf } from '../service/startClient.js';

const { DOMParser } = new JSDOM().window;
const parseXml = (text: string): Document => new DOMParser().parseFromString(text, 'text/xml');

const T = 'https://t.example.com';
const FILE = 'https://cdn.example.com/a.webm';
/** As ad servers write it: blanks, CDATA, and much that has no use here. */
const INLINE = `<?xml version="1.0" encoding="UTF-8"?>
<VAST version="4.2" xmlns="http://www.iab.com/VAST">
  <Ad id="1"><InLine>
    <AdSystem version="1">Server</AdSystem><AdTitle>Summer</AdTitle><Advertiser>Soda Inc.</Advertiser>
    <Error><![CDATA[${T}/error?c=[ERRORCODE]]]></Error>
    <Impression id="a"><![CDATA[ ${T}/imp?ts=[TIMESTAMP]&p=\${AUCTION_PRICE} ]]></Impression>
    <ViewableImpression><Viewable>${T}/viewable</Viewable><NotViewable>${T}/not</NotViewable>
      <ViewUndetermined>${T}/undetermined</ViewUndetermined></ViewableImpression>
    <AdVerifications><Verification vendor="v"><JavaScriptResource>${T}/omid.js</JavaScriptResource></Verification></AdVerifications>
    <Creatives>
      <Creative><CompanionAds><Companion width="1" height="1"/></CompanionAds></Creative>
      <Creative><Linear><Duration>00:00:15.500</Duration>
        <TrackingEvents>
          <Tracking event="start">${T}/start</Tracking><Tracking event="complete">${T}/complete</Tracking>
          <Tracking event="progress" offset="00:00:03">${T}/progress</Tracking>
          <Tracking event="midpoint">http://t.example.com/plain</Tracking>
        </TrackingEvents>
        <VideoClicks><ClickThrough>https://shop.example.com/</ClickThrough><ClickTracking>${T}/click</ClickTracking></VideoClicks>
        <MediaFiles><MediaFile type="video/webm" width="640" height="360" delivery="progressive">${FILE}</MediaFile></MediaFiles>
      </Linear></Creative>
    </Creatives>
  </InLine></Ad>
</VAST>`;
const wrapper = (uri: string, name: string): string => `<VAST version="3.0"><Ad><Wrapper>
  <Error>${T}/${name}/error?c=[ERRORCODE]</Error><Impression>${T}/${name}/imp</Impression>
  <VASTAdTagURI><![CDATA[${uri}]]></VASTAdTagURI>
  <Creatives><Creative><Linear><TrackingEvents><Tracking event="start">${T}/${name}/start</Tracking></TrackingEvents></Linear></Creative></Creatives>
</Wrapper></Ad></VAST>`;

let exchange: FakeService;
let world: FakeWorld;
beforeEach(() => {
  exchange = new FakeService();
  world = new FakeWorld();
});
afterEach(() => exchange.restore());

/** One auction whose best bid has this markup. */
async function auction(
  adm: string,
  options: VastVideoOptions = {},
  wrappers: Record<string, Script> = {},
  more: object[] = [],
  canPlay: (type: string) => boolean = () => true,
  signal?: AbortSignal,
) {
  exchange.on('/auction', ({ body }: SeenRequest) => {
    const bids = [{ id: 'v', impid: '1', price: 3, mtype: 2, burl: `${T}/bill`, adm }, ...more];
    return { body: { id: body['id'], seatbid: [{ bid: bids }] } };
  });
  for (const [path, script] of Object.entries(wrappers)) exchange.on(path, script);
  const environment = Object.assign(world, { parseXml, canPlay }) as VastEnvironment;
  const source = new OpenRtbAds(
    {
      endpoint: 'https://exchange.example/auction',
      surfaces: [{ adSurfaceId: 'roof', width: 320, height: 180 }],
      video: new VastVideo(options, environment),
    },
    world,
  );
  const called: string[] = [];
  const result = await source
    .getAd('roof', { call: (url) => called.push(url), ...(signal && { signal }) })
    .catch((error: unknown) => error);
  return { ad: result as Ad, fault: isAdsError(result) ? result : null, called };
}

const trackersOf = ({ trackers = [] }: Ad): string[] => trackers.map(({ event, url }) => `${event} ${url}`);

describe('P6: a video bid', () => {
  it('is asked for beside an image, without code, muted, of what a game may show', async () => {
    await auction(INLINE);
    const [imp] = exchange.to('/auction')[0]!.body['imp'] as [{ video: object; native: object }];
    expect(imp.native).toBeDefined();
    expect(imp.video).toEqual({
      mimes: ['video/mp4', 'video/webm'],
      // AdCOM: VAST 2.0, 3.0, 4.0 to 4.3, each alone and as a wrapper.
      protocols: [2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16],
      w: 320,
      h: 180,
      minduration: 1,
      maxduration: 60,
      plcmt: 4,
      linearity: 1,
      skip: 0,
      startdelay: 0,
      playbackmethod: [6],
      delivery: [2],
    });
  });

  it('may be a hybrid ad, which is a video, too', async () => {
    const { ad } = await auction(INLINE.replace('<Ad ', '<Ad adType=" Hybrid" '));
    expect(ad.url).toBe(FILE);
  });

  it('is read whatever the case of its names', async () => {
    const { ad } = await auction(INLINE.replace(/<\/?\w+/g, (name) => name.toLowerCase()));
    expect([ad.url, trackersOf(ad).length]).toEqual([FILE, 9]);
  });

  it('is an ad with its file, click, trackers by what is measured, and what cannot be called is told', async () => {
    const { ad } = await auction(INLINE);
    expect(ad).toMatchObject({
      url: FILE,
      width: 640,
      height: 360,
      clickUrl: 'https://shop.example.com/',
      alt: 'Soda Inc.: Summer',
      advertiser: 'Soda Inc.',
      revenue: { value: 0.003, precision: 'exact' },
    });
    expect(trackersOf(ad)).toEqual([
      `billable ${T}/bill`,
      `impression ${T}/imp?ts=[TIMESTAMP]&p=3`,
      `viewable ${T}/viewable`,
      `not-viewable ${T}/not`,
      `view-undetermined ${T}/undetermined`,
      `start ${T}/start`,
      `complete ${T}/complete`,
      `click ${T}/click`,
      `error ${T}/error?c=[ERRORCODE]`,
    ]);
    expect(ad.warnings?.map(({ code, count }) => [code, count])).toEqual([
      ['tracker/event', 1],
      ['tracker/address', 1],
      ['tracker/script', 1],
    ]);
  });

  it('inside of wrappers has the trackers of all of them', async () => {
    const { ad, called } = await auction(wrapper('https://a.example.com/a', 'outer'), {}, {
      '/a': { text: wrapper('//b.example.com/b', 'inner').replace('<Creatives>', '<Creatives><Creative><Linear><MediaFiles/></Linear></Creative>') },
      '/b': { text: `\ufeff${INLINE}` },
    }); // prettier-ignore
    expect(ad.url).toBe(FILE);
    for (const tracker of ['impression', 'start'] as const) {
      expect(trackersOf(ad).filter((line) => line.startsWith(tracker)).length).toBe(3);
    }
    expect(trackersOf(ad).filter((line) => line.startsWith('error'))).toHaveLength(3);
    expect(called).toEqual([]);
  });

  it('calls a tracker once, however often it is named', async () => {
    const twice = `<Impression>${T}/twice</Impression>`.repeat(2);
    const { ad } = await auction(INLINE.replace('<Impression', `${twice}<Impression`));
    expect(trackersOf(ad).filter((line) => line === `impression ${T}/twice`)).toHaveLength(1);
  });

  it('whose buyers want to be told a thousand times why it cannot be shown tells a hundred: other ads call theirs, too', async () => {
    const errors = Array.from({ length: 1_000 }, (_, i) => `<Error>${T}/e${i}</Error>`).join('');
    const none = `<VAST>${`<Ad><InLine>${errors}</InLine></Ad>`.repeat(3)}</VAST>`;
    const { called, fault } = await auction(none);
    expect(fault).toMatchObject({ code: 'response/schema' });
    expect(called).toEqual(Array.from({ length: 100 }, (_, i) => `${T}/e${i}`));
  });

  it('with addresses that name a long value by the thousand loses no other bid', async () => {
    const seat = '[GDPRCONSENT]'.repeat(19);
    const uri = `${T}/${'${AUCTION_SEAT_ID}'.repeat(10_000)}`;
    const source = new OpenRtbAds(
      {
        endpoint: 'https://exchange.example/auction',
        surfaces: [{ adSurfaceId: 'roof' }],
        video: new VastVideo({}, Object.assign(world, { parseXml, canPlay: () => true })),
      },
      world,
    );
    exchange.on('/auction', ({ body }: SeenRequest) => ({
      body: {
        id: body['id'],
        seatbid: [
          { seat, bid: [{ id: 'v', impid: '1', price: 3, adm: wrapper(uri, 'w') }] },
          { bid: [{ id: 'n', impid: '1', price: 1, adm: { assets: [{ id: 1, img: { url: FILE } }] } }] },
        ],
      },
    }));
    const ad = await source.getAd('roof', { consent: { gdprApplies: true, tcString: 'C'.repeat(4_000) } });
    expect(ad.adId).toBe('n');
  });

  it('of a flood of trackers calls a hundred and tells of the others; what is not measured takes no place', async () => {
    const progress = `<Tracking event="progress" offset="00:00:03">${T}/progress</Tracking>`.repeat(150);
    const unmeasured = await auction(INLINE.replace('<TrackingEvents>', `<TrackingEvents>${progress}`));
    expect(trackersOf(unmeasured.ad)).toEqual(trackersOf((await auction(INLINE)).ad));
    expect(unmeasured.ad.warnings).toContainEqual(expect.objectContaining({ code: 'tracker/event', count: 151 }));
    const flood = Array.from({ length: 150 }, (_, i) => `<Impression>${T}/${i}</Impression>`).join('');
    const { ad } = await auction(INLINE.replace('<Impression', `${flood}<Impression`));
    expect(ad.trackers).toHaveLength(100);
    expect(ad.warnings).toContainEqual(expect.objectContaining({ code: 'tracker/limit', count: 59 }));
  });

  it('tells in which wrapper a tracker stands that cannot be called, the outermost being 0', async () => {
    const plain = '<Impression>http://t.example.com/plain</Impression>';
    const { ad } = await auction(wrapper('https://a.example.com/a', 'w').replace('<Impression>', `${plain}<Impression>`), {}, {
      '/a': { text: wrapper('https://a.example.com/b', 'v') },
      '/b': { text: INLINE.replace('http://t.example.com/plain', `${T}/secure`) },
    }); // prettier-ignore
    expect(ad.warnings).toMatchObject([
      { code: 'tracker/event' },
      { code: 'tracker/script', count: 1, path: '$.seatbid[0].bid[0].adm.InLine.AdVerifications' },
      { code: 'tracker/address', count: 1, path: '$.seatbid[0].bid[0].adm.Wrapper[0].impression' },
    ]);
  });

  it.each<[string, string, Record<string, Script>, VastVideoOptions, number]>([
    ['no XML', '<VAST', {}, {}, 101],
    ['an empty document', `<VAST><Error>${T}/x?c=[ERRORCODE]</Error></VAST>`, {}, {}, 303],
    ['no file that can be shown', INLINE.replace('video/webm', 'application/javascript'), {}, {}, 403],
    ['code in place of a file', INLINE.replace('delivery=', 'apiFramework="VPAID" delivery='), {}, {}, 403],
    ['a video that is too long', INLINE.replace('00:00:15', '00:01:15'), {}, {}, 202],
    ['an empty wrapper', wrapper('https://a.example.com/a', 'w'), { '/a': { text: '<VAST/>' } }, {}, 303],
    ['a wrapper that is not there', wrapper('https://a.example.com/a', 'w'), { '/a': { status: 404 } }, {}, 301],
    ['a wrapper that answers with nothing', wrapper('https://a.example.com/a', 'w'), { '/a': { text: ' ' } }, {}, 303],
    ['a wrapper around what is no XML', wrapper('https://a.example.com/a', 'w'), { '/a': { text: '<VAST><Ad>' } }, {}, 100],
    ['a wrapper around a page', wrapper('https://a.example.com/a', 'w'), { '/a': { text: '<html></html>' } }, {}, 101],
    ['a wrapper around VAST 1', wrapper('https://a.example.com/a', 'w'), { '/a': { text: '<VideoAdServingTemplate/>' } }, {}, 102],
    ['a wrapper around entities', wrapper('https://a.example.com/a', 'w'), { '/a': { text: '<!DOCTYPE VAST [<!ENTITY a "b">]><VAST>&a;</VAST>' } }, {}, 100],
    ['an ad of sound', INLINE.replace('<Ad ', '<Ad adType="audio" '), {}, {}, 200],
    ['an ad that lies over a video', INLINE.replace(/<Linear>[^]*<\/Linear>/, '<NonLinearAds/>'), {}, {}, 201],
    ['an ad of companions alone', INLINE.replace(/<Creative><Linear>[^]*<\/Creative>/, ''), {}, {}, 101],
    ['an ad without a creative', INLINE.replace(/<Creatives>[^]*<\/Creatives>/, ''), {}, {}, 101],
    ['an ad for players that run its code', INLINE.replace('<Ad ', '<Ad conditionalAd="true" '), {}, {}, 408],
    ['a wrapper in one that wants none', wrapper('https://a.example.com/a', 'w').replace('<Wrapper', '<Wrapper followAdditionalWrappers="false"'), { '/a': { text: wrapper('https://a.example.com/b', 'v') }, '/b': { text: INLINE } }, {}, 303],
    ['a wrapper without an address', wrapper('', 'w'), {}, {}, 300],
    ['a wrapper of this machine', wrapper('https://localhost/a', 'w'), {}, {}, 300],
    ['a wrapper around itself', wrapper('https://a.example.com/a', 'w'), { '/a': { text: wrapper('https://a.example.com/a', 'w') } }, {}, 302],
    ['one wrapper too many', wrapper('https://a.example.com/a', 'w'), { '/a': { text: INLINE } }, { maxWrappers: 0 }, 302],
  ])('with %s is not shown; the buyer is told why, and the next best bid hangs', async (name, adm, wrappers, options, number) => {
    const native = { id: 'n', impid: '1', price: 1, adid: 'image', adm: JSON.stringify({ assets: [{ id: 1, img: { url: 'https://cdn.example.com/a.png' } }] }) };
    const { ad, called } = await auction(adm, options, wrappers, [native]);
    expect(ad.adId).toBe('image');
    expect(ad.warnings).toMatchObject([{ code: 'bid/unusable' }]);
    const isTold = !['no XML'].includes(name);
    expect(called.length > 0).toBe(isTold);
    for (const url of called) expect(url).toMatch(new RegExp(`\\?c=${number}$`));
    const alone = await auction(adm, options, wrappers);
    expect(alone.fault?.code).toBe('response/schema');
  }); // prettier-ignore

  describe('of several ads', () => {
    const files = { '/empty': { text: '<VAST/>' }, '/good': { text: INLINE.replaceAll(`${T}/`, `${T}/inner/`) } };
    const ad = (name: string, sequence = '') =>
      INLINE.match(/<Ad [^]*<\/Ad>/)![0]
        .replaceAll(`${T}/`, `${T}/${name}/`)
        .replace('<Ad ', `<Ad ${sequence} `);
    const around = (uri: string, name: string, attributes = '') =>
      wrapper(uri, name)
        .match(/<Ad>[^]*<\/Ad>/)![0]
        .replace('<Wrapper', `<Wrapper ${attributes}`);
    const vast = (...ads: string[]) => `<VAST version="4.2">${ads.join('')}</VAST>`;
    const impressions = (shown: Ad) => trackersOf(shown).filter((line) => line.startsWith('impression'));
    const broken = ad('broken').replace('video/webm', 'video/odd');

    it.each<[string, string]>([
      ['a file that cannot be shown', broken],
      ['an empty wrapper', around('https://a.example.com/empty', 'broken')],
      ['an empty wrapper that asks for it', around('https://a.example.com/empty', 'broken', 'fallbackOnNoAd="true"')],
    ])('the first that can be shown is; the buyer of one with %s is told, alone, and once', async (_name, first) => {
      const { ad: shown, called } = await auction(
        vast(first, around('https://a.example.com/good', 'outer')),
        {},
        files,
      );
      expect(impressions(shown)).toEqual([`impression ${T}/inner/imp?ts=[TIMESTAMP]&p=3`, `impression ${T}/outer/imp`]);
      expect(called).toEqual([expect.stringMatching(/\/broken\/error\?c=(403|303)$/)]);
      expect(trackersOf(shown).join()).not.toContain('/broken/');
    });

    it('one that stands alone comes before those of a pod, and of a pod the first that can be shown', async () => {
      const pod = [ad('two', 'sequence="2"'), ad('one', 'sequence="1"')];
      expect(impressions((await auction(vast(...pod, ad('alone')))).ad)[0]).toContain('/alone/');
      expect(impressions((await auction(vast(...pod))).ad)[0]).toContain('/one/');
      expect(impressions((await auction(vast(pod[0]!, broken.replace('<Ad', '<Ad sequence="1"')))).ad)[0]).toContain(
        '/two/',
      );
    });

    it('none that can be shown is told by the fault of the first; ten are looked at', async () => {
      const long = ad('long').replace('00:00:15', '00:01:15');
      expect((await auction(vast(broken, long))).fault?.message).toMatch(/no file that can be shown/);
      const many = Array.from({ length: 10 }, (_, i) => ad(`n${i}`).replace('video/webm', 'video/odd'));
      expect((await auction(vast(...many, ad('last')))).fault?.code).toBe('response/schema');
      expect(impressions((await auction(vast(...many.slice(1), ad('last')))).ad)[0]).toContain('/last/');
    });

    it('a wrapper may want but the first', async () => {
      const answer = { '/a': { text: vast(broken, ad('second')) } };
      const { ad: shown } = await auction(vast(around('https://a.example.com/a', 'w')), {}, answer);
      expect(impressions(shown)[0]).toContain('/second/');
      const { fault, called } = await auction(
        vast(around('https://a.example.com/a', 'w', 'allowMultipleAds="false"')),
        {},
        answer,
      );
      expect(fault?.code).toBe('response/schema');
      expect(called).toEqual([`${T}/broken/error?c=403`, `${T}/w/error?c=403`]);
    });

    it('are asked for within bounds, whatever they branch into', async () => {
      const ten = vast(...Array.from({ length: 10 }, () => around('https://a.example.com/a', 'w')));
      const { fault } = await auction(ten, { maxWrappers: 10 }, { '/a': { text: ten } });
      expect(fault?.code).toBe('response/schema');
      expect(exchange.to('/a').length).toBeLessThanOrEqual(20);
    });
  });

  it.each([
    ['nurl', { adm: undefined, nurl: 'https://a.example.com/a?p=${AUCTION_PRICE}' }],
    [
      'nurl, with the word of Prebid Server that it is a video',
      { mtype: undefined, ext: { prebid: { type: 'video' } }, nurl: 'https://a.example.com/a?p=${AUCTION_PRICE}' },
    ],
    ['an address as markup', { adm: ' //a.example.com/a?p=${AUCTION_PRICE}&x=]]>' }],
  ])('served by %s is fetched when it is the best', async (_name, given) => {
    const { ad } = await auction('', {}, { '/a': { text: INLINE } }, [{ id: 'n', impid: '1', price: 9, mtype: 2, ...given }]); // prettier-ignore
    expect(ad.url).toBe(FILE);
    expect(exchange.to('/a').map(({ search }) => new URLSearchParams(search).get('p'))).toEqual(['9']);
  });

  it('that a browser does not hand over is asked for once: its address may be a win notice, or count each request', async () => {
    const nurl = 'https://a.example.com/a?won=${AUCTION_PRICE}';
    const { called } = await auction(wrapper('https://a.example.com/b', 'w'), {}, { '': new TypeError('Failed to fetch') }, [
      { id: 'n', impid: '1', price: 9, mtype: 2, nurl },
    ]); // prettier-ignore
    expect(['/a', '/b'].map((path) => exchange.to(path).length)).toEqual([1, 1]);
    expect(called).toEqual([`${T}/w/error?c=301`]);
  });

  it('is not fetched by its win notice where its billing notice cannot be called: it cannot be shown', async () => {
    const nurl = 'https://a.example.com/a';
    const won = { id: 'n', impid: '1', price: 9, mtype: 2, nurl, burl: 'http://t.example.com/bill' };
    const { ad } = await auction(INLINE, {}, { '/a': { text: INLINE } }, [won]);
    expect([ad.warnings![0]!.path, exchange.to('/a')]).toEqual(['$.seatbid[0].bid[1].burl', []]);
  });

  it('an image is not fetched by its win notice', async () => {
    const nurl = 'https://a.example.com/a';
    await auction('', {}, { '/a': { text: INLINE } }, [{ id: 'n', impid: '1', price: 9, mtype: 4, nurl }]);
    expect(exchange.to('/a')).toEqual([]);
  });

  it('may have a wrapper that leads on to another address, as a tracker may; an auction may not', async () => {
    await auction(wrapper('https://a.example.com/a', 'w'), {}, { '/a': { text: INLINE } });
    expect(exchange.to('/a')[0]!.redirect).toBe('follow');
    expect(exchange.to('/auction')[0]!.redirect).toBe('manual');
  });

  it.each([
    ['codec="hvc1.1.6.L93.B0"', false],
    ['codec="avc1.42E01E, mp4a.40.2"', true],
    // Words of no standard say nothing.
    ['codec="H.265"', true],
  ])('a file with %s that the browser plays: %p', async (codec, isPlayed) => {
    const other = `<MediaFile type="video/webm" width="320" height="180" ${codec}>${T}/small.webm</MediaFile>`;
    const canPlay = (type: string): boolean => !/hvc1|H\.265/.test(type);
    const { ad } = await auction(INLINE.replace('<MediaFiles>', `<MediaFiles>${other}`), {}, {}, [], canPlay);
    expect(ad.url).toBe(isPlayed ? `${T}/small.webm` : FILE);
  });

  it.each([
    ['bitrate="9000"', false],
    ['maxBitrate="9000"', false],
    ['bitrate="500" maxBitrate="9000"', true],
    ['fileSize="9000000"', false],
    ['fileSize="1000000" bitrate="9000"', true],
    ['delivery="Streaming"', false],
    ['apiFramework="VPAID"', false],
    ['', true],
  ])('a file with %s is small enough, and needs nothing that is not run: %p', async (attributes, isTaken) => {
    const other = `<MediaFile type=" video/webm ; x=1" width="320" height="180" ${attributes}>${T}/small.webm</MediaFile>`;
    const { ad } = await auction(INLINE.replace('<MediaFiles>', `<MediaFiles>${other}`));
    expect(ad.url).toBe(isTaken ? `${T}/small.webm` : FILE);
  });

  it.each(['mp4', 'MP4', 'webm', 'WebM'])('a file without a type is what its ending says: %s', async (ending) => {
    const canPlay = jest.fn(() => true);
    const file = `<MediaFile width="320" height="180">${T}/a.${ending}?b</MediaFile>`;
    const { ad } = await auction(INLINE.replace(/<MediaFile .*<\/MediaFile>/, file), {}, {}, [], canPlay);
    expect([ad.url, canPlay.mock.calls]).toEqual([`${T}/a.${ending}?b`, [[`video/${ending.toLowerCase()}`]]]);
  });

  it('has a hundred files at most, of each of which the browser is asked once', async () => {
    const canPlay = jest.fn(() => false);
    await auction(
      INLINE.replace(/<MediaFile .*<\/MediaFile>/, (file) => file.repeat(150)),
      {},
      {},
      [],
      canPlay,
    );
    expect(canPlay).toHaveBeenCalledTimes(100);
  });

  it('takes from a wrapper where a click leads, when it says nothing itself, and a length in seconds', async () => {
    const outer = wrapper('https://a.example.com/a', 'w').replace(
      '</Linear>',
      '<VideoClicks><ClickThrough>https://outer.example.com/</ClickThrough></VideoClicks></Linear>',
    );
    const bare = INLINE.replace(/<ClickThrough>.*<\/ClickThrough>/, '').replace('00:00:15.500', '75');
    const { called } = await auction(outer, {}, { '/a': { text: bare } });
    expect(called).toContain(`${T}/w/error?c=202`);
    const { ad } = await auction(outer, {}, { '/a': { text: bare.replace('>75<', '>15.5<') } });
    expect(ad.clickUrl).toBe('https://outer.example.com/');
  });

  it('whose scripts that measure are not run says so where it is asked to, also among extensions', async () => {
    const script = `<AdVerifications><Verification vendor="v"><JavaScriptResource>${T}/omid.js</JavaScriptResource><TrackingEvents><Tracking event="verificationNotExecuted">${T}/notrun?r=[REASON]</Tracking></TrackingEvents></Verification></AdVerifications>`;
    const without = INLINE.replace(/<AdVerifications>.*<\/AdVerifications>/, '');
    for (const text of [
      without.replace('<Creatives>', `${script}<Creatives>`),
      without.replace(
        '<Creatives>',
        `<Extensions><Extension type="AdVerifications">${script}</Extension></Extensions><Creatives>`,
      ),
    ]) {
      const { ad } = await auction(text);
      expect(trackersOf(ad)).toContain(`loaded ${T}/notrun?r=2`);
      expect(ad.warnings?.map(({ code }) => code)).toContain('tracker/script');
    }
  });

  it('may have a page as a companion, and a file that says neither its type nor its size', async () => {
    const page = INLINE.replace(
      '<Companion width="1" height="1"/>',
      '<Companion><HTMLResource><![CDATA[<!DOCTYPE html><p>]]></HTMLResource></Companion>',
    ).replace('type="video/webm" width="640" height="360"', '');
    const { ad } = await auction(page);
    expect([ad.url, ad.width, ad.height]).toEqual([FILE, undefined, undefined]);
  });

  it('nobody waits for any more calls nobody', async () => {
    const controller = new AbortController();
    const calls: string[] = [];
    exchange.on('/a', 'silence');
    const environment = Object.assign(world, { parseXml, canPlay: () => true }) as VastEnvironment;
    const reading = new VastVideo({}, environment).read(wrapper('https://a.example.com/a', 'w'), {
      surface: { adSurfaceId: 'roof' },
      signal: controller.signal,
      begunAt: world.now(),
      fill: (address) => address,
      call: (url) => calls.push(url),
    });
    await world.advance(0);
    controller.abort();
    expect((await faultOf(reading)).code).toBe('net/aborted');
    expect(calls).toEqual([]);
  });

  it('whose wrappers take too long is not shown (301)', async () => {
    const pending = auction(wrapper('https://a.example.com/a', 'w'), { timeoutMs: 500 }, { '/a': 'silence' });
    await world.advance(0);
    await world.advance(600);
    const { fault, called } = await pending;
    expect(fault?.code).toBe('response/schema');
    expect(called).toEqual([`${T}/w/error?c=301`]);
  });

  it('shares its time with the other videos of its auction; one without wrappers is read after it, too', async () => {
    const silent = (name: string) => wrapper(`https://a.example.com/${name}`, name);
    const bid = (price: number, adm: string) => ({ id: `b${price}`, impid: '1', price, mtype: 2, adm });
    const more = [bid(2.9, silent('b')), bid(2.8, silent('c')), bid(2.7, INLINE)];
    const pending = auction(silent('a'), { timeoutMs: 500 }, { '/a': 'silence', '/b': 'silence' }, more);
    await world.advance(0);
    await world.advance(501);
    const { ad, called } = await pending;
    expect(ad.url).toBe(FILE);
    expect(['/a', '/b', '/c'].map((path) => exchange.to(path).length)).toEqual([1, 0, 0]);
    expect(called).toEqual(['a', 'b', 'c'].map((name) => `${T}/${name}/error?c=301`));
  });

  it('whose wrappers take too long together is not shown, though each is soon there', async () => {
    const slow = async (text: string) => {
      world.monotonic += 400;
      return { text };
    };
    const inner = wrapper('https://b.example.com/b', 'inner');
    const answers = { '/a': () => slow(inner), '/b': () => slow(wrapper('https://c.example.com/c', 'last')) };
    const outer = wrapper('https://a.example.com/a', 'outer');
    const { called } = await auction(outer, { timeoutMs: 700 }, { ...answers, '/c': () => slow(INLINE) });
    expect(exchange.to('/c')).toEqual([]);
    expect(called).toEqual(['last', 'inner', 'outer'].map((name) => `${T}/${name}/error?c=301`));
  });

  it('that nobody waits for any more ends the auction: no other bid is taken', async () => {
    const controller = new AbortController();
    const second = INLINE.replaceAll('640', '320');
    const answers = { '/a': 'silence' } as const;
    const more = [{ id: 'n', impid: '1', price: 1, mtype: 2, adm: second }];
    const pending = auction(wrapper('https://a.example.com/a', 'w'), {}, answers, more, undefined, controller.signal);
    await world.advance(0);
    controller.abort();
    const { fault, called } = await pending;
    expect(fault?.code).toBe('net/aborted');
    expect(called).toEqual([]);
  });

  it('is no ad without the option', async () => {
    exchange.on('/auction', ({ body }: SeenRequest) => ({
      body: { id: body['id'], seatbid: [{ bid: [{ id: 'v', impid: '1', price: 3, adm: INLINE }] }] },
    }));
    const source = new OpenRtbAds(
      { endpoint: 'https://exchange.example/auction', surfaces: [{ adSurfaceId: 'roof' }] },
      world,
    );
    expect((await faultOf(source.getAd('roof'))).code).toBe('response/schema');
  });

  it('of a wrapper is asked for with the consent that holds', async () => {
    const asked: string[] = [];
    const real = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      asked.push(input instanceof Request ? input.url : String(input));
      return real(input, init);
    };
    const environment = Object.assign(world, { parseXml, canPlay: () => true }) as VastEnvironment;
    exchange.on('/a', { text: INLINE });
    const { url } = await new VastVideo({}, environment).read(
      wrapper('https://a.example.com/a?c=${GDPR_CONSENT_7}', 'w'),
      {
        surface: { adSurfaceId: 'roof' },
        signal: undefined,
        begunAt: world.now(),
        fill: (address) => address.replace('${GDPR_CONSENT_7}', 'CPX'),
        call: () => undefined,
      },
    );
    expect([url, asked]).toEqual([FILE, ['https://a.example.com/a?c=CPX']]);
  });
});

describe('the file of a video', () => {
  const file = (width: number, height: number, more: Partial<VastMediaFile> = {}): VastMediaFile => ({
    url: `https://cdn.example.com/${width}`,
    type: 'video/mp4',
    width,
    height,
    bitrate: 500,
    bytes: NaN,
    fullType: more.type ?? 'video/mp4',
    needsCode: false,
    isStreamed: false,
    ...more,
  });
  const choose = (files: VastMediaFile[], seconds = 15, canPlay = (_type: string): boolean => true) =>
    chooseMediaFile(files, seconds, { width: 320, height: 180 }, canPlay);

  it('is the smallest that fills the surface, or else the largest', () => {
    expect(choose([file(1280, 720), file(640, 360), file(320, 180), file(160, 90)])?.width).toBe(320);
    expect(choose([file(160, 90), file(240, 135)])?.width).toBe(240);
    const mixed = [file(160, 90), file(640, 360), file(240, 135)];
    expect([choose(mixed)?.width, choose([...mixed].reverse())?.width]).toEqual([640, 640]);
    const equal = [file(320, 180, { bitrate: 900 }), file(320, 180, { bitrate: 400 })];
    expect([choose(equal)?.bitrate, choose([...equal].reverse())?.bitrate]).toEqual([400, 400]);
  });

  it('is none that the browser does not play, or that is more than a game may show', () => {
    expect(choose([file(320, 180), file(640, 360, { type: 'video/webm' })], 15, (type) => type === 'video/webm')?.width).toBe(640);
    expect([choose([file(1920, 1080)]), choose([file(1921, 1080)])]).toEqual([expect.anything(), null]);
    // Of 15 seconds, 4 MiB are 2236.96 kbit/s.
    expect([choose([file(320, 180, { bitrate: 2_236 })]), choose([file(320, 180, { bitrate: 2_237 })])]).toEqual([expect.anything(), null]);
    expect(choose([file(320, 180)], 61)).toBeNull();
    expect(choose([file(320, 180, { bytes: 5_000_000 })])).toBeNull();
    expect(choose([file(320, 180, { bitrate: 4_000, bytes: 4_000_000 })], 30)).not.toBeNull();
    const coded = [file(320, 180, { fullType: 'video/mp4; codecs="hvc1"' }), file(640, 360)];
    expect(choose(coded, 15, (type) => !type.includes('hvc1'))?.width).toBe(640);
    for (const url of ['http://cdn.example.com/a', 'ftp://localhost/a', 'a.mp4', '']) expect(choose([file(320, 180, { url })])).toBeNull();
    expect(choose([file(320, 180, { url: 'http://localhost:8080/a' })])).not.toBeNull();
    expect(choose([file(320, 180, { isStreamed: true })])).toBeNull();
    expect(choose([])).toBeNull();
  }); // prettier-ignore

  it('is chosen where nothing is said of bits and length', () => {
    expect(choose([file(0, 0, { bitrate: NaN })], NaN)).not.toBeNull();
  });
});

describe('a VAST document', () => {
  it.each(['<!DOCTYPE VAST [<!ENTITY a "b">]><VAST>&a;</VAST>', '<!-- a --><?b c?>\n<!DOCTYPE VAST><VAST/>', '<html/>', 'x', '<VAST><Ad></VAST>', `<VAST>${'x'.repeat(300_000)}</VAST>`])(
    'that is none is refused (%#)',
    (text) => expect(() => readVast(text, parseXml)).toThrow(VastFault),
  ); // prettier-ignore

  it.each(['<!-- a -->', '<?a b?>'])(
    'is not even parsed with thousands of %s, before its root, in it or after it',
    (note) => {
      const notes = note.repeat(2_000);
      const parse = jest.fn(parseXml);
      for (const text of [`${notes}<VAST/>`, `<VAST>${notes}</VAST>`, `<VAST/>${notes}`]) {
        expect(() => readVast(text, parse)).toThrow(VastFault);
      }
      expect(parse).not.toHaveBeenCalled();
      expect(readVast(`${note.repeat(400)}<VAST>${note}</VAST>${note.repeat(400)}`, parse).ads).toEqual([]);
    },
  );

  it('of which anything is cut away, doubled or changed is read, or refused by a code', () => {
    const parts = INLINE.split(/(?=<)/);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(parts.length - 1), fc.nat(3)), { maxLength: 4 }), (changes) => {
        const text = [...parts];
        for (const [i, change] of changes) {
          text[i] = ['', `${parts[i]}${parts[i]}`, parts[i]!.replace(/[a-z]+/i, 'Odd'), parts[i]!.toUpperCase()][
            change
          ]!;
        }
        try {
          return readVast(text.join(''), parseXml).ads.length <= 10;
        } catch (error) {
          return error instanceof VastFault;
        }
      }),
      { numRuns: process.env['DEEP'] ? 20_000 : 200 },
    );
  });
});

describe('VastVideo', () => {
  const environment = Object.assign(new FakeWorld(), { parseXml, canPlay: () => true }) as VastEnvironment;

  it.each<[options: object, code: string]>([
    ...[11, -1, 1.5, NaN, '5'].map((maxWrappers): [object, string] => [{ maxWrappers }, 'config/option']),
    ...[0, 49, 30_001, NaN, '3000'].map((timeoutMs): [object, string] => [{ timeoutMs }, 'config/timeout']),
  ])('refuses %j', (options, code) => {
    expect(() => new VastVideo(options, environment)).toThrow(withCode(code));
  });

  it.each([{}, { maxWrappers: 0, timeoutMs: 50 }, { maxWrappers: 10, timeoutMs: 30_000 }])('takes %j', (options) => {
    expect(() => new VastVideo(options, environment)).not.toThrow();
  });

  it('asks for a size only where a surface has one', () => {
    const sizeFor = (surface: object) => {
      const { w, h } = new VastVideo({}, environment).request({ adSurfaceId: 's', ...surface }) as { w?: 1; h?: 1 };
      return [w, h];
    };
    expect(sizeFor({ width: 320.4, height: 179.6 })).toEqual([320, 180]);
    for (const surface of [{}, { width: 320 }, { height: 180 }])
      expect(sizeFor(surface)).toEqual([undefined, undefined]);
  });

  it.each([
    ['<VAST/>', true],
    ['\ufeff<?xml version="1.0"?><vast:VAST/>', true],
    ['<!-- of today --><vast version="3.0">', true],
    ['<?xml version="1.0"?><html/>', false],
    ['<!-- --><p>VAST</p>', false],
    ['<p><VAST/></p>', false],
    ['{"vast":"<VAST/>"}', false],
  ])('takes %j for its markup: %p', (text, isMarkup) => {
    expect(new VastVideo({}, environment).isMarkup(text)).toBe(isMarkup);
  });
});

import { OpenRtbAds } from '../../../src/sources/openrtb/OpenRtbAds.js';
import type { BidRequest, OpenRtbOptions } from '../../../src/sources/openrtb/OpenRtbOptions.js';
import { type Bidder, PrebidServer, type PrebidServerOptions } from '../../helpers/prebidServer/PrebidServer.js';
import type { JsonObject } from '../../helpers/prebidServer/json.js';
import { FakeWorld } from '../service/FakeWorld.js';
import { faultOf } from '../service/startClient.js';

let server: PrebidServer;
afterEach(() => server.close());

const IMAGE = 'https://cdn.example.com/a.png';
const bidder: Bidder = (imp) => ({
  bids: [{ id: 'b', impid: imp['id']!, price: 1, adm: JSON.stringify({ assets: [{ id: 1, img: { url: IMAGE } }] }) }],
});

/** Auctions at a server, from a game on games.example. */
async function start(options: Partial<PrebidServerOptions>, own: Partial<OpenRtbOptions> = {}) {
  server = await PrebidServer.start({ bidders: { alpha: bidder }, ...options });
  const world = new FakeWorld();
  world.page = { hostname: 'games.example', origin: 'https://games.example' };
  const surfaces = [{ adSurfaceId: 'roof', width: 320, height: 180 }];
  const source = new OpenRtbAds({ endpoint: server.endpoint, surfaces, ...own }, world);
  const notes: string[] = [];
  return { source, notes, note: (message: string) => void notes.push(message) };
}

const STORED_IMP = { ext: { prebid: { bidder: { alpha: { placement: 7 } } } } };
const SURFACE = [{ adSurfaceId: 'roof', storedRequest: 'roof-of-game' }];

describe('an auction at Prebid Server', () => {
  it('P2: is held for the bidders of the stored request of a surface', async () => {
    const { source } = await start({ storedImps: { 'roof-of-game': STORED_IMP } }, { surfaces: SURFACE });
    await expect(source.getAd('roof')).resolves.toMatchObject({ url: IMAGE });
    const [imp] = server.auctions[0]!.request['imp'] as [JsonObject];
    expect(imp).toMatchObject({ tagid: 'roof', ext: { intrinsic: 1, ...STORED_IMP.ext } });
  });

  it('P2: takes what the stored request of the account adds to it', async () => {
    const storedRequests = { account: { site: { publisher: { id: '1001' } }, bcat: ['IAB7'] } };
    const options = { storedRequests, storedImps: { 'roof-of-game': STORED_IMP } };
    const { source } = await start(options, { surfaces: SURFACE, storedRequest: 'account' });
    await expect(source.getAd('roof')).resolves.toMatchObject({ url: IMAGE });
    expect(server.auctions[0]!.request).toMatchObject({
      bcat: ['IAB7'],
      site: { publisher: { id: '1001' }, page: 'https://games.example' },
    });
  });

  it('P3: without bidders is refused, and the words of the server are told', async () => {
    const { source, notes, note } = await start({});
    expect(await faultOf(source.getAd('roof', { note }))).toMatchObject({ code: 'service/refused', status: 400 });
    expect(notes).toEqual([
      'The exchange answered 400: Invalid request: request.imp[0].ext.prebid.bidder must contain at least one bidder',
    ]);
  });

  it('P3: for a stored request that is not there is refused, by its name', async () => {
    const { source, notes, note } = await start({}, { surfaces: SURFACE });
    expect((await faultOf(source.getAd('roof', { note }))).code).toBe('service/refused');
    expect(notes).toEqual(['The exchange answered 400: Invalid request: Stored Imp with ID="roof-of-game" not found.']);
  });

  it('P3: without bids is no ad, and what the bidders said of it is told', async () => {
    const failing: Bidder = () => ({ error: 'Timeout for ada@example.com\nof gamma' });
    const { source, notes, note } = await start(
      { bidders: { alpha: failing }, storedImps: { 'roof-of-game': { ext: { alpha: {} } } } },
      { surfaces: SURFACE },
    );
    await expect(source.getAd('roof', { note })).resolves.toEqual({ adId: '', url: '' });
    expect(notes).toEqual([
      'The exchange tells of an error, alpha: Timeout for (e-mail) of gamma',
      "The exchange tells of a warning, general: request.imp[0].ext contains unknown bidder: 'intrinsic', ignoring",
    ]);
  });

  it('P3: tells nothing to whoever does not listen', async () => {
    const { source } = await start({});
    expect((await faultOf(source.getAd('roof'))).message).toBe(
      'The exchange answered 400 [service/refused] The service refused the request.',
    );
  });

  it('P1: calls the events of an account that has them, where they are asked for', async () => {
    const rules = { storedImps: { 'roof-of-game': STORED_IMP }, events: true, eventsUrl: 'https://events.example.com' };
    const { source } = await start(rules, { surfaces: SURFACE, events: true });
    const event = (kind: string) => `https://events.example.com/event?t=${kind}&b=b&bidder=alpha&f=i`;
    expect((await source.getAd('roof')).trackers).toEqual([
      { event: 'loaded', url: event('win') },
      { event: 'impression', url: event('imp') },
    ]);
    await server.close();
    const other = await start(rules, { surfaces: SURFACE });
    expect((await other.source.getAd('roof')).trackers).toEqual([]);
  });

  it('P5: is told what is known of consent, in the fields of OpenRTB 2.6', async () => {
    const { source } = await start({ storedImps: { 'roof-of-game': STORED_IMP } }, { surfaces: SURFACE });
    const consent = {
      gdprApplies: true,
      tcString: 'CPXx',
      gppString: 'DBAA~BVQ',
      gppSections: [7],
      usPrivacy: '1YNN',
      globalPrivacyControl: true,
      addtlConsent: '2~1.35~dv.',
    };
    await source.getAd('roof', { consent });
    await source.getAd('roof', { consent: { gdprApplies: false } });
    await source.getAd('roof');
    const [full, none, unknown] = server.auctions.map(({ request }) => request) as [JsonObject, JsonObject, JsonObject];
    expect(full['user']).toEqual({
      consent: 'CPXx',
      ext: { ConsentedProvidersSettings: { consented_providers: '2~1.35~dv.' } },
    });
    const regs = { gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA~BVQ', gpp_sid: [7], ext: { gpc: '1' } };
    expect(full['regs']).toEqual(regs);
    expect(none['regs']).toEqual({ gdpr: 0 });
    expect(unknown).not.toHaveProperty('regs');
    expect(unknown).not.toHaveProperty('user');
  });

  it('P5: of a child is told nothing that names a player or device, whatever the game adds', async () => {
    const complete = (request: BidRequest): BidRequest => ({
      ...request,
      user: { id: 'ada', eids: [{ source: 'x' }], ext: { eids: [] }, consent: 'CPXx', yob: 2016 },
      device: { ua: 'Firefox', ifa: 'AEBE', ip: '192.0.2.7', geo: { lat: 1, lon: 2, country: 'DEU' } },
      regs: { gdpr: 1, ext: { gpc: '1', id: 'ada' } },
      source: { tid: 't', ext: { schain: {}, eids: [] } },
      ext: {
        schain: {},
        prebid: { targeting: {}, bidderconfig: [{ config: { ortb2: { user: { id: 'ada' } } } }] },
        player: 'ada',
      },
    });
    const rules = { storedImps: { 'roof-of-game': STORED_IMP } };
    const { source } = await start(rules, { surfaces: SURFACE, complete });
    await source.getAd('roof', { consent: { underAge: true } });
    const { user, device, regs, source: chain, ext } = server.auctions[0]!.request;
    expect(chain).toEqual({ tid: 't', ext: { schain: {} } });
    expect(ext).toEqual({ schain: {}, prebid: { targeting: {} } });
    expect(user).toEqual({ consent: 'CPXx' });
    expect(device).toEqual({ ua: 'Firefox', geo: { country: 'DEU' }, lmt: 1 });
    expect(regs).toEqual({ gdpr: 1, coppa: 1, ext: { gpc: '1' } });
  });

  it.each([[undefined], [{ device: { ua: 'Firefox' } }], [{ regs: undefined, device: { ua: 'Firefox' } }]])(
    'P5: of a child is told no more than the game has said: %j',
    async (said) => {
      const complete = jest.fn((request: BidRequest): BidRequest => ({ ...request, ...(said as object) }));
      const { source } = await start({ storedImps: { 'roof-of-game': STORED_IMP } }, { surfaces: SURFACE, complete });
      await source.getAd('roof', { consent: { underAge: true } });
      const { user, device, regs, source: chain, ext } = server.auctions[0]!.request;
      expect([user, chain, ext, regs]).toEqual([undefined, undefined, undefined, { coppa: 1 }]);
      expect(device).toEqual(said && { ua: 'Firefox', lmt: 1 });
      expect(complete.mock.calls[0]![0].regs).toEqual({ coppa: 1 });
    },
  );

  it('takes stored auction responses and packed answers', async () => {
    const stored = { ext: { prebid: { bidder: { alpha: {} }, storedauctionresponse: { id: 'r' } } } };
    const storedResponses = { r: [{ seat: 'alpha', bid: [bidsOf('stored')] }] };
    const { source } = await start(
      { storedImps: { 'roof-of-game': stored }, storedResponses, gzip: true },
      { surfaces: SURFACE },
    );
    await expect(source.getAd('roof')).resolves.toMatchObject({ url: IMAGE, adId: 'stored' });
  });

  it('is read with all that many bidders and `test` put into its answer, up to a mebibyte', async () => {
    const many: Bidder = (imp) => ({
      bids: Array.from({ length: 30 }, (_, i) => ({
        ...(bidder(imp, {}) as { bids: JsonObject[] }).bids[0]!,
        adid: `a${i}`,
        price: i,
        iurl: `https://cdn.example.com/${'x'.repeat(20_000)}`,
      })),
    });
    const rules = { storedImps: { 'roof-of-game': STORED_IMP }, bidders: { alpha: many } };
    const { source } = await start(rules, { surfaces: SURFACE, test: true });
    await expect(source.getAd('roof')).resolves.toMatchObject({ adId: 'a29' });
    await server.close();
    const other = await start({ instead: () => ({ status: 200, body: ' '.repeat(1_048_577) }) });
    expect((await faultOf(other.source.getAd('roof'))).code).toBe('response/too-large');
  });

  it.each([
    [204, ''],
    [200, ''],
    [200, '\ufeff \n'],
    [200, '{}'],
    [200, 'null'],
  ])('S14: that answers %d with %j is no ad', async (status, body) => {
    const { source } = await start({ instead: () => ({ status, body }) });
    await expect(source.getAd('roof')).resolves.toEqual({ adId: '', url: '' });
  });
});

function bidsOf(adid: string): JsonObject {
  return { ...(bidder({ id: 'any' }, {}) as { bids: JsonObject[] }).bids[0]!, adid };
}

import { StaticAds } from '../../../src/sources/StaticAds.js';
import { withCode } from '../../helpers/withCode.js';
import { type Answer, FakeService } from '../service/FakeService.js';
import { FakeWorld, settle } from '../service/FakeWorld.js';
import { faultOf } from '../service/startClient.js';

let host: FakeService;
beforeEach(() => (host = new FakeService()));
afterEach(() => host.restore());

const CONFIG = {
  ads: [
    {
      url: 'https://cdn.example.com/a.png',
      adSurfaceIds: ['roof'],
      clickUrl: 'https://example.com/',
      width: 320,
      height: 180,
    },
    { url: 'ads/b.png', adId: 'b', adSurfaceIds: ['roof', 'bus'] },
    { url: 'https://cdn.example.com/c.png', adSurfaceIds: ['blimp'] },
  ],
};

const at = (address: string, config: object) => {
  host.on(new URL(address).pathname, { body: config });
  return new StaticAds(address, new FakeWorld());
};

/** A wrapper's way to read files of its package. */
class PackagedFile {
  static readonly opened: PackagedFile[] = [];
  responseType = '';
  status = 0;
  response: ArrayBuffer | null = null;
  isAborted = false;
  onload: (() => void) | null = null;
  onloadend: (() => void) | null = null;

  open(): void {
    PackagedFile.opened.push(this);
  }
  send(): void {
    // Answered by the test.
  }
  abort(): void {
    this.isAborted = true;
  }
  getResponseHeader(): null {
    return null;
  }
  answer(json: object): void {
    // Otherwise it would be a text.
    expect(this.responseType).toBe('arraybuffer');
    this.response = new TextEncoder().encode(JSON.stringify(json)).buffer;
    this.onload?.();
    this.onloadend?.();
  }
}

describe('R7: a file of a packaged game', () => {
  const globals = globalThis as { XMLHttpRequest?: unknown; document?: unknown };
  let world: FakeWorld;
  let ads: StaticAds;
  beforeEach(() => {
    PackagedFile.opened.length = 0;
    globals.XMLHttpRequest = PackagedFile;
    globals.document = { baseURI: 'capacitor://localhost/index.html' };
    world = new FakeWorld();
    ads = new StaticAds('ads.json', world);
  });
  afterEach(() => {
    delete globals.XMLHttpRequest;
    delete globals.document;
  });

  it('that is read leaves no timer', async () => {
    const ad = ads.getAd('roof');
    await Promise.resolve();
    PackagedFile.opened[0]!.answer(CONFIG);
    expect((await ad).adId).toBe('https://cdn.example.com/a.png');
    expect(world.leftovers).toBe(0);
  });

  it('that is not in the package cannot be read, whatever comes in its place', async () => {
    const fault = faultOf(ads.getAd('roof'));
    await Promise.resolve();
    PackagedFile.opened[0]!.status = 404;
    PackagedFile.opened[0]!.answer(CONFIG);
    expect((await fault).code).toBe('net/unreachable');
  });

  it('that holds no JSON says so; one that breaks off cannot be read', async () => {
    const broken = faultOf(ads.getAd('roof'));
    await Promise.resolve();
    Object.assign(PackagedFile.opened[0]!, { response: new TextEncoder().encode('{"ads":').buffer }).onload!();
    expect((await broken).code).toBe('response/not-json');
    await settle();
    const cut = faultOf(ads.getAd('roof'));
    await Promise.resolve();
    PackagedFile.opened[1]!.onloadend!();
    expect((await cut).code).toBe('net/unreachable');
  });

  it('that does not come is given up after ten seconds', async () => {
    const fault = faultOf(ads.getAd('roof'));
    await world.advance(9_999);
    expect(PackagedFile.opened[0]!.isAborted).toBe(false);
    await world.advance(1);
    expect((await fault).code).toBe('net/unreachable');
    expect(PackagedFile.opened[0]!.isAborted).toBe(true);
    expect(world.leftovers).toBe(0);
  });
});

describe('StaticAds', () => {
  it('serves the ads of an object in turn, each serve by a name of its own', async () => {
    const ads = new StaticAds(CONFIG, new FakeWorld());
    const served = [await ads.getAd('roof'), await ads.getAd('roof'), await ads.getAd('roof')];
    expect(served.map(({ adId }) => adId)).toEqual([
      'https://cdn.example.com/a.png',
      'b',
      'https://cdn.example.com/a.png',
    ]);
    expect(served[0]).toMatchObject({ clickUrl: 'https://example.com/', width: 320, height: 180 });
    expect(new Set(served.map(({ serveId }) => serveId)).size).toBe(3);
    expect(host.seen).toEqual([]);
  });

  it('reads them from a file, once, with addresses that count from the file', async () => {
    const ads = at('https://game.example.com/house/ads.json', CONFIG);
    const [bus] = await Promise.all([ads.getAd('bus'), ads.getAdSurfaces(), ads.getAd('roof')]);
    expect(bus.url).toBe('https://game.example.com/house/ads/b.png');
    expect(host.seen).toHaveLength(1);
  });

  it('lists the surfaces the ads name, or those given', async () => {
    const names = async (config: object) =>
      (await new StaticAds(config as never, new FakeWorld()).getAdSurfaces()).items.map(
        ({ adSurfaceId }) => adSurfaceId,
      );
    expect(await names(CONFIG)).toEqual(['roof', 'bus', 'blimp']);
    expect(await names({ ...CONFIG, surfaces: [{ adSurfaceId: 'wall', width: 10, height: 10 }] })).toEqual(['wall']);
  });

  it('has no ad for a surface none is for, and any ad without surfaces for every one', async () => {
    await expect(new StaticAds(CONFIG, new FakeWorld()).getAd('cellar')).resolves.toEqual({ adId: '', url: '' });
    const everywhere = new StaticAds({ ads: [{ url: 'https://a.example/x.png' }] }, new FakeWorld());
    await expect(everywhere.getAd('cellar')).resolves.toMatchObject({ url: 'https://a.example/x.png' });
  });

  it('leaves an address that nothing can be fetched from to the gate of creatives, which refuses that ad alone', async () => {
    const urls = ['ftp://a.example/x.png', 'https://[', 'https://a.example/x.png'];
    const source = new StaticAds({ ads: urls.map((url) => ({ url })) }, new FakeWorld());
    for (const url of urls) await expect(source.getAd('roof')).resolves.toMatchObject({ url });
  });

  it.each([
    [{}, '$.ads'],
    [{ ads: [null] }, '$.ads[0]'],
    [{ ads: [{ url: 7 }] }, '$.ads[0].url'],
    [{ ads: [{ url: 'https://a.example/', adSurfaceIds: 'roof' }] }, '$.ads[0].adSurfaceIds'],
    [{ ads: [{ url: 'https://a.example/', adId: '' }] }, '$.ads[0].adId'],
    [[], '$'],
  ])('refuses %j, naming the place', async (config, path) => {
    const fault = await faultOf(new StaticAds(config as never, new FakeWorld()).getAd('roof'));
    expect(fault).toMatchObject({ code: 'response/schema', path });
  });

  it('passes on all that an entry says of its ad, and names one without an id by the end of its address', async () => {
    const url = `https://cdn.example.com/${'a/'.repeat(150)}x.png`;
    const said = { width: 320, height: 180, clickUrl: 'https://example.com/', alt: 'The sequel is out' };
    const ads = new StaticAds({ ads: [{ url, ...said }] }, new FakeWorld());
    await expect(ads.getAd('roof')).resolves.toEqual({ url, ...said, adId: url.slice(-256), serveId: 'static-1' });
    const long = new StaticAds({ ads: [{ url, adId: `🎲${'a'.repeat(255)}` }] }, new FakeWorld());
    await expect(long.getAd('roof')).resolves.toMatchObject({ adId: 'a'.repeat(255) });
  });

  it('waits ten seconds for a file of the web, and no longer', async () => {
    let give = (_answer: Answer): void => undefined;
    host.on('/ads.json', () => new Promise((resolve) => (give = resolve)));
    const world = new FakeWorld();
    const ads = new StaticAds('https://games.example/ads.json', world);
    const slow = ads.getAd('roof');
    await world.advance(9_999);
    give({ body: CONFIG });
    expect((await slow).url).toBe('https://cdn.example.com/a.png');
    const silent = faultOf(new StaticAds('https://games.example/ads.json', world).getAd('roof'));
    await world.advance(10_000);
    expect([(await silent).code, world.leftovers]).toEqual(['net/timeout', 0]);
  });

  it('asks for the file again after a failure', async () => {
    host.on('/ads.json', { status: 503 }, { body: CONFIG });
    const ads = new StaticAds('https://game.example.com/ads.json', new FakeWorld());
    expect((await faultOf(ads.getAd('roof'))).code).toBe('service/unavailable');
    await expect(ads.getAd('roof')).resolves.toMatchObject({ adId: 'https://cdn.example.com/a.png' });
  });

  it('refuses what is no configuration and no address', async () => {
    for (const config of [7, null]) expect(() => new StaticAds(config as never)).toThrow(withCode('config/option'));
    const fault = await faultOf(new StaticAds('javascript:alert(1)', new FakeWorld()).getAd('roof'));
    expect(fault.code).toBe('config/option');
  });

  it('ends a call by its signal', async () => {
    const ads = new StaticAds(CONFIG, new FakeWorld());
    expect((await faultOf(ads.getAd('roof', { signal: AbortSignal.abort() }))).code).toBe('net/aborted');
  });

  it('ends a call by its signal at once, and loads the file for the next one all the same', async () => {
    let give = (_answer: Answer): void => undefined;
    host.on('/ads.json', () => new Promise((resolve) => (give = resolve)));
    const world = new FakeWorld();
    const ads = new StaticAds('https://games.example/ads.json', world);
    expect((await faultOf(ads.getAd('roof', { signal: AbortSignal.abort() }))).code).toBe('net/aborted');
    expect(host.seen).toEqual([]);
    const controller = new AbortController();
    const fault = faultOf(ads.getAd('roof', { signal: controller.signal }));
    await settle();
    controller.abort();
    expect((await fault).code).toBe('net/aborted');
    const next = ads.getAd('roof');
    give({ body: CONFIG });
    expect((await next).url).toBe('https://cdn.example.com/a.png');
    expect([host.seen.length, world.leftovers]).toEqual([1, 0]);
  });
});

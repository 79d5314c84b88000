import type { Browser, Page } from 'playwright-core';
import type { OpenRtbOptions } from '../../src/sources/openrtb/OpenRtbOptions.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { wholePng } from '../helpers/hostileCreatives.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import type { JsonObject } from '../helpers/prebidServer/json.js';
import { type Bidder, PrebidServer, type PrebidServerOptions } from '../helpers/prebidServer/PrebidServer.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import { until } from '../helpers/until.js';

let browser: Browser;
let pages: PageServer;
let server: PrebidServer;
let page: Page;
/** Addresses of buyers and of their image host, as the page has asked for them. */
let called: string[];

const alpha: Bidder = (imp) => ({
  bids: [
    {
      id: 'bid-1',
      impid: imp['id']!,
      price: 1.5,
      adid: 'alpha-7',
      burl: 'https://buyer.example/bill?p=${AUCTION_PRICE}',
      adm: JSON.stringify({
        assets: [{ id: 1, img: { url: 'https://cdn.example.com/a.png', w: 320, h: 180 } }],
        eventtrackers: [{ event: 1, method: 1, url: 'https://buyer.example/impression' }],
      }),
    },
  ],
});
const STORED: JsonObject = { ext: { prebid: { bidder: { alpha: {} } } } };

beforeAll(async () => {
  browser = await launchBrowser();
  pages = await servePages({ '/': await bundlePage('__tests__/browser/pages/prebidServer.ts') });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
});
beforeEach(async () => {
  called = [];
  page = await browser.newPage();
  await page.exposeFunction('noteCall', (url: string) => called.push(url));
  // Not by `page.route`: while it is set, Playwright itself answers what the browser asks Prebid Server's leave for.
  await page.addInitScript(
    (png: number[]) => {
      const { fetch } = window;
      window.fetch = (input, init) => {
        const url = input instanceof Request ? input.url : String(input);
        if (!url.startsWith('https:')) return fetch(input, init);
        void (window as unknown as { noteCall(url: string): Promise<void> }).noteCall(url);
        return Promise.resolve(new Response(url.endsWith('.png') ? new Uint8Array(png) : null));
      };
    },
    [...wholePng(320, 180)],
  );
  await page.goto(pages.url);
  await page.waitForFunction(() => 'holdAuction' in window);
});
afterEach(async () => {
  await page.close();
  await server.close();
});

async function hold(rules: Partial<PrebidServerOptions>, own: Partial<OpenRtbOptions> = {}, seen = false) {
  server = await PrebidServer.start({ bidders: { alpha }, storedImps: { roof: STORED }, ...rules });
  const surfaces = [{ adSurfaceId: 'roof', width: 320, height: 180, storedRequest: 'roof' }];
  return page.evaluate(([options, isSeen]) => window.holdAuction!(options, isSeen), [
    { endpoint: server.endpoint, surfaces, ...own },
    seen,
  ] as const);
}

describe('a page and Prebid Server', () => {
  it('P1: by default an auction is held without asking for leave, shown, and billed once', async () => {
    const result = await hold({ gzip: true }, {}, true);
    expect(result).toMatchObject({ state: 'shown', adId: 'alpha-7', notes: [] });
    expect(server.preflights).toEqual([]);
    const { headers, request } = server.auctions[0]!;
    expect(headers).toMatchObject({ 'content-type': 'text/plain', origin: pages.url });
    expect(request).toMatchObject({ site: { page: pages.url } });
    await until(() => called.some((url) => url.includes('/bill')));
    expect(called.filter((url) => url.startsWith('https://buyer.example/')).sort()).toEqual([
      'https://buyer.example/bill?p=1.5',
      'https://buyer.example/impression',
    ]);
  });

  it('P1: with a header of its own no page reaches it', async () => {
    const result = await hold({}, { plainText: false });
    expect(result).toMatchObject({ state: 'failed', errorCode: 'net/blocked-or-cors' });
    expect(server.preflights[0]).toContain('x-openrtb-version');
    expect(server.auctions).toEqual([]);
  });

  it('P2, P3: without bidders is refused; debug prints the words of the server', async () => {
    const result = await hold({}, { surfaces: [{ adSurfaceId: 'roof' }] });
    expect(result).toMatchObject({ state: 'failed', errorCode: 'service/refused' });
    expect(result.notes).toEqual([
      'phaser-inview: The exchange answered 400: Invalid request: request.imp[0].ext.prebid.bidder must contain at least one bidder',
    ]);
  });

  it('P3: no bid is no ad; debug prints what bidders said', async () => {
    const result = await hold({ bidders: { alpha: () => ({ error: 'Timeout' }) } });
    expect(result).toMatchObject({ state: 'noFill', errorCode: null });
    expect(result.notes).toEqual(['phaser-inview: The exchange tells of an error, alpha: Timeout']);
  });

  it('S14: an empty 200 is no ad', async () => {
    const instead = () => ({ status: 200, body: '' });
    expect(await hold({ instead })).toMatchObject({ state: 'noFill', errorCode: null });
  });
});

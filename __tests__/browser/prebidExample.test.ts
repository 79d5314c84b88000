import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { startExchange } from '../../examples/prebid/exchange.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import type { PrebidServer } from '../helpers/prebidServer/PrebidServer.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import { takePicture } from '../helpers/takePicture.js';
import { until } from '../helpers/until.js';

let browser: Browser;
let pages: PageServer;
let exchange: PrebidServer;
let page: Page;
const called: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  pages = await servePages({ '/': await bundlePage('examples/prebid/src/main.ts') });
  exchange = await startExchange('https://cdn.example.com');
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  await exchange?.close();
});

/** Hosts of buyers and creatives, and a consent manager that comes late and asks the player. */
async function prepare(): Promise<void> {
  const files = ['fizzwick-320x180.png', 'comet-320x180.webm'].map(
    async (name) => [name, [...(await readFile(`demo/service/creatives/${name}`))]] as const,
  );
  await page.exposeFunction('noteCall', (url: string) => called.push(url));
  await page.addInitScript(
    (bytes: (readonly [string, readonly number[]])[]) => {
      const { fetch } = window;
      window.fetch = (input, init) => {
        const url = input instanceof Request ? input.url : String(input);
        if (!url.startsWith('https:')) return fetch(input, init);
        const file = bytes.find(([name]) => url.endsWith(name));
        if (file !== undefined) return Promise.resolve(new Response(Uint8Array.from(file[1])));
        void (window as unknown as { noteCall(url: string): Promise<void> }).noteCall(url);
        return Promise.resolve(new Response(null));
      };
      const cmp = window as unknown as Record<string, unknown>;
      const told: ((data: object, success: boolean) => void)[] = [];
      const data = { gdprApplies: true, tcString: 'CPX', eventStatus: 'cmpuishown', listenerId: 1 };
      cmp['decide'] = () => told.forEach((tell) => tell({ ...data, eventStatus: 'useractioncomplete' }, true));
      setTimeout(() => {
        cmp['__tcfapi'] = (command: string, _version: number, tell: (typeof told)[number]) => {
          if (command !== 'addEventListener') return;
          told.push(tell);
          tell(data, true);
        };
      }, 300);
    },
    await Promise.all(files),
  );
}

describe('the example', () => {
  it('P1–P7: image and video from Prebid Server are shown, viewed and billed once; no bid is no ad, a refusal says why', async () => {
    page = await browser.newPage({ viewport: { width: 800, height: 800 } });
    await prepare();
    await page.goto(`${pages.url}/?exchange=${encodeURIComponent(exchange.endpoint)}`);
    await page.waitForTimeout(1_000);
    expect(exchange.auctions).toEqual([]);

    await page.evaluate(() => (window as unknown as { decide(): void }).decide());
    const lines = () => page.locator('li').allTextContents();
    const has = (end: string) => called.some((url) => url.startsWith(`https://buyer.example/${end}`));
    await until(() => ['image/bill', 'video/bill', 'video/complete'].every(has));
    const shots = process.env['SCREENSHOTS'];
    if (shots !== undefined) await takePicture(page, `${shots}/prebid.webp`);
    expect(called.map((url) => url.replace(/[?&]a=[0-9a-f]{32}$/, '')).sort()).toEqual(
      [
        'image/bill?p=1.5&c=CPX',
        'image/impression',
        'video/bill?p=4&c=CPX',
        'video/complete',
        'video/impression',
        'video/start',
        'video/viewable',
      ].map((end) => `https://buyer.example/${end}`),
    );
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'billboard viewable (iig-display)',
        'screen viewable (iig-video)',
        'screen played to its end',
        'earned 0.0015 USD by fizzwick.example',
        'earned 0.004 USD by comet.example',
        'corner has no ad',
        'bench: service/refused',
        'The exchange answered 400: Invalid request: request.imp[0].ext.prebid.bidder must contain at least one bidder',
      ]),
    );
    for (const { request } of exchange.auctions) {
      expect(request).toMatchObject({ regs: { gdpr: 1 }, user: { consent: 'CPX' }, bcat: ['IAB7'] });
    }
    await page.close();
  }, 120_000);
});

import type { Browser } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

let browser: Browser;
let pages: PageServer;
beforeAll(async () => {
  browser = await launchBrowser();
  pages = await servePages({ '/': await bundlePage('__tests__/browser/pages/sandboxedClick.ts') });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
});

describe('a click on an ad in a frame', () => {
  it.each([
    ['allow-scripts allow-same-origin', 0],
    ['allow-scripts allow-same-origin allow-popups', 1],
  ])('S21: with sandbox="%s" opens %d tabs, and in neither case claims to have opened one', async (sandbox, tabs) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(pages.url);
    await page.evaluate((rules) => {
      document.body.innerHTML = `<iframe sandbox="${rules}" src="/" width="400" height="300" style="border:0"></iframe>`;
      document.body.style.margin = '0';
    }, sandbox);
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame!.waitForFunction(() => 'hangAd' in window);
    await frame!.evaluate(() => window.hangAd!());
    const canvas = await (await frame!.waitForSelector('canvas')).boundingBox();
    const opened = tabs === 0 ? null : context.waitForEvent('page');
    await page.mouse.click(canvas!.x + 150, canvas!.y + 100);
    expect(await frame!.evaluate(() => window.clicked!)).toBe('unknown');
    await opened;
    expect(context.pages()).toHaveLength(1 + tabs);
    await context.close();
  });
});

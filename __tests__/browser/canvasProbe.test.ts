import type { Browser } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({ '/': await bundlePage('__tests__/browser/pages/canvasProbe.ts') });
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe('where code of a game paints with the 2D context', () => {
  it('is told as no less than the pixels it changes, and not much more', async () => {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => 'watchPainting' in window);
    const report = await page.evaluate(() => window.watchPainting!(7, 1500));
    expect(report.missed).toEqual([]);
    expect(report.isGivenBack).toBe(true);
    // Shadows, a `Path2D` and pixels that are put count as anywhere.
    expect(report.told).toBeGreaterThan(600);
    expect(report.waste).toBeLessThan(1.6);
    await page.close();
  });
});

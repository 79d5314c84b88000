import type { Browser } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

const PAGE = '__tests__/browser/pages/stillFrames.ts';

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({
    '/3.90/': await bundlePage(PAGE),
    '/4.2/': await bundlePage(PAGE, { phaserPackage: 'phaser-4.2' }),
  });
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

it.each([
  ['webgl', '3.90'],
  ['canvas', '3.90'],
  ['webgl', '4.2'],
] as const)(
  'while nothing changes, an ad under a pattern finer than its samples is measured ever more exactly (%s, Phaser %s)',
  async (renderer, version) => {
    const page = await browser.newPage();
    await page.goto(`${server.url}/${version}/`);
    await page.waitForFunction(() => 'watchStillFrames' in window);
    const shares = await page.evaluate((name) => window.watchStillFrames!(name, 40), renderer);
    const errors = shares.map((share) => Math.abs(share - 50));
    // A single look falls in step with the pattern.
    expect(errors[0]).toBeGreaterThan(1);
    expect(errors.at(-1)).toBeLessThan(0.5);
    // It comes to rest: there is no more to find out.
    expect(new Set(shares.slice(20)).size).toBe(1);
    await page.close();
  },
);

import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

let browser: Browser;
let server: PageServer;
let page: Page;

const PAGE = '__tests__/browser/pages/drawnTextures.ts';

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({
    '/3.90/': await bundlePage(PAGE),
    '/4.2/': await bundlePage(PAGE, { phaserPackage: 'phaser-4.2' }),
  });
  page = await browser.newPage();
}, 120_000);

afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Frames of a game that plays, with time between them: all other tests step their games by hand. */
test.each(['3.90', '4.2'])(
  'what a game draws into a texture is known while it plays, and once it is another, new or unknown but never old (Phaser %s)',
  async (version) => {
    await page.goto(`${server.url}/${version}/`);
    await page.waitForFunction(() => 'measureUnderDarkness' in window);
    const { before, after } = await page.evaluate(() => window.measureUnderDarkness!());
    expect(before).toBeCloseTo(50, 0);
    if (!after.reasons.includes('unmeasurable')) expect(after.percentageInView).toBe(0);
  },
  60_000,
);

test.each(['source', 'picture', 'numbers'] as const)(
  'a texture whose %s was sent to the GPU once more covers by what it shows since (Phaser 4.2)',
  async (way) => {
    await page.goto(`${server.url}/4.2/`);
    await page.waitForFunction(() => 'measureUnderRenewed' in window);
    expect(await page.evaluate((how) => window.measureUnderRenewed!(how), way)).toEqual([100, 0]);
  },
  60_000,
);

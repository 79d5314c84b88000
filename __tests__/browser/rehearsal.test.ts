import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { Laws } from './pages/rehearsalLaws.js';

const PAGE = '__tests__/browser/pages/rehearsal.ts';
const PAGE_PHASER4 = '__tests__/browser/pages/rehearsalPhaser4.ts';

let browser: Browser;
let server: PageServer;
let page: Page;
const faults: Error[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({
    '/3.90/': await bundlePage(PAGE),
    '/3.60/': await bundlePage(PAGE, { phaserPackage: 'phaser-3.60' }),
    '/4.0/': await bundlePage(PAGE_PHASER4, { phaserPackage: 'phaser-4.0' }),
    '/4.2/': await bundlePage(PAGE_PHASER4, { phaserPackage: 'phaser-4.2' }),
  });
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

afterEach(async () => {
  await page.close();
  expect(faults).toEqual([]);
});

/** The laws that did not hold. */
async function broken(version: string, run: (page: Page) => Promise<Laws>): Promise<string[]> {
  page = await browser.newPage();
  page.on('pageerror', (fault) => faults.push(fault));
  await page.goto(`${server.url}/${version}/`);
  await page.waitForFunction(() => 'rehearseLost' in window);
  const laws = await run(page);
  return Object.keys(laws).filter((law) => !laws[law]);
}

describe.each(['3.60', '3.90', '4.0', '4.2'])('a rehearsal in WebGL, Phaser %s', (version) => {
  it('leaves screen, cameras, events and state as they were', async () => {
    expect(await broken(version, (at) => at.evaluate(() => window.rehearse!()))).toEqual([]);
  });

  it('leaves them so, and the next frame, when an object throws half-way', async () => {
    expect(await broken(version, (at) => at.evaluate(() => window.rehearseFailing!()))).toEqual([]);
  });

  it('refuses in the midst of a drawing', async () => {
    expect(await broken(version, (at) => at.evaluate(() => window.rehearseWithin!()))).toEqual([]);
  });

  it('refuses while the context is lost', async () => {
    expect(await broken(version, (at) => at.evaluate(() => window.rehearseLost!()))).toEqual([]);
  });
});

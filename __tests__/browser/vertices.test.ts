import type { Browser } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { VerticesReport } from './pages/vertices.js';

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  browser = await launchBrowser();
  const page = '__tests__/browser/pages/vertices.ts';
  server = await servePages({
    '/3.90/': await bundlePage(page),
    '/3.60/': await bundlePage(page, { phaserPackage: 'phaser-3.60' }),
  });
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

// A context that Phaser 3.60 has lost does not come back by itself.
describe.each([
  ['3.60', false],
  ['3.90', true],
])('the vertices of Phaser %s', (version, isRestorable) => {
  it.each([
    ['lie where SIMD can look at them', null],
    ['stay where they are on a page that forbids WebAssembly, and are looked at there', "script-src 'self'"],
  ])('%s', async (_, policy) => {
    const page = await browser.newPage();
    const faults: Error[] = [];
    page.on('pageerror', (fault) => faults.push(fault));
    if (policy !== null) {
      await page.route(`**/${version}/`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } });
      });
    }
    await page.goto(`${server.url}/${version}/`);
    await page.waitForFunction(() => 'measureVertices' in window);
    const { isMoved, percentagesInView }: VerticesReport = await page.evaluate(
      (losesContext) => window.measureVertices!(losesContext),
      isRestorable,
    );
    expect(isMoved).toBe(policy === null);
    expect(percentagesInView.map((value) => Math.round(value * 100) / 100)).toEqual(
      isRestorable ? [50, 50, 50] : [50, 50],
    );
    expect(faults).toEqual([]);
    await page.close();
  });
});

import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { servePages } from '../helpers/servePages.js';
import type {} from './pages/accuracy.js';

it('the page of `npm run accuracy` compares scenes with their pixels on both renderers, and shows what it found', async () => {
  const browser = await launchBrowser();
  const template = '__tests__/browser/pages/accuracy.html';
  const server = await servePages({ '/': await bundlePage('__tests__/browser/pages/accuracy.ts', { template }) });
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
    const faults: Error[] = [];
    page.on('pageerror', (fault) => faults.push(fault));
    await page.goto(`${server.url}/?scenes=6&from=40`);
    const results = await page.evaluate(() => window.accuracy!);
    for (const renderer of ['webgl', 'canvas'] as const) {
      const { failures, statistics } = results[renderer]!;
      const [everyFrame, , boxes] = statistics;
      expect(failures).toEqual([]);
      expect(everyFrame).toMatchObject({ scenes: 6, falseFull: 0, falseBlocked: 0 });
      expect(everyFrame!.mean).toBeLessThan(0.25);
      expect(boxes!.mean).toBeGreaterThan(10);
    }
    const rows = await page.locator('section tr').allInnerTexts();
    expect(rows.filter((row) => row.startsWith('phaser-inview')).map((row) => row.split('\t')[1])).toEqual(Array(4).fill('6')); // prettier-ignore
    // Of each figure that keeps its promise, and of each of the boxes that does not.
    expect(await page.locator('td.good').count()).toBeGreaterThan(20);
    expect(await page.locator('td.bad').count()).toBeGreaterThan(6);
    expect(await page.title()).toMatch(/^Done/);
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
  }
});

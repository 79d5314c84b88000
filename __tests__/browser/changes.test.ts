import type { Browser } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { ChangesReport } from './pages/changes.js';

const FRAMES = process.env['DEEP'] ? 6000 : 600;

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  browser = await launchBrowser();
  const page = '__tests__/browser/pages/changes.ts';
  server = await servePages({
    '/3.90/': await bundlePage(page),
    '/3.60/': await bundlePage(page, { phaserPackage: 'phaser-3.60' }),
    '/3.80/': await bundlePage(page, { phaserPackage: 'phaser-3.80' }),
    '/4.2/': await bundlePage(page, { phaserPackage: 'phaser-4.2' }),
  });
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

// With one texture unit every texture begins a new entry of the batch, with sixteen they share it. In Phaser 3.80 each batch is
// rounded to whole pixels or not, of which a frame read anew knows only the last.
describe.each([
  ['3.90', 'webgl', 16, 1, 0.25],
  ['3.90', 'webgl', 1, 2, 0.25],
  ['3.60', 'webgl', 16, 3, 0.25],
  ['3.80', 'webgl', 16, 4, 1],
  ['4.2', 'webgl', 16, 7, 0.25],
  ['4.2', 'webgl', 1, 8, 0.25],
  ['3.90', 'canvas', 1, 5, 0.25],
  ['3.60', 'canvas', 1, 6, 0.25],
] as const)(
  'a game that changes from frame to frame, Phaser %s, %s, texture units: %i',
  (version, renderer, units, seed, within) => {
    it('is measured in every frame as if it were read anew', async () => {
      const page = await browser.newPage();
      const faults: Error[] = [];
      page.on('pageerror', (fault) => faults.push(fault));
      await page.goto(`${server.url}/${version}/`);
      await page.waitForFunction(() => 'playChanges' in window);
      const report: ChangesReport = await page.evaluate(([first, ...rest]) => window.playChanges!(first, ...rest), [
        Number(process.env['SEED'] ?? seed),
        FRAMES,
        renderer,
        units,
        within,
      ] as const);
      expect(report.disagreements).toEqual([]);
      expect(faults).toEqual([]);
      expect(report.held).toBe(0);
      // Every way of measuring was gone, and every kind of answer given.
      console.log(JSON.stringify(report));
      const { same, flat, read, walked, full, partial, hidden } = report;
      expect(Math.min(same, flat, read, walked, full, partial, hidden)).toBeGreaterThan(FRAMES / 30);
      // On Canvas nothing tells whose the quads are but a rehearsal.
      if (renderer === 'webgl') expect(report.named).toBeGreaterThan(FRAMES / 30);
      await page.close();
    });
  },
);

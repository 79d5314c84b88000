import type { Browser } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type {} from './pages/anyMoment.js';

const FRAMES = process.env['DEEP'] ? 20_000 : 1000;

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  browser = await launchBrowser();
  const page = '__tests__/browser/pages/anyMoment.ts';
  server = await servePages({
    '/3.90/': await bundlePage(page),
    '/3.60/': await bundlePage(page, { phaserPackage: 'phaser-3.60' }),
    '/4.2/': await bundlePage(page, { phaserPackage: 'phaser-4.2' }),
  });
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

it.each([
  ['3.90', 'webgl'],
  ['3.60', 'webgl'],
  ['4.2', 'webgl'],
  ['3.90', 'canvas'],
  ['4.2', 'canvas'],
] as const)(
  'an ad may be observed, or not any more, from any moment of a frame on (Phaser %s, %s)',
  async (version, renderer) => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      // Some browsers tell of the icon that the page does not have.
      if (message.type() === 'error' && !message.location().url.endsWith('.ico')) errors.push(message.text());
    });
    await page.goto(`${server.url}/${version}/`);
    await page.waitForFunction(() => 'observeAtAnyMoment' in window);
    const { told, wrong } = await page.evaluate(
      ([seed, frames, name]) => window.observeAtAnyMoment!(seed, frames, name),
      [Number(process.env['SEED'] ?? 1), FRAMES, renderer] as const,
    );
    expect(errors).toEqual([]);
    expect(wrong).toEqual([]);
    expect(told).toBeGreaterThan(FRAMES / 2);
    await page.close();
  },
);

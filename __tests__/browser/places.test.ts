import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { Places } from './pages/places.js';

let browser: Browser;
let server: PageServer;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({ '/': await bundlePage('__tests__/browser/pages/places.ts') });
  page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => 'places' in window);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Not in the middle of anything, so that each wrong sign shows. */
const OWN = [20, 30, 90, 70] as const;

const place = (styles: readonly string[]) =>
  page.evaluate(([all, own]) => (window as unknown as { places: Places }).places.place(all, own), [
    styles,
    OWN,
  ] as const);

describe('where a box of an element lies in the window', () => {
  it.each([
    [['margin: 40px']],
    [['transform: rotate(90deg)']],
    [['transform: rotate(-90deg)']],
    [['transform: rotate(180deg)']],
    [['rotate: 90deg']],
    [['scale: -1 1']],
    [['transform: scaleX(-1)']],
    [['transform: scaleY(-1)']],
    [['transform: rotate(90deg) scale(1.5, 0.5)']],
    [['transform: scale(1.5, 0.5) rotate(90deg)']],
    [['transform: scale(2, 0.5); transform-origin: 10px 20px']],
    [['transform: scaleX(-1)', 'transform: rotate(90deg)']],
    [['transform: rotate(90deg)', 'transform: scaleX(-1)', 'margin: 5px']],
    [['transform: rotate(30deg)', 'transform: rotate(60deg)']],
    [['scale: 2; rotate: 270deg', 'transform: scaleY(0.5)']],
  ])('is where the browser draws it: %j', async (styles) => {
    const { isUpright, browser: truth, toWindow, toOwn } = await place(styles);
    expect(isUpright).toBe(true);
    toWindow.forEach((edge, i) => expect(edge).toBeCloseTo(truth[i]!, 2));
    toOwn.forEach((edge, i) => expect(edge).toBeCloseTo(OWN[i]!, 2));
  });

  it.each([
    [['transform: rotate(20deg)']],
    [['rotate: 20deg']],
    [['transform: skewX(10deg)']],
    [['transform: rotate(45deg)', 'transform: rotate(20deg)']],
    [['transform: perspective(300px) rotateY(30deg)']],
  ])('is no rectangle: %j', async (styles) => {
    expect((await place(styles)).isUpright).toBe(false);
  });
});

import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { PageInParts } from './pages/pageInParts.js';

let browser: Browser;
let server: PageServer;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({ '/': await bundlePage('__tests__/browser/pages/pageInParts.ts') });
  page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => 'pageInParts' in window);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const CANVAS = '<canvas width="400" height="300" style="display: block; width: 400px; height: 300px"></canvas>';
const HUD = Array.from(
  { length: 6 },
  (_, i) =>
    `<div style="position: absolute; left: ${20 + 50 * i}px; top: 30px; width: 40px; height: 20px; background: #333; ` +
    `pointer-events: none"><span>HP</span></div>`,
).join('');
const WIDGET = '<div style="position: fixed; left: 10px; top: 200px"></div>';

const pages: [string, string][] = [
  ['nothing else on it', CANVAS],
  ['panels over the canvas', CANVAS + HUD],
  ['panels below the canvas', `${HUD}<div style="position: relative; z-index: 1">${CANVAS}</div>`],
  ['what may be a widget with a shadow root', CANVAS + HUD + WIDGET],
];

const compare = (html: string, moved?: number) =>
  page.evaluate(([body, by]) => (window as unknown as { pageInParts: PageInParts }).pageInParts.compare(body, by), [
    html,
    moved,
  ] as const);

describe('a page that is read in parts', () => {
  it.each(pages)('is found as it is: %s', async (_title, html) => {
    const { parts, inParts, atOnce } = await compare(html);
    expect(parts).toBeGreaterThan(2);
    expect(JSON.parse(inParts)).toEqual(JSON.parse(atOnce));
  });

  it('is left as it was between any two parts', async () => {
    for (const [, html] of pages) expect((await compare(html)).altered).toBe(0);
  });

  it('is read again when the canvas has moved meanwhile', async () => {
    const { inParts, atOnce } = await compare(CANVAS + HUD, 70);
    expect(JSON.parse(inParts)).toEqual(JSON.parse(atOnce));
  });

  it('is known before long, however crowded it is and however little time it has', async () => {
    const parts = await page.evaluate(
      (html) => (window as unknown as { pageInParts: PageInParts }).pageInParts.partsWithoutTime(html),
      CANVAS + HUD.repeat(50),
    );
    expect(parts).toBeGreaterThan(4);
    expect(parts).toBeLessThan(25);
  });
});

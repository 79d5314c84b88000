import { writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

let browser: Browser;
let server: PageServer;
let page: Page;
const requests: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({ '/': await bundlePage('__tests__/browser/pages/testMode.ts') });
  page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => 'testAds' in window);
  page.on('request', (request) => requests.push(request.url()));
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe('test mode in a real browser', () => {
  it('shows a labelled test ad, and fails in every way it is told to, requesting no more than the scripts that make test ads', async () => {
    const outcome = {
      ad: ['shown', null],
      noFill: ['noFill', null],
      error: ['failed', 'service/unavailable'],
      rateLimited: ['failed', 'service/rate-limited'],
      unknownSurface: ['failed', 'ad/unknown-surface'],
      offline: ['failed', 'net/offline'],
      blockedImage: ['failed', 'net/unreachable'],
      missingImage: ['failed', 'ad/http-status'],
      wrongImage: ['failed', 'ad/type'],
      brokenImage: ['failed', 'ad/decode'],
      hugeImage: ['failed', 'ad/dimensions'],
      noCors: ['failed', 'ad/cors'],
      badUrl: ['failed', 'ad/url-invalid'],
    } as const;
    const results = await page.evaluate((answers) => window.testAds!(answers), Object.keys(outcome) as (keyof typeof outcome)[]); // prettier-ignore
    expect(Object.fromEntries(Object.entries(results).map(([name, { state, errorCode }]) => [name, [state, errorCode]]))).toEqual(outcome); // prettier-ignore
    expect(results['ad']!.textureSize).toEqual([300, 250]);
    expect(results['ad']!.yellow).toBeGreaterThan(0.4);
    expect(results['noFill']!.yellow).toBe(0);
    const scripts = /^src_testing_\w+\.page\.js$/;
    const requested = requests.filter((url) => /^https?:/.test(url)).map((url) => url.replace(`${server.url}/`, ''));
    expect(requested.filter((file) => !scripts.test(file))).toEqual([]);
  });
});

describe('test ads that are no failure at once', () => {
  it('come late, never, or with an address no click may open', async () => {
    const { slow, silent, badClickUrl, errors } = await page.evaluate(() => window.lateAds!());
    expect(slow).toEqual(['shown', true]);
    expect(silent).toEqual(['requesting', 'finished', 'place/scene-stopped']);
    expect([badClickUrl, errors]).toEqual(['shown', ['badClickUrl click/url']]);
  });
});

describe.each(['phaser', 'phaser-4.2'] as const)('a creative on the screen, with %s', (phaserPackage) => {
  let own: PageServer;
  let game: Page;

  beforeAll(async () => {
    own = await servePages({ '/': await bundlePage('__tests__/browser/pages/testMode.ts', { phaserPackage }) });
    game = await browser.newPage();
    await game.goto(own.url);
    await game.waitForFunction(() => 'upright' in window);
  }, 240_000);
  afterAll(() => own?.close());

  it.each([
    ['webgl', false],
    ['webgl', true],
    ['canvas', false],
  ] as const)('stands upright, %s, with a label: %s', async (renderer, label) => {
    const [upright, upsideDown] = await game.evaluate(([which, word]) => window.upright!(which, word), [renderer, label] as const); // prettier-ignore
    expect(upright).toBeLessThan(5);
    expect(upsideDown).toBeGreaterThan(3 * upright + 5);
  });
});

describe('the word for "ad" on an ad', () => {
  it.each(['webgl', 'canvas'] as const)('is read in its corner, covers nothing, turns and goes with it, %s', async (renderer) => {
    const { picture, label, ...result } = await page.evaluate((which) => window.labels!(which), renderer);
    if (process.env['SHOTS']) await writeFile(`${process.env['SHOTS']}/label-${renderer}.png`, Buffer.from(picture, 'base64'));
    expect(result).toEqual({ state: 'shown', percentageInView: 100, blockers: 0, afterwards: 0 });
    const [left, top, right, bottom] = label;
    for (const edge of [left, top]) expect(edge).toBeLessThan(0.02);
    expect(right).toBeGreaterThan(0.2);
    expect(right).toBeLessThan(0.34);
    expect(bottom).toBeGreaterThan(0.07);
    expect(bottom).toBeLessThan(0.2);
  }); // prettier-ignore
});

describe("ads on objects of the game's own", () => {
  it.each(['webgl', 'canvas'] as const)('are measured on every carrier, %s', async (renderer) => {
    const results = await page.evaluate((which) => window.carriers!(which), renderer);
    const expected = renderer === 'webgl' ? ['container', 'render texture', 'nine-slice', 'mesh'] : ['container', 'render texture']; // prettier-ignore
    expect(Object.keys(results)).toEqual(expected);
    for (const result of Object.values(results)) {
      expect(result.isFullyVisible).toBe(true);
      expect(Math.abs(result.totalArea - 20_000)).toBeLessThan(200);
      expect(Math.abs(result.percentageBehindWall - 50)).toBeLessThan(1);
      expect(result.blockers).toEqual(['wall']);
    }
  });
});

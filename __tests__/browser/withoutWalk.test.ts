import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

const PAGE = '__tests__/browser/pages/withoutWalk.ts';

const VERSIONS = ['3.90', '3.60'] as const;

let browser: Browser;
let server: PageServer;
/** By version of Phaser: one game after the other. */
const pages = new Map<string, Page>();
const faults: Error[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({
    '/3.90/': await bundlePage(PAGE),
    '/3.60/': await bundlePage(PAGE, { phaserPackage: 'phaser-3.60' }),
    '/3.80/': await bundlePage(PAGE, { phaserPackage: 'phaser-3.80' }),
  });
  for (const version of [...VERSIONS, '3.80']) {
    const page = await browser.newPage();
    page.on('pageerror', (fault) => faults.push(fault));
    await page.goto(`${server.url}/${version}/`);
    await page.waitForFunction(() => 'measureUnderHoles' in window);
    pages.set(version, page);
  }
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

afterEach(() => expect(faults).toEqual([]));

describe.each(VERSIONS)('in WebGL, Phaser %s, no display list is walked for an ad under', (version) => {
  it.each([
    'a picture',
    'a mirrored picture',
    'the first frame of an atlas',
    'a trimmed frame',
    'a tinted, faint picture',
    'a cropped picture',
    'the tiles of a map',
    'a text',
    'a picture after a triangle',
    'the frame of an atlas after a triangle far away',
    'pictures in a container',
    'a rectangle on a picture',
    'a texture drawn by the game',
    'tiles of a solid picture',
    'tiles of a picture',
    'tiles, turned, mirrored, scaled and scrolled,',
    'tiles whose size is no power of two,',
    'tiles that change between two pictures',
    'tiles of a canvas',
    'a picture beside one that lamps light',
    'a picture, and over one that lamps light,',
    'a picture beside one drawn by a pipeline of the game',
    'a picture beside a rope',
    'a picture beside point lights',
  ])('%s with holes', (kind) => expectNoWalks(version, kind));
});

describe.each(VERSIONS)('in WebGL, Phaser %s, no display list is walked under pictures for', (version) => {
  it.each([
    'a picture',
    'a turned, mirrored, faint picture',
    'the frame of an atlas',
    'a trimmed frame',
    'a tinted picture',
    'a picture partly out of view',
  ])('an ad that is %s with holes', (adKind) => expectNoWalks(version, 'a picture', adKind));
});

// There every game rounds pixels unless it says otherwise, in its shader.
describe('in WebGL, Phaser 3.80, no display list is walked for an ad under', () => {
  it.each(['a picture', 'a tinted, faint picture', 'tiles of a picture'])('%s with holes', (kind) =>
    expectNoWalks('3.80', kind),
  );

  it('a picture with holes, itself one that is turned', () =>
    expectNoWalks('3.80', 'a picture', 'a turned, mirrored, faint picture'));
});

async function expectNoWalks(version: string, kind: string, adKind?: string): Promise<void> {
  const { walks, percentageInView, anew } = await pages
    .get(version)!
    .evaluate(([name, adName]) => window.measureUnderHoles!(name, adName), [kind, adKind] as const);
  expect(walks).toBe(0);
  expect(percentageInView).toBeGreaterThan(10);
  expect(percentageInView).toBeLessThan(99);
  // Positions are batched as 32-bit floats, and colours with 8 bits.
  expect(Math.abs(percentageInView - anew)).toBeLessThan(0.1);
}

describe.each(VERSIONS)('Phaser %s', (version) => {
  it('walks no display list for what another camera draws in its own half of a split screen', async () => {
    const report = await pages.get(version)!.evaluate(() => window.measureInSplitScreen!());
    expect(report).toEqual({ walks: 0, percentageInView: 100 });
  });

  it.each(['webgl', 'canvas'] as const)(
    'walks no display list for an ad that HTML lies beside (%s)',
    async (renderer) => {
      const report = await pages.get(version)!.evaluate((name) => window.measureUnderHtml!(name), renderer);
      expect(report.walks).toBe(0);
      expect(report.percentageBeside).toBeGreaterThan(60);
      expect(report.percentageUnder).toBeLessThan(report.percentageBeside - 10);
      expect(report.reasonsUnder).toContain('unmeasurable');
    },
  );
});

import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { Field } from './pages/field.js';

/**
 * What was found in other people's games and is not a picture of one frame (those are traps: `oracle/traps/field.ts`). A
 * test that is to fail is of a fault that is still there: once it is cured, the test says so.
 */
describe('the field', () => {
  let browser: Browser;
  let server: PageServer;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
    server = await servePages({ '/': await bundlePage('__tests__/browser/pages/field.ts') });
  }, 240_000);
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => 'field' in window);
  });
  afterEach(() => page.close());

  /** Calls one of the page's games. */
  function play<K extends keyof Field>(name: K, ...given: Parameters<Field[K]>): ReturnType<Field[K]> {
    return page.evaluate(
      ([game, args]) => (window.field as unknown as Record<string, (...all: unknown[]) => unknown>)[game]!(...args),
      [name, given as unknown[]] as const,
    ) as ReturnType<Field[K]>;
  }

  const p99 = (values: readonly number[]): number =>
    [...values].sort((a, b) => a - b)[Math.floor(0.99 * values.length)]!;

  test('E3: a text that gets a ground over an ad hides it from its first frame on (canvas)', async () => {
    expect(await play('framesWholeUnderText')).toBe(0);
  });

  test.each([
    ['in no document', null],
    ['display: none', 'display: none'],
    ['visibility: hidden', 'visibility: hidden'],
    ['opacity: 0.3', 'opacity: 0.3'],
    ['no width', 'width: 0px'],
    ['no height', 'height: 0px'],
    ['scaled to nothing', 'transform: scale(0)'],
    ['clipped away', 'clip-path: inset(50%)'],
    ['beside the window', 'position: fixed; left: -2000px'],
  ])('E4: on a canvas that is not shown no ad is seen: %s', async (_how, style) => {
    expect(await play('sharesOnCanvas', style)).toEqual([0, 0]);
  });

  test('E4: on a canvas that is shown, one is', async () => {
    expect(await play('sharesOnCanvas', 'opacity: 0.9')).toEqual([100, 100]);
  });

  test.each([
    ['webgl', 'container'],
    ['webgl', 'layer'],
    ['canvas', 'container'],
    ['canvas', 'layer'],
  ] as const)(
    'E7: (%s) a DOM element in a %s is named as what blocks, and blocks no more when it is friendly',
    async (renderer, list) => {
      expect(await play('domElementIn', renderer, list)).toEqual({ blockers: ['form'], share: 100 });
    },
  );

  test.each(['render texture', 'turned canvas'] as const)(
    'E8: in a still scene with a %s no figure changes (canvas)',
    async (what) => {
      expect(await play('changesAtRest', what)).toBe(0);
    },
  );

  test.each(['webgl', 'canvas'] as const)(
    'E8: a texture drawn again with the same pixels changes no figure, and with others settles at what they are (%s)',
    async (renderer) => {
      const { same, shares, settled } = await play('redraws', renderer);
      expect([same, settled]).toEqual([0, 0]);
      [24, 12].forEach((radius, i) => {
        expect(Math.abs(shares[i]! - (100 - (100 * Math.PI * radius ** 2) / 3840))).toBeLessThan(1);
      });
    },
  );

  test.each([
    ['webgl', 90, 60],
    ['webgl', 200, 150],
    ['canvas', 90, 60],
    ['canvas', 200, 150],
  ] as const)(
    'E12: a frame comes within 0.6 points of a single call under textured covers that move (%s, %d × %d)',
    async (renderer, width, height) => {
      expect(p99(await play('differences', renderer, width, height))).toBeLessThanOrEqual(0.6);
    },
  );

  test('E13: what Phaser draws of an ad beyond a viewport it no longer clips to is seen (webgl)', async () => {
    expect(await play('shareBeyondViewport')).toBeCloseTo(100, 0);
  });
});

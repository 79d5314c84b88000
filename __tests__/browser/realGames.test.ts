import type { Browser, Page } from 'playwright-core';
import { startService, type RunningService } from '../../demo/service/startService.js';
import type { Fault } from '../../demo/service/faults/FaultPlan.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import { until } from '../helpers/until.js';

const PAGE = '__tests__/browser/pages/realGame.ts';

let browser: Browser;
let pages: PageServer;
let service: RunningService;
let page: Page;

beforeAll(async () => {
  const [folder, fourth] = await Promise.all([bundlePage(PAGE), bundlePage(PAGE, { phaserPackage: 'phaser-4.2' })]);
  pages = await servePages({ '/': folder, '/4/': fourth });
  service = await startService();
  browser = await launchBrowser();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  await service?.close();
});
afterEach(() => page.close());

async function open(path: string): Promise<void> {
  page = await browser.newPage();
  await page.clock.install();
  await page.goto(pages.url + path);
  await page.waitForFunction(() => 'askPlacement' in window);
}

test.each([
  ['/', 'webgl'],
  ['/', 'canvas'],
  ['/4/', 'webgl'],
  ['/4/', 'canvas'],
] as const)('a game of the Phaser at %s has its ads, and what is seen of them is told (%s)', async (path, renderer) => {
  await open(path);
  await page.clock.resume();
  const { open: whole, half, fragments, ...game } = await page.evaluate((name) => window.playGame!(name), renderer);
  expect(game).toEqual({
    printed: [],
    states: ['shown', 'shown', 'shown'],
    isFull: [false, false],
    blockers: ['cover', 'cover'],
  });
  for (const percent of whole) expect(percent).toBeCloseTo(100, 0);
  for (const percent of [...half, fragments]) expect(Math.abs(percent - 50)).toBeLessThan(1);
});

const PASSING: readonly [string, Fault][] = [
  ['403 without a word', { kind: 'status', status: 403 }],
  ['404 without a word', { kind: 'status', status: 404 }],
  ['302 to elsewhere', { kind: 'redirect', location: 'https://elsewhere.example/' }],
];
test.each(PASSING)(
  'S17: a placement whose service answers %s once has its ad half a minute later',
  async (_, fault) => {
    await open('/');
    service.faults.add({ fault, path: '/api/v1/ad-surfaces', times: 1 });
    const config = {
      apiKey: 'demo-api-key',
      privateKey: 'demo-private-key-for-localhost-only',
      baseUrl: service.baseUrl,
    };
    const first = await page.evaluate(([given, surface]) => window.placeAd!(given, surface), [
      config,
      'main-street-billboard',
    ] as const);
    expect(service.faults.strikes).toHaveLength(1);
    expect(first.state).not.toBe('shown');
    expect(first.errorCode).not.toBeNull();
    await page.clock.fastForward(40_000);
    await until(async () => (await page.evaluate(() => window.askPlacement!())).state === 'shown');
    service.faults.clear();
  },
);

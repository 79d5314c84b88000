import type { Browser, Page } from 'playwright-core';
import { DEMO_APPLICATION } from '../../demo/service/seedDemo.js';
import { type RunningService, startService } from '../../demo/service/startService.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { CallOrderResult } from './pages/callOrder.js';

let browser: Browser;
let server: PageServer;
let service: RunningService;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({ '/': await bundlePage('__tests__/browser/pages/callOrder.ts') });
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

beforeEach(async () => {
  service = await startService();
  page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => 'callOrder' in window);
});
afterEach(async () => {
  await page.close();
  await service.close();
});

function play(isCovered: boolean): Promise<CallOrderResult> {
  const { apiKey, privateKey } = DEMO_APPLICATION;
  return page.evaluate(([key, secret, baseUrl, covered]) => window.callOrder!(key, secret, baseUrl, covered), [
    apiKey,
    privateKey,
    service.baseUrl,
    isCovered,
  ] as const);
}

describe("the interface document's intended call order, with the hooks object in a real game", () => {
  it('ends with the coverage of an ad that nothing blocks', async () => {
    const result = await play(false);
    expect(result.surfaces).toBeGreaterThan(0);
    expect(result.adId).not.toBe('');
    expect(result.visibility).toEqual({ isFullyVisible: true, blockingSprites: [] });
    expect(Object.keys(result.coverage!).sort()).toEqual([
      'isVisible',
      'screenCoveragePercentage',
      'totalArea',
      'visibleArea',
    ]);
    expect(result.coverage).toMatchObject({ isVisible: true });
    expect(result.coverage!.visibleArea).toBe(result.coverage!.totalArea);
    expect(result.coverage!.screenCoveragePercentage).toBeCloseTo((result.coverage!.visibleArea / 120_000) * 100, 6);
  });

  it('treats the ad as blocked when something covers it, and names what', async () => {
    const { visibility, coverage, blockers } = await play(true);
    expect(visibility?.isFullyVisible).toBe(false);
    expect(blockers).toEqual(['cover']);
    expect(coverage).toBeNull();
  });

  it('stops without surfaces', async () => {
    service.faults.add({ fault: { kind: 'mutate', body: { items: [] } }, path: '/api/v1/ad-surfaces', times: 1 });
    expect(await play(false)).toMatchObject({ surfaces: 0, visibility: null });
  });

  it('uses no ad when none is served', async () => {
    service.faults.add({ fault: { kind: 'mutate', body: {} }, path: '/api/v1/ad-surfaces/', times: 1 });
    expect(await play(false)).toMatchObject({ adId: '', visibility: null });
  });
});

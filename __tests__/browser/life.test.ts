import type { Browser, Page } from 'playwright-core';
import type { Fault } from '../../demo/service/faults/FaultPlan.js';
import { type RunningService, startService } from '../../demo/service/startService.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { RandomExchange, TRACKERS } from '../helpers/RandomExchange.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { Life, LifeSetting } from './pages/life.js';

const ACTS = Number(process.env['ACTS'] ?? (process.env['DEEP'] ? 3000 : 120));
const SEED = Number(process.env['SEED'] ?? 1);

/** What goes wrong with the service while the game is played, and how often. */
const FAULTS: readonly (readonly [Fault, number])[] = [
  [{ kind: 'drop-after' }, 0.05],
  [{ kind: 'delay', ms: 700 }, 0.1],
  [{ kind: 'status', status: 503 }, 0.05],
  [{ kind: 'truncate' }, 0.03],
];

let browser: Browser;
let server: PageServer;
let service: RunningService;
let running: RandomExchange | null = null;

beforeAll(async () => {
  const page = '__tests__/browser/pages/life.ts';
  [browser, service, server] = await Promise.all([
    launchBrowser(),
    startService(),
    servePages({
      '/3.60/': await bundlePage(page, { phaserPackage: 'phaser-3.60' }),
      '/3.90/': await bundlePage(page),
      '/4.2/': await bundlePage(page, { phaserPackage: 'phaser-4.2' }),
    }),
  ]);
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.close();
  await service.close();
});
afterEach(async () => {
  await running?.close();
  running = null;
});

/** Tells the page of its own requests. Runs before its scripts, which keep the browser's `fetch` as they find it. */
function watchRequests(): void {
  const { fetch } = window;
  window.fetch = (input, init) => {
    const { url, signal } = input instanceof Request ? input : { url: String(input), signal: init?.signal };
    // Nothing leaves with a signal that was aborted.
    if (!signal?.aborted) window.asks?.(url);
    return fetch(input, init);
  };
  const sendBeacon = navigator.sendBeacon.bind(navigator);
  navigator.sendBeacon = (url, data) => {
    window.asks?.(String(url));
    return sendBeacon(url, data);
  };
  const { set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')!;
  Object.defineProperty(HTMLImageElement.prototype, 'src', {
    set(this: HTMLImageElement, address: string) {
      window.asks?.(address);
      set!.call(this, address);
    },
  });
}

/** Plays one life on a page of its own. @param calm makes the service well */
async function live(
  version: string,
  setting: Omit<LifeSetting, 'seed' | 'acts'>,
  calm: () => void,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Life> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.exposeFunction('calmService', calm);
  await page.addInitScript(watchRequests);
  await prepare?.(page);
  await page.goto(`${server.url}/${version}/`);
  await page.waitForFunction(() => 'live' in window);
  const life = await page.evaluate((all) => window.live!(all), { ...setting, seed: SEED, acts: ACTS });
  await page.close();
  expect({ faults: life.faults, errors, acts: life.faults.length > 0 ? life.acts : [] }).toEqual({ faults: [], errors: [], acts: [] }); // prettier-ignore
  expect(life.shown).toBeGreaterThan(0);
  expect(life.impressions.length).toBeGreaterThan(0);
  // Phaser itself goes on listening for the page's visibility.
  expect(life.left).toEqual({ listeners: 1, images: 0, addresses: 0, intervals: 0, canvases: 0 });
  return life;
}

const LONG = process.env['DEEP'] ? 3_600_000 : 180_000;

it.each([
  ['3.60', 'webgl'],
  ['3.90', 'webgl'],
  ['3.90', 'canvas'],
  ['4.2', 'webgl'],
] as const)(
  'whatever happens to a game and its service, its ads are well when all is calm again, count once, and leave nothing (Phaser %s, %s)',
  async (version, renderer) => {
    for (const [fault, probability] of FAULTS) service.faults.add({ fault, probability });
    const { impressions } = await live(version, { baseUrl: service.baseUrl, renderer }, () => service.faults.clear());
    const rows = await service.db.all<{ event: string }>('SELECT event FROM events');
    const stored = rows.map(({ event }) => JSON.parse(event) as { kind: string; placementId: string });
    const counted = stored.filter(({ kind }) => kind === 'impression').map(({ placementId }) => placementId);
    expect(counted).toEqual(expect.arrayContaining([...impressions]));
    expect(new Set(counted).size).toBe(counted.length);
  },
  LONG,
);

it.each(['3.90', '4.2'])(
  'whatever happens to a game with ads of an exchange, nobody hears of it without consent, and each buyer once (Phaser %s)',
  async (version) => {
    const exchange = (running = await RandomExchange.start(SEED));
    const { impressions } = await live(
      version,
      { baseUrl: exchange.url, thirdParties: [TRACKERS], renderer: 'webgl' },
      () => void (exchange.isShaky = false),
      (page) =>
        page.route(`${TRACKERS}/**`, (route) =>
          exchange.track(route.request().url()) ? route.fulfill({ status: 204 }) : route.abort(),
        ),
    );
    const { called } = exchange;
    expect(new Set(called).size).toBe(called.length);
    const bidsOf = (event: string): string[] => called.flatMap((call) => (call.startsWith(`${event} `) ? call.slice(event.length) : [])); // prettier-ignore
    expect(bidsOf('impression')).toHaveLength(impressions.length);
    expect(bidsOf('impression')).toEqual(expect.arrayContaining([...bidsOf('viewable'), ...bidsOf('billed'), ...bidsOf('start')])); // prettier-ignore
    expect(bidsOf('start')).toEqual(expect.arrayContaining(bidsOf('midpoint')));
    expect(bidsOf('midpoint')).toEqual(expect.arrayContaining(bidsOf('complete')));
  },
  LONG,
);

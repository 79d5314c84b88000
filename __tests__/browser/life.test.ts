import type { Browser } from 'playwright-core';
import type { Fault } from '../../demo/service/faults/FaultPlan.js';
import { type RunningService, startService } from '../../demo/service/startService.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { LifeSetting } from './pages/life.js';

const ACTS = process.env['DEEP'] ? 3000 : 120;
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

it.each([
  ['3.60', 'webgl'],
  ['3.90', 'webgl'],
  ['3.90', 'canvas'],
  ['4.2', 'webgl'],
] as const)(
  'whatever happens to a game and its service, its ads are well when all is calm again, count once, and leave nothing (Phaser %s, %s)',
  async (version, renderer) => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.exposeFunction('calmService', () => service.faults.clear());
    for (const [fault, probability] of FAULTS) service.faults.add({ fault, probability });
    await page.goto(`${server.url}/${version}/`);
    await page.waitForFunction(() => 'live' in window);
    const setting: LifeSetting = { baseUrl: service.baseUrl, renderer, seed: SEED, acts: ACTS };
    const life = await page.evaluate((all) => window.live!(all), setting);

    expect({ faults: life.faults, errors, acts: life.faults.length > 0 ? life.acts : [] }).toEqual({ faults: [], errors: [], acts: [] }); // prettier-ignore
    expect(life.shown).toBeGreaterThan(0);
    // Phaser itself goes on listening for the page's visibility.
    expect(life.left).toEqual({ listeners: 1, images: 0, addresses: 0, intervals: 0, canvases: 0 });
    const rows = await service.db.all<{ event: string }>('SELECT event FROM events');
    const stored = rows.map(({ event }) => JSON.parse(event) as { kind: string; placementId: string });
    const counted = stored.filter(({ kind }) => kind === 'impression').map(({ placementId }) => placementId);
    expect(life.impressions.length).toBeGreaterThan(0);
    expect(counted).toEqual(expect.arrayContaining([...life.impressions]));
    expect(new Set(counted).size).toBe(counted.length);
    await page.close();
  },
  process.env['DEEP'] ? 3_600_000 : 180_000,
);

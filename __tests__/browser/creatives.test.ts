import { gzipSync } from 'node:zlib';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { DEFAULT_CREATIVE_LIMITS } from '../../src/creative/CreativeLimits.js';
import { ADS_ERROR_CODES } from '../../src/errors.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { hostileCreatives, wholeCreatives, wholePng } from '../helpers/hostileCreatives.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type CreativeServer, serveCreatives, type ServedCreative } from '../helpers/serveCreatives.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { Census, CreativesPage, LoopReport, PassedCreative } from './pages/creatives.js';

const isDeep = Boolean(process.env['DEEP']);
/** Restarts of the scene, with ten ads each. */
const RESTARTS = isDeep ? 100 : 30;
/** What the heap of a browser that keeps nothing may grow by, at most, from one look to another. */
const MEMORY_NOISE_BYTES = 1_048_576;
/** Ads placed at the same time. */
const BATCH = 32;
const LONGEST_GAP_MS = 50;

// Every second one in the normal run, which passes all of them through the gate without a browser.
const hostile = hostileCreatives({ seed: 66, bombMebibytes: isDeep ? 1_024 : 16 }).filter(
  (_, i) => isDeep || i % 2 === 0,
);
const creatives = new Map<string, ServedCreative>(hostile.map((file, i) => [`hostile-${i}`, file]));
wholeCreatives.forEach((file, i) => creatives.set(`whole-${i}`, file));
creatives.set('grey', { bytes: wholePng(160, 90), contentType: 'image/png' });
for (let i = 0; i < 8; i++) creatives.set(`large-${i}`, { bytes: wholePng(4096, 2048), contentType: 'image/png' });
// The network's own compression hides the weight.
creatives.set('gzip', {
  bytes: gzipSync(Buffer.concat([wholePng(8, 8), Buffer.alloc(64 * 1_048_576)])),
  contentType: 'image/png',
  contentEncoding: 'gzip',
});

let browser: Browser;
let pages: PageServer;
let service: CreativeServer;
let page: Page;
let faults: Error[];

beforeAll(async () => {
  browser = await launchBrowser();
  pages = await servePages({
    '/': await bundlePage('__tests__/browser/pages/creatives.ts'),
    '/3.60/': await bundlePage('__tests__/browser/pages/creatives.ts', { phaserPackage: 'phaser-3.60' }),
    '/4.2/': await bundlePage('__tests__/browser/pages/creatives.ts', { phaserPackage: 'phaser-4.2' }),
  });
  service = await serveCreatives(creatives);
}, 240_000);
afterAll(async () => {
  await browser.close();
  await pages.close();
  await service.close();
});
afterEach(() => page.close());

async function open(path = '/', frameMs?: number): Promise<void> {
  page = await browser.newPage();
  if (frameMs !== undefined) {
    await page.addInitScript((ms) => {
      window.requestAnimationFrame = (callback) => window.setTimeout(() => callback(performance.now()), ms);
      window.cancelAnimationFrame = (handle) => window.clearTimeout(handle);
    }, frameMs);
  }
  faults = [];
  page.on('pageerror', (fault) => faults.push(fault));
  await page.goto(pages.url + path);
  await page.waitForFunction(() => 'startCreatives' in window);
  await page.evaluate((baseUrl) => window.startCreatives!(baseUrl), service.baseUrl);
}

const placeAll = (surfaces: readonly string[]): Promise<PassedCreative[]> =>
  page.evaluate((names) => window.creatives!.placeAll(names), surfaces);

/**
 * Places the ads, and in the deep run again where the frame loop was held up: a stall of theirs comes back every time, one of
 * a busy machine or of code not compiled yet does not.
 */
async function placeMeasured(surfaces: readonly string[]): Promise<{ ads: PassedCreative[]; loop: LoopReport }> {
  for (let tries = isDeep ? 5 : 1; ; tries--) {
    await page.evaluate(() => window.creatives!.resetLoop());
    const ads = await placeAll(surfaces);
    const loop = await page.evaluate(() => window.creatives!.loopReport);
    if (tries === 1 || loop.longestFrameGapMs <= LONGEST_GAP_MS) return { ads, loop };
  }
}

const census = (): Promise<Census> => page.evaluate(() => window.creatives!.census);

describe('creatives in a running game', () => {
  it(`F59 F61 F62 ${hostile.length} hostile files: none beyond the limits, no frame uploads more than one large texture`, async () => {
    await open();
    await placeAll(['grey']);
    const before = await census();
    const passed: PassedCreative[] = [];
    let mostUploadedPx = 0;
    let longestGapMs = 0;
    const names = [...hostile.map((_, i) => `hostile-${i}`), 'gzip'];
    for (let i = 0; i < names.length; i += BATCH) {
      const { ads, loop } = await placeMeasured(names.slice(i, i + BATCH));
      passed.push(...ads);
      expect(loop.frames).toBeGreaterThan(1);
      mostUploadedPx = Math.max(mostUploadedPx, loop.mostUploadedPxInFrame);
      longestGapMs = Math.max(longestGapMs, loop.longestFrameGapMs);
    }

    const wrong = passed.filter(({ state, code, readBytes, decodedPx }, i) => {
      const isTyped = state === 'shown' || (code !== null && (ADS_ERROR_CODES as readonly string[]).includes(code));
      const isRefused = !(hostile[i]?.mustBeRefused ?? true) || (state === 'failed' && decodedPx === 0);
      return !isTyped || !isRefused || readBytes > 1_048_576 + 65_536 || decodedPx > DEFAULT_CREATIVE_LIMITS.maxAreaPx;
    });
    expect(wrong.map((one) => ({ ...one, name: hostile[Number(one.surface.slice(8))]?.name }))).toEqual([]);
    expect(mostUploadedPx).toBeLessThanOrEqual(DEFAULT_CREATIVE_LIMITS.maxTextureAreaPx);
    expect(faults).toEqual([]);
    expect(await census()).toEqual(before);
    if (isDeep) console.info(`longest time between two frames: ${longestGapMs.toFixed(1)} ms`);
    if (isDeep) expect(longestGapMs).toBeLessThanOrEqual(LONGEST_GAP_MS);
  });

  it('of every type are shown, and large ones are made smaller and uploaded one at a time', async () => {
    await open();
    const whole = await placeAll(wholeCreatives.map((_, i) => `whole-${i}`));
    expect(whole.map(({ state, code }) => code ?? state)).toEqual(whole.map(() => 'shown'));
    await page.evaluate(() => window.creatives!.resetLoop());
    const large = await placeAll(Array.from({ length: 8 }, (_, i) => `large-${i}`));
    expect(large.map(({ state, code }) => code ?? state)).toEqual(large.map(() => 'shown'));
    const loop = await page.evaluate(() => window.creatives!.loopReport);
    expect(loop.largestUploadPx).toBe(2_097_152);
    expect(loop.mostUploadedPxInFrame).toBe(2_097_152);
    expect(faults).toEqual([]);
  });

  it('are uploaded one at a time also where frames come late', async () => {
    await open('/', 150);
    const large = await placeAll(Array.from({ length: 4 }, (_, i) => `large-${i}`));
    expect(large.map(({ state, code }) => code ?? state)).toEqual(large.map(() => 'shown'));
    expect((await page.evaluate(() => window.creatives!.loopReport)).mostUploadedPxInFrame).toBe(2_097_152);
    expect(faults).toEqual([]);
  });

  it(`leave nothing behind: ${10 * RESTARTS} placed and destroyed over ${RESTARTS} restarts, memory to within 1 MiB`, async () => {
    await open();
    const cdp = await page.context().newCDPSession(page);
    const round = (restarts: number): Promise<void> =>
      page.evaluate(async (count) => {
        const target: CreativesPage = window.creatives!;
        for (let i = 0; i < count; i++) {
          await target.placeAll(Array.from({ length: 10 }, (_, k) => (k % 2 ? 'grey' : `whole-${k % 6}`)));
          await target.restart();
        }
      }, restarts);
    await round(10);
    const grow = async (): Promise<number> => {
      const before = { census: await census(), bytes: await heapBytes(cdp) };
      await round(RESTARTS);
      const after = { census: await census(), bytes: await heapBytes(cdp) };
      expect(after.census).toEqual(before.census);
      expect(after.census.openImages).toBe(0);
      console.info(
        `heap after ${10 * RESTARTS} ads: ${((after.bytes - before.bytes) / 1_048_576).toFixed(2)} MiB more`,
      );
      return after.bytes - before.bytes;
    };
    // What is left behind adds up in every try. What the browser compiles and notes of hot code does not: some 3 MiB, most
    // of it in the first ten restarts, the rest at any time, and some is thrown away again. So two tries of three say.
    const moreBytes = [await grow()];
    if (moreBytes[0]! > MEMORY_NOISE_BYTES) moreBytes.push(await grow(), await grow());
    expect(moreBytes.filter((bytes) => bytes > MEMORY_NOISE_BYTES).length).toBeLessThan(2);
    expect(faults).toEqual([]);
  }, 240_000);
});

async function heapBytes(cdp: CDPSession): Promise<number> {
  // Twice: what finalizers let go in the first round is collected in the second.
  for (let i = 0; i < 2; i++) await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await cdp.send('Runtime.getHeapUsage')) as { usedSize: number };
  return usedSize;
}

describe('a WebGL context that is lost', () => {
  const GREY = '127,127,127';

  /** One shown ad; `events` hears what is told of it from then on. */
  async function showOne(path = '/'): Promise<void> {
    await open(path);
    await page.evaluate(async () => {
      const target = window.creatives!;
      const ad = target.place('grey');
      await ad.ready;
      await target.pass(3);
      const told: string[] = [];
      for (const event of ['adblocked', 'advisible', 'aderror', 'adfinish', 'adloaded'] as const)
        target.scene.ads.on(event, () => told.push(event));
      const { gl } = target.game.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
      Object.assign(window, { ad, told, lose: gl.getExtension('WEBGL_lose_context') });
    });
  }

  interface Held {
    readonly ad: ReturnType<CreativesPage['place']>;
    readonly told: string[];
    readonly lose: WEBGL_lose_context;
  }

  const lose = () =>
    page.evaluate(async () => {
      const { ad, told, lose: context } = window as unknown as Held;
      const { game } = window.creatives!;
      context.loseContext();
      // Before the browser tells of it.
      game.step(game.loop.time, 16);
      const atOnce = ad.measurement?.percentageInView;
      await window.creatives!.pass(30);
      return { told: [...told], state: ad.state, percentages: [atOnce, ad.measurement?.percentageInView] };
    });

  it.each([
    ['3.90', '/'],
    ['4.2', '/4.2/'],
  ])(
    'F56 counts nothing meanwhile, and shows the ad again once it is restored, in Phaser %s',
    async (_version, path) => {
      await showOne(path);
      expect(await page.evaluate(() => window.creatives!.pixel())).toBe(GREY);
      expect(await lose()).toEqual({ told: ['adblocked'], state: 'shown', percentages: [0, 0] });
      const after = await page.evaluate(async () => {
        const { ad, told, lose: context } = window as unknown as Held;
        context.restoreContext();
        await window.creatives!.pass(30);
        return {
          told: [...told],
          percentage: ad.measurement?.percentageInView,
          pixel: await window.creatives!.pixel(),
        };
      });
      expect(after).toEqual({ told: ['adblocked', 'advisible'], percentage: 100, pixel: GREY });
      expect(faults).toEqual([]);
    },
  );

  // Phaser 3.60 never takes its context back, with or without ads: there this is every loss.
  it.each([
    ['3.90', '/'],
    ['3.60', '/3.60/'],
    ['4.2', '/4.2/'],
  ])('F57 and never restored, in Phaser %s: no error in any frame, and ads come and go', async (_version, path) => {
    await showOne(path);
    await lose();
    const end = await page.evaluate(async () => {
      const { ad } = window as unknown as Held;
      const target = window.creatives!;
      const late = target.place('whole-0');
      const state = await late.ready;
      await target.pass(30);
      late.destroy();
      ad.destroy();
      await target.restart();
      return { state, code: late.error?.code ?? null, openImages: target.census.openImages };
    });
    expect(end.openImages).toBe(0);
    expect([end.state, end.code]).toEqual(end.code === null ? ['shown', null] : ['failed', 'ad/texture']);
    expect(faults).toEqual([]);
  });
});

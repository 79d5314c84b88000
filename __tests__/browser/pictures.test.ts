import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { wholePng } from '../helpers/hostileCreatives.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import { withOrientation } from '../helpers/withOrientation.js';

/** A file of the image host, and how it is answered. */
interface HostedFile {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether only requests that name their page are told that it may read the answer, as some CDNs do. */
  readonly onlyForOrigins?: boolean;
  /** Whether no page may read it. */
  readonly isClosed?: boolean;
}

let browser: Browser;
let folder: string;
let pages: PageServer;
let host: Server;
let page: Page;
const files = new Map<string, HostedFile>();
const requested: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser(['--allow-file-access-from-files']);
  folder = await bundlePage('__tests__/browser/pages/pictures.ts');
  pages = await servePages({ '/': folder });
  host = createServer(({ url, headers }, response) => {
    requested.push(url!);
    const file = files.get(url!.slice(1));
    if (file === undefined) return void response.writeHead(404).end();
    const isAllowed = file.isClosed !== true && (file.onlyForOrigins !== true || headers.origin !== undefined);
    response.writeHead(200, { ...file.headers, ...(isAllowed ? { 'Access-Control-Allow-Origin': '*' } : {}) });
    response.end(file.bytes);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  host?.closeAllConnections();
  host?.close();
});
beforeEach(async () => open(pages.url));
afterEach(() => page.close());

async function open(url: string): Promise<void> {
  await page?.close();
  page = await browser.newPage();
  await page.goto(url);
  await page.waitForFunction(() => 'showPicture' in window);
}

const addressOf = (name: string) => `http://127.0.0.1:${(host.address() as AddressInfo).port}/${name}`;
const show = (ads: Parameters<NonNullable<typeof window.showPicture>>[0], compares = false) =>
  page.evaluate(([given, isCompared]) => window.showPicture!(given, isCompared), [ads, compares] as const);

describe('a picture', () => {
  it.each(['image/jpg', 'text/plain', 'image/x-png', 'binary/unknown'])('S7: declared as %s is shown', async (type) => {
    files.set('label.png', { bytes: wholePng(30, 20), headers: { 'Content-Type': type } });
    expect(await show({ ads: [{ url: addressOf('label.png') }] })).toMatchObject({ state: 'shown', size: [30, 20] });
  });

  it.each([
    ['png', 6],
    ['png', 3],
    ['jpeg', 6],
    ['jpeg', 2],
    ['jpeg', 8],
    ['webp', 6],
    ['webp', 5],
  ] as const)('S8: %s with orientation %d is shown as <img> shows it', async (type, orientation) => {
    const painted = await page.evaluate((name) => window.paintPicture!(`image/${name}`, 60, 40), type);
    const bytes = withOrientation(Buffer.from(painted, 'base64'), type, orientation);
    files.set(`turned.${type}`, { bytes, headers: { 'Content-Type': `image/${type}`, 'Cache-Control': 'no-store' } });
    const shown = await show({ ads: [{ url: addressOf(`turned.${type}`) }] }, true);
    expect(shown.state).toBe('shown');
    expect(shown.size).toEqual(shown.asImg!.size);
    expect(shown.asImg!.difference).toBeLessThanOrEqual(2);
    if (type !== 'webp' && orientation > 4) expect(shown.size).toEqual([40, 60]);
  });

  it('S10: that an <img> has shown before, without leave to be read, is asked for once more', async () => {
    const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'max-age=3600' };
    files.set('cached.png', { bytes: wholePng(30, 20), headers, onlyForOrigins: true });
    const url = addressOf('cached.png');
    await page.evaluate((src) => Object.assign(new Image(), { src }).decode(), url);
    requested.length = 0;
    expect(await show({ ads: [{ url }] })).toMatchObject({ state: 'shown', size: [30, 20] });
    expect(requested).toEqual(['/cached.png']);
  });
});

describe('S9: on a page that lets in only what allows it (Cross-Origin-Embedder-Policy)', () => {
  let isolated: PageServer;
  beforeAll(async () => {
    isolated = await servePages({ '/': folder }, { 'Cross-Origin-Embedder-Policy': 'require-corp' });
  });
  afterAll(() => isolated.close());

  it('S9: an image or video that may not be read is ad/cors, as on any other page', async () => {
    files.set('closed.png', { bytes: wholePng(30, 20), headers: { 'Content-Type': 'image/png' }, isClosed: true });
    files.set('closed.webm', { bytes: wholePng(30, 20), headers: { 'Content-Type': 'video/webm' }, isClosed: true });
    for (const server of [pages, isolated]) {
      await open(server.url);
      for (const name of ['closed.png', 'closed.webm']) {
        expect(await show({ ads: [{ url: addressOf(name) }] })).toMatchObject({
          state: 'failed',
          errorCode: 'ad/cors',
        });
      }
    }
  });

  it('S9: one that may be read is shown', async () => {
    files.set('open.png', { bytes: wholePng(30, 20), headers: { 'Content-Type': 'image/png' } });
    await open(isolated.url);
    expect(await show({ ads: [{ url: addressOf('open.png') }] })).toMatchObject({ state: 'shown', size: [30, 20] });
  });

  it('S9: a billing notice is fetched once, whether the page is told of its arrival or not', async () => {
    for (const server of [pages, isolated]) {
      await open(server.url);
      requested.length = 0;
      await page.evaluate((url) => window.callTracker!(url), addressOf('burl'));
      expect(requested).toEqual(['/burl']);
    }
  });
});

describe('S11: a packaged game', () => {
  const HOUSE_ADS = JSON.stringify({ ads: [{ url: 'a.png', adSurfaceIds: ['roof'] }] });

  async function packed(): Promise<string> {
    const target = await mkdtemp(path.join(tmpdir(), 'packed-'));
    await cp(folder, target, { recursive: true });
    await mkdir(path.join(target, 'ads'));
    await writeFile(path.join(target, 'ads/house-ads.json'), HOUSE_ADS);
    await writeFile(path.join(target, 'ads/a.png'), wholePng(30, 20));
    return target;
  }

  it('shows house ads of its package by file:', async () => {
    const target = await packed();
    await open(pathToFileURL(path.join(target, 'index.html')).href);
    expect(await show('ads/house-ads.json')).toMatchObject({ state: 'shown', size: [30, 20] });
    expect(await show('ads/none.json')).toMatchObject({ state: 'failed', errorCode: 'net/unreachable' });
    await rm(target, { recursive: true });
  });

  const lanAddress = Object.values(networkInterfaces()).flat().find((face) => face?.family === 'IPv4' && !face.internal)?.address; // prettier-ignore
  (lanAddress === undefined ? it.skip : it)('shows house ads of its own server by http in a local network', async () => {
    const target = await packed();
    const server = await servePages({ '/': target }, {}, { host: lanAddress!, port: 0 });
    await open(server.url);
    expect(await show('ads/house-ads.json')).toMatchObject({ state: 'shown', size: [30, 20] });
    await server.close();
    await rm(target, { recursive: true });
  }); // prettier-ignore
});

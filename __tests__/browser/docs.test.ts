import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { readSnippets } from '../helpers/readSnippets.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

const root = process.cwd();
const WIDTHS = [1280, 390] as const;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
}, 240_000);
afterAll(() => browser?.close());

async function open(server: PageServer, address: string, width = 1280): Promise<{ page: Page; heard: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 844 } });
  const heard: string[] = [];
  page.on('console', (message) => heard.push(message.text()));
  page.on('pageerror', (error) => heard.push(`fault: ${String(error)}`));
  await page.goto(server.url + address);
  return { page, heard };
}

describe('the quick start', () => {
  const snippets = readSnippets(root);

  it.each(['README.md', 'docs/first-ad.md'])('of %s, as it stands there, shows an ad that is seen', async (file) => {
    const { code } = snippets.find(
      ({ place, code }) => place.startsWith(`${file}:`) && code.includes('new Phaser.Game'),
    )!;
    const entry = `__tests__/.cache/quickStart/${path.basename(file, '.md')}.ts`;
    await mkdir(path.dirname(entry), { recursive: true });
    await writeFile(entry, code);
    const server = await servePages({ '/': await bundlePage(entry) });
    const { page, heard } = await open(server, '/');
    await page.waitForEvent('console', { predicate: (message) => message.text().includes('seen') || message.text().includes('is seen') }); // prettier-ignore
    expect(heard.filter((text) => text.startsWith('fault'))).toEqual([]);
    await page.close();
    await server.close();
  });
});

describe('the guide as a site', () => {
  let server: PageServer;
  beforeAll(async () => {
    // It refuses to build with a dead link.
    await promisify(execFile)('npm', ['run', 'docs'], { cwd: root });
    server = await servePages({ '/': path.join(root, 'dist/docs') });
  }, 480_000);
  afterAll(() => server?.close());

  it.each(WIDTHS)('is readable at %i px: nothing is cut, no page fails', async (width) => {
    for (const address of [
      '/index.html',
      '/first-ad.html',
      '/measured.html',
      '/errors.html',
      '/reference/index.html',
    ]) {
      const { page, heard } = await open(server, address, width);
      await page.waitForSelector('h1');
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      const cut = await page.$$eval('.vp-doc table', (tables) =>
        tables.filter((table) => table.scrollWidth > table.clientWidth).map((table) => table.textContent.slice(0, 40)),
      );
      expect([address, overhang, cut, heard.filter((text) => /fault|404|Failed/.test(text))]).toEqual([
        address,
        0,
        [],
        [],
      ]);
      if (process.env['SCREENSHOTS'] !== undefined) {
        await page.screenshot({
          path: `${process.env['SCREENSHOTS']}/docs-${address.replaceAll(/\W/g, '-')}-${width}.png`,
        });
      }
      await page.close();
    }
  });

  it('is searched', async () => {
    const { page } = await open(server, '/first-ad.html');
    await page.click('.VPNavBarSearch button');
    await page.fill('#localsearch-input', 'friendly obstruction');
    await page.waitForSelector('.results a[href*="placing"]');
    await page.close();
  });
});

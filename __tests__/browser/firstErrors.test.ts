import type { Browser, Page, Request } from 'playwright-core';
import { DEMO_PLAYER } from '../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../demo/service/startService.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import { until } from '../helpers/until.js';
import { WebAppVisitor } from '../service/server/WebAppVisitor.js';

declare global {
  interface Window {
    /** How often something was aborted or cancelled. */
    aborts: number;
  }
}

let browser: Browser;
let pages: PageServer;
/** The same, with `Cross-Origin-Embedder-Policy: require-corp`. */
let isolated: PageServer;
let page: Page;
let service: RunningService;

beforeAll(async () => {
  const folder = await bundlePage('__tests__/browser/pages/firstErrors.ts');
  pages = await servePages({ '/': folder });
  isolated = await servePages({ '/': folder }, { 'Cross-Origin-Embedder-Policy': 'require-corp' });
  service = await startService();
  browser = await launchBrowser();
  page = await browser.newPage();
  await page.goto(pages.url);
  await page.waitForFunction(() => 'firstCall' in window);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  await isolated?.close();
  await service?.close();
});

const firstCall = (baseUrl?: string) => page.evaluate((address) => window.firstCall!(address), baseUrl);

describe('the first errors a newcomer meets say what to do', () => {
  it('a service that is down: is it running there?', async () => {
    const gone = await startService();
    await gone.close();
    const { code, printed } = await firstCall(gone.baseUrl);
    expect(code).toBe('net/unreachable');
    expect(printed).toContain(`Is it running at ${gone.origin}?`);
  });

  it('a baseUrl without /api', async () => {
    const { code, printed } = await firstCall(service.origin);
    expect(code).toBe('service/not-found');
    expect(printed).toContain('/api');
  });

  it('a service of another origin that does not let the page read its answers', async () => {
    service.faults.add({ fault: { kind: 'no-cors' } });
    const { code, printed } = await firstCall(service.baseUrl);
    service.faults.clear();
    expect(code).toBe('net/blocked-or-cors');
    expect(printed).toContain('Access-Control-Allow-Origin');
  });

  it('the same on a page that lets in only what allows it (Cross-Origin-Embedder-Policy), which hides why', async () => {
    const within = await browser.newPage();
    await within.goto(isolated.url);
    await within.waitForFunction(() => 'firstCall' in window);
    service.faults.add({ fault: { kind: 'no-cors' } });
    const { code, printed } = await within.evaluate((address) => window.firstCall!(address), service.baseUrl);
    service.faults.clear();
    expect(code).toBe('net/blocked-or-cors');
    expect(printed).toContain('Access-Control-Allow-Origin');
    await within.close();
  });

  it('no baseUrl on a page that is not on this machine: told at once, without a request', async () => {
    const elsewhere = await browser.newPage();
    const requests: string[] = [];
    await elsewhere.route('https://game.example/**', async (route) => {
      const answer = await fetch(pages.url + new URL(route.request().url()).pathname);
      await route.fulfill({
        status: answer.status,
        contentType: answer.headers.get('Content-Type') ?? '',
        body: Buffer.from(await answer.arrayBuffer()),
      });
    });
    await elsewhere.goto('https://game.example/');
    await elsewhere.waitForFunction(() => 'firstCall' in window);
    elsewhere.on('request', (request) => requests.push(request.url()));
    const { code, printed } = await elsewhere.evaluate(() => window.firstCall!(undefined));
    expect(code).toBe('config/base-url');
    expect(printed).toContain('baseUrl');
    expect(requests).toEqual([]);
    await elsewhere.close();
  });

  it('and a success is neither aborted nor left without its answer, even when the client ends with it', async () => {
    const answered = new Set<Request>();
    const unanswered: string[] = [];
    page.on('response', (response) => answered.add(response.request()));
    // An answer that is read to its end as a stream Chromium itself mostly counts as aborted (`fetch` and a reader alone: four
    // times of five). Read as a whole it never does, but that knows no bound.
    page.on('requestfailed', (request) => {
      if (!answered.has(request)) unanswered.push(`${request.url()} ${request.failure()?.errorText ?? ''}`);
    });
    await page.evaluate(() => {
      window.aborts = 0;
      const { abort } = AbortController.prototype;
      AbortController.prototype.abort = function (this: AbortController, reason?: unknown) {
        window.aborts++;
        abort.call(this, reason);
      };
      const { cancel } = ReadableStreamDefaultReader.prototype;
      ReadableStreamDefaultReader.prototype.cancel = function (this: ReadableStreamDefaultReader, reason?: unknown) {
        window.aborts++;
        return cancel.call(this, reason);
      };
    });
    for (let call = 0; call < 3; call++) expect((await firstCall(service.baseUrl)).code).toBe('ok');
    expect(await page.evaluate(() => window.aborts)).toBe(0);
    expect(unanswered).toEqual([]);
  });
});

it('while a player decides about a connect request, nothing is printed in the console', async () => {
  const quick = await startService({ connect: { intervalSeconds: 1, expiresInSeconds: 300 } });
  const game = await browser.newPage();
  const printed: string[] = [];
  let polls = 0;
  game.on('console', (message) => printed.push(message.text()));
  game.on('response', (response) => {
    if (response.url() === `${quick.baseUrl}/v1/token`) polls++;
  });
  // A poll is held for a second at the most, so that two are answered soon.
  await game.route(`${quick.baseUrl}/v1/bc-authorize`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), hold: 1 } });
  });
  await game.goto(pages.url);
  await game.waitForFunction(() => 'connect' in window);
  const connected = game.evaluate(([url, email]) => window.connect!(url!, email!), [quick.baseUrl, DEMO_PLAYER.email]);
  await until(() => polls >= 2);
  const player = new WebAppVisitor(quick);
  await player.signIn();
  await player.decide('confirm');
  expect(await connected).toBe(true);
  expect(printed).toEqual([]);
  await game.close();
  await quick.close();
});

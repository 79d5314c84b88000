import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type RunningDemo, serveDemo } from './demo/serveDemo.js';
import type { Proof } from './pages/firstAd.js';

let browser: Browser;
let server: RunningDemo;

beforeAll(async () => {
  [server, browser] = await Promise.all([
    serveDemo(await bundlePage('__tests__/browser/pages/firstAd.ts')),
    launchBrowser(),
  ]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/**
 * What the browser asked the network for from when the game started, preflights too, sorted: it tells of those now before and now
 * after the request that waits for them.
 */
async function requestsOf(isForeign: boolean, proof: Proof, act?: (page: Page) => Promise<void>): Promise<string[]> {
  const page = await browser.newPage();
  const devTools = await page.context().newCDPSession(page);
  const requests: string[] = [];
  await devTools.send('Network.enable');
  devTools.on('Network.requestWillBeSent', ({ request: { url, method } }) => {
    const { protocol, pathname } = new URL(url);
    if (protocol === 'http:') requests.push(`${method} ${pathname.replace(/[a-z]+-320x180/, '…')}`);
  });
  page.on('console', (message) => {
    if (message.text() === 'start') requests.length = 0;
  });
  await page.goto(isForeign ? server.origin.replace('127.0.0.1', 'localhost') : server.origin);
  await page.waitForFunction(() => 'showAd' in window);
  if (act !== undefined) await act(page);
  else {
    const state = await page.evaluate(([address, how]) => window.showAd!(address, how), [`${server.origin}/api`, proof] as const); // prettier-ignore
    expect(state).toBe('shown');
  }
  await page.close();
  return requests.filter((request) => !request.endsWith(' /favicon.ico')).sort();
}

const AD = 'GET /api/v1/ad-surfaces/main-street-billboard/ad';
const CREATIVE = 'GET /creatives/….png';
const LEAVE = 'OPTIONS /api/v1/ad-surfaces/main-street-billboard/ad';
const TOKEN = 'POST /game-backend/token';

describe('the first ad on a surface that is known', () => {
  it.each<[string, boolean, Proof, string[]]>([
    ['two round trips, with a token that came with the page and the service at its origin', false, 'token of the page', [AD, CREATIVE]],
    ['one more for a token', false, 'token of the backend', [TOKEN, AD, CREATIVE]],
    ['one more for the leave to ask, at another origin', true, 'key', [AD, LEAVE, CREATIVE]],
  ])('takes %s', async (_name, isForeign, proof, expected) => {
    expect(await requestsOf(isForeign, proof)).toEqual(expected.sort());
  }); // prettier-ignore

  it('has leave asked for once by what is sent, such as reports, as long as the service lets it last', async () => {
    const requests = await requestsOf(true, 'key', (page) => page.evaluate((address) => window.sendTwice!(address), `${server.origin}/api`)); // prettier-ignore
    expect(requests).toEqual(['OPTIONS /api/v1/events', 'POST /api/v1/events', 'POST /api/v1/events']);
  });
});

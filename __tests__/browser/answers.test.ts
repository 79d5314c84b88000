import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { AD_BODIES, endOfAsking, everyAnswer } from '../helpers/adAnswers.js';
import { browserResponse } from '../helpers/browserResponse.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type AnswerServer, serveAnswers } from '../helpers/serveAnswers.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import { until } from '../helpers/until.js';

let browser: Browser;
let pages: PageServer;
let answers: AnswerServer;
let page: Page;

beforeAll(async () => {
  answers = await serveAnswers();
  pages = await servePages({ '/': await bundlePage('__tests__/browser/pages/answers.ts') });
  browser = await launchBrowser();
  page = await browser.newPage();
  await page.goto(pages.url);
  await page.waitForFunction(() => 'askForAds' in window);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  await answers?.close();
});

/** A browser takes it for the answer of a proxy, and gives the page nothing. */
const isForProxies = (status: number): boolean => status === 407;
const cases = everyAnswer().filter(({ status }) => !isForProxies(status));
const addressOf = (status: number, body: string): string => `${answers.url}/${status}/${encodeURIComponent(body)}`;

describe('S1: in a real browser', () => {
  it('S1: every status, with every body and with none, is the answer that the table says', async () => {
    const ends = await page.evaluate(
      (baseUrls) => window.askForAds!(baseUrls),
      cases.map(({ status, body }) => addressOf(status, body)),
    );
    const wrong = cases.flatMap(({ name, status, body }, i) =>
      ends[i] === endOfAsking(status, body) ? [] : [`${name}: ${ends[i]}, not ${endOfAsking(status, body)}`],
    );
    expect(wrong).toEqual([]);
  }, 240_000);

  it('S1: an answer without an ad is asked for once', async () => {
    answers.requests.length = 0;
    await page.evaluate((urls) => window.askForAds!(urls), [204, 205, 304].map((status) => addressOf(status, 'nothing'))); // prettier-ignore
    expect(answers.requests).toHaveLength(3);
  });

  it('S1: a redirect with a place to go to is not followed', async () => {
    const statuses = [301, 302, 303, 307, 308];
    answers.requests.length = 0;
    const ends = await page.evaluate(
      (urls) => window.askForAds!(urls),
      statuses.map((status) => `${addressOf(status, 'nothing')}/to`),
    );
    expect(ends).toEqual(statuses.map(() => 'service/redirected'));
    expect(answers.requests).toHaveLength(statuses.length);
  });

  it('R7: an answer that nobody reads ends as it begins, whatever it would go on to send', async () => {
    const asked: string[] = [];
    const sending = new Set<string>();
    const endless = createServer((request, response) => {
      if (request.method === 'OPTIONS') {
        // Pages may ask whatever they want, and read nothing.
        response.writeHead(204, { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }).end();
        return;
      }
      const name = `${request.headers['sec-fetch-mode']} ${request.url} ${asked.length}`;
      asked.push(name);
      sending.add(name);
      response.on('close', () => sending.delete(name));
      const send = (): void => {
        if (sending.has(name)) response.write(' '.repeat(65_536), () => setImmediate(send));
      };
      send();
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    const { port } = endless.address() as AddressInfo;
    try {
      await page.evaluate((address) => window.askWithoutReading!(address), `http://127.0.0.1:${port}`);
      expect(asked.filter((name) => name.startsWith('no-cors'))).toHaveLength(4);
      await until(() => sending.size === 0);
    } finally {
      endless.closeAllConnections();
      endless.close();
    }
  }, 60_000);

  it('S1: the answers of the unit tests are made as the browser makes them', async () => {
    const mocked = cases.map(({ status, body }) => {
      const { type, ok, body: stream, ...response } = describeResponse(browserResponse({ status, ...AD_BODIES[body] }));
      return `${response.status} ${type} ${ok} ${stream}`;
    });
    const seen = await page.evaluate(
      (addresses) => window.shapesOf!(addresses),
      cases.map(({ status, body }) => addressOf(status, body)),
    );
    const differing = cases.flatMap(({ name }, i) => (seen[i]!.replace(' cors ', ' default ') === mocked[i] ? [] : [`${name}: ${seen[i]} / ${mocked[i]}`])); // prettier-ignore
    expect(differing).toEqual([]);
  }, 240_000);
});

function describeResponse({ status, type, ok, body }: Response) {
  return { status, type, ok: ok ? 'ok' : 'not ok', body: body === null ? 'no body' : 'a stream' };
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { LaboratoryPage } from './oracle/page.js';
import type { PageStage, PageVerdict } from './oracle/PageStage.js';

/** The window of the page that holds the game. */
type GameWindow = Window & { laboratoryPage: LaboratoryPage; pageStage: PageStage };

let browser: Browser;
let server: PageServer;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({ '/': await bundlePage('__tests__/browser/oracle/page.ts') });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 600, height: 600 } });
});
afterEach(() => page.close());

/** The ad lies at x 160–240, y 130–170 of the canvas, and the canvas at the page's top left corner. */
const GAME = '<div id="game" style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"></div>';

async function openGame(html = GAME): Promise<void> {
  await page.goto(server.url);
  await startGame(page.mainFrame(), html);
}

/** Starts the game in a frame that has loaded the laboratory, among the given HTML. */
async function startGame(frame: Frame, html: string): Promise<void> {
  await frame.waitForFunction(() => 'laboratoryPage' in window);
  await frame.evaluate(async (markup) => {
    document.body.style.margin = '0';
    document.body.insertAdjacentHTML('beforeend', markup);
    const target = window as unknown as GameWindow;
    target.pageStage = await target.laboratoryPage.PageStage.open();
  }, html);
}

async function verdicts(): Promise<{ everyFrame: PageVerdict; trackingFunctions: PageVerdict }> {
  return page.evaluate(() => (window as unknown as GameWindow).pageStage.verdicts());
}

/** Both ways of asking must agree with what the layout shows. */
async function expectShare(share: number): Promise<void> {
  const { everyFrame, trackingFunctions } = await verdicts();
  for (const verdict of [everyFrame, trackingFunctions]) {
    expect(Math.abs(verdict.share - share)).toBeLessThanOrEqual(1);
    expect(verdict.isFullyVisible).toBe(share === 100);
  }
}

const cover = (style: string): string => `${GAME}<div style="position: absolute; background: #223344; ${style}"></div>`;

describe('trap 22: HTML over the canvas', () => {
  test('a page with nothing over the canvas shows all of the ad', async () => {
    await openGame();
    await expectShare(100);
  });

  test("Phaser's DOM elements lie above the canvas whatever their depth", async () => {
    await openGame();
    await page.evaluate(() => (window as unknown as GameWindow).pageStage.addForm());
    await expectShare(0);
  });

  test('a DOM element stays on the screen when its scene is made invisible', async () => {
    await openGame();
    await page.evaluate(() => {
      const { pageStage } = window as unknown as GameWindow;
      pageStage.addForm();
      pageStage.hideFormScene();
    });
    await expectShare(0);
  });

  test('a div over half of the ad covers half', async () => {
    await openGame(cover('left: 200px; top: 0; width: 200px; height: 300px'));
    await expectShare(50);
  });

  test('a div that lets clicks through covers all the same', async () => {
    await openGame(cover('left: 160px; top: 130px; width: 20px; height: 40px; pointer-events: none'));
    await expectShare(75);
  });

  test('a div that is wholly transparent covers nothing', async () => {
    await openGame(cover('left: 0; top: 0; width: 400px; height: 300px; opacity: 0'));
    await expectShare(100);
  });

  test('a div without background covers nothing', async () => {
    await openGame(`${GAME}<div style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"></div>`);
    await expectShare(100);
  });

  test('a div below the canvas covers nothing', async () => {
    await openGame(cover('left: 0; top: 0; width: 400px; height: 300px; z-index: -1'));
    await expectShare(100);
  });
});

describe('trap 23: what the page cuts off', () => {
  test('a canvas scrolled half out of the ad shows half of it', async () => {
    await openGame(`${GAME}<div style="height: 3000px"></div>`);
    await page.evaluate(() => window.scrollTo(0, 150));
    await expectShare(50);
  });

  test('a parent with hidden overflow cuts the ad', async () => {
    await openGame(
      '<div style="width: 180px; height: 300px; overflow: hidden; position: relative">' +
        '<div id="game" style="width: 400px; height: 300px"></div></div>',
    );
    await expectShare(25);
  });

  test('an ad on a hidden tab is not seen', async () => {
    await openGame();
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expectShare(0);
  });

  test('a page of another origin around the game cuts the ad, which an observer in the game sees', async () => {
    // Another port is another origin: nothing of the host can be read from the game.
    const folder = await mkdtemp(path.join(os.tmpdir(), 'host-'));
    await writeFile(
      path.join(folder, 'index.html'),
      '<body style="margin: 0"><div style="width: 400px; height: 150px; overflow: hidden">' +
        `<iframe src="${server.url}/" style="border: 0; width: 400px; height: 300px"></iframe></div>`,
    );
    const host = await servePages({ '/': folder });
    await page.goto(host.url);
    const frame = (await (await page.waitForSelector('iframe')).contentFrame())!;
    await startGame(frame, GAME);
    const { everyFrame } = await frame.evaluate(() => (window as unknown as GameWindow).pageStage.verdicts());
    await host.close();
    await rm(folder, { recursive: true });
    expect(everyFrame.isFullyVisible).toBe(false);
    expect(Math.abs(everyFrame.share - 50)).toBeLessThanOrEqual(1);
  });
});

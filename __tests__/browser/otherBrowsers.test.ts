import type { Browser } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { findBrowser, findInstalledBrowsers } from '../helpers/findBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import { startChromium } from '../helpers/startChromium.js';
import type { LaboratoryPage } from './oracle/page.js';
import type { PageVerdict } from './oracle/PageStage.js';

const GAME = '<div id="game" style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"></div>';
const HALF = 'position: absolute; left: 0; top: 0; width: 200px; height: 300px';

let server: PageServer;
let browsers: Browser[];

beforeAll(async () => {
  server = await servePages({ '/': await bundlePage('__tests__/browser/oracle/page.ts') });
  const found = [await findBrowser(), ...(await findInstalledBrowsers())];
  browsers = await Promise.all(found.map((binary) => startChromium(binary)));
}, 240_000);
afterAll(async () => {
  for (const browser of browsers) await browser.close();
  await server.close();
});

/** What is said of an ad at x 160–240 and y 130–170 among some HTML, in frames and in calls. */
async function verdictsIn(browser: Browser, html: string): Promise<PageVerdict[]> {
  const page = await browser.newPage({ viewport: { width: 600, height: 600 } });
  await page.goto(server.url);
  await page.waitForFunction(() => 'laboratoryPage' in window);
  const said = await page.evaluate(async (markup) => {
    document.body.style.margin = '0';
    document.body.innerHTML = markup;
    const { laboratoryPage } = window as unknown as { laboratoryPage: LaboratoryPage };
    const stage = await laboratoryPage.PageStage.open();
    const { everyFrame, trackingFunctions } = await stage.verdicts();
    return [everyFrame, trackingFunctions];
  }, html);
  await page.close();
  return said;
}

// Newer browsers say of the same page what older ones call otherwise, and paint what those do not know.
describe('in the browser of the other tests and in each that is installed here', () => {
  it.each([
    ['the game alone', GAME, 100],
    ['a box over the left half', `${GAME}<div style="${HALF}; background: #234"></div>`, 50],
    ['a box with round corners', `${GAME}<div style="${HALF}; background: #234; border-radius: 20px"></div>`, 50],
    ['a canvas with round corners', GAME.replace('style="', 'style="overflow: hidden; border-radius: 20px; '), 100],
  ])('is measured: %s', async (_what, html, share) => {
    for (const browser of browsers) {
      for (const verdict of await verdictsIn(browser, html)) {
        expect([browser.version(), verdict.share]).toEqual([browser.version(), expect.closeTo(share, 1)]);
        expect(verdict.isFullyVisible).toBe(share === 100);
      }
    }
  });

  it('is not called fully visible behind lines between rows, where a browser has these', async () => {
    const rows = '<p style="height: 100px; margin: 0"></p>'.repeat(2);
    const html = `${GAME}<div style="${HALF}; display: grid; align-content: start; row-gap: 100px; row-rule: 100px solid #234">${rows}</div>`;
    for (const browser of browsers) {
      const page = await browser.newPage();
      const hasRules = await page.evaluate(() => CSS.supports('row-rule-style', 'solid'));
      await page.close();
      for (const { isFullyVisible } of await verdictsIn(browser, html)) {
        expect([browser.version(), isFullyVisible]).toEqual([browser.version(), !hasRules]);
      }
    }
  });
});

import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { PageNet } from './pages/pageNet.js';

let browser: Browser;
let server: PageServer;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({ '/': await bundlePage('__tests__/browser/pages/pageNet.ts') });
  page = await browser.newPage({ viewport: { width: 600, height: 600 } });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async () => {
  await page.goto(server.url);
  await page.waitForFunction(() => 'pageNet' in window);
});

type NetWindow = Window & { pageNet: PageNet };

const open = (html: string) => page.evaluate((body) => (window as unknown as NetWindow).pageNet.open(body), html);
const run = (script: string) => page.evaluate(`(async () => { ${script} })()`);
const look = async (html: string, script = '') => {
  await open(html);
  await run(script);
  return page.evaluate(() => (window as unknown as NetWindow).pageNet.look());
};

/** How often a page is looked at within some time after it has been opened and something has been done. */
const looks = async (html: string, script = '') => {
  await open(html);
  await page.evaluate(() => (window as unknown as NetWindow).pageNet.watch());
  await run(script);
  await page.waitForTimeout(1200);
  return page.evaluate(() => (window as unknown as NetWindow).pageNet.looks());
};

const GAME = '<div id="game" style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"></div>';
const FULL = 'position: fixed; left: 0; top: 0; width: 400px; height: 300px';
const DARK = 'background: #000';
const FILLER = '<i></i>';

describe('a page of any size', () => {
  it('E10: hides the ad below a curtain that comes after thousands of elements', async () => {
    for (const count of [4_001, 20_000]) {
      const { seen, unmeasurable } = await look(`${GAME}${FILLER.repeat(count)}<div style="${FULL}; ${DARK}"></div>`);
      expect([count, seen, unmeasurable]).toEqual([count, 0, 0]);
    }
  });

  it('E10: hides it below a curtain that lies thousands of elements deep', async () => {
    const depth = 300;
    const { seen } = await look(`${GAME}${'<div>'.repeat(depth)}<p style="${FULL}; margin: 0; ${DARK}"></p>`);
    expect(seen).toBe(0);
  });
});

/** Whatever is true of them: not seen for sure. */
const UNSEEN: [what: string, html: string, script?: string][] = [
  ['what a closed shadow root holds', `${GAME}<div id="h"></div>`, `document.getElementById('h').attachShadow({ mode: 'closed' }).innerHTML = '<p style="${FULL}; margin: 0; ${DARK}"></p>'`],
  ['what a closed shadow root holds within a box that it fills', `${GAME}<div id="h" style="position: absolute; left: 0; top: 0"></div>`, `document.getElementById('h').attachShadow({ mode: 'closed' }).innerHTML = '<p style="width: 400px; height: 300px; margin: 0; ${DARK}"></p>'`],
  ['an element of a kind of its own, whose shadow root is closed', `${GAME}<x-veil style="${FULL}; display: block"><b></b></x-veil>`, `customElements.define('x-veil', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<p style="width: 400px; height: 300px; margin: 0; ${DARK}"></p>' } })`],
  ['a transition between two views of the page', `<style>::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) { animation-duration: 60s }</style>${GAME}`, `const t = document.startViewTransition(() => document.body.append(document.createElement('p'))); await t.ready`],
  ['a curtain outside of the body', GAME, `const e = document.createElement('div'); e.style.cssText = '${FULL}; ${DARK}'; document.documentElement.append(e)`],
  ['a curtain that is turned in space', `${GAME}<div style="${FULL}; ${DARK}; transform: perspective(900px) rotateY(20deg)"></div>`],
  ['a blurred curtain', `${GAME}<div style="${FULL}; ${DARK}; filter: blur(4px)"></div>`],
  ['a curtain cut to a shape', `${GAME}<div style="${FULL}; ${DARK}; clip-path: circle(300px)"></div>`],
  ['a curtain mixed with the canvas', `${GAME}<div style="${FULL}; background: #888; mix-blend-mode: difference"></div>`],
  ['a pane that blurs what lies below', `${GAME}<div style="${FULL}; backdrop-filter: blur(9px)"></div>`],
  ['a curtain that lets clicks through', `${GAME}<div style="${FULL}; ${DARK}; pointer-events: none"></div>`],
  ['a curtain that lets clicks through, whatever else is said', `${GAME}<div style="${FULL}; ${DARK}; pointer-events: none !important"></div>`],
  ['a curtain that does not react', `${GAME}<div inert style="${FULL}; ${DARK}"></div>`],
  ['a curtain of a game that does not react', `${GAME.replace('<div', '<div inert')}<div style="${FULL}; ${DARK}"></div>`],
  ['another page', `${GAME}<iframe srcdoc="<body style='background: #000'>" style="${FULL}; border: 0"></iframe>`],
  ['a modal dialog', `${GAME}<dialog style="${FULL}; margin: 0; padding: 0; border: 0; max-width: none; ${DARK}"></dialog>`, `document.querySelector('dialog').showModal()`],
  ['a popover', `${GAME}<div popover style="${FULL}; padding: 0; border: 0; margin: 0; ${DARK}"></div>`, `document.querySelector('[popover]').showPopover()`],
  ['the backdrop of a dialog', `<style>::backdrop { ${DARK} }</style>${GAME}<dialog style="top: 400px"></dialog>`, `document.querySelector('dialog').showModal()`],
  ['a closed shadow root below a dialog, where nothing is hit', `<style>::backdrop { display: none }</style>${GAME}<div id="h"></div><dialog style="top: 400px"></dialog>`, `document.getElementById('h').attachShadow({ mode: 'closed' }).innerHTML = '<p style="${FULL}; margin: 0; ${DARK}"></p>'; document.querySelector('dialog').showModal()`],
  ['a pseudo-element', `<style>#p::before { content: ''; ${FULL}; ${DARK} }</style>${GAME}<div id="p"></div>`],
  ['a canvas that is turned in space', GAME.replace('style="', 'style="transform: perspective(900px) rotateY(20deg); ')],
  ['a canvas that is turned', GAME.replace('style="', 'style="transform: rotate(9deg); ')],
  ['a canvas cut to a shape', GAME.replace('style="', 'style="clip-path: circle(40px); ')],
  ['a canvas that is blurred', GAME.replace('style="', 'style="filter: blur(5px); ')],
  ['a canvas that is mixed with the page', GAME.replace('style="', 'style="mix-blend-mode: multiply; ')],
  ['a canvas that is faint', GAME.replace('style="', 'style="opacity: 0.4; ')],
  ['a canvas that is not shown', GAME.replace('style="', 'style="visibility: hidden; ')],
  ['a canvas scrolled out of the window', `${GAME}<div style="height: 9000px"></div>`, 'scrollTo(0, 400)'],
]; // prettier-ignore

describe('what the box search does not know is never seen', () => {
  it.each(UNSEEN)('%s', async (_, html, script = '') => {
    expect((await look(html, script)).seen).toBe(0);
  });

  it.each(UNSEEN)('and a look leaves no trace: %s', async (_, html, script = '') => {
    expect(await look(html, script)).toMatchObject({ leftBehind: 0, mutations: 0 });
  });

  it('but what is known to be clear hides nothing', async () => {
    const clear = [
      GAME,
      `${GAME}<div style="${FULL}"></div>`,
      `${GAME}<div style="${FULL}; pointer-events: none"><b style="position: absolute; left: 300px; ${DARK}">9</b></div>`,
      `<style>a::after { content: ''; ${FULL} }</style>${GAME}<a style="position: absolute; top: 400px">on</a>`,
      `<style>::backdrop { background: none }</style>${GAME}<dialog style="top: 400px" open></dialog>`,
      `${GAME}<div style="display: flex; ${FULL}"><div style="flex: 1"></div></div>`,
    ];
    for (const html of clear) expect([html, (await look(html)).seen]).toEqual([html, 100]);
  });
});

describe('a page that stays the same', () => {
  it('is hardly ever looked at', async () => {
    expect(await looks(GAME)).toBeLessThanOrEqual(1);
  });

  it('is looked at soon after it has changed', async () => {
    expect(await looks(GAME, "document.body.append(document.createElement('p'))")).toBeGreaterThanOrEqual(1);
  });
});

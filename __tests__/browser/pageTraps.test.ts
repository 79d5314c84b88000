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
  page = await takePage();
});
afterEach(() => idlePages.push(page));

const newPage = (): Promise<Page> => browser.newPage({ viewport: { width: 600, height: 600 } });

/** Pages whose tests have ended: loading the game again in one takes half of what a new one does. */
const idlePages: Page[] = [];
const takePage = async (): Promise<Page> => idlePages.pop() ?? newPage();

/** A page of its own for one of several tests that run side by side: nearly all of their time they wait for the page. */
const onOwnPage =
  <T extends readonly unknown[]>(run: (page: Page, ...row: T) => Promise<void>) =>
  async (...row: T): Promise<void> => {
    const page = await takePage();
    let isWell = false;
    try {
      await run(page, ...row);
      isWell = true;
    } finally {
      // What a failed test leaves behind runs on beside all that follow, and makes them late.
      if (isWell) idlePages.push(page);
      else await page.close();
    }
  };

/** The same for a test that leaves marks on its page. */
const onNewPage =
  <T extends readonly unknown[]>(run: (page: Page, ...row: T) => Promise<void>) =>
  async (...row: T): Promise<void> => {
    const page = await newPage();
    try {
      await run(page, ...row);
    } finally {
      await page.close();
    }
  };

/** The ad lies at x 160–240, y 130–170 of the canvas, and the canvas at the page's top left corner. */
const GAME = '<div id="game" style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"></div>';

async function openGame(page: Page, html = GAME): Promise<void> {
  await page.goto(server.url);
  await startGame(page.mainFrame(), html);
}

/** The same on a page that may have held games of such rows before. To load Phaser again would take most of the time. */
async function openNextGame(page: Page, html: string): Promise<void> {
  const isLoaded = await page.evaluate(() => {
    if (!('pageStage' in window)) return false;
    (window as unknown as GameWindow).pageStage.close();
    document.body.replaceChildren();
    document.documentElement.replaceChildren(document.head, document.body);
    return true;
  });
  if (!isLoaded) await page.goto(server.url);
  await startGame(page.mainFrame(), html);
}

/** Starts the game in a frame that has loaded the laboratory, among the given HTML, once all of that is there. */
async function startGame(frame: Frame, html: string): Promise<void> {
  await frame.waitForFunction(() => 'laboratoryPage' in window);
  await frame.evaluate(async (markup) => {
    document.body.style.margin = '0';
    document.body.insertAdjacentHTML('beforeend', markup);
    const loading = [
      ...[...document.images].filter(({ complete }) => !complete),
      ...document.querySelectorAll('iframe[src], iframe[srcdoc]'),
    ];
    const loaded = (element: Element): Promise<unknown> =>
      new Promise((resolve) => ['load', 'error'].forEach((name) => element.addEventListener(name, resolve)));
    await Promise.all(loading.map(loaded));
    // What the browser paints only near the window, it decides with a frame.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const target = window as unknown as GameWindow;
    target.pageStage = await target.laboratoryPage.PageStage.open();
  }, html);
}

async function verdicts(page: Page): Promise<{ everyFrame: PageVerdict; trackingFunctions: PageVerdict }> {
  return page.evaluate(() => (window as unknown as GameWindow).pageStage.verdicts());
}

const nextLook = (page: Page): Promise<void> =>
  page.evaluate(() => (window as unknown as GameWindow).pageStage.nextLook());

/** Both ways of asking must agree with what the layout shows. */
async function expectShare(page: Page, share: number): Promise<PageVerdict> {
  const { everyFrame, trackingFunctions } = await verdicts(page);
  for (const verdict of [everyFrame, trackingFunctions]) {
    expect(Math.abs(verdict.share - share)).toBeLessThanOrEqual(1);
    expect(verdict.isFullyVisible).toBe(share === 100);
  }
  return everyFrame;
}

const cover = (style: string): string => `${GAME}<div style="position: absolute; background: #223344; ${style}"></div>`;

describe('trap 22: HTML over the canvas', () => {
  test('a page with nothing over the canvas shows all of the ad', async () => {
    await openGame(page);
    await expectShare(page, 100);
  });

  test.each([4_001, 20_000])('E10: a curtain that comes after %i elements hides the ad', async (count) => {
    await openGame(
      page,
      `${GAME}${'<i></i>'.repeat(count)}<div style="position: fixed; inset: 0; background: #000"></div>`,
    );
    await expectShare(page, 0);
  });

  test('E10: a curtain outside of the body hides the ad', async () => {
    await openGame(page);
    await page.evaluate(() => {
      const curtain = document.createElement('div');
      curtain.style.cssText = 'position: fixed; inset: 0; background: #000';
      document.documentElement.append(curtain);
    });
    await expectShare(page, 0);
  });

  test("Phaser's DOM elements lie above the canvas whatever their depth", async () => {
    await openGame(page);
    await page.evaluate(() => (window as unknown as GameWindow).pageStage.addForm());
    await expectShare(page, 0);
  });

  test('a DOM element stays on the screen when its scene is made invisible', async () => {
    await openGame(page);
    await page.evaluate(() => {
      const { pageStage } = window as unknown as GameWindow;
      pageStage.addForm();
      pageStage.hideFormScene();
    });
    await expectShare(page, 0);
  });

  test('a div over half of the ad covers half', async () => {
    await openGame(page, cover('left: 200px; top: 0; width: 200px; height: 300px'));
    await expectShare(page, 50);
  });

  test('a div that lets clicks through covers all the same', async () => {
    await openGame(page, cover('left: 160px; top: 130px; width: 20px; height: 40px; pointer-events: none'));
    await expectShare(page, 75);
  });

  test('a div that is wholly transparent covers nothing', async () => {
    await openGame(page, cover('left: 0; top: 0; width: 400px; height: 300px; opacity: 0'));
    await expectShare(page, 100);
  });

  test('a div without background covers nothing', async () => {
    await openGame(page, `${GAME}<div style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"></div>`);
    await expectShare(page, 100);
  });

  test('a div below the canvas covers nothing', async () => {
    await openGame(page, cover('left: 0; top: 0; width: 400px; height: 300px; z-index: -1'));
    await expectShare(page, 100);
  });
});

/** Over all of the canvas. */
const FULL = 'position: absolute; left: 0; top: 0; width: 400px; height: 300px';
/** Over the left half of the ad, and of the canvas. */
const HALF = 'position: absolute; left: 0; top: 0; width: 200px; height: 300px';
const DARK = 'background: #223344';
const SVG = `<svg style="${FULL}">`;

/** Lines of drawings around and on the ad. */
// prettier-ignore
const DRAWN_LINES: [what: string, html: string, share: number][] = [
  ['a thick line of a drawing', `${GAME}<svg style="${HALF}"><line x1="0" y1="140" x2="200" y2="140" stroke="#000" stroke-width="20"/></svg>`, 75],
  ['a thin line of a drawing around the ad', `${GAME}${SVG}<path d="M150 100h100v100h-100z" fill="none" stroke="#000" stroke-width="3"/></svg>`, 100],
  ['a thin line of a drawing around the ad, left open', `${GAME}${SVG}<polyline points="150,200 150,100 250,100 250,200" fill="none" stroke="#000" stroke-width="3"/></svg>`, 100],
  ['a thick line of a drawing that turns on the ad', `${GAME}${SVG}<polyline points="100,160 170,160 170,300" fill="none" stroke="#000" stroke-width="20"/></svg>`, 87.5],
  ['a curved line of a drawing around the ad', `${GAME}${SVG}<path d="M120 150C120 0 280 0 280 150S120 300 120 150" fill="none" stroke="#000" stroke-width="4"/></svg>`, 100],
  ['a drawn ring around the ad', `${GAME}${SVG}<circle cx="200" cy="150" r="60" fill="none" stroke="#000" stroke-width="10"/></svg>`, 100],
  ['a drawn ring that is shown in part, as of a cooldown', `${GAME}${SVG}<circle cx="200" cy="150" r="10" fill="none" stroke="#000" stroke-width="20" stroke-dasharray="31.416 100"/></svg>`, 80.365625],
  ['a line across the ad in a drawing', `${GAME}${SVG}<line x1="100" y1="100" x2="300" y2="200" stroke="#000" stroke-width="2"/></svg>`, 94.41],
  ['dashes of a drawing', `${GAME}${SVG}<line x1="160" y1="150" x2="400" y2="150" stroke="#000" stroke-width="40" stroke-dasharray="10"/></svg>`, 50],
];
/** 20 × 24, all of it dark. */
const DARK_PICTURE =
  'url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABQAAAAYCAAAAADfIIKqAAAAEUlEQVR4nGMwwAIYRgWHuyAAnyBaAby6qUIAAAAASUVORK5CYII=)';
const around = (style: string): string =>
  `<div style="position: absolute; inset: 0 auto auto 0; ${style}">${GAME}</div>`;
const sheet = (rules: string): string => `<style>${rules}</style>`;
const script = (code: string): string => `<img src="data:," onerror="${code}" style="display: none">`;

/** Pseudo-elements, of whose places no browser tells, where something is enlarged by `zoom`. */
// prettier-ignore
const ENLARGED: [what: string, html: string, share: number][] = [
  ['a pseudo-element of what is enlarged and has no size', `${sheet(`#p::before { content: ''; position: absolute; left: 0; top: 0; width: 100px; height: 150px; ${DARK} }`)}${GAME}<div id="p" style="position: absolute; left: 0; top: 0; zoom: 2"></div>`, 50],
  ['a pseudo-element that is enlarged itself', `${sheet(`#p::before { content: ''; position: absolute; left: 0; top: 0; width: 100px; height: 150px; zoom: 2; ${DARK} }`)}${GAME}<div id="p"></div>`, 50],
];

/** What a shadow root holds and no click hits. */
// prettier-ignore
const IN_SHADOW: [what: string, html: string, share: number][] = [
  ['what lets clicks through in an open shadow root', `${GAME}<div id="h"></div>${script(`document.getElementById('h').attachShadow({ mode: 'open' }).innerHTML = '<p style=&quot;${HALF}; margin: 0; pointer-events: none; ${DARK}&quot;></p>'`)}`, 50],
  ['a pseudo-element that lets clicks through in an open shadow root', `${GAME}<div id="h"></div>${script(`document.getElementById('h').attachShadow({ mode: 'open' }).innerHTML = '<style>p::after { content: &quot;&quot;; ${HALF}; pointer-events: none; ${DARK} }</style><p></p>'`)}`, 50],
];

const closedRoot = script(
  `document.getElementById('h').attachShadow({ mode: 'closed' }).innerHTML = '<p style=&quot;${HALF}; margin: 0; ${DARK}&quot;></p>'`,
);

/** What a filter of the page fills, although nothing is painted there. */
// prettier-ignore
const FILLED: [what: string, html: string, share: number][] = [
  ['an empty box', '', '<div style="PLACE"></div>'],
  ['an empty box without a size', '', '<p style="PLACE; width: 0; height: 0; margin: 0"></p>'],
  ['a pseudo-element', `#p::before { content: ''; PLACE }`, '<div id="p"></div>'],
  ['a pseudo-element in the flow', `#p::before { content: ''; display: block; height: 9px; PLACE; position: static }`, '<div id="p"></div>'],
  ['a backdrop', 'dialog::backdrop { background: none; PLACE }', `<dialog id="d" style="top: 400px">x</dialog>${script("document.getElementById('d').showModal()")}`],
].map(([what, rules, html]) => [
  `${what!} beside the game that a filter of the page fills`,
  `<svg width="0" height="0"><filter id="f" filterUnits="userSpaceOnUse" x="-999" y="-999" width="1999" height="1999"><feFlood/></filter></svg>${sheet(rules!)}${GAME}${html!}`.replace('PLACE', 'position: absolute; left: 420px; top: 130px; width: 60px; height: 40px; filter: url(#f)'),
  0,
]);

describe('what HTML paints over the canvas, by the ways of CSS', () => {
  // prettier-ignore
  test.concurrent.each<[what: string, html: string, share: number]>([
    ['a picture', `${GAME}<img style="${HALF}" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E">`, 50],
    ['another canvas', `${GAME}<canvas style="${HALF}; ${DARK}"></canvas>`, 50],
    ['another canvas without a background, of which nobody knows what it shows', `${GAME}<canvas style="${HALF}"></canvas>`, 50],
    ['a gradient', `${GAME}<div style="${HALF}; background: linear-gradient(#000, #333)"></div>`, 50],
    ['a gradient with a sharp edge', `${GAME}<div style="${FULL}; background: linear-gradient(90deg, #000 50%, transparent 50%)"></div>`, 50],
    ['a gradient that fades', `${GAME}<div style="${FULL}; background: linear-gradient(90deg, #000 160px, transparent 240px)"></div>`, 50],
    ['a gradient whose colours are mixed in another way', `${GAME}<div style="${FULL}; background: linear-gradient(90deg in oklch longer hue, #000 160px, transparent 240px)"></div>`, 50],
    ['a gradient that fades on a plate', `${GAME}<div style="${FULL}; background: linear-gradient(90deg, #000 160px, transparent 240px) rgba(0, 0, 0, 0.1)"></div>`, 44.4],
    ['a gradient that never is strong enough', `${GAME}<div style="${FULL}; background: linear-gradient(90deg, rgba(0, 0, 0, 0.45), transparent)"></div>`, 100],
    ['a gradient that rises from below the ad', `${GAME}<div style="${FULL}; background: linear-gradient(to top, rgba(0, 0, 0, 0.9), transparent 100px)"></div>`, 100],
    ['a gradient in a border', `${GAME}<div style="${FULL}; box-sizing: border-box; border: solid transparent; border-width: 0 10px 0 0; background: linear-gradient(90deg, #000 50%, transparent 50%) no-repeat"></div>`, 56.25],
    ['a gradient in a turned box', `${GAME}<div style="${FULL}; transform: rotate(90deg); background: linear-gradient(#000 50%, transparent 50%)"></div>`, 50],
    ['the dark rim of a picture', `${GAME}<div style="${FULL}; background: radial-gradient(circle, transparent 50%, #000)"></div>`, 100],
    ['a dark spot on a plate that is too faint alone', `${GAME}<div style="${FULL}; background: radial-gradient(circle at 200px 150px, rgba(0, 0, 0, 0.8), transparent 20px) rgba(0, 0, 0, 0.3)"></div>`, 83.8],
    ['a round gradient with a sharp edge', `${GAME}<div style="${FULL}; background: radial-gradient(circle at 200px 150px, #000 20px, transparent 20px)"></div>`, 60.7],
    ['a round hole in a gradient', `${GAME}<div style="${FULL}; background: radial-gradient(circle at 200px 150px, transparent 20px, rgba(0, 0, 0, 0.8) 20px)"></div>`, 39.3],
    ['a round gradient that fades', `${GAME}<div style="${FULL}; background: radial-gradient(closest-side, #000, transparent)"></div>`, 0],
    ['an oval gradient with a sharp edge', `${GAME}<div style="${FULL}; background: radial-gradient(40px 20px, #000 100%, transparent 100%)"></div>`, 21.5],
    ['a round gradient that fades before it reaches all of the ad', `${GAME}<div style="${FULL}; background: radial-gradient(circle, #000, transparent 40px)"></div>`, 60.7],
    ['a gradient within a round box', `${GAME}<div style="position: absolute; left: 170px; top: 130px; width: 40px; height: 40px; border-radius: 50%; background: linear-gradient(#000 50%, transparent 50%)"></div>`, 80.4],
    ['the gradient of a pseudo-element', `${sheet(`#p::after { content: ''; ${FULL}; background: linear-gradient(90deg, #000 50%, transparent 50%) }`)}${GAME}<div id="p"></div>`, 50],
    ['two gradients from either side', `${GAME}<div style="${FULL}; background: linear-gradient(90deg, #000 170px, transparent 170px), linear-gradient(270deg, #000 170px, transparent 170px)"></div>`, 75],
    ['a dark rim made of four gradients', `${GAME}<div style="${FULL}; background: ${[0, 90, 180, 270].map((angle) => `linear-gradient(${angle}deg, #000, transparent 100px)`).join()}"></div>`, 100],
    ['two faint gradients where they meet', `${GAME}<div style="${FULL}; background: linear-gradient(90deg, rgba(0, 0, 0, 0.4) 50%, transparent 50%), linear-gradient(rgba(0, 0, 0, 0.4) 50%, transparent 50%)"></div>`, 75],
    ['gradients that are cut to different boxes', `${GAME}<div style="${FULL}; box-sizing: border-box; padding-left: 220px; background: linear-gradient(90deg, #000 180px, transparent 180px) padding-box, linear-gradient(#000, #000) content-box"></div>`, 50],
    ['faint scan lines', `${GAME}<div style="${HALF}; background: linear-gradient(rgba(0,0,0,0) 50%, rgba(0,0,0,0.2) 50%)"></div>`, 100],
    ['two faint curtains that add up', `${GAME}${`<div style="${HALF}; background: rgba(0,0,0,0.4)"></div>`.repeat(2)}`, 50],
    ['faint boxes over each other that fade together', `${GAME}<div style="opacity: 0.4; ${FULL}; ${DARK}"><div style="${HALF}; ${DARK}">on</div><img style="${HALF}" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"></div>`, 100],
    ['faint boxes over each other that fade one by one', `${GAME}<div style="opacity: 0.4; ${HALF}; ${DARK}"></div><div style="opacity: 0.4; ${FULL}; ${DARK}"></div>`, 50],
    ['a faint box in a faint group', `${GAME}<div style="opacity: 0.4; ${HALF}; ${DARK}"><div style="opacity: 0.9; ${FULL}; ${DARK}"></div></div>`, 100],
    ['a faint dialog on its faint backdrop', `${sheet('dialog::backdrop { background: rgba(0, 0, 0, 0.4) }')}${GAME}<dialog id="d" style="${HALF}; opacity: 0.4; outline: 0; margin: 0; padding: 0; border: 0; ${DARK}"></dialog>${script("document.getElementById('d').showModal()")}`, 50],
    ['a faint group on the shadow of a part of it', `${GAME}<div style="filter: drop-shadow(0 400px #000)"><div style="opacity: 0.4"><div style="${HALF}; ${DARK}"></div><div style="${HALF}; top: -400px; ${DARK}"></div></div></div>`, 50],
    ['a blend that stays within its own layer', `${GAME}<div style="${HALF}; ${DARK}; isolation: isolate"><div style="width: 200px; height: 300px; background: #f00; mix-blend-mode: multiply"></div></div>`, 50],
    ['a panel with a drawing and a turned card on it', `${GAME}<div style="${HALF}; ${DARK}"><svg style="${HALF}"><circle cx="180" cy="150" r="9"/></svg><p style="transform: perspective(90px) rotateX(9deg); background: #fff">on</p></div>`, 50],
    ['a panel over a drawing', `${GAME}<svg style="${HALF}"><circle cx="180" cy="150" r="9"/></svg><div style="${HALF}; ${DARK}"></div>`, 50],
    ['words of the page below a game that has a clear layer over it', `<p style="margin: 130px 0 0; width: 400px; font: bold 40px/40px monospace">LOADING LOADING</p>${GAME}<div style="${FULL}; pointer-events: none"></div>`, 100],
    ['words around a game that has a clear layer over it', `<div style="padding-top: 130px; width: 400px; font: bold 40px/40px monospace">LOADING LOADING${GAME}</div><div style="${FULL}; pointer-events: none"></div>`, 100],
    ['an icon of a font', `${sheet(`i::before { content: 'X'; font: bold 40px/40px monospace }`)}${GAME}<i style="position: absolute; left: 160px; top: 130px; width: 40px; height: 40px"></i>`, 50],
    ['a div in one of little opacity', `${GAME}<div style="opacity: 0.3"><div style="${HALF}; ${DARK}"></div></div>`, 100],
    ['the border of an empty frame', `${GAME}<div style="position: absolute; left: 0; top: 0; border-left: 200px solid; height: 300px"></div>`, 50],
    ['the one side of a border that has a colour', `${GAME}<div style="position: absolute; left: 0; top: 0; border: 0 solid transparent; border-left: 200px solid #000; height: 300px"></div>`, 50],
    ['an empty box with transparent borders', `${GAME}<div style="position: absolute; left: 160px; top: 130px; border: 20px solid transparent"></div>`, 100],
    ['the rows of a table', `${GAME}<table style="position: absolute; left: 0; top: 0; width: 400px; height: 300px; border-spacing: 0"><tr style="height: 150px; ${DARK}"><td></td></tr><tr><td></td></tr></table>`, 50],
    ['a column of a table', `${GAME}<table style="position: absolute; left: 0; top: 0; width: 400px; height: 300px; border-spacing: 0"><col style="width: 200px; ${DARK}"><tr><td></td><td></td></tr></table>`, 50],
    ['a frame around the ad', `${GAME}<div style="position: absolute; left: 100px; top: 100px; width: 200px; height: 100px; border: 9px solid"></div>`, 100],
    ['an outline', `${GAME}<div style="position: absolute; left: 120px; top: 0; width: 40px; height: 300px; outline: 40px solid"></div>`, 50],
    ['the spotlight of a tutorial', `${GAME}<div style="position: absolute; left: 200px; top: 100px; width: 90px; height: 90px; box-shadow: 0 0 0 9999px rgba(0,0,0,0.7)"></div>`, 50],
    ['words in a box turned by an eighth', `${GAME}<div style="position: absolute; left: 171.716px; top: 121.716px; width: 56.568px; height: 56.568px; transform: rotate(45deg); background: rgba(34, 51, 68, 0.9); font: 20px/20px monospace">WOR<br>WOR</div>`, 25],
    ['a box turned by an eighth', cover('left: 171.716px; top: 121.716px; width: 56.568px; height: 56.568px; transform: rotate(45deg)'), 25],
    ['a box made larger in space, which stays in its plane', cover('left: 180px; top: 130px; width: 20px; height: 40px; transform: perspective(400px) scale3d(2, 1, 3) rotate3d(0, 0, 1, 180deg)'), 50],
    ['a box cut farther out than it paints', cover('left: 160px; top: 130px; width: 40px; height: 40px; clip-path: inset(-20px)'), 50],
    ['a bar that hardly reaches into the game', `<div style="position: absolute; left: 0; top: 0; width: 400px; height: 140px; overflow: hidden">${GAME}</div><div style="position: absolute; left: 0; top: 134px; width: 400px; height: 200px; ${DARK}"></div>`, 10],
    ['a list of points beside the ad', `${GAME}<ul style="position: absolute; left: 60px; top: 130px; width: 100px; height: 40px; margin: 0; box-sizing: border-box; color: #fff; ${DARK}"><li>on</li></ul>`, 100],
    ['the room beside the words of a point in a list', `${GAME}<ul style="position: absolute; left: 100px; top: 130px; width: 300px; margin: 0; padding: 0; font: 40px/40px monospace"><li>X</li></ul>`, 100],
    ['the room beside the words of a point in a list from right to left', `${GAME}<ul dir="rtl" style="position: absolute; left: 0; top: 130px; width: 300px; margin: 0; padding: 0; font: 40px/40px monospace"><li>X</li></ul>`, 100],
    ['a skewed box', cover('left: 180px; top: 130px; width: 40px; height: 40px; transform: skewX(45deg)'), 50],
    ['a ribbon that comes from beyond the window', cover('left: -200px; top: 745px; width: 2000px; height: 10px; rotate: 45deg'), 82.3],
    ['the borders of a turned frame', cover('background: none; left: 111.716px; top: 61.716px; width: 56.568px; height: 56.568px; border: 60px solid #000; box-sizing: content-box; transform: rotate(45deg)'), 75],
    ['a pseudo-element of a turned box', `${sheet(`#p { position: absolute; left: 200px; top: 150px; width: 0; height: 0; rotate: 45deg } #p::after { content: ''; position: absolute; left: -28.284px; top: -28.284px; width: 56.568px; height: 56.568px; ${DARK} }`)}${GAME}<div id="p"></div>`, 25],
    ['the spotlight of a tutorial in a panel that is not shown', `${GAME}<div style="display: none"><div style="box-shadow: 0 0 0 9999px #000"></div></div><details style="position: absolute; top: 400px"><p style="box-shadow: 0 0 0 9999px #000"></p></details>`, 100],
    ['the shadow of a turned box', cover('left: 371.716px; top: 121.716px; width: 56.568px; height: 56.568px; transform: rotate(45deg); filter: drop-shadow(-141.421px 141.421px #000)'), 25],
    ['the shadow of a shadow', cover('left: 40px; top: 130px; width: 60px; height: 40px; filter: drop-shadow(60px 0 #000) drop-shadow(40px 0 #000)'), 50],
    ['a faint shadow that follows the shape', cover('left: 100px; top: 130px; width: 60px; height: 40px; filter: drop-shadow(40px 0 rgba(0, 0, 0, 0.3))'), 100],
    ['a shadow that follows the shape', cover('left: 100px; top: 130px; width: 60px; height: 40px; filter: drop-shadow(40px 0 #000)'), 50],
    ['the shadow of the game with its panels', `<div style="filter: drop-shadow(40px 0 #000)">${GAME}<div style="position: absolute; left: 100px; top: 130px; width: 60px; height: 40px; ${DARK}"></div></div>`, 100],
    ['a curtain whose faint colour is given in another way', `${GAME}<div style="${HALF}; background: oklch(0.2 0 0 / 0.1)"></div>`, 100],
    ['shadow on all but a masked part of a drawing, of which nobody knows what it leaves', `${GAME}${SVG}<mask id="m"><rect width="400" height="300" fill="#fff"/><rect x="160" y="130" width="80" height="40" fill="#000"/></mask><rect width="400" height="300" mask="url(#m)"/></svg>`, 0],
    ['a dark rim within', `${GAME}<div style="position: absolute; inset: 0 auto auto 0; width: 400px; height: 300px; box-shadow: inset 200px 0 #000"></div>`, 50],
    ['a dark rim within a border', cover('background: none; left: 140px; top: 110px; width: 80px; height: 40px; border: 20px solid transparent; box-shadow: inset 40px 0 #000'), 50],
    ['the soft shadow below a panel, too faint at its edge', cover('left: 0; top: 70px; width: 400px; height: 60px; box-shadow: 0 10px 30px rgba(0, 0, 0, 0.6)'), 100],
    ['the soft shadow below a panel, strong at its edge', cover('left: 0; top: 70px; width: 400px; height: 60px; box-shadow: 0 20px 40px rgba(0, 0, 0, 0.8)'), 66],
    ['the corner of a rim with a soft edge that is not opaque', cover('background: none; left: 160px; top: 130px; width: 400px; height: 300px; box-shadow: inset 0 0 100px rgba(0, 0, 0, 0.7)'), 98.4],
    ['the corner of a dark rim with a soft edge', cover('background: none; left: 160px; top: 130px; width: 400px; height: 300px; box-shadow: inset 0 0 200px #000'), 0],
    ['the corner of a wide dark rim with a soft edge', cover('background: none; left: 120px; top: 90px; width: 400px; height: 300px; box-shadow: inset 0 0 100px 40px #000'), 48.3],
    ['the faint soft shadow that follows a panel with round corners', cover('left: 100px; top: 66px; width: 200px; height: 56px; border: 2px solid #fff; border-radius: 12px; filter: drop-shadow(0 4px 30px rgba(0, 0, 0, 0.3))'), 100],
    ['a low box, rather dark from all its soft edges', cover('background: none; left: 0; top: 130px; width: 400px; height: 40px; box-shadow: inset 0 0 100px rgba(0, 0, 0, 0.85)'), 0],
    ['a low box, dark from all its soft edges', cover('background: none; left: 0; top: 130px; width: 400px; height: 40px; box-shadow: inset 0 0 100px #000'), 0],
    ['a pseudo-element', `${sheet(`#p::after { content: ''; ${HALF}; ${DARK} }`)}${GAME}<div id="p"></div>`, 50],
    ['a pseudo-element of the element the game is in', `${sheet(`#game::before { content: ''; ${HALF}; z-index: 1; ${DARK} }`)}${GAME}`, 50],
    ['a pseudo-element of a page shown smaller', `${sheet(`#game::before { content: ''; ${HALF}; z-index: 1; ${DARK} }`)}<div style="transform: scale(0.5); transform-origin: 0 0">${GAME}</div>`, 50],
    ['a pseudo-element below the canvas', `${sheet(`#game { ${DARK} } #game::before { content: ''; ${HALF}; z-index: -1; ${DARK} }`)}${GAME}`, 100],
    ['a pseudo-element of the page', `${sheet(`body::after { content: ''; ${HALF}; z-index: 1; ${DARK} }`)}${GAME}`, 50],
    ['a pseudo-element of the root', `${sheet(`html::after { content: ''; ${HALF}; z-index: 1; ${DARK} }`)}${GAME}`, 50],
    ['a pseudo-element that is moved by its own size', `${sheet(`#p::after { content: ''; position: absolute; left: 100px; top: 50%; width: 200px; height: 300px; transform: translate(-50%, -50%); ${DARK} }`)}${GAME}<div id="p" style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"></div>`, 50],
    ['a pseudo-element that is moved, turned and widened by properties of their own', `${sheet(`#p::after { content: ''; position: absolute; left: 0; top: 140px; width: 20px; height: 200px; translate: 100% 0; rotate: 90deg; scale: 15 1; transform: translate(-5px, -50px); ${DARK} }`)}${GAME}<div id="p"></div>`, 75],
    ['a pseudo-element that has shrunk to nothing', `${sheet(`#p::after { content: ''; ${HALF}; ${DARK}; transform: scale(0) }`)}${GAME}<div id="p" style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"></div>`, 100],
    ['a pseudo-element with padding', `${sheet(`#p::after { content: ''; ${HALF}; width: 150px; padding: 0 25px; ${DARK} }`)}${GAME}<div id="p"></div>`, 50],
    ...ENLARGED,
    ['a pseudo-element of what a transform enlarges and has no size', `${sheet(`#p::before { content: ''; position: absolute; left: 0; top: 0; width: 100px; height: 150px; ${DARK} }`)}${GAME}<div id="p" style="position: absolute; left: 0; top: 0; width: 0; height: 0; transform: scale(2); transform-origin: 0 0"></div>`, 50],
    ['a pseudo-element of what is hidden', `${sheet(`#p { visibility: hidden } #p::after { content: ''; visibility: visible; ${HALF}; ${DARK} }`)}${GAME}<div id="p"></div>`, 50],
    ['the arrow on a button', `${sheet(`#p::after { content: ''; display: inline-block; margin-left: 8px; border: 4px solid transparent; border-top-color: #fff }`)}${GAME}<button id="p" style="position: absolute; left: 160px; top: 130px; width: 40px; height: 40px; border: 0; padding: 0; ${DARK}">on</button>`, 50],
    ['a turned arrow at the end of a row', `${sheet(`#p::after { content: ''; margin-left: auto; width: 20px; height: 20px; transform: rotate(-180deg); background: ${DARK_PICTURE} }`)}${GAME}<div id="p" style="${HALF}; display: flex; ${DARK}"></div>`, 50],
    ['an icon of a font that turns', `${sheet(`i::before { content: 'X'; display: inline-block; font: bold 40px/40px monospace; rotate: 180deg }`)}${GAME}<i style="position: absolute; left: 160px; top: 130px; width: 40px; height: 40px"></i>`, 50],
    ['words of a pseudo-element on a plate', `${sheet(`#p::after { content: 'WAIT'; ${HALF}; ${DARK} }`)}${GAME}<div id="p"></div>`, 50],
    ['the background of what the canvas lies below', around(`width: 400px; height: 300px; ${DARK}`).replace('id="game" style="', 'id="game" style="z-index: -1; '), 0],
    ['the backdrop of a dialog', `${sheet('dialog::backdrop { background: rgba(0,0,0,0.8) }')}${GAME}<dialog id="d" style="top: 400px">x</dialog>${script("document.getElementById('d').showModal()")}`, 0],
    ['the backdrop of a dialog in a shadow root', `${GAME}<div id="h"></div>${script(`const r = document.getElementById('h').attachShadow({ mode: 'open' }); r.innerHTML = '<style>dialog::backdrop { background: rgba(0,0,0,0.8) }</style><dialog style=&quot;top: 400px&quot;>x</dialog>'; r.querySelector('dialog').showModal()`)}`, 0],
    ['the blurring backdrop of a dialog, of which nobody knows what it leaves', `${sheet('dialog::backdrop { background: none; backdrop-filter: blur(20px) }')}${GAME}<dialog id="d" style="top: 400px">x</dialog>${script("document.getElementById('d').showModal()")}`, 0],
    ['a backdrop that is not shown', `${sheet('dialog::backdrop { background: #000; display: none }')}${GAME}<dialog id="d" style="top: 400px">x</dialog>${script("document.getElementById('d').showModal()")}`, 100],
    ['a backdrop with a round hole', `${sheet('dialog::backdrop { background: radial-gradient(circle at 200px 150px, transparent 20px, rgba(0, 0, 0, 0.8) 20px) }')}${GAME}<dialog id="d" style="top: 400px">x</dialog>${script("document.getElementById('d').showModal()")}`, 39.3],
    ['a backdrop that fills half of the page', `${sheet('dialog::backdrop { background: #000; inset: 0 400px 0 0 }')}${GAME}<dialog id="d" style="top: 400px">x</dialog>${script("document.getElementById('d').showModal()")}`, 50],
    ['a backdrop that is moved', `${sheet('dialog::backdrop { background: #000; transform: translateX(200px) }')}${GAME}<dialog id="d" style="top: 400px">x</dialog>${script("document.getElementById('d').showModal()")}`, 50],
    ['the backdrop of a dialog that is still clear', `${sheet('dialog::backdrop { background: #000 }')}${GAME}<dialog id="d" style="top: 400px; opacity: 0">x</dialog>${script("document.getElementById('d').showModal()")}`, 0],
    ['the backdrop of a dialog that a shape cuts', `${sheet('dialog::backdrop { background: #000 }')}${GAME}<dialog id="d" style="top: 400px; clip-path: inset(50%)">x</dialog>${script("document.getElementById('d').showModal()")}`, 0],
    ['a dialog in what is nearly transparent', `${sheet('dialog::backdrop { display: none }')}${GAME}<div style="opacity: 0.2"><dialog id="d" style="${HALF}; outline: 0; margin: 0; padding: 0; border: 0; max-width: none; ${DARK}"></dialog></div>${script("document.getElementById('d').showModal()")}`, 50],
    ['a popover in a box that cuts', `${GAME}<div style="position: absolute; top: 400px; width: 9px; height: 9px; overflow: hidden; transform: translate(0); clip-path: inset(0)"><div popover id="d" style="${HALF}; margin: 0; padding: 0; border: 0; ${DARK}"></div></div>${script("document.getElementById('d').showPopover()")}`, 50],
    ['a popover', `${GAME}<div popover id="d" style="${HALF}; margin: 0; padding: 0; border: 0; ${DARK}"></div>${script("document.getElementById('d').showPopover()")}`, 50],
    ['a pane with a filter that lets all through', `${GAME}<div style="filter: opacity(0)"><div style="${HALF}; ${DARK}"></div></div>`, 100],
    ['a pane that is multiplied, of which nobody knows what it leaves', `${GAME}<div style="${HALF}; background: #fff; mix-blend-mode: multiply"></div>`, 50],
    ['a masked pane, of which nobody knows what it leaves', `${GAME}<div style="${HALF}; ${DARK}; mask-image: linear-gradient(#000, transparent)"></div>`, 50],
    ['words nobody sees', `${GAME}<div style="position: absolute; left: 150px; top: 130px; font: 60px monospace; color: transparent">HELLO</div>`, 100],
    ['a film that is not there yet', `${GAME}<video style="${HALF}"></video>`, 100],
    ['a clear field that nobody has written into', `${GAME}<input style="${HALF}; background: none; border: 0">`, 100],
    ['a field of the browser, with nothing in it', `${GAME}<textarea style="${HALF}; margin: 0; box-sizing: border-box"></textarea>`, 50],
    ['a clear field with words in it', `${GAME}<textarea style="${HALF}; margin: 0; padding: 0; background: none; border: 0">WAIT</textarea>`, 50],
    ['what goes beyond a box that cuts a little farther out', `${GAME}<div style="position: absolute; left: 0; top: 0; width: 150px; height: 300px; overflow: clip; overflow-clip-margin: 50px"><div style="width: 400px; height: 300px; ${DARK}"></div></div>`, 50],
    ['a style sheet that the page shows', `${GAME}<style style="display: block; ${HALF}; ${DARK}">p { color: red }</style>`, 50],
    ['a canvas without pixels', `${GAME}<canvas width="0" height="0" style="${HALF}"></canvas>`, 100],
    ['a picture without an address', `${GAME}<img style="${HALF}" alt="">`, 100],
    ['the plate of a picture that is not there', `${GAME}<img style="${HALF}; ${DARK}" alt="" src="data:,">`, 50],
    ['a picture in a box that is too wide for it', `${GAME}<img style="position: absolute; left: 0; top: 130px; width: 400px; height: 40px; object-fit: contain; object-position: 40%" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='20' height='20'%3E%3Crect width='20' height='20'/%3E%3C/svg%3E">`, 70],
    ['a picture in a box that is too high for it', `${GAME}<img style="position: absolute; left: 160px; top: 0; width: 80px; height: 300px; object-fit: contain; object-position: 0 40%" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='20' height='20'%3E%3Crect width='20' height='20'/%3E%3C/svg%3E">`, 5],
    ['a picture at a place of its box', `${GAME}<img style="${FULL}; object-fit: none; object-position: right 200px top 130px" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='40'%3E%3Crect width='40' height='40'/%3E%3C/svg%3E">`, 50],
    ['a picture in a wide rim', `${GAME}<img style="position: absolute; left: 0; top: 0; width: 20px; height: 40px; padding: 130px 160px" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='40'%3E%3Crect width='40' height='40'/%3E%3C/svg%3E">`, 75],
    ['a frame with nothing in it', `${GAME}<iframe style="${HALF}; border: 0"></iframe>`, 100],
    ['a frame with a plate', `${GAME}<iframe style="${HALF}; border: 0; ${DARK}"></iframe>`, 50],
    ['a frame with nothing in it, of another colour scheme than its page', `${GAME}<iframe style="${HALF}; border: 0; color-scheme: dark"></iframe>`, 50],
    ['a frame that its page fills', `${GAME}<iframe srcdoc="<body bgcolor=black>" style="${HALF}; border: 0"></iframe>`, 50],
    ['a box to tick, drawn by the page alone', `${GAME}<input type="checkbox" style="${HALF}; margin: 0; appearance: none">`, 100],
    ['a clear button without words', `${GAME}<input type="button" style="${HALF}; background: none; border: 0">`, 100],
    ['a clear button to send, without words', `${GAME}<input type="submit" value="" style="${HALF}; background: none; border: 0">`, 100],
    ['a plate that is broken into two lines', `${GAME}<div style="position: absolute; left: 160px; top: 130px; width: 80px; font-size: 0; line-height: 20px"><span style="${DARK}; padding: 10px 0"><i style="display: inline-block; width: 80px; height: 10px"></i> <i style="display: inline-block; width: 30px; height: 10px"></i></span></div>`, 31.25],
    ['a plate that is broken into two columns', `${GAME}<div style="${FULL}; columns: 2; column-gap: 40px; column-fill: auto"><p style="margin: 0; height: 600px; ${DARK}"></p></div>`, 50],
    ['what stands in for a plug-in', `${GAME}<object style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"><div style="width: 200px; height: 300px; ${DARK}"></div></object>`, 50],
    ['a round button', cover('left: 170px; top: 130px; width: 40px; height: 40px; border-radius: 50%'), 60.7],
    ['a round button in a turned box', cover('left: 160px; top: 130px; width: 80px; height: 40px; border-radius: 20px; transform: rotate(30deg)'), 27],
    ['a pill', cover('left: 160px; top: 140px; width: 60px; height: 20px; border-radius: 99px'), 65.2],
    ['the ring of a joystick', cover('background: none; left: 170px; top: 130px; width: 32px; height: 32px; border: 4px solid #fff; border-radius: 50%'), 85.9],
    ['the turning part of a ring that shows loading', cover('background: none; left: 180px; top: 130px; width: 0; height: 0; border: 20px solid transparent; border-top-color: #fff; border-radius: 50%'), 90.2],
    ['a ring that shows loading, with a part left out', cover('background: none; left: 180px; top: 130px; width: 40px; height: 40px; border: 8px solid #fff; border-right-color: transparent; border-radius: 50%; box-sizing: border-box'), 81.2],
    ['a round outline', cover('background: none; left: 170px; top: 130px; width: 40px; height: 40px; border-radius: 50%; outline: 6px solid'), 81.4],
    ['the round spotlight of a tutorial', cover('background: none; left: 170px; top: 130px; width: 40px; height: 40px; border-radius: 50%; box-shadow: 0 0 0 9999px rgba(0, 0, 0, 0.7)'), 39.3],
    ['the shadow that a round box moved away', cover('background: none; left: 150px; top: 130px; width: 40px; height: 40px; border-radius: 50%; box-shadow: 20px 0 #000'), 76.1],
    ['the wide shadow of a box with small corners', cover('background: none; left: 100px; top: 30px; width: 100px; height: 100px; border-radius: 4px; box-shadow: 0 0 0 40px #000'), 1.5],
    ['a round pseudo-element', `${sheet(`#p::after { content: ''; position: absolute; left: 170px; top: 130px; width: 40px; height: 40px; border-radius: 50%; ${DARK} }`)}${GAME}<div id="p"></div>`, 60.7],
    ['a picture in a round frame', `${GAME}<div style="position: absolute; left: 166px; top: 126px; width: 40px; height: 40px; border: 4px solid transparent; border-radius: 50%; overflow: hidden"><div style="height: 40px; ${DARK}"></div></div>`, 60.7],
    ['a background within its border and padding', cover('left: 100px; top: 0; width: 80px; height: 300px; border: solid transparent; border-width: 0 20px; padding: 0 50px; background-clip: content-box'), 12.5],
    ['a box cut by a path, of which nobody knows what it leaves', cover(`left: 160px; top: 130px; width: 80px; height: 40px; clip-path: path(&quot;M0 0 L80 40 L0 40 Z&quot;)`), 0],
    ['the lines between columns, of which nobody knows how many there are', `${GAME}<div style="${HALF}; columns: 2; column-gap: 60px; column-rule: 60px solid #234"><p style="height: 300px">x</p><p style="height: 300px">x</p></div>`, 50],
    ['what an open shadow root holds', `${GAME}<div id="h"></div>${script(`document.getElementById('h').attachShadow({ mode: 'open' }).innerHTML = '<p style=&quot;${HALF}; margin: 0; ${DARK}&quot;></p>'`)}`, 50],
    ...IN_SHADOW,
    ['what lies below a game that lets clicks through, and may not be told otherwise', `${sheet('canvas { pointer-events: none !important } #game canvas { pointer-events: none !important }')}<div style="${HALF}; ${DARK}"></div>${GAME}`, 100],
    ['what a closed shadow root holds, of which nobody knows what it is', `${GAME}<div id="h"></div>${closedRoot}`, 50],
    ['an own element with a closed shadow root, of which nobody knows what it is', `${GAME}<x-menu id="h" style="${HALF}"></x-menu>${closedRoot}`, 50],
    ['a closed shadow root elsewhere', `${GAME}<div id="h" style="position: absolute; top: 300px"></div>${closedRoot}`, 100],
    ['an empty div for menus to come', `${GAME}<div style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"></div>`, 100],
    ['the curtain of a menu, which what cuts the menu does not cut', `${sheet(`#p::after { content: ''; position: fixed; inset: 0; ${DARK} }`)}${GAME}<div style="position: absolute; top: 320px; height: 50px; overflow: hidden"><p id="p">Menu</p></div>`, 0],
    ['a curtain on a page that is scrolled, and holds what is positioned', `${sheet(`html { position: relative; height: 2000px } #p::before { content: ''; position: absolute; left: 0; top: 300px; width: 200px; height: 300px; z-index: 1; ${DARK} }`)}${GAME.replace('absolute', 'fixed')}<p id="p"></p>${script('window.scrollTo(0, 300)')}`, 50],
    ...['will-change: transform', 'contain: layout', 'content-visibility: auto', 'perspective: 900px', 'filter: brightness(1)'].map(
      (how): [string, string, number] => [`a pseudo-element in a box with ${how}`, `${sheet(`#p::before { content: ''; position: absolute; inset: 0; z-index: 1; ${DARK} }`)}${GAME}<div id="p" style="margin: 130px 0 0 200px; width: 40px; height: 40px; ${how}"></div>`, 50],
    ),
    ['a game in a box that keeps what it holds in space, and is cut', `<div style="width: 200px; height: 300px; overflow: hidden"><div style="transform-style: preserve-3d">${GAME.replace('absolute', 'fixed')}</div></div>`, 50],
    ['a panel out of words that will be moved, which hold nothing', `${GAME}<div style="height: 0; overflow: hidden"><span style="will-change: transform"><i style="${HALF.replace('absolute', 'fixed')}; ${DARK}"></i></span></div>`, 50],
    ['the ring of browsers around a game that has the focus', `${GAME.replace('<div', '<div tabindex="0"')}${script("document.getElementById('game').focus({ focusVisible: true })")}`, 100],
    ['half of a row whose items are in what is no box', `${GAME}<div style="position: absolute; left: 0; top: 0; width: 400px; height: 300px; display: flex"><div style="display: contents"><div style="flex: 1; ${DARK}"></div><div style="flex: 1"></div></div></div>`, 50],
    ['what a filter shows as it is', cover(`left: 160px; top: 130px; width: 40px; height: 40px; filter: blur(0px) brightness(1) saturate(100%) grayscale(0)`), 50],
    ['a box replaced by a gradient', `${GAME}<div style="${HALF}; content: linear-gradient(#000, #000)"></div>`, 50],
    ['a blurring pane, of which nobody knows what it leaves', `${GAME}<div style="${HALF}; backdrop-filter: blur(20px)"></div>`, 50],
    ['a picture on a dark plate', `${GAME}<div style="${HALF}; background: url(missing.png) #223344"></div>`, 50],
    ['a gradient that comes after a picture that is none', `${GAME}<div style="${FULL}; background: none, linear-gradient(90deg, #000 50%, transparent 50%)"></div>`, 50],
    ['a gradient as large as its box, as said', `${GAME}<div style="${FULL}; background: linear-gradient(90deg, #000 50%, transparent 50%); background-size: 100% 100%"></div>`, 50],
    ['a picture in a box without height', `${GAME}<div style="${FULL}; height: 0; background: url(missing.png)"></div>`, 100],
    ['what two boxes beside each other cut to nothing', `${GAME}<div style="position: absolute; left: 0; top: 0; width: 100px; height: 300px; overflow: hidden"><div style="position: absolute; left: 300px; width: 100px; height: 300px; overflow: hidden"><div style="${FULL}; left: -300px; ${DARK}"></div></div></div>`, 100],
    ['what only screen readers find, as pages once hid it', cover('left: 160px; top: 130px; width: 80px; height: 40px; clip: rect(0, 0, 0, 0)'), 100],
    ['a panel that is hidden, but for a part of it', `${sheet(`#p { visibility: hidden } #p::after { content: ''; visibility: visible; position: absolute; left: 160px; top: 130px; width: 20px; height: 40px; ${DARK} }`)}${GAME}<div id="p" style="${HALF}; ${DARK}"></div>`, 75],
    ['a panel shrunk to nothing', cover('left: 160px; top: 130px; width: 80px; height: 40px; transform: scale(0)'), 100],
    ['a pseudo-element of what is no box, within what that is in', `${sheet(`#p { display: contents; position: relative } #p::before { content: ''; position: absolute; left: 50%; top: 0; width: 50%; height: 100%; ${DARK} }`)}${GAME}<div style="${FULL}; left: 10px"><div id="p"></div></div>`, 62.5],
    ['a pseudo-element that is as large as said, with its rim', `${sheet(`#p::after { content: ''; box-sizing: border-box; position: absolute; left: 160px; top: 130px; width: 40px; height: 40px; padding: 10px; border: 5px solid #000; ${DARK} }`)}${GAME}<div id="p"></div>`, 50],
    ['a film with a poster', `${GAME}<video poster="${DARK_PICTURE.slice(4, -1)}" style="${HALF}; object-fit: fill"></video>`, 50],
    ['a film with controls', `${GAME}<video controls style="${HALF}"></video>`, 50],
    ['a clear field that says what to write', `${GAME}<input placeholder="WAIT" style="${HALF}; background: none; border: 0; padding: 0">`, 50],
    ['a frame in a table whose cells share borders', `${GAME}<table style="position: absolute; left: 100px; top: 100px; border-collapse: collapse"><tr><td style="padding: 0"><div style="border: 20px solid #000; width: 40px; height: 60px"></div></table>`, 75],
    ['a faint group with clear and dark parts on a faint curtain', `${GAME}<div style="opacity: 0.4"><div style="${FULL}; background: rgba(0, 0, 0, 0.2)"></div><div style="${FULL}; ${DARK}"></div></div><div style="${FULL}; opacity: 0.4; ${DARK}"></div>`, 0],
    ['the shadow of a small drawing', `${GAME}<svg style="position: absolute; left: 0; top: 0; width: 9px; height: 9px; box-shadow: 0 0 0 999px #000"></svg>`, 0],
    ['a fixed pseudo-element on a page that is scrolled', `${sheet(`html { height: 2000px } #p::before { content: ''; position: fixed; left: 0; top: 0; width: 200px; height: 300px; z-index: 1; ${DARK} }`)}${GAME.replace('absolute', 'fixed')}<p id="p"></p>${script('window.scrollTo(0, 300)')}`, 50],
    ['a faint backdrop', `${sheet('dialog::backdrop { background: #000; opacity: 0.3 }')}${GAME}<dialog id="d" style="top: 400px">x</dialog>${script("document.getElementById('d').showModal()")}`, 100],
    ...['img src="data:,"', 'iframe', 'input type="range"', 'canvas'].map((tag): [string, string, number] => [`the backdrop of what paints a picture: ${tag}`, `${sheet('#d::backdrop { background: #000 }')}${GAME}<${tag} popover id="d" style="inset: 400px auto auto 0; width: 9px; height: 9px"></${tag}>${script("document.getElementById('d').showPopover()")}`, 0]),
  ])('%s', onOwnPage(async (page, what, html, share) => {
    await openNextGame(page, html);
    const { isUnmeasurable } = await expectShare(page, share);
    expect(isUnmeasurable).toBe(what.includes('nobody knows'));
  }));
});

test('what the page paints only once it comes near, is known when it does', async () => {
  const rules = `#x { top: 9000px; content-visibility: auto } #x::before { content: ''; position: absolute; inset: 0; ${DARK} }`;
  const box = '<div id="x" style="position: absolute; left: 200px; width: 200px; height: 300px"></div>';
  await openGame(page, `${sheet(rules)}${GAME}${box}`);
  await expectShare(page, 100);
  // A rule that scripts change is announced by nothing.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('contentvisibilityautostatechange', resolve, true);
        (document.styleSheets[0]!.cssRules[0] as CSSStyleRule).style.top = '0';
      }),
  );
  expect((await expectShare(page, 50)).isUnmeasurable).toBe(false);
});

/** Rows with what the player really sees. Drawings, shapes, tiles and the like are not followed, nor is the order of what no hit tells. */
describe('what is unmeasurable where it lies, and never said to be seen more than it is', () => {
  // prettier-ignore
  test.concurrent.each<[what: string, html: string, share: number]>([
    ['a drawing within the page', `${GAME}<svg style="${HALF}"><rect width="200" height="300"/></svg>`, 50],
    ['a gradient whose edge is turned', `${GAME}<div style="${FULL}; background: linear-gradient(45deg, #000 50%, transparent 50%)"></div>`, 50],
    ['a gradient whose edge goes from corner to corner', `${GAME}<div style="${FULL}; background: linear-gradient(to top right, #000 50%, transparent 50%)"></div>`, 50],
    ['a gradient of a size, at a place', `${GAME}<div style="${FULL}; background: linear-gradient(#000, #000) no-repeat 160px 130px / 20px 40px"></div>`, 75],
    ['a gradient of a size, from the other side', `${GAME}<div style="${FULL}; background: linear-gradient(#000, #000) no-repeat right 220px bottom 130px / 20px 40px"></div>`, 75],
    ['a gradient in every other place', `${GAME}<div style="${FULL}; background: linear-gradient(90deg, #000 50%, transparent 50%) 0 0 / 200px 100%"></div>`, 50],
    ['a picture in the background, of its own size', `${GAME}<div style="${FULL}; background: ${DARK_PICTURE} no-repeat 165px 135px"></div>`, 85],
    ['a row of pictures of their own size', `${GAME}<div style="${FULL}; background: ${DARK_PICTURE} repeat-x 0 135px"></div>`, 40],
    ['a picture as large as a box takes it whole', `${GAME}<div style="position: absolute; left: 160px; top: 130px; width: 80px; height: 24px; background: ${DARK_PICTURE} no-repeat center / contain"></div>`, 85],
    ['a picture in the background, as wide as said', `${GAME}<div style="${FULL}; background: ${DARK_PICTURE} no-repeat 165px 135px / 10px"></div>`, 96.25],
    ['a picture in the background that is not there', `${GAME}<div style="${FULL}; background: url(missing.png)"></div>`, 100],
    ['copies that are fitted into a box', `${GAME}<div style="${FULL}; background: linear-gradient(90deg, #000 50%, transparent 0) 0 0 / 110px 300px round"></div>`, 50],
    ['copies with room between them', `${GAME}<div style="${FULL}; background: linear-gradient(#000, #000) 0 0 / 150px 300px space"></div>`, 100],
    ['a pattern of dots with smooth edges', `${GAME}<div style="${FULL}; background: radial-gradient(circle, #000 12px, transparent 13px) 0 0 / 40px 40px"></div>`, 69.8],
    ['a pattern of squares', `${GAME}<div style="${FULL}; background: repeating-conic-gradient(#000 0 25%, transparent 0 50%) 0 0 / 40px 40px"></div>`, 50],
    ['a gradient around a point', `${GAME}<div style="${FULL}; background: conic-gradient(from 90deg, #000 25%, transparent 25% 75%, #000 0)"></div>`, 50],
    ['a gradient above a picture of a size', `${GAME}<div style="${FULL}; background: linear-gradient(90deg, #000 170px, transparent 170px), url(&quot;data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect transform='scale(9, 9)' width='99' height='99'/%3E%3C/svg%3E&quot;) no-repeat 200px 130px / 10px 40px"></div>`, 75],
    ['strong scan lines', `${GAME}<div style="${FULL}; background: repeating-linear-gradient(0deg, rgba(0, 0, 0, 0.9) 0 1px, transparent 1px 4px)"></div>`, 75],
    ['a grid of lines', `${GAME}<div style="${FULL}; background: linear-gradient(#000 1px, transparent 1px) 0 0 / 20px 20px"></div>`, 95],
    ['stripes that are turned', `${GAME}<div style="${FULL}; background: repeating-linear-gradient(45deg, #000 0 10px, transparent 10px 20px)"></div>`, 50],
    ['the spotlight of a tutorial beside the game', cover('left: 420px; top: 0; width: 90px; height: 90px; box-shadow: 0 0 0 9999px rgba(0,0,0,0.7)'), 0],
    ['the outline of what lies beside the game', cover('left: 420px; top: 0; width: 20px; height: 300px; outline: 220px solid'), 50],
    ['the shadow of what lies beside and below the game', cover('left: 420px; top: 0; width: 90px; height: 90px; z-index: -1; box-shadow: 0 0 0 9999px #000'), 100],
    ['the shadow of what lies beyond the window, as icons are coloured', cover('left: 800px; top: 0; width: 200px; height: 300px; filter: drop-shadow(-800px 0 #000)'), 50],
    ['the shadow of a list that scrolls', `${GAME}<div style="filter: drop-shadow(-420px 0 #000)"><div style="position: absolute; left: 420px; top: 0; width: 200px; height: 150px; overflow: hidden"><div style="height: 900px; ${DARK}"></div></div></div>`, 75],
    ['a reflection', cover('left: 0; top: 50px; width: 200px; height: 70px; -webkit-box-reflect: below 5px'), 50],
    ['a picture along a transparent border', cover('left: 0; top: 0; width: 200px; height: 300px; box-sizing: border-box; background: none; border: 100px solid transparent; border-image: linear-gradient(#000, #000) 1'), 50],
    ['a picture along a border and beyond it', cover('left: 100px; top: 0; width: 38px; height: 300px; background: none; border: 1px solid; border-image: linear-gradient(#000, #000) 1 / 60px / 60px'), 50],
    ['the thick rim of a drawing shown larger', `${GAME}<svg viewBox="0 0 100 150" style="${HALF}"><rect x="-20" y="55" width="110" height="70" fill="none" stroke="#000" stroke-width="20"/></svg>`, 50],
    ['a drawing that goes beyond its box', `${GAME}<svg style="position: absolute; left: 0; top: 0; width: 9px; height: 9px; overflow: visible"><rect width="200" height="300"/></svg>`, 50],
    ['a drawing beside the game that goes beyond its box', `${GAME}<svg style="position: absolute; left: 420px; top: 0; width: 9px; height: 9px; overflow: visible"><path d="M-420 0h200v300h-200z"/></svg>`, 50],
    ['a drawn frame around the ad, which is a shape with a hole', `${GAME}${SVG}<path fill-rule="evenodd" d="M0 0H400V300H0Z M180 100v100h240V100z"/></svg>`, 75],
    ['a drawn frame with a hole that turns the other way', `${GAME}${SVG}<path d="M0 0h400v300h-400z M180 100v100h240v-100z"/></svg>`, 75],
    ['a shape with two holes in one another', `${GAME}${SVG}<path fill-rule="evenodd" d="M0 0h400v300h-400z M150 100h100v100h-100z M160 130h20v40h-20z"/></svg>`, 75],
    ['a round hole in a drawing', `${GAME}${SVG}<path fill-rule="evenodd" d="M0 0h400v300h-400z M140 150a60 60 0 1 0 120 0a60 60 0 1 0 -120 0z"/></svg>`, 100],
    ['a circle of a drawing', `${GAME}${SVG}<circle cx="200" cy="150" r="20"/></svg>`, 60.73125],
    ['an ellipse of a drawing shown larger', `${GAME}${SVG.replace('>', ' viewBox="0 0 40 30">')}<ellipse cx="20" cy="15" rx="4" ry="2"/></svg>`, 21.459374999999994],
    ['a triangle of a drawing', `${GAME}${SVG}<polygon points="160,130 240,130 160,170"/></svg>`, 50],
    ['a star of a drawing, which crosses itself', `${GAME}${SVG}<polygon points="200,90 235,198 143,131 257,131 165,198" fill-rule="evenodd"/></svg>`, 61.3],
    ['a turned square of a drawing', `${GAME}${SVG}<rect x="180" y="130" width="40" height="40" transform="rotate(45 200 150)"/></svg>`, 54.289041],
    ['a rectangle with round corners in a drawing', `${GAME}${SVG}<rect x="160" y="130" width="80" height="40" rx="20"/></svg>`, 10.729999999999997],
    ['a drawing within a drawing, which cuts it', `${GAME}${SVG}<svg x="160" y="130" width="20" height="40"><rect x="-99" y="-99" width="999" height="999"/></svg></svg>`, 75],
    ['a drawing within a drawing that shows it larger', `${GAME}${SVG}<svg x="160" y="130" width="40" height="40" viewBox="0 0 1 1"><rect width="1" height="1"/></svg></svg>`, 50],
    ['a drawing over all of the game, with little in it', `${GAME}<svg style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"><defs><rect width="400" height="300"/></defs><rect x="160" y="130" width="20" height="40"/><circle cx="200" cy="150" r="30" fill="none"/><g opacity="0.3"><rect width="400" height="300"/></g></svg>`, 75],
    ['a pseudo-element among the content', `${sheet(`#p::before { content: ''; display: block; width: 200px; height: 300px; ${DARK} }`)}${GAME}<div id="p" style="position: absolute; left: 0; top: 0"></div>`, 50],
    ['a small pseudo-element among the content, with an outline', `${sheet(`#p::before { content: ''; display: block; width: 20px; height: 20px; outline: 1px solid; ${DARK} }`)}${GAME}<div id="p" style="position: absolute; left: 190px; top: 140px; width: 20px"></div>`, 87.5],
    ['a pseudo-element at the end of a row', `${sheet(`#p::after { content: ''; margin-left: auto; width: 200px; ${DARK} }`)}${GAME}<div id="p" style="position: absolute; left: 0; top: 0; display: flex; width: 400px; height: 300px"></div>`, 50],
    ['a panel that does not react', `${GAME}<div inert style="${HALF}; ${DARK}"></div>`, 50],
    ['a panel before the game that does not react', `<div inert style="${HALF}; z-index: 1; ${DARK}"></div>${GAME}`, 50],
    ['a panel beside a dialog, which does not react', `${sheet('dialog::backdrop { display: none }')}${GAME}<div style="${HALF}; ${DARK}"></div><dialog id="d" style="top: 400px">x</dialog>${script("document.getElementById('d').showModal()")}`, 50],
    ['a panel within the game beside a dialog', `${sheet('dialog::backdrop { display: none }')}${GAME.replace('</div>', `<p style="${HALF}; margin: 0; ${DARK}"></p></div>`)}<dialog id="d" style="top: 400px">x</dialog>${script("document.getElementById('d').showModal()")}`, 50],
    ['panels below a game that does not react', `<div style="${HALF}; ${DARK}"></div>${GAME.replace('<div', '<div inert')}<div style="${HALF}; z-index: -1; ${DARK}"></div><div style="height: 300px; ${DARK}"></div>`, 100],
    ['a box cut to a circle', cover('left: 170px; top: 130px; width: 40px; height: 40px; clip-path: circle(50%)'), 60.7],
    ['a box cut to an ellipse that its sides give', cover('left: 160px; top: 130px; width: 80px; height: 40px; clip-path: ellipse()'), 21.5],
    ['a box cut to an arrow', cover('left: 160px; top: 130px; width: 80px; height: 40px; clip-path: polygon(0 0, 100% 50%, 0 100%, 50% 50%)'), 75],
    ['a box with corners cut round', cover('left: 160px; top: 130px; width: 80px; height: 40px; clip-path: inset(0 round 20px)'), 10.7],
    ['a box cut to nothing', cover('left: 160px; top: 130px; width: 80px; height: 40px; clip-path: circle(0)'), 100],
    ['what a box cut to a triangle holds', `${GAME}<div style="position: absolute; left: 160px; top: 130px; width: 80px; height: 40px; clip-path: polygon(0 0, 100% 100%, 0 100%)"><div style="width: 400px; height: 300px; ${DARK}"></div></div>`, 50],
    ['what a shape around it cuts off', `${GAME}<div style="position: absolute; left: 0; top: 0; width: 400px; height: 300px; clip-path: polygon(0 0, 100% 0, 100% 40%, 0 40%)"><div style="${HALF}; ${DARK}"></div></div>`, 100],
    ['what lets clicks through before the game, and may not be told otherwise', `<div style="${HALF}; z-index: 1; pointer-events: none !important; ${DARK}"></div>${GAME}`, 50],
    ['a box cut to a length and a share of it', cover('left: 160px; top: 130px; width: 80px; height: 40px; clip-path: inset(0 calc(50% - 10px) 0 0)'), 37.5],
    ['a box cut to a rectangle in it', cover('left: 160px; top: 130px; width: 80px; height: 40px; clip-path: xywh(20px 0 50% 100%)'), 50],
    ['a drawing of many small parts beside the ad', `${GAME}${SVG}${'<rect width="5" height="5"/><rect x="390" y="290" width="5" height="5"/>'.repeat(30)}</svg>`, 100],
    ['what a box that comes nearer in space cuts', `${GAME}<div style="position: absolute; left: 160px; top: 140px; width: 80px; height: 20px; overflow: hidden; transform: perspective(100px) translateZ(50px)"><div style="height: 300px; ${DARK}"></div></div>`, 0],
    ['a border of dashes', `${GAME}<div style="position: absolute; left: 160px; top: 0; height: 300px; border-left: 40px dashed #000"></div>`, 75],
    ['a border of two lines', `${GAME}<div style="position: absolute; left: 160px; top: 0; height: 300px; border-left: 60px double #000"></div>`, 50],
    ['an outline of dashes', `${GAME}<div style="position: absolute; left: 240px; top: 130px; width: 40px; height: 40px; outline: 40px dashed #000"></div>`, 80],
    ['the borders that cells of a table share', `${GAME}<table style="position: absolute; left: 140px; top: 0; border-collapse: collapse"><tr><td style="border: 40px solid #000; width: 60px; height: 300px; padding: 0"></table>`, 75],
    ['the border of a row of a table whose cells share theirs', `${GAME}<table style="position: absolute; left: 140px; top: 100px; border-collapse: collapse"><tr style="border-bottom: 40px solid #000"><td style="width: 120px; height: 30px; padding: 0"><tr><td style="height: 60px; padding: 0"></table>`, 0],
    ['a picture that is not there', `${GAME}<img style="${HALF}" alt="" src="data:,">`, 100],
    ['the bar of a progress', `${GAME}<progress value="0.5" style="position: absolute; left: 160px; top: 130px; width: 80px; height: 40px"></progress>`, 80],
    ['the bar of a measure', `${GAME}<meter value="0.5" style="position: absolute; left: 160px; top: 130px; width: 80px; height: 40px"></meter>`, 80],
    ['the bar of a slider', `${GAME}<input type="range" style="position: absolute; left: 160px; top: 130px; width: 80px; height: 40px; margin: 0">`, 85],
    ['a large box to tick', `${GAME}<input type="checkbox" style="${HALF}; margin: 0">`, 50],
    ['a turned box cut in halves', cover('left: 160px; top: 110px; width: 80px; height: 80px; transform: rotate(90deg); clip-path: inset(50% 0 0 0)'), 50],
    ['half of a div that a shape cuts', `${GAME}<div style="position: absolute; left: 0; top: 0; width: 400px; height: 300px; ${DARK}; clip-path: inset(0 50% 0 0)"></div>`, 50],
    ['a box with columns and clear lines between them', `${GAME}<div style="${HALF}; columns: 2; column-rule: 60px solid transparent"></div>`, 100],
    ['the picture of a point in a list, of which nobody knows its size', `${GAME}<ul style="position: absolute; left: 160px; top: 130px; width: 40px; margin: 0; padding: 0; list-style: inside url(&quot;data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='40' style='background: red'/%3E&quot;)"><li style="height: 40px"></li></ul>`, 50],
    ['the picture beside a point in a list, of which nobody knows its size', `${GAME}<ul style="position: absolute; left: 200px; top: 130px; width: 200px; margin: 0; padding: 0; list-style: url(&quot;data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='40' style='background: red'/%3E&quot;)"><li style="height: 40px"></li></ul>`, 50],
    ['a picture along a border that fills its inside', cover('left: 100px; top: 80px; width: 160px; height: 100px; background: none; border: 20px solid; border-image: linear-gradient(#000, #000) 1 fill'), 0],
    ['a picture along a border and into its box', `${GAME}<div style="position: absolute; left: 140px; top: 100px; width: 118px; height: 98px; border: 1px solid; border-image: linear-gradient(#000, #000) 1 / 60px"></div>`, 0],
    ['a picture along one border, so many times farther out', `${GAME}<div style="position: absolute; left: 100px; top: 0; width: 50px; height: 300px; border: 0 solid; border-right-width: 10px; border-image: linear-gradient(#000, #000) 1 / 60px / 6"></div>`, 25],
    ['a picture along a border and beyond it on one side', `${GAME}<div style="position: absolute; left: 100px; top: 0; width: 50px; height: 300px; border: 10px solid; border-image: linear-gradient(#000, #000) 1 / 60px / 0 6 0 0"></div>`, 25],
    ['what a closed shadow root shows over a game in a round box', `<div style="${FULL}; overflow: hidden; border-radius: 40px">${GAME}</div><div id="h" style="position: absolute; top: 400px; width: 9px; height: 9px"></div>${closedRoot.replace('absolute', 'fixed')}`, 50],
    ['a small badge in a closed shadow root', `${GAME}<div id="h"></div>${closedRoot.replace(HALF, 'position: fixed; left: 163px; top: 133px; width: 12px; height: 12px')}`, 95.5],
    ['a blur that reaches into the box that cuts it off', `${GAME}<div style="position: absolute; left: 160px; top: 0; width: 240px; height: 300px; overflow: hidden"><div style="filter: blur(20px)"><div style="position: absolute; left: -100px; top: 0; width: 98px; height: 300px; ${DARK}"></div></div></div>`, 99],
    ['the line that the title of a group of fields shifts', `${GAME}<fieldset style="position: absolute; left: 100px; top: 60px; width: 200px; height: 240px; margin: 0; padding: 0; border: 0 solid #000; border-top: 40px solid #000"><legend style="height: 180px; padding: 0"></legend></fieldset>`, 0],
    ['a gradient that stays where the window is', `${GAME}<div style="position: absolute; left: 200px; top: 0; width: 200px; height: 300px; background: linear-gradient(90deg, #000 250px, transparent 250px) fixed"></div>`, 50],
    ['a gradient that begins anew below a border', `${GAME}<div style="position: absolute; left: 0; top: 0; width: 160px; height: 300px; border-right: 240px solid transparent; background: linear-gradient(90deg, #000 40px, transparent 40px)"></div>`, 50],
    ['a curtain in words that nothing turns, whatever their style says', `${GAME}<span style="transform: rotate(90deg)"><b style="position: absolute; left: 160px; top: 130px; width: 80px; height: 40px; ${DARK}"></b></span>`, 0],
    ['a box turned in space by a property of its own', cover('left: 160px; top: 130px; width: 80px; height: 40px; rotate: y 60deg'), 50],
    ['what a closed shadow root shows far from its box', `${GAME}<div id="h" style="position: absolute; top: 400px; width: 9px; height: 9px"></div>${closedRoot.replace('absolute', 'fixed')}`, 50],
    ...['display: block', 'position: absolute; left: 420px; top: 110px'].map((how): [string, string, number] => [`a pseudo-element turned in space, with ${how}`, `${sheet(`#p::before { content: ''; ${how}; width: 140px; height: 80px; ${DARK}; transform: translateX(-290px) perspective(900px) rotateY(20deg) }`)}${GAME}<div style="position: absolute; left: ${how.includes('420') ? '0; top: 0' : '420px; top: 110px'}; pointer-events: none"><div id="p"></div></div>`, 0]),
    ['the shadow of a card that is turned over', `${GAME}<div style="position: absolute; left: 320px; top: 130px; width: 80px; height: 40px; transform: rotateY(180deg); box-shadow: 160px 0 #000"></div>`, 0],
    ['half of a card that is turned over', `${sheet(`#p::before { content: ''; position: absolute; inset: 0 50% 0 0; ${DARK} }`)}${GAME}<div id="p" style="position: absolute; left: 120px; top: 130px; width: 80px; height: 40px; transform: rotateY(180deg)"></div>`, 50],
    ['the flap of an envelope, a pseudo-element that is turned up', `${sheet(`#p::before { content: ''; position: absolute; inset: 0; transform: rotateX(180deg); transform-origin: 0 0; ${DARK} }`)}${GAME}<div id="p" style="position: absolute; left: 190px; top: 170px; width: 20px; height: 10px"></div>`, 93.8],
    ['a pseudo-element on a path', `${sheet(`#p::before { content: ''; position: absolute; width: 80px; height: 40px; offset: 200px 150px ray(0deg); offset-rotate: 0deg; ${DARK} }`)}${GAME}<div id="p" style="${FULL}"></div>`, 0],
    ['a pseudo-element in the middle of its box', `${sheet(`#p::after { content: ''; position: absolute; inset: 0; place-self: center; width: 80px; height: 40px; ${DARK} }`)}${GAME}<div id="p" style="${FULL}"></div>`, 0],
    ['a pseudo-element in the middle of the box that its own is in', `${sheet(`#p::after { content: ''; position: absolute; inset: 0; place-self: center; width: 20px; height: 10px; ${DARK} }`)}${GAME}<div style="${FULL}"><p id="p"></p></div>`, 93.8],
    ['a pseudo-element of words that are broken into two lines', `${sheet(`#p::after { content: ''; position: absolute; left: 0; top: 0; width: 80px; height: 40px; ${DARK} }`)}${GAME}<div style="position: absolute; left: 100px; top: 130px; width: 300px; font: 20px/20px monospace; color: transparent">XXXXX<span id="p" style="position: relative">X XXXXXXXXXXXXXXXXXXX</span></div>`, 10],
    ['a pseudo-element of what is broken into columns', `${sheet(`#p::before { content: ''; position: absolute; inset: 0; ${DARK} }`)}${GAME}<div style="position: absolute; left: 0; top: 130px; width: 80px; height: 40px; columns: 1; column-gap: 0; column-fill: auto"><div id="p" style="height: 120px; position: relative"></div></div>`, 0],
    ['a spotlight with corners of another shape', `${GAME}<div style="position: absolute; left: 160px; top: 130px; width: 80px; height: 40px; box-shadow: 0 0 0 999px #000; border-radius: 20px; corner-shape: scoop"></div>`, 62],
    ...FILLED,
    ...DRAWN_LINES,
  ])('%s', onOwnPage(async (page, _, html, share) => {
    await openNextGame(page, html);
    const { everyFrame, trackingFunctions } = await verdicts(page);
    expect(everyFrame.isUnmeasurable).toBe(true);
    for (const verdict of [everyFrame, trackingFunctions]) {
      expect(verdict.share).toBeLessThanOrEqual(share + 1);
      expect(verdict.isFullyVisible).toBe(false);
    }
  }));
});

/** Rows with the most that the player may see of the ad: letters count as the boxes of their lines do. */
describe('what reaches over the ad from elsewhere, and what browsers draw by themselves, is never said to be seen', () => {
  const WORDS = 'font: 40px/40px monospace; white-space: nowrap';
  const AT_AD = 'position: absolute; left: 160px; top: 130px; width: 80px; height: 40px';
  const BESIDE = 'position: absolute; left: 420px; top: 130px; width: 60px; height: 40px';
  const THIN = 'position: absolute; left: 160px; top: 80px; width: 80px; height: 10px; font: 10px/10px monospace';
  // prettier-ignore
  test.concurrent.each<[what: string, html: string, most: number]>([
    ['words that overflow a box beside the game', `${GAME}<div style="${BESIDE}; ${WORDS}; direction: rtl">XXXXXXXXXXXXXXXXXXXXXX</div>`, 1],
    ['words that overflow on the side that does not scroll', `${GAME}<div style="${BESIDE}; ${WORDS}; display: flex; justify-content: flex-end">XXXXXXXXXXXXXXXXXXXXXX</div>`, 1],
    ['words that are indented out of their box', `${GAME}<div style="${BESIDE}; ${WORDS}; text-indent: -400px">XXXXXXXXXXXXXXXXXXXXXX</div>`, 1],
    ['the shadow of words beside the game', `${GAME}<div style="${BESIDE}; ${WORDS}; text-shadow: -260px 0 #000">XXXX</div>`, 1],
    ['the thick outline of words', `${GAME}<div style="position: absolute; left: 180px; top: 180px; ${WORDS}; -webkit-text-stroke: 80px #000">XX</div>`, 25],
    ['the thick line below words', `${GAME}<div style="position: absolute; left: 160px; top: 80px; ${WORDS}; text-decoration: underline 60px #000">XXXX</div>`, 25],
    ['a filter that paints far beyond its box', `${GAME}<svg width="0" height="0"><filter id="f" x="-10" y="-10" width="20" height="20"><feFlood/></filter></svg><div style="${BESIDE}; filter: url(#f)">x</div>`, 1],
    ['a pseudo-element of what is no box', `${sheet(`#p::before { content: ''; display: block; width: 90px; height: 20px; margin: 130px 0 0 160px; ${DARK} }`)}${GAME}<div style="${FULL}; pointer-events: none"><div id="p" style="display: contents"></div></div>`, 50],
    ['the thumb of a thin slider beside the ad', `${sheet(`input { appearance: none } ::-webkit-slider-thumb { appearance: none; width: 12px; height: 20px; transform: translateY(-18px); ${DARK} }`)}${GAME}<input type="range" style="position: absolute; left: 160px; top: 175px; width: 80px; height: 2px; margin: 0; background: none">`, 96],
    ['the controls of a sound', `${GAME}<audio controls style="position: absolute; left: 100px; top: 125px"></audio>`, 1],
    ['the sign for a picture that is missing', `${GAME}<img style="${AT_AD}" src="data:,">`, 90],
    ['the sign for a picture that is missing and has no name', `${GAME}<img alt="" style="position: absolute; left: 160px; top: 130px; width: 80px; height: 40px" src="data:,">`, 90],
    ['the point of a list', `${GAME}<ul style="position: absolute; left: 200px; top: 130px; margin: 0; padding: 0; ${WORDS}"><li style="height: 40px"></li></ul>`, 98],
    ['the point of a list beside its words, which a float keeps off its box', `${GAME}<ul style="position: absolute; left: 100px; top: 130px; width: 300px; margin: 0; padding: 0; ${WORDS}"><li><i style="float: left; width: 120px; height: 40px"></i>X</li></ul>`, 5],
    ['the line of a fraction', `${GAME}<math style="position: absolute; left: 160px; top: 130px; font-size: 60px"><mfrac linethickness="30px"><mi>xxxx</mi><mi>y</mi></mfrac></math>`, 60],
    ['the end of an arrow in a drawing', `${GAME}${SVG}<marker id="m" markerWidth="40" markerHeight="40" refX="20" refY="20" markerUnits="userSpaceOnUse"><rect width="40" height="40"/></marker><line x1="100" y1="150" x2="150" y2="150" stroke="#000" marker-end="url(#m)"/></svg>`, 88],
    ['the background of the body, over a canvas below that', `${sheet('html { background: #fff } body { background: #000; height: 600px } #game { z-index: -1 }')}${GAME}`, 1],
    ['words of the body, over a canvas below that', `${sheet('#game { z-index: -1 }')}<div style="height: 130px"></div>${GAME}<b style="display: none"></b><span style="${WORDS}"></span>${'X'.repeat(80)}`, 90],
    ['a pseudo-element among the content that is moved out of its box', `${sheet(`#p::before { content: ''; display: block; width: 12px; height: 12px; margin-left: -250px; ${DARK} }`)}${GAME}<div id="p" style="${BESIDE}"></div>`, 96],
    ['words filled by two gradients', `${GAME}<div style="${AT_AD}; ${WORDS}; color: transparent; background: linear-gradient(#000, #000) text, linear-gradient(#000, #000) text">XXXX</div>`, 1],
    ['the outline of the canvas within it', `${sheet('canvas { outline: 80px solid #000; outline-offset: -200px }')}${GAME}`, 90],
    ['the outline within the box that the game is in', `${sheet('#game { outline: 80px solid #000; outline-offset: -200px }')}${GAME}`, 90],
    ['the outline of a box whose ground lies below the game', `${GAME.replace('position: absolute; ', '')}<div style="margin: -150px 0 0 190px; width: 20px; height: 1px; outline: 40px solid #000"></div>`, 25],
    ['a border of the body, over a canvas below that', `${sheet('body { box-sizing: border-box; width: 400px; height: 300px; border: solid #000; border-width: 0 0 0 200px } #game { z-index: -1 }')}${GAME}`, 51],
    ['a picture of a pseudo-element without ink', `${sheet(`#p { color: transparent } #p::after { content: ${DARK_PICTURE}; ${AT_AD} }`)}${GAME}<div id="p"></div>`, 85],
    ['the shadow of a pseudo-element beside the game', `${sheet(`#p::after { content: ''; ${BESIDE}; ${DARK}; filter: drop-shadow(-250px 0 #000) }`)}${GAME}<div id="p"></div>`, 60],
    ['the shadow of the words of a pseudo-element beside the game', `${sheet(`#p::after { content: 'XXXX'; ${BESIDE}; ${WORDS}; text-shadow: -260px 0 #000 }`)}${GAME}<div id="p"></div>`, 60],
    ['the reflection of a pseudo-element', `${sheet(`#p::after { content: ''; position: absolute; left: 160px; top: 85px; width: 80px; height: 40px; ${DARK}; -webkit-box-reflect: below 5px }`)}${GAME}<div id="p"></div>`, 1],
    ['the ground of what details hold', `${sheet('details::details-content { height: 300px; background: #000 }')}${GAME}<details open style="${FULL}"><summary style="display: block; height: 0; overflow: hidden"></summary></details>`, 1],
    ['the button to scroll a box by', `${sheet(`#p::scroll-button(right) { content: ' '; ${AT_AD}; ${DARK} }`)}${GAME}<div id="p" style="${FULL}; overflow: auto"><div style="width: 900px; height: 9px"></div></div>`, 1],
    ['the marks of what a box scrolls', `${sheet(`#p { scroll-marker-group: after } #p::scroll-marker-group { ${AT_AD}; ${DARK} } i::scroll-marker { content: 'x' }`)}${GAME}<div id="p" style="${FULL}; overflow: auto"><i style="display: block; width: 900px; height: 9px"></i></div>`, 1],
    ['the backdrop of a dialog that is closing', `${sheet('dialog { top: 400px } dialog, dialog::backdrop { background: #000; transition: overlay 60s allow-discrete, display 60s allow-discrete }')}${GAME}<dialog id="d">x</dialog>${script("const d = document.getElementById('d'); d.showModal(); d.offsetWidth; requestAnimationFrame(() => requestAnimationFrame(() => d.close()))")}`, 1],
    ['a part of the canvas shown larger', `${sheet('canvas { object-view-box: inset(0 0 0 50%) }')}${GAME}`, 1],
    ['a small badge of the box that the game is in', `${sheet(`#game::after { content: ''; position: absolute; left: 165px; top: 133px; width: 12px; height: 12px; z-index: 1; ${DARK} }`)}${GAME}`, 96],
    ['words that leave their dark plate', `${GAME}<div style="position: absolute; left: 120px; top: 130px; width: 40px; height: 40px; ${WORDS}; ${DARK}">WWWW</div>`, 80],
    ['words that leave their dark plate at the left', `${GAME}<div style="position: absolute; left: 240px; top: 130px; width: 40px; height: 40px; direction: rtl; ${WORDS}; ${DARK}">WWWW</div>`, 80],
    ['the colour of a first line', `${sheet('#p::first-line { color: #000 }')}${GAME}<p id="p" style="${AT_AD}; margin: 0; ${WORDS}; color: transparent">WWW</p>`, 80],
    ['the picture of a first line', `${sheet('#p::first-line { background: linear-gradient(#000, #000) }')}${GAME}<p id="p" style="${AT_AD}; margin: 0; ${WORDS}; color: transparent">WWWW</p>`, 5],
    ['the point of a list from right to left', `${GAME}<ul dir="rtl" style="position: absolute; left: 100px; top: 130px; width: 60px; margin: 0; padding: 0; ${WORDS}"><li style="height: 40px"></li></ul>`, 98],
    ['the shadow of words that stay in a box beside the game', `${GAME}<div style="${BESIDE}; ${WORDS}; text-shadow: -260px 0 #000">W</div>`, 90],
    ['the thick outline of words that stay in a box beside the game', `${GAME}<div style="${BESIDE}; left: 402px; ${WORDS}; -webkit-text-stroke: 400px #000">W</div>`, 55],
    ['marks that are stacked on letters below the ad', `${GAME}<div style="position: absolute; left: 160px; top: 172px; font: 24px/24px sans-serif">${'o\u0300\u0301\u0302\u0303\u0304\u0305'.repeat(5)}</div>`, 96],
    ['slanted letters that lean out of their box', `${GAME}<div style="position: absolute; right: 440px; top: 130px; font: italic 50px/40px serif">ffff</div>`, 99.4],
    ['a thick line that keeps off the words above it', `${GAME}<div style="${THIN}; text-decoration: underline 60px #000">XXXXXXXXXXXXXX</div>`, 1],
    ['marks of emphasis above words', `${GAME}<div style="position: absolute; left: 160px; top: 150px; ${WORDS}; text-emphasis: '\u2588' #000">XXXX</div>`, 71.5],
    ['a thick wave below words', `${GAME}<div style="${THIN}; text-decoration: underline wavy 20px #000">XXXXXXXXXXXXXX</div>`, 82],
    ['the long number of a point in a list', `${GAME}<ol start="1000000" style="position: absolute; left: 340px; top: 130px; margin: 0; padding: 0; ${WORDS}"><li style="height: 40px"></li></ol>`, 80],
    ['the corner by which a player can resize a box', `${GAME}<div style="${AT_AD}; overflow: hidden; resize: both"></div>`, 99.5],
    ['faint blurred shadows that add up', cover('background: none; left: 200px; top: 90px; width: 120px; height: 120px; box-shadow: 0 0 40px 40px rgba(0, 0, 0, 0.45), 0 0 40px 40px rgba(0, 0, 0, 0.45)'), 60],
    ['the shadow of the bar of a progress', `${GAME}<progress style="position: absolute; left: 0; top: 0; width: 9px; height: 9px; box-shadow: 0 0 0 999px #000"></progress>`, 1],
    ['a thick line below words that leave their box beside the game', `${GAME}<div style="position: absolute; left: 420px; top: 100px; width: 30px; direction: rtl; white-space: nowrap; font: 10px/10px monospace; text-decoration: underline 40px #000">${'X'.repeat(60)}</div>`, 6],
    ...['transform: rotate(180deg); text-shadow: 0 -70px #000', 'transform: scale(2); transform-origin: 0 0; line-height: 20px; text-shadow: 0 35px #000', 'zoom: 2; left: 80px; top: 30px; line-height: 20px; text-shadow: 0 35px #000'].map(
      (how): [string, string, number] => [`the shadow of words with ${how}`, `${GAME}<div style="position: absolute; left: 160px; top: 60px; width: 80px; height: 40px; font: 20px/40px monospace; ${how}">XXXXXXX</div>`, 50],
    ),
    ['the thick outline of words that are enlarged', `${GAME}<div style="position: absolute; left: 160px; top: 118px; transform: scale(4); transform-origin: 0 0; -webkit-text-stroke: 8px #000; font: 2px/2px monospace; white-space: nowrap">XXXXXXXXXXXXXXXXXXXX</div>`, 90],
    ['words in words that a gradient fills', `${GAME}<div style="position: absolute; left: 160px; top: 130px; color: transparent; background: linear-gradient(#000, #000) text; ${WORDS}"><span>XXXX</span></div>`, 80],
    ...['border-radius: 40px; overflow: clip', 'contain: paint'].map(
      (how): [string, string, number] => [`what goes beyond a box that cuts farther out, with ${how}`, `${GAME}<div style="position: absolute; left: 0; top: 0; width: 160px; height: 300px; overflow-clip-margin: 40px; ${how}"><div style="width: 400px; height: 300px; ${DARK}"></div></div>`, 51],
    ),
    ['what a picture without an address says', `${GAME}<img alt="XXXX" style="position: absolute; left: 160px; top: 130px; ${WORDS}">`, 80],
    ['an outline that is moved in beyond the middle of its box', `${GAME}<div style="position: absolute; left: 150px; top: 120px; width: 100px; height: 60px; outline: 20px solid #000; outline-offset: -200px"></div>`, 50],
  ])('%s', onOwnPage(async (page, _, html, most) => {
    await openNextGame(page, html);
    const { everyFrame, trackingFunctions } = await verdicts(page);
    for (const verdict of [everyFrame, trackingFunctions]) {
      expect(verdict.share).toBeLessThanOrEqual(most);
      expect(verdict.isFullyVisible).toBe(false);
    }
  }));
});

const below = (width: string, height: string): string =>
  `<div style="position: absolute; left: 0; top: 0; width: ${width}; height: ${height}; ${DARK}"></div>`;

describe('what the page does to the canvas', () => {
  // prettier-ignore
  test.concurrent.each<[what: string, html: string, share: number]>([
    ['contains what it paints', around('width: 200px; height: 300px; contain: paint'), 50],
    ['lets an absolute box out of what hides its overflow', `<div style="width: 200px; height: 300px; overflow: hidden">${GAME}</div>`, 100],
    ['hides what lies beyond the body, where the root hides its own, too', `${sheet('html { overflow: hidden } body { overflow: hidden; height: 150px }')}${GAME.replace('absolute', 'relative')}`, 50],
    ['hides what lies beyond the body, which is said of the window', `${sheet('body { overflow: hidden; height: 150px }')}${GAME.replace('absolute', 'relative')}`, 100],
    ['keeps a fixed box in what is transformed', around('width: 200px; height: 300px; overflow: hidden; transform: translate(0)').replace('absolute; left', 'fixed; left'), 50],
    ['shows it smaller', `<div style="transform: scale(0.5); transform-origin: 0 0">${GAME}</div>`, 100],
    ['shows it smaller, and half of it', `<div style="transform: scale(0.5); transform-origin: 0 0">${around('width: 200px; height: 300px; overflow: hidden')}</div>`, 50],
    ['gives it a shadow', around('filter: drop-shadow(0 0 9px rgba(0, 0, 0, 0.5))'), 100],
    ['blurs it: nobody knows', around('filter: blur(20px)'), 0],
    ['cuts a shape out of it: nobody knows', around('clip-path: circle(30px at 200px 150px)'), 0],
    ['cuts half of it off as pages once did: nobody knows', around('width: 400px; height: 300px; clip: rect(auto, 200px, 300px, 0)'), 0],
    ['cuts half of it off: nobody knows', around('width: 400px; height: 300px; clip-path: inset(0 50% 0 0)'), 0],
    ['filters it so that it stays as it is', around('filter: blur(0px) brightness(1) saturate(100%) grayscale(0) hue-rotate(0deg)'), 100],
    ['turns it: nobody knows', around('transform: rotate(20deg)'), 0],
    ['turns it by a property of its own: nobody knows', around('rotate: 20deg'), 0],
    ['turns it by a quarter', `<div style="transform: rotate(90deg); transform-origin: 0 0; position: absolute; left: 300px">${GAME}</div>`, 100],
    ['turns it by a quarter, below a curtain', `<div style="rotate: 90deg; transform-origin: 0 0; position: absolute; left: 300px">${GAME}</div>${below('150px', '180px')}`, 87.5],
    ['turns it by a quarter, and half of it', `<div style="transform: rotate(-90deg); transform-origin: 0 0; position: absolute; top: 400px">${around('width: 180px; height: 300px; overflow: hidden')}</div>`, 25],
    ['mirrors it, below a curtain', `<div style="transform: scaleX(-1); transform-origin: 200px 0">${GAME}</div>${below('180px', '300px')}`, 75],
    ['mirrors it, and a quarter of it', `<div style="transform: scaleX(-1); transform-origin: 200px 0">${around('width: 180px; height: 300px; overflow: hidden')}</div>`, 25],
    ['squeezes it downwards, and half of it', `<div style="transform: scaleY(0.5); transform-origin: 0 0">${around('width: 400px; height: 150px; overflow: hidden')}</div>`, 50],
    ['fits it in where it is too tall', `${sheet('canvas { width: 400px; height: 600px; object-fit: contain }')}${GAME}${below('400px', '300px')}`, 50],
    ['fills a narrow box with the middle of it', `${sheet('canvas { width: 50px; height: 300px; object-fit: cover }')}${GAME}`, 62.5],
    ['fills a narrow box with the right of it, but for a little', `${sheet('canvas { width: 220px; height: 300px; object-fit: cover; object-position: right 20px top 10px }')}${GAME}`, 50],
    ['carries it along a path and turns it with that: nobody knows', around('offset-path: path(&quot;M200 150 L210 160&quot;); offset-anchor: center'), 0],
    ['rounds its corners far from the ad', `${sheet('canvas { border-radius: 60px }')}${GAME}`, 100],
    ['rounds its corners at the ad', `${sheet('canvas { width: 80px !important; height: 40px !important; object-fit: none; border-radius: 20px }')}${GAME}`, 89.3],
    ['rounds the corners of a box around it', `<div style="position: absolute; left: 160px; top: 130px; width: 80px; height: 40px; overflow: hidden; border-radius: 20px">${GAME.replace('left: 0; top: 0', 'left: -160px; top: -130px')}</div>`, 89.3],
    ['rounds the corners of a box that does not hold it', `<div style="width: 80px; height: 40px; overflow: hidden; border-radius: 20px">${GAME}</div>`, 100],
    ['makes it fainter', around('opacity: 0.7'), 100],
    ['makes it fainter, below a faint curtain', around('opacity: 0.7') + below('200px', '300px').replace(DARK, 'background: rgba(0, 0, 0, 0.4)'), 50],
    ['makes it faint', around('opacity: 0.3'), 0],
    ['puts it into the slot of a box that cuts, below a curtain of that shadow root', `<div id="h" style="position: absolute; left: 0; top: 0">${GAME}</div>${script(`document.getElementById('h').attachShadow({ mode: 'open' }).innerHTML = '<div style=&quot;position: relative; width: 220px; height: 300px; overflow: hidden&quot;><slot></slot></div><div style=&quot;position: absolute; left: 0; top: 0; width: 180px; height: 300px; ${DARK}&quot;></div>'`)}`, 50],
    ['keeps two open shadow roots over it, one in the other', `${GAME}<div id="h" style="${HALF}; height: 150px"></div><div id="i" style="${HALF}"></div>${script(`const put = (host, html) => { const root = document.getElementById(host).attachShadow({ mode: 'open' }); root.innerHTML = html; return root }; put('h', '<b>HP</b>'); const inner = put('i', '<div style=&quot;${HALF}&quot;></div>').firstChild; inner.attachShadow({ mode: 'open' }).innerHTML = '<p style=&quot;${HALF}; margin: 0; ${DARK}&quot;></p>'`)}`, 50],
    ...['x: clip; width: 200px; height: 100px', 'y: clip; width: 100px; height: 150px'].map((how): [string, string, number] => [`cuts it one way, with overflow-${how}`, `<div style="overflow-${how}">${GAME.replace('position: absolute; left: 0; top: 0; ', '')}</div>`, 50]),
    ['cuts it by corners of another shape: nobody knows', `<div style="position: absolute; left: 160px; top: 130px; width: 80px; height: 40px; overflow: hidden; border-radius: 20px; corner-shape: bevel">${GAME.replace('left: 0; top: 0', 'left: -160px; top: -130px')}</div>`, 0],
    ['gives it corners of another shape: nobody knows', `${sheet('canvas { border-radius: 150px; corner-shape: bevel }')}${GAME}`, 0],
    ['turns its back to the player', around('transform: rotateY(180deg); backface-visibility: hidden'), 0],
    ['makes it as narrow as nothing', `${sheet('canvas { width: 0 !important }')}${GAME}`, 0],
    ['moves its picture as far as only the browser knows', `${sheet('canvas { width: 200px !important; height: 150px !important; object-fit: none; object-position: max(100px, 10%) -50px }')}${GAME}`, 0],
    ['paints its ground above it, where the window has a picture of its own', `${sheet('html { background: linear-gradient(#fff, #eee) } body { background: #000; height: 600px } #game { z-index: -1 }')}${GAME}`, 0],
    ['paints the inner shadow of its body above it', `${sheet('body { height: 600px; box-shadow: inset 0 0 0 300px #000 } #game { z-index: -1 }')}${GAME}`, 0],
    ['lays what developers see of this package over it', `${GAME}<div data-phaser-inview-overlay style="${FULL}; ${DARK}"><p style="height: 300px; ${DARK}">on</p></div>`, 100],
  ])('%s', onOwnPage(async (page, what, html, share) => {
    await openNextGame(page, html);
    const { isUnmeasurable } = await expectShare(page, share);
    expect(isUnmeasurable).toBe(what.includes('nobody knows'));
  }));
});

describe.each(['before', 'behind'])(
  'where all of a shadow root counts as %s what is outside, as Firefox may tell',
  (order) => {
    const host = '<div id="h"></div>';
    const below = ([what, html]: (typeof IN_SHADOW)[number]) =>
      [`${what}, below the game`, host + html.replace(host, ''), 100] as const;

    test.concurrent.each([...IN_SHADOW, ...IN_SHADOW.map(below)] as [string, string, number][])(
      '%s',
      onNewPage(async (page, _, html, share) => {
        await page.addInitScript((isBefore) => {
          const { compareDocumentPosition, DOCUMENT_POSITION_DISCONNECTED: apart } = Node.prototype;
          const { DOCUMENT_POSITION_PRECEDING: before, DOCUMENT_POSITION_FOLLOWING: behind } = Node.prototype;
          Node.prototype.compareDocumentPosition = function (this: Node, other: Node) {
            if (this.getRootNode() === other.getRootNode()) return compareDocumentPosition.call(this, other);
            return apart | ((other.getRootNode() !== document) === isBefore ? before : behind);
          };
        }, order === 'before');
        await openGame(page, html);
        await expectShare(page, share);
      }),
    );
  },
);

describe('what is enlarged where the browser does not say by how much, as Safari', () => {
  test.concurrent.each(ENLARGED)(
    '%s',
    onNewPage(async (page, _, html, share) => {
      await page.addInitScript(() => {
        delete (Element.prototype as { currentCSSZoom?: number }).currentCSSZoom;
      });
      await openGame(page, html);
      await expectShare(page, share);
    }),
  );
});

describe('a browser that does not tell whether an element is rendered, as Safari before 17.4', () => {
  test.concurrent.each<[what: string, html: string, share: number]>([
    ['a curtain', `${GAME}<div style="${HALF}; ${DARK}"></div>`, 50],
    [
      'a curtain that is not shown',
      `${GAME}<div style="display: none"><div style="${HALF}; ${DARK}"></div></div>`,
      100,
    ],
    [
      'a curtain in a box that is none',
      `${GAME}<div style="display: contents"><p style="${HALF}; margin: 0; ${DARK}"></p></div>`,
      50,
    ],
    ['a game that is not shown', around('display: none'), 0],
    ['a game that is hidden', around('visibility: hidden'), 0],
  ])(
    '%s',
    onNewPage(async (page, _, html, share) => {
      await page.addInitScript(() => {
        delete (Element.prototype as { checkVisibility?: unknown }).checkVisibility;
      });
      await openGame(page, html);
      await expectShare(page, share);
    }),
  );
});

// prettier-ignore
describe('where the system forces its colours', () => {
  const words = (style: string, html: string): string =>
    `${GAME}<div style="position: absolute; left: 100px; top: 110px; width: 300px; font: 60px sans-serif; ${style}">${html}</div>`;

  it.each([
    ['faint words lie on a plate', words('color: #0002', 'MMMMMMMM'), 0],
    ['faint words lie on none that opt out', words('color: #0002; forced-color-adjust: none', 'MMMMMMMM'), 100],
    ['the plate goes on from words to words', words('', 'i<i style="display: inline-block; width: 160px"></i><b>i</b>'), 0],
    ['the words of a block have their own plate', words('', 'i<p style="margin: 60px 0; text-align: right">i</p>'), 100],
  ])('%s', onNewPage(async (page, _, html, share) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await openGame(page, html);
    await expectShare(page, share);
  }));
});

describe('trap 23: what the page cuts off', () => {
  test('what fills the screen lies in no box that would cut, turn or fade it', async () => {
    await openGame(
      page,
      `<div style="width: 150px; height: 100px; overflow: hidden; opacity: 0.3; filter: blur(9px); rotate: 20deg">${GAME}</div>${cover('left: 0; top: 0; width: 400px; height: 300px')}`,
    );
    await page.evaluate(() => {
      const fill = () => void document.getElementById('game')!.requestFullscreen();
      document.addEventListener('click', fill, { once: true });
    });
    await page.mouse.click(500, 500);
    await page.waitForFunction(() => document.fullscreenElement !== null);
    await expectShare(page, 100);
  });

  test('another element that fills the screen hides the ad with its backdrop', async () => {
    const place = 'position: fixed; inset: 450px auto auto 450px; width: 9px; height: 9px; min-width: 0; min-height: 0';
    await openGame(
      page,
      `${sheet(`#film:fullscreen { ${place.replaceAll(';', ' !important;')} !important }`)}${GAME}<div id="film"></div>`,
    );
    await page.evaluate(() => {
      const fill = () => void document.getElementById('film')!.requestFullscreen();
      document.addEventListener('click', fill, { once: true });
    });
    await page.mouse.click(500, 500);
    await page.waitForFunction(() => document.fullscreenElement !== null);
    await expectShare(page, 0);
  });

  test(
    'what pinching zooms out of the screen is not seen',
    onNewPage(async (page) => {
      await openGame(page);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setPageScaleFactor', { pageScaleFactor: 3 });
      await expectShare(page, 50);
    }),
  );

  test('a canvas scrolled half out of the ad shows half of it', async () => {
    await openGame(page, `${GAME}<div style="height: 3000px"></div>`);
    await page.evaluate(() => window.scrollTo(0, 150));
    await expectShare(page, 50);
  });

  test('a game moved into a closed shadow root lies below a curtain in there and one outside', async () => {
    await openGame(
      page,
      `<div id="h" style="position: absolute; left: 0; top: 0"></div>${GAME}` +
        `<div style="${HALF}; height: 140px; ${DARK}"></div>`,
    );
    await page.evaluate((curtain) => {
      const root = document.getElementById('h')!.attachShadow({ mode: 'closed' });
      root.innerHTML = [-1, 1].map((z) => `<p style="${curtain}; z-index: ${z}"></p>`).join('');
      root.append(document.getElementById('game')!);
    }, `${HALF}; width: 180px; margin: 0; pointer-events: none; ${DARK}`);
    const { isUnmeasurable } = await expectShare(page, 68.75);
    expect(isUnmeasurable).toBe(false);
  });

  // prettier-ignore
  test.each<[what: string, html: string, code: string]>([
    ['a frame over the canvas is filled', `${GAME}<iframe style="${FULL}; border: 0"></iframe>`, "document.querySelector('iframe').contentDocument.body.style.background = '#000'"],
    ['a curtain falls in an open shadow root', `${GAME}<div id="o"></div>${script(`document.getElementById('o').attachShadow({ mode: 'open' }).innerHTML = '<p style=&quot;${FULL}; margin: 0; display: none; ${DARK}&quot;></p>'`)}`, "document.getElementById('o').shadowRoot.firstChild.style.display = 'block'"],
    ['a script moves a curtain', `${GAME}<p id="c" style="${FULL}; margin: 0; opacity: 0; ${DARK}"></p>`, "void document.getElementById('c').animate({ opacity: [1, 1] }, 60_000)"],
    ['a curtain falls in a closed shadow root around the game', `<div id="h" style="position: absolute; left: 0; top: 0"></div>${GAME}`, "root.lastElementChild.style.display = 'block'"],
  ])('is known within a second although nothing announces it: %s', async (_, html, code) => {
    await openGame(page, html);
    await page.evaluate((curtain) => {
      const root = document.getElementById('h')?.attachShadow({ mode: 'closed' });
      root?.append(document.getElementById('game')!);
      root?.append(Object.assign(document.createElement('p'), { style: curtain }));
      Object.assign(window, { root });
    }, `${FULL}; margin: 0; display: none; ${DARK}`);
    // All that has been announced is read.
    await nextLook(page);
    await page.evaluate(code);
    await nextLook(page);
    await expectShare(page, 0);
  });

  test('a game moved into a window of its own is watched there', async () => {
    await openGame(page);
    const opened = page.waitForEvent('popup');
    await page.evaluate((curtain) => {
      const { document } = window.open('about:blank', 'game', 'width=500,height=400')!;
      document.body.innerHTML = `<p style="${curtain}"></p>`;
      document.body.prepend(window.document.getElementById('game')!);
    }, `${HALF}; margin: 0; display: none; ${DARK}`);
    const popup = await opened;
    await expectShare(page, 100);
    await popup.evaluate(() => (document.querySelector('p')!.style.display = 'block'));
    await nextLook(page);
    await expectShare(page, 50);
    await popup.close();
    await nextLook(page);
    await expectShare(page, 0);
  });

  test('a parent with hidden overflow cuts the ad', async () => {
    await openGame(
      page,
      '<div style="width: 180px; height: 300px; overflow: hidden; position: relative">' +
        '<div id="game" style="width: 400px; height: 300px"></div></div>',
    );
    await expectShare(page, 25);
  });

  test.each(['canvas', 'renderer'] as const)(
    'pixels that the game changes without its scale manager: nobody knows what its %s shows',
    async (part) => {
      await openGame(page);
      const setWidth = (width: number): Promise<void> =>
        page.evaluate(
          ([of, pixels]) => {
            (window as unknown as GameWindow).pageStage.setWidth(of, pixels);
          },
          [part, width] as const,
        );
      await setWidth(100);
      expect(await expectShare(page, 0)).toMatchObject({ isUnmeasurable: true });
      await setWidth(400);
      await expectShare(page, 100);
    },
  );

  test('an ad on a hidden tab is not seen', async () => {
    await openGame(page);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expectShare(page, 0);
  });

  test('a page of the same origin around the game cuts, covers, fades and hides the ad, whichever way is asked', async () => {
    await page.goto(server.url);
    await page.evaluate(() => {
      document.body.style.margin = '0';
      document.body.insertAdjacentHTML(
        'beforeend',
        '<div><iframe src="/" style="border: 10px solid; width: 400px; height: 300px"></iframe></div>' +
          '<p id="cover" style="position: absolute; left: 0; top: 0; width: 190px; height: 400px; margin: 0; background: #000; display: none"></p>' +
          '<style>[title] + #cover { display: block !important }</style>',
      );
    });
    const frame = (await (await page.waitForSelector('iframe')).contentFrame())!;
    await startGame(frame, GAME);
    const states: [style: string, share: number][] = [
      ['', 100],
      ['width: 210px; height: 310px; overflow: hidden', 50],
      ['margin-left: -190px', 75],
      ['opacity: 0', 0],
      ['transform: scale(0.5); transform-origin: 0 0; width: 210px; height: 310px; overflow: hidden', 50],
      ['visibility: hidden', 0],
      ['--below: a curtain', 75],
      ['position: relative; z-index: 1; --above: a curtain', 100],
    ];
    for (const [style, share] of states) {
      await page.evaluate((css) => {
        const box = document.querySelector('iframe')!.parentElement!;
        box.style.cssText = css;
        box.toggleAttribute('title', css.includes('a curtain'));
      }, style);
      const { everyFrame, trackingFunctions } = await frame.evaluate(() =>
        (window as unknown as GameWindow).pageStage.verdicts(),
      );
      for (const verdict of [everyFrame, trackingFunctions]) {
        expect([style, Math.round(verdict.share), verdict.isFullyVisible]).toEqual([style, share, share === 100]);
      }
    }
  });

  describe('a page of another origin around the game, of which an observer in the game tells', () => {
    let host: PageServer;
    let folder: string;
    beforeAll(async () => {
      // Another port is another origin: nothing of the host can be read from the game.
      folder = await mkdtemp(path.join(os.tmpdir(), 'host-'));
      await writeFile(
        path.join(folder, 'index.html'),
        '<body style="margin: 0"><div style="width: 400px; height: 300px; overflow: hidden">' +
          `<iframe src="${server.url}/" style="border: 0; width: 400px; height: 300px"></iframe></div>` +
          '<p style="position: absolute; left: 0; top: 0; width: 190px; height: 300px; margin: 0; background: #000"></p>',
      );
      host = await servePages({ '/': folder });
    });
    afterAll(async () => {
      await host.close();
      await rm(folder, { recursive: true });
    });

    /** Opens the game in that page, which shows all of it. */
    const openHosted = async (): Promise<Frame> => {
      await page.goto(host.url);
      await showHosted(null);
      const frame = (await (await page.waitForSelector('iframe')).contentFrame())!;
      await startGame(frame, GAME);
      await frame.waitForFunction(() => (window as unknown as GameWindow).pageStage.isVouchedFor);
      return frame;
    };
    const showHosted = (how: 'cut' | 'covered' | null): Promise<void> =>
      page.evaluate((change) => {
        document.querySelector('div')!.style.height = change === 'cut' ? '150px' : '300px';
        document.querySelector('p')!.style.display = change === 'covered' ? 'block' : 'none';
      }, how);
    const hostedVerdict = (frame: Frame): Promise<PageVerdict> =>
      frame.evaluate(async () => (await (window as unknown as GameWindow).pageStage.verdicts()).everyFrame);

    test('cuts the ad', async () => {
      const frame = await openHosted();
      expect(await hostedVerdict(frame)).toMatchObject({ isFullyVisible: true, share: 100 });
      await showHosted('cut');
      const cut = await hostedVerdict(frame);
      expect(cut).toMatchObject({ isFullyVisible: false, isUnmeasurable: false });
      expect(Math.abs(cut.share - 50)).toBeLessThanOrEqual(1);
    });

    test('lays something over the game: nobody knows how much of it', async () => {
      const frame = await openHosted();
      expect(await hostedVerdict(frame)).toMatchObject({ isFullyVisible: true, isUnmeasurable: false });
      await showHosted('covered');
      // The browser tells of it in its own time.
      const becomes = async (isUnmeasurable: boolean): Promise<PageVerdict> => {
        let verdict = await hostedVerdict(frame);
        while (verdict.isUnmeasurable !== isUnmeasurable) verdict = await hostedVerdict(frame);
        return verdict;
      };
      expect(await becomes(true)).toMatchObject({ isFullyVisible: false, share: 0 });
      await showHosted(null);
      expect(await becomes(false)).toMatchObject({ isFullyVisible: true, share: 100 });
    });

    test('is not taken to cover what a dialog of the game lies over', async () => {
      const frame = await openHosted();
      await frame.evaluate(() => {
        document.body.insertAdjacentHTML('beforeend', '<dialog style="margin: 0; background: #000"></dialog>');
        document.querySelector('dialog')!.showModal();
      });
      await frame.waitForFunction(() => (window as unknown as GameWindow).pageStage.isDenied);
      expect(await hostedVerdict(frame)).toMatchObject({ isUnmeasurable: false, share: 100 });
    });

    test('is not taken to cover what it never shows in full, such as a frame that it scales down', async () => {
      await page.goto(host.url);
      await showHosted(null);
      await page.evaluate(() => (document.querySelector('iframe')!.style.transform = 'scale(0.5)'));
      const frame = (await (await page.waitForSelector('iframe')).contentFrame())!;
      await startGame(frame, GAME);
      await frame.waitForFunction(() => (window as unknown as GameWindow).pageStage.isDenied);
      expect(await hostedVerdict(frame)).toMatchObject({ isUnmeasurable: false, share: 100 });
    });

    test('is asked by an element that goes with the game', async () => {
      const frame = await openHosted();
      const probes = (): Promise<number> => frame.locator('[data-phaser-inview-overlay]').count();
      expect(await probes()).toBe(1);
      await frame.evaluate(() => (window as unknown as GameWindow).pageStage.close());
      expect(await probes()).toBe(0);
    });
  });
});

import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { Answer, PageEvent, PageNet } from './pages/pageNet.js';

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

const GAME = '<div id="game" style="position: absolute; left: 0; top: 0; width: 400px; height: 300px"></div>';
const FULL = 'position: fixed; left: 0; top: 0; width: 400px; height: 300px';
const DARK = 'background: #000';
const FILLER = '<i></i>';
const AT_AD = 'position: absolute; left: 160px; top: 130px; width: 80px; height: 40px';
const WORDS = 'font: bold 40px/40px monospace';
/** A game in the flow of the page, 400 × 300. */
const IN_FLOW = '<div id="game" style="width: 400px; height: 300px"></div>';

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
  ['a clear drawing, of which nobody looks at the parts', `${GAME}<svg style="${FULL}"><rect width="400" height="300" fill="transparent"/></svg>`],
  ['buttons to scroll by, of which nobody knows where they are', `<style>p { scroll-marker-group: after } p::scroll-button(right) { content: '>' } i::scroll-marker { content: '.' }</style>${GAME}<p style="position: absolute; top: 320px; width: 100px; overflow: auto"><i style="display: block; width: 900px; height: 9px"></i></p>`],
]; // prettier-ignore

/** It makes what is faint opaque. */
const STRONG = '<filter id="f"><feComponentTransfer><feFuncA type="linear" slope="9"/></feComponentTransfer></filter>';

/** Each was once said to be seen. */
const BESIDE_BOXES: [what: string, html: string, script?: string][] = [
  ['E13: bare words of the page, in its flow', `<style>body { ${WORDS} }</style>${IN_FLOW}<div style="margin-top: -170px"></div>XXXXXXXXXXXXXXXXXX`],
  ['E13: bare words of a block without height', `${IN_FLOW}<div style="height: 0; margin-top: -170px; ${WORDS}">XXXXXXXXXXXXXXXXXX</div>`],
  ['E13: bare words of a block that has no box', `${IN_FLOW}<div style="margin-top: -170px"><div style="display: contents; ${WORDS}">XXXXXXXXXXXXXXXXXX</div></div>`],
  ['E13: bare words below a clear pane', `<style>body { ${WORDS} }</style>${IN_FLOW}<div style="margin-top: -170px"></div>XXXXXXXXXXXXXXXXXX<div style="${FULL}"></div>`],
  ['a slider that the page draws', `<style>input { appearance: none } input::-webkit-slider-thumb { appearance: none; width: 80px; height: 40px; ${DARK} }</style>${GAME}<input type="range" style="${AT_AD}; margin: 0; background: none">`],
  ['what a page in a frame holds beside its body', `${GAME}<iframe style="${FULL}; border: 0"></iframe>`, `const page = document.querySelector('iframe').contentDocument; const e = page.createElement('p'); e.style.cssText = 'position: absolute; inset: 0; ${DARK}'; page.documentElement.append(e)`],
  ['the border of the page in a frame', `${GAME}<iframe style="${FULL}; border: 0"></iframe>`, `document.querySelector('iframe').contentDocument.body.style.border = '200px solid #000'`],
  ['the shadow of the page in a frame', `${GAME}<iframe style="${FULL}; border: 0"></iframe>`, `document.querySelector('iframe').contentDocument.body.style.boxShadow = '0 0 0 999px #000'`],
  ['the shadow root of the page in a frame', `${GAME}<iframe style="${FULL}; border: 0"></iframe>`, `document.querySelector('iframe').contentDocument.body.attachShadow({ mode: 'open' }).innerHTML = '<p style="position: absolute; inset: 0; ${DARK}"></p>'`],
  ['a picture that a style gives', `<style>img { content: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='999' height='999'/%3E%3C/svg%3E") }</style>${GAME}<img style="${FULL}">`],
  ['the ground of a first line', `<style>p::first-line { ${DARK} }</style>${GAME}<p style="${AT_AD}; margin: 0; ${WORDS}; color: transparent">XXXX</p>`],
  ['the ground of a first letter', `<style>p::first-letter { ${DARK}; padding: 0 60px }</style>${GAME}<p style="${AT_AD}; margin: 0; ${WORDS}; color: transparent">X</p>`],
  ['what the player has marked', `${GAME}<p style="${AT_AD}; margin: 0; ${WORDS}; color: transparent">XXXX</p>`, `getSelection().selectAllChildren(document.querySelector('p'))`],
  ['what a script has marked', `<style>::highlight(h) { background-color: #000 }</style>${GAME}<p style="${AT_AD}; margin: 0; ${WORDS}; color: transparent">XXXX</p>`, `const range = new Range(); range.selectNodeContents(document.querySelector('p')); CSS.highlights.set('h', new Highlight(range))`],
  ['what a script has marked for good', `<style>::highlight(h) { background-color: #000 }</style>${GAME}<p style="${AT_AD}; margin: 0; ${WORDS}; color: transparent">XXXX</p><i style="position: absolute; top: 400px">on</i>`, `const text = document.querySelector('p').firstChild; CSS.highlights.set('h', new Highlight(new StaticRange({ startContainer: text, startOffset: 0, endContainer: document.querySelector('i').firstChild, endOffset: 2 })))`],
  ['what a script marked that has left the page', `<style>::highlight(h) { background-color: #000 }</style>${GAME}<p style="${AT_AD}; margin: 0; ${WORDS}; color: transparent">XXXX</p>`, `const p = document.querySelector('p'); const gone = document.createElement('p').appendChild(document.createTextNode('XXXX')); CSS.highlights.set('h', new Highlight(new StaticRange({ startContainer: gone, startOffset: 4, endContainer: gone, endOffset: 4 }), new StaticRange({ startContainer: p, startOffset: 0, endContainer: p, endOffset: 1 })))`],
  ['what the page in a frame is by a style sheet of a script', `${GAME}<iframe style="${FULL}; border: 0"></iframe>`, `const page = document.querySelector('iframe').contentDocument; const sheet = new page.defaultView.CSSStyleSheet(); sheet.replaceSync('html { background: #000 }'); page.adoptedStyleSheets = [sheet]`],
  ['corners of another shape than round', `${GAME}<div style="${AT_AD}; border-radius: 20px; corner-shape: square; ${DARK}"></div>`],
  ['a filter within a drawing', `${GAME}<svg style="${FULL}"><g style="filter: drop-shadow(-200px 0 #000)"><rect x="360" y="130" width="80" height="40"/></g></svg>`],
  ['a pseudo-element in a box that is scrolled', `<style>p::after { content: ''; position: absolute; left: 160px; top: 430px; width: 80px; height: 40px; ${DARK} }</style>${GAME}<p style="${FULL}; position: absolute; margin: 0; overflow: auto"><i style="display: block; height: 900px"></i></p>`, `document.querySelector('p').scrollTop = 300`],
  ['a pseudo-element in a part of a grid', `<style>p::after { content: ''; position: absolute; grid-column: 2; left: 0; top: 0; width: 80px; height: 40px; ${DARK} }</style>${GAME}<p style="display: grid; position: absolute; margin: 0; left: 60px; top: 130px; width: 300px; grid-template-columns: 100px 1fr"></p>`],
  ['a closed shadow root that leaves out what its host holds', `${GAME}<div id="h" style="${FULL}"><b></b></div>`, `document.getElementById('h').attachShadow({ mode: 'closed' }).innerHTML = '<p style="${FULL}; margin: 0; ${DARK}"></p>'`],
  ['a curtain in what hides its overflow and is no box', `${GAME}<div style="display: contents; overflow: hidden"><div style="${FULL}; position: absolute; ${DARK}"></div></div>`],
  ['a curtain in what is clear and no box', `${GAME}<div style="display: contents; opacity: 0"><div style="${FULL}; ${DARK}"></div></div>`],
  ['a curtain in what is cut to nothing and no box', `${GAME}<div style="display: contents; clip-path: inset(50%)"><div style="${FULL}; ${DARK}"></div></div>`],
  ['a curtain in words that hide their overflow', `${GAME}<span style="position: relative; overflow: hidden">on<b style="${FULL}; position: absolute; top: -300px; ${DARK}; height: 900px"></b></span>`],
  ['a curtain in the row of a table that hides its overflow', `${GAME}<table><tr style="position: relative; overflow: hidden"><td>on<b style="${FULL}; position: absolute; top: -300px; ${DARK}; height: 900px"></b></td></tr></table>`],
  ['a faint pane that turns the light of the ad into its opposite', `${GAME}<div style="${FULL}; background: #fff; opacity: 0.45; mix-blend-mode: difference"></div>`],
  ['a faint pane that shows what lies below as its opposite', `${GAME}<div style="${FULL}; opacity: 0.3; backdrop-filter: invert(1)"></div>`],
  ['a faint pane that a filter of the page makes strong', `${GAME}<svg width="0" height="0">${STRONG}</svg><div style="filter: url(#f)"><div style="${FULL}; ${DARK}; opacity: 0.3"></div></div>`],
  ['a faint drawing that a filter makes strong', `${GAME}<svg style="${FULL}">${STRONG}<g filter="url(#f)"><rect width="400" height="300" opacity="0.2"/></g></svg>`],
  ['a drawing whose faint ground and lines add up', `${GAME}<svg style="${FULL}"><rect width="400" height="300" stroke="#000" fill-opacity="0.4" stroke-opacity="0.4" stroke-width="400"/></svg>`],
  ['the padding of a pseudo-element within a line', `<style>p::before { content: ''; padding: 50px 40px; ${DARK} }</style>${GAME}<p style="${AT_AD}; top: 175px; margin: 0"></p>`],
  ['the button to scroll what lies beside the game', `<style>p::scroll-button(right) { content: ' '; position: absolute; left: 140px; top: 110px; width: 120px; height: 80px; ${DARK} }</style>${GAME}<p style="position: absolute; top: 320px; width: 100px; overflow: auto"><i style="display: block; width: 900px; height: 9px"></i></p>`],
  ['the sign for a missing picture that is one of several', `${GAME}<picture><source srcset="data:,"><img style="${AT_AD}"></picture>`, `await new Promise((resolve) => setTimeout(resolve, 100))`],
  ['a blur that goes beyond a box that cuts', `${GAME}<div style="filter: blur(40px)"><div style="position: absolute; left: 60px; top: 0; width: 90px; height: 300px; overflow: hidden"><div style="width: 400px; height: 300px; ${DARK}"></div></div></div>`],
  ['what is in a faint dialog above a faint backdrop', `<style>::backdrop { background: rgba(0, 0, 0, 0.3) }</style>${GAME}<dialog style="${FULL}; margin: 0; padding: 0; border: 0; max-width: none; opacity: 0.3; background: none"><p style="position: absolute; inset: 0; margin: 0; ${DARK}"></p></dialog>`, `document.querySelector('dialog').showModal()`],
  ['the bars to scroll a box by, which here take all of it', `${GAME}<div id="s" style="${AT_AD}; overflow: scroll"></div>`, `Object.defineProperty(document.getElementById('s'), 'clientHeight', { value: 0 })`],
]; // prettier-ignore

describe('what the box search does not know is never seen', () => {
  it.each([...UNSEEN, ...BESIDE_BOXES])('%s', async (_, html, script = '') => {
    expect((await look(html, script)).seen).toBe(0);
  });

  it.each(UNSEEN)('and a look leaves no trace: %s', async (_, html, script = '') => {
    expect(await look(html, script)).toMatchObject({ leftBehind: 0, mutations: 0 });
  });

  describe('in a browser that does not tell lengths as they were given, as Firefox', () => {
    const without = (script: string) => `delete Element.prototype.computedStyleMap; ${script}`;

    it.each(UNSEEN.filter(([what]) => what.includes('shadow root')))('%s', async (_, html, script = '') => {
      expect(await look(html, without(script))).toEqual({ seen: 0, unmeasurable: 100, leftBehind: 0, mutations: 0 });
    });

    it.each([
      ['has a height', 'position: absolute; left: 0; top: 0; width: 400px; height: 300px'],
      ['has the height of what it is in', 'position: absolute; left: 0; top: 0; width: 100%; height: 100%'],
      ['is stretched over the page', 'position: fixed; inset: 0'],
      ['is as high as its ratio makes it', 'position: absolute; left: 0; top: 0; width: 400px; aspect-ratio: 4 / 3'],
    ])('but an empty box that %s hides nothing', async (_, style) => {
      const clear = await look(`${GAME}<div style="${style}"></div>`, without(''));
      expect(clear).toEqual({ seen: 100, unmeasurable: 0, leftBehind: 0, mutations: 0 });
    });

    it.each(['flex', 'flex; flex-direction: column', 'grid'])(
      'but an item that %s stretches hides nothing',
      async (display) => {
        const html = `${GAME}<div style="${FULL}; display: ${display}"><div style="flex: 1"></div></div>`;
        expect(await look(html, without(''))).toMatchObject({ seen: 100, unmeasurable: 0 });
      },
    );
  });

  it('but what is known to be clear hides nothing', async () => {
    const clear = [
      GAME,
      `${GAME}<div style="${FULL}"></div>`,
      `${GAME}<div style="${FULL}; pointer-events: none"><b style="position: absolute; left: 300px; ${DARK}">9</b></div>`,
      `<style>a::after { content: ''; ${FULL} }</style>${GAME}<a style="position: absolute; top: 400px">on</a>`,
      `<style>::backdrop { background: none }</style>${GAME}<dialog style="top: 400px" open></dialog>`,
      `${GAME}<div style="display: flex; ${FULL}"><div style="flex: 1"></div></div>`,
      `<div style="position: relative; padding-top: 130px; ${WORDS}">LOADING LOADING${GAME}</div>`,
      `${GAME}<div style="${FULL}; overflow: auto; resize: both"><fieldset style="margin-top: 200px"><legend>on</legend></fieldset></div>`,
      `${GAME}<div style="${FULL}"><b style="display: none">on</b></div>`,
      `${GAME}<div style="${FULL}; content-visibility: hidden"><b>on</b></div>`,
      `${GAME}<p style="${AT_AD}; margin: 0; white-space: pre; ${WORDS}">    </p>`,
      `${GAME}<fieldset style="${FULL}; margin: 0; padding: 0; border: 0"></fieldset>`,
      `${GAME}<p style="${AT_AD}; margin: 0; ${WORDS}; color: transparent"><span><b>XXX</b><br><b>XX</b></span></p>`,
      `${GAME}<p style="${AT_AD}; margin: 0; ${WORDS}; color: transparent; text-shadow: 0 0 9px rgba(0, 0, 0, 0.2)">XXX</p>`,
      `${GAME}<div style="position: absolute; z-index: -1; left: 370px; top: 20px; width: 20px; height: 20px; filter: blur(90px); ${DARK}"></div>`,
      // Nobody can tell what is seen of these, but all of it together is too faint to hide anything.
      `${GAME}<div style="${FULL}; background: repeating-linear-gradient(rgba(0, 0, 0, 0.2) 0 1px, transparent 1px 3px)"></div>`,
      `${GAME}<div style="${FULL}; background: linear-gradient(45deg, rgba(0, 0, 0, 0.4), transparent) 0 0 / 9px 9px"></div>`,
      `${GAME}<canvas width="400" height="300" style="${FULL}; opacity: 0.4"></canvas>`,
      `${GAME}<div style="${FULL}; background: url(noise.png); opacity: 0.1; mix-blend-mode: overlay"></div>`,
      `<style>p::before, p::after { content: ' '; display: table } b::before { content: '\\200b' }</style>${GAME}<p style="${FULL}; margin: 0"><b></b></p>`,
      `${GAME}<div style="${FULL}; box-sizing: border-box; border: 20px solid; border-image: linear-gradient(45deg, red, blue) 1"></div>`,
    ];
    for (const html of clear) expect([html, (await look(html)).seen]).toEqual([html, 100]);
  });
});

describe('a page that stays the same', () => {
  /** How often it is looked at within some time of its own clock, after it has been opened and something has been done. */
  const looks = async (html: string, script = '') => {
    const watched = await browser.newPage({ viewport: { width: 600, height: 600 } });
    await watched.clock.install({ time: 0 });
    await watched.goto(server.url);
    await watched.waitForFunction(() => 'pageNet' in window);
    await watched.clock.pauseAt(600_000);
    await watched.evaluate((body) => (window as unknown as NetWindow).pageNet.open(body), html);
    await watched.evaluate(() => (window as unknown as NetWindow).pageNet.watch());
    // What opening it has announced is looked at.
    await watched.clock.runFor(1200);
    const before = await watched.evaluate(() => (window as unknown as NetWindow).pageNet.looks());
    await watched.evaluate(script);
    await watched.clock.runFor(1200);
    const after = await watched.evaluate(() => (window as unknown as NetWindow).pageNet.looks());
    await watched.close();
    return after - before;
  };

  it('is hardly ever looked at', async () => {
    expect(await looks(GAME)).toBeLessThanOrEqual(1);
  });

  it('is looked at soon after it has changed', async () => {
    expect(await looks(GAME, "document.body.append(document.createElement('p'))")).toBeGreaterThanOrEqual(1);
  });

  it('is looked at when something may have changed it, at once or later, as long as it is watched', async () => {
    await open(`${GAME}<img alt="" src="data:,">`);
    const changing = ['load', 'toggle', 'contentvisibilityautostatechange', 'input', 'focusin', 'focusout', 'pointerover', 'transitionrun', 'transitionend', 'animationstart', 'animationend']; // prettier-ignore
    const rows: [...PageEvent, Answer][] = [
      ...changing.map((name): [...PageEvent, Answer] => ['element', name, 'later']),
      ['window', 'resize', 'later'],
      ['viewport', 'scroll', 'later'],
      ['viewport', 'resize', 'later'],
      ['element', 'scroll', 'later'],
      ['window', 'focus', 'at once'],
      ['window', 'blur', 'at once'],
      ['element', 'focus', 'never'],
      ['document', 'visibilitychange', 'at once'],
      ['document', 'fullscreenchange', 'at once'],
      ['scale', 'resize', 'at once'],
      ['element', 'click', 'never'],
      ['window', 'scroll', 'later'],
    ];
    const { watched, stopped } = await page.evaluate(
      (events) => (window as unknown as NetWindow).pageNet.answers(events),
      rows.map(([target, name]): PageEvent => [target, name]),
    );
    expect(rows.map(([target, name], i) => [target, name, watched[i]])).toEqual(rows);
    expect(new Set(stopped)).toEqual(new Set(['never']));
  });

  it.each([
    ['pictures come', 'load'],
    ['the focus is lost', 'focusout'],
  ])('is looked at twice a second while %s, which changes no element', async (_, name) => {
    const coming = `setInterval(() => document.querySelector('img').dispatchEvent(new Event('${name}')), 50)`;
    expect(await looks(`${GAME}<img alt="" src="data:,">`, coming)).toBe(2);
  });
});

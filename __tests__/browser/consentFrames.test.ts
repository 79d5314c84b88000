import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import { until } from '../helpers/until.js';

let browser: Browser;
let pages: PageServer;
let page: Page;
/** Folder of the pages around the game. */
let around: string;

beforeAll(async () => {
  browser = await launchBrowser();
  around = await mkdtemp(path.join(os.tmpdir(), 'consent-frames-'));
  const bundle = await bundlePage('__tests__/browser/pages/consentFrames.ts');
  pages = await servePages({ '/': bundle, '/around/': around });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  await rm(around, { recursive: true, force: true });
});
beforeEach(async () => {
  page = await browser.newPage();
  await page.clock.install();
});
afterEach(() => page.close());

/** The same server as another site, so that Chromium puts its frames into a process of their own. */
const ours = (): string => pages.url;
const foreign = (): string => pages.url.replace('127.0.0.1', 'localhost');

/** The consent manager of the outermost page, as the IAB's stub has it, and how a test works it. */
interface PageWithCmp extends Window {
  install(how: { readonly inText: boolean }): void;
  load(): void;
  tell(event: object): void;
}

/** Runs in the page: a stub with a locator frame, which answers frames below by messages, and later the manager. */
const CMP = `
  const listeners = [];
  let queue = [], last = null, isLoaded = false;
  const run = (command, version, callback, parameter) => {
    if (command !== 'addEventListener') return callback(true, true);
    listeners.push(callback);
    if (last) callback({ ...last, listenerId: listeners.length }, true);
  };
  window.install = ({ inText }) => {
    const locator = document.createElement('iframe');
    locator.name = '__tcfapiLocator';
    locator.style.display = 'none';
    document.body.append(locator);
    window.__tcfapi = (...args) => (isLoaded ? run(...args) : queue.push(args));
    addEventListener('message', ({ data, source }) => {
      const call = (typeof data === 'string' ? JSON.parse(data) : data).__tcfapiCall;
      if (!call) return;
      window.__tcfapi(call.command, call.version, (returnValue, success) => {
        const answer = { __tcfapiReturn: { returnValue, success, callId: call.callId } };
        source.postMessage(inText ? JSON.stringify(answer) : answer, '*');
      }, call.parameter);
    });
  };
  window.load = () => {
    isLoaded = true;
    for (const args of queue.splice(0)) run(...args);
  };
  window.tell = (event) => {
    last = { tcfPolicyVersion: 5, cmpStatus: 'loaded', listenerId: 1, ...event };
    listeners.forEach((listener, i) => listener({ ...last, listenerId: i + 1 }, true));
  };`;

let opened = 0;

/** Opens pages in each other, the outermost first, with the game in the last. */
async function open(origins: readonly string[]): Promise<Frame> {
  const name = `page${++opened}`;
  const last = origins.length - 1;
  const addressOf = (level: number) => `${origins[level]}/${level === last ? '' : `around/${name}-${level}.html`}`;
  for (let level = 0; level < last; level++) {
    const script = level === 0 ? `<script>${CMP}</script>` : '';
    await writeFile(
      path.join(around, `${name}-${level}.html`),
      `<body>${script}<iframe src="${addressOf(level + 1)}"></iframe>`,
    );
  }
  await page.goto(addressOf(0));
  const gameOf = () => page.frames().find((frame) => frame.url() === addressOf(last));
  await until(() => gameOf() !== undefined);
  const game = gameOf()!;
  await game.waitForFunction(() => 'consent' in window, null, { polling: 20 });
  return game;
}

const cmp = <T>(act: (page: PageWithCmp, given: T) => void, given: T): Promise<void> =>
  page.evaluate(`(${act.toString()})(window, ${JSON.stringify(given)})`);
const stateOf = (game: Frame) =>
  game.evaluate(() => ({ isDecided: window.consent!.isDecided, signals: { ...window.consent!.signals } }));
/** Lets time pass in all frames, and messages find their ways. */
const pass = async (ms: number): Promise<void> => {
  await page.clock.runFor(ms);
  await new Promise((resolve) => setTimeout(resolve, 50));
};

jest.setTimeout(60_000);

describe('P5: consent of a page around the game', () => {
  it.each<[string, () => string[], boolean]>([
    ['of the same origin', () => [ours(), ours()], false],
    ['of another site', () => [foreign(), ours()], false],
    ['of another site, whose manager answers in text', () => [foreign(), ours()], true],
    ['of another site, with one of the own origin in between', () => [foreign(), ours(), ours()], false],
    ['of the own origin, with one of another site in between', () => [ours(), foreign(), ours()], false],
  ])('%s is heard: a late stub, minutes of questions, an answer, and another one', async (_name, origins, inText) => {
    const game = await open(origins());
    await pass(2_000);
    expect(await stateOf(game)).toEqual({ isDecided: false, signals: {} });
    await cmp((top, how) => top.install(how), { inText });
    await pass(2_000);
    await cmp((top) => top.load(), null);
    await cmp((top, event) => top.tell(event), { eventStatus: 'cmpuishown', gdprApplies: true, tcString: 'COld' });
    await pass(5 * 60_000);
    expect(await stateOf(game)).toEqual({ isDecided: false, signals: { gdprApplies: true } });
    await cmp((top, event) => top.tell(event), { eventStatus: 'useractioncomplete', gdprApplies: true, tcString: 'CYes' });
    await until(async () => (await stateOf(game)).isDecided);
    expect(await stateOf(game)).toEqual({ isDecided: true, signals: { gdprApplies: true, tcString: 'CYes' } });
    await cmp((top, event) => top.tell(event), { eventStatus: 'useractioncomplete', gdprApplies: true, tcString: 'CNo' });
    await until(async () => (await stateOf(game)).signals.tcString === 'CNo');
  }); // prettier-ignore

  it('where no law asks for it is decided at once; a stub whose manager never comes is given up', async () => {
    const game = await open([foreign(), ours()]);
    await cmp((top, how) => top.install(how), { inText: false });
    await pass(500);
    await cmp((top) => top.load(), null);
    await cmp((top, event) => top.tell(event), { eventStatus: 'tcloaded', gdprApplies: false });
    await until(async () => (await stateOf(game)).isDecided);
    expect((await stateOf(game)).signals).toEqual({ gdprApplies: false });
    await page.goto('about:blank');
    const silent = await open([foreign(), ours()]);
    await cmp((top, how) => top.install(how), { inText: false });
    await pass(21_000);
    const changes = await silent.evaluate(() => window.changes);
    await pass(10 * 60_000);
    expect(await stateOf(silent)).toEqual({ isDecided: false, signals: {} });
    expect(await silent.evaluate(() => window.changes)).toBe(changes);
  });
});

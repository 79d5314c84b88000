import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page, Request } from 'playwright-core';
import { DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { bundlePage } from '../../helpers/bundlePage.js';
import { launchBrowser } from '../../helpers/launchBrowser.js';
import { DemoPage } from './DemoPage.js';
import { type RunningDemo, serveDemo } from './serveDemo.js';

/*
 * The player's account with everything real: the game in one page, the service's web app in another, the service
 * between them, a browser around all.
 */

const SHOTS = path.resolve('node_modules/.cache/demo-screenshots');
const ACCOUNT_BUTTON = [160, 338] as const;

let browser: Browser;
let server: RunningDemo;
let demo: DemoPage;
/** The service's own page, where the player answers what games ask. */
let webApp: Page;

// Without a graphics card, and with other test files beside it, a page takes its time to start.
jest.setTimeout(240_000);

beforeAll(async () => {
  await mkdir(SHOTS, { recursive: true });
  const bundle = bundlePage('demo/game/main.ts', { template: 'demo/index.html' });
  [server, browser] = await Promise.all([bundle.then(serveDemo), launchBrowser()]);
  demo = await DemoPage.open(browser, server.origin);
  webApp = await demo.context.newPage();
  await webApp.goto(`${server.origin}/app`);
  await webApp.fill('#email', DEMO_PLAYER.email);
  await webApp.fill('#password', DEMO_PLAYER.password);
  await webApp.click('button[type=submit]');
  await demo.page.bringToFront();
}, 240_000);

beforeEach(async () => {
  await demo.toMenu();
  await openCard();
});
afterEach(() => expect(demo.errors).toEqual([]));

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function openCard(tab = demo): Promise<void> {
  await tab.click(ACCOUNT_BUTTON);
  await tab.until('the card', () => document.querySelector('.account')!.getClientRects().length > 0, 20);
}

const status = () => demo.page.locator('.account .status');
const code = () => demo.page.locator('.account .code');
const press = (name: string, page = demo.page) => page.getByRole('button', { name, exact: true }).click();

async function expectSignedIn(page = demo.page): Promise<void> {
  const card = page.locator('.account');
  const who = card.locator('.who').filter({ hasText: DEMO_PLAYER.displayName });
  await who.waitFor().catch(async () => {
    throw new Error(
      `Not signed in; the card shows ${await card.getAttribute('data-state')}: ${await card.innerText()}`,
    );
  });
}

async function signInByPassword(page = demo.page): Promise<void> {
  await page.getByRole('button', { name: 'Password', exact: true }).click();
  await page.fill('.account input[name=email]', DEMO_PLAYER.email);
  await page.fill('.account input[name=password]', DEMO_PLAYER.password);
  await page.keyboard.press('Enter');
  await expectSignedIn(page);
}

/** @returns the code the game shows. */
async function askByEmail(): Promise<string> {
  await press('Without password');
  await demo.page.fill('.account input[name=email]', DEMO_PLAYER.email);
  await demo.page.locator('.account button[type=submit]').click();
  const shown = await code().textContent();
  expect(shown).toMatch(/^[A-Z0-9]{4}$/);
  expect(await demo.page.locator('.account .clock').textContent()).toMatch(/^\d+:\d\d$/);
  return shown!;
}

/** What the player does on the service's page: settles once the service has taken the answer. */
async function decide(verb: 'Pick' | 'Decline', shownCode: string): Promise<void> {
  await webApp.bringToFront();
  const [answer] = await Promise.all([
    webApp.waitForResponse((response) => /\/(confirm|deny)$/.test(response.url())),
    webApp
      .getByRole('button', { name: verb === 'Pick' ? `${shownCode}: Rush Street` : 'Decline: Rush Street' })
      .click(),
  ]);
  expect(answer.status()).toBe(200);
  await demo.page.bringToFront();
}

it('opens the card whole and in the middle of the picture, also for the first time', async () => {
  const [card, game] = await Promise.all(
    ['.account', '#game canvas'].map((selector) => demo.page.locator(selector).first().boundingBox()),
  );
  expect(card!.y).toBeGreaterThanOrEqual(game!.y);
  expect(card!.y + card!.height).toBeLessThanOrEqual(game!.y + game!.height);
  expect(card!.x + card!.width / 2).toBeCloseTo(game!.x + game!.width / 2, -0.5);
  expect(card!.y + card!.height / 2).toBeCloseTo(game!.y + game!.height / 2, -0.5);
});

it('says what is wrong with a wrong password, signs in with the right one, and signs out', async () => {
  await press('Password');
  await demo.page.fill('.account input[name=email]', DEMO_PLAYER.email);
  await demo.page.fill('.account input[name=password]', 'not my password');
  await demo.page.keyboard.press('Enter');
  await status().filter({ hasText: 'E-mail or password is wrong.' }).waitFor();
  await demo.screenshot(path.join(SHOTS, 'account-wrong.png'));
  await signInByPassword();
  await demo.screenshot(path.join(SHOTS, 'account-signed-in.png'));
  await press('Sign out');
  await demo.page.locator('.account input[name=password]').waitFor();
  expect(await demo.read((hook) => hook.scenes())).toEqual(['MainMenu']);
});

it('signs in without a password by the first poll after the player picks the code of the game in the web app', async () => {
  const shown = await askByEmail();
  const link = await demo.page.getByRole('link', { name: 'web app' }).getAttribute('href');
  expect(link).toMatch(/\/app\/requests\/connect_\w+$/);
  const code = (await demo.page.getByRole('img', { name: 'QR code' }).boundingBox())!;
  // 37 modules for an address of this length and 4 of light on each side: 2 pixels for each at least.
  expect(Math.min(code.width, code.height)).toBeGreaterThan(45 * 2);
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await demo.page.setViewportSize({ width, height });
    await demo.screenshot(path.join(SHOTS, `account-waiting-${String(width)}.png`));
  }
  await decide('Pick', shown);
  const polls: Request[] = [];
  const note = (request: Request) => {
    if (request.url().endsWith('/v1/token')) polls.push(request);
  };
  demo.page.on('request', note);
  await expectSignedIn();
  demo.page.off('request', note);
  // None, when one was on its way just then.
  const statuses = await Promise.all(polls.map(async (poll) => (await poll.response())?.status()));
  expect([[], [200]]).toContainEqual(statuses);
  await press('Sign out');
});

it('A3: signs in by a press in a popup, where the player is signed in to the web app', async () => {
  await press('Without password');
  await demo.page.fill('.account input[name=email]', DEMO_PLAYER.email);
  const [popup] = await Promise.all([demo.context.waitForEvent('page'), press('Answer in a window')]);
  await demo.page.getByText('Answer in the window that has opened').waitFor();
  await popup.getByRole('button', { name: `Continue as ${DEMO_PLAYER.displayName}` }).click();
  await expectSignedIn();
  await press('Sign out');
});

it('F72 says that the player denied, and asks again at a press of Try again', async () => {
  await decide('Decline', await askByEmail());
  await status().filter({ hasText: 'declined' }).waitFor();
  await demo.screenshot(path.join(SHOTS, 'account-denied.png'));
  await press('Try again');
  await decide('Pick', (await code().textContent())!);
  await expectSignedIn();
  await press('Sign out');
});

it('F71 says that nobody confirmed in time, and the web app lets the request go', async () => {
  const shown = await askByEmail();
  server.clock.advance(301_000);
  await status().filter({ hasText: 'Nobody confirmed in time.' }).waitFor();
  await demo.screenshot(path.join(SHOTS, 'account-expired.png'));
  await demo.page.getByRole('button', { name: 'Try again', exact: true }).waitFor();
  await webApp.getByText(shown, { exact: true }).waitFor({ state: 'detached' });
  // The game's backend signs by the machine's clock: five minutes apart, the service would refuse it.
  server.clock.advance(-301_000);
});

it('withdraws a request at a press of Cancel, also after the menu was left and entered again', async () => {
  const shown = await askByEmail();
  await demo.toMenu();
  await openCard();
  expect(await code().textContent()).toBe(shown);
  await press('Cancel');
  await demo.page.locator('.account input[name=email]').waitFor();
  await webApp.getByText(shown, { exact: true }).waitFor({ state: 'detached' });
});

it('takes a request that waits over a reload, and the player signed in then over the next', async () => {
  const shown = await askByEmail();
  await demo.reload();
  await openCard();
  expect(await code().textContent()).toBe(shown);
  await decide('Pick', shown);
  await expectSignedIn();
  await demo.reload();
  await openCard();
  await expectSignedIn();
  await press('Sign out');
});

it('F47 a sign-out in one tab signs the other tab out', async () => {
  await signInByPassword();
  const tab = await demo.openTab();
  await openCard(tab);
  await signInByPassword(tab.page);
  await press('Sign out', tab.page);
  await demo.page.locator('.account input[name=email]').waitFor();
  expect(await demo.page.locator('.account').getAttribute('data-state')).toBe('signedOut');
  await tab.page.close();
  expect(tab.errors).toEqual([]);
});

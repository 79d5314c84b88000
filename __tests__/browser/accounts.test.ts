import type { Browser, BrowserContext, Page } from 'playwright-core';
import { DEMO_PLAYER } from '../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../demo/service/startService.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

/*
 * A player's account in a real browser: a page of a game, whose tokens are bound to the browser, and the service's web
 * app beside it. The web app is at a name, since passkeys belong to names; so the two are of different sites.
 */

let browser: Browser;
let pages: PageServer;
let service: RunningService;
/** Of the service, by name. */
let origin: string;
/** Of one player, in which the pages of a test meet. */
let context: BrowserContext;
/** What the web app's pages complained about: errors of their scripts, and what their own policy blocked. */
let complaints: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  service = await startService();
  origin = service.origin.replace('127.0.0.1', 'localhost');
  pages = await servePages({ '/': await bundlePage('__tests__/browser/pages/accounts.ts') });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  await service?.close();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  complaints = [];
});
afterEach(() => context.close());

const open = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => 'openClient' in window);
  await page.evaluate((baseUrl) => void window.openClient!(baseUrl), `${origin}/api`);
};

async function openGame(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(pages.url);
  await open(page);
  return page;
}

/** For looking at the pages: SCREENSHOTS=<folder>. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${folder}/${name}-${String(width)}.png`, fullPage: true });
  }
}

/** A page of the web app, with the sign-in. */
async function openWebApp(path = '/app'): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(origin + path);
  return page;
}
async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(DEMO_PLAYER.email);
  await page.getByLabel('Password').fill(DEMO_PLAYER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const hello = (page: Page) => page.getByRole('heading', { name: `Hello, ${DEMO_PLAYER.displayName}` });

/** The player presses the game's button; the popup that opens. */
async function connectInPopup(game: Page): Promise<Page> {
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    game.evaluate((email) => void window.client!.connect(email, { popup: true }), DEMO_PLAYER.email),
  ]);
  return popup;
}
const isConnected = (game: Page) => game.waitForFunction(() => window.client!.session.state === 'connected');
const playerOf = (game: Page) =>
  game.evaluate(() =>
    window.client!.getPlayer().then(
      ({ displayName }) => displayName,
      (error: unknown) => (error as { code: string }).code,
    ),
  );

it('A3, A5: a popup of the web app connects a game whose tokens are bound to the browser, at one press of its player', async () => {
  const game = await openGame();
  const popup = await connectInPopup(game);
  await signIn(popup);
  await popup.getByText(`The game at ${pages.url} asks`).waitFor();
  await photograph(popup, 'popup');
  // As when it comes to the front under a click that was meant for another window.
  const agree = popup.getByRole('button', { name: `Continue as ${DEMO_PLAYER.displayName}` });
  await popup.waitForFunction(() => document.querySelector('button:not([disabled])') !== null);
  const enabled = (event: string) =>
    popup.evaluate((type) => {
      window.dispatchEvent(new Event(type));
      return document.querySelectorAll('button:not([disabled])').length;
    }, event);
  expect([await enabled('blur'), await enabled('focus')]).toEqual([0, 0]);
  const closed = popup.waitForEvent('close');
  await agree.click();
  await closed;
  await isConnected(game);
  expect(await playerOf(game)).toBe(DEMO_PLAYER.displayName);
  const bound = 'SELECT key_thumbprint FROM player_sessions WHERE revoked_at IS NULL';
  expect(await service.db.all(bound)).toEqual([{ key_thumbprint: expect.stringMatching(/^[\w-]{43}$/) as string }]);
  // The next one needs no sign-in.
  await game.evaluate(() => window.client!.logout());
  const again = await connectInPopup(game);
  await again.getByRole('button', { name: 'Decline' }).click();
  await game.waitForFunction(() => window.client!.session.state === 'denied');
});

it('A2, A3: a popup that is closed without an answer leaves the code to be picked on another page', async () => {
  const webApp = await openWebApp();
  await signIn(webApp);
  const game = await openGame();
  const popup = await connectInPopup(game);
  await popup.getByRole('button', { name: 'Decline' }).waitFor();
  await popup.close();
  const code = await game.evaluate(() => window.client!.session.bindingCode);
  await webApp.getByRole('button', { name: `${code!}: Rush Street` }).click();
  await isConnected(game);
  expect(await playerOf(game)).toBe(DEMO_PLAYER.displayName);
  expect(complaints).toEqual([]);
});

it('A3: a game that reloads before the answer of its popup reaches it hangs on nothing: its code can be picked', async () => {
  const webApp = await openWebApp();
  await signIn(webApp);
  const game = await openGame();
  const popup = await connectInPopup(game);
  await popup.waitForFunction(() => document.querySelector('button:not([disabled])') !== null);
  await game.reload();
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: `Continue as ${DEMO_PLAYER.displayName}` }).click();
  await closed;
  await open(game);
  const code = await game.evaluate(() => window.client!.session.bindingCode);
  await webApp.getByRole('button', { name: `${code!}: Rush Street` }).click();
  await isConnected(game);
  expect(complaints).toEqual([]);
});

it('A6: “log out everywhere” on one page ends the others: the web app at once, the game at its next request', async () => {
  const game = await openGame();
  await game.evaluate(([mail, secret]) => window.client!.login(mail!, secret!), [DEMO_PLAYER.email, DEMO_PLAYER.password]); // prettier-ignore
  const webApp = await openWebApp();
  await signIn(webApp);
  await hello(webApp).waitFor();
  const account = await openWebApp('/app/account');
  await account.getByText('in use here').waitFor();
  await photograph(account, 'account');
  await account.getByRole('button', { name: 'Log out everywhere' }).click();
  for (const page of [account, webApp]) await page.getByLabel('E-mail').waitFor();
  expect(await playerOf(game)).toBe('session/user-required');
  expect(await game.evaluate(() => window.client!.session.state)).toBe('expired');
  expect(complaints).toEqual([]);
});

it('A6: a passkey is added, signs in with nothing typed, and once removed no more; all within the page’s policy', async () => {
  const page = await openWebApp();
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await photograph(page, 'sign-in');
  await signIn(page);
  await page.getByRole('link', { name: 'Your account' }).click();
  await page.getByText('Add a passkey', { exact: true }).click();
  const add = page.getByRole('button', { name: 'Add a passkey of this device' });
  await page.getByLabel('Your password').first().fill('wrong');
  await add.click();
  await page.getByText('The password is wrong.').waitFor();
  await page.getByLabel('Your password').first().fill(DEMO_PLAYER.password);
  await add.click();
  await page.getByText('not used yet').waitFor();
  await photograph(page, 'passkeys');

  const leave = () => page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await leave();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await hello(page).waitFor();
  await page.getByRole('link', { name: 'Your account' }).click();
  await page.getByText('last used just now').first().waitFor();
  await page.getByRole('button', { name: /^Remove: passkey/ }).click();
  await page.getByText('With one you sign in here without the password.').waitFor();
  await leave();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('This passkey is not known here (any more).').waitFor();
  // The browser's own lines about the two refusals; no faults of the page.
  expect(complaints.filter((line) => !line.includes('401'))).toEqual([]);
});

it('A5: a bound session lives over a reload by a key nobody can export; its storage opens nothing in another browser', async () => {
  const page = await openGame();
  const { email, password } = DEMO_PLAYER;
  await page.evaluate(([mail, secret]) => window.client!.login(mail!, secret!), [email, password]);
  expect(await page.evaluate(() => window.client!.getPlayer())).toMatchObject({ displayName: DEMO_PLAYER.displayName });

  // What the page leaves as it goes, before the next takes it.
  await page.reload();
  const stored = await page.evaluate(() => Object.fromEntries(Object.entries<string>(sessionStorage)));
  expect(Object.keys(stored)).toHaveLength(1);
  const keys = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('phaser-inview-keys');
        opening.onsuccess = () => {
          const reading = opening.result.transaction('keys').objectStore('keys').getAll();
          reading.onsuccess = () => {
            opening.result.close();
            const pairs = reading.result as CryptoKeyPair[];
            const tries = pairs.map(({ privateKey }) =>
              crypto.subtle.exportKey('jwk', privateKey).then(
                () => 'exported',
                (error: unknown) => (error as DOMException).name,
              ),
            );
            resolve(Promise.all(tries));
          };
        };
      }),
  );
  expect(keys).toEqual(['InvalidAccessError']);

  const thief = await (await browser.newContext()).newPage();
  await thief.goto(pages.url);
  await thief.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value);
  }, stored);
  await open(thief);
  await thief.waitForFunction(() => window.client!.session.state === 'expired');

  await open(page);
  expect(await page.evaluate(() => window.client!.getPlayer())).toMatchObject({ displayName: DEMO_PLAYER.displayName });
});

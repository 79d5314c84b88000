import type { Browser, Page } from 'playwright-core';
import { DEMO_PLAYER } from '../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../demo/service/startService.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

let browser: Browser;
let pages: PageServer;
let service: RunningService;
beforeAll(async () => {
  browser = await launchBrowser();
  service = await startService();
  pages = await servePages({ '/': await bundlePage('__tests__/browser/pages/boundSession.ts') });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  await service?.close();
});

const open = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => 'openClient' in window);
  await page.evaluate((baseUrl) => void window.openClient!(baseUrl), service.baseUrl);
};

it('A5: a bound session lives over a reload by a key nobody can export; its storage opens nothing in another browser', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(pages.url);
  await open(page);
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

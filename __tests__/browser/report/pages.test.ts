import type { Browser, BrowserContext, Page } from 'playwright-core';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchBrowser } from '../../helpers/launchBrowser.js';
import { servePages } from '../../helpers/servePages.js';
import type { ReportPage } from './page.js';
import { ReportingSite } from './ReportingBrowser.js';

type ReportWindow = Window & { reportPage: ReportPage };

const TABS = process.env['DEEP'] ? 20 : 3;
const EVENTS_PER_TAB = process.env['DEEP'] ? 1_000 : 50;

let site: ReportingSite;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  [site, browser] = await Promise.all([ReportingSite.open(), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await site.close();
});
beforeEach(async () => {
  site.service.faults.clear();
  context = await browser.newContext();
});
afterEach(() => context.close());

async function openPage(name: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site.url(name, 0));
  return page;
}

const record = (page: Page, names: readonly string[]): Promise<void> =>
  page.evaluate(async (all) => {
    await Promise.all(all.map((name) => (window as unknown as ReportWindow).reportPage.record(name)));
  }, names);

const flush = (page: Page): Promise<boolean> =>
  page.evaluate(() => (window as unknown as ReportWindow).reportPage.reporter.flush({ timeoutMs: 20_000 }));

const stateOf = (page: Page) =>
  page.evaluate(() => {
    const { durability, ledger, isBlocked } = (window as unknown as ReportWindow).reportPage.reporter;
    return { durability, ledger, isBlocked };
  });

const namesOf = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

/** Waits until the service has counted these. */
async function expectCounted(names: readonly string[]): Promise<void> {
  for (let i = 0; i < 150; i++) {
    const counts = await site.counts();
    if (names.every((name) => counts.has(name))) break;
    await sleep(100);
  }
  const counts = await site.counts();
  expect(names.map((name) => counts.get(name))).toEqual(names.map(() => 1));
}

const blackHole = { path: '/api/v1/events', fault: { kind: 'delay', ms: 3_600_000 } } as const;

describe('reports of a real page', () => {
  test('are on disk before they are announced, and answered for one by one', async () => {
    const page = await openPage('disk');
    await record(page, namesOf('disk', 3));
    expect(await stateOf(page)).toMatchObject({ durability: 'disk', ledger: { created: 3, pending: 3 } });
    expect(await flush(page)).toBe(true);
    expect(await stateOf(page)).toMatchObject({ ledger: { created: 3, accepted: 3, pending: 0 } });
    await expectCounted(namesOf('disk', 3));
  });

  test.each(['every transaction', 'every request'])(
    'S5: stay on disk when %s fails on the connection that is open, and a new one works',
    async (what) => {
      const page = await openPage('lost');
      const [before, after] = [namesOf(`before ${what}`, 3), namesOf(`after ${what}`, 4)];
      await record(page, before);
      expect(await stateOf(page)).toMatchObject({ durability: 'disk' });
      await page.evaluate((fails) => {
        const opened = new WeakSet<IDBDatabase>();
        const { open } = IDBFactory.prototype;
        IDBFactory.prototype.open = function (this: IDBFactory, ...given: Parameters<typeof open>) {
          const request = open.apply(this, given);
          request.addEventListener('success', () => opened.add(request.result));
          return request;
        };
        const { transaction } = IDBDatabase.prototype;
        IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given: Parameters<typeof transaction>) {
          if (!opened.has(this) && fails === 'every transaction') {
            throw new DOMException('Connection to Indexed Database server lost', 'UnknownError');
          }
          const begun = transaction.apply(this, given);
          if (!opened.has(this)) queueMicrotask(() => begun.abort());
          return begun;
        };
      }, what);
      await record(page, after);
      expect(await stateOf(page)).toMatchObject({ durability: 'disk', ledger: { created: 7, pending: 7 } });
      // What is on disk is there for the next page.
      await page.close({ runBeforeUnload: false });
      const next = await openPage('next');
      expect(await flush(next)).toBe(true);
      await expectCounted([...before, ...after]);
      expect(await stateOf(next)).toMatchObject({ durability: 'disk', ledger: { pending: 0 } });
    },
  );

  test('leave with the page that is closed, by a request that needs no preflight', async () => {
    const page = await openPage('close');
    await record(page, namesOf('close', 4));
    await page.close({ runBeforeUnload: true });
    await expectCounted(namesOf('close', 4));
  });

  test('F31 survive a navigation in mid-send: the next page sends the same event, counted once', async () => {
    site.service.faults.add(blackHole);
    const page = await openPage('away');
    await record(page, namesOf('away', 12));
    await sleep(200);
    await page.goto('about:blank');
    site.service.faults.clear();
    const next = await openPage('back');
    // The browser may take a while to let go of the page that was left.
    for (let i = 0; i < 100; i++) {
      expect(await flush(next)).toBe(true);
      if ((await stateOf(next)).ledger.pending === 0) break;
      await sleep(100);
    }
    await expectCounted(namesOf('away', 12));
    expect((await stateOf(next)).ledger).toMatchObject({ created: 12, pending: 0 });
  });

  test('R2: F37 F38 are delivered by a page whose clock is right after one whose clock was 48 hours behind, and offline', async () => {
    const behind = await context.newPage();
    await behind.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() - 48 * 3_600_000;
    });
    await behind.goto(site.url('behind', 0));
    await context.setOffline(true);
    await record(behind, namesOf('behind', 49));
    await sleep(1_000);
    expect((await stateOf(behind)).ledger).toMatchObject({ created: 49, pending: 49 });
    // As long as it lives it tries once more as soon as it is online, and what it may have sent is given up by its clock. A page
    // that is closed may live on for a moment.
    const isGone = behind.waitForEvent('crash', { timeout: 0 });
    const session = await context.newCDPSession(behind);
    session.send('Page.crash').catch(() => undefined);
    await isGone;
    await behind.close();
    await context.setOffline(false);
    const next = await openPage('right');
    // The browser may take a while to let go of the page that was left.
    for (let i = 0; i < 100; i++) {
      expect(await flush(next)).toBe(true);
      if ((await stateOf(next)).ledger.pending === 0) break;
      await sleep(100);
    }
    await expectCounted(namesOf('behind', 49));
    expect((await stateOf(next)).ledger).toMatchObject({ created: 49, pending: 0, dropped: { tooOld: 0 } });
  });

  test('R2: wait for the next page, a day later, where the page ended before there was a token to send them with', async () => {
    const short = await context.newPage();
    await short.goto(`${site.url('short', 0)}&noToken`);
    await record(short, namesOf('short', 3));
    expect(await stateOf(short)).toMatchObject({ durability: 'disk' });
    const isClosed = short.waitForEvent('close', { timeout: 0 });
    await short.close({ runBeforeUnload: true });
    await isClosed;
    await context.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 24 * 3_600_000;
    });
    const next = await openPage('next day');
    // The browser may take a while to let go of the page that was closed.
    for (let i = 0; i < 100; i++) {
      expect(await flush(next)).toBe(true);
      if ((await stateOf(next)).ledger.pending === 0) break;
      await sleep(100);
    }
    await expectCounted(namesOf('short', 3));
    expect((await stateOf(next)).ledger).toMatchObject({ created: 3, pending: 0, dropped: { tooOld: 0 } });
  });

  test('F35 survive a storm of reloads', async () => {
    const names = namesOf('storm', 20);
    const page = await openPage('storm');
    for (const name of names) {
      await record(page, [name]);
      await page.reload();
    }
    await flush(page);
    await expectCounted(names);
  });

  test('F28 survive when the page has used up what may outlive it', async () => {
    const page = await openPage('budget');
    await page.evaluate((origin) => {
      addEventListener('pagehide', () => navigator.sendBeacon(`${origin}/beacon`, 'x'.repeat(60_000)), {
        capture: true,
      });
    }, site.pages.url);
    await record(page, namesOf('budget', 15));
    await page.goto('about:blank');
    const next = await openPage('after');
    await flush(next);
    await expectCounted(namesOf('budget', 15));
  });

  test('F44 go on when the site’s storage is cleared under the page', async () => {
    site.service.faults.add({ path: '/api/v1/events', fault: { kind: 'status', status: 503 } });
    const page = await openPage('cleared');
    await record(page, namesOf('cleared', 5));
    await page.evaluate(async () => {
      for (const { name } of await indexedDB.databases()) {
        await new Promise((resolve) => (indexedDB.deleteDatabase(name!).onsuccess = resolve));
      }
    });
    await record(page, namesOf('recreated', 2));
    site.service.faults.clear();
    expect(await flush(page)).toBe(true);
    await expectCounted([...namesOf('cleared', 5), ...namesOf('recreated', 2)]);
    expect(await stateOf(page)).toMatchObject({ durability: 'disk', ledger: { created: 7, pending: 0 } });
  });

  test('F40 are kept in memory in a sandboxed frame, which has no storage; nothing hangs', async () => {
    const page = await context.newPage();
    await page.goto(`${site.pages.url}/`);
    await page.setContent(`<iframe sandbox="allow-scripts" src="${site.url('sandboxed', 0)}"></iframe>`);
    const frame = (await (await page.waitForSelector('iframe')).contentFrame())!;
    await frame.waitForFunction(() => 'reportPage' in window);
    const durability = await frame.evaluate(async () => {
      const { reportPage } = window as unknown as ReportWindow;
      await reportPage.record('sandboxed-0');
      return [reportPage.reporter.durability, reportPage.reporter.ledger.pending];
    });
    expect(durability).toEqual(['memory', 1]);
  });

  test('F45 work in a frame of another site', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'host-'));
    await writeFile(path.join(folder, 'index.html'), `<iframe src="${site.url('framed', 0)}"></iframe>`);
    const host = await servePages({ '/': folder });
    try {
      const page = await context.newPage();
      // To a browser `localhost` is another site than `127.0.0.1`.
      await page.goto(host.url.replace('127.0.0.1', 'localhost'));
      const frame = (await (await page.waitForSelector('iframe')).contentFrame())!;
      await frame.waitForFunction(() => 'reportPage' in window);
      const durability = await frame.evaluate(async () => {
        const { reportPage } = window as unknown as ReportWindow;
        await reportPage.record('framed-0');
        await reportPage.reporter.flush();
        return reportPage.reporter.durability;
      });
      expect(['disk', 'memory']).toContain(durability);
      await expectCounted(['framed-0']);
    } finally {
      await host.close();
      await rm(folder, { recursive: true });
    }
  });

  test(`F46 of ${TABS} tabs with ${EVENTS_PER_TAB} events each are counted once, hardly any sent twice`, async () => {
    const before = (await site.counts()).size;
    let sends = 0;
    context.on('request', (request) => {
      const body = request.method() === 'POST' && request.url().endsWith('/events') ? request.postData() : null;
      sends += body?.match(/"sequence":|\\"sequence\\":|"wallTime":|\\"wallTime\\":/g)?.length ?? 0;
    });
    const pages = await Promise.all(Array.from({ length: TABS }, (_, tab) => openPage(`tab-${tab}`)));
    await Promise.all(
      pages.map(async (page, tab) => {
        const names = namesOf(`tab-${tab}`, EVENTS_PER_TAB);
        for (let i = 0; i < names.length; i += 25) {
          await record(page, names.slice(i, i + 25));
          await flush(page);
        }
      }),
    );
    await expectCounted(pages.flatMap((_, tab) => namesOf(`tab-${tab}`, EVENTS_PER_TAB)));
    const counted = (await site.counts()).size - before;
    expect(counted).toBe(TABS * EVENTS_PER_TAB);
    expect(sends).toBeLessThanOrEqual(1.2 * counted);
  }, 600_000);
});

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { LedgerBooks, type ApplicationLedger } from '../../../demo/service/events/LedgerBooks.js';
import { launchBrowser } from '../../helpers/launchBrowser.js';
import { until } from '../../helpers/until.js';
import type { ReportPage } from './page.js';
import { ReportingSite } from './ReportingBrowser.js';

const TABS = process.env['DEEP'] ? 300 : 6;
const TIMEOUT_MS = process.env['DEEP'] ? 3_600_000 : 120_000;
const EVENT_EVERY_MS = 25;
/** Each tab ends after another number of its events has been announced. */
const MAX_ANNOUNCED = 5;

type ReportWindow = Window & { reportPage: ReportPage };

let site: ReportingSite;
let browser: Browser;
let context: BrowserContext;

beforeEach(async () => {
  [site, browser] = await Promise.all([ReportingSite.open(), launchBrowser()]);
  context = await browser.newContext();
}, 120_000);
afterEach(async () => {
  await browser.close();
  await site.close();
});

/** A tab that records all the time, and once more while it goes. */
async function openRecording(name: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site.url(name, 0));
  await page.waitForFunction(() => (window as unknown as ReportWindow).reportPage.reporter.durability === 'disk');
  await page.evaluate(
    ([tab, everyMs]) => {
      const { reportPage } = window as unknown as ReportWindow;
      let recorded = 0;
      addEventListener('pagehide', () => void reportPage.record(`${tab}-last`));
      setInterval(() => void reportPage.record(`${tab}-${recorded++}`), everyMs);
    },
    [name, EVENT_EVERY_MS] as const,
  );
  return page;
}

const ENDS: readonly ((page: Page) => Promise<unknown>)[] = [
  // Closed as a player closes it.
  (page) => Promise.all([page.waitForEvent('close', { timeout: 0 }), page.close({ runBeforeUnload: true })]),
  async (page) => {
    await page.goto('about:blank');
    await page.close();
  },
  async (page) => {
    const session = await context.newCDPSession(page);
    const crashed = page.waitForEvent('crash', { timeout: 0 });
    // Never answered: there is nobody left to do so.
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    await page.close();
  },
];

/** What a page's own books and those of the service say, and what the service holds. */
async function compareBooks(page: Page) {
  const ledger = await page.evaluate(async () => {
    const { reporter } = (window as unknown as ReportWindow).reportPage;
    await reporter.flush({ timeoutMs: 60_000 });
    return reporter.ledger;
  });
  const counts = [...(await site.counts()).values()];
  const books: ApplicationLedger[] = await new LedgerBooks(site.service.db).all();
  return { ledger, counts, books: books.find(({ outboxes }) => outboxes > 0) };
}

test(
  `R3: ${TABS} tabs are closed, left or crash while they record: what the service holds is in the books, each event once, and nothing is pending`,
  async () => {
    // Chromium that has closed its last page opens no more.
    const rest = await context.newPage();
    for (let i = 0; i < TABS; i++) {
      // Now and then the answer to a request is lost.
      if (i % 4 === 1) site.service.faults.add({ path: '/api/v1/events', fault: { kind: 'drop-after' } });
      const page = await openRecording(`tab-${i}`);
      const isOfTab = (name: string): boolean => name.startsWith(`tab-${i}-`);
      await until(() => [...site.announced].filter(isOfTab).length > i % MAX_ANNOUNCED);
      await ENDS[i % ENDS.length]!(page);
      site.service.faults.clear();
    }

    await rest.goto(site.url('rest', 0));
    // The browser may take a while to let go of the pages that have ended: until then their events wait.
    let now = await compareBooks(rest);
    const deadline = Date.now() + TIMEOUT_MS / 8;
    while (Date.now() < deadline && (now.ledger.pending > 0 || now.ledger.created !== now.counts.length)) {
      now = await compareBooks(rest);
    }
    // With this one the service hears of the books as they are.
    await rest.evaluate(() => (window as unknown as ReportWindow).reportPage.record('end'));
    const { ledger, counts, books } = await compareBooks(rest);

    const stored = counts.length;
    expect(ledger).toMatchObject({ created: stored, pending: 0, rejected: 0 });
    expect(ledger.accepted + ledger.duplicate).toBe(stored);
    expect(await site.missing()).toEqual([]);
    expect(counts.every((times) => times === 1)).toBe(true);
    expect(books).toMatchObject({ created: stored, stored, pending: 0, remainder: 0, unbooked: 0 });
    expect(books!.accepted + books!.duplicate).toBe(stored);
    expect(site.announced.size).toBeGreaterThan(TABS);
  },
  TIMEOUT_MS,
);

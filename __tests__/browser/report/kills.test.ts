import { chromium, type BrowserContext } from 'playwright-core';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBrowser } from '../../helpers/findBrowser.js';
import { KillableBrowser, ReportingSite } from './ReportingBrowser.js';

const KILLS = process.env['DEEP'] ? 500 : 30;
const CRASHES = process.env['DEEP'] ? 500 : 30;
const TIMEOUT_MS = process.env['DEEP'] ? 3_600_000 : 600_000;
const EVENT_EVERY_MS = 15;
/** So often a page may live on: what nobody has time to send would else exceed what the outbox holds, and be dropped. */
const REST_AFTER = 10;

let site: ReportingSite;

// Each test begins with nothing missing.
beforeEach(async () => {
  site = await ReportingSite.open();
}, 120_000);
afterEach(() => site.close());

/** Waits until every announced event is counted, and judges the counts. */
async function expectAllCountedOnce(atLeast: number): Promise<void> {
  // Where the browser does not say in time whether a page lives, its events wait for two minutes, and for the next look.
  for (let i = 0; i < 960 && (await site.missing()).length > 0; i++) await sleep(250);
  expect(await site.missing()).toEqual([]);
  // Storage that does not answer in time is the exception, and no way round the promise.
  expect(site.inMemory.size).toBeLessThan(site.announced.size / 10);
  expect(site.announced.size).toBeGreaterThanOrEqual(atLeast);
  expect(site.storageDeletions).toBeLessThanOrEqual(1 + atLeast / 6);
  expect([...(await site.counts()).values()].every((times) => times === 1)).toBe(true);
}

test(
  'F33 the whole browser is killed at random instants: every announced event is counted, once',
  async () => {
    const browser = await KillableBrowser.onNewProfile();
    try {
      for (let i = 0; i < KILLS; i++) {
        // Now and then the service is away, so that there is something to find for the next browser.
        if (i % 3 === 1) site.service.faults.add({ path: '/api/v1/events', fault: { kind: 'drop-after' } });
        await browser.open(site.url(`kill-${i}`, EVENT_EVERY_MS));
        await site.nextAnnouncement(`kill-${i}-`);
        await sleep(Math.random() * 400);
        await browser.kill();
        site.service.faults.clear();
        if (i % REST_AFTER < REST_AFTER - 1) continue;
        await browser.open(site.url(`rest-${i}`, 0));
        await expectAllCountedOnce(i);
        await browser.kill();
      }
      await browser.open(site.url('drain', 0));
      await expectAllCountedOnce(KILLS);
    } finally {
      await browser.remove();
    }
  },
  TIMEOUT_MS,
);

test(
  'F32 tabs crash at random instants: every announced event is counted, once',
  async () => {
    const { executablePath, env } = await findBrowser();
    const profile = await mkdtemp(path.join(os.tmpdir(), 'crashes-'));
    const environment = { ...process.env, ...env } as Record<string, string>;
    let context: BrowserContext | null = null;
    try {
      context = await chromium.launchPersistentContext(profile, {
        executablePath,
        env: environment,
        args: ['--disable-gpu'],
      });
      for (let i = 0; i < CRASHES; i++) {
        if (i % 3 === 1) site.service.faults.add({ path: '/api/v1/events', fault: { kind: 'drop-after' } });
        const page = await context.newPage();
        await page.goto(site.url(`crash-${i}`, EVENT_EVERY_MS));
        await site.nextAnnouncement(`crash-${i}-`);
        await sleep(Math.random() * 200);
        const crashed = new Promise((resolve) => page.once('crash', resolve));
        const session = await context.newCDPSession(page);
        // Never answered: there is nobody left to do so.
        session.send('Page.crash').catch(() => undefined);
        await crashed;
        await page.close();
        site.service.faults.clear();
        if (i % REST_AFTER < REST_AFTER - 1) continue;
        const rest = await context.newPage();
        await rest.goto(site.url(`rest-${i}`, 0));
        await expectAllCountedOnce(i);
        await rest.close();
      }
      const page = await context.newPage();
      await page.goto(site.url('drain', 0));
      await expectAllCountedOnce(CRASHES);
    } finally {
      await context?.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  },
  TIMEOUT_MS,
);

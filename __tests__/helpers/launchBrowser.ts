import type { Browser } from 'playwright-core';
import { findBrowser } from './findBrowser.js';
import { startChromium } from './startChromium.js';

/**
 * Starts the browser that this run has found. The caller closes it.
 *
 *     const browser = await launchBrowser();
 *     const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
 *
 * Everything is drawn in software, a full scene at a few frames a second: stop the game's loop, step it by hand, and
 * assert nothing about real time. Chromium warns of "GPU stall due to ReadPixels" on the console: fail a test on
 * `pageerror`, never on warnings.
 *
 * How long a step in a page may take is for the test's own time-out to say: Playwright's 30 seconds are too few where
 * many share two cores.
 *
 * @param flags beside those of all tests
 */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const browser = await startChromium(await findBrowser(), flags);
  browser.on('context', (context) => context.setDefaultTimeout(0));
  return browser;
}

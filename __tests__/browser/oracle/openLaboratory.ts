import type { Browser, Page } from 'playwright-core';
import { bundlePage } from '../../helpers/bundlePage.js';
import { type PageServer, servePages } from '../../helpers/servePages.js';

export type PhaserVersion = '3.60' | '3.80' | '3.85' | '3.90' | '4.0' | '4.2';

/**
 * Opens the laboratory's page with one version of Phaser. A fault in the page that nobody catches, and one that the
 * measurement catches of its own and then stops, fails the caller's next look at `faults`.
 */
export async function openLaboratory(
  browser: Browser,
  version: PhaserVersion,
): Promise<{ page: Page; faults: string[]; close(): Promise<void> }> {
  const phaserPackage = version === '3.90' ? 'phaser' : (`phaser-${version}` as const);
  const folder = await bundlePage('__tests__/browser/oracle/page.ts', { phaserPackage });
  const server: PageServer = await servePages({ '/': folder });
  // Tall enough for several games one below the other: what is scrolled out of the page is not seen.
  const page = await browser.newPage({ viewport: { width: 800, height: 1400 } });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.text().includes('Measuring stopped')) faults.push(message.text());
  });
  await page.goto(server.url);
  await page.waitForFunction(() => 'laboratoryPage' in window);
  return {
    page,
    faults,
    async close() {
      await page.close();
      await server.close();
    },
  };
}

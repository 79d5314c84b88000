/**
 * Draws the situations of `__tests__/browser/pages/situations.ts` in a real browser, the computed visible polygons over
 * them, and writes the pictures and the page that explains them:
 *
 *     npm run situations        docs/situations.md, docs/images/situations/*.png
 */
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { bundlePage } from '../__tests__/helpers/bundlePage.js';
import { launchBrowser } from '../__tests__/helpers/launchBrowser.js';
import { servePages } from '../__tests__/helpers/servePages.js';
import type { SituationFigures } from '../__tests__/browser/pages/situations.js';

const folder = 'docs/images/situations';

const browser = await launchBrowser();
const server = await servePages({ '/': await bundlePage('__tests__/browser/pages/situations.ts') });
const rows: SituationFigures[] = [];
try {
  const page = await browser.newPage({ viewport: { width: 640, height: 360 } });
  await page.goto(server.url);
  const names = await page.evaluate(async () => (await window.situations!).names);
  for (const name of names) {
    rows.push(await page.evaluate(async (which) => (await window.situations!).show(which), name));
    await page.screenshot({ path: `${folder}/${name}.png` });
  }
} finally {
  await server.close();
  await browser.close();
}

const text = [
  '# What is measured, in pictures',
  '',
  'Each picture is a frame of a real game with what `visibleFragments` computes of the ad laid over it in green: the part',
  'the player sees. The line at the bottom is the measurement of the same frame. `npm run situations` draws them again.',
  '',
  ...rows.flatMap((row) => [
    `## ${row.name}`,
    '',
    row.sentence,
    '',
    `![${row.name}](images/situations/${row.name}.png)`,
    '',
    `${row.percentageInView.toFixed(1)} % in view (${Math.round(row.pixelsInView)} px), ` +
      (row.isFullyVisible ? 'fully visible' : `not fully visible: ${row.reasons.join(', ')}`) +
      (row.blockers.length > 0 ? `; blockers: ${row.blockers.join(', ')}` : '') +
      '.',
    '',
  ]),
].join('\n');
const file = 'docs/situations.md';
writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'markdown' }));

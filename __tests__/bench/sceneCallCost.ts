/**
 * What a call of `checkAdFullVisibility` takes in scenes made at random, rich in masks, translucent and textured covers, in a real
 * browser.
 *
 *     npm run bench:scenes
 */
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { servePages } from '../helpers/servePages.js';
import type {} from './pages/sceneCalls.js';

const SCENES = 400;
/** Until the browser has compiled what it runs. */
const WARM_UP = 100;

const server = await servePages(
  { '/': await bundlePage('__tests__/bench/pages/sceneCalls.ts') },
  { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
);
const browser = await launchBrowser();
console.log('| renderer | call | median | nine of ten within | longest |');
console.log('| --- | --- | --: | --: | --: |');
for (const renderer of ['webgl', 'canvas'] as const) {
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => 'timeCalls' in window);
  const times = await page.evaluate(([name, count]) => window.timeCalls!(name, 1, count), [
    renderer,
    WARM_UP + SCENES,
  ] as const);
  for (const [call, all] of Object.entries(times)) {
    const sorted = all.slice(WARM_UP).sort((a, b) => a - b);
    const cells = [0.5, 0.9, 1].map((share) => `${sorted[Math.ceil(share * sorted.length) - 1]!.toFixed(1)} ms`);
    console.log(`| ${renderer} | ${call === 'first' ? 'first' : 'second, a frame later'} | ${cells.join(' | ')} |`);
  }
  await page.close();
}
await browser.close();
await server.close();

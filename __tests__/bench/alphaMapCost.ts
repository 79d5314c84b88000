/**
 * What the measurement costs in the frames in which the alpha of new pictures is read, in a real browser.
 *
 *     npm run bench:alpha
 *
 * All the pictures over an ad change at once for new ones, at 1,000 objects: without a GPU 10,000 take minutes a scene. Each
 * scene is run several times, and of each of its frames the cheapest counts: what else the machine did in between does not
 * come at the same frame every time.
 */
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { servePages } from '../helpers/servePages.js';
import type { AlphaMapScene } from './pages/alphaMaps.js';

const OBJECTS = 1_000;
const FRAMES = 60;
const REPEATS = 3;
const PICTURES = [
  { pictures: 5, size: 128 },
  { pictures: 50, size: 128 },
  { pictures: 5, size: 1024 },
];

const server = await servePages({ '/': await bundlePage('__tests__/bench/pages/alphaMaps.ts') });
const browser = await launchBrowser();
for (const renderer of ['webgl', 'canvas'] as const) {
  for (const { pictures, size } of PICTURES) {
    const runs: number[][] = [];
    for (let i = 0; i < REPEATS; i++)
      runs.push(await run({ renderer, objects: OBJECTS, pictures, size, frames: FRAMES }));
    const frames = runs[0]!.map((_, i) => Math.min(...runs.map((run) => run[i]!)));
    const sorted = [...frames].sort((a, b) => a - b);
    console.log(
      `${renderer}, ${OBJECTS} objects, ${pictures} pictures of ${size} × ${size}: ` +
        `most ${sorted.at(-1)!.toFixed(2)} ms, median ${sorted[FRAMES >> 1]!.toFixed(2)} ms, ` +
        `${frames.filter((ms) => ms > 2).length} of ${FRAMES} frames above 2 ms`,
    );
  }
}
await browser.close();
await server.close();

/** One scene in a page of its own: nothing is known of its pictures. */
async function run(setting: AlphaMapScene): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 740 } });
  await page.goto(server.url);
  await page.waitForFunction(() => 'measureAlphaMaps' in window);
  const frames = await page.evaluate((given) => window.measureAlphaMaps!(given), setting);
  await page.close();
  return frames;
}

/**
 * What the measurement costs in the frames in which the alpha of new pictures is read, in a real browser.
 *
 *     npm run bench:alpha
 *
 * All the pictures over an ad change at once for new ones. Nothing is painted: without a GPU 10,000 objects take seconds a
 * frame, and only the measurement is timed. Each scene is run several times, and of each of its frames the shortest counts:
 * other work on the machine only ever makes one longer.
 *
 * What is read between frames is no part of them, and told apart: how long the page was busy with it in one piece.
 */
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { servePages } from '../helpers/servePages.js';
import type { AlphaMapReport, AlphaMapScene } from './alphaMapScene.js';
import { median } from './statistics.js';

const FRAMES = 60;
const REPEATS = 5;
const LIMIT_MS = 2;
const SCENES = [
  { objects: 1_000, pictures: 5, size: 128 },
  { objects: 10_000, pictures: 5, size: 128 },
  { objects: 10_000, pictures: 50, size: 128 },
  { objects: 10_000, pictures: 5, size: 1024 },
];

const server = await servePages(
  { '/': await bundlePage('__tests__/bench/pages/alphaMaps.ts') },
  { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
);
const browser = await launchBrowser();
let worstMs = 0;
for (const renderer of ['webgl', 'canvas'] as const) {
  for (const { objects, pictures, size } of SCENES) {
    const runs: AlphaMapReport[] = [];
    for (let i = 0; i < REPEATS; i++) runs.push(await run({ renderer, objects, pictures, size, frames: FRAMES }));
    const frames = shortest(runs.map((run) => run.frameMs));
    worstMs = Math.max(worstMs, ...frames);
    console.log(
      `${renderer}, ${objects} objects, ${pictures} pictures of ${size} × ${size}: ` +
        `worst frame ${Math.max(...frames).toFixed(2)} ms, median ${median(frames).toFixed(2)} ms, ` +
        `${frames.filter((ms) => ms > LIMIT_MS).length} of ${FRAMES} above ${LIMIT_MS} ms; ` +
        `ad unmeasurable for ${median(runs.map((run) => run.unmeasurableFrames))} frames; between frames busy for ` +
        `${Math.min(...runs.map((run) => Math.max(0, ...run.betweenMs))).toFixed(1)} ms in one piece`,
    );
    if (process.argv.includes('--frames')) console.log(frames.map((ms) => ms.toFixed(2)).join(' '));
  }
}
console.log(`Worst frame of all: ${worstMs.toFixed(2)} ms (${worstMs > LIMIT_MS ? 'ABOVE' : 'within'} ${LIMIT_MS} ms)`);
await browser.close();
await server.close();

/** One scene in a page of its own: nothing is known of its pictures. */
async function run(setting: AlphaMapScene): Promise<AlphaMapReport> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 740 } });
  await page.goto(server.url);
  await page.waitForFunction(() => 'measureAlphaMaps' in window);
  const report = await page.evaluate((given) => window.measureAlphaMaps!(given), setting);
  await page.close();
  return report;
}

/** Of each frame the least it took. */
function shortest(runs: readonly (readonly number[])[]): number[] {
  return runs[0]!.map((_, i) => Math.min(...runs.map((run) => run[i]!)));
}

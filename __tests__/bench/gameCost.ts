/**
 * What the measurement costs per frame under what ordinary games draw over ads, in a real browser.
 *
 *     npm run bench:games [-- <a word of the covers' names>]
 *
 * Nothing is painted: without a GPU that takes far longer than all else, and only the measurement is timed. Each scene is run
 * several times, and of each of its frames the shortest counts: other work on the machine only ever makes one longer.
 */
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { servePages } from '../helpers/servePages.js';
import { COVERS, type GameReport, type GameScene } from './gameScene.js';
import { median } from './statistics.js';

const FRAMES = 90;
const REPEATS = 3;
const word = process.argv[2] ?? '';

const server = await servePages(
  { '/': await bundlePage('__tests__/bench/pages/games.ts') },
  { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
);
const browser = await launchBrowser();
console.log('| over the ads | ads | renderer | median | worst frame | whole frame | in view |');
console.log('| --- | --: | --: | --: | --: | --: | --: |');
for (const renderer of ['webgl', 'canvas'] as const) {
  for (const covers of COVERS.filter((name) => name.includes(word))) {
    for (const ads of [1, 4]) {
      const runs: GameReport[] = [];
      for (let i = 0; i < REPEATS; i++) runs.push(await run({ renderer, covers, ads, frames: FRAMES }));
      const ours = shortest(runs.map((report) => report.measurementMs));
      const whole = shortest(runs.map((report) => report.frameMs));
      const cells = [covers, ads, renderer, inMs(median(ours)), inMs(Math.max(...ours)), inMs(median(whole))];
      console.log(`| ${cells.join(' | ')} | ${runs[0]!.percentageInView.toFixed(1)} % |`);
    }
  }
}
await browser.close();
await server.close();

/** One scene in a page of its own. */
async function run(setting: GameScene): Promise<GameReport> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 740 } });
  await page.goto(server.url);
  await page.waitForFunction(() => 'measureGame' in window);
  const report = await page.evaluate((given) => window.measureGame!(given), setting);
  await page.close();
  return report;
}

/** Of each frame the least it took. */
function shortest(runs: readonly (readonly number[])[]): number[] {
  return runs[0]!.map((_, i) => Math.min(...runs.map((times) => times[i]!)));
}

function inMs(ms: number): string {
  return `${ms.toFixed(2)} ms`;
}

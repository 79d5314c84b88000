/**
 * Repeats one random scene and shows everything about it:
 *
 *     npx tsx __tests__/browser/oracle/replay.ts --seed 17 --renderer webgl --phaser 3.90
 *     npx tsx __tests__/browser/oracle/replay.ts --seed 17 --renderer canvas --shrink share
 *     npx tsx __tests__/browser/oracle/replay.ts --spec scene.json
 *
 * `--shrink share | blockers | full | total | unmeasurable | oracle | failure` cuts the scene down to the smallest that
 * still fails so, and `--candidate` says for which candidate (default `tracking functions`). Pictures and the scene go to
 * a folder that is printed.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../../helpers/launchBrowser.js';
import type { Failing } from './Laboratory.js';
import { openLaboratory, type PhaserVersion } from './openLaboratory.js';
import type { LaboratoryPage } from './page.js';
import type { StageSpec } from './SceneSpec.js';
import type { RendererName } from './Stage.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    spec: { type: 'string' },
    renderer: { type: 'string', default: 'webgl' },
    phaser: { type: 'string', default: '3.90' },
    shrink: { type: 'string' },
    candidate: { type: 'string', default: 'tracking functions' },
    least: { type: 'string', default: '0.8' },
  },
});

const browser = await launchBrowser();
const laboratory = await openLaboratory(browser, values.phaser as PhaserVersion);
try {
  const spec = values.spec ? (JSON.parse(readFileSync(values.spec, 'utf8')) as StageSpec) : null;
  const shown = await laboratory.page.evaluate(
    async ([renderer, given, seed, candidate, failing, least]) => {
      const { Laboratory, randomScene } = (window as unknown as { laboratoryPage: LaboratoryPage }).laboratoryPage;
      const opened = await Laboratory.open(renderer);
      const whole = given ?? randomScene(seed);
      const names = ['every frame', 'tracking functions', 'getBounds loop'];
      const smallest = failing ? opened.shrink(whole, candidate, failing, least, seed) : null;
      return {
        whole: { spec: whole, ...opened.explain(whole, names, seed) },
        smallest: smallest && { spec: smallest, ...opened.explain(smallest, names, seed) },
      };
    },
    [
      values.renderer as RendererName,
      spec,
      Number(values.seed),
      values.candidate,
      values.shrink as Failing | undefined,
      Number(values.least),
    ] as const,
  );
  const folder = mkdtempSync(path.join(os.tmpdir(), 'oracle-'));
  for (const [name, scene] of Object.entries(shown)) {
    if (!scene) continue;
    console.log(`\n=== ${name === 'whole' ? `seed ${values.seed}` : 'the smallest scene that still fails'} ===`);
    console.log(scene.lines.join('\n'));
    console.log(JSON.stringify(scene.spec));
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(scene.spec, null, 2));
    for (const [picture, url] of Object.entries(scene.pictures)) {
      writeFileSync(path.join(folder, `${name}-${picture}.png`), Buffer.from(url.split(',')[1]!, 'base64'));
    }
  }
  for (const fault of laboratory.faults) console.log(`fault in the page: ${fault}`);
  console.log(`\npictures: ${folder}`);
} finally {
  await laboratory.close();
  await browser.close();
}

import type { Browser } from 'playwright-core';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { accuracyGoals } from './oracle/accuracyGoals.js';
import { openLaboratory, type PhaserVersion } from './oracle/openLaboratory.js';
import { failureReport, nameOf, type Setting, tableOf } from './oracle/printReport.js';
import { FIRST_ORNATE, FIRST_PHASER4 } from './oracle/randomScene.js';
import { runSeeds } from './oracle/runSeeds.js';
import type { SceneReport } from './oracle/sceneReport.js';
import type { RendererName } from './oracle/Stage.js';
import { type Statistics, statisticsOf } from './oracle/statistics.js';

/**
 * Scenes of the normal run and of the deep one (DEEP=1), split over two renderers and five versions of Phaser.
 * FROM=<seed> starts elsewhere; the default is the same scenes in every run. TIMES=<n> makes the deep one n times the normal.
 */
const deep = process.env['DEEP'] === '1';
const times = deep ? Number(process.env['TIMES'] ?? 20) : 1;
const first = Number(process.env['FROM'] ?? 1);
const share = (normal: number): number => normal * times;

interface Share extends Setting {
  renderer: RendererName;
  phaser: PhaserVersion;
  scenes: number;
}

const settings: readonly Share[] = [
  { renderer: 'webgl', phaser: '3.90', scenes: share(320) },
  { renderer: 'canvas', phaser: '3.90', scenes: share(320) },
  { renderer: 'webgl', phaser: '3.60', scenes: share(180) },
  { renderer: 'canvas', phaser: '3.60', scenes: share(180) },
  { renderer: 'webgl', phaser: '3.80', scenes: share(40) },
  { renderer: 'canvas', phaser: '3.80', scenes: share(40) },
  { renderer: 'webgl', phaser: '3.85', scenes: share(40) },
  { renderer: 'canvas', phaser: '3.85', scenes: share(40) },
  { renderer: 'webgl', phaser: '3.90', scenes: share(160), isOrnate: true },
  { renderer: 'canvas', phaser: '3.90', scenes: share(160), isOrnate: true },
  { renderer: 'webgl', phaser: '4.2', scenes: share(30) },
  { renderer: 'webgl', phaser: '4.2', scenes: share(30), isOfPhaser4: true },
  { renderer: 'canvas', phaser: '4.2', scenes: share(20) },
];

const product = ['every frame', 'tracking functions'];
const naive = 'getBounds loop';

/**
 * The pictures themselves must agree with arithmetic: the mean of all scenes, percent of the ad. A Canvas puts the edges of
 * pictures that are not turned onto whole pixels, by which some seeds have more of a small ad, or less.
 */
const ORACLE_MEAN_WITHIN = { webgl: 0.1, canvas: 0.3 } as const;

let browser: Browser;
const reports = new Map<string, SceneReport[]>();

/** The renderers take turns with one processor each: Canvas draws in the page's process, WebGL in the GPU's. */
beforeAll(
  async () => {
    browser = await launchBrowser();
    const run = async (renderer: RendererName): Promise<void> => {
      let from = first;
      for (const setting of settings.filter((entry) => entry.renderer === renderer)) {
        const laboratory = await openLaboratory(browser, setting.phaser);
        try {
          const names = [...product, naive];
          const seed = (setting.isOrnate ? FIRST_ORNATE : setting.isOfPhaser4 ? FIRST_PHASER4 : 0) + from;
          reports.set(nameOf(setting), await runSeeds(laboratory.page, renderer, seed, setting.scenes, names));
          expect(laboratory.faults).toEqual([]);
        } finally {
          await laboratory.close();
        }
        from += setting.scenes;
      }
    };
    await Promise.all([run('webgl'), run('canvas')]);
  },
  deep ? 6 * 3_600_000 : 900_000,
);

afterAll(async () => {
  await browser.close();
  const tables = [...reports].map(([key, found]) => {
    const rows = [...product, naive].map((candidate) => statisticsOf(found, candidate));
    return `${key}\n${tableOf(rows)}`;
  });
  console.log(tables.join('\n\n'));
});

describe('random scenes against their pictures', () => {
  test.each(settings.map((setting) => [nameOf(setting), setting] as const))(
    '%s: every scene can be built and drawn',
    (key) => {
      expect(found(key).filter(({ failure }) => failure !== undefined)).toEqual([]);
    },
  );

  test.each(settings.map((setting) => [nameOf(setting), setting] as const))(
    '%s: the pictures agree with arithmetic where nothing covers the ad',
    (key, { renderer, scenes }) => {
      const errors = found(key).flatMap(({ oracleError }) => (oracleError === null ? [] : [oracleError]));
      expect(errors.length).toBeGreaterThan(scenes / 2);
      expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(ORACLE_MEAN_WITHIN[renderer]);
    },
  );

  // The promise is one over all scenes: a share of one in a thousand means nothing for a few hundred.
  test.each(product)('%s sees what the player sees', (candidate) => {
    const failed = failures(statisticsOf([...reports.values()].flat(), candidate));
    if (failed.length === 0) return;
    const details = settings.map((setting) => failureReport(found(nameOf(setting)), candidate, setting));
    throw new Error(`${failed.join('\n')}\n\n${details.join('\n\n')}`);
  });

  // Among so many others a fault of what only Phaser 4 has would not show.
  test.each(product)('%s sees what the player sees of what only Phaser 4 has', (candidate) => {
    const own = settings.filter(({ isOfPhaser4 }) => isOfPhaser4 === true).flatMap((setting) => found(nameOf(setting)));
    const { mean, p99, falseFull, precision, recall } = statisticsOf(own, candidate);
    expect(falseFull).toBe(0);
    expect(mean).toBeLessThanOrEqual(0.1);
    expect(p99).toBeLessThanOrEqual(1);
    expect(Math.min(precision, recall)).toBeGreaterThanOrEqual(0.99);
  });

  test.each(settings.map((setting) => [nameOf(setting)] as const))(
    '%s: bounding boxes are far from the picture',
    (key) => {
      // Keeps the scenes honest: were they easy, a loop over getBounds would do.
      expect(statisticsOf(found(key), naive).mean).toBeGreaterThan(10);
    },
  );
});

function found(key: string): SceneReport[] {
  return reports.get(key) ?? [];
}

/** What of the promised accuracy does not hold. */
function failures(statistics: Statistics): string[] {
  return Object.values(accuracyGoals)
    .filter((goal) => !goal.holds(statistics))
    .map(({ name, valueOf, promise }) => `${name}: ${valueOf(statistics).toFixed(4)}, promised ${promise}`);
}

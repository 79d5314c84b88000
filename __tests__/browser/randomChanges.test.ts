import type { Browser } from 'playwright-core';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { openLaboratory } from './oracle/openLaboratory.js';
import type { LaboratoryPage } from './oracle/page.js';

const SCENES = process.env['DEEP'] ? 1000 : 24;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each([
  ['3.90', 'webgl', 1],
  ['3.90', 'canvas', 1001],
  ['3.60', 'webgl', 2001],
  ['3.80', 'webgl', 3001],
  ['4.2', 'webgl', 4001],
] as const)('random scenes that change from frame to frame, Phaser %s, %s', (version, renderer, from) => {
  it('are measured in every frame as if it were read anew', async () => {
    const laboratory = await openLaboratory(browser, version);
    const report = await laboratory.page.evaluate(
      ([name, seed, scenes]) =>
        (window as unknown as { laboratoryPage: LaboratoryPage }).laboratoryPage.changeAtRandom(name, seed, scenes),
      [renderer, Number(process.env['FROM'] ?? from), SCENES] as const,
    );
    expect(report.disagreements).toEqual([]);
    expect(laboratory.faults).toEqual([]);
    expect(report.frames).toBeGreaterThan(20 * SCENES);
    expect(report.seen).toBeGreaterThan(report.frames / 4);
    await laboratory.close();
  }, 3_600_000);
});

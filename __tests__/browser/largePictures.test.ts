import type { Browser } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import { openLaboratory } from './oracle/openLaboratory.js';
import type { LaboratoryPage } from './oracle/page.js';
import { trapListing } from './oracle/traps/listing.js';
import type { LargePicturesReport } from './pages/largePictures.js';

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  browser = await launchBrowser();
  const page = '__tests__/browser/pages/largePictures.ts';
  server = await servePages({
    '/3.90/': await bundlePage(page),
    '/3.60/': await bundlePage(page, { phaserPackage: 'phaser-3.60' }),
    '/4.2/': await bundlePage(page, { phaserPackage: 'phaser-4.2' }),
  });
}, 240_000);
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** `Phaser.CANVAS` and `Phaser.WEBGL`. */
const RENDERERS = { canvas: 1, webgl: 2 };

describe.each(['3.60', '3.90', '4.2'])('a large picture over an ad (Phaser %s)', (version) => {
  it.each(['webgl', 'canvas'] as const)('is read between frames, in the end to the texel, in %s', async (renderer) => {
    const page = await browser.newPage();
    const faults: Error[] = [];
    page.on('pageerror', (fault) => faults.push(fault));
    await page.goto(`${server.url}/${version}/`);
    await page.waitForFunction(() => 'measureLargePictures' in window);
    const report: LargePicturesReport = await page.evaluate(
      (type) => window.measureLargePictures!(type),
      RENDERERS[renderer],
    );
    expect(report.hasGuessed).toBe(false);
    expect(report.unmeasurableFrames).toBeGreaterThan(0);
    expect(report.readInFrames).toBe(0);
    expect(report.readBetween).toBeGreaterThan(0);
    expect(report.calledPercentage).toBeGreaterThan(40);
    expect(report.calledPercentage).toBeLessThan(90);
    expect(Math.abs(report.observedPercentage - report.calledPercentage)).toBeLessThan(1);
    expect(report.leftBehind).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });
});

/** Firefox takes the mean of four texels for each that it draws smaller, without being asked to, and cannot be asked for more. */
function drawAsFirefox(): void {
  for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
    delete (prototype as Partial<CanvasRenderingContext2D>).imageSmoothingQuality;
    const draw = prototype.drawImage as (...values: unknown[]) => void;
    prototype.drawImage = function (this: CanvasRenderingContext2D, ...values: unknown[]) {
      const [, , , width, height, , , toWidth, toHeight] = values as number[];
      const before = this.imageSmoothingEnabled;
      this.imageSmoothingEnabled ||= toWidth! < width! || toHeight! < height!;
      draw.apply(this, values);
      this.imageSmoothingEnabled = before;
    };
  }
}

it('fine bars in large pictures are measured, or unmeasurable, where pictures are drawn smaller as in Firefox', async () => {
  const laboratory = await openLaboratory(browser, '3.90');
  try {
    await laboratory.page.evaluate(drawAsFirefox);
    const bars = trapListing.filter(({ title }) => title.startsWith('large pictures of fine bars'));
    expect(bars.length).toBeGreaterThan(4);
    for (const { title, name } of bars) {
      const { findings } = await laboratory.page.evaluate(
        (trap) =>
          (window as unknown as { laboratoryPage: LaboratoryPage }).laboratoryPage.runTrap('webgl', ...trap, [
            'every frame',
          ]),
        [title, name] as [string, string],
      );
      const errors = findings.flatMap(({ unmeasurable, views }) =>
        unmeasurable ? [] : views.map(({ error }) => error),
      );
      expect([name, ...errors.filter((error) => error > 1)]).toEqual([name]);
      expect(findings.map(({ falseFull }) => falseFull)).toEqual([false]);
    }
    expect(laboratory.faults).toEqual([]);
  } finally {
    await laboratory.close();
  }
}, 240_000);

import type { Page } from 'playwright-core';
import type { LaboratoryPage } from './page.js';
import type { SceneReport } from './sceneReport.js';
import type { RendererName } from './Stage.js';

/** Scenes after which the page's game is made anew, so that no run grows without end. */
const SCENES_PER_GAME = 250;

/** Runs the random scenes of some seeds in an open laboratory. */
export async function runSeeds(
  page: Page,
  renderer: RendererName,
  from: number,
  count: number,
  candidates: readonly string[],
): Promise<SceneReport[]> {
  const reports: SceneReport[] = [];
  for (let at = from; at < from + count; at += SCENES_PER_GAME) {
    const some = Math.min(SCENES_PER_GAME, from + count - at);
    const found = await page.evaluate(
      async ([name, first, number, names]) => {
        const { laboratoryPage } = window as unknown as { laboratoryPage: LaboratoryPage };
        const laboratory = await laboratoryPage.Laboratory.open(name);
        try {
          return laboratory.runSeeds(first, number, names);
        } finally {
          laboratory.stage.close();
        }
      },
      [renderer, at, some, candidates] as const,
    );
    reports.push(...found);
  }
  return reports;
}

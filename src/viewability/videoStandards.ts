import { VIEWABILITY_STANDARDS, type ViewabilityStandard } from './ViewabilityStandards.js';

const { IIG_DISPLAY, IIG_VIDEO, MRC_DISPLAY, MRC_LARGE_DISPLAY, MRC_VIDEO } = VIEWABILITY_STANDARDS;

const COUNTERPARTS: ReadonlyMap<string, ViewabilityStandard> = new Map([
  [IIG_DISPLAY.id, IIG_VIDEO],
  [MRC_DISPLAY.id, MRC_VIDEO],
  [MRC_LARGE_DISPLAY.id, MRC_VIDEO],
]);

/** The standards for a video where `standards` apply to an image: two seconds instead of one. */
export function videoStandards(standards: readonly ViewabilityStandard[]): readonly ViewabilityStandard[] {
  const list = new Map<string, ViewabilityStandard>();
  for (const standard of standards) {
    const counterpart = COUNTERPARTS.get(standard.id) ?? standard;
    list.set(counterpart.id, counterpart);
  }
  return [...list.values()];
}

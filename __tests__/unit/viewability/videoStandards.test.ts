import { videoStandards } from '../../../src/viewability/videoStandards.js';
import { DEFAULT_STANDARDS, VIEWABILITY_STANDARDS } from '../../../src/viewability/ViewabilityStandards.js';

describe('the standards of a video', () => {
  it('ask for two seconds where those of an image ask for one, and keep what is the same for both', () => {
    expect(videoStandards(DEFAULT_STANDARDS).map(({ id, minDurationMs }) => [id, minDurationMs])).toEqual([
      ['iig-video', 2_000],
      ['mrc-video', 2_000],
      ['full-view', 1_000],
    ]);
  });

  it('name none twice, and leave those of the game alone', () => {
    const own = { id: 'own', minPercentageInView: 30, minDurationMs: 500 };
    const { MRC_DISPLAY, MRC_LARGE_DISPLAY, MRC_VIDEO } = VIEWABILITY_STANDARDS;
    expect(videoStandards([MRC_VIDEO, MRC_DISPLAY, MRC_LARGE_DISPLAY, own])).toEqual([MRC_VIDEO, own]);
  });
});

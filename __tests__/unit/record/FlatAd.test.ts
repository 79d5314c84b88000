import type { DrawRecord } from '../../../src/record/frame/DrawRecord.js';
import { FlatAd } from '../../../src/record/frame/FlatAd.js';
import { QUAD_NUMBERS, STRIDE } from '../../../src/record/frame/NearQuads.js';

const WIDTH = 100;
const HEIGHT = 50;

/** The record of an ad of 100 × 50 of which so much is covered. */
function recordOf(covered: number): DrawRecord {
  const f32 = new Float32Array(2 * QUAD_NUMBERS);
  [0, 0, 0, HEIGHT, WIDTH, HEIGHT, WIDTH, 0].forEach((value, i) => {
    f32[QUAD_NUMBERS + (i >> 1) * STRIDE + (i & 1)] = value;
  });
  const near = { f32, coveredArea: Float64Array.of(-1), cover: () => void (near.coveredArea[0] = covered) };
  return {
    near,
    pieceBoxes: Float64Array.of(0, 0, WIDTH, HEIGHT),
    markerAt: Int32Array.of(1),
    markerPieces: Int32Array.of(0),
    markerCameras: ['camera'],
  } as unknown as DrawRecord;
}

it.each([
  ['nothing', 0, true],
  ['less than a pixel', 0.99, true],
  ['as much as a line around it, or less: single pixels decide', 1, false],
  ['as much as a line around it, or less: single pixels decide', 299.9, false],
  ['more than that', 300, true],
  ['all', 5000, true],
  ['what cannot be told', NaN, false],
])('an ad covered by %s (%d px²) may be taken from its quads: %p', (_, covered, isTaken) => {
  const flat = new FlatAd();
  expect(flat.read(recordOf(covered), 0)).toBe(isTaken);
  if (isTaken) expect(flat).toMatchObject({ area: 5000, covered, camera: 'camera' });
});

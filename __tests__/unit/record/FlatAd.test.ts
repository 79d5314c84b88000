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

it('has the area of its quad, wherever that lies and however it is turned', () => {
  const quads = [
    [300, 70, 300, 120, 400, 120, 400, 70],
    [330, 70, 300, 120, 370, 150, 400, 100],
    [400, 100, 370, 150, 300, 120, 330, 70],
  ];
  const areas = quads.map((corners) => {
    const record = recordOf(0);
    const covered: number[] = [];
    const { near } = record;
    corners.forEach((value, i) => (near.f32[QUAD_NUMBERS + (i >> 1) * STRIDE + (i & 1)] = value));
    near.cover = (from, to, ads) => {
      covered.push(from, to, ads);
      near.coveredArea[0] = 0;
    };
    record.pieceBoxes.set([300, 70, 400, 150]);
    const flat = new FlatAd();
    expect(flat.read(record, 0)).toBe(true);
    // Its own quad alone is looked at.
    expect(covered.slice(0, 2)).toEqual([1, 2]);
    return flat.area;
  });
  const turned = 100 * 80 - (30 * 50 + 70 * 30 + 30 * 50 + 70 * 30) / 2;
  expect(areas).toEqual([5000, turned, turned]);
});

it('is judged by the line around it wherever it lies', () => {
  const flat = new FlatAd();
  for (const [covered, isTaken] of [[299, false], [300, true]] as const) {
    const record = recordOf(covered);
    record.pieceBoxes.set([700, 900, 700 + WIDTH, 900 + HEIGHT]);
    expect(flat.read(record, 0)).toBe(isTaken);
  } // prettier-ignore
});

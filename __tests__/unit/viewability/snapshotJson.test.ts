import { isAdsError } from '../../../src/errors.js';
import { type FrameSnapshot, PolygonFlag } from '../../../src/viewability/FrameSnapshot.js';
import { measureView } from '../../../src/viewability/measureView.js';
import { resolveBlockers } from '../../../src/viewability/resolveBlockers.js';
import { snapshotFromJson, snapshotToJson } from '../../../src/viewability/snapshotJson.js';
import { ViewMeasurement } from '../../../src/viewability/ViewMeasurement.js';
import { alphaMap, FrameBuilder, rectangle, turned } from './support/FrameBuilder.js';

function scene(): FrameBuilder {
  const frame = new FrameBuilder(640, 360);
  const mask = frame.mask([{ points: rectangle(0, 0, 250.5, 300), paint: { opacity: 0.9 } }], true);
  const tree = { kind: 'tree' };
  const map = alphaMap(5, 3, (column, row) => (column + row) / 6);
  return frame
    .ad(rectangle(100, 100, 200, 1 / 3 + 100))
    .paint(turned(150, 130, 60, 40, 0.3), { owner: tree, map, flags: PolygonFlag.REPEAT })
    .paint(turned(250, 130, 90, 40, 1.3), { owner: { kind: 'veil' }, opacity: 0.4, gradient: [0.001, 0], mask })
    .paint(turned(200, 190, 20, 40, 2), { owner: tree })
    .effect(rectangle(0, 0, 640, 360), 0.1);
}

function verdict(snapshot: FrameSnapshot): object {
  const out = new ViewMeasurement();
  measureView(snapshot, snapshot.views[0]!, { blockingOpacity: 0.5 }, out);
  resolveBlockers(snapshot, snapshot.views[0]!, { blockingOpacity: 0.5 }, out);
  return Object.assign({}, out, { blockers: Array.from(out.blockers.subarray(0, out.blockerCount)) });
}

test('a stored frame reproduces the verdict to the last digit, through JSON text', () => {
  const { snapshot } = scene();
  const json = JSON.stringify(snapshotToJson(snapshot));
  const restored = snapshotFromJson(JSON.parse(json));
  expect(verdict(restored)).toEqual(verdict(snapshot));
  expect(JSON.stringify(snapshotToJson(restored, String)).length).toBeGreaterThan(json.length - 1);
  expect(restored.canvasWidth).toBe(640);
});

test('objects are stored as names only, the same object under the same name', () => {
  const { snapshot } = scene();
  const { owners } = snapshotToJson(snapshot, (object) => (object as { kind?: string }).kind ?? '');
  expect(owners).toEqual(['0', '1 tree', '2 veil', '1 tree']);
});

test.each<[string, (json: Record<string, never>) => unknown]>([
  ['$', () => null],
  ['$.format', (json) => ({ ...json, version: 2 })],
  ['$.canvasWidth', (json) => ({ ...json, canvasWidth: '640' })],
  ['$.polygons', (json) => ({ ...json, polygons: {} })],
  ['$.polygons[1].points', (json) => changed(json, 'polygons', 1, { points: [1, 2, 3, 4] })],
  ['$.polygons[1].points[2]', (json) => changed(json, 'polygons', 1, { points: [1, 2, null, 4, 5, 6] })],
  ['$.polygons[1].opacity', (json) => changed(json, 'polygons', 1, { opacity: undefined })],
  ['$.polygons[3].owner', (json) => changed(json, 'polygons', 3, { owner: 99 })],
  ['$.polygons[3].alphaMap', (json) => changed(json, 'polygons', 3, { alphaMap: -1 })],
  ['$.polygons[3].uv', (json) => changed(json, 'polygons', 3, { uv: [1, 2, 3] })],
  ['$.polygons[4].mask', (json) => changed(json, 'polygons', 4, { mask: 1.5 })],
  ['$.alphaMaps[0].alpha', (json) => changed(json, 'alphaMaps', 0, { alpha: 'ff' })],
  ['$.masks[0].to', (json) => changed(json, 'masks', 0, { to: 1000 })],
  ['$.views[0].pieceTo', (json) => changed(json, 'views', 0, { pieceTo: 1000 })],
  ['$.views[0].shapeFrom', (json) => changed(json, 'views', 0, { shapeFrom: 5 })],
  ['$.views[0].unmeasurable', (json) => changed(json, 'views', 0, { unmeasurable: 0 })],
])('a frame damaged at %s is refused with the place of the fault', (path, damage) => {
  const json = JSON.parse(JSON.stringify(snapshotToJson(scene().snapshot))) as Record<string, never>;
  let error: unknown;
  try {
    snapshotFromJson(damage(json));
  } catch (thrown) {
    error = thrown;
  }
  expect(isAdsError(error, 'arg/snapshot') && error.path).toBe(path);
});

function changed(json: Record<string, object[]>, list: string, index: number, fields: object): unknown {
  return { ...json, [list]: json[list]!.map((entry, i) => (i === index ? { ...entry, ...fields } : entry)) };
}

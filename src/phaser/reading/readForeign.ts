import type * as Phaser from 'phaser';

import { At } from '../../record/canvas2d/CanvasDraws.js';
import type { RecordingContext } from '../../record/canvas2d/RecordingContext.js';
import { FrameSnapshot, NONE, PolygonFlag } from '../../viewability/FrameSnapshot.js';
import type { AlphaMaps } from './AlphaMaps.js';
import { DisplayWalk } from './DisplayWalk.js';
import type { CameraInternals, DrawnObject } from './internals.js';
import type { ObjectReader } from './ObjectReader.js';
import { sceneDrawing } from './sceneDrawing.js';
import { standardReaders } from './standardReaders.js';

const STANDARD = standardReaders();
const EVERYWHERE = { minX: -1e6, minY: -1e6, maxX: 1e6, maxY: 1e6 };

/** Notes what an object paints by the reader the game registered for its type; false when there is none. */
export function readForeign(
  object: Phaser.GameObjects.GameObject,
  camera: Phaser.Cameras.Scene2D.Camera,
  context: RecordingContext,
  maps: AlphaMaps,
  readers: Map<string, ObjectReader>,
): boolean {
  const reader = readers.get(object.type);
  if (reader === undefined || reader === STANDARD.get(object.type)) return false;
  const snapshot = new FrameSnapshot();
  snapshot.reset(EVERYWHERE.maxX, EVERYWHERE.maxY);
  const walk = new DisplayWalk(snapshot, maps, readers, new Map());
  walk.enterCamera(sceneDrawing(object), camera, false, (camera as unknown as CameraInternals).matrix, EVERYWHERE);
  walk.paintWithin(object as unknown as DrawnObject);
  for (let i = 0; i < snapshot.count; i++) {
    const map = snapshot.alphaMap[i]!;
    const picture = map === NONE ? null : snapshot.alphaMaps[map]!;
    const isUnknown = (snapshot.flags[i]! & PolygonFlag.UNMEASURABLE) !== 0;
    const opacity = isUnknown ? 1 : snapshot.opacity[i]!;
    const draw = context.addPolygon(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!, opacity, picture);
    draw?.numbers.set(snapshot.uv.subarray(6 * i, 6 * i + 6), At.TO);
    if (draw !== null && isUnknown) draw.unknown();
  }
  return true;
}

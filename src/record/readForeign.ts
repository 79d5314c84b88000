import type * as Phaser from 'phaser';

import { ClipRegion } from '../geometry/ClipRegion.js';
import { At } from './canvas2d/CanvasDraws.js';
import type { RecordingContext } from './canvas2d/RecordingContext.js';
import { placeOf } from './placeOf.js';
import type { ParentMatrix } from '../rehearsal/RehearsedEngine.js';
import { FrameSnapshot, NONE, PolygonFlag } from '../measure/FrameSnapshot.js';
import type { AlphaMaps } from '../textures/AlphaMaps.js';
import { ForeignPainter } from './ForeignPainter.js';
import type { ObjectReader } from './ObjectReader.js';

const EVERYWHERE = { minX: -1e6, minY: -1e6, maxX: 1e6, maxY: 1e6 };

/** Notes what an object paints on Canvas by the reader the game registered for its type; false when there is none. */
export function readForeign(
  object: Phaser.GameObjects.GameObject,
  camera: Phaser.Cameras.Scene2D.Camera,
  parent: ParentMatrix | undefined,
  context: RecordingContext,
  maps: AlphaMaps,
  readers: ReadonlyMap<string, ObjectReader>,
): boolean {
  if (!readers.has(object.type)) return false;
  const snapshot = new FrameSnapshot();
  snapshot.reset(EVERYWHERE.maxX, EVERYWHERE.maxY);
  const clip = new ClipRegion();
  clip.setRectangle(EVERYWHERE.minX, EVERYWHERE.minY, EVERYWHERE.maxX, EVERYWHERE.maxY);
  const painter = new ForeignPainter(snapshot, maps, readers, false);
  painter.paint({ owner: object, camera, place: placeOf(object, camera, parent) }, clip, NONE, -1, EVERYWHERE);
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

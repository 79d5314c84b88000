import type * as Phaser from 'phaser';

import { inDrawOrder } from './inDrawOrder.js';
import type { SceneList } from './FrameReader.js';
import { type CameraInternals, type DrawnObject, WILL_RENDER } from './internals.js';
import { isDrawn } from './isDrawn.js';
import { isList } from './readers/list.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

/** Which of the frame's bitmap masks is drawn first. */
export interface FirstBitmapMask {
  readonly camera: Camera;
  /** Place of what it masks, or of the list that holds that, in the scene's display list; 0 for the camera's own mask. */
  readonly index: number;
}

/** The first bitmap mask WebGL draws in a frame; null without any. */
export function firstBitmapMask(game: Phaser.Game): FirstBitmapMask | null {
  for (const scene of game.scene.scenes) {
    if (!isDrawn(scene)) continue;
    for (const camera of scene.sys.cameras.cameras) {
      if (!camera.visible || !(camera.alpha > 0)) continue;
      if ((camera as unknown as CameraInternals).mask?.bitmapMask) return { camera, index: 0 };
      const list = inDrawOrder(scene.sys.displayList as unknown as SceneList);
      const index = list.findIndex((object) => drawsBitmapMask(object, camera));
      if (index >= 0) return { camera, index };
    }
  }
  return null;
}

function drawsBitmapMask(object: DrawnObject, camera: Camera): boolean {
  if (object.renderFlags !== WILL_RENDER || (object.cameraFilter & camera.id) !== 0) return false;
  if (!object.willRender(camera)) return false;
  if (object.mask?.bitmapMask) return true;
  return isList(object) && object.list.some((child) => drawsBitmapMask(child, camera));
}

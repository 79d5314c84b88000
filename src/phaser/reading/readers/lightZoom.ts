import type * as Phaser from 'phaser';

import { inDrawOrder } from '../inDrawOrder.js';
import { type CameraInternals, type DrawnObject, WILL_RENDER } from '../internals.js';
import { isDrawn } from '../isDrawn.js';
import { sceneDrawing } from '../sceneDrawing.js';
import { isContainer, isList } from './list.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

/** What tells that an object has nothing to show. */
interface Emptiable {
  readonly width: number;
  readonly height: number;
  readonly commandBuffer: readonly unknown[];
  readonly _text: string;
  readonly children: { readonly list: readonly unknown[] };
}

/** What becomes of lights that wait in the batch while a list is drawn. */
const Wait = {
  /** They wait on. */
  ON: 0,
  /** They have been drawn. */
  OVER: 1,
  /** The light that was looked for came last: it waits. */
  FOUND: 2,
} as const;
type Wait = (typeof Wait)[keyof typeof Wait];

/**
 * The zoom a point light is drawn with. It is one for all the lights of a batch, set by each camera as it begins: lights drawn
 * last of all by a camera wait in their batch and get the zoom of one that follows, perhaps of another scene.
 * Source: `PointLightPipeline.onRender`, `WebGLRenderer.render`.
 */
export function lightZoom(light: DrawnObject, camera: Camera): number {
  // Drawn by itself, as the source of a mask is.
  if (!light.displayList && !light.parentContainer) return camera.zoom;
  const scene = sceneDrawing(light as unknown as Phaser.GameObjects.GameObject);
  const { game } = scene.sys;
  let zoom = camera.zoom;
  if (endsBatch(camera, game.renderer) || waitAtEnd(listOf(scene), camera, light) !== Wait.FOUND) return zoom;
  const { scenes } = game.scene;
  let isLater = false;
  for (let s = scenes.indexOf(scene); s < scenes.length; s++) {
    const next = scenes[s]!;
    if (!isDrawn(next)) continue;
    for (const other of next.sys.cameras.cameras) {
      if (!other.visible || !(other.alpha > 0)) continue;
      if (isLater) {
        zoom = other.zoom;
        const isDone = other.backgroundColor.alphaGL > 0 || endsBatch(other, game.renderer);
        if (isDone || waitAtEnd(listOf(next), other, null) !== Wait.ON) return zoom;
      }
      isLater ||= other === camera;
    }
  }
  return zoom;
}

function listOf(scene: Phaser.Scene): readonly DrawnObject[] {
  return inDrawOrder(scene.sys.displayList as unknown as Parameters<typeof inDrawOrder>[0]);
}

/** True when what a camera begins or ends with has all that waits drawn: effects, masks, another viewport. */
function endsBatch(camera: Camera, { width, height }: { readonly width: number; readonly height: number }): boolean {
  const { mask, flashEffect, fadeEffect, postPipelines } = camera as unknown as CameraInternals;
  return (
    mask !== null ||
    flashEffect.isRunning ||
    fadeEffect.isRunning ||
    fadeEffect.isComplete ||
    hasAny(postPipelines) ||
    camera.x !== 0 ||
    camera.y !== 0 ||
    camera.width !== width ||
    camera.height !== height
  );
}

/** Looks back from the end of a list: lights join those that wait, anything else that is drawn has them drawn first. */
function waitAtEnd(list: readonly DrawnObject[], camera: Camera, light: DrawnObject | null): Wait {
  for (let i = list.length - 1; i >= 0; i--) {
    const object = list[i]!;
    if (object.renderFlags !== WILL_RENDER || (object.cameraFilter & camera.id) !== 0) continue;
    if (!object.willRender(camera) || isEmpty(object)) continue;
    const isPlain = !object.mask && object.blendMode <= 0 && !hasAny(object.postPipelines);
    if (!isPlain) return Wait.OVER;
    if (object === light) return Wait.FOUND;
    if (isList(object)) {
      const wait = waitAtEnd(isContainer(object) ? object.list : inDrawOrder(object), camera, light);
      if (wait !== Wait.ON) return wait;
    } else if (object.type !== 'PointLight') {
      return Wait.OVER;
    }
  }
  return Wait.ON;
}

/** Phaser asks for post pipelines, and draws what waits, whether one of them is active or not. */
function hasAny(postPipelines: DrawnObject['postPipelines']): boolean {
  return postPipelines !== undefined && postPipelines !== null && postPipelines.length > 0;
}

/** True for what leaves the batch alone while it has nothing to show. Source: the renderers of these types. */
function isEmpty(object: DrawnObject): boolean {
  const { type, width, height, commandBuffer, _text, children } = object as DrawnObject & Partial<Emptiable>;
  switch (type) {
    case 'Text':
      return width === 0 || height === 0;
    case 'Graphics':
      return commandBuffer?.length === 0;
    case 'BitmapText':
    case 'DynamicBitmapText':
      return _text === '';
    case 'Blitter':
      return children?.list.length === 0;
    default:
      return false;
  }
}

import type * as Phaser from 'phaser';
import { adShapes, type PlacedAd, type SpriteMeasurement } from '../../index.js';
import { boxAround } from '../boxAround.js';
import { cameraOf, isInUse } from '../cameraOf.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** From this share of the canvas on, an object fills the screen. */
const LEAST_SHARE = 0.8;

/** Something that fills the screen above an ad. */
export interface ScreenCover {
  readonly object: GameObject;
  /** It is drawn behind most of the ad's scene. An object that is drawn in front of most is a menu or a curtain. */
  readonly isBackground: boolean;
}

/** What fills the screen above an ad; null for nothing. */
export function screenCover({ sprite }: PlacedAd, { camera, blockingSprites }: SpriteMeasurement): ScreenCover | null {
  if (!isInUse(camera)) return null;
  const object = blockingSprites.find((cover) => {
    // An object that is destroyed by now has no scene.
    if (!(cover.scene as unknown)) return false;
    const shown = cameraOf(cover, camera);
    return shown !== null && screenShareOf(cover, shown) >= LEAST_SHARE;
  });
  return object === undefined ? null : { object, isBackground: isBehindMost(object, sprite) };
}

/** HTML lies above the canvas as a whole, such as a dialog of the page. */
export function isPageAbove({ canvas }: Phaser.Game): boolean {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const { ownerDocument: document } = canvas;
  // A document made in memory has no layout to ask.
  if (!('elementFromPoint' in document)) return false;
  return [0.1, 0.5, 0.9].every((share) => {
    const above = document.elementFromPoint(left + share * width, top + share * height);
    return above !== null && above !== canvas;
  });
}

/** A camera shows a colour instead of the game, or is about to. */
export function isFaded(camera: Phaser.Cameras.Scene2D.Camera | null): boolean {
  if (camera === null) return false;
  const { fadeEffect, flashEffect } = camera;
  return flashEffect.isRunning || fadeEffect.isRunning || (fadeEffect.isComplete && fadeEffect.direction);
}

function isBehindMost(object: GameObject, sprite: GameObject): boolean {
  const others = sprite.scene.children.list.filter((other) => other !== rootOf(sprite));
  // -1 for an object of another scene, or of the ad's own container.
  const below = others.indexOf(rootOf(object));
  return below >= 0 && below <= others.length - 1 - below;
}

/** The object of the scene's display list that an object is, or is inside of. */
function rootOf(object: GameObject): GameObject {
  let root = object;
  for (;;) {
    const layer = root.displayList as unknown;
    const parent = root.parentContainer ?? (isLayer(layer) ? layer : null);
    if (parent === null) return root;
    root = parent;
  }
}

function isLayer(list: unknown): list is Phaser.GameObjects.Layer {
  return typeof list === 'object' && list !== null && 'type' in list && list.type === 'Layer';
}

/** How much of the canvas the box around an object takes, 0–1. */
function screenShareOf(object: GameObject, camera: Camera): number {
  const { width, height } = object.scene.sys.game.canvas;
  const { left, top, right, bottom } = boxAround(cornersOf(object, camera));
  const wide = Math.min(width, right) - Math.max(0, left);
  const high = Math.min(height, bottom) - Math.max(0, top);
  return wide > 0 && high > 0 ? (wide * high) / (width * height) : 0;
}

function cornersOf(object: GameObject, camera: Camera): readonly ArrayLike<number>[] {
  // The outline of an object that does not know its bounds, such as a Graphics, is read from the frame, which takes longer.
  if (!('getBounds' in object)) return adShapes([{ object, camera, isOutline: true }])[0]!.outline;
  const { getBounds, scrollFactorX, scrollFactorY } = object as Phaser.GameObjects.Image;
  const { left, top, right, bottom } = getBounds.call(object);
  // Phaser's types leave out the matrix of a camera.
  const { matrix } = camera as unknown as { readonly matrix: Phaser.GameObjects.Components.TransformMatrix };
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ].map(([x, y]) => {
    const at = matrix.transformPoint(x! - camera.scrollX * scrollFactorX, y! - camera.scrollY * scrollFactorY);
    return [at.x, at.y];
  });
}

import type * as Phaser from 'phaser';
import { adShape, type PlacedAd, type SpriteMeasurement } from '../../index.js';

type GameObject = Phaser.GameObjects.GameObject;

/** From this share of the canvas on, an object fills the screen. */
const LEAST_SHARE = 0.8;

/** Something that fills the screen above an ad. */
export interface ScreenCover {
  readonly object: GameObject;
  /** It is drawn behind most of the ad's scene. What is drawn in front of most is a menu or a curtain. */
  readonly isBackground: boolean;
}

/** What fills the screen above an ad; null for nothing. */
export function screenCover({ sprite }: PlacedAd, { camera, blockingSprites }: SpriteMeasurement): ScreenCover | null {
  if (camera === null) return null;
  const { width, height } = sprite.scene.sys.game.canvas;
  const object = blockingSprites.find((cover) => {
    // What is destroyed by now has no scene.
    if (!(cover.scene as unknown)) return false;
    const own = cover.scene === camera.scene ? camera : cover.scene.cameras.main;
    return areaOf(adShape(cover, own).onScreen) >= LEAST_SHARE * width * height;
  });
  return object === undefined ? null : { object, isBackground: isBehindMost(object, sprite) };
}

/** HTML lies above the canvas as a whole, such as a dialog of the page. */
export function isPageAbove({ canvas }: Phaser.Game): boolean {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const { ownerDocument: document } = canvas;
  // A page made in memory has no places.
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
  if (object.scene !== sprite.scene) return false;
  const others = sprite.scene.children.list.filter((other) => other !== rootOf(sprite));
  const below = others.indexOf(rootOf(object));
  return below >= 0 && below <= others.length - 1 - below;
}

/** What of a scene's display list an object is in. */
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

/** Of disjoint polygons. */
function areaOf(polygons: readonly Float64Array[]): number {
  let area = 0;
  for (const xy of polygons) {
    let twice = 0;
    for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) twice += xy[j]! * xy[i + 1]! - xy[i]! * xy[j + 1]!;
    area += Math.abs(twice) / 2;
  }
  return area;
}

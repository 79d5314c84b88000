import type * as Phaser from 'phaser';
import { adShape, type PlacedAd, type SpriteMeasurement } from '../../index.js';

type GameObject = Phaser.GameObjects.GameObject;

/** From this share of the canvas on, an object is large enough to be a background. */
const LEAST_SHARE = 0.8;

/**
 * The name of a background that hides all of an ad; null for none. A background fills the screen and is drawn behind most of
 * its scene: what fills the screen in front of most is a menu or a curtain.
 */
export function backgroundAbove({ sprite }: PlacedAd, measurement: SpriteMeasurement): string | null {
  const { camera, onScreenArea, isVisible } = measurement;
  if (camera === null || !(onScreenArea > 0) || isVisible) return null;
  const { scene } = sprite;
  const others = scene.children.list.filter((object) => object !== rootOf(sprite));
  const { width, height } = scene.sys.game.canvas;
  const found = measurement.blockingSprites.find((cover) => {
    if (cover.scene !== scene) return false;
    const below = others.indexOf(rootOf(cover));
    if (below < 0 || below > others.length - 1 - below) return false;
    return areaOf(adShape(cover, camera).onScreen) >= LEAST_SHARE * width * height;
  });
  return found === undefined ? null : found.name || found.type;
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

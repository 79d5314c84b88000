import type * as PhaserTypes from 'phaser';
import RBush, { type Box } from 'rbush';

type GameObject = PhaserTypes.GameObjects.GameObject;
type Bounded = GameObject & PhaserTypes.GameObjects.Components.GetBounds;
type Image = PhaserTypes.GameObjects.Image;

/** What a peer finds out about one ad: the objects drawn later whose bounding box meets the ad's, in draw order. */
export type Blockers = readonly GameObject[];

/**
 * What is written by hand today: the bounding box of every object above the ad against the ad's, with Phaser's own
 * functions and the camera's view as the screen.
 */
export function compareBounds(scene: PhaserTypes.Scene, ads: readonly Image[]): Blockers[] {
  const { Rectangle, Intersects } = Phaser.Geom;
  const list = scene.children.list as Bounded[];
  const view = scene.cameras.main.worldView;
  return ads.map((ad) => {
    const bounds = ad.getBounds();
    const onScreen = Rectangle.Intersection(bounds, view);
    const blockers: GameObject[] = [];
    let covered = 0;
    for (let i = list.indexOf(ad) + 1; i < list.length; i++) {
      const other = list[i]!;
      const otherBounds = other.getBounds();
      if (!Intersects.RectangleToRectangle(bounds, otherBounds)) continue;
      blockers.push(other);
      const overlap = Rectangle.Intersection(onScreen, otherBounds);
      covered += overlap.width * overlap.height;
    }
    coverageSink += covered;
    return blockers;
  });
}

interface Item extends Box {
  readonly object: GameObject;
  readonly index: number;
}

/** The usual advice for many objects: a spatial index of all bounding boxes, filled anew in every frame. */
export function searchTree(scene: PhaserTypes.Scene, ads: readonly Image[]): Blockers[] {
  const list = scene.children.list as Bounded[];
  const reused = new Phaser.Geom.Rectangle();
  const items = list.map((object, index): Item => {
    const { x, y, width, height } = object.getBounds(reused);
    return { minX: x, minY: y, maxX: x + width, maxY: y + height, object, index };
  });
  const tree = new RBush<Item>().load(items);
  return ads.map((ad) => {
    const index = list.indexOf(ad);
    const { x, y, width, height } = ad.getBounds(reused);
    return tree
      .search({ minX: x, minY: y, maxX: x + width, maxY: y + height })
      .filter((item) => item.index > index)
      .sort((a, b) => a.index - b.index)
      .map((item) => item.object);
  });
}

/**
 * The floor under everything that looks at game objects: each is touched once, for the properties that say where and
 * whether it is drawn, and nothing is done with them.
 */
export function readAll(objects: readonly PhaserTypes.GameObjects.Sprite[]): void {
  let sum = 0;
  for (let i = 0; i < objects.length; i++) {
    const object = objects[i]!;
    if (!object.visible) continue;
    sum += object.x + object.y + object.scaleX + object.scaleY + object.rotation + object.alpha;
  }
  coverageSink += sum;
}

/** Takes the results, so that no compiler may leave out the work behind them. */
let coverageSink = 0;
export const takeSink = () => coverageSink;

import type * as Phaser from 'phaser';
import polygonClipping, { type Polygon } from 'polygon-clipping';
import { HEIGHT, WIDTH } from './startGame.js';

type Image = Phaser.GameObjects.Image | Phaser.GameObjects.Sprite;

/** What is left of an ad, worked out by an independent polygon library. Flat opaque quads only, as the scenes have. */
export interface ExactShare {
  readonly percentageInView: number;
  /** Objects that meet the ad at all, in any order. */
  readonly overlapping: ReadonlySet<Phaser.GameObjects.GameObject>;
}

/**
 * @param ad on the display list, below all of `above`
 * @param above the objects drawn later
 */
export function exactShare(ad: Image, above: readonly Image[]): ExactShare {
  const screen: Polygon = [[[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]]; // prettier-ignore
  const shape = corners(ad);
  const overlapping = new Set<Phaser.GameObjects.GameObject>();
  const covers: Polygon[] = [];
  for (const object of above) {
    const cover = corners(object);
    if (!boxesMeet(shape, cover) || area(polygonClipping.intersection(shape, cover)) === 0) continue;
    overlapping.add(object);
    covers.push(cover);
  }
  const onScreen = polygonClipping.intersection(shape, screen);
  const left = covers.length === 0 ? onScreen : polygonClipping.difference(onScreen, ...covers);
  return { percentageInView: (100 * area(left)) / area([shape]), overlapping };
}

function corners(object: Image): Polygon {
  const matrix = object.getWorldTransformMatrix();
  const [left, top] = [-object.displayOriginX, -object.displayOriginY];
  const points = [
    [left, top],
    [left + object.width, top],
    [left + object.width, top + object.height],
    [left, top + object.height],
  ] as const;
  return [points.map(([x, y]): [number, number] => [matrix.getX(x, y), matrix.getY(x, y)])];
}

function boxesMeet([a]: Polygon, [b]: Polygon): boolean {
  return [0, 1].every((axis) => {
    const of = (ring: Polygon[0] = []) => ring.map((point) => point[axis] ?? 0);
    return Math.min(...of(a)) < Math.max(...of(b)) && Math.min(...of(b)) < Math.max(...of(a));
  });
}

function area(polygons: readonly Polygon[]): number {
  let twice = 0;
  for (const polygon of polygons) {
    for (const [index, ring] of polygon.entries()) {
      let ringArea = 0;
      ring.forEach(([x, y], i) => {
        const [nextX, nextY] = ring[(i + 1) % ring.length]!;
        ringArea += x * nextY - nextX * y;
      });
      // The first ring is the outline, all others are holes.
      twice += index === 0 ? Math.abs(ringArea) : -Math.abs(ringArea);
    }
  }
  return twice / 2;
}

import type * as Phaser from 'phaser';

type GameObject = Phaser.GameObjects.GameObject;

/** An object in a container: where it is, and how it scrolls. */
type Carried = GameObject &
  Pick<Phaser.GameObjects.Image, 'scrollFactorX' | 'scrollFactorY' | 'displayOriginX' | 'displayOriginY'> &
  Pick<Phaser.GameObjects.Image, 'getWorldTransformMatrix'>;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** How near a point must be to the one Phaser has asked for, in pixels of the object. */
const SAME_PLACE_PX = 1e-3;

/**
 * Makes Phaser find an interactive object where it is drawn. Phaser draws an object in a container with the scroll factors
 * of both, but hit tests it with the object's own alone: if the container has one, Phaser finds the object elsewhere.
 */
export function hitWhereDrawn(object: GameObject): void {
  const input = object.input!;
  const hits = input.hitAreaCallback;
  input.hitAreaCallback = (area: unknown, x: number, y: number, asked: GameObject): boolean => {
    const drawn = drawnPoint(object as Carried, x, y);
    return hits(area, drawn.x, drawn.y, asked);
  };
}

/** The point of an object that is drawn where Phaser looks for the given one. */
function drawnPoint(object: Carried, x: number, y: number): Point {
  let factorX = object.scrollFactorX;
  let factorY = object.scrollFactorY;
  for (let parent = object.parentContainer as typeof object.parentContainer | null; parent;) {
    factorX *= parent.scrollFactorX;
    factorY *= parent.scrollFactorY;
    parent = parent.parentContainer;
  }
  if (factorX === object.scrollFactorX && factorY === object.scrollFactorY) return { x, y };

  // Phaser does not tell a hit area for which pointer and camera it asks: it is the pair that leads to this point.
  const { cameras, input } = object.scene.sys as unknown as Phaser.Scene;
  const matrix = object.getWorldTransformMatrix();
  for (const camera of cameras.cameras) {
    for (const pointer of input.manager.pointers) {
      const at = camera.getWorldPoint(pointer.x, pointer.y);
      const pointOf = (byX: number, byY: number): Point => {
        const found = matrix.applyInverse(at.x + camera.scrollX * (byX - 1), at.y + camera.scrollY * (byY - 1));
        return found.add({ x: object.displayOriginX, y: object.displayOriginY });
      };
      const looked = pointOf(object.scrollFactorX, object.scrollFactorY);
      if (Math.hypot(looked.x - x, looked.y - y) < SAME_PLACE_PX) return pointOf(factorX, factorY);
    }
  }
  return { x, y };
}

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** What the oracle needs of any game object, whatever its type. */
export interface Drawable extends GameObject {
  visible: boolean;
  mask: Phaser.Display.Masks.GeometryMask | Phaser.Display.Masks.BitmapMask | null;
}

interface Parent extends GameObject {
  list: Drawable[];
}

/** Containers and layers: they paint nothing themselves. */
export function isParent(object: GameObject): object is Parent {
  return (object.type === 'Container' || object.type === 'Layer') && Array.isArray((object as Partial<Parent>).list);
}

/** True for scenes Phaser draws: visible, and from loading to paused. */
export function isDrawn(scene: Phaser.Scene): boolean {
  const { settings } = scene.sys;
  return settings.visible && settings.status >= 3 && settings.status <= 6;
}

/** Everything in the drawn scenes that paints by itself, in the order of the display lists. */
export function leaves(game: Phaser.Game): Drawable[] {
  const found = new Set<Drawable>();
  const collect = (list: readonly GameObject[]): void => {
    for (const object of list) {
      if (isParent(object)) collect(object.list);
      else found.add(object as Drawable);
    }
  };
  for (const scene of game.scene.scenes) if (isDrawn(scene)) collect(scene.sys.displayList.list);
  return [...found];
}

/** The object itself, its container chain, and the layers around it: all whose masks can cut it. */
export function chainOf(object: Drawable): Drawable[] {
  const chain: Drawable[] = [];
  let current: Drawable | undefined = object;
  while (current) {
    chain.push(current);
    const container: unknown = current.parentContainer;
    const list = (current as { displayList?: { type?: string } | null }).displayList;
    current = (container ?? (list?.type === 'Layer' ? list : undefined)) as Drawable | undefined;
  }
  return chain;
}

export function camerasOf(scene: Phaser.Scene): Camera[] {
  return scene.sys.cameras.cameras;
}

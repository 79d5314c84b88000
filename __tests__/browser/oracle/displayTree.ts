type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** What the oracle needs of any game object, whatever its type. */
export interface Drawable extends GameObject {
  visible: boolean;
  mask: Phaser.Display.Masks.GeometryMask | Phaser.Display.Masks.BitmapMask | null;
}

interface Parent extends GameObject {
  /** Of containers and layers. */
  list?: Drawable[];
  /** Of a container of phaser3-rex-plugins that has a display list of its own. */
  rendererLayer?: { list: Drawable[]; parent: Drawable };
}

/** What containers and layers hold, which paint nothing themselves; null for what paints. */
function childrenOf(object: GameObject): Drawable[] | null {
  const { list, rendererLayer } = object as Parent;
  return list ?? rendererLayer?.list ?? null;
}

/** True for scenes Phaser draws: visible, and from loading to paused. */
export function isDrawn(scene: Phaser.Scene): boolean {
  const { settings } = scene.sys;
  return settings.visible && settings.status >= 3 && settings.status <= 6;
}

/** Everything in the drawn scenes that paints by itself, in the order of the display lists. */
export function leaves(game: Phaser.Game): Drawable[] {
  return collect(game, (object) => !isStencil(object));
}

/** The stencils of Phaser 4 in the drawn scenes, which paint nothing and cut as masks do. */
export function stencils(game: Phaser.Game): Drawable[] {
  return collect(game, isStencil);
}

function isStencil(object: GameObject): boolean {
  return 'stencilLayerMode' in object;
}

function collect(game: Phaser.Game, isWanted: (object: GameObject) => boolean): Drawable[] {
  const found = new Set<Drawable>();
  const search = (list: readonly GameObject[]): void => {
    for (const object of list) {
      const children = isStencil(object) ? null : childrenOf(object);
      if (children) search(children);
      else if (isWanted(object)) found.add(object as Drawable);
    }
  };
  for (const scene of game.scene.scenes) if (isDrawn(scene)) search(scene.sys.displayList.list);
  return [...found];
}

/** The object itself, its container chain, and the layers around it: all whose masks can cut it. */
export function chainOf(object: Drawable): Drawable[] {
  const chain: Drawable[] = [];
  let current: Drawable | undefined = object;
  while (current) {
    chain.push(current);
    const container: unknown = current.parentContainer;
    const list = (current as { displayList?: { renderFlags?: number; parent?: Parent } | null }).displayList;
    const rex = list?.parent && list.parent.rendererLayer === list ? list.parent : undefined;
    current = (container ?? (list?.renderFlags !== undefined ? list : rex)) as Drawable | undefined;
  }
  return chain;
}

/** The scene that draws an object, which need not be the one that made it. */
export function sceneOf(object: Drawable): Phaser.Scene {
  const { displayList } = chainOf(object).pop() as unknown as { displayList: { scene: Phaser.Scene } | null };
  return displayList?.scene ?? object.scene;
}

export function camerasOf(scene: Phaser.Scene): Camera[] {
  return scene.sys.cameras.cameras;
}

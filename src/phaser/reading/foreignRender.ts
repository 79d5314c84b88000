import type { DrawnObject } from './internals.js';

/**
 * Phaser's types whose class has the only render function of its chain: the one nearest to `GameObject` is Phaser's, any
 * other the game's. Not DynamicBitmapText, which replaces that of BitmapText itself.
 */
const TYPES = new Set([
  'Image',
  'Sprite',
  'PathFollower',
  'Text',
  'Container',
  'Layer',
  'Graphics',
  'Rectangle',
  'Ellipse',
  'Arc',
  'Star',
  'Polygon',
  'Curve',
  'Triangle',
  'Line',
  'IsoBox',
  'IsoTriangle',
  'Grid',
  'BitmapText',
  'Blitter',
  'TilemapLayer',
  'ParticleEmitter',
  'Mesh',
  'Plane',
  'Rope',
  'PointLight',
  'NineSlice',
  'TileSprite',
  'Video',
  'RenderTexture',
]);

interface Rendered extends DrawnObject {
  readonly renderCanvas?: object;
}

/** Phaser's functions met so far, and the one asked about last. */
const known = new WeakSet();
let last: object | undefined;

/**
 * True when Canvas draws an object of one of Phaser's types by a function of the game's own, which may paint anything, be it
 * in a class that extends Phaser's or of that object alone. In WebGL vertices tell what such a function paints.
 */
export function hasForeignRender(object: DrawnObject): boolean {
  const render = (object as Rendered).renderCanvas;
  if (render === undefined || render === last) return false;
  if (!known.has(render)) return isForeign(object, render);
  last = render;
  return false;
}

function isForeign(object: DrawnObject, render: object): boolean {
  if (!TYPES.has(object.type)) return false;
  let own = render;
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (Object.prototype.hasOwnProperty.call(at, 'renderCanvas')) own = (at as { renderCanvas: object }).renderCanvas;
  }
  if (render !== own) return true;
  known.add(render);
  return false;
}

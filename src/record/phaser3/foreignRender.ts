import { PHASER_TYPES } from '../objects/objectKind.js';
import type { DrawnObject } from './internals.js';

interface Rendered extends DrawnObject {
  readonly renderCanvas?: object & { readonly marked?: object };
  readonly renderWebGL?: object & { readonly marked?: object };
}

/** Phaser's functions met before, and the last ones asked about: in WebGL, and on Canvas. */
const known = new WeakSet();
let lastWebGL: object | undefined;
let lastCanvas: object | undefined;

/**
 * True when an object of one of Phaser's types is drawn by a function of the game's own, be it in a class that extends
 * Phaser's or of that object alone. Such a function may paint anything, and no field of the object tells what.
 */
export function hasForeignRender(object: DrawnObject, isWebGL: boolean): boolean {
  const { renderCanvas, renderWebGL } = object as Rendered;
  const present = isWebGL ? renderWebGL : renderCanvas;
  if (present === undefined || present === (isWebGL ? lastWebGL : lastCanvas)) return false;
  // An observed object's own function is behind the tap's.
  const render = present.marked ?? present;
  if (!known.has(render)) return isForeign(object, render, isWebGL ? 'renderWebGL' : 'renderCanvas');
  if (isWebGL) lastWebGL = present;
  else lastCanvas = present;
  return false;
}

function isForeign(object: DrawnObject, render: object, name: 'renderCanvas' | 'renderWebGL'): boolean {
  // In the prototype chain of Phaser's classes the function nearest to `GameObject` is Phaser's, any other the game's.
  // Only `DynamicBitmapText` replaces the function of the class it extends.
  if (!PHASER_TYPES.has(object.type) || object.type === 'DynamicBitmapText') return false;
  const chain: object[] = [];
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (Object.prototype.hasOwnProperty.call(at, name)) chain.push((at as Record<typeof name, object>)[name]);
  }
  // A RenderTexture of Phaser 4 is an Image that draws itself in a way of its own.
  const isImage = object.type === 'RenderTexture' && 'renderMode' in object;
  if (render !== chain[chain.length - (isImage ? 2 : 1)]) return true;
  known.add(render);
  return false;
}

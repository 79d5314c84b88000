import type { DrawnObject } from './phaser3/internals.js';
import { isList } from './isList.js';

/** What draws an object, as far as its type and fields tell. */
export const ObjectKind = {
  /** Phaser's own code, or that of a library which is known to draw through Phaser's pipelines. */
  PHASER: 0,
  /** A shader of the game's own on a rectangle. */
  SHADER: 1,
  /** A Spine skeleton, which draws with a batcher of its own. */
  SPINE: 2,
  /** Code of the game's own that gets the WebGL context. */
  EXTERN: 3,
} as const;
export type ObjectKind = (typeof ObjectKind)[keyof typeof ObjectKind];

// prettier-ignore
const SHAPES = [
  'Rectangle', 'Ellipse', 'Arc', 'Star', 'Polygon', 'Curve', 'Triangle', 'Line', 'IsoBox', 'IsoTriangle', 'Grid',
];
const PICTURES = ['Image', 'Sprite', 'PathFollower', 'Text', 'RenderTexture'];

/**
 * Phaser's types, each with a field that every object of that type has; since Phaser 3.60 from its creation on. Games
 * use `type` for kinds of their own, such as a sprite that is a `Star` or a container that is a `Sprite`: without the
 * field an object is not of Phaser's type.
 */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ...SHAPES.map((type) => [type, 'pathData'] as const),
  ...PICTURES.map((type) => [type, 'frame'] as const),
  ['Graphics', 'commandBuffer'],
  ['BitmapText', 'fontData'],
  ['DynamicBitmapText', 'fontData'],
  ['Blitter', 'renderList'],
  ['TilemapLayer', 'gidMap'],
  ['ParticleEmitter', 'emitZones'],
  ['Mesh', 'faces'],
  ['Plane', 'faces'],
  ['Rope', 'horizontal'],
  ['PointLight', 'attenuation'],
  ['NineSlice', 'is3Slice'],
  ['TileSprite', 'displayFrame'],
  ['Video', 'getVideoKey'],
  ['Zone', 'setDropZone'],
  ['DOMElement', 'node'],
]);

/** Types of Phaser 4 that are known by name only. */
const LATER = ['Mesh2D', 'SpriteGPULayer', 'TilemapGPULayer', 'CaptureFrame', 'StencilReference'];

/** All types of Phaser's that draw with its own code. */
export const PHASER_TYPES: ReadonlySet<string> = new Set([...FIELDS.keys(), ...LATER, 'Container', 'Layer']);

/** Types of libraries, and those of Phaser that have no field of their own. */
const TYPES: ReadonlyMap<string, ObjectKind> = new Map<string, ObjectKind>([
  ...LATER.map((type) => [type, ObjectKind.PHASER] as const),
  ['Extern', ObjectKind.EXTERN],
  ['SpineGameObject', ObjectKind.SPINE],
  ['spine', ObjectKind.SPINE],
  ['Spine', ObjectKind.SPINE],
  ['rexEffectLayer', ObjectKind.SHADER],
  ['rexOutlineEffectLayer', ObjectKind.SHADER],
  ['rexContainerLite', ObjectKind.PHASER],
]);

/** Decided once for each class whose type name is not Phaser's. */
const kindred = new WeakMap<object, ObjectKind | null>();

/** What draws an object; null when it resembles nothing known. */
export function kindOf(object: DrawnObject): ObjectKind | null {
  const field = FIELDS.get(object.type);
  if (field !== undefined && field in object) return ObjectKind.PHASER;
  const kind = TYPES.get(object.type);
  if (kind !== undefined) return kind;
  if (isList(object)) return ObjectKind.PHASER;
  const ofClass = Object.getPrototypeOf(object) as object;
  let known = kindred.get(ofClass);
  if (known === undefined) {
    known = kindByFields(object);
    kindred.set(ofClass, known);
  }
  return known;
}

/**
 * Game classes that give themselves a type of their own, and the many types of phaser3-rex-plugins, are drawn by the class they
 * extend.
 */
function kindByFields(object: DrawnObject): ObjectKind | null {
  const fields = object as unknown as Record<string, unknown>;
  const has = (field: string): boolean => fields[field] !== undefined && fields[field] !== null;
  // Shaders of Phaser 4, and what extends them, are drawn by a render node.
  if (has('renderNode') && has('setupUniforms')) return ObjectKind.PHASER;
  if (has('uniforms') && has('fragSrc')) return ObjectKind.SHADER;
  if (has('skeleton') && !(has('frame') && has('texture'))) return ObjectKind.SPINE;
  const isPhasers =
    has('getVideoKey') ||
    (has('frame') && has('texture') && has('_crop')) ||
    has('commandBuffer') ||
    has('pathData') ||
    (has('gidMap') && has('layer')) ||
    (has('alive') && has('emitZones')) ||
    (has('faces') && has('viewPosition')) ||
    has('fontData') ||
    has('renderList') ||
    (has('horizontal') && has('uv')) ||
    (has('leftWidth') && has('vertices')) ||
    has('setDropZone') ||
    has('node') ||
    (has('canvas') && has('context') && has('frame'));
  return isPhasers ? ObjectKind.PHASER : null;
}

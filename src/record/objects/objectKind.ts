import type { DrawnObject } from '../phaser3/internals.js';
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

/**
 * Phaser's types, and fields that every object of these types has; since Phaser 3.60 from its creation on. Games use
 * `type` for kinds of their own, such as a sprite that is a `Star` or a container that is a `Sprite`: without the first
 * field an object is not of Phaser's type. With all fields it is drawn as one, whatever it calls its type.
 */
const PHASERS: readonly (readonly [types: readonly string[], fields: readonly string[]])[] = [
  [SHAPES, ['pathData']],
  [
    ['Image', 'Sprite', 'PathFollower', 'Text', 'RenderTexture'],
    ['frame', 'texture', '_crop'],
  ],
  [['Graphics'], ['commandBuffer']],
  [['BitmapText', 'DynamicBitmapText'], ['fontData']],
  [['Blitter'], ['renderList']],
  [['TilemapLayer'], ['gidMap', 'layer']],
  [['ParticleEmitter'], ['emitZones', 'alive']],
  [
    ['Mesh', 'Plane'],
    ['faces', 'viewPosition'],
  ],
  // Of Phaser 4.2 on, and what rex plugins for Phaser 4 draw their triangles by.
  [['Mesh2D'], ['renderAsTriangles']],
  [[], ['faces', 'dirtyFlags']],
  [['Rope'], ['horizontal', 'uv']],
  [['PointLight'], ['attenuation', 'intensity']],
  [['NineSlice'], ['is3Slice', 'leftWidth', 'vertices']],
  [['TileSprite'], ['displayFrame']],
  [['Video'], ['getVideoKey']],
  [['Zone'], ['setDropZone']],
  [['DOMElement'], ['node']],
  // A picture that a library paints by a 2D context.
  [[], ['canvas', 'context', 'frame']],
];
const FIELDS: ReadonlyMap<string, string> = new Map(
  // Not with `flatMap`: in browsers too old for ads this is evaluated, too.
  ([] as (readonly [string, string])[]).concat(
    ...PHASERS.map(([types, fields]) => types.map((type) => [type, fields[0]!] as const)),
  ),
);

/** Types of Phaser 4 that are known by name only. */
const LATER = ['SpriteGPULayer', 'TilemapGPULayer', 'CaptureFrame', 'StencilReference'];

/** All types of Phaser's that draw with its own code. */
export const PHASER_TYPES: ReadonlySet<string> = new Set([...FIELDS.keys(), ...LATER, 'Container', 'Layer']);

/** Types of libraries, and those of Phaser that have no field of their own. */
const TYPES: ReadonlyMap<string, ObjectKind> = new Map<string, ObjectKind>([
  ...LATER.map((type) => [type, ObjectKind.PHASER] as const),
  ['Extern', ObjectKind.EXTERN],
  ['SpineGameObject', ObjectKind.SPINE],
  ['spine', ObjectKind.SPINE],
  ['Spine', ObjectKind.SPINE],
]);

/** Decided once for each class whose type name is not Phaser's. */
const kindred = new WeakMap<object, ObjectKind | null>();

/** What draws an object; null when it resembles nothing known. */
export function kindOf(object: DrawnObject): ObjectKind | null {
  const field = FIELDS.get(object.type);
  if (field !== undefined && field in object) return ObjectKind.PHASER;
  const kind = TYPES.get(object.type);
  // The runtime for Phaser 4 has a way of drawing that goes through Phaser's renderer.
  if (kind === ObjectKind.SPINE && (object as { rendererType?: unknown }).rendererType === 'phaser')
    return ObjectKind.PHASER;
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

/** Game classes with a type of their own, and the many types of phaser3-rex-plugins, are drawn by the class they extend. */
function kindByFields(object: DrawnObject): ObjectKind | null {
  const fields = object as unknown as Record<string, unknown>;
  const has = (field: string): boolean => fields[field] !== undefined && fields[field] !== null;
  // Shaders of Phaser 4, and what extends them, are drawn by a render node.
  if (has('renderNode') && has('setupUniforms')) return ObjectKind.PHASER;
  if (has('uniforms') && has('renderToTexture')) return ObjectKind.SHADER;
  if (has('skeleton') && !(has('frame') && has('texture'))) return ObjectKind.SPINE;
  return PHASERS.some(([, names]) => names.every(has)) ? ObjectKind.PHASER : null;
}

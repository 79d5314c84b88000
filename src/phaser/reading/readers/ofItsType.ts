import type { DrawnObject } from '../internals.js';

// prettier-ignore
const SHAPES = [
  'Rectangle', 'Ellipse', 'Arc', 'Star', 'Polygon', 'Curve', 'Triangle', 'Line', 'IsoBox', 'IsoTriangle', 'Grid',
];
const PICTURES = ['Image', 'Sprite', 'PathFollower', 'Text', 'RenderTexture'];

/** Types of Phaser's and a field without which nothing is read as one of them; from 3.60 on each has it from its start. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ...SHAPES.map((type) => [type, 'pathData'] as const),
  ...PICTURES.map((type) => [type, 'frame'] as const),
  ['Container', 'list'],
  ['Layer', 'list'],
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
  ['Shader', 'uniforms'],
  ['Zone', 'setDropZone'],
  ['DOMElement', 'node'],
]);

/**
 * False when an object has the name of one of Phaser's types and is none: `type` is a field that games take for kinds of their
 * own, as a sprite that is a `Star` or a container that is a `Sprite`.
 */
export function isOfItsType(object: DrawnObject): boolean {
  const field = FIELDS.get(object.type);
  return field === undefined || field in object;
}

import type { ObjectReader } from '../ObjectReader.js';
import { readBitmapText, readDynamicBitmapText } from './bitmapText.js';
import { readBlitter } from './blitter.js';
import { readExtern } from './extern.js';
import { readGraphics } from './graphics.js';
import { readGrid } from './grid.js';
import { readImage } from './image.js';
import { readIsoBox, readIsoTriangle } from './isoShapes.js';
import { readMesh } from './mesh.js';
import { readNineSlice } from './nineSlice.js';
import { readNothing } from './nothing.js';
import { readParticleEmitter } from './particleEmitter.js';
import { readPointLight } from './pointLight.js';
import { readMultiPartShape, readRexBlitter } from './rex.js';
import { readRope } from './rope.js';
import { readShader } from './shader.js';
import { readArc, readCurve, readLine, readPathShape, readRectangle, readTriangle } from './shapes.js';
import { readSpine } from './spine.js';
import { readTilemapLayer } from './tilemapLayer.js';
import { readTileSprite } from './tileSprite.js';
import { readVideo } from './video.js';

/** A reader takes the objects of its own type; the map's user picks it by that type. */
const readers: readonly (readonly [string, ObjectReader<never>])[] = [
  ['Graphics', readGraphics],
  ['Rectangle', readRectangle],
  ['Ellipse', readPathShape],
  ['Arc', readArc],
  ['Star', readPathShape],
  ['Polygon', readPathShape],
  ['Curve', readCurve],
  ['Triangle', readTriangle],
  ['Line', readLine],
  ['IsoBox', readIsoBox],
  ['IsoTriangle', readIsoTriangle],
  ['Grid', readGrid],
  ['BitmapText', readBitmapText],
  ['DynamicBitmapText', readDynamicBitmapText],
  ['Blitter', readBlitter],
  ['TilemapLayer', readTilemapLayer],
  ['ParticleEmitter', readParticleEmitter],
  ['Mesh', readMesh],
  ['Plane', readMesh],
  ['Rope', readRope],
  ['PointLight', readPointLight],
  ['NineSlice', readNineSlice],
  ['TileSprite', readTileSprite],
  ['Video', readVideo],
  ['RenderTexture', readImage],
  ['Shader', readShader],
  ['Extern', readExtern],
  ['Zone', readNothing],
  ['DOMElement', readNothing],
  // @esotericsoftware/spine-phaser, and the plugin that came with Phaser.
  ['SpineGameObject', readSpine],
  ['spine', readSpine],
  ['Spine', readSpine],
  // phaser3-rex-plugins; the rest of its types are recognised by what they extend.
  ['rexShapes', readMultiPartShape],
  ['rexCustomShapes', readMultiPartShape],
  ['rexRoundRectangleShape', readPathShape],
  ['rexQuadShape', readPathShape],
  ['rexBlitter', readRexBlitter],
  ['rexBitmapText', readRexBlitter],
  ['rexNinePatch2', readRexBlitter],
  ['rexNinePatch', readImage],
  ['rexQuadImage', readMesh],
  ['rexPerspectiveImage', readMesh],
  ['rexPerspectiveSprite', readMesh],
  ['rexShatterImage', readMesh],
  ['rexEffectLayer', readShader],
  ['rexOutlineEffectLayer', readShader],
  ['rexContainerLite', readNothing],
];

/** Readers of everything but plain images and text, by `GameObject.type`. Containers and layers are walked, not read. */
export const objectReaders: ReadonlyMap<string, ObjectReader> = new Map(
  readers as readonly (readonly [string, ObjectReader])[],
);

import type { DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { readBitmapText, readDynamicBitmapText } from './bitmapText.js';
import { readBlitter } from './blitter.js';
import { readGraphics } from './graphics.js';
import { readGrid } from './grid.js';
import { readImage, readText } from './image.js';
import { readIsoBox, readIsoTriangle } from './isoShapes.js';
import { isList, readList } from './list.js';
import { readMesh } from './mesh.js';
import { readNineSlice } from './nineSlice.js';
import { readNothing } from './nothing.js';
import { readParticleEmitter } from './particleEmitter.js';
import { readMultiPartShape, readRexBlitter } from './rex.js';
import { readRope } from './rope.js';
import { readShader } from './shader.js';
import { readArc, readCurve, readLine, readPathShape, readRectangle, readTriangle } from './shapes.js';
import { readSpine } from './spine.js';
import { readTilemapLayer } from './tilemapLayer.js';
import { readTileSprite } from './tileSprite.js';
import { readVideo } from './video.js';

type AnyReader = ObjectReader<never>;

/** `Phaser.Geom.RECTANGLE`: what `geom.type` says of a rectangle. */
const GEOM_RECTANGLE = 5;

/**
 * The reader for an object whose type name nobody registered, by the fields it has: game classes that give themselves a
 * type of their own, and the many types of phaser3-rex-plugins, are drawn by the class they extend. Null when it is like
 * nothing known.
 */
export function kindredReader(object: DrawnObject): ObjectReader | null {
  const fields = object as unknown as Record<string, unknown>;
  const has = (field: string): boolean => fields[field] !== undefined && fields[field] !== null;
  return readerFor(object, has) as ObjectReader | null;
}

function readerFor(object: DrawnObject, has: (field: string) => boolean): AnyReader | null {
  if (isList(object)) return readList;
  if (has('getVideoKey')) return readVideo;
  // Before what else fields tell, for a game's sprites have fields of its own, such as the node they walk to.
  if (has('frame') && has('texture') && has('_crop')) return pictureReader(has);
  if (has('commandBuffer')) return readGraphics;
  return has('pathData') ? shapeReader(object, has) : otherReader(has);
}

function pictureReader(has: (field: string) => boolean): AnyReader {
  if (has('displayFrame')) return readTileSprite;
  return has('canvas') && has('context') ? readText : readImage;
}

function otherReader(has: (field: string) => boolean): AnyReader | null {
  if (has('gidMap') && has('layer')) return readTilemapLayer;
  if (has('alive') && has('emitZones')) return readParticleEmitter;
  if (has('skeleton')) return readSpine;
  if (has('faces') && has('viewPosition')) return readMesh;
  if (has('fontData')) return has('cropWidth') ? readDynamicBitmapText : readBitmapText;
  if (has('renderList')) return has('poolManager') || has('lastAppendedChildren') ? readRexBlitter : readBlitter;
  if (has('uniforms') && has('fragSrc')) return readShader;
  if (has('horizontal') && has('uv')) return readRope;
  if (has('leftWidth') && has('vertices')) return readNineSlice;
  if (has('setDropZone') || has('node')) return readNothing;
  if (has('canvas') && has('context') && has('frame')) return readText;
  return null;
}

function shapeReader(object: DrawnObject, has: (field: string) => boolean): AnyReader | null {
  const { geom } = object as unknown as { readonly geom: unknown };
  if (Array.isArray(geom)) return readMultiPartShape;
  if (has('cellWidth')) return readGrid;
  if (has('projection')) return has('isReversed') ? readIsoTriangle : readIsoBox;
  if (has('_curveBounds')) return readCurve;
  if (has('_startWidth')) return readLine;
  if (has('_startAngle')) return readArc;
  if (typeof geom === 'object' && geom !== null) {
    if ('x3' in geom) return readTriangle;
    if ((geom as { readonly type?: unknown }).type === GEOM_RECTANGLE) return readRectangle;
  }
  return readPathShape;
}

import type * as Phaser from 'phaser';

import type { CameraInternals, DrawnObject } from '../internals.js';
import type { ObjectReader, ReadContext } from '../ObjectReader.js';
import { Snap } from '../Pen.js';
import { TexturePart } from '../TexturePart.js';
import { floorsPosition, snapOfSprite } from './roundPixels.js';
import { scrollFactorX, scrollFactorY } from './scrollFactor.js';
import {
  columnsNear,
  drawnRange,
  isIsometricTileDrawn,
  Orientation,
  rowsNear,
  type CulledLayer,
  type TileGrid,
  type TileRange,
} from './tileGrid.js';
import { tintStrength } from './tint.js';

interface Tile {
  readonly index: number;
  readonly visible: boolean;
  readonly alpha: number;
  readonly tint: number;
  /** Since 3.70. */
  readonly tintFill?: boolean;
  readonly pixelX: number;
  readonly pixelY: number;
  readonly width: number;
  readonly height: number;
  /** Radians. */
  readonly rotation: number;
  readonly flipX: boolean;
  readonly flipY: boolean;
}

interface Tileset {
  readonly firstgid: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly tileOffset: { readonly x: number; readonly y: number };
  /** Top left of each tile in the image, in its pixels. */
  readonly texCoordinates: ReadonlyArray<{ readonly x: number; readonly y: number } | undefined>;
  readonly image: Phaser.Textures.Texture | null;
  readonly updateTileData: { readonly length: number };
}

interface LayerData extends TileGrid {
  readonly data: ReadonlyArray<ReadonlyArray<Tile | null | undefined> | undefined>;
}

interface TilemapLayerObject extends DrawnObject, Omit<CulledLayer, keyof DrawnObject> {
  readonly layer: LayerData;
  readonly tileset: readonly Tileset[];
  readonly gidMap: ReadonlyArray<Tileset | undefined>;
}

const rows: TileRange = { left: 0, top: 0, right: 0, bottom: 0 };
const columns: TileRange = { left: 0, top: 0, right: 0, bottom: 0 };
const drawn: TileRange = { left: 0, top: 0, right: 0, bottom: 0 };
const parts = new WeakMap<Tileset, (TexturePart | undefined)[]>();

/**
 * The tiles near the ads, of those the camera draws. Only a tile's own picture counts, whatever the map's orientation.
 *
 * In WebGL the layer's rotation and any container around it are not applied, and a tileset's offset is not scaled. On
 * Canvas they are, the offset is not applied at all, and inside a container the camera's matrix comes in twice.
 * Source: `TilemapLayerWebGLRenderer`, `TilemapLayerCanvasRenderer`.
 */
export const readTilemapLayer: ObjectReader<TilemapLayerObject> = (object, context) => {
  const { pen, camera, isWebGL } = context;
  const { layer } = object;
  if (!layer?.data || object.tileset.length === 0) return;
  const factorX = scrollFactorX(object);
  const factorY = scrollFactorY(object);
  if (object.parentContainer !== null) placeInContainer(context, factorX, factorY);
  // Everything below speaks pixels of the unscaled layer.
  pen.transform(object.x, object.y, isWebGL ? 0 : object.rotation, object.scaleX, object.scaleY);
  let overhang = 0;
  let offsetX = 0;
  let offsetY = 0;
  for (let i = 0; i < object.tileset.length; i++) {
    const { tileWidth, tileHeight, tileOffset } = object.tileset[i]!;
    overhang = Math.max(overhang, tileWidth, tileHeight);
    offsetX = Math.max(offsetX, Math.abs(tileOffset.x / object.scaleX));
    offsetY = Math.max(offsetY, Math.abs(tileOffset.y / object.scaleY));
  }
  const near = pen.localInterest();
  // A rotated tile reaches as far as its longer side in any direction.
  const minX = near[0]! - overhang - offsetX;
  const minY = near[1]! - overhang - offsetY;
  const maxX = near[2]! + overhang + offsetX;
  const maxY = near[3]! + overhang + offsetY;
  const isIsometric = layer.orientation === Orientation.ISOMETRIC;
  // Both `setTintFill` and the right axis for hexagons came with 3.70.
  drawnRange(layer, object, camera, factorX, factorY, 'setTintFill' in object, drawn);
  rowsNear(layer, minX, minY, maxX, maxY, rows);
  const lastRow = Math.min(rows.bottom, drawn.bottom);
  for (let y = Math.max(rows.top, drawn.top); y < lastRow; y++) {
    const tiles = layer.data[y];
    if (!tiles) continue;
    columnsNear(layer, y, minX, minY, maxX, maxY, columns);
    const lastColumn = Math.min(columns.right, drawn.right);
    for (let x = Math.max(columns.left, drawn.left); x < lastColumn; x++) {
      const tile = tiles[x];
      if (!tile || tile.index === -1 || !tile.visible || tile.alpha === 0) continue;
      if (isIsometric && !isIsometricTileDrawn(layer, object, camera, factorX, factorY, x, y)) continue;
      drawTile(object, context, tile);
    }
  }
};

function drawTile(object: TilemapLayerObject, context: ReadContext, tile: Tile): void {
  const { pen, isWebGL } = context;
  const tileset = object.gidMap[tile.index];
  if (!tileset) return;
  const { tileWidth, tileHeight, tileOffset } = tileset;
  if (tileWidth === 0 || tileHeight === 0) return;
  const halfWidth = tileWidth / 2;
  const halfHeight = tileHeight / 2;
  let x = tile.pixelX + halfWidth;
  let y = tile.pixelY + halfHeight;
  let width = tileWidth;
  let height = tileHeight;
  if (isWebGL) {
    x -= tileOffset.x / object.scaleX;
    y -= tileOffset.y / object.scaleY;
    // Before 3.80, which gave this method two parameters more, the picture was stretched to the tile's own size.
    if (tileset.updateTileData.length < 4) {
      width = tile.width;
      height = tile.height;
    }
    if (floorsPosition(context.camera, true)) {
      x = (Math.floor(object.x + x * object.scaleX) - object.x) / object.scaleX;
      y = (Math.floor(object.y + y * object.scaleY) - object.y) / object.scaleY;
    }
  }
  placeTile(object, context, x, y, tile.rotation);
  if (!pen.reaches(-halfWidth, -halfHeight, width, height)) return;
  const part = partOf(tileset, tile.index);
  if (part === null) return;
  pen.snap = snapOfSprite(context);
  pen.texturedQuad(
    -halfWidth,
    -halfHeight,
    width,
    height,
    context.alphaMap(part.frame, isWebGL ? tile.tint : 0xffffff, isWebGL && tile.tintFill === true),
    tile.flipX ? 1 : 0,
    tile.flipY ? 1 : 0,
    tile.flipX ? 0 : 1,
    tile.flipY ? 0 : 1,
    object.alpha * tile.alpha * (isWebGL ? tintStrength(pen, tile.tint, tile.tintFill === true) : 1),
  );
  pen.snap = Snap.NONE;
}

/** The pen's matrix at the middle of a tile: on Canvas turned within the scaled layer, in WebGL scaled after turning. */
function placeTile(object: TilemapLayerObject, context: ReadContext, x: number, y: number, rotation: number): void {
  const { pen, isWebGL } = context;
  if (!isWebGL || rotation === 0 || object.scaleX === object.scaleY) {
    pen.within(x, y, rotation, 1, 1);
    return;
  }
  pen.within(x, y, 0, 1 / object.scaleX, 1 / object.scaleY);
  const { a, b, c, d } = pen;
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  pen.a = (a * cos + c * sin) * object.scaleX;
  pen.b = (b * cos + d * sin) * object.scaleX;
  pen.c = (c * cos - a * sin) * object.scaleY;
  pen.d = (d * cos - b * sin) * object.scaleY;
}

/** Sets the pen's parent matrix to what the renderers make of a layer inside a container. */
function placeInContainer({ pen, camera, isWebGL }: ReadContext, factorX: number, factorY: number): void {
  const { a, b, c, d, e, f } = (camera as unknown as CameraInternals).matrix;
  if (isWebGL) {
    const x = -camera.scrollX * factorX;
    const y = -camera.scrollY * factorY;
    pen.pa = a;
    pen.pb = b;
    pen.pc = c;
    pen.pd = d;
    pen.pe = a * x + c * y + e;
    pen.pf = b * x + d * y + f;
    return;
  }
  const { pa, pb, pc, pd, pe, pf } = pen;
  pen.pa = a * pa + c * pb;
  pen.pb = b * pa + d * pb;
  pen.pc = a * pc + c * pd;
  pen.pd = b * pc + d * pd;
  pen.pe = a * pe + c * pf + e;
  pen.pf = b * pe + d * pf + f;
}

function partOf(tileset: Tileset, index: number): TexturePart | null {
  const at = index - tileset.firstgid;
  const corner = tileset.texCoordinates[at];
  const source = tileset.image?.get().source;
  if (!corner || !source) return null;
  let list = parts.get(tileset);
  if (list === undefined) {
    list = [];
    parts.set(tileset, list);
  }
  let part = list[at];
  if (part === undefined || !part.isAt(source, corner.x, corner.y, tileset.tileWidth, tileset.tileHeight)) {
    part = new TexturePart(source, corner.x, corner.y, tileset.tileWidth, tileset.tileHeight);
    list[at] = part;
  }
  return part;
}

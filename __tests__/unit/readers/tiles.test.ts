import fc from 'fast-check';

import { readTilemapLayer } from '../../../src/phaser/reading/readers/tilemapLayer.js';
import {
  columnsNear,
  drawnRange,
  isIsometricTileDrawn,
  Orientation,
  rowsNear,
  type TileGrid,
} from '../../../src/phaser/reading/readers/tileGrid.js';
import { paint, placed, plainCamera } from './painting.js';

const TILE = 32;

const grids = fc
  .record({
    orientation: fc.constantFrom(...Object.values(Orientation)),
    tileHeight: fc.constantFrom(16, 32),
    staggerAxis: fc.constantFrom('x', 'y'),
  })
  .map(({ orientation, tileHeight, staggerAxis }): TileGrid => ({
    orientation,
    width: 20,
    height: 20,
    tileWidth: TILE,
    tileHeight,
    baseTileWidth: TILE,
    baseTileHeight: tileHeight,
    hexSideLength: 8,
    staggerAxis,
  }));

/** Where a tile lies in the unscaled layer, as `Tile.updatePixelXY` has it for staggering by odd rows or columns. */
function placeOf(grid: TileGrid, x: number, y: number): { x: number; y: number } {
  const { baseTileWidth: w, baseTileHeight: h, hexSideLength: side } = grid;
  if (grid.orientation === Orientation.ISOMETRIC) return { x: ((x - y) * w) / 2, y: ((x + y) * h) / 2 };
  if (grid.orientation === Orientation.STAGGERED) return { x: x * w + ((y % 2) * w) / 2, y: (y * h) / 2 };
  if (grid.orientation === Orientation.HEXAGONAL && grid.staggerAxis === 'y') {
    return { x: x * w + ((y % 2) * w) / 2, y: y * ((h - side) / 2 + side) };
  }
  if (grid.orientation === Orientation.HEXAGONAL)
    return { x: x * ((w - side) / 2 + side), y: y * h + ((x % 2) * h) / 2 };
  return { x: x * w, y: y * h };
}

const range = () => ({ left: 0, top: 0, right: 0, bottom: 0 });

test('looking up by place misses no tile of the box, in any orientation, and finds few beside it', () => {
  const box = fc.tuple(
    fc.integer({ min: -300, max: 700 }),
    fc.integer({ min: -300, max: 700 }),
    fc.nat(90),
    fc.nat(90),
  );
  fc.assert(
    fc.property(grids, box, (grid, [minX, minY, width, height]) => {
      const rows = range();
      const columns = range();
      rowsNear(grid, minX, minY, minX + width, minY + height, rows);
      let found = 0;
      let missed = 0;
      for (let y = 0; y < grid.height; y++) {
        columnsNear(grid, y, minX, minY, minX + width, minY + height, columns);
        const rowIsRead = y >= rows.top && y < rows.bottom;
        for (let x = 0; x < grid.width; x++) {
          const isRead = rowIsRead && x >= columns.left && x < columns.right;
          const place = placeOf(grid, x, y);
          const isInside = place.x >= minX && place.x <= minX + width && place.y >= minY && place.y <= minY + height;
          if (isInside && !isRead) missed++;
          if (isRead) found++;
        }
      }
      expect(missed).toBe(0);
      expect(found).toBeLessThanOrEqual((width / 8 + 8) * (height / 8 + 8));
    }),
  );
});

const layer = {
  x: 0,
  y: 0,
  scaleX: 1,
  scaleY: 1,
  skipCull: false,
  cullPaddingX: 1,
  cullPaddingY: 1,
  _renderOrder: 0,
  tilemap: { tileWidth: TILE, tileHeight: TILE },
};
const grid: TileGrid = {
  orientation: Orientation.ORTHOGONAL,
  width: 100,
  height: 100,
  tileWidth: TILE,
  tileHeight: TILE,
  baseTileWidth: TILE,
  baseTileHeight: TILE,
  hexSideLength: 16,
  staggerAxis: 'y',
};
const view = { scrollX: 0, scrollY: 0, worldView: { x: 320, y: 640, width: 160, height: 96 } };

function drawn(changes: object, factor = 1, hexagonsByRow = true) {
  const out = range();
  drawnRange({ ...grid, ...changes }, { ...layer, ...changes }, view, factor, factor, hexagonsByRow, out);
  return out;
}

describe('the tiles a camera draws', () => {
  test('are those of its world view and the padding around', () => {
    expect(drawn({})).toEqual({ left: 9, top: 19, right: 16, bottom: 24 });
    expect(drawn({ cullPaddingX: 3, x: 64 })).toEqual({ left: 5, top: 19, right: 16, bottom: 24 });
  });

  test('are one more where the list runs from the far end', () => {
    expect(drawn({ _renderOrder: 3 })).toEqual({ left: 9, top: 19, right: 17, bottom: 25 });
  });

  test('are all when culling is off, or when an orthogonal layer does not scroll along', () => {
    const all = { left: 0, top: 0, right: 100, bottom: 100 };
    expect(drawn({ skipCull: true })).toEqual(all);
    expect(drawn({}, 0.5)).toEqual(all);
    expect(drawn({ orientation: Orientation.STAGGERED, skipCull: true })).toEqual(all);
  });

  test('of a staggered layer are culled even where it does not scroll along', () => {
    expect(drawn({ orientation: Orientation.STAGGERED }, 0.5)).toEqual({ left: 9, top: 39, right: 16, bottom: 47 });
  });

  test('of a hexagonal layer go by its stagger axis, except before Phaser 3.70', () => {
    expect(drawn({ orientation: Orientation.HEXAGONAL })).toEqual({ left: 9, top: 25, right: 16, bottom: 32 });
    expect(drawn({ orientation: Orientation.HEXAGONAL }, 1, false)).toEqual({
      left: 12,
      top: 19,
      right: 21,
      bottom: 24,
    });
  });

  test('of an isometric layer are judged one by one', () => {
    const isometric = { ...grid, orientation: Orientation.ISOMETRIC, tileHeight: 16, baseTileHeight: 16 };
    const isDrawn = (x: number, y: number) => isIsometricTileDrawn(isometric, layer, view, 1, 1, x, y);
    // pixelX = (x − y)·16, pixelY = (x + y)·8
    expect(isDrawn(52, 30)).toBe(true);
    expect(isDrawn(52, 36)).toBe(false);
    expect(isIsometricTileDrawn(isometric, { ...layer, skipCull: true }, view, 1, 1, 0, 0)).toBe(true);
  });
});

describe('a tile layer', () => {
  const tileset = {
    firstgid: 1,
    tileWidth: TILE,
    tileHeight: TILE,
    tileOffset: { x: 0, y: 0 },
    texCoordinates: [{ x: 0, y: 0 }],
    image: { get: () => ({ source: { width: TILE, height: TILE } }) },
    updateTileData: { length: 4 },
  };
  const tileAt = (x: number, y: number, changes: object = {}) => ({
    index: 1,
    visible: true,
    alpha: 1,
    tint: 0xffffff,
    pixelX: x * TILE,
    pixelY: y * TILE,
    width: TILE,
    height: TILE,
    rotation: 0,
    flipX: false,
    flipY: false,
    ...changes,
  });
  const empty = { index: -1, visible: true, alpha: 1 };
  const layerOf = (tiles: object[][], changes: object = {}, set: object = tileset) => ({
    ...placed,
    ...layer,
    layer: { ...grid, width: tiles[0]!.length, height: tiles.length, data: tiles },
    tileset: [set],
    gidMap: [undefined, set],
    setTintFill: () => undefined,
    ...changes,
  });
  const full = [0, 1, 2, 3, 4, 5].map((y) => [0, 1, 2, 3, 4, 5].map((x) => tileAt(x, y)));

  test('paints its tiles and leaves empty, hidden and clear ones out', () => {
    const row = [
      tileAt(0, 0),
      empty,
      tileAt(2, 0, { visible: false }),
      tileAt(3, 0, { alpha: 0 }),
      tileAt(4, 0, { alpha: 0.5 }),
    ];
    const painting = paint(readTilemapLayer, layerOf([row], { alpha: 0.5 }));
    expect(painting.snapshot.count).toBe(2);
    expect(painting.at(16, 16)).toBeCloseTo(0.5);
    expect(painting.at(48, 16)).toBe(0);
    expect(painting.at(144, 16)).toBeCloseTo(0.25);
  });

  test('reads only tiles that can touch an ad', () => {
    expect(paint(readTilemapLayer, layerOf(full), { near: [70, 70, 90, 90] }).snapshot.count).toBe(1);
    expect(paint(readTilemapLayer, layerOf(full), { near: [500, 500, 600, 600] }).snapshot.count).toBe(0);
  });

  test('leaves out what the camera culled, although it lies near an ad', () => {
    const camera = { worldView: { x: 0, y: 0, width: 32, height: 32 } };
    expect(paint(readTilemapLayer, layerOf(full), { camera }).snapshot.count).toBe(4);
  });

  test('is not turned in WebGL, and is on Canvas', () => {
    const object = layerOf([[tileAt(0, 0)]], { x: 100, y: 100, rotation: Math.PI });
    expect(paint(readTilemapLayer, object).at(110, 110)).toBe(1);
    expect(paint(readTilemapLayer, object, { isWebGL: false }).at(90, 90)).toBe(1);
  });

  test('ignores the container around it in WebGL', () => {
    const object = layerOf([[tileAt(0, 0)]], {
      parentContainer: { scrollFactorX: 0, scrollFactorY: 1, parentContainer: null },
    });
    const camera = { ...plainCamera, scrollX: 50, scrollY: 20, worldView: { x: 50, y: 20, width: 800, height: 600 } };
    expect(paint(readTilemapLayer, object, { camera }).at(16, 5)).toBe(1);
    expect(paint(readTilemapLayer, object, { camera }).at(16, 20)).toBe(0);
  });

  test('draws larger pictures over their neighbours, and moves them by the unscaled offset in WebGL', () => {
    const tall = { ...tileset, tileHeight: 64, tileOffset: { x: 0, y: 10 } };
    const object = layerOf([[tileAt(0, 0)]], { scaleX: 2, scaleY: 2 }, tall);
    expect(paint(readTilemapLayer, object).at(10, 115)).toBe(1);
    expect(paint(readTilemapLayer, object).at(10, 119)).toBe(0);
    expect(paint(readTilemapLayer, object, { isWebGL: false }).at(10, 119)).toBe(1);
  });

  test('stretches pictures to the tile in WebGL before Phaser 3.80', () => {
    const long = [[tileAt(0, 0, { width: 2 * TILE })]];
    const older = { ...tileset, updateTileData: { length: 2 } };
    expect(paint(readTilemapLayer, layerOf(long)).at(TILE + 4, 8)).toBe(0);
    expect(paint(readTilemapLayer, layerOf(long, {}, older)).at(TILE + 4, 8)).toBe(1);
    expect(paint(readTilemapLayer, layerOf(long, {}, older), { isWebGL: false }).at(TILE + 4, 8)).toBe(0);
  });

  test('shows a flipped tile’s picture mirrored in place', () => {
    const map = { width: 2, height: 1, alpha: Uint8Array.of(255, 0) };
    const flipped = layerOf([[tileAt(0, 0, { flipX: true })]]);
    expect(paint(readTilemapLayer, layerOf([[tileAt(0, 0)]]), { map }).at(8, 16)).toBe(1);
    expect(paint(readTilemapLayer, flipped, { map }).at(8, 16)).toBe(0);
    expect(paint(readTilemapLayer, flipped, { map }).at(24, 16)).toBe(1);
  });
});

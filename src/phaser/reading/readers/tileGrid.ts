/** Where the tiles of a layer lie, and which of them a camera draws: Phaser's tile math as pure numbers. */

/** `Phaser.Tilemaps.Orientation`. */
export const Orientation = {
  ORTHOGONAL: 0,
  ISOMETRIC: 1,
  STAGGERED: 2,
  HEXAGONAL: 3,
} as const;

/** What `Phaser.Tilemaps.LayerData` says about the grid. */
export interface TileGrid {
  readonly orientation: number;
  /** Columns and rows. */
  readonly width: number;
  readonly height: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly baseTileWidth: number;
  readonly baseTileHeight: number;
  readonly hexSideLength: number;
  readonly staggerAxis: string;
}

/** What decides which tiles are drawn, of a TilemapLayer and its Tilemap. */
export interface CulledLayer {
  readonly x: number;
  readonly y: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly skipCull: boolean;
  readonly cullPaddingX: number;
  readonly cullPaddingY: number;
  readonly _renderOrder: number;
  readonly tilemap: { readonly tileWidth: number; readonly tileHeight: number };
}

/** What of a camera decides it. */
export interface CullingCamera {
  readonly scrollX: number;
  readonly scrollY: number;
  readonly worldView: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Columns `left ≤ x < right` and rows `top ≤ y < bottom`. */
export interface TileRange {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Writes to `out` the columns of row `y` whose tiles may have a `pixelX` within minX–maxX and a `pixelY` within
 * minY–maxY, in pixels of the unscaled layer (`Tile.updatePixelXY`); one tile more on each side.
 */
export function columnsNear(
  grid: TileGrid,
  y: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  out: TileRange,
): void {
  const { baseTileWidth: tileWidth, baseTileHeight: tileHeight } = grid;
  let from: number;
  let to: number;
  if (grid.orientation === Orientation.ISOMETRIC) {
    // pixelX = (x − y)·w/2, pixelY = (x + y)·h/2.
    from = Math.max(y + (2 * minX) / tileWidth, (2 * minY) / tileHeight - y);
    to = Math.min(y + (2 * maxX) / tileWidth, (2 * maxY) / tileHeight - y);
  } else {
    let step = tileWidth;
    if (grid.orientation === Orientation.HEXAGONAL && grid.staggerAxis === 'x') {
      step = (tileWidth - grid.hexSideLength) / 2 + grid.hexSideLength;
    }
    // Every second row or column is shifted by half a tile, one way or the other.
    from = minX / step - 0.5;
    to = maxX / step + 0.5;
  }
  out.left = clamp(Math.floor(from) - 1, 0, grid.width);
  out.right = clamp(Math.ceil(to) + 2, 0, grid.width);
}

/** Writes to `out` the rows whose tiles may lie within the box, as {@link columnsNear}. */
export function rowsNear(grid: TileGrid, minX: number, minY: number, maxX: number, maxY: number, out: TileRange): void {
  const { baseTileWidth: tileWidth, baseTileHeight: tileHeight, orientation } = grid;
  let from: number;
  let to: number;
  if (orientation === Orientation.ISOMETRIC) {
    from = minY / tileHeight - maxX / tileWidth;
    to = maxY / tileHeight - minX / tileWidth;
  } else {
    let step = tileHeight;
    if (orientation === Orientation.STAGGERED) step = tileHeight / 2;
    else if (orientation === Orientation.HEXAGONAL && grid.staggerAxis === 'y') {
      step = (tileHeight - grid.hexSideLength) / 2 + grid.hexSideLength;
    }
    from = minY / step - 0.5;
    to = maxY / step + 0.5;
  }
  out.top = clamp(Math.floor(from) - 1, 0, grid.height);
  out.bottom = clamp(Math.ceil(to) + 2, 0, grid.height);
}

/**
 * Writes to `out` the tiles the camera draws (`CullTiles`, `HexagonalCullTiles`, `StaggeredCullTiles` and their
 * `CullBounds`); for isometric layers all, since those are judged tile by tile: {@link isIsometricTileDrawn}.
 *
 * Phaser takes the camera's upright `worldView` for it, so a rotated camera really leaves tiles out at its corners, and
 * a scroll factor moves the bounds away from what is seen.
 * @param factorX Scroll factor of the layer, containers included.
 * @param hexagonsByRow False for versions that took every hexagonal layer as staggered along x.
 */
export function drawnRange(
  grid: TileGrid,
  layer: CulledLayer,
  camera: CullingCamera,
  factorX: number,
  factorY: number,
  hexagonsByRow: boolean,
  out: TileRange,
): void {
  out.left = out.top = 0;
  out.right = grid.width;
  out.bottom = grid.height;
  const { orientation } = grid;
  if (orientation === Orientation.ISOMETRIC) return;
  const scrollsAlong = factorX === 1 && factorY === 1;
  if (orientation === Orientation.ORTHOGONAL ? layer.skipCull || !scrollsAlong : layer.skipCull && scrollsAlong) return;
  const tileWidth = Math.floor(layer.tilemap.tileWidth * layer.scaleX);
  const tileHeight = Math.floor(layer.tilemap.tileHeight * layer.scaleY);
  let stepX = tileWidth;
  let stepY = tileHeight;
  if (orientation === Orientation.STAGGERED) {
    stepY = tileHeight / 2;
  } else if (orientation === Orientation.HEXAGONAL) {
    const side = grid.hexSideLength;
    if (hexagonsByRow && grid.staggerAxis === 'y') stepY = (tileHeight - side) / 2 + side;
    else stepX = (tileWidth - side) / 2 + side;
  }
  const { x, y, width, height } = camera.worldView;
  // Lists that run from the far end begin one tile beyond it.
  const extraX = layer._renderOrder === 1 || layer._renderOrder === 3 ? 1 : 0;
  const extraY = layer._renderOrder >= 2 ? 1 : 0;
  out.left = Math.max(0, snapped(x - layer.x, stepX, Math.floor) - layer.cullPaddingX);
  out.top = Math.max(0, snapped(y - layer.y, stepY, Math.floor) - layer.cullPaddingY);
  out.right = Math.min(grid.width, snapped(x + width - layer.x, stepX, Math.ceil) + layer.cullPaddingX + extraX);
  out.bottom = Math.min(grid.height, snapped(y + height - layer.y, stepY, Math.ceil) + layer.cullPaddingY + extraY);
}

/** Whether the camera draws the isometric tile at column x, row y (`CheckIsoBounds`). */
export function isIsometricTileDrawn(
  grid: TileGrid,
  layer: CulledLayer,
  camera: CullingCamera,
  factorX: number,
  factorY: number,
  x: number,
  y: number,
): boolean {
  if (layer.skipCull) return true;
  const { scaleX, scaleY, cullPaddingX, cullPaddingY } = layer;
  const { worldView } = camera;
  const worldX = layer.x + camera.scrollX * (1 - factorX) + ((x - y) * grid.baseTileWidth * scaleX) / 2;
  const worldY = layer.y + camera.scrollY * (1 - factorY) + ((x + y) * grid.baseTileHeight * scaleY) / 2;
  const stepX = scaleX * grid.tileWidth;
  const stepY = scaleY * grid.tileHeight;
  return (
    worldX > worldView.x + stepX * (-cullPaddingX - 0.5) &&
    worldX < worldView.x + worldView.width + stepX * (cullPaddingX - 0.5) &&
    worldY > worldView.y + stepY * (-cullPaddingY - 1) &&
    worldY < worldView.y + worldView.height + stepY * (cullPaddingY - 0.5)
  );
}

/** `Phaser.Math.Snap`, in steps; with no step the value stays as it is. */
function snapped(value: number, step: number, round: (value: number) => number): number {
  return step === 0 ? value : round(value / step);
}

function clamp(value: number, min: number, max: number): number {
  return value > max ? max : value > min ? value : min;
}

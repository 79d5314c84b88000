import type { AlphaMap } from './AlphaMap.js';

/** Tiles in a row and rows of tiles an alpha map is divided into. */
const TILES = 8;

/** Mean alpha below this (of 255) changes no picture noticeably and counts as clear. */
const CLEAR = 4;

const cache = new WeakMap<AlphaMap, Float64Array>();

/**
 * Where an alpha map is not clear: tight boxes, four numbers each (minColumn, minRow, maxColumn, maxRow; maxima
 * exclusive), at most one per tile of an 8 × 8 division. They keep sampling away from the holes of a texture and make
 * it look closely at its small features. Computed once per map.
 */
export function opaqueTiles(map: AlphaMap): Float64Array {
  let boxes = cache.get(map);
  if (boxes === undefined) {
    boxes = computeTiles(map);
    cache.set(map, boxes);
  }
  return boxes;
}

function computeTiles({ width, height, alpha }: AlphaMap): Float64Array {
  const across = Math.min(TILES, width);
  const down = Math.min(TILES, height);
  const boxes: number[] = [];
  let full = true;
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      let minX = Infinity;
      let minY = Infinity;
      let maxX = -Infinity;
      let maxY = -Infinity;
      const endY = Math.floor(((row + 1) * height) / down);
      const endX = Math.floor(((column + 1) * width) / across);
      for (let y = Math.floor((row * height) / down); y < endY; y++) {
        for (let x = Math.floor((column * width) / across); x < endX; x++) {
          if (alpha[y * width + x]! < CLEAR) continue;
          minX = Math.min(minX, x);
          maxX = Math.max(maxX, x + 1);
          minY = Math.min(minY, y);
          maxY = Math.max(maxY, y + 1);
        }
      }
      if (maxX > minX) boxes.push(minX, minY, maxX, maxY);
      else full = false;
    }
  }
  return Float64Array.from(full ? [0, 0, width, height] : boxes);
}

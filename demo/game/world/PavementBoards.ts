import * as Phaser from 'phaser';
import { houseAdFor } from '../art/paintHouseAds.js';
import { Depth } from './layout.js';
import pavement from './pavement.json';

const MAP_KEY = 'pavement';
/** How far the board's own frame reaches around its picture. */
const RIM = 5;

/** Boards on the pavement, drawn into a Tiled map: an object with an `adSurfaceId` is all an ad needs. */
export function hangPavementBoards(scene: Phaser.Scene, layer: Phaser.GameObjects.Layer, areClickable: boolean): void {
  if (!scene.cache.tilemap.exists(MAP_KEY)) {
    scene.cache.tilemap.add(MAP_KEY, { format: Phaser.Tilemaps.Formats.TILED_JSON, data: pavement });
  }
  const map = scene.make.tilemap({ key: MAP_KEY });
  const ads = scene.ads.placeFromObjects(map, 'ads', {
    container: layer,
    depth: Depth.busStop + 0.5,
    clickable: areClickable,
    fallback: { textureKey: houseAdFor(150, 75) },
  });
  for (const { sprite } of ads) {
    const { x, y, displayWidth: width, displayHeight: height, rotation, name } = sprite;
    const legs = scene.add.rectangle(x, y + height / 2 + 8, width * 0.7, 22, 0x191638).setRotation(rotation);
    const board = scene.add.rectangle(x, y, width + 2 * RIM, height + 2 * RIM, 0x2b2d63).setRotation(rotation);
    board.setStrokeStyle(2, 0x6f74c4, 0.9);
    for (const part of [legs, board]) layer.add(part.setDepth(Depth.busStop).setName(`${name} frame`));
  }
}

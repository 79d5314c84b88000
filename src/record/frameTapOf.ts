import type * as Phaser from 'phaser';

import type { AlphaMaps } from '../textures/AlphaMaps.js';
import type { FrameTap } from './FrameTap.js';
import { VertexTap } from './phaser3/VertexTap.js';
import { DrawTap } from './phaser4/DrawTap.js';
import { isPhaser4 } from './phaser4/Phaser4Renderer.js';

/**
 * A tap for the WebGL renderer of a game, as its version of Phaser has it. It listens for life: one for each game.
 * @param friendly objects that do not count as covering an ad; a live map
 */
export function frameTapOf(game: Phaser.Game, maps: AlphaMaps, friendly: ReadonlyMap<unknown, unknown>): FrameTap {
  return isPhaser4(game.renderer) ? new DrawTap(game, maps, friendly) : new VertexTap(game, maps, friendly);
}

import type * as Phaser from 'phaser';

import type { SpriteScan } from '../record/canvas2d/SpriteScan.js';
import type { FrameTap } from '../record/frame/FrameTap.js';
import type { BoundsByType } from '../record/objects/registerBounds.js';
import type { FrameMaker } from '../rehearsal/FrameReader.js';
import type { AlphaMaps, PixelVersions } from '../textures/AlphaMaps.js';

/** What draws a game. Each kind has a {@link MeterEngine} of its own. */
export type RendererKind = 'phaser3' | 'phaser4' | 'canvas';

/** The kind of a game that has made its renderer. Under HEADLESS nothing is drawn, and any will do. */
export function rendererKindOf(game: Phaser.Game): RendererKind {
  const renderer = game.renderer as object | null;
  if (renderer === null || !('gl' in renderer)) return 'canvas';
  return 'renderNodes' in renderer ? 'phaser4' : 'phaser3';
}

type Friendly = ReadonlyMap<unknown, unknown>;

/**
 * The ways to read the frames of one kind of renderer: a rehearsal, which is always possible, and shorter ways. `friendly`
 * are objects that do not count as covering an ad; a live map.
 */
export interface MeterEngine extends FrameMaker {
  /** Tells when the pixels of textures change. */
  pixelsOf(game: Phaser.Game): PixelVersions;
  /** Listens while the frame is drawn, for life. */
  tapOf?(game: Phaser.Game, maps: AlphaMaps, friendly: Friendly): FrameTap;
  /** Looks at display lists after the frame; null where that does not help. */
  scanOf?(game: Phaser.Game, maps: AlphaMaps, bounds: BoundsByType, friendly: Friendly): SpriteScan | null;
}

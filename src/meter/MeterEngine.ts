import type * as Phaser from 'phaser';

import type { SpriteScan } from '../record/canvas2d/SpriteScan.js';
import type { FrameTap } from '../record/FrameTap.js';
import type { BoundsByType } from '../record/registerBounds.js';
import type { FrameMaker } from '../rehearsal/FrameReader.js';
import type { AlphaMaps, PixelVersions } from '../textures/AlphaMaps.js';

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

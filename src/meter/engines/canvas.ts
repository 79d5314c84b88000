import { CanvasWatch } from '../../record/canvas2d/CanvasWatch.js';
import { SpriteScan } from '../../record/canvas2d/SpriteScan.js';
import { CanvasFrame } from '../../rehearsal/CanvasFrame.js';
import type { MeterEngine } from '../MeterEngine.js';
import { isPhaser4 } from '../phaserVersion.js';

/** The 2D context, by which both versions of Phaser draw. */
export const canvas: MeterEngine = {
  pixelsOf: () => CanvasWatch.shared,
  frameOf: (...given) => new CanvasFrame(...given),
  scanOf: (game, ...rest) => (isPhaser4(game) ? null : new SpriteScan(game, ...rest)),
};

import type * as Phaser from 'phaser';

import { CanvasWatch } from '../../record/canvas2d/CanvasWatch.js';
import { SpriteScan } from '../../record/canvas2d/SpriteScan.js';
import { CanvasFrame } from '../../rehearsal/CanvasFrame.js';
import type { MeterEngine } from '../MeterEngine.js';

/** The 2D context, by which both versions of Phaser draw. */
export const canvas: MeterEngine = {
  pixelsOf: () => CanvasWatch.shared,
  frameOf: (...given) => new CanvasFrame(...given),
  scanOf: (game, ...rest) => (hasCamerasOfPhaser4(game) ? null : new SpriteScan(game, ...rest)),
};

/** A scene may have removed all of its cameras; the default one is never drawn and always there. */
function hasCamerasOfPhaser4({ scene: { scenes } }: Phaser.Game): boolean {
  return scenes.some(({ sys }) => {
    const { cameras } = sys as { readonly cameras?: { readonly default?: object } | null };
    return cameras?.default !== undefined && 'matrixCombined' in cameras.default;
  });
}

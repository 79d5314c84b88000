import type * as Phaser from 'phaser';

import type { MeterEngine } from '../MeterEngine.js';
import { oneFor } from '../../oneFor.js';
import { DrawTap } from '../../record/phaser4/DrawTap.js';
import { Phaser4Engine } from '../../record/phaser4/Phaser4Engine.js';
import { RehearsedFrame } from '../../rehearsal/RehearsedFrame.js';
import { PixelWatch } from '../../textures/PixelWatch.js';

/** The hooks on the renderer are made once. */
const recordedOf = oneFor((game: Phaser.Game) => new Phaser4Engine(game));

/** WebGL as Phaser 4 draws by it. */
export const phaser4: MeterEngine = {
  pixelsOf: ({ renderer }) => PixelWatch.of(renderer),
  frameOf: (game, ...rest) => new RehearsedFrame(game, recordedOf(game), ...rest),
  tapOf: (...given) => new DrawTap(...given),
};

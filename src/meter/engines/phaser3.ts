import type * as Phaser from 'phaser';

import type { MeterEngine } from '../MeterEngine.js';
import { oneFor } from '../../oneFor.js';
import { VertexTap } from '../../record/phaser3/VertexTap.js';
import { WebGLEngine } from '../../record/phaser3/WebGLEngine.js';
import { RehearsedFrame } from '../../rehearsal/RehearsedFrame.js';
import { PixelWatch } from '../../textures/PixelWatch.js';

/** The hooks on the context are made once. */
const recordedOf = oneFor((game: Phaser.Game) => new WebGLEngine(game));

/** WebGL as Phaser 3 draws by it. */
export const phaser3: MeterEngine = {
  pixelsOf: ({ renderer }) => PixelWatch.of(renderer),
  frameOf: (game, ...rest) => new RehearsedFrame(game, recordedOf(game), ...rest),
  tapOf: (...given) => new VertexTap(...given),
};

import type * as Phaser from 'phaser';

import { oneFor } from '../oneFor.js';
import type { RecordedEngine } from './FrameRecorder.js';
import { WebGLEngine } from './phaser3/WebGLEngine.js';
import { Phaser4Engine } from './phaser4/Phaser4Engine.js';
import { isPhaser4 } from './phaser4/Phaser4Renderer.js';

/** The WebGL engine of a game, as its version of Phaser has it: what is put on the context is made once. */
export const webglEngineOf = oneFor((game: Phaser.Game): RecordedEngine =>
  isPhaser4(game.renderer) ? new Phaser4Engine(game) : new WebGLEngine(game),
);

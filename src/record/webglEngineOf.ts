import type * as Phaser from 'phaser';

import type { RecordedEngine } from './FrameRecorder.js';
import { WebGLEngine } from './phaser3/WebGLEngine.js';
import { Phaser4Engine } from './phaser4/Phaser4Engine.js';
import { isPhaser4 } from './phaser4/Phaser4Renderer.js';

const engines = new WeakMap<object, RecordedEngine>();

/** The WebGL engine of a game, as its version of Phaser has it: what is put on the context is made once. */
export function webglEngineOf(game: Phaser.Game): RecordedEngine {
  let engine = engines.get(game);
  if (engine === undefined) {
    engine = isPhaser4(game.renderer) ? new Phaser4Engine(game) : new WebGLEngine(game);
    engines.set(game, engine);
  }
  return engine;
}

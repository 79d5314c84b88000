import { blendTraps } from './blends.js';
import { cameraTraps } from './cameras.js';
import { compositionTraps } from './composition.js';
import { drawnTextureTraps } from './drawnTextures.js';
import { effectTraps } from './effects.js';
import { fieldTraps } from './field.js';
import { filterTraps } from './filters.js';
import { ownFilterTraps } from './ownFilters.js';
import { gameTraps } from './games.js';
import { gameClassTraps } from './gameClasses.js';
import { lightTraps } from './light.js';
import { lightPipelineTraps } from './lightPipeline.js';
import { maskTraps } from './masks.js';
import { paintingTraps } from './painting.js';
import { phaser4Traps } from './phaser4.js';
import { pipelineTraps } from './pipelines.js';
import { pointLightTraps } from './pointLights.js';
import { thinTraps } from './thin.js';
import { translucentTraps } from './translucent.js';
import type { Trap } from './Trap.js';

/** All traps that one drawn frame shows, by number; the ones of the page around the canvas are tested apart. */
export const traps: readonly Trap[] = [
  ...compositionTraps,
  ...cameraTraps,
  ...paintingTraps,
  ...maskTraps,
  ...gameTraps,
  ...blendTraps,
  ...pipelineTraps,
  ...thinTraps,
  ...lightTraps,
  ...lightPipelineTraps,
  ...pointLightTraps,
  ...gameClassTraps,
  ...translucentTraps,
  ...drawnTextureTraps,
  ...fieldTraps,
  ...effectTraps,
  ...filterTraps,
  ...ownFilterTraps,
  ...phaser4Traps,
].sort((a, b) => (a.number || 99) - (b.number || 99));

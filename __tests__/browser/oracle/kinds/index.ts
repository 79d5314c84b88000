import { crowdKinds } from './crowds.js';
import { deformedKinds } from './deformed.js';
import { groupKinds } from './groups.js';
import type { Kind } from './Kind.js';
import { ornateKinds } from './ornate.js';
import { phaser4Kinds } from './phaser4.js';
import { pictureKinds } from './pictures.js';
import { vectorKinds } from './vectors.js';
import { writingKinds } from './writing.js';

/** The whole zoo: every type of game object a scene of the laboratory may hold, by the name used in scene specs. */
export const kinds: Record<string, Kind> = {
  ...pictureKinds,
  ...writingKinds,
  ...vectorKinds,
  ...crowdKinds,
  ...deformedKinds,
  ...groupKinds,
  ...ornateKinds,
  ...phaser4Kinds,
};

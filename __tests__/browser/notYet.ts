import type { RendererName } from './oracle/Stage.js';

/** A trap the product does not pass yet; its test then fails as soon as it does. Empty is the goal. */
export interface NotYet {
  title: string;
  name: string;
  renderer?: RendererName;
  /** Why, in one line. */
  because: string;
}

const PROPERTY = 'E5: what one renderer draws by, and the other not,';
const LEFT_BEHIND = 'E6: what an object leaves behind';
const REFUSED = 'E11: what the engine shows though it seems unusual';

export const notYet: readonly NotYet[] = [
  {
    title: PROPERTY,
    name: 'as the origin of a tile sprite, a property',
    renderer: 'canvas',
    because: 'read by originX',
  },
  { title: PROPERTY, name: 'as the position of a frame’s cut', renderer: 'canvas', because: 'read by cutX' },
  { title: LEFT_BEHIND, name: 'is how a tile layer is mixed', renderer: 'canvas', because: 'read as normal' },
  { title: REFUSED, name: 'is measured: a text with a display callback', because: 'refused' },
  { title: REFUSED, name: 'is measured: an object behind two masks', renderer: 'webgl', because: 'refused' },
];

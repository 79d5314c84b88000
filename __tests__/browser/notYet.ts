import type { RendererName } from './oracle/Stage.js';

/** A trap the product does not pass yet; its test then fails as soon as it does. Empty is the goal. */
export interface NotYet {
  title: string;
  name: string;
  renderer?: RendererName;
  /** It is passed in Phaser 3. */
  phaser4?: boolean;
  /** Why, in one line. */
  because: string;
}

const REFUSED = 'E11: what the engine shows though it seems unusual';

export const notYet: readonly NotYet[] = [
  {
    title: REFUSED,
    name: 'is measured: a text with a display callback',
    because: 'the callback is code of the game, which is not run a second time',
  },
  {
    phaser4: true,
    title: 'classes of a game',
    name: 'that draw themselves in another way, as their reader knows',
    because: 'Phaser 4 never calls a render function that was set later, so that its reader says what is not so',
  },
  ...['over the ad', 'in a turned container below a scrolled camera', 'that another camera draws, too'].map((name) => ({
    phaser4: true,
    renderer: 'webgl' as const,
    title: 'Spine skeletons',
    name: `of the plugin that came with Phaser ${name}`,
    because:
      'that plugin is one of Phaser 3; the frame tells what it draws, a single call takes the box it says it has',
  })),
  {
    phaser4: true,
    title: 'as in a game: cameras',
    name: 'a pattern of pixel art, which is smoothed all the same',
    because:
      'off by 1.03 percentage points: a pattern is shown by the picture itself there, and not by one drawn for it',
  },
];

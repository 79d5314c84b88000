import { over, type Trap } from './Trap.js';

type Image = Phaser.GameObjects.Image;
type GameObject = Phaser.GameObjects.GameObject;

interface FilterLists {
  readonly internal: { addMask(source: object): unknown };
}

/** An object, as far as it has filters; in Phaser 3 there are none. */
interface Filtered {
  enableFilters?(): unknown;
  readonly filters?: FilterLists | null;
}

const WEBGL = { renderers: ['webgl'], mayBeUnmeasurable: true, namesUnjudged: true, ownGame: true } as const;

/** Its filters, which it has from now on; undefined in Phaser 3. */
function filtersOf(object: Filtered): FilterLists | undefined {
  object.enableFilters?.();
  return object.filters ?? undefined;
}

/** A picture over the ad that is masked where a pixel is in the picture, which is not where the mask's source is. */
function maskedBy(scene: Phaser.Scene, source: object): Image {
  const cover = scene.add.image(200, 150, 'brick');
  filtersOf(cover as Filtered)?.internal.addMask(source);
  return cover;
}

/** A picture in a container, as large as the cover it masks. */
const corner = (scene: Phaser.Scene): GameObject => scene.add.container(32, 24, [scene.add.image(0, 0, 'brick')]);

/** What only Phaser 4 has; in Phaser 3, and where a version lacks one, the ad is there alone. */
export const phaser4Traps: readonly Trap[] = [
  {
    number: 0,
    title: 'masks of Phaser 4 whose source is in the display list, elsewhere:',
    variants: [
      over('a container', undefined, (scene) => maskedBy(scene, corner(scene)), WEBGL),
      over(
        'a layer',
        undefined,
        (scene) => maskedBy(scene, scene.add.layer([scene.add.image(32, 24, 'brick')])),
        WEBGL,
      ),
      over(
        'a container in a container',
        undefined,
        (scene) => {
          const source = corner(scene);
          scene.add.container(0, 0, [source]);
          return maskedBy(scene, source);
        },
        WEBGL,
      ),
    ],
  },
];

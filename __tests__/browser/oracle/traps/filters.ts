import { over, type Trap, type Variant } from './Trap.js';

type Image = Phaser.GameObjects.Image;
type Padded = { setPaddingOverride(left: number, top: number, right: number, bottom: number): void };

/** The filters of Phaser 4 that are set here, on either list of an object. */
interface FilterList {
  addBlur(quality: number, x: number, y: number, strength: number, color: number, steps: number): unknown;
  addBokeh(radius: number, amount: number, contrast: number): unknown;
  addColorMatrix(): Padded;
  addDisplacement(texture: string, x: number, y: number): unknown;
  addMask(texture: string): Padded;
  addShadow(...settings: number[]): unknown;
  addThreshold(from: number, to: number): Padded;
  addVignette(x?: number, y?: number, radius?: number, strength?: number): unknown;
}

interface Filtered {
  enableFilters?(): { readonly filters: { readonly internal: FilterList; readonly external: FilterList } };
}

const WHITE = 0xffffff;
const GREY = 0x808080;

const brick = (scene: Phaser.Scene, x: number, y: number, width: number, height: number, tint = WHITE): Image =>
  scene.add.image(x, y, 'brick').setDisplaySize(width, height).setTint(tint);

/** A cover with filters; in Phaser 3, which has none, it is drawn without. */
function filtered(
  name: string,
  put: (scene: Phaser.Scene) => Phaser.GameObjects.GameObject,
  set: (lists: { readonly internal: FilterList; readonly external: FilterList }) => void,
): Variant {
  const more: Partial<Variant> = { renderers: ['webgl'], mayBeUnmeasurable: true, namesUnjudged: true };
  const build = (scene: Phaser.Scene): Phaser.GameObjects.GameObject => {
    const cover = put(scene);
    const filters = (cover as Filtered).enableFilters?.().filters;
    if (filters) set(filters);
    return cover;
  };
  return over(name, undefined, build, more);
}

/** A picture beside the ad. */
const beside = (scene: Phaser.Scene): Image => brick(scene, 125, 130, 50, 80);
const right = (scene: Phaser.Scene): Image => brick(scene, 280, 150, 40, 40);

type Camera = Phaser.Cameras.Scene2D.Camera & { readonly filters?: { readonly internal: FilterList } };

/** A camera with a vignette, half of which is over the ad. */
function vignetted(name: string, set: (filters: FilterList, camera: Camera) => void): Variant {
  const put = (scene: Phaser.Scene): Phaser.GameObjects.GameObject => {
    const camera = scene.cameras.main as Camera;
    set(camera.filters?.internal ?? (camera.postFX as unknown as FilterList), camera);
    return scene.add.image(180, 150, 'star').setScale(0.5);
  };
  return over(name, undefined, put, { renderers: ['webgl'], isMeasured: true });
}

export const filterTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'a filter of Phaser 4 that paints beyond the room it asks for',
    variants: [
      filtered('a long shadow', beside, ({ external }) => external.addShadow(0, 0, 0.3, 12, GREY, 12)),
      filtered(
        'a long shadow of a Graphics',
        (scene) => scene.add.graphics().fillStyle(GREY).fillRect(100, 90, 50, 80),
        ({ internal }) => internal.addShadow(0, 0, 0.3, 12, GREY, 12),
      ),
      filtered(
        'a shadow as it is by default',
        (scene) => brick(scene, 120, 130, 76, 120),
        ({ external }) => external.addShadow(0, 0, 0.1, 1, 0, 12),
      ),
      filtered(
        'a shadow towards the light',
        (scene) => brick(scene, 330, 130, 50, 80),
        ({ external }) => external.addShadow(2, 0.5, 0.2, 12, GREY, 12, 2),
      ),
      filtered('a displacement', right, ({ external }) => external.addDisplacement('__WHITE', 0.3, 0)),
      filtered('a displacement upwards', (scene) => brick(scene, 200, 230, 80, 40), ({ external }) => external.addDisplacement('__WHITE', 0, 0.4)), // prettier-ignore
      filtered(
        'a bokeh',
        (scene) => right(scene).setTintFill(WHITE),
        ({ external }) => external.addBokeh(8, 1, 0.2),
      ),
    ],
  },
  {
    number: 0,
    title: 'a filter of Phaser 4 in more passes than are followed',
    variants: [
      filtered('a blur', (scene) => brick(scene, 200, 150, 60, 80), ({ internal }) => internal.addBlur(0, 1, 1, 0.2, WHITE, 13)), // prettier-ignore
      filtered(
        'a blur of a container',
        (scene) => scene.add.container(0, 0, [scene.add.image(200, 150, 'brick')]),
        ({ internal }) => internal.addBlur(0, 1, 1, 0.2, WHITE, 13),
      ),
    ],
  },
  {
    number: 0,
    title: 'a filter of Phaser 4 that goes on with the edge of its picture in the room around it',
    variants: (['addColorMatrix', 'addThreshold', 'addMask'] as const).map((add) =>
      filtered(
        add,
        (scene) => scene.add.image(120, 150, 'brick'),
        ({ internal }) => {
          const filter =
            add === 'addMask'
              ? internal.addMask('__WHITE')
              : add === 'addThreshold'
                ? internal.addThreshold(0.1, 0.2)
                : internal.addColorMatrix();
          filter.setPaddingOverride(-40, -40, 40, 40);
        },
      ),
    ),
  },
  {
    number: 0,
    title: 'a vignette on a camera',
    variants: [
      vignetted('as it is by default', (filters) => filters.addVignette()),
      vignetted('whose rim crosses the ad', (filters) => filters.addVignette(0.4, 0.5, 0.4, 0.5)),
      vignetted('soft and wide', (filters) => filters.addVignette(0.5, 0.5, 0.9, 0.3)),
      vignetted('small and hard', (filters) => filters.addVignette(0.52, 0.55, 0.06, 0.1)),
      vignetted('that is faint and has a viewport', (filters, camera) => {
        camera.setViewport(60, 40, 240, 200).setScroll(50, 30).setAlpha(0.7);
        filters.addVignette(0.4, 0.5, 0.5, 0.5);
      }),
    ],
  },
  {
    number: 0,
    title: 'a vignette of Phaser 4 on a cover',
    variants: (['ring', 'star'] as const).map((key) => ({
      ...filtered(
        key,
        (scene) => scene.add.image(200, 150, key),
        ({ internal }) => internal.addVignette(0.5, 0.5, 0.6, 0.3),
      ),
      mayBeUnmeasurable: false,
      isMeasured: true,
      namesUnjudged: false,
    })),
  },
];

import { putAd, type Trap, type Variant } from './Trap.js';

/** A filter of a game's own in Phaser 4: what its shader does with the picture. */
const SHADERS = {
  'leaves it as it is': 'texture2D(uMainSampler, outTexCoord)',
  'clears it': 'vec4(0.0)',
  'fills its room': 'vec4(0.1, 0.2, 0.3, 1.0)',
  'moves it': 'texture2D(uMainSampler, outTexCoord - vec2(0.3, 0.0))',
  'makes it faint': '0.3 * texture2D(uMainSampler, outTexCoord)',
} as const;
type Deed = keyof typeof SHADERS;

interface FilterList {
  add(filter: object): unknown;
  addParallelFilters(): { readonly top: FilterList };
}
type Filtered = object & {
  enableFilters?(): unknown;
  readonly filters?: Record<'internal' | 'external', FilterList> | null;
};
interface Phaser4 {
  readonly Filters?: {
    readonly Controller: new (camera: object, node: string) => { setPaddingOverride(...by: number[]): void };
  };
  readonly Renderer: {
    readonly WebGL: {
      readonly RenderNodes?: {
        readonly BaseFilterShader: new (name: string, manager: object, key: null, source: string) => object;
      };
    };
  };
}
interface Nodes {
  readonly renderNodes: { hasNode(name: string): boolean; addNodeConstructor(name: string, make: unknown): void };
}

/** A new filter; null in Phaser 3, which has none. */
function filter(scene: Phaser.Scene, deed: Deed, padding = 0): object | null {
  const { Filters, Renderer } = Phaser as unknown as Phaser4;
  const { BaseFilterShader } = Renderer.WebGL.RenderNodes ?? {};
  if (Filters === undefined || BaseFilterShader === undefined) return null;
  const { renderNodes } = scene.sys.renderer as unknown as Nodes;
  const name = `Own ${deed}`;
  const shader = `precision mediump float; uniform sampler2D uMainSampler; varying vec2 outTexCoord; void main() { gl_FragColor = ${SHADERS[deed]}; }`;
  if (!renderNodes.hasNode(name)) {
    class Node extends BaseFilterShader {
      constructor(manager: object) {
        super(name, manager, null, shader);
      }
    }
    renderNodes.addNodeConstructor(name, Node);
  }
  const made = new Filters.Controller(scene.cameras.main, name);
  if (padding > 0) made.setPaddingOverride(-padding, -padding, padding, padding);
  return made;
}

type Put = (scene: Phaser.Scene, ad: Phaser.GameObjects.Image, cover: Phaser.GameObjects.Image) => object;

const PLACES: Readonly<Record<string, Put>> = {
  'the ad': (_scene, ad) => ad,
  'a cover': (_scene, _ad, cover) => cover,
  'a cover beside the ad': (_scene, _ad, cover) => cover.setX(310),
  'a container with the ad': (scene, ad, cover) => {
    const container = scene.add.container(0, 0, [ad]);
    cover.setDepth(1);
    return container;
  },
  'a container with a cover': (scene, _ad, cover) => scene.add.container(0, 0, [cover]),
  'a layer with both': (scene, ad, cover) => scene.add.layer([ad, cover]),
  'the camera': (scene) => scene.cameras.main,
  'the camera of another scene': (scene) => {
    const other = scene.scene.manager.scenes[1]!;
    other.add.image(330, 220, 'brick').setScale(0.4);
    return other.cameras.main;
  },
  'a container in a container': (scene, ad, cover) => {
    const inner = scene.add.container(0, 0, [ad]);
    scene.add.container(0, 0, [inner, cover]);
    return inner;
  },
};

/** Where else the filter may stand, and what else it may ask for. */
const WAYS = [
  { name: '', list: 'internal', padding: 0, isNested: false },
  { name: ', as an outer filter', list: 'external', padding: 0, isNested: false },
  { name: ', with room around it', list: 'internal', padding: 80, isNested: false },
  { name: ', beside others', list: 'internal', padding: 0, isNested: true },
] as const;

function own(place: string, deed: Deed, { name, list, padding, isNested }: (typeof WAYS)[number]): Variant {
  return {
    name: `that ${deed}, on ${place}${name}`,
    renderers: ['webgl'],
    mayBeUnmeasurable: true,
    namesUnjudged: true,
    build: (stage) => {
      const scene = stage.scene(0);
      const ad = putAd(scene);
      const cover = scene.add.image(215, 160, 'brick').setDisplaySize(30, 24).setName('cover');
      const target = PLACES[place]!(scene, ad, cover) as Filtered;
      target.enableFilters?.();
      const filters = target.filters?.[list];
      const made = filter(scene, deed, padding);
      if (made !== null && filters) (isNested ? filters.addParallelFilters().top : filters).add(made);
      return ad;
    },
  };
}

export const ownFilterTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'a filter of the game in Phaser 4',
    variants: Object.keys(PLACES).flatMap((place, p) =>
      (Object.keys(SHADERS) as Deed[]).map((deed, d) => own(place, deed, WAYS[(p + d) % WAYS.length]!)),
    ),
  },
];

/** What scenes written for Phaser 3 call that Phaser 4 does not have under that name. */
interface Target {
  readonly scene: Phaser.Scene;
  readonly filters: { readonly internal: FilterList; readonly external: FilterList } | null;
  enableFilters?(): unknown;
  setTint(...colours: number[]): Target;
  setTintMode(mode: number): Target;
  setLighting(is: boolean): Target;
}

interface FilterList {
  readonly list: { active: boolean }[];
  addMask(source: object, isInverted: boolean): MaskFilter;
  remove(filter: object): void;
}

interface MaskFilter {
  invert: boolean;
}

/** A geometry or bitmap mask of Phaser 3. */
class Mask {
  invertAlpha = false;
  private readonly filters: MaskFilter[] = [];

  constructor(
    _scene: Phaser.Scene,
    private readonly source: object,
  ) {}

  setInvertAlpha(is = true): this {
    this.invertAlpha = is;
    for (const filter of this.filters) filter.invert = is;
    return this;
  }

  lieOn(list: FilterList): MaskFilter {
    const filter = list.addMask(this.source, this.invertAlpha);
    this.filters.push(filter);
    return filter;
  }
}

type Words = Record<string, unknown>;
type Word = (...args: unknown[]) => unknown;

/** Masks lie on what is drawn, so they are outer filters. */
const masked = new WeakMap<object, MaskFilter>();

const words: PropertyDescriptorMap & ThisType<Target> = {
  preFX: {
    get() {
      this.enableFilters?.();
      return this.filters?.internal;
    },
  },
  postFX: {
    get() {
      this.enableFilters?.();
      return this.filters?.external;
    },
  },
  setTintFill: {
    value(this: Target, ...colours: number[]) {
      return this.setTint(...colours).setTintMode(1);
    },
  },
  setPipeline: {
    value(this: Target, name: string) {
      return name === 'Light2D' ? this.setLighting(true) : this;
    },
  },
  createBitmapMask: {
    value(this: Target, source: object = this) {
      return new Mask(this.scene, source);
    },
  },
};

/**
 * Lets scenes that were written for Phaser 3 be built in Phaser 4, as a game that is taken over would say them: masks and
 * effects are filters there, and what is drawn into textures is drawn when it is told to be. On Canvas geometry masks are what they
 * were, and there are no others.
 */
export function speakPhaser3(): void {
  const { GameObjects, Tilemaps, Display, Textures, Cameras, Filters } = Phaser as unknown as Record<
    string,
    Record<string, object>
  >;
  const { ParticleEmitter } = GameObjects!['Particles'] as Record<string, object>;
  const { TilemapLayer } = Tilemaps!;
  const { Camera } = Cameras!['Scene2D'] as Record<string, object>;
  const classes = [...Object.values(GameObjects!), ParticleEmitter!, TilemapLayer!, Camera!] as { prototype?: Words }[];
  for (const { prototype } of classes) if (prototype !== undefined) teach(prototype);
  const { GeometryMask } = Display!['Masks']! as { GeometryMask: new (scene: Phaser.Scene, shape: object) => object };
  Object.assign(Display!['Masks']!, {
    BitmapMask: Mask,
    GeometryMask: function (scene: Phaser.Scene, shape: object) {
      if (isWebGL({ scene })) return new Mask(scene, shape);
      const mask = new GeometryMask(scene, shape);
      // There it has none inside out.
      return Object.assign(mask, { setInvertAlpha: () => mask });
    },
  });
  const { FilterList } = GameObjects!['Components']! as { FilterList: { prototype: Words } };
  FilterList.prototype['disable'] = function (this: FilterList) {
    for (const filter of this.list) filter.active = false;
  };
  // What is painted outside needs none.
  FilterList.prototype['setPadding'] = () => undefined;
  const { ColorMatrix } = Filters! as unknown as { ColorMatrix: { prototype: Words } };
  for (const name of Object.keys((Display!['ColorMatrix'] as { prototype: object }).prototype)) {
    if (name in ColorMatrix.prototype) continue;
    ColorMatrix.prototype[name] = function (this: { colorMatrix: Record<string, Word> }, ...args: unknown[]) {
      this.colorMatrix[name]!(...args);
      return this;
    };
  }
  const { prototype } = Textures!['DynamicTexture'] as { prototype: Record<string, Word> };
  for (const name of ['fill', 'clear', 'draw', 'erase', 'stamp', 'repeat']) {
    const draw = prototype[name]!;
    prototype[name] = function (this: { render(): unknown }, ...args) {
      draw.apply(this, args);
      this.render();
      return this;
    };
  }
}

function teach(prototype: Words): void {
  for (const [name, word] of Object.entries(words)) {
    const has = name.endsWith('FX')
      ? 'enableFilters' in prototype || 'scrollX' in prototype
      : needed(name) in prototype;
    if (has) Object.defineProperty(prototype, name, { ...word, configurable: true });
  }
  const { setMask, createGeometryMask } = prototype as Record<string, Word>;
  if (setMask === undefined) return;
  prototype['createGeometryMask'] = function (this: Target, graphics: object = this) {
    return isWebGL(this) ? new Mask(this.scene, graphics) : createGeometryMask!.call(this, graphics);
  };
  prototype['setMask'] = function (this: Target, mask: Mask, ...rest: unknown[]) {
    if (!(mask instanceof Mask)) return setMask.call(this, mask, ...rest);
    if (!isWebGL(this)) return this;
    this.enableFilters?.();
    masked.set(this, mask.lieOn(this.filters!.external));
    return this;
  };
  const { clearMask } = prototype as Record<string, Word>;
  prototype['clearMask'] = function (this: Target, ...rest: unknown[]) {
    const filter = masked.get(this);
    if (filter !== undefined) this.filters?.external.remove(filter);
    return clearMask!.apply(this, rest);
  };
}

/** The method of Phaser 4 without which a word means nothing. */
function needed(word: string): string {
  return word === 'setTintFill' ? 'setTint' : word === 'setPipeline' ? 'setLighting' : 'setMask';
}

function isWebGL({ scene }: Pick<Target, 'scene'>): boolean {
  return 'gl' in scene.sys.renderer;
}

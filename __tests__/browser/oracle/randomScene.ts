import { kinds } from './kinds/index.js';
import { Random } from './Random.js';
import type { CameraSpec, MaskSpec, ObjectSpec, SceneSpec, StageSpec } from './SceneSpec.js';

/** Canvas the random scenes are made for. */
export const WIDTH = 320;
export const HEIGHT = 240;

const ADD = 1;
const MULTIPLY = 2;
const SCREEN = 3;

/** From this seed on objects are ornate: most are flipped, cropped, masked or faded at their corners, several at once. */
export const FIRST_ORNATE = 1_000_000_000;

/** From this seed on there is among them what only Phaser 4 has, and cameras draw apart. */
export const FIRST_PHASER4 = 2_000_000_000;

/** Kinds of which nobody can know what they draw: their places are in the GPU. */
export const UNKNOWABLE: ReadonlySet<string> = new Set(['gpuSprites', 'gpuTiles']);

/** The scene of one seed: an ad near the middle of the canvas, and around it anything a Phaser game may hold. */
export function randomScene(seed: number): StageSpec {
  const isPhaser4 = seed >= FIRST_PHASER4;
  return new Generator(new Random(seed), seed >= FIRST_ORNATE && !isPhaser4, isPhaser4).stage();
}

class Generator {
  private count = 0;
  private readonly weights: Record<string, number>;

  constructor(
    private readonly random: Random,
    private readonly isOrnate: boolean,
    private readonly isPhaser4: boolean,
  ) {
    this.weights = Object.fromEntries(
      Object.entries(kinds).map(([name, { weight, ornateWeight, phaser4Weight }]) => [
        name,
        (isOrnate ? ornateWeight : isPhaser4 ? phaser4Weight : undefined) ?? weight,
      ]),
    );
  }

  stage(): StageSpec {
    const { random } = this;
    const scenes: SceneSpec[] = [];
    if (random.chance(0.15)) scenes.push(this.otherScene());
    scenes.push(this.adScene());
    while (scenes.length < 4 && random.chance(0.25)) scenes.push(this.otherScene());
    const spec = { scenes };
    keepBitmapMasksApart(spec);
    return spec;
  }

  private adScene(): SceneSpec {
    const { random } = this;
    const cameras = this.cameras();
    const [scrollX, scrollY] = cameras[0]?.scroll ?? [0, 0];
    const x = scrollX + WIDTH / 2 + random.between(-40, 40);
    const y = scrollY + HEIGHT / 2 + random.between(-30, 30);
    const objects: ObjectSpec[] = [];
    for (let n = random.integer(0, 2); n > 0; n--) objects.push(this.object(x, y));
    const ad = this.ad(x, y);
    objects.push(this.chance(0.25, 0.5) ? this.wrap(ad, x, y) : ad);
    for (let n = random.pick([0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8]); n > 0; n--) objects.push(this.entry(x, y));
    this.ignoreSome(cameras, objects);
    return { cameras, objects, ...(random.chance(0.06) ? { state: 'paused' as const } : {}) };
  }

  /** A scene below or above: a HUD, a menu, a dimmer. */
  private otherScene(): SceneSpec {
    const { random } = this;
    const cameras = random.chance(0.6) ? [] : [this.camera(true)];
    const [scrollX, scrollY] = cameras[0]?.scroll ?? [0, 0];
    const objects: ObjectSpec[] = [];
    for (let n = random.integer(0, 3); n > 0; n--) {
      objects.push(
        this.entry(scrollX + WIDTH / 2 + random.between(-60, 60), scrollY + HEIGHT / 2 + random.between(-50, 50)),
      );
    }
    const state = random.chance(0.25) ? random.pick(['paused', 'asleep', 'hidden'] as const) : undefined;
    return { cameras, objects, ...(state ? { state } : {}) };
  }

  private cameras(): CameraSpec[] {
    const { random } = this;
    if (this.chance(0.5, 0.35)) return [];
    const cameras = [this.camera(false)];
    while (cameras.length < 3 && random.chance(0.3)) cameras.push(this.camera(true));
    return cameras;
  }

  private camera(partial: boolean): CameraSpec {
    const { random } = this;
    const spec: CameraSpec = {};
    if (random.chance(partial ? 0.8 : 0.25)) {
      spec.viewport = partial
        ? [random.integer(0, 200), random.integer(0, 140), random.integer(60, 180), random.integer(50, 140)]
        : [random.integer(-10, 40), random.integer(-10, 30), random.integer(200, 330), random.integer(150, 250)];
    }
    if (this.chance(0.35, 0.5)) {
      const zoom = random.between(0.6, 1.7);
      spec.zoom = [zoom, random.chance(0.2) ? random.between(0.6, 1.7) : zoom];
    }
    if (this.chance(0.25, 0.4)) spec.rotation = random.between(-3.1, 3.1);
    if (random.chance(0.4)) spec.scroll = [random.between(-150, 150), random.between(-150, 150)];
    if (random.chance(0.1)) spec.origin = [random.between(0, 1), random.between(0, 1)];
    if (random.chance(0.08)) spec.alpha = random.between(0.6, 0.95);
    if (random.chance(partial ? 0.25 : 0.2))
      spec.background = [0x203040, random.chance(0.6) ? 1 : random.between(0.1, 0.45)];
    if (random.chance(0.05)) spec.fade = random.pick([0.2, 0.35, 0.7, 1]);
    if (random.chance(0.04)) spec.flash = random.pick([0.2, 0.4, 0.8]);
    if (random.chance(0.04)) spec.shake = random.between(0.005, 0.04);
    if (this.chance(0.04, 0.2)) spec.mask = this.mask(WIDTH / 2, HEIGHT / 2, 220, 160);
    if (partial && random.chance(0.05)) spec.hidden = true;
    if (this.isPhaser4 && random.chance(0.3)) spec.composite = true;
    if (this.isPhaser4 && random.chance(0.2)) spec.alpha = random.between(0.6, 0.95);
    return spec;
  }

  private ad(x: number, y: number): ObjectSpec {
    const { random } = this;
    const variant = random.weighted({ plain: 6, rounded: 1, holed: 1, trimmed: 1, small: 1 });
    const ad: ObjectSpec = { kind: 'ad', name: 'ad', x, y, options: { variant } };
    if (random.chance(0.5)) ad.rotation = random.between(-3.1, 3.1);
    const base = variant === 'small' ? 1.4 : 1;
    const scale = random.chance(0.6) ? random.between(0.8, 1.3) * base : base;
    ad.scale = [scale * (random.chance(0.08) ? -1 : 1), random.chance(0.2) ? scale * 0.85 : scale];
    if (random.chance(0.2)) ad.origin = [random.between(0.2, 0.8), random.between(0.2, 0.8)];
    if (this.chance(0.15, 0.5)) ad.flip = [random.chance(0.6), random.chance(0.5)];
    if (random.chance(0.1)) ad.alpha = random.chance(0.15) ? random.between(0, 0.4) : random.between(0.65, 1);
    if (random.chance(0.1)) ad.depth = random.integer(-1, 2);
    if (random.chance(0.1)) ad.scrollFactor = random.chance(0.5) ? [0.9, 0.9] : [1.1, 0.95];
    if (variant === 'plain' && this.chance(0.06, 0.3)) ad.crop = [random.integer(0, 30), random.integer(0, 20), 80, 50];
    if (this.chance(0.06, 0.25)) ad.mask = this.mask(x, y, 120, 80);
    if (random.chance(0.01)) ad.hidden = true;
    return ad;
  }

  /** An object, or a container or layer with a few. */
  private entry(x: number, y: number): ObjectSpec {
    const { random } = this;
    if (!this.chance(0.16, 0.4)) return this.object(x, y);
    const children: ObjectSpec[] = [];
    const isLayer = random.chance(0.35);
    for (let n = random.integer(1, 3); n > 0; n--) {
      const child = isLayer ? this.object(x, y) : this.object(0, 0);
      children.push(!isLayer && this.chance(0.15, 0.5) ? this.wrapIn('container', child, 0, 0) : child);
    }
    return this.group(isLayer ? 'layer' : 'container', children, x, y);
  }

  private wrap(child: ObjectSpec, x: number, y: number): ObjectSpec {
    const isLayer = this.random.chance(0.3);
    if (isLayer) return this.wrapIn('layer', child, x, y);
    child.x = this.random.between(-10, 10);
    child.y = this.random.between(-10, 10);
    const inner = this.chance(0.25, 0.5) ? this.wrapIn('container', child, 0, 0) : child;
    return this.wrapIn('container', inner, x, y);
  }

  private wrapIn(kind: 'container' | 'layer', child: ObjectSpec, x: number, y: number): ObjectSpec {
    const children = [child];
    if (this.random.chance(0.4)) children.push(kind === 'layer' ? this.object(x, y) : this.object(0, 0));
    return this.group(kind, children, x, y);
  }

  private group(kind: 'container' | 'layer', children: ObjectSpec[], x: number, y: number): ObjectSpec {
    const { random } = this;
    const group: ObjectSpec = { kind, name: this.name(kind), x, y, options: {}, children };
    if (kind === 'container') {
      if (random.chance(0.4)) group.rotation = random.between(-1.5, 1.5);
      if (random.chance(0.3)) group.scale = [random.between(0.8, 1.3), random.between(0.8, 1.3)];
      if (this.isOrnate && random.chance(0.4)) group.scale = [random.pick([-1, 1]), random.pick([-0.9, 0.9, 1.4])];
      if (random.chance(0.15)) group.scrollFactor = random.chance(0.4) ? [1, 0.9] : [0.95, 1.05];
    }
    if (random.chance(0.12)) group.alpha = random.between(0.6, 0.95);
    if (random.chance(0.12)) group.depth = random.integer(-1, 2);
    if (this.chance(0.05, 0.4)) group.mask = this.mask(x, y, 120, 90);
    if (random.chance(0.05)) group.hidden = true;
    return group;
  }

  private object(aroundX: number, aroundY: number): ObjectSpec {
    const { random } = this;
    const kind = random.weighted(this.weights);
    const reach = random.chance(0.75) ? 1 : 2.2;
    const spec: ObjectSpec = {
      kind,
      name: this.name(kind),
      x: aroundX + random.between(-80, 80) * reach,
      y: aroundY + random.between(-60, 60) * reach,
      options: kinds[kind]!.random(random),
    };
    if (random.chance(0.4)) spec.rotation = random.between(-3.1, 3.1);
    if (random.chance(0.4)) {
      const scale = random.between(0.6, 1.6);
      spec.scale = [scale * (this.chance(0.08, 0.4) ? -1 : 1), random.chance(0.3) ? random.between(0.6, 1.6) : scale];
    }
    if (random.chance(0.2)) spec.origin = [random.between(0, 1), random.between(0, 1)];
    if (this.chance(0.12, 0.5)) spec.flip = [random.chance(0.6), random.chance(0.5)];
    if (random.chance(0.2)) spec.alpha = random.chance(0.5) ? random.between(0.1, 0.45) : random.between(0.6, 0.95);
    else if (this.chance(0.03, 0.5)) spec.corners = [1, random.between(0, 1), random.between(0, 1), 0];
    if (random.chance(0.12)) spec.depth = random.integer(-1, 2);
    if (random.chance(0.08))
      spec.scrollFactor = random.pick([
        [0, 0],
        [0.5, 0.5],
        [1.2, 1],
      ] as [number, number][]);
    if (random.chance(0.04)) spec.hidden = true;
    if (this.chance(0.06, 0.4)) spec.mask = this.mask(aroundX, aroundY, 90, 70);
    const isPicture = kind === 'image' || kind === 'sprite';
    if ((isPicture || this.isOrnate) && this.chance(0.1, 0.3))
      spec.crop = [random.integer(0, 20), random.integer(0, 15), random.integer(15, 60), random.integer(10, 40)];
    if (isPicture && this.chance(0.06, 0.5)) this.blend(spec);
    return spec;
  }

  private chance(usual: number, ornate: number): boolean {
    return this.random.chance(this.isOrnate ? ornate : usual);
  }

  /** Blend modes act per colour channel, so the picture is grey: it lightens a little, and multiplies almost to black. */
  private blend(spec: ObjectSpec): void {
    const { random } = this;
    spec.options = { key: random.pick(['shade', 'shadeRing']) };
    spec.blend = random.pick([ADD, MULTIPLY, SCREEN]);
  }

  private mask(x: number, y: number, width: number, height: number): MaskSpec {
    const { random } = this;
    const bitmap = random.chance(0.25);
    const spec: MaskSpec = {
      type: bitmap ? 'bitmap' : 'geometry',
      x: x + random.between(-40, 40),
      y: y + random.between(-30, 30),
      shape: bitmap
        ? random.pick(['disc', 'star', 'brick', 'frame'])
        : random.pick(['rectangle', 'rectangle', 'circle', 'star']),
      width: random.between(0.6, 1.2) * width,
      height: random.between(0.6, 1.2) * height,
    };
    if (random.chance(0.4)) spec.rotation = random.between(-1.5, 1.5);
    if (random.chance(0.2)) spec.invert = true;
    return spec;
  }

  private ignoreSome(cameras: CameraSpec[], objects: readonly ObjectSpec[]): void {
    const { random } = this;
    for (const camera of cameras) {
      const ignored = objects.filter(() => random.chance(cameras.length > 1 ? 0.15 : 0.02)).map(({ name }) => name);
      if (ignored.length > 0) camera.ignore = ignored;
    }
  }

  private name(kind: string): string {
    return `${kind}${++this.count}`;
  }
}

/**
 * Phaser draws a bitmap mask rightly only if it is alone: another mask around it or inside of it, or a viewport that
 * does not fill the canvas (the mask loses the scissor of this and of the next camera), leave a picture that nobody
 * meant. Where they meet, the bitmap mask is made a geometry mask.
 */
function keepBitmapMasksApart(spec: StageSpec): void {
  const cut = spec.scenes.some(({ cameras }) => cameras.length > 1 || cameras.some(({ viewport }) => viewport));
  const soften = (mask: MaskSpec): void => {
    mask.type = 'geometry';
    mask.shape = 'rectangle';
  };
  const masksWithin = (object: ObjectSpec): MaskSpec[] => [
    ...(object.mask ? [object.mask] : []),
    ...(object.children ?? []).flatMap(masksWithin),
  ];
  for (const { cameras, objects } of spec.scenes) {
    const cameraMasks = cameras.flatMap(({ mask }) => (mask ? [mask] : []));
    for (const object of objects) {
      const nested = [...cameraMasks, ...masksWithin(object)];
      if (cut || nested.length > 1) nested.forEach(soften);
    }
    if (cut) cameraMasks.forEach(soften);
  }
}

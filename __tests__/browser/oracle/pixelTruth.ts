import { adCorners, cutToRectangle, polygonArea, wholeShare } from './adArithmetic.js';
import { adKey, adVariants } from './art.js';
import { camerasOf, chainOf, type Drawable, isDrawn, leaves, sceneOf, stencils } from './displayTree.js';
import { isLost, isNearlyLost, lightOf, type SeenArea, seenArea } from './shareOfLight.js';
import type { PixelWindow, Stage } from './Stage.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

/** What the picture says about the ad as one camera draws it. Areas in canvas pixels². */
export interface ViewTruth {
  camera: Camera;
  /** By arithmetic: the projected area, unclipped, without the ad's own transparent texels. */
  total: number;
  /** By arithmetic: what of that lies in the viewport and on the canvas. */
  inViewport: number;
  /**
   * Of the picture: the ad drawn alone, by this camera only and without masks. Agrees with {@link inViewport}, or the
   * oracle is wrong.
   */
  bare: number;
  /** Of the picture: the ad drawn alone, with its masks. */
  onScreen: number;
  /** Of the picture as it is. */
  seen: SeenArea;
  /** What the viewport, masks and everything above take away, free of rounding: it is 0 when nothing does. */
  lost: number;
  /** The ad's effective alpha, measured where it is drawn alone. */
  opacity: number;
  /** Game objects that take more than {@link LEAST_LOSS} away, alone or as one of several translucent ones. */
  blockers: Set<Drawable>;
  /** Game objects of which either answer is right: they take a trace away, or add to what others take. */
  arguable: Set<Drawable>;
  /** Canvas pixels² each object takes away alone; objects that take nothing are absent. */
  taken: Map<Drawable, number>;
}

/** Fewer canvas pixels² than this are left to rounding. */
export const LEAST_LOSS = 4;

/** What an ad that is not shown at all has lost at least, however small it is. */
const HIDDEN = 100;

/** An ad weaker than this is not shown at all, whatever covers it. */
const LEAST_OPACITY = 0.5;

/** Opacities nearer to that than a step of 8 bits are cut off to either side by the renderer, and not judged. */
const OPACITY_STEP = 1 / 255;

/**
 * The truth about one ad in the frame as it stands, found only by drawing and counting: the same frame with the ad in
 * two colours shows where its light arrives. Up to three cameras share a frame, one colour channel each.
 *
 * The ad must show one of the textures of `art.ts`. Everything is put back afterwards, and the frame drawn once more.
 */
export function pixelTruth(stage: Stage, ad: Drawable): ViewTruth[] {
  const scene = sceneOf(ad);
  const cameras = isDrawn(scene) ? camerasOf(scene).filter((camera) => camera.visible && camera.alpha > 0) : [];
  const truths: ViewTruth[] = [];
  for (let from = 0; from < cameras.length; from += 3) {
    truths.push(...new Sitting(stage, ad, cameras.slice(from, from + 3)).truths());
  }
  return truths;
}

/** Also of masks, which are effects there. */
const isPhaser4 = Phaser.VERSION.startsWith('4');

/** minX, minY, maxX, maxY in canvas pixels. */
type Bounds = [number, number, number, number];

/** One round of pictures: a few cameras, each with a colour channel of its own. */
class Sitting {
  private readonly everything: Drawable[];
  private readonly variant: string;
  private readonly textures: Phaser.Textures.Texture[];
  private readonly frameName: string;
  /** The part of the canvas that pictures show. */
  private window: PixelWindow;

  constructor(
    private readonly stage: Stage,
    private readonly ad: Drawable,
    private readonly cameras: readonly Camera[],
  ) {
    this.everything = leaves(stage.game).filter((object) => object !== ad);
    this.window = stage.whole;
    const { texture, frame } = ad as unknown as Phaser.GameObjects.Image;
    this.variant = texture.key.split(':')[1] ?? '';
    if (!adVariants[this.variant]) throw new Error(`The ad shows "${texture.key}", which is no ad texture`);
    this.frameName = frame.name;
    this.textures = [-1, 0, 1, 2].map((channel) => stage.game.textures.get(adKey(this.variant, channel)));
  }

  truths(): ViewTruth[] {
    const { stage, cameras, ad, everything } = this;
    stage.step();
    const restore: (() => void)[] = [];
    for (const object of everything) restore.push(hide(object));
    for (const scene of stage.game.scene.scenes) {
      for (const camera of camerasOf(scene)) {
        restore.push(withoutPainting(camera));
        // Effects of a camera without the ad, such as a vignette of Phaser 4, may paint over it. Masks never do.
        if (scene !== sceneOf(ad)) restore.push(withoutEffects(camera as unknown as Drawable, isMask));
      }
    }

    const owners = [...chainOf(ad), ...(cameras as unknown as Drawable[])];
    const hasFilter = isPhaser4 && owners.some((owner) => effectsOf(owner).length > 0);
    const unmask = owners.flatMap((owner) => [withoutMask(owner), withoutEffects(owner)]);
    unmask.push(...stencils(stage.game).map(hide));
    // Where the bare ad is not, nothing of it can be seen or lost: all other pictures are of that part alone.
    const bare = this.lookAt(this.lightOfEachCamera());
    for (const undo of unmask.reverse()) undo();
    const masked = this.light();
    const maskedStrength = masked.map(strengthOf);

    const bareStrength = bare.map(strengthOf);
    // Canvas draws a masked sprite with the alpha of its mask: what is lost is lost of that, more than the bare ad shows.
    bare.forEach((light, channel) => brighten(light, maskedStrength[channel]! / bareStrength[channel]!));
    const fullStrength = bare.map(strengthOf);
    const alone = new Map<Drawable, Uint8Array[]>();
    for (const object of everything) {
      const shown = restore[everything.indexOf(object)]!;
      shown();
      if (object.visible) alone.set(object, this.light());
      hide(object);
    }
    for (const undo of restore.reverse()) undo();
    const full = this.light();
    stage.step();

    const { width, height } = this.window;
    return cameras.map((camera, channel) => {
      const area = (lights: Uint8Array[]): SeenArea =>
        seenArea(lights[channel]!, bare[channel]!, masked[channel]!, width, height, fullStrength[channel]!);
      const { total, inViewport } = this.arithmetic(camera);
      const opacity = bareStrength[channel]! / 255;
      const bareArea = seenArea(
        bare[channel]!,
        bare[channel]!,
        bare[channel]!,
        width,
        height,
        fullStrength[channel]!,
      ).area;
      const { area: onScreen, undecided: undecidedAlone } = area(masked);
      const seen = area(full);
      // Covers cannot show more of the ad than is there: a negative loss is rounding, and makes up for none by clipping.
      const covered = Math.max(0, bareArea - seen.area);
      const lost = opacity < LEAST_OPACITY ? Math.max(total, HIDDEN) : total - inViewport + covered;
      // Canvas moves the edges of an upright image to whole pixels. That is not visibility: it cancels out here. What has a
      // filter of Phaser 4 is not where arithmetic takes it to be.
      if (bareArea > 0 && !hasFilter) seen.area *= inViewport / bareArea;
      const truth: ViewTruth = {
        camera,
        total,
        inViewport,
        bare: bareArea,
        onScreen,
        seen,
        lost,
        opacity,
        blockers: new Set(),
        arguable: new Set(),
        taken: new Map(),
      };
      if (opacity < LEAST_OPACITY) {
        truth.seen = { area: 0, pixels: 0, undecided: 0 };
        truth.onScreen = 0;
      }
      if (Math.abs(opacity - LEAST_OPACITY) < OPACITY_STEP) {
        truth.seen.undecided = total;
        for (const object of everything) truth.arguable.add(object);
        return truth;
      }
      if (opacity < LEAST_OPACITY) return truth;
      for (const [object, lights] of alone) {
        const left = area(lights);
        const taken = onScreen - left.area;
        if (taken <= 0.01) {
          // Rounding decides whether it takes pixels or just not.
          if (left.undecided > undecidedAlone) truth.arguable.add(object);
          continue;
        }
        truth.taken.set(object, taken);
        const surely = taken > LEAST_LOSS && this.takesPatch(masked[channel]!, lights[channel]!, bare[channel]!);
        (surely ? truth.blockers : truth.arguable).add(object);
      }
      // The ad may also cover itself, where a later camera draws it again.
      if (bareArea > onScreen && cameras.length > 1) truth.arguable.add(ad);
      this.addAccumulated(truth, channel, full, masked, bare, alone, fullStrength[channel]!);
      return truth;
    });
  }

  /**
   * Where several translucent objects together take what none takes alone, each one that contributes is arguable, and
   * one without which the area would be seen is a blocker.
   */
  private addAccumulated(
    truth: ViewTruth,
    channel: number,
    full: Uint8Array[],
    masked: Uint8Array[],
    bareLights: Uint8Array[],
    alone: Map<Drawable, Uint8Array[]>,
    strength: number,
  ): void {
    const bare = bareLights[channel]!;
    const others = [...alone].map(([object, lights]) => [object, lights[channel]!] as const);
    const contributors = new Set<Drawable>();
    const before = masked[channel]!;
    const after = full[channel]!;
    const together = new Uint8Array(after.length);
    for (let i = 0; i < after.length; i++) {
      // Where rounding decides, whoever darkens the pixel may be named.
      if (!isNearlyLost(after, bare, i, strength) || isLost(before, bare, i, strength)) continue;
      if (others.some(([, light]) => isLost(light, bare, i, strength))) continue;
      if (isLost(after, bare, i, strength)) together[i] = 1;
      for (const [object, light] of others) if (light[i]! < before[i]! - 2) contributors.add(object);
    }
    const { width } = this.window;
    const surely = solidPixels(together, width) > 0;
    for (const object of contributors) {
      if (truth.blockers.has(object)) continue;
      truth.arguable.add(object);
      if (!surely) continue;
      const show = hide(object);
      const light = this.light()[channel]!;
      show();
      const regained = together.map((flag, i) => (flag && !isLost(light, bare, i, strength) ? 1 : 0));
      if (solidPixels(regained, width) > LEAST_LOSS) {
        truth.arguable.delete(object);
        truth.blockers.add(object);
      }
    }
    this.stage.step();
  }

  /** True when some pixel and all its neighbours are lost: more than the smoothed edges of two things that meet. */
  private takesPatch(before: Uint8Array, after: Uint8Array, bare: Uint8Array): boolean {
    const full = strengthOf(bare);
    const lost = after.map((_, i) => (isLost(after, bare, i, full) && !isLost(before, bare, i, full) ? 1 : 0));
    return solidPixels(lost, this.window.width) > 0;
  }

  /**
   * From now on pictures show only the part of the canvas where one of these has light, and the pixels around it.
   * @param lights of the whole canvas
   * @returns that part of them
   */
  private lookAt(lights: readonly Uint8Array[]): Uint8Array[] {
    const { width, height } = this.stage;
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (const light of lights) {
      for (let at = 0; at < light.length; at++) {
        if (light[at] === 0) continue;
        const x = at % width;
        const y = (at - x) / width;
        left = Math.min(left, x);
        top = Math.min(top, y);
        right = Math.max(right, x + 1);
        bottom = Math.max(bottom, y + 1);
      }
    }
    const x = Math.max(0, left - 1);
    const y = Math.max(0, top - 1);
    this.window =
      right === 0
        ? { x: 0, y: 0, width: 1, height: 1 }
        : { x, y, width: Math.min(width, right + 1) - x, height: Math.min(height, bottom + 1) - y };
    return lights.map((light) => cutOut(light, width, this.window));
  }

  /** The light of the ad, per camera. */
  private light(): Uint8Array[] {
    const black = this.picture(() => 0);
    const lit = this.picture((channel) => channel + 1);
    return this.cameras.map((_, channel) => lightOf(lit, black, channel, new Uint8Array(lit.length / 4)));
  }

  /** Draws the frame with the ad in one colour per camera: 0 black, 1–3 the channels; black in cameras of other rounds. */
  private picture(colourOf: (channel: number) => number): Uint8Array {
    const sprite = this.ad as unknown as { texture: Phaser.Textures.Texture; frame: Phaser.Textures.Frame };
    const { texture, frame } = sprite;
    const cameras = camerasOf(sceneOf(this.ad));
    const paint = (camera: Camera): void => {
      const channel = this.cameras.indexOf(camera);
      const colour = this.textures[channel < 0 ? 0 : colourOf(channel)]!;
      // Not setTexture: only the picture changes, with it neither size, origin nor crop.
      sprite.texture = colour;
      sprite.frame = colour.get(this.frameName);
    };
    const onRender = (_scene: Phaser.Scene, camera: Camera): void => {
      if (cameras.includes(camera)) paint(camera);
    };
    // In WebGL of Phaser 4 cameras do not tell that they are about to be drawn, in 3 too late for effects of an object.
    const { renderer } = this.stage.game;
    if (isPhaser4) renderer.on('render', onRender);
    else for (const camera of cameras) camera.on('prerender', paint);
    const pixels = this.stage.picture(this.window);
    renderer.off('render', onRender);
    for (const camera of cameras) camera.off('prerender', paint);
    sprite.texture = texture;
    sprite.frame = frame;
    return pixels;
  }

  /** As {@link light}, but each camera draws while all others are off: a later camera may draw the ad over itself. */
  private lightOfEachCamera(): Uint8Array[] {
    const drawn = camerasOf(sceneOf(this.ad)).filter(({ visible }) => visible);
    if (drawn.length === 1) return this.light();
    const alphas = drawn.map(({ alpha }) => alpha);
    return this.cameras.map((camera, channel) => {
      // Not by `visible`: what is invisible is not shaken either, and leaves its random numbers to the others.
      drawn.forEach((other, index) => (other.alpha = other === camera ? alphas[index]! : 0));
      const lights = this.light();
      drawn.forEach((other, index) => (other.alpha = alphas[index]!));
      return lights[channel]!;
    });
  }

  private arithmetic(camera: Camera): { total: number; inViewport: number } {
    const { stage, ad } = this;
    const corners = adCorners(ad, camera);
    const drawn = polygonArea(corners);
    const total = drawn * wholeShare(ad) * this.opaqueShare();
    if (this.neverDrawnBy(camera)) return { total, inViewport: 0 };
    const zeroSized = camera.width === 0 || camera.height === 0;
    const unclipped = zeroSized && stage.renderer === 'webgl';
    const bounds: Bounds = unclipped
      ? [0, 0, stage.width, stage.height]
      : [
          Math.max(0, camera.x),
          Math.max(0, camera.y),
          Math.min(stage.width, camera.x + camera.width),
          Math.min(stage.height, camera.y + camera.height),
        ];
    const inside = polygonArea(cutToRectangle(corners, ...bounds));
    if (drawn - inside < 1e-6 * drawn) return { total, inViewport: drawn * this.opaqueShare() };
    return { total, inViewport: this.opaqueShare() === 1 ? inside : this.opaqueInside(corners, bounds) };
  }

  /** Area of an ad's opaque texels in a part of the canvas, texel by texel: pictures with holes are not even. */
  private opaqueInside(corners: readonly [number, number][], bounds: Bounds): number {
    const { width, height, opacity } = adVariants[this.variant]!;
    const [[x0, y0], [x1, y1], , [x3, y3]] = corners as [[number, number], [number, number], unknown, [number, number]];
    const ax = (x1 - x0) / width;
    const ay = (y1 - y0) / width;
    const bx = (x3 - x0) / height;
    const by = (y3 - y0) / height;
    let area = 0;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const share = opacity[row * width + column]!;
        if (share === 0) continue;
        const x = x0 + column * ax + row * bx;
        const y = y0 + column * ay + row * by;
        const texel: [number, number][] = [
          [x, y],
          [x + ax, y + ay],
          [x + ax + bx, y + ay + by],
          [x + bx, y + by],
        ];
        area += share * polygonArea(cutToRectangle(texel, ...bounds));
      }
    }
    return area;
  }

  private neverDrawnBy(camera: Camera): boolean {
    return chainOf(this.ad).some((object) => !object.willRender(camera));
  }

  private opaqueShare(): number {
    return adVariants[this.variant]!.opaqueShare;
  }
}

/** The most light of a pixel. */
function strengthOf(light: Uint8Array): number {
  return light.reduce((most, value) => Math.max(most, value), 0);
}

/** What a window shows of a canvas of so many pixels a row. */
function cutOut(light: Uint8Array, stride: number, { x, y, width, height }: PixelWindow): Uint8Array {
  const part = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = (y + row) * stride + x;
    part.set(light.subarray(from, from + width), row * width);
  }
  return part;
}

/** Scales light by a factor above 1, but for what is rounding. */
function brighten(light: Uint8Array, factor: number): void {
  if (!(factor > 1.02 && factor < Infinity)) return;
  for (let i = 0; i < light.length; i++) light[i] = Math.min(255, Math.round(light[i]! * factor));
}

/** Marked pixels whose direct neighbours are marked too: a patch, and not the smoothed edge of something. */
function solidPixels(marked: Uint8Array, width: number): number {
  let count = 0;
  for (let i = width; i < marked.length - width; i++) {
    if (marked[i] && marked[i - 1] && marked[i + 1] && marked[i - width] && marked[i + width]) count++;
  }
  return count;
}

function hide(object: Drawable): () => void {
  const { visible } = object;
  object.visible = false;
  return () => {
    object.visible = visible;
  };
}

function withoutMask(owner: Pick<Drawable, 'mask'>): () => void {
  const { mask } = owner;
  owner.mask = null;
  return () => {
    owner.mask = mask;
  };
}

/** A list of effects; those of Phaser 4 can be added to by name. */
interface EffectList {
  readonly list: { active: boolean; readonly renderNode?: unknown }[];
  addColorMatrix?(): { destroy(): void };
  remove?(effect: object): unknown;
}

/** The lists of an object that have effects. */
function effectsOf(owner: Drawable): EffectList[] {
  const { preFX, postFX, filters } = owner as {
    preFX?: EffectList | null;
    postFX?: EffectList | null;
    filters?: { internal: EffectList; external: EffectList } | null;
  };
  const lists = [preFX, postFX, filters?.internal, filters?.external];
  return lists.filter((effects): effects is EffectList => effects?.list.some(({ active }) => active) === true);
}

/** In Phaser 4 a mask is a filter. */
function isMask({ renderNode }: { readonly renderNode?: unknown }): boolean {
  return renderNode === 'FilterMask';
}

/** Turns off effects such as a wipe, which cut as a mask does. */
function withoutEffects(owner: Drawable, isSpared: typeof isMask = () => false): () => void {
  const undo: (() => void)[] = [];
  // In Phaser 3 what is drawn after an object is turned off by its pipeline.
  const { postPipelines = [] } = owner as { postPipelines?: { active: boolean; controller?: object | null }[] };
  for (const pipeline of postPipelines) {
    if (!pipeline.controller || !pipeline.active) continue;
    pipeline.active = false;
    undo.push(() => (pipeline.active = true));
  }
  for (const effects of effectsOf(owner)) {
    const active = effects.list.filter((effect) => effect.active && !isSpared(effect));
    for (const effect of active) effect.active = false;
    // Where a camera has a viewport, Phaser 4 draws what has a filter in another place than what has none: one that does nothing
    // takes their place.
    const nothing = isPhaser4 ? effects.addColorMatrix?.() : undefined;
    undo.push(() => {
      if (nothing !== undefined) effects.remove?.(nothing);
      for (const effect of active) effect.active = true;
    });
  }
  return () => undo.forEach((one) => one());
}

/** Turns off what a camera paints itself: background, fade, flash. */
function withoutPainting(camera: Camera): () => void {
  const { backgroundColor, transparent } = camera;
  const effects = [camera.fadeEffect, camera.flashEffect] as { isRunning: boolean; isComplete?: boolean }[];
  const states = effects.map(({ isRunning, isComplete }) => ({ isRunning, isComplete }));
  camera.backgroundColor = new Phaser.Display.Color(0, 0, 0, 0);
  camera.transparent = true;
  for (const effect of effects) {
    effect.isRunning = false;
    if (effect.isComplete !== undefined) effect.isComplete = false;
  }
  return () => {
    camera.backgroundColor = backgroundColor;
    camera.transparent = transparent;
    effects.forEach((effect, index) => {
      effect.isRunning = states[index]!.isRunning;
      if (states[index]!.isComplete !== undefined) effect.isComplete = states[index]!.isComplete;
    });
  };
}

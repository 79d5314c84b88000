import type * as Phaser from 'phaser';

import { inDrawOrder } from '../record/objects/inDrawOrder.js';
import { isList } from '../record/objects/isList.js';
import { PHASER_TYPES } from '../record/objects/objectKind.js';
import type { DrawnObject, PostPipeline } from '../record/phaser3/internals.js';
import { isPlain, type NearArea } from './NearArea.js';
import { paintsElsewhere } from './paintsElsewhere.js';
import type { ParentMatrix, RehearsedEngine } from './RehearsedEngine.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

type Render = (renderer: unknown, object: GameObject, camera: Camera, parent?: ParentMatrix, holder?: unknown) => void;

/** A container or a layer. */
interface ListObject {
  list: readonly GameObject[];
  /** Of layers: the list is sorted before it is drawn. */
  sortChildrenFlag?: boolean;
}

interface Drawn {
  renderWebGL: Render;
  renderCanvas: Render;
  renderWebGLStep: Render;
  /** What a container multiplies into each of its children while it draws them. */
  alpha?: number;
  alphaTopLeft?: number;
  alphaTopRight?: number;
  alphaBottomLeft?: number;
  alphaBottomRight?: number;
  scrollFactorX?: number;
  scrollFactorY?: number;
  setAlpha?(topLeft: number, topRight?: number, bottomLeft?: number, bottomRight?: number): void;
  setScrollFactor?(x: number, y: number): void;
  postPipelines?: readonly PostPipeline[] | null;
  hasPostPipeline?: boolean;
  readonly mask?: object | null;
}

interface WebGLMask {
  preRenderWebGL(renderer: unknown, child: GameObject, camera: Camera): void;
}

/** `Phaser.BlendModes.SKIP_CHECK`: each child is drawn in its own mode. */
const SKIP_CHECK = -1;

/** Phaser's types that do not tell their camera that they are drawn: TilemapLayer, TilemapGPULayer. */
const UNTOLD = /^Tilemap/;

/**
 * Holds the game objects of the scenes while they are drawn once more: the game's own code does not run, no list is
 * sorted earlier than it would be, and everything is put back, even what a container was in the midst of changing.
 */
export class SceneHold {
  /** Objects and cameras drawn without the game's own effects: what those would show is unknown. */
  readonly distorted = new Set<object>();
  /**
   * Objects drawn as a mask or stencil of something else, perhaps at another place: they are prepared whole, and nothing
   * in them is left out.
   */
  readonly sources = new Set<object>();
  readonly #masks = new Set<object>();
  /** Objects that were prepared, and whether their own code runs. */
  readonly #held = new Map<GameObject, boolean>();
  /** Gives containers and layers back the lists they had before they were shortened. */
  readonly #undoLists: (() => void)[] = [];
  readonly #undo: (() => void)[] = [];
  readonly #undoFailed: (() => void)[] = [];

  constructor(
    private readonly engine: RehearsedEngine,
    /** True when an object's own code must not run a second time: the engine is only told of it. */
    private readonly isForeign: (object: GameObject) => boolean,
  ) {}

  /**
   * The objects of a list that are drawn near an area, prepared for that. Lists within it are shortened in the same way
   * until {@link giveListsBack}.
   * @param area null for everywhere
   * @param camera for a scene's own list: each object is asked whether it is drawn; null for lists within, which do so
   * themselves
   */
  takeNear(
    list: readonly GameObject[],
    area: NearArea | null,
    always: readonly GameObject[],
    camera: Camera | null,
  ): GameObject[] {
    const near: GameObject[] = [];
    let isAfterMask = false;
    for (let i = 0; i < list.length; i++) {
      const object = list[i]!;
      // An object that follows a masked one stays: it decides whether two that share a mask are drawn behind it together.
      if (!isAfterMask && area?.isFar(object) === true && !always.includes(object)) continue;
      if (camera !== null && !object.willRender(camera)) continue;
      if (camera === null) this.#noteInherited(object);
      const isEmpty =
        this.#hold(object) &&
        isList(object as unknown as DrawnObject) &&
        this.#shorten(object as unknown as ListObject & GameObject, area, always);
      if (isEmpty && area !== null && !isAfterMask && isPlain(object)) continue;
      near.push(object);
      isAfterMask = Boolean((object as unknown as Drawn).mask);
    }
    return near;
  }

  /** Gives lists back what {@link takeNear} left out of them. */
  giveListsBack(): void {
    runBackwards(this.#undoLists);
  }

  /** Leaves only what is near an area in a container or layer; true when nothing is left. */
  #shorten(holder: ListObject & GameObject, area: NearArea | null, always: readonly GameObject[]): boolean {
    const { list } = holder;
    const isElsewhere = this.sources.has(holder) || paintsElsewhere(holder) || hasContext(holder);
    const isWhole = area === null || isElsewhere || setsBlendMode(holder);
    const inner = isWhole ? null : areaIn(holder, area);
    const near = this.takeNear(inDrawOrder(holder), inner, always, null);
    const isUnsorted = holder.sortChildrenFlag === true;
    holder.list = near;
    if (isUnsorted) holder.sortChildrenFlag = false;
    this.#undoLists.push(() => {
      holder.list = list;
      if (isUnsorted) holder.sortChildrenFlag = true;
    });
    return near.length === 0;
  }

  /** Prepares an object to be drawn; false for one whose own code is not run. */
  #hold(object: GameObject): boolean {
    const isKnown = this.#held.get(object);
    if (isKnown !== undefined) return isKnown;
    const isForeign = this.isForeign(object);
    this.#held.set(object, !isForeign);
    if (isForeign) {
      this.#undo.push(this.engine.intercept(object, (camera, parent) => this.engine.onForeign(object, camera, parent)));
      return false;
    }
    this.holdEffects(object);
    this.unmark(object);
    this.tellAfterMask(object);
    // Nor do some types of libraries.
    if (!PHASER_TYPES.has(object.type) || UNTOLD.test(object.type) || hasContext(object)) this.#tellOf(object);
    return true;
  }

  /** Puts everything back. */
  release(hasFailed: boolean): void {
    this.giveListsBack();
    runBackwards(this.#undo);
    if (hasFailed) runBackwards(this.#undoFailed);
  }

  /** Takes effects of a game's own off an object or camera for as long as this holds it. */
  holdEffects(target: object): void {
    const giveBack = this.engine.withhold?.(target) ?? null;
    if (giveBack !== null) {
      this.distorted.add(target);
      this.#undo.push(giveBack);
    }
    const drawn = target as Drawn;
    const posts = drawn.postPipelines;
    if (!posts || posts.length === 0 || !posts.some(isForeignEffect)) return;
    const known = posts.filter((pipeline) => !isForeignEffect(pipeline));
    const { hasPostPipeline } = drawn;
    drawn.postPipelines = known;
    if (known.length === 0) drawn.hasPostPipeline = false;
    this.distorted.add(target);
    this.#undo.push(() => {
      drawn.postPipelines = posts;
      drawn.hasPostPipeline = hasPostPipeline!;
    });
  }

  /**
   * Tells the engine of a masked object or camera again once its mask was drawn: the mask's picture is drawn in the midst of
   * it.
   */
  tellAfterMask(masked: object): void {
    const { engine } = this;
    const { mask } = masked as { readonly mask?: WebGLMask | null };
    if (engine.method !== 'renderWebGL' || !mask || this.#masks.has(mask)) return;
    this.#masks.add(mask);
    const before = mask.preRenderWebGL;
    mask.preRenderWebGL = (renderer, child, camera) => {
      before.call(mask, renderer, child, camera);
      engine.onObject(this.#held.has(child) ? child : null);
    };
    this.#undo.push(() => (mask.preRenderWebGL = before));
  }

  /** Takes off the tap's function, which an observed ad has in front of its own render function. */
  unmark(object: GameObject): void {
    const { method } = this.engine;
    const drawn = object as unknown as Drawn;
    const before = drawn[method] as Render & { readonly marked?: Render };
    if (before.marked === undefined) return;
    drawn[method] = before.marked;
    this.#undo.push(() => (drawn[method] = before));
  }

  /** Notes what a container may multiply into a child: a container that fails leaves the child like that. */
  #noteInherited(child: GameObject): void {
    const drawn = child as unknown as Drawn;
    const { alpha, alphaTopLeft, alphaTopRight, alphaBottomLeft, alphaBottomRight, scrollFactorX, scrollFactorY } =
      drawn;
    this.#undoFailed.push(() => {
      // A container on Canvas sets the one alpha, and with it those of the corners; one in WebGL the corners only.
      if (alpha !== undefined) drawn.setAlpha?.(alpha);
      if (alphaTopLeft !== undefined) drawn.setAlpha?.(alphaTopLeft, alphaTopRight, alphaBottomLeft, alphaBottomRight);
      if (scrollFactorX !== undefined) drawn.setScrollFactor?.(scrollFactorX, scrollFactorY!);
    });
  }

  #tellOf(object: GameObject): void {
    const { engine } = this;
    this.#undo.push(
      engine.intercept(object, (_camera, _parent, draw) => {
        engine.onObject(object);
        draw();
      }),
    );
  }
}

function runBackwards(undo: (() => void)[]): void {
  for (let i = undo.length - 1; i >= 0; i--) undo[i]!();
  undo.length = 0;
}

function isForeignEffect({ active, controller }: PostPipeline): boolean {
  return active && !controller;
}

/** True for a CustomContext of Phaser 4: its callback may let another camera show it, at another place. */
function hasContext(object: object): boolean {
  return 'customContextCallback' in object;
}

/** True for a list with a blend mode of its own: each child is drawn in the mode that the child before has left. */
function setsBlendMode(holder: ListObject): boolean {
  return (holder as unknown as { readonly blendMode: number }).blendMode !== SKIP_CHECK;
}

function areaIn(holder: ListObject, area: NearArea): NearArea | null {
  return 'localTransform' in holder ? area.inside(holder as unknown as DrawnObject) : area;
}

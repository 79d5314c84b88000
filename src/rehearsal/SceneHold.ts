import type * as Phaser from 'phaser';

import { holdsList, type ListObject, sortedByDepth } from './lists.js';
import type { ParentMatrix, RehearsedEngine } from './RehearsedEngine.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

type Render = (renderer: unknown, object: GameObject, camera: Camera, parent?: ParentMatrix, holder?: unknown) => void;

interface Drawn {
  renderWebGL: Render;
  renderCanvas: Render;
  /** Of containers' children: what the container multiplies into each while it is drawn. */
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
}

interface WebGLMask {
  preRenderWebGL(renderer: unknown, child: GameObject, camera: Camera): void;
}

interface PostPipeline {
  readonly active: boolean;
  /** Of Phaser's own effects; a game's pipelines have none. */
  readonly controller?: object | null;
}

/** What is asked of game objects before they are drawn. */
export interface ObjectRules {
  /** Its own code must not run a second time: it is only told of. */
  isForeign(object: GameObject): boolean;
}

/**
 * Holds the game objects of the scenes while they are drawn once more: code of the game's own does not run, no list is
 * sorted earlier than it would be, and everything is put back, also what a container was in the midst of changing.
 */
export class SceneHold {
  /** What was drawn without the effects a game made itself: nobody knows what those make of it. */
  readonly distorted = new Set<object>();
  private readonly masks = new Set<object>();
  private readonly undo: (() => void)[] = [];
  private readonly undoFailed: (() => void)[] = [];

  constructor(
    private readonly engine: RehearsedEngine,
    private readonly rules: ObjectRules,
  ) {}

  /** Prepares an object, and what is in it, to be drawn. */
  hold(object: GameObject): void {
    if (this.rules.isForeign(object)) {
      this.replace(object, (camera, parent) => this.engine.onForeign(object, camera, parent));
      return;
    }
    this.holdEffects(object);
    this.unmark(object);
    this.tellAfterMask(object);
    if (holdsList(object)) this.holdList(object);
    // The only type of Phaser's that does not tell its camera that it is drawn.
    else if (object.type === 'TilemapLayer') this.tellOf(object);
  }

  /** Puts everything back. */
  release(hasFailed: boolean): void {
    const { undo, undoFailed } = this;
    for (let i = undo.length - 1; i >= 0; i--) undo[i]!();
    if (hasFailed) for (let i = undoFailed.length - 1; i >= 0; i--) undoFailed[i]!();
    undo.length = undoFailed.length = 0;
  }

  /** Takes effects of a game's own off an object or camera for as long as this holds it. */
  holdEffects(target: object): void {
    const drawn = target as Drawn;
    const posts = drawn.postPipelines;
    if (!posts || posts.length === 0 || !posts.some(isForeignEffect)) return;
    const known = posts.filter((pipeline) => !isForeignEffect(pipeline));
    const { hasPostPipeline } = drawn;
    drawn.postPipelines = known;
    if (known.length === 0) drawn.hasPostPipeline = false;
    this.distorted.add(target);
    this.undo.push(() => {
      drawn.postPipelines = posts;
      drawn.hasPostPipeline = hasPostPipeline!;
    });
  }

  /** The picture of a mask tells that it is drawn, in the midst of what it masks. */
  private tellAfterMask(object: GameObject): void {
    const { engine } = this;
    const { mask } = object as unknown as { readonly mask?: WebGLMask | null };
    if (engine.method !== 'renderWebGL' || !mask || this.masks.has(mask)) return;
    this.masks.add(mask);
    const isOwn = Object.prototype.hasOwnProperty.call(mask, 'preRenderWebGL');
    const before = mask.preRenderWebGL;
    mask.preRenderWebGL = (renderer, child, camera) => {
      before.call(mask, renderer, child, camera);
      engine.onObject(child);
    };
    this.undo.push(() => {
      if (isOwn) mask.preRenderWebGL = before;
      else delete (mask as Partial<WebGLMask>).preRenderWebGL;
    });
  }

  /** An ad that is observed has a render function that tells so, in front of its own. */
  unmark(object: GameObject): void {
    const { method } = this.engine;
    const drawn = object as unknown as Drawn;
    const before = drawn[method] as Render & { readonly marked?: Render };
    if (before.marked === undefined) return;
    drawn[method] = before.marked;
    this.undo.push(() => (drawn[method] = before));
  }

  private holdList(holder: ListObject): void {
    const children = holder.list;
    if (holder.sortChildrenFlag === true) {
      holder.list = sortedByDepth(children);
      holder.sortChildrenFlag = false;
      this.undo.push(() => {
        holder.list = children;
        holder.sortChildrenFlag = true;
      });
    }
    for (let i = 0; i < children.length; i++) {
      this.noteInherited(children[i]!);
      this.hold(children[i]!);
    }
  }

  /** A container that fails leaves its child with what it multiplied into it. */
  private noteInherited(child: GameObject): void {
    const drawn = child as unknown as Drawn;
    const { alpha, alphaTopLeft, alphaTopRight, alphaBottomLeft, alphaBottomRight, scrollFactorX, scrollFactorY } =
      drawn;
    this.undoFailed.push(() => {
      if (alphaTopLeft !== undefined) drawn.setAlpha?.(alphaTopLeft, alphaTopRight, alphaBottomLeft, alphaBottomRight);
      else if (alpha !== undefined) drawn.setAlpha?.(alpha);
      if (scrollFactorX !== undefined) drawn.setScrollFactor?.(scrollFactorX, scrollFactorY!);
    });
  }

  private tellOf(object: GameObject): void {
    const { engine } = this;
    const drawn = object as unknown as Drawn;
    const draw = drawn[engine.method];
    this.replace(object, (camera, parent, renderer, holder) => {
      engine.onObject(object);
      draw.call(object, renderer, object, camera, parent, holder);
    });
  }

  private replace(
    object: GameObject,
    draw: (camera: Camera, parent: ParentMatrix | undefined, renderer: unknown, holder: unknown) => void,
  ): void {
    const { method } = this.engine;
    const drawn = object as unknown as Drawn;
    const isOwn = Object.prototype.hasOwnProperty.call(object, method);
    const before = drawn[method];
    drawn[method] = (renderer, _object, camera, parent, holder) => draw(camera, parent, renderer, holder);
    this.undo.push(() => {
      if (isOwn) drawn[method] = before;
      else Reflect.deleteProperty(object, method);
    });
  }
}

function isForeignEffect({ active, controller }: PostPipeline): boolean {
  return active && !controller;
}

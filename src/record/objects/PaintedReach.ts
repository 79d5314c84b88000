import type * as Phaser from 'phaser';

import { EVERYWHERE } from '../../geometry/boxes.js';
import { oneFor } from '../../oneFor.js';
import { hasForeignRender } from '../phaser3/foreignRender.js';
import type { DrawnObject } from '../phaser3/internals.js';
import { kindOf } from './objectKind.js';

type GameObject = Phaser.GameObjects.GameObject;
type Draw = (...values: unknown[]) => void;
/** A render function that replaces another one. */
type MarkedDraw = Draw & { readonly marked?: Draw };

/** How to find out where a renderer paints. */
export interface PaintProbe {
  /** The function by which a game object is drawn here. */
  readonly method: 'renderWebGL' | 'renderCanvas' | 'renderWebGLStep';
  /**
   * Draws, and makes a box hold what was painted on the screen meanwhile: minX, minY, maxX, maxY in canvas pixels. The
   * box becomes {@link EVERYWHERE} where that cannot be told.
   */
  watch(draw: () => void, box: Float64Array): void;
}

/** By how much an edge is smoothed, or rounded to the pixel. */
export const BLUR_PX = 0.5;

/** A watch on the drawing of one object, or of a class of the game's with all its objects. */
interface Watch {
  /** The frame in which it was last asked about. */
  askedIn: number;
  /** Ends the watch; null before it begins and after it ended. */
  giveBack: (() => void) | null;
}

/** Where an object was painted, by camera, in one frame. */
interface Painted {
  frame: number;
  readonly boxes: Map<object, Float64Array>;
}

/** A watch ends when nobody has asked about it for so many frames. */
const PATIENCE_FRAMES = 60;

/**
 * Tells where objects paint that code of the game's own draws. A rehearsal does not run that code once more, and no
 * field tells how far it reaches. So it is watched while the game itself runs it, beginning with the frame after the
 * first question. Objects of a class come and go, as bullets do: so their class is watched, and the place of a new
 * object is known, too.
 */
export class PaintedReach {
  /** One for each game, so that an object is watched only once. */
  static readonly of = oneFor((game: Phaser.Game, makeProbe: () => PaintProbe) => new PaintedReach(game, makeProbe()));

  readonly #watches = new Map<object, Watch>();
  readonly #painted = new WeakMap<object, Painted>();
  /** Whether the game's own code draws a class; found out once for each. */
  readonly #classes = new WeakMap<object, boolean>();
  #frame = 0;
  #isInFrame = false;
  /** Something is being drawn and watched. */
  #isNoting = false;

  constructor(
    private readonly game: Phaser.Game,
    private readonly probe: PaintProbe,
  ) {
    // Classes outlive the game, which may have failed in the midst of a frame: no watch waits any longer.
    game.events.once(DESTROY, () => {
      this.#frame = Infinity;
      this.#onPreRender();
    });
  }

  /**
   * The box of what a camera painted of an object in the last frame: minX, minY, maxX, maxY in canvas pixels, with the
   * minimum above the maximum where it painted nothing. {@link EVERYWHERE} when the object was not watched; from now on
   * it is.
   */
  boxOf(object: GameObject, camera: object): Float64Array {
    const isOfClass = this.#isOfClass(object);
    if (isOfClass) this.#ask(Object.getPrototypeOf(object) as object);
    // An object that was observed or rehearsed has its class's function as a property of its own.
    if (!isOfClass || Object.prototype.hasOwnProperty.call(object, this.probe.method)) this.#ask(object);
    const painted = this.#painted.get(object);
    return (painted?.frame === this.#frame ? painted.boxes.get(camera) : undefined) ?? EVERYWHERE;
  }

  /** True when the class of an object is drawn by code of the game's own. */
  #isOfClass(object: GameObject): boolean {
    const drawn = object as unknown as DrawnObject;
    const ofClass = Object.getPrototypeOf(object) as object;
    let isForeign = this.#classes.get(ofClass);
    if (isForeign === undefined) {
      // An object of that class without a render function of its own.
      const plain = Object.create(ofClass, { type: { value: drawn.type } }) as DrawnObject;
      isForeign = hasForeignRender(plain, this.probe.method !== 'renderCanvas') || kindOf(drawn) === null;
      this.#classes.set(ofClass, isForeign);
    }
    return isForeign;
  }

  #ask(whose: object): void {
    (this.#watches.get(whose) ?? this.#begin(whose)).askedIn = this.#frame;
  }

  #begin(whose: object): Watch {
    const { game } = this;
    const watches = this.#watches;
    if (watches.size === 0) {
      game.events.on(PRE_RENDER, this.#onPreRender, this);
      game.events.on(POST_RENDER, this.#onPostRender, this);
    }
    // The watch begins with the next frame: a rehearsal may be under way now, and it puts objects back as they were.
    const watch: Watch = { askedIn: this.#frame, giveBack: null };
    watches.set(whose, watch);
    return watch;
  }

  #watch(whose: object, watch: Watch): void {
    const { method } = this.probe;
    const drawn = whose as Record<typeof method, MarkedDraw>;
    const isOwn = Object.prototype.hasOwnProperty.call(whose, method);
    const before = drawn[method];
    const note = (object: object, values: readonly unknown[]): void => {
      const draw = (): void => before.apply(object, values as unknown[]);
      // A draw within another object's draw is a part of that one, as are Phaser 4's render steps after the first.
      if (!this.#isInFrame || this.#isNoting || watch.giveBack === null || Number(values[STEP]) > 0) draw();
      else this.#note(object, values[VIEW] as object, draw);
    };
    const instead = Object.assign(
      function (this: object, ...values: unknown[]): void {
        note(this, values);
      },
      // The original function decides whether the game's own code draws the object.
      { marked: before.marked ?? before },
    );
    drawn[method] = instead;
    watch.giveBack = () => {
      watch.giveBack = null;
      if (drawn[method] !== instead) return;
      // From a class the property is deleted. An object that loses a property is slow from then on, so there it is set.
      if (isOwn || 'scene' in whose) drawn[method] = before;
      else Reflect.deleteProperty(drawn, method);
    };
  }

  #note(object: object, view: object, draw: () => void): void {
    let painted = this.#painted.get(object);
    if (painted === undefined) this.#painted.set(object, (painted = { frame: -1, boxes: new Map() }));
    if (painted.frame !== this.#frame) painted.boxes.clear();
    painted.frame = this.#frame;
    const camera = (view as { readonly camera?: object | null }).camera ?? view;
    let box = painted.boxes.get(camera);
    if (box === undefined) painted.boxes.set(camera, (box = Float64Array.of(Infinity, Infinity, -Infinity, -Infinity)));
    // A draw that throws may have painted anything.
    let isDone = false;
    this.#isNoting = true;
    try {
      this.probe.watch(draw, box);
      isDone = true;
    } finally {
      this.#isNoting = false;
      if (!isDone) box.set(EVERYWHERE);
    }
  }

  #onPreRender(): void {
    this.#frame++;
    this.#isInFrame = true;
    for (const [whose, watch] of this.#watches) {
      if (this.#frame - watch.askedIn > PATIENCE_FRAMES) {
        watch.giveBack?.();
        this.#watches.delete(whose);
      } else if (watch.giveBack === null) this.#watch(whose, watch);
    }
    if (this.#watches.size > 0) return;
    const { events } = this.game;
    events.off(PRE_RENDER, this.#onPreRender, this);
    events.off(POST_RENDER, this.#onPostRender, this);
    this.#isInFrame = false;
  }

  #onPostRender(): void {
    this.#isInFrame = false;
  }
}

/** `Phaser.Core.Events`. */
const PRE_RENDER = 'prerender';
const POST_RENDER = 'postrender';
const DESTROY = 'destroy';

/** Indices of a render function's arguments: the camera, in Phaser 4 the drawing context; and Phaser 4's render step. */
const VIEW = 2;
const STEP = 4;

import type * as Phaser from 'phaser';

import { oneFor } from '../oneFor.js';
import { EVERYWHERE } from './canvas2d/boxes.js';
import { kindOf } from './objectKind.js';
import { hasForeignRender } from './phaser3/foreignRender.js';
import type { DrawnObject } from './phaser3/internals.js';

type GameObject = Phaser.GameObjects.GameObject;
type Draw = (...values: unknown[]) => void;
/** One that stands for another. */
type MarkedDraw = Draw & { readonly marked?: Draw };

/** How a renderer tells where it paints. */
export interface PaintProbe {
  /** The function by which a game object is drawn here. */
  readonly method: 'renderWebGL' | 'renderCanvas' | 'renderWebGLStep';
  /**
   * Draws, and makes a box hold what was painted on the screen meanwhile: minX, minY, maxX, maxY in canvas pixels. Where that
   * cannot be told it becomes {@link EVERYWHERE}.
   */
  watch(draw: () => void, box: Float64Array): void;
}

/** An edge is smoothed, or rounded to the pixel, by so much. */
export const BLUR_PX = 0.5;

/** Whose drawing is watched: a class of the game's, with all its objects, or one object. */
interface Watch {
  /** The frame in which it was last asked about. */
  askedIn: number;
  /** Ends it; null before it begins and after it ended. */
  giveBack: (() => void) | null;
}

/** Where an object was painted, by camera, in one frame. */
interface Painted {
  frame: number;
  readonly boxes: Map<object, Float64Array>;
}

/** What nobody has asked about for so many frames is let alone. */
const PATIENCE_FRAMES = 60;

/**
 * Where objects paint that code of the game's own draws. That code is not run once more, and no field tells how far it reaches, so
 * it is watched as the game itself runs it, from the frame on that follows the first question. Objects of a class come and go, as
 * bullets do: their class is watched, so that of a new one it is known, too.
 */
export class PaintedReach {
  /** That of a game: an object is watched once. */
  static readonly of = oneFor((game: Phaser.Game, makeProbe: () => PaintProbe) => new PaintedReach(game, makeProbe()));

  private readonly watches = new Map<object, Watch>();
  private readonly painted = new WeakMap<object, Painted>();
  /** Whether a class is the game's, as it was found once. */
  private readonly classes = new WeakMap<object, boolean>();
  private frame = 0;
  private isInFrame = false;
  /** Something is being drawn and watched. */
  private isNoting = false;

  constructor(
    private readonly game: Phaser.Game,
    private readonly probe: PaintProbe,
  ) {}

  /**
   * Where a camera's picture of an object was in the frame drawn last: minX, minY, maxX, maxY in canvas pixels, the other way
   * round where it painted nothing. {@link EVERYWHERE} when nobody looked: from now on somebody does.
   */
  boxOf(object: GameObject, camera: object): Float64Array {
    const isOfClass = this.isOfClass(object);
    if (isOfClass) this.ask(Object.getPrototypeOf(object) as object);
    // One that was observed or rehearsed keeps a copy of its class's function.
    if (!isOfClass || Object.prototype.hasOwnProperty.call(object, this.probe.method)) this.ask(object);
    const painted = this.painted.get(object);
    return (painted?.frame === this.frame ? painted.boxes.get(camera) : undefined) ?? EVERYWHERE;
  }

  /** Its class is one of the game's that draws in its own way. */
  private isOfClass(object: GameObject): boolean {
    const drawn = object as unknown as DrawnObject;
    const ofClass = Object.getPrototypeOf(object) as object;
    let isForeign = this.classes.get(ofClass);
    if (isForeign === undefined) {
      // What such an object would be drawn by that has nothing of its own.
      const plain = Object.create(ofClass, { type: { value: drawn.type } }) as DrawnObject;
      isForeign = hasForeignRender(plain, this.probe.method !== 'renderCanvas') || kindOf(drawn) === null;
      this.classes.set(ofClass, isForeign);
    }
    return isForeign;
  }

  private ask(whose: object): void {
    (this.watches.get(whose) ?? this.begin(whose)).askedIn = this.frame;
  }

  private begin(whose: object): Watch {
    const { watches, game } = this;
    if (watches.size === 0) {
      game.events.on(PRE_RENDER, this.onPreRender, this);
      game.events.on(POST_RENDER, this.onPostRender, this);
    }
    // Nothing is put on it before the next frame: a rehearsal may be under way, which puts objects back as they were.
    const watch: Watch = { askedIn: this.frame, giveBack: null };
    watches.set(whose, watch);
    return watch;
  }

  private watch(whose: object, watch: Watch): void {
    const { method } = this.probe;
    const drawn = whose as Record<typeof method, MarkedDraw>;
    const isOwn = Object.prototype.hasOwnProperty.call(whose, method);
    const before = drawn[method];
    const note = (object: object, values: readonly unknown[]): void => {
      const draw = (): void => before.apply(object, values as unknown[]);
      // What is within another's drawing is a part of that, as are steps of Phaser 4 after the first.
      if (!this.isInFrame || this.isNoting || watch.giveBack === null || Number(values[STEP]) > 0) draw();
      else this.note(object, values[VIEW] as object, draw);
    };
    const instead = Object.assign(
      function (this: object, ...values: unknown[]): void {
        note(this, values);
      },
      // Whose function it is decides whether it is the game's.
      { marked: before.marked ?? before },
    );
    drawn[method] = instead;
    watch.giveBack = () => {
      watch.giveBack = null;
      if (drawn[method] !== instead) return;
      // Of a class it goes; an object that loses a property is slow from then on.
      if (isOwn || 'scene' in whose) drawn[method] = before;
      else Reflect.deleteProperty(drawn, method);
    };
  }

  private note(object: object, view: object, draw: () => void): void {
    let painted = this.painted.get(object);
    if (painted === undefined) this.painted.set(object, (painted = { frame: -1, boxes: new Map() }));
    if (painted.frame !== this.frame) painted.boxes.clear();
    painted.frame = this.frame;
    const camera = (view as { readonly camera?: object | null }).camera ?? view;
    let box = painted.boxes.get(camera);
    if (box === undefined) painted.boxes.set(camera, (box = Float64Array.of(Infinity, Infinity, -Infinity, -Infinity)));
    // What fails in the midst has painted nobody knows what.
    let isDone = false;
    this.isNoting = true;
    try {
      this.probe.watch(draw, box);
      isDone = true;
    } finally {
      this.isNoting = false;
      if (!isDone) box.set(EVERYWHERE);
    }
  }

  private onPreRender(): void {
    this.frame++;
    this.isInFrame = true;
    for (const [whose, watch] of this.watches) {
      if (this.frame - watch.askedIn > PATIENCE_FRAMES) {
        watch.giveBack?.();
        this.watches.delete(whose);
      } else if (watch.giveBack === null) this.watch(whose, watch);
    }
    if (this.watches.size > 0) return;
    const { events } = this.game;
    events.off(PRE_RENDER, this.onPreRender, this);
    events.off(POST_RENDER, this.onPostRender, this);
    this.isInFrame = false;
  }

  private onPostRender(): void {
    this.isInFrame = false;
  }
}

/** `Phaser.Core.Events`. */
const PRE_RENDER = 'prerender';
const POST_RENDER = 'postrender';

/** Places among what a render function is handed: the camera, in Phaser 4 what is drawn on; and there the step's number. */
const VIEW = 2;
const STEP = 4;

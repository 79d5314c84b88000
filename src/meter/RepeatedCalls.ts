import type * as Phaser from 'phaser';

import type { SpriteMeasurement } from './SpriteMeasurement.js';
import { Reason } from '../measure/AdMeasurement.js';
import { oneFor } from '../oneFor.js';
import { holderOf } from '../record/objects/holderOf.js';
import { sceneDrawing } from '../record/objects/sceneDrawing.js';
import type { DrawnObject, TexturedObject } from '../record/phaser3/internals.js';
import { GameMeter } from './GameMeter.js';

type GameObject = Phaser.GameObjects.GameObject;

/** Event of the game (`Phaser.Core.Events`): a frame has been drawn. */
const POST_RENDER = 'postrender';

/** An object that was not asked for in this many frames is no longer observed. */
const FORGOTTEN_AFTER = 60;

/** One object that is asked for. */
class Asked {
  /** By name of the call: the number of frames drawn when it was last made. */
  readonly lastAt: Record<string, number> = {};
  lastOfAll = 0;
  stop: (() => void) | null = null;
  measurement: SpriteMeasurement | null = null;
  /** What the object and its cameras were like when they were measured. */
  readonly state: unknown[] = [];
}

/**
 * Answers calls that a game makes again and again, in each frame or a few times a second, from what is measured once per
 * frame: from the second call on the object is observed, until it is not asked for a while. Reading the scenes once costs
 * about as much as observing an object for that while.
 */
export class RepeatedCalls {
  static readonly of = oneFor((game: Phaser.Game) => new RepeatedCalls(game));
  readonly #asked = new Map<GameObject, Asked>();
  #frames = 0;
  readonly #now: unknown[] = [];

  private constructor(private readonly game: Phaser.Game) {}

  /**
   * The figures of an object in the frame drawn last. Null where the scenes have to be read: when the same call was not made
   * in a frame shortly before, or already in this one, when the object, its containers or a camera have changed since, or
   * when the frame cannot tell.
   */
  answer(object: GameObject, call: string): SpriteMeasurement | null {
    const { game } = this;
    const asked = this.#asked;
    const frames = this.#frames;
    if (asked.size === 0) game.events.on(POST_RENDER, this.#onFrame, this);
    let one = asked.get(object);
    if (one === undefined) asked.set(object, (one = new Asked()));
    const lastAt = one.lastAt[call];
    one.lastAt[call] = one.lastOfAll = frames;
    if (lastAt === undefined || lastAt === frames) return null;
    const meter = GameMeter.of(game);
    one.stop ??= this.#observe(object, one, meter);
    const { measurement } = one;
    // Unlike measured frames, a call counts friendly objects as covers, and sees the page as it is now.
    if (measurement === null || meter.friendly.objects.size > 0 || meter.isPageBehind) return null;
    if (measurement.reasons.includes(Reason.UNMEASURABLE)) return null;
    takeState(object, this.#now);
    return isSame(this.#now, one.state) ? measurement : null;
  }

  #observe(object: GameObject, one: Asked, meter: GameMeter): () => void {
    return meter.observe(object, (measurement) => {
      one.measurement = measurement;
      takeState(object, one.state);
    });
  }

  #onFrame(): void {
    this.#frames++;
    for (const [object, { lastOfAll, stop }] of this.#asked) {
      if (this.#frames - lastOfAll <= FORGOTTEN_AFTER) continue;
      stop?.();
      this.#asked.delete(object);
    }
    if (this.#asked.size === 0) this.game.events.off(POST_RENDER, this.#onFrame, this);
  }
}

const NO_CROP = { x: 0, y: 0, width: 0, height: 0 };

/** Collects how an object is drawn, in which containers, whether its scene is drawn, and by which cameras. */
function takeState(object: GameObject, state: unknown[]): void {
  state.length = 0;
  if (!(object.scene as unknown)) return;
  for (let at: DrawnObject | null = object as unknown as DrawnObject; at !== null; at = holderOf(at)) {
    const { displayList, x, y, scaleX, scaleY, rotation, alpha, blendMode, mask, renderFlags, cameraFilter } = at;
    const { frame, width, height, displayOriginX, displayOriginY, isCropped, flipX, flipY } = at as TexturedObject;
    const crop = (isCropped ? (at as TexturedObject)._crop : null) ?? NO_CROP;
    state.push(displayList, x, y, scaleX, scaleY, rotation, alpha, blendMode, mask, renderFlags, cameraFilter);
    state.push(frame, width, height, displayOriginX, displayOriginY, flipX, flipY, at.scrollFactorX, at.scrollFactorY);
    state.push(isCropped, crop.x, crop.y, crop.width, crop.height);
  }
  const { settings, cameras } = sceneDrawing(object).sys;
  state.push(settings.visible, settings.status);
  for (const camera of cameras.cameras) {
    const { x, y, width, height, scrollX, scrollY, zoomX, zoomY, originX, originY, rotation, alpha, visible } =
      camera as typeof camera & {
        readonly rotation: number;
      };
    state.push(camera, x, y, width, height, scrollX, scrollY, zoomX, zoomY, originX, originY, rotation, alpha, visible);
  }
}

function isSame(now: readonly unknown[], then: readonly unknown[]): boolean {
  return now.length === then.length && now.length > 0 && now.every((one, i) => Object.is(one, then[i]));
}

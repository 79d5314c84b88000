import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import type { ClickRefusal } from '../measure/ClickRefusal.js';
import type { PressPhase } from '../meter/pressedPoint.js';
import { hitWhereDrawn } from './hitWhereDrawn.js';

type GameObject = Phaser.GameObjects.GameObject;

/** Input events of a game object (`Phaser.Input.Events`). */
const POINTER_DOWN = 'pointerdown';
const POINTER_UP = 'pointerup';

/** A press that travels further is a drag, in canvas pixels. */
const MAX_TRAVEL_PX = 10;

/** For this long after a tap, browsers may report it once more as a mouse event, in milliseconds. */
const ECHO_MS = 1000;

/** Told of each press that is released in one place. */
export interface ClickListener {
  /** Why a press or a release does not hit what is seen; null when it does. Called while the browser's event is handled. */
  judge(pointer: Phaser.Input.Pointer, phase: PressPhase): ClickRefusal | null;
  click(): void;
  refuse(reason: ClickRefusal): void;
}

/**
 * Tells when the player presses and releases a sprite in one place, and whether the sprite was visible there both times.
 * Other buttons than the first, drags, and touches the browser takes for itself are no clicks at all.
 */
export class ClickThrough {
  #pressed: Phaser.Input.Pointer | null = null;
  /** Tells the press from a later one of the same pointer: a drag that ends elsewhere is released without a word to the sprite. */
  #pressedAt = 0;
  #refusal: ClickRefusal | null = null;
  /** Of a press. Phaser listens to canvas and window: in a shadow tree it tells of one event twice. */
  #lastEvent: unknown = null;
  #tappedAt = -Infinity;
  #isOver = false;
  /** Input that the game had enabled before stays the game's. */
  readonly #ownsInput: boolean;

  /** @throws AdsError `arg/sprite` for an object that has no area to be clicked */
  constructor(
    private readonly sprite: GameObject,
    private readonly listener: ClickListener,
  ) {
    this.#ownsInput = !sprite.input;
    if (this.#ownsInput) {
      stopRemovalOfInput(sprite);
      makeClickable(sprite);
      hitWhereDrawn(sprite);
    }
    sprite.on(POINTER_DOWN, this.#onDown, this);
    sprite.on(POINTER_UP, this.#onUp, this);
  }

  destroy(): void {
    const { sprite } = this;
    sprite.off(POINTER_DOWN, this.#onDown, this);
    sprite.off(POINTER_UP, this.#onUp, this);
    // Phaser still calls the listeners that were there when the event began.
    this.#isOver = true;
    if (!this.#ownsInput || !sprite.input) return;
    // The input of a scene that ends for good goes first, and forgets nothing of a sprite that is on no display list.
    const { input } = sprite.scene.sys as unknown as { input: { readonly manager: object | null } };
    if (input.manager === null) sprite.input = null;
    else sprite.removeInteractive();
  }

  #onDown(pointer: Phaser.Input.Pointer): void {
    if (this.#isOver || this.#lastEvent === pointer.event) return;
    this.#lastEvent = pointer.event;
    this.#pressed = pointer.button === 0 && !this.#isEcho(pointer) ? pointer : null;
    this.#pressedAt = pointer.downTime;
    if (this.#pressed !== null) this.#refusal = this.listener.judge(pointer, 'press');
  }

  #onUp(pointer: Phaser.Input.Pointer): void {
    if (this.#isOver) return;
    const pressed = this.#pressed;
    this.#pressed = null;
    if (pointer.wasTouch) this.#tappedAt = pointer.upTime;
    const travel = Math.hypot(pointer.upX - pointer.downX, pointer.upY - pointer.downY);
    if (pressed !== pointer || pointer.downTime !== this.#pressedAt) return;
    if (pointer.button !== 0 || pointer.wasCanceled || !(travel <= MAX_TRAVEL_PX)) return;
    // Phaser handles pointer events inside the browser's own, so a new tab may be opened from here.
    const refusal = this.#refusal ?? this.listener.judge(pointer, 'release');
    if (refusal === null) this.listener.click();
    else this.listener.refuse(refusal);
  }

  /** The echo of a tap that closes a dialog would fall on the ad below it. */
  #isEcho(pointer: Phaser.Input.Pointer): boolean {
    return !pointer.wasTouch && Math.abs((pointer.event as Event).timeStamp - this.#tappedAt) < ECHO_MS;
  }
}

/**
 * Phaser removes an object that lost its input with the next frame, even if it was given input anew in this one: an ad that
 * takes the place of another, on the same sprite, would get no pointer events any more.
 */
function stopRemovalOfInput(sprite: GameObject): void {
  const { input } = sprite.scene.sys as unknown as { input: { readonly _pendingRemoval: GameObject[] } | null };
  const at = input?._pendingRemoval.indexOf(sprite) ?? -1;
  if (at >= 0) input!._pendingRemoval.splice(at, 1);
}

/** The properties of a game object that tell where it is. */
interface MaybeSized {
  readonly width?: number;
  readonly height?: number;
  readonly frame?: unknown;
  getBounds?(): Phaser.Geom.Rectangle;
  getWorldTransformMatrix?(): Phaser.GameObjects.Components.TransformMatrix;
}

/**
 * Phaser takes the size of an object for its hit area; one that has none, such as a Container, would get a hit area that
 * throws at the next pointer move. Its bounds do instead.
 */
function makeClickable(sprite: GameObject): void {
  const { width = 0, height = 0, frame, getBounds, getWorldTransformMatrix } = sprite as MaybeSized;
  if ((width > 0 && height > 0) || (frame !== undefined && frame !== null)) {
    sprite.setInteractive({ useHandCursor: true });
    return;
  }
  if (typeof getBounds !== 'function' || typeof getWorldTransformMatrix !== 'function') {
    throw new AdsError('arg/sprite', `A ${sprite.type} has no size: it cannot be clicked`, {
      hint: 'Give it a hit area by setInteractive(shape, callback) first.',
    });
  }
  const hitAreaCallback = (_area: unknown, x: number, y: number): boolean => {
    const { x: worldX, y: worldY } = getWorldTransformMatrix.call(sprite).transformPoint(x, y);
    const bounds = getBounds.call(sprite);
    return worldX >= bounds.left && worldX <= bounds.right && worldY >= bounds.top && worldY <= bounds.bottom;
  };
  sprite.setInteractive({ hitArea: {}, hitAreaCallback, useHandCursor: true });
}

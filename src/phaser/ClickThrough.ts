import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';

type GameObject = Phaser.GameObjects.GameObject;

/** Input events of a game object (`Phaser.Input.Events`). */
const POINTER_DOWN = 'pointerdown';
const POINTER_UP = 'pointerup';

/** A press that travels further is a drag, in canvas pixels. */
const MAX_TRAVEL_PX = 10;

/**
 * Tells when the player presses and releases a sprite in one place, with a real pointer: events made by scripts are
 * not counted, nor are other buttons than the first.
 */
export class ClickThrough {
  private pressed: Phaser.Input.Pointer | null = null;
  /** Input that the game had enabled before stays the game's. */
  private readonly ownsInput: boolean;

  /** @throws AdsError `arg/sprite` for an object that has no area to be clicked */
  constructor(
    private readonly sprite: GameObject,
    private readonly onClick: () => void,
  ) {
    this.ownsInput = !sprite.input;
    if (this.ownsInput) makeClickable(sprite);
    sprite.on(POINTER_DOWN, this.onDown, this);
    sprite.on(POINTER_UP, this.onUp, this);
  }

  destroy(): void {
    const { sprite } = this;
    sprite.off(POINTER_DOWN, this.onDown, this);
    sprite.off(POINTER_UP, this.onUp, this);
    this.pressed = null;
    if (this.ownsInput && sprite.input) sprite.removeInteractive();
  }

  private onDown(pointer: Phaser.Input.Pointer): void {
    this.pressed = pointer.button === 0 ? pointer : null;
  }

  private onUp(pointer: Phaser.Input.Pointer): void {
    const { pressed } = this;
    this.pressed = null;
    const travel = Math.hypot(pointer.upX - pointer.downX, pointer.upY - pointer.downY);
    // Phaser handles pointer events inside the browser's own, so a new tab may be opened from here.
    const isTrusted = (pointer.event as Event | null | undefined)?.isTrusted === true;
    if (pressed === pointer && pointer.button === 0 && travel <= MAX_TRAVEL_PX && isTrusted) this.onClick();
  }
}

/** What of a game object tells where it is. */
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

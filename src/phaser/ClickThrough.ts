import type * as Phaser from 'phaser';

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

  constructor(
    private readonly sprite: GameObject,
    private readonly onClick: () => void,
  ) {
    this.ownsInput = !sprite.input;
    if (this.ownsInput) sprite.setInteractive({ useHandCursor: true });
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

import type { TestGame } from './TestGame.js';

export interface PressOptions {
  readonly isTrusted?: boolean;
  readonly button?: number;
  /** How far the pointer moves to the right before it is released, in canvas pixels. */
  readonly travel?: number;
  /** Element the pointer is released on; the game's canvas by default. */
  readonly releasedOn?: Element;
  /** How many frames are drawn before; 2 by default. */
  readonly frames?: number;
}

/** Tests let the browser's clock stand still, but no two presses are made at the same time. */
let presses = 0;

/** The methods of Phaser's input manager that are told of the browser's events. */
interface InputManager {
  onMouseDown(event: object): void;
  onMouseUp(event: object): void;
}

/**
 * The player presses and releases the mouse at a point of the canvas, once what is there was drawn: from the browser's
 * event on all is Phaser's own.
 */
export function press(test: TestGame, { x, y }: { x: number; y: number }, given: PressOptions = {}): void {
  const { isTrusted = true, button = 0, travel = 0, releasedOn = test.game.canvas, frames = 2 } = given;
  const { canvas, input, scale } = test.game;
  test.step(frames);
  // jsdom lays nothing out.
  scale.displayScale.set(1, 1);
  const timeStamp = performance.now() + ++presses;
  const event = (type: string, pageX: number, target: Element, buttons: number) => {
    return { type, button, buttons, pageX, pageY: y, target, isTrusted, timeStamp };
  };
  const manager = input as unknown as InputManager;
  manager.onMouseDown(event('mousedown', x, canvas, 1));
  manager.onMouseUp(event('mouseup', x + travel, releasedOn, 0));
}

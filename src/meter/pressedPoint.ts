import type * as Phaser from 'phaser';

import { canvasPoint } from '../page/canvasPoint.js';
import { hasLayout } from '../page/readPage.js';

/** Whether a pointer goes down or up. */
export type PressPhase = 'press' | 'release';

/**
 * Where on the game's canvas the player presses or releases a pointer, in canvas pixels, while its event is handled; null
 * when the event is on something else of the page: Phaser listens to the whole window, and tells the objects that lie at
 * that point of the canvas.
 */
export function pressedPoint(
  game: Phaser.Game,
  pointer: Phaser.Input.Pointer,
  phase: PressPhase,
): { x: number; y: number } | null {
  const { canvas } = game;
  if (!isSurface(game, phase === 'press' ? pointer.downElement : pointer.upElement)) return null;
  // A locked pointer has a position only in the game.
  if (!hasLayout(canvas) || canvas.ownerDocument.pointerLockElement) return { x: pointer.x, y: pointer.y };
  // The canvas was taken off the page while the pointer was down.
  if (!canvas.isConnected) return null;
  const place = clientPlace(pointer);
  if (place === undefined) return null;
  const { clientX, clientY } = place;
  // A finger's events go to where it was put down, wherever it is lifted.
  const root = canvas.getRootNode() as Document | ShadowRoot;
  return isSurface(game, root.elementFromPoint(clientX, clientY)) ? canvasPoint(game, clientX, clientY) : null;
}

/** The canvas, or what the game has configured to take its input. */
function isSurface({ canvas, input }: Phaser.Game, element: unknown): boolean {
  if (element === canvas) return true;
  const { mouse, touch } = input as { mouse?: { target?: unknown } | null; touch?: { target?: unknown } | null };
  return element !== null && element !== undefined && (element === mouse?.target || element === touch?.target);
}

/** Undefined for a finger that the event does not tell of. */
function clientPlace({ event, identifier }: Phaser.Input.Pointer): MouseEvent | Touch | undefined {
  return 'changedTouches' in event ? [...event.changedTouches].find((one) => one.identifier === identifier) : event;
}

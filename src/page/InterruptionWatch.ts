import type * as Phaser from 'phaser';

import { Interruption } from '../measure/Interruption.js';

/** Game event (`Phaser.Core.Events`): the loop stops, for whatever reason. */
const PAUSE = 'pause';

/**
 * Reports at once when the player stops seeing frames: the tab is hidden, left or frozen, the graphics context is lost, the
 * game is paused. Frames cannot report it, since there are none.
 */
export class InterruptionWatch {
  #window: Window | null = null;
  #canvas: HTMLCanvasElement | null = null;

  constructor(
    private readonly game: Phaser.Game,
    private readonly onInterruption: (reason: Interruption) => void,
  ) {}

  start(): void {
    const { game } = this;
    this.#canvas = game.canvas;
    this.#window = game.canvas.ownerDocument.defaultView;
    game.events.on(PAUSE, this.#onPause, this);
    this.#canvas.addEventListener('webglcontextlost', this.#onContextLost);
    // Before all listeners at the document: what a session reports about its end should leave with the last reports.
    this.#window?.addEventListener('visibilitychange', this.#onVisibilityChange, { capture: true });
    this.#window?.addEventListener('pagehide', this.#onLeave, { capture: true });
    this.#window?.addEventListener('freeze', this.#onLeave, { capture: true });
  }

  stop(): void {
    this.game.events.off(PAUSE, this.#onPause, this);
    this.#canvas?.removeEventListener('webglcontextlost', this.#onContextLost);
    this.#window?.removeEventListener('visibilitychange', this.#onVisibilityChange, { capture: true });
    this.#window?.removeEventListener('pagehide', this.#onLeave, { capture: true });
    this.#window?.removeEventListener('freeze', this.#onLeave, { capture: true });
    this.#window = this.#canvas = null;
  }

  readonly #onVisibilityChange = (): void => {
    // A game that is paused stays so when it comes back into view.
    if (this.#isHidden || this.game.isPaused) this.#onPause();
  };

  readonly #onLeave = (): void => this.onInterruption(Interruption.BACKGROUNDED);

  readonly #onContextLost = (): void => this.onInterruption(Interruption.CONTEXT_LOST);

  /** Phaser pauses the game for a hidden tab too. */
  #onPause(): void {
    this.onInterruption(this.#isHidden ? Interruption.BACKGROUNDED : Interruption.GAME_PAUSED);
  }

  get #isHidden(): boolean {
    return this.#window?.document.visibilityState === 'hidden';
  }
}

import type * as Phaser from 'phaser';
import { PageWatcher } from '../../../src/page/PageWatcher.js';
import { readPage, readPageInParts } from '../../../src/page/readPage.js';

/** What came of reading a page in the smallest parts there are. */
export interface PartsOutcome {
  readonly parts: number;
  /** Parts after which the page was not as it had been found. */
  readonly altered: number;
  /** Both readings, as text. */
  readonly inParts: string;
  readonly atOnce: string;
}

export interface PageInParts {
  /** @param moved how far the canvas is moved after the first part, in CSS pixels */
  compare(html: string, moved?: number): PartsOutcome;
  /** In how many parts a watcher reads a page that never has any time left. */
  partsWithoutTime(html: string): Promise<number>;
}

(window as unknown as { pageInParts: PageInParts }).pageInParts = {
  compare(html, moved = 0) {
    const { canvas, game } = open(html);
    const reading = readPageInParts(game, null, () => true);
    let parts = 0;
    let altered = 0;
    for (;;) {
      const step = reading.next();
      if (document.adoptedStyleSheets.length > 0) altered++;
      if (step.done === true) {
        const atOnce = readPage(game);
        return { parts, altered, inParts: JSON.stringify(step.value), atOnce: JSON.stringify(atOnce) };
      }
      if (++parts === 1) canvas.style.marginLeft = `${moved}px`;
    }
  },

  async partsWithoutTime(html) {
    const { game } = open(html);
    const { requestIdleCallback } = window;
    let parts = 0;
    window.requestIdleCallback = (work) => {
      parts++;
      return setTimeout(() => work({ didTimeout: false, timeRemaining: () => 0 }), 0) as unknown as number;
    };
    const watcher = new PageWatcher(game);
    watcher.start();
    const before = watcher.view;
    while (watcher.view === before) await new Promise((resolve) => setTimeout(resolve, 0));
    watcher.stop();
    window.requestIdleCallback = requestIdleCallback;
    return parts;
  },
};

function open(html: string): { canvas: HTMLCanvasElement; game: Phaser.Game } {
  document.body.innerHTML = html;
  const canvas = document.querySelector('canvas')!;
  const nobody = (): void => undefined;
  const scale = { baseSize: { width: 400, height: 300 }, on: nobody, off: nobody };
  return { canvas, game: { canvas, scale, scene: { scenes: [] } } as unknown as Phaser.Game };
}

import type * as Phaser from 'phaser';
import { readPage, readPageInParts } from '../../../src/phaser/page/readPage.js';

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
}

(window as unknown as { pageInParts: PageInParts }).pageInParts = {
  compare(html, moved = 0) {
    document.body.innerHTML = html;
    const canvas = document.querySelector('canvas')!;
    const game = { canvas, scale: { baseSize: { width: 400, height: 300 } }, scene: { scenes: [] } };
    const reading = readPageInParts(game as unknown as Phaser.Game, [], null, () => true);
    let parts = 0;
    let altered = 0;
    for (;;) {
      const step = reading.next();
      if (document.adoptedStyleSheets.length > 0) altered++;
      if (step.done === true) {
        const atOnce = readPage(game as unknown as Phaser.Game);
        return { parts, altered, inParts: JSON.stringify(step.value), atOnce: JSON.stringify(atOnce) };
      }
      if (++parts === 1) canvas.style.marginLeft = `${moved}px`;
    }
  },
};

import type * as Phaser from 'phaser';
import type { PageView } from '../../../src/page/PageView.js';
import { PageWatcher } from '../../../src/page/PageWatcher.js';
import { readPage } from '../../../src/page/readPage.js';

/** What a page lets the player see of an ad at x 160–240, y 130–170 of a canvas of 400 × 300, in percent. */
export interface NetOutcome {
  readonly seen: number;
  readonly unmeasurable: number;
  /** Style sheets that reading has left behind. */
  readonly leftBehind: number;
  /** Changes of the page that an observer was told of while it was read. */
  readonly mutations: number;
}

export interface PageNet {
  /** Puts a page together; an element `game` gets the canvas. */
  open(html: string): void;
  look(): NetOutcome;
  /** Begins to watch the page. */
  watch(): void;
  /** How often it has been looked at since. */
  looks(): number;
  /** When a watcher looks at a page with an `img` on which something has happened: while it watches, and after it has stopped. */
  answers(events: readonly PageEvent[]): Promise<{ watched: Answer[]; stopped: Answer[] }>;
}

export type PageEvent = readonly [on: 'element' | 'document' | 'window' | 'viewport' | 'scale', name: string];
export type Answer = 'at once' | 'later' | 'never';

let game: Phaser.Game;
let looks = 0;
/** Those of the game's scale manager. */
const scaling = new EventTarget();

(window as unknown as { pageNet: PageNet }).pageNet = {
  open(html) {
    game = open(html);
  },

  look() {
    const observer = new MutationObserver(() => undefined);
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const view = readPage(game);
    const mutations = observer.takeRecords().length;
    observer.disconnect();
    return { ...sharesOf(view), leftBehind: document.adoptedStyleSheets.length, mutations };
  },

  watch() {
    const watcher = new PageWatcher(game);
    watcher.start();
    let { view } = watcher;
    Object.defineProperty(watcher, 'view', { get: () => view, set: (next: PageView) => void (looks++, (view = next)) });
  },

  looks: () => looks,

  async answers(events) {
    const on = { element: document.images[0]!, document, window, viewport: window.visualViewport!, scale: scaling };
    const watcher = new PageWatcher(game);
    const ask = async (): Promise<Answer[]> => {
      const found: Answer[] = [];
      for (const [target, name] of events) {
        while (watcher.isBehind) await new Promise((resolve) => setTimeout(resolve, 10));
        const { view } = watcher;
        on[target].dispatchEvent(new Event(name));
        found.push(watcher.view !== view ? 'at once' : watcher.isBehind ? 'later' : 'never');
      }
      return found;
    };
    watcher.start();
    const watched = await ask();
    watcher.stop();
    const { view } = watcher;
    // What was to come later does not come.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { watched, stopped: watcher.view === view ? await ask() : [] };
  },
};

function open(html: string): Phaser.Game {
  document.body.style.margin = '0';
  document.body.innerHTML = html;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 400, height: 300 }).style.display = 'block';
  document.getElementById('game')!.append(canvas);
  const scale = {
    baseSize: { width: 400, height: 300 },
    on: scaling.addEventListener.bind(scaling),
    off: scaling.removeEventListener.bind(scaling),
  };
  return { canvas, scale, scene: { scenes: [] } } as unknown as Phaser.Game;
}

function sharesOf({ covers, unsure, hidden, minX, minY, maxX, maxY }: PageView): {
  seen: number;
  unmeasurable: number;
} {
  let [seen, unmeasurable, count] = [0, 0, 0];
  for (let y = 130.5; y < 170; y++) {
    for (let x = 160.5; x < 240; x++) {
      count++;
      if (hidden || x < minX || x > maxX || y < minY || y > maxY) continue;
      const there = covers.filter((c) => x > c.minX && x < c.maxX && y > c.minY && y < c.maxY);
      if (unsure || there.some(({ isCertain }) => !isCertain)) unmeasurable++;
      else if (there.reduce((light, { opacity }) => light * (1 - opacity), 1) > 0.5) seen++;
    }
  }
  return { seen: (100 * seen) / count, unmeasurable: (100 * unmeasurable) / count };
}

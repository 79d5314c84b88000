import type * as Phaser from 'phaser';

import { SpareTime } from '../reading/SpareTime.js';
import type { Box } from './Box.js';
import { openPage, type PageView } from './PageView.js';
import { hasLayout, readPage, readPageInParts } from './readPage.js';

/** How often the page is read anew although nothing announced a change, in milliseconds. */
const INTERVAL_MS = 500;

/** Scale manager's event (`Phaser.Scale.Events`): the canvas has another size, in pixels or on the page. */
const RESIZE = 'resize';

/** A part of a reading ends when less than this is left of the time there is, in milliseconds, */
const LEAST_MS = 1;
/** but not before so many steps, and as many more as the part before: some page has no time at all, and yet changes. */
const LEAST_STEPS = 8;

/** Delay after an announced change, in milliseconds: several come together. */
const SETTLE_MS = 50;

/**
 * Keeps a {@link PageView} of a game at hand for every frame. The page is read outside of the frame, a part at a time when it is
 * crowded: on a slow timer, and soon after scrolling and resizing; at once when the tab's visibility or focus changes, and
 * when the game resizes its canvas, since the next frame has other pixels. Inside an iframe an IntersectionObserver adds what pages around it cut off and, where the browser can tell
 * (its version 2), whether they cover the canvas.
 */
export class PageWatcher {
  /** The newest view. Hidden tab and focus are always current. */
  view: PageView;
  /** Layout and hit tests of a crowded page take many milliseconds: they are left for when no frame is due. */
  private spareTime: SpareTime | null = null;
  /** What is read in parts at present, and whether something has been announced since it began. */
  private reading: Generator<void, PageView> | null = null;
  private isOutdated = false;
  private leftMs = (): number => 0;
  private steps = 0;
  private leastSteps = 0;
  private timer: ReturnType<typeof setInterval> | null = null;
  private settle: ReturnType<typeof setTimeout> | null = null;
  private observer: IntersectionObserver | null = null;
  /** Version 2 has vouched for the canvas before: from then on its silence means something. */
  private vouched = false;
  private covered = false;
  /** In fractions of the canvas's border box. */
  private frameClip: Box | null = null;

  constructor(private readonly game: Phaser.Game) {
    this.view = openPage(0, 0);
  }

  start(): void {
    const document = this.game.canvas.ownerDocument;
    const window = document.defaultView;
    this.read();
    this.game.scale.on(RESIZE, this.read);
    if (window === null) return;
    window.addEventListener('scroll', this.readSoon, { passive: true, capture: true });
    window.addEventListener('resize', this.readSoon);
    window.visualViewport?.addEventListener('scroll', this.readSoon);
    window.visualViewport?.addEventListener('resize', this.readSoon);
    window.addEventListener('focus', this.read);
    window.addEventListener('blur', this.read);
    document.addEventListener('visibilitychange', this.read);
    if (!hasLayout(this.game.canvas)) return;
    this.spareTime = new SpareTime(window, () => performance.now(), this.readOn);
    this.timer = setInterval(() => this.spareTime?.request(), INTERVAL_MS);
    if (window.parent !== window && typeof IntersectionObserver === 'function') this.observe();
  }

  stop(): void {
    const document = this.game.canvas.ownerDocument;
    const window = document.defaultView;
    if (this.timer !== null) clearInterval(this.timer);
    if (this.settle !== null) clearTimeout(this.settle);
    this.timer = this.settle = null;
    this.spareTime?.cancel();
    this.spareTime = this.reading = null;
    this.observer?.disconnect();
    this.observer = null;
    window?.removeEventListener('scroll', this.readSoon, { capture: true });
    window?.removeEventListener('resize', this.readSoon);
    window?.visualViewport?.removeEventListener('scroll', this.readSoon);
    window?.visualViewport?.removeEventListener('resize', this.readSoon);
    window?.removeEventListener('focus', this.read);
    window?.removeEventListener('blur', this.read);
    document.removeEventListener('visibilitychange', this.read);
    // Gone once the game is destroyed.
    (this.game.scale as Phaser.Scale.ScaleManager | null)?.off(RESIZE, this.read);
    this.frameClip = null;
    this.vouched = this.covered = false;
    this.view = openPage(0, 0);
  }

  /** Reads the page now. */
  readonly read = (): void => {
    this.reading = null;
    // The canvas is gone once the game is destroyed.
    if (!(this.game.canvas as HTMLCanvasElement | null)) return;
    this.take(readPage(this.game, [], this.frameClip));
  };

  /** Reads as much of the page as there is time for. */
  private readonly readOn = (leftMs: () => number): void => {
    if (!(this.game.canvas as HTMLCanvasElement | null)) return;
    this.leftMs = leftMs;
    this.steps = 0;
    if (this.reading === null) {
      this.leastSteps = 0;
      this.reading = readPageInParts(this.game, [], this.frameClip, this.isTimeUp);
    }
    this.leastSteps += LEAST_STEPS;
    const part = this.reading.next();
    if (part.done === true) {
      this.reading = null;
      this.take(part.value);
    }
    if (part.done !== true || this.isOutdated) this.spareTime?.request();
    if (part.done === true) this.isOutdated = false;
  };

  private readonly isTimeUp = (): boolean => ++this.steps > this.leastSteps && this.leftMs() < LEAST_MS;

  private take(view: PageView): void {
    this.view = this.covered && view.covers.length === 0 ? { ...view, unsure: true } : view;
  }

  private readonly readSoon = (): void => {
    this.settle ??= setTimeout(() => {
      this.settle = null;
      this.isOutdated = this.reading !== null;
      if (this.spareTime === null) this.read();
      else this.spareTime.request();
    }, SETTLE_MS);
  };

  /**
   * What the pages around this iframe leave of the canvas: exact in our own coordinates, whatever their origin. Version 2
   * also denies visibility for filters and transforms of our own page, so it counts only after it once granted it.
   */
  private observe(): void {
    const options: IntersectionObserverInit & { trackVisibility: boolean; delay: number } = {
      threshold: Array.from({ length: 101 }, (_, i) => i / 100),
      trackVisibility: true,
      delay: 100,
    };
    this.observer = new IntersectionObserver((entries) => {
      const entry = entries[entries.length - 1] as (IntersectionObserverEntry & { isVisible?: boolean }) | undefined;
      if (entry === undefined) return;
      const box = entry.boundingClientRect;
      const seen = entry.intersectionRect;
      this.frameClip = {
        left: (seen.left - box.left) / box.width,
        top: (seen.top - box.top) / box.height,
        right: (seen.right - box.left) / box.width,
        bottom: (seen.bottom - box.top) / box.height,
      };
      if (entry.isVisible === true) this.vouched = true;
      this.covered = this.vouched && entry.isVisible === false && entry.intersectionRatio > 0;
      this.read();
    }, options);
    this.observer.observe(this.game.canvas);
  }
}

import type * as Phaser from 'phaser';

import { SpareTime } from '../textures/SpareTime.js';
import { FrameObserver } from './FrameObserver.js';
import { isHost } from './flatTree.js';
import { elementAround } from './lookAt.js';
import { openPage, type PageView } from './PageView.js';
import { hasLayout, readPage, readPageInParts } from './readPage.js';

/** The shortest time between two looks at a page that keeps changing, in milliseconds. */
const INTERVAL_MS = 500;
/** The longest time between two looks, even if no change was announced: no event tells of rules added to a style sheet. */
const LONGEST_MS = 2000;
/** Delay after scrolling and resizing, in milliseconds: these events come in groups. */
const SETTLE_MS = 50;

/** A part of a reading ends when less spare time than this is left, in milliseconds, */
const LEAST_MS = 1;
/** but not before this many steps, and as many more as for the part before: some pages never leave spare time, yet change. */
const LEAST_STEPS = 8;

/** Event of the scale manager (`Phaser.Scale.Events`): the size of the canvas has changed, in pixels or on the page. */
const RESIZE = 'resize';

/** Events that move the canvas or what lies over it, */
const MOVING = ['scroll', 'resize'];
/** and events that may change how the page looks without changing its elements. */
const CHANGING = [
  'load',
  'toggle',
  'contentvisibilityautostatechange',
  'input',
  'focusin',
  'focusout',
  'pointerover',
  'transitionrun',
  'transitionend',
  'animationstart',
  'animationend',
];

/**
 * Keeps a {@link PageView} of a game at hand for every frame. The page is read outside of the frame, in parts when it is
 * crowded: soon after scrolling and resizing, twice a second while its elements or styles change, and hardly ever while it
 * stays the same. It is read at once when the tab's visibility or focus changes, and when the game resizes its canvas, since
 * the next frame has other pixels. In a frame a {@link FrameObserver} adds what the pages around it leave of the canvas.
 */
export class PageWatcher {
  /** The newest view. Hidden tab and focus are always current. */
  view: PageView = openPage(0, 0);
  /** Layout and hit tests of a crowded page take many milliseconds: they run when no frame is due. */
  #spareTime: SpareTime | null = null;
  /** The reading in parts that is under way. */
  #reading: Generator<void, PageView> | null = null;
  /** A change has been announced since the last reading began. */
  #isOutdated = false;
  /** The reading in parts began because a change had been announced. */
  #isCatchingUp = false;
  /** Something on the page may change unannounced, since no observer reaches into it. */
  #isClosed = false;
  #readAt = 0;
  #leftMs = (): number => 0;
  #steps = 0;
  #leastSteps = 0;
  #stops: (() => void)[] = [];
  /** The one that is listened to. A game may move into another window. */
  #document: Document | null = null;
  #settle: ReturnType<typeof setTimeout> | null = null;
  /** Of a game in a frame. Not `#`, since tests wait for what it hears. */
  private frame: FrameObserver | null = null;

  constructor(private readonly game: Phaser.Game) {}

  start(): void {
    const { canvas, scale, renderer } = this.game;
    this.#document = canvas.ownerDocument;
    const window = this.#document.defaultView;
    this.read();
    // A game may resize the renderer alone, too. Without one, nothing is drawn.
    const sizes = [scale, renderer as Phaser.Events.EventEmitter | null];
    for (const size of sizes) size?.on(RESIZE, this.read);
    this.#stops.push(() => sizes.forEach((size) => size?.off(RESIZE, this.read)));
    if (window === null) return;
    this.#listen(window, ['focus', 'blur'], this.read, false);
    this.#listen(canvas.ownerDocument, ['visibilitychange', 'fullscreenchange'], this.read);
    this.#listen(window, MOVING, this.#readSoon);
    if (window.visualViewport !== null && window.visualViewport !== undefined)
      this.#listen(window.visualViewport, MOVING, this.#readSoon);
    if (!hasLayout(canvas)) return;
    this.#spareTime = new SpareTime(window, () => performance.now(), this.#readOn);
    const timer = setInterval(this.#onTimer, INTERVAL_MS);
    this.#stops.push(
      () => clearInterval(timer),
      () => this.#spareTime?.cancel(),
    );
    let outermost: Window = window;
    for (
      let around: Window | null = window;
      around !== null;
      around = elementAround(around)?.ownerDocument.defaultView ?? null
    ) {
      outermost = around;
      // At the document, since the `load` event of a picture never reaches the window.
      this.#listen(around.document, CHANGING, this.#onChange);
      if (around !== window) this.#listen(around, MOVING, this.#readSoon);
      const observer = new MutationObserver(this.#onChange);
      observer.observe(around.document, { subtree: true, childList: true, attributes: true, characterData: true });
      this.#stops.push(() => observer.disconnect());
    }
    if (window.parent !== window && typeof IntersectionObserver === 'function') {
      const frame = (this.frame = new FrameObserver(canvas, outermost.parent !== outermost, this.read));
      this.#stops.push(() => frame.stop());
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    if (this.#settle !== null) clearTimeout(this.#settle);
    this.#settle = null;
    this.#spareTime = this.#reading = this.frame = null;
    this.#isOutdated = this.#isCatchingUp = false;
    this.view = openPage(0, 0);
  }

  /** An announced change has not been read yet, or not completely. */
  get isBehind(): boolean {
    return this.#isOutdated || this.#settle !== null || this.#isCatchingUp;
  }

  /** Reads the page now. */
  readonly read = (): void => {
    this.#reading = null;
    // The canvas is gone once the game is destroyed.
    if (!(this.game.canvas as HTMLCanvasElement | null)) return;
    this.#isOutdated = false;
    this.#take(readPage(this.game, this.frame?.clip ?? null));
  };

  readonly #onTimer = (): void => {
    const document = (this.game.canvas as HTMLCanvasElement | null)?.ownerDocument;
    if (document !== undefined && document !== this.#document) {
      this.stop();
      this.start();
      return;
    }
    const isMoving = this.#isOutdated || this.#isClosed || (document?.getAnimations().length ?? 0) > 0;
    if (isMoving || performance.now() - this.#readAt >= LONGEST_MS - INTERVAL_MS / 2) this.#spareTime?.request();
  };

  readonly #onChange = (): void => {
    this.#isOutdated = true;
  };

  readonly #readSoon = (): void => {
    this.#settle ??= setTimeout(() => {
      this.#settle = null;
      this.#isOutdated = true;
      if (this.#spareTime === null) this.read();
      else this.#spareTime.request();
    }, SETTLE_MS);
  };

  /** Reads as much of the page as there is time for. */
  readonly #readOn = (leftMs: () => number): void => {
    if (!(this.game.canvas as HTMLCanvasElement | null)) return;
    this.#leftMs = leftMs;
    this.#steps = 0;
    if (this.#reading === null) {
      this.#leastSteps = 0;
      this.#isCatchingUp = this.#isOutdated;
      this.#isOutdated = false;
      this.#reading = readPageInParts(this.game, this.frame?.clip ?? null, this.#isTimeUp);
    }
    this.#leastSteps += LEAST_STEPS;
    const part = this.#reading.next();
    if (part.done === true) {
      this.#reading = null;
      this.#take(part.value);
    } else this.#spareTime?.request();
  };

  readonly #isTimeUp = (): boolean => ++this.#steps > this.#leastSteps && this.#leftMs() < LEAST_MS;

  #take(view: PageView): void {
    this.#isCatchingUp = false;
    this.frame?.follow();
    this.view = this.frame?.isCovered === true ? { ...view, unsure: true } : view;
    this.#readAt = performance.now();
    const { canvas } = this.game;
    const elements = hasLayout(canvas) ? canvas.ownerDocument.querySelectorAll('*') : [];
    this.#isClosed =
      canvas.getRootNode() !== canvas.ownerDocument ||
      Array.from(elements).some((element) => element.shadowRoot !== null || hasPage(element) || isHost(element));
  }

  #listen(target: EventTarget, names: readonly string[], listener: () => void, capture = true): void {
    const options = { passive: true, capture };
    for (const name of names) target.addEventListener(name, listener, options);
    this.#stops.push(() => names.forEach((name) => target.removeEventListener(name, listener, options)));
  }
}

/** Whether an element is a frame with a page of this origin, which may change. */
function hasPage(element: Element): boolean {
  return 'contentDocument' in element && element.contentDocument !== null;
}

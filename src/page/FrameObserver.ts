import type { Box } from './Box.js';
import { OVERLAY_ATTRIBUTE } from './flatTree.js';

/** Version 2 of the IntersectionObserver (Chromium) also says whether nothing lies over a target. */
interface Options extends IntersectionObserverInit {
  readonly trackVisibility: boolean;
  readonly delay: number;
}
type Entry = IntersectionObserverEntry & { readonly isVisible?: boolean };

/** Of an element that paints nothing, above all others of our own page: only the browser's top layer is above it. */
const PROBE = 'all: initial; position: fixed; pointer-events: none; z-index: 2147483647';
const TOP_LAYER = ':is(:modal, :popover-open, :fullscreen)';

/**
 * Observes what the pages around our frame leave of the canvas. Pages of another origin cannot be read. Whether something of
 * theirs lies over the canvas is asked of an element in its place: of a canvas below the game's own HTML the browser would never say
 * that it is seen.
 */
export class FrameObserver {
  /** What is left of the canvas, in fractions of its border box; null until the browser has told. */
  clip: Box | null = null;
  readonly #observer: IntersectionObserver;
  readonly #probe: HTMLElement | null = null;
  #style = PROBE;
  /** The browser has said that nothing lies over the probe. It never does where a page around scales our frame down. */
  private hasVouched = false;
  /** The browser does not vouch for the probe now. Before it ever has, that says nothing. */
  private isDenied = false;

  /**
   * @param isUnreadable a page around is of another origin
   * @param onChange called when the browser tells something new
   */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    isUnreadable: boolean,
    onChange: () => void,
  ) {
    const threshold = Array.from({ length: 101 }, (_, i) => i / 100);
    const options: Options = { threshold, trackVisibility: true, delay: 100 };
    this.#observer = new IntersectionObserver((entries) => {
      for (const entry of entries) this.#take(entry);
      onChange();
    }, options);
    this.#observer.observe(canvas);
    if (!isUnreadable) return;
    const { ownerDocument } = canvas;
    this.#probe = ownerDocument.createElement('data');
    this.#probe.setAttribute(OVERLAY_ATTRIBUTE, '');
    this.#probe.style.cssText = PROBE;
    // Behind the body: elements in it with the same index lie below.
    ownerDocument.documentElement.append(this.#probe);
    this.#observer.observe(this.#probe);
  }

  /** Something of a page around lies over what is left of the canvas. Nobody knows where. */
  get isCovered(): boolean {
    return this.hasVouched && this.isDenied && this.canvas.ownerDocument.querySelector(TOP_LAYER) === null;
  }

  /** Puts the probe where the canvas is now. */
  follow(): void {
    const { canvas, clip } = this;
    const probe = this.#probe;
    if (clip === null || probe === null) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const style =
      `${PROBE}; left: ${left + clip.left * width}px; top: ${top + clip.top * height}px; ` +
      `width: ${(clip.right - clip.left) * width}px; height: ${(clip.bottom - clip.top) * height}px`;
    // Where nothing changes, no observer of the page is to hear of a change.
    if (style !== this.#style) probe.style.cssText = this.#style = style;
  }

  stop(): void {
    this.#observer.disconnect();
    this.#probe?.remove();
  }

  #take({ target, boundingClientRect: box, intersectionRect: seen, intersectionRatio, isVisible }: Entry): void {
    if (target === this.canvas) {
      this.clip = {
        left: (seen.left - box.left) / box.width,
        top: (seen.top - box.top) / box.height,
        right: (seen.right - box.left) / box.width,
        bottom: (seen.bottom - box.top) / box.height,
      };
    } else {
      this.hasVouched ||= isVisible === true;
      this.isDenied = isVisible === false && intersectionRatio > 0;
    }
  }
}

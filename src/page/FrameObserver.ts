import type { Box } from './Box.js';
import { OVERLAY_ATTRIBUTE } from './flatTree.js';

/** Version 2 of the IntersectionObserver (Chromium) also says whether nothing lies over a target. */
type Entry = IntersectionObserverEntry & { readonly isVisible?: boolean };
type Options = IntersectionObserverInit & { readonly trackVisibility?: boolean; readonly delay?: number };

/** An element that paints nothing, above all others of our own page: only the browser's top layer is above it. */
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
  private readonly probe: HTMLElement | null = null;
  private readonly observers: IntersectionObserver[];
  /** The browser has said that nothing lies over the probe. It never does where a page around scales our frame down. */
  private hasVouched = false;
  private isDenied = false;

  /**
   * @param isUnreadable a page around is of another origin
   * @param onChange called when the browser tells something new
   */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    isUnreadable: boolean,
    private readonly onChange: () => void,
  ) {
    const { ownerDocument } = canvas;
    this.observers = [
      this.observe(canvas, { threshold: Array.from({ length: 101 }, (_, i) => i / 100) }, this.onCanvas),
    ];
    if (!isUnreadable) return;
    const probe = (this.probe = ownerDocument.createElement('data'));
    probe.setAttribute(OVERLAY_ATTRIBUTE, '');
    probe.style.cssText = PROBE;
    // Behind the body: elements in it with the same index lie below.
    ownerDocument.documentElement.append(probe);
    this.observers.push(this.observe(probe, { trackVisibility: true, delay: 100 }, this.onProbe));
  }

  /** Something of a page around lies over what is left of the canvas. Nobody knows where. */
  get isCovered(): boolean {
    return this.isDenied && this.canvas.ownerDocument.querySelector(TOP_LAYER) === null;
  }

  /** Puts the probe where the canvas is now. */
  follow(): void {
    const { canvas, clip, probe } = this;
    if (clip === null || probe === null) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const place = {
      left: `${left + clip.left * width}px`,
      top: `${top + clip.top * height}px`,
      width: `${(clip.right - clip.left) * width}px`,
      height: `${(clip.bottom - clip.top) * height}px`,
    };
    // Where nothing changes, no observer of the page is to hear of a change.
    for (const [side, length] of Object.entries(place) as [keyof typeof place, string][])
      if (probe.style[side] !== length) probe.style[side] = length;
  }

  stop(): void {
    for (const observer of this.observers) observer.disconnect();
    this.probe?.remove();
  }

  private observe(target: Element, options: Options, take: (entry: Entry) => void): IntersectionObserver {
    const observer = new IntersectionObserver((entries) => {
      const entry = entries.at(-1);
      if (entry === undefined) return;
      take(entry);
      this.onChange();
    }, options);
    observer.observe(target);
    return observer;
  }

  private readonly onCanvas = ({ boundingClientRect: box, intersectionRect: seen }: Entry): void => {
    this.clip = {
      left: (seen.left - box.left) / box.width,
      top: (seen.top - box.top) / box.height,
      right: (seen.right - box.left) / box.width,
      bottom: (seen.bottom - box.top) / box.height,
    };
  };

  private readonly onProbe = ({ intersectionRatio, isVisible }: Entry): void => {
    if (isVisible === true) this.hasVouched = true;
    this.isDenied = this.hasVouched && isVisible === false && intersectionRatio > 0;
  };
}

import type * as Phaser from 'phaser';
import { OVERLAY_ATTRIBUTE } from '../index.js';
import { type AdLogEntry, EventLog } from './EventLog.js';
import { documentOf } from './documentOf.js';
import { PlacementWatch } from './lint/PlacementWatch.js';
import { Marks } from './Marks.js';
import { element } from './panel/element.js';
import { Panel } from './panel/Panel.js';
import { style } from './panel/style.js';

/** How often the panel is brought up to date. */
const REFRESH_MS = 150;
/** After the marks were drawn, the game has this many times their drawing time for itself before they are drawn again. */
const PAUSE_RATIO = 3;
/** Narrower windows than this have no room beside the game: the panel begins folded. */
const NARROW_PX = 700;

/** Game events (`Phaser.Core.Events`). */
const READY = 'ready';
const POST_RENDER = 'postrender';
const DESTROY = 'destroy';

export interface AdOverlayOptions {
  /**
   * The key that shows and hides the overlay, as `KeyboardEvent.key` names it, in upper or lower case; null for none.
   * @default 'F9'
   */
  readonly key?: string | null;
  /**
   * Shown from the start.
   * @default true
   */
  readonly isVisible?: boolean;
  /**
   * An element of the page that the panel fills. There it is part of the page: it stays, and key and buttons show and hide
   * the marks on the picture only. By default the panel floats above the page.
   */
  readonly panel?: HTMLElement | null;
}

/**
 * The overlay of one game: marks on the picture and a panel, in HTML above the canvas that does not count as covering ads.
 * It goes with the game. While it is hidden it notes events and does nothing else.
 */
export class AdOverlay {
  readonly #game: Phaser.Game;
  readonly #events: EventLog;
  readonly #marks: Marks;
  readonly #panel: Panel;
  readonly #layer: HTMLElement;
  /** In the page: the first holds the marks, and the panel unless that has a place of its own. */
  readonly #hosts: HTMLElement[];
  readonly #key: string | null;
  readonly #isDocked: boolean;
  #nextDrawAt = 0;
  #stopWatching: (() => void) | null = null;
  #timer: number | null = null;
  #isGone = false;

  /** Made by `showAdOverlay()`. */
  constructor(game: Phaser.Game, options: AdOverlayOptions) {
    const { key = 'F9', isVisible = true, panel: dock = null } = options;
    const document = documentOf(game);
    this.#game = game;
    this.#key = key?.toLowerCase() ?? null;
    this.#isDocked = dock !== null;
    this.#events = new EventLog(game);
    this.#marks = new Marks(game);
    const close = this.#isDocked ? null : () => this.hide();
    const isNarrow = (document.defaultView?.innerWidth ?? 0) < NARROW_PX;
    this.#panel = new Panel(game, this.#events, { toggleMarks: () => this.#toggleMarks(), close }, key, this.#isDocked || !isNarrow); // prettier-ignore
    this.#layer = newLayer(document);
    this.#layer.append(this.#marks.canvas);
    this.#hosts = [hostOf(this.#layer)];
    if (dock === null) {
      this.#layer.append(this.#panel.root);
    } else {
      const layer = newLayer(document);
      layer.append(this.#panel.root);
      const host = hostOf(layer);
      host.classList.add('docked');
      dock.append(host);
      this.#hosts.push(host);
    }
    this.#marks.canvas.hidden = true;
    this.#layer.hidden = true;
    this.#attach();
    document.addEventListener('fullscreenchange', this.#attach);
    document.defaultView?.addEventListener('keydown', this.#onKey);
    game.events.once(READY, this.#attach);
    game.events.once(READY, this.#refresh);
    game.events.once(DESTROY, this.destroy, this);
    if (this.#isDocked) this.#startTimer();
    if (isVisible) this.show();
  }

  /** Whether the overlay is shown; if its panel is part of the page, whether the marks are. */
  get isVisible(): boolean {
    return !this.#layer.hidden;
  }

  /** Whether it was taken out of the page for good, with its game or by {@link AdOverlay.destroy}. */
  get isDestroyed(): boolean {
    return this.#isGone;
  }

  /** Whether what is measured is marked on the picture. */
  get areMarksShown(): boolean {
    return this.isVisible && !this.#marks.canvas.hidden;
  }

  /** The last events of the ads, 200 at most, the newest last. */
  get log(): readonly AdLogEntry[] {
    return this.#events.entries;
  }

  /** Does nothing once the overlay is destroyed. */
  show(): void {
    if (this.isVisible || this.#isGone) return;
    this.#layer.hidden = false;
    this.#setMarks(true);
    this.#startTimer();
  }

  hide(): void {
    if (!this.isVisible) return;
    this.#layer.hidden = true;
    this.#setMarks(false);
    if (!this.#isDocked) this.#stopTimer();
  }

  toggle(): void {
    if (this.isVisible) this.hide();
    else this.show();
  }

  /** Takes it out of the page. It cannot be shown again; `showAdOverlay()` makes a new one. */
  destroy(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const document = documentOf(this.#game);
    this.hide();
    this.#stopTimer();
    this.#events.stop();
    this.#game.events.off(READY, this.#attach);
    this.#game.events.off(READY, this.#refresh);
    this.#game.events.off(DESTROY, this.destroy, this);
    document.removeEventListener('fullscreenchange', this.#attach);
    document.defaultView?.removeEventListener('keydown', this.#onKey);
    for (const host of this.#hosts) host.remove();
  }

  #toggleMarks(): void {
    if (this.#isDocked) this.toggle();
    else this.#setMarks(!this.areMarksShown);
  }

  #setMarks(areShown: boolean): void {
    const { events } = this.#game;
    this.#marks.canvas.hidden = !areShown;
    this.#nextDrawAt = 0;
    this.#marks.forget();
    events.off(POST_RENDER, this.#drawMarks);
    if (areShown) events.on(POST_RENDER, this.#drawMarks);
    this.#refresh();
  }

  #startTimer(): void {
    this.#stopWatching ??= PlacementWatch.of(this.#game).start();
    this.#refresh();
    this.#timer ??= window.setInterval(this.#refresh, REFRESH_MS);
  }

  #stopTimer(): void {
    if (this.#timer !== null) window.clearInterval(this.#timer);
    this.#timer = null;
    this.#stopWatching?.();
    this.#stopWatching = null;
  }

  readonly #drawMarks = (): void => {
    const startedAt = performance.now();
    if (startedAt < this.#nextDrawAt) return;
    try {
      this.#marks.draw(startedAt);
      const endedAt = performance.now();
      this.#nextDrawAt = endedAt + PAUSE_RATIO * (endedAt - startedAt);
    } catch (error) {
      // An exception here would end Phaser's animation loop for good.
      this.#setMarks(false);
      console.error('phaser-inview: the overlay could not be drawn', error);
    }
  };

  readonly #refresh = (): void => {
    this.#events.followScenes();
    if (this.isVisible || this.#isDocked) this.#panel.refresh(this.areMarksShown);
  };

  /** In full screen, only the full-screen element and what is inside it can be seen. */
  readonly #attach = (): void => {
    const { fullscreenElement, body } = documentOf(this.#game) as Partial<Document>;
    // A script in the head of the page runs before there is a body; older browsers name the full screen otherwise.
    const room = fullscreenElement === this.#game.canvas ? body : (fullscreenElement ?? body);
    room?.append(this.#hosts[0]!);
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    // Browsers that fill in a form make key events without a key.
    const { key, repeat, ctrlKey, altKey, metaKey } = event as Partial<KeyboardEvent>;
    if (key?.toLowerCase() !== this.#key || repeat || ctrlKey || altKey || metaKey || isTyping(event.target)) return;
    event.preventDefault();
    this.toggle();
  };
}

function newLayer(document: Document): HTMLElement {
  const layer = element(document, 'div', 'layer');
  // Set here inside the shadow root, and again on its host: `closest` does not look beyond a shadow root.
  layer.setAttribute(OVERLAY_ATTRIBUTE, '');
  return layer;
}

function hostOf(layer: HTMLElement): HTMLElement {
  const document = layer.ownerDocument;
  const host = element(document, 'div');
  host.setAttribute(OVERLAY_ATTRIBUTE, '');
  host.attachShadow({ mode: 'open' }).append(element(document, 'style', '', style), layer);
  return host;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/**
 * Shows what the player sees of each ad of a game, what takes the rest away, and what every standard still waits for:
 *
 * ```ts
 * import { showAdOverlay } from 'phaser-inview/debug';
 * showAdOverlay(this); // in create(); F9 hides it, and shows it again
 * ```
 *
 * For development: load it only there. It lies above the page and no ad counts as covered by it. A game has one overlay,
 * also across restarts of its scenes: a second call gives the first one's handle, whatever the options.
 *
 * @param target the game, or a scene of it
 */
export function showAdOverlay(target: Phaser.Game | Phaser.Scene, options: AdOverlayOptions = {}): AdOverlay {
  const game = 'sys' in target ? target.sys.game : target;
  const known = overlays.get(game);
  if (known !== undefined && !known.isDestroyed) return known;
  const overlay = new AdOverlay(game, options);
  overlays.set(game, overlay);
  return overlay;
}

const overlays = new WeakMap<Phaser.Game, AdOverlay>();

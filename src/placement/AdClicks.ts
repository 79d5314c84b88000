import { checkClickUrl } from '../creative/urlRules.js';
import { toAdsError } from '../errors.js';
import { AdsEvents, type ClickedAd, type ClickOpening } from '../events.js';
import type { ClickRefusal } from '../measure/ClickRefusal.js';
import { type ClickListener, ClickThrough } from './ClickThrough.js';
import type { PlacedAd } from './PlacedAd.js';
import type { SceneHost } from './SceneHost.js';

/** Clicks on one placed ad, or on the house ad in its place: from the press to the page that is opened and the events that tell of it. */
export class AdClicks {
  #clickThrough: ClickThrough | null = null;
  #url: string | null = null;

  constructor(
    private readonly placedAd: PlacedAd,
    private readonly host: SceneHost,
  ) {}

  /** Lets the present ad be clicked from now on. If that is not possible, `aderror` says why. */
  begin(): void {
    const { host, placedAd } = this;
    const clickUrl = placedAd.ad?.clickUrl;
    if (clickUrl !== undefined) {
      try {
        this.#url = checkClickUrl(clickUrl, host.core.options.clickHosts);
      } catch (cause) {
        placedAd.session.fail(toAdsError(cause));
        return;
      }
    }
    try {
      this.#clickThrough = this.#listen({ click: () => this.#onClick(), refuse: (reason) => this.#onRefused(reason) });
    } catch (error) {
      host.emit(AdsEvents.ERROR, { placedAd, error: toAdsError(error) });
    }
  }

  end(): void {
    this.#clickThrough?.destroy();
    this.#clickThrough = null;
    this.#url = null;
  }

  /**
   * Lets a house ad be clicked from now on. Its clicks are not reported, so no event has to wait for a report.
   * @throws AdsError `click/url`, and as `ClickThrough`
   */
  beginHouseAd(clickUrl: string | undefined): void {
    const url = clickUrl === undefined ? null : checkClickUrl(clickUrl, this.host.core.options.clickHosts);
    const clicked = { placedAd: this.placedAd, ad: null, isHouseAd: true, url };
    this.#clickThrough = this.#listen({
      click: () => this.#announce(clicked, this.#open(clicked)),
      refuse: (reason) => this.host.emit(AdsEvents.CLICK_REFUSED, { ...clicked, reason }),
    });
  }

  #listen(heard: Pick<ClickListener, 'click' | 'refuse'>): ClickThrough {
    const { host } = this;
    const { sprite } = this.placedAd;
    return new ClickThrough(sprite, { ...heard, judge: (pointer, phase) => host.judgePress(sprite, pointer, phase) });
  }

  get #clicked(): ClickedAd {
    const { host, placedAd } = this;
    const url = this.#url === null ? null : host.core.fillConsent(this.#url);
    return { placedAd, ad: placedAd.ad, isHouseAd: false, url };
  }

  #onClick(): void {
    const clicked = this.#clicked;
    let isCommitted = false;
    let isOpened: ClickOpening | null = null;
    // Firefox runs other tasks while it opens a tab: the click may be committed before it is known what came of that.
    const tell = (): void => {
      if (isCommitted && isOpened !== null) this.#announce(clicked, isOpened);
    };
    this.placedAd.session.click(() => {
      isCommitted = true;
      tell();
    });
    isOpened = this.#open(clicked);
    tell();
  }

  #onRefused(reason: ClickRefusal): void {
    this.placedAd.session.view.refuseInteraction(reason);
    this.host.emit(AdsEvents.CLICK_REFUSED, { ...this.#clicked, reason });
  }

  /** Runs in the browser's own event, while the browser knows that the player has clicked. */
  #open(clicked: ClickedAd): ClickOpening {
    let isPrevented = false;
    const preventDefault = (): void => {
      isPrevented = true;
    };
    this.host.emit(AdsEvents.BEFORE_CLICK, { ...clicked, preventDefault });
    if (clicked.url === null || isPrevented) return false;
    try {
      this.host.core.environment.openWindow(clicked.url);
      return 'unknown';
    } catch {
      // Wrappers have taken window.open away, or put their own in its place.
      return false;
    }
  }

  #announce(clicked: ClickedAd, isOpened: ClickOpening): void {
    this.host.emit(AdsEvents.CLICK, { ...clicked, isOpened });
  }
}

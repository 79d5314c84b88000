import type * as Phaser from 'phaser';

import type { CreativeLease } from '../creative/CreativeStore.js';
import { type AdsError, toAdsError } from '../errors.js';
import { AdsEvents } from '../events.js';
import { isAlive } from '../meter/isAlive.js';
import { chooseFallback, type HouseAd } from '../placementRules.js';
import type { AdBox } from './AdBox.js';
import type { AdClicks } from './AdClicks.js';
import type { Fit } from './fitCreative.js';
import type { PlacedAd } from './PlacedAd.js';
import type { Placement } from './placeOptions.js';
import type { SceneHost } from './SceneHost.js';
import type { SpriteWatch } from './SpriteWatch.js';

/** What is shown where there is no ad. */
export type ShownFallback = 'placeholder' | 'texture' | 'houseAd' | 'hidden';

/** Where a creative goes: the sprite that `place` has made. */
export interface AdCarrier {
  readonly sprite: Phaser.GameObjects.Image;
  readonly box: AdBox;
  readonly placement: Placement;
}

/** What a placement shows while it has no ad, see the option `fallback`. */
export class FallbackView {
  shown: ShownFallback = 'placeholder';
  #lease: CreativeLease | null = null;
  /** Counts the fallbacks: a house ad that arrives when its time is over is not shown. */
  #generation = 0;

  constructor(
    private readonly placedAd: PlacedAd,
    private readonly host: SceneHost,
    private readonly carrier: AdCarrier,
    private readonly clicks: AdClicks,
    private readonly watch: SpriteWatch,
  ) {}

  /** @param error why there is no ad; null when the service has none */
  async show(error: AdsError | null, signal: AbortSignal): Promise<void> {
    const { placement, sprite } = this.carrier;
    const { adSurfaceId } = placement.surface;
    const fallback = chooseFallback(placement.fallback, { adSurfaceId, error }, (fault) => this.#tell(fault));
    // The game's own code may have ended the ad.
    if (signal.aborted || !isAlive(sprite)) return;
    if (fallback === 'hide') {
      this.end();
      // A sprite that the game has hidden is the game's to show.
      if (sprite.visible) this.shown = 'hidden';
      sprite.setVisible(false);
    } else if (fallback !== 'placeholder' && 'houseAd' in fallback) {
      // A house ad that hangs there already stays.
      if (this.shown !== 'houseAd') await this.#showHouseAd(fallback.houseAd, signal);
    } else if (fallback !== 'placeholder' && sprite.scene.sys.textures.exists(fallback.textureKey)) {
      this.#replaceBy(fallback.textureKey, placement.fit);
      this.shown = 'texture';
    } else {
      this.showPlaceholder();
    }
  }

  /** Shows the placeholder, in place of whatever was shown before. */
  showPlaceholder(): void {
    const { placement } = this.carrier;
    this.#replaceBy(this.host.core.placeholders.keyFor(placement.width, placement.height), 'stretch');
  }

  /** Ends the fallback. The caller replaces what the sprite shows, or lets the sprite go. */
  end(): void {
    this.#generation++;
    this.clicks.end();
    this.#lease?.release();
    this.#lease = null;
    const { sprite } = this.carrier;
    if (this.shown === 'hidden' && isAlive(sprite)) sprite.setVisible(true);
    this.shown = 'placeholder';
  }

  /** The texture of a house ad can only go once nothing shows it. */
  #replaceBy(textureKey: string, fit: Fit): void {
    const lease = this.#lease;
    this.#lease = null;
    this.end();
    this.carrier.box.show(textureKey, fit);
    this.watch.note();
    lease?.release();
  }

  async #showHouseAd({ url, clickUrl }: HouseAd, signal: AbortSignal): Promise<void> {
    this.showPlaceholder();
    const { carrier } = this;
    const generation = this.#generation;
    try {
      const lease = await this.host.core.acquireHouseAd(url, signal);
      if (generation !== this.#generation || !isAlive(carrier.sprite)) {
        lease.release();
        return;
      }
      this.#lease = lease;
      carrier.box.show(lease.textureKey, carrier.placement.fit);
      this.shown = 'houseAd';
      this.watch.note();
      if (carrier.placement.clickable) this.clicks.beginHouseAd(clickUrl);
    } catch (error) {
      if (generation === this.#generation) this.#tell(error);
    }
  }

  /** The fallback cannot be chosen, or the house ad cannot be shown: the placeholder stays. */
  #tell(error: unknown): void {
    this.host.emit(AdsEvents.ERROR, { placedAd: this.placedAd, error: toAdsError(error) });
  }
}

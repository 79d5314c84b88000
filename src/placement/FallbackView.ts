import type * as Phaser from 'phaser';

import type { CreativeLease } from '../creative/CreativeStore.js';
import { checkClickUrl } from '../creative/urlRules.js';
import type { AdsError } from '../errors.js';
import type { Placement } from '../plugin/placeOptions.js';
import type { SceneHost } from '../plugin/SceneHost.js';
import { chooseFallback, type HouseAd } from '../placementRules.js';
import { isAlive } from '../meter/isAlive.js';
import type { AdClicks } from './AdClicks.js';
import { ClickThrough } from './ClickThrough.js';
import type { AdBox } from './AdBox.js';
import type { Fit } from './fitCreative.js';

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
  private present: ShownFallback = 'placeholder';
  private lease: CreativeLease | null = null;
  private clickThrough: ClickThrough | null = null;
  /** Counts the fallbacks: a house ad that arrives when its time is over is not shown. */
  private generation = 0;

  constructor(
    private readonly host: SceneHost,
    private readonly carrier: AdCarrier,
    private readonly clicks: AdClicks,
  ) {}

  get shown(): ShownFallback {
    return this.present;
  }

  /**
   * @param error why there is no ad; null when the service has none
   * @param onShown the sprite's texture is ours again
   * @param onError the fallback cannot be chosen, or the house ad cannot be shown; the placeholder stays
   */
  async show(
    error: AdsError | null,
    signal: AbortSignal,
    onShown: () => void,
    onError: (error: unknown) => void,
  ): Promise<void> {
    const { placement, sprite } = this.carrier;
    const { adSurfaceId } = placement.surface;
    const fallback = chooseFallback(placement.fallback, { adSurfaceId, error }, onError);
    // The game's own code may have ended the ad.
    if (signal.aborted || !isAlive(sprite)) return;
    if (fallback === 'hide') {
      this.end();
      // A sprite that the game has hidden is the game's to show.
      if (sprite.visible) this.present = 'hidden';
      sprite.setVisible(false);
    } else if (fallback !== 'placeholder' && 'houseAd' in fallback) {
      // A house ad that hangs there already stays.
      if (this.present !== 'houseAd') await this.showHouseAd(fallback.houseAd, signal, onShown, onError);
    } else if (fallback !== 'placeholder' && sprite.scene.sys.textures.exists(fallback.textureKey)) {
      this.replaceBy(fallback.textureKey, placement.fit);
      this.present = 'texture';
      onShown();
    } else {
      this.showPlaceholder();
      onShown();
    }
  }

  /** Shows the placeholder, in place of whatever was shown before. */
  showPlaceholder(): void {
    const { placement } = this.carrier;
    this.replaceBy(this.host.core.placeholders.keyFor(placement.width, placement.height), 'stretch');
  }

  /** Ends the fallback. The caller replaces what the sprite shows, or lets the sprite go. */
  end(): void {
    this.generation++;
    this.clickThrough?.destroy();
    this.clickThrough = null;
    this.lease?.release();
    this.lease = null;
    const { sprite } = this.carrier;
    if (this.present === 'hidden' && isAlive(sprite)) sprite.setVisible(true);
    this.present = 'placeholder';
  }

  /** The texture of a house ad can only go once nothing shows it. */
  private replaceBy(textureKey: string, fit: Fit): void {
    const { lease } = this;
    this.lease = null;
    this.end();
    this.carrier.box.show(textureKey, fit);
    lease?.release();
  }

  private async showHouseAd(
    { url, clickUrl }: HouseAd,
    signal: AbortSignal,
    onShown: () => void,
    onError: (error: unknown) => void,
  ): Promise<void> {
    this.showPlaceholder();
    onShown();
    const { generation, carrier } = this;
    try {
      const lease = await this.host.core.acquireHouseAd(url, signal);
      if (signal.aborted || generation !== this.generation || !isAlive(carrier.sprite)) {
        lease.release();
        return;
      }
      this.lease = lease;
      carrier.box.show(lease.textureKey, carrier.placement.fit);
      this.present = 'houseAd';
      onShown();
      if (!carrier.placement.clickable) return;
      const address = clickUrl === undefined ? null : checkClickUrl(clickUrl, this.host.core.options.clickHosts);
      const { host } = this;
      this.clickThrough = new ClickThrough(carrier.sprite, {
        ...this.clicks.ofHouseAd(address),
        judge: (pointer, phase) => host.judgePress(carrier.sprite, pointer, phase),
      });
    } catch (error) {
      if (!signal.aborted && generation === this.generation) onError(error);
    }
  }
}

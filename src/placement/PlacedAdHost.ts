import type * as Phaser from 'phaser';

import type { CreativeLease } from '../creative/CreativeStore.js';
import type { MeasurementListener, ObserveOptions } from '../meter/FrameMeter.js';
import type { ClickHost } from './AdClicks.js';
import type { AdMix } from './AdMix.js';
import type { RequestHost } from './AdRequest.js';
import type { FinishReason, PlacedAd } from './PlacedAd.js';
import type { PlacementSessionHost } from './PlacementSession.js';

/** What a placed ad asks of the scene plugin that made it. */
export interface PlacedAdHost extends PlacementSessionHost, RequestHost, ClickHost {
  readonly mix: AdMix;
  /** Whether ads have to wait until the player has decided about consent. */
  isHeld(): boolean;
  /** Holds the loads of a game back when there are too many at once. */
  queue(load: () => Promise<void>, signal: AbortSignal): Promise<void>;
  random(): number;
  /** The creative of a house ad of the option `fallback`, whose address may count from the page. */
  acquireHouseAd(address: string, signal: AbortSignal): Promise<CreativeLease>;
  /** Key of the texture to show in a box without an ad. */
  placeholderFor(width: number, height: number): string;
  hasTexture(key: string): boolean;
  observe(
    sprite: Phaser.GameObjects.GameObject,
    listener: MeasurementListener,
    onInterruption: NonNullable<ObserveOptions['onInterruption']>,
  ): () => void;
  /** Why a sprite is being destroyed now. */
  reasonForEnd(): FinishReason;
  forget(placedAd: PlacedAd): void;
}

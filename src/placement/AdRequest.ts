import type { CreativeLease } from '../creative/CreativeStore.js';
import type { AdsCore } from '../plugin/AdsCore.js';
import type { Ad } from '../service/AdService.js';
import { adLabel } from './AdLabel.js';
import type { MixRefusal } from './AdMix.js';
import { loadAd, type LoadedAd, tellFailure } from './loadAd.js';
import type { Placement } from './placeOptions.js';

/** Lines of {@link AdRequest.diagnosis}. */
const MAX_DIAGNOSIS = 20;

const REFUSALS: Readonly<Record<MixRefusal, string>> = {
  frequency: 'The ad is not shown: its advertiser was seen as often as the option frequency allows',
  neighbour: 'The ad is not shown: another one of its advertiser hangs on a neighbouring surface',
  reported: 'The ad is not shown: the player has reported it',
};

/** An ad that may hang now. */
export interface ServedAd extends LoadedAd {
  /** Gives up the place the ad has among its neighbours. */
  readonly giveUp: () => void;
  /** Lets go of the creative, and of the place the ad has among its neighbours. Harmless when called twice. */
  release(): void;
}

/** Asks for ads of one placement, one after another. */
export class AdRequest {
  /** What the source of ads has said of the last request, for the developer. */
  diagnosis: readonly string[] = [];

  constructor(
    private readonly core: AdsCore,
    private readonly placement: Placement,
  ) {}

  /**
   * The next ad with its creative, which the caller releases if it has come too late; null without fill.
   * @param onAnswer called with the ad before its creative is there; with null when nobody waits for the creative any more
   */
  next(signal: AbortSignal, onAnswer?: (ad: Ad | null) => void): Promise<ServedAd | null> {
    return this.core.byDecision(signal, (present) => this.#ask(present, onAnswer));
  }

  async #ask(signal: AbortSignal, onAnswer?: (ad: Ad | null) => void): Promise<ServedAd | null> {
    const { core } = this;
    const { adSurfaceId } = this.placement.surface;
    const diagnosis: string[] = [];
    this.diagnosis = diagnosis;
    const tell = (message: string): void => {
      if (diagnosis.length < MAX_DIAGNOSIS) diagnosis.push(message);
    };
    const { preloaded } = core;
    for (let waiting = preloaded.take(adSurfaceId); waiting !== null; waiting = preloaded.take(adSurfaceId)) {
      const giveUp = this.#claim(waiting.ad, tell);
      if (giveUp !== null) return this.#served(waiting, giveUp);
      waiting.lease.release();
    }
    const ad = await core.requestAd(adSurfaceId, signal, tell);
    signal.throwIfAborted();
    if (ad.adId === '') return null;
    const giveUp = this.#claim(ad, tell);
    if (giveUp === null) return null;
    onAnswer?.(ad);
    let served: ServedAd;
    try {
      served = this.#served(await loadAd(ad, core, signal), giveUp);
    } catch (error) {
      giveUp();
      if (signal.aborted) onAnswer?.(null);
      throw error;
    }
    // While the creative was on its way, the player may have reported the ad elsewhere, or seen enough of its advertiser.
    const refusal = core.mix.refusalOf(adSurfaceId, ad, giveUp);
    if (refusal === null) return served;
    this.#refuse(refusal, tell);
    served.release();
    return null;
  }

  /** The ad's place among its neighbours; null when it may not hang. */
  #claim(ad: Ad, tell: (message: string) => void): (() => void) | null {
    const claim = this.core.mix.claim(this.placement.surface.adSurfaceId, ad);
    if (typeof claim === 'function') return claim;
    this.#refuse(claim, tell);
    return null;
  }

  #refuse(refusal: MixRefusal, tell: (message: string) => void): void {
    tell(REFUSALS[refusal]);
    this.core.note(REFUSALS[refusal]);
  }

  /** @throws AdsError `ad/texture`; the ad is let go of then */
  #served(loaded: LoadedAd, giveUp: () => void): ServedAd {
    try {
      const lease = this.#labelled(loaded.ad, loaded.lease);
      const release = (): void => {
        giveUp();
        lease.release();
      };
      return { ...loaded, lease, giveUp, release };
    } catch (error) {
      giveUp();
      loaded.lease.release();
      tellFailure(loaded.ad, error, this.core.sender);
      throw error;
    }
  }

  /** The creative with the word for "ad" on it, where the placement wants one. */
  #labelled(ad: Ad, lease: CreativeLease): CreativeLease {
    const { label, ...box } = this.placement;
    return label === null ? lease : lease.paintedOver(adLabel(label, ad.label, box, lease));
  }
}

import type { CreativeLease } from '../creative/CreativeStore.js';
import type { Placement } from '../plugin/placeOptions.js';
import type { Ad } from '../service/AdService.js';
import { adLabel } from './AdLabel.js';
import type { AdMix, MixRefusal } from './AdMix.js';
import { loadAd, type LoadedAd, type LoadHost, tellFailure } from './loadAd.js';

/** Lines of {@link AdRequest.diagnosis}. */
const MAX_DIAGNOSIS = 20;

const REFUSALS: Readonly<Record<MixRefusal, string>> = {
  frequency: 'The ad is not shown: its advertiser was seen as often as the option frequency allows',
  neighbour: 'The ad is not shown: another one of its advertiser hangs on a neighbouring surface',
  reported: 'The ad is not shown: the player has reported it',
};

/** An ad that may hang now. */
export interface ServedAd extends LoadedAd {
  /** Lets go of the creative, and of the place the ad has among its neighbours. Harmless when called twice. */
  release(): void;
}

/** What asking for an ad needs of the scene plugin. */
export interface RequestHost extends LoadHost {
  readonly mix: Pick<AdMix, 'claim' | 'refusalOf'>;
  /** An ad that was preloaded for the surface; null when there is none. */
  takePreloaded(adSurfaceId: string): LoadedAd | null;
  /** See `ConsentKeeper.byDecision`. */
  byDecision<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | null>;
  requestAd(adSurfaceId: string, signal: AbortSignal, tell: (message: string) => void): Promise<Ad>;
  /** Prints an oddity that is no fault, with the option `debug`. */
  note(message: string): void;
}

/** Asks for ads of one placement, one after another. */
export class AdRequest {
  /** What the source of ads has said of the last request, for the developer. */
  diagnosis: readonly string[] = [];

  constructor(
    private readonly host: RequestHost,
    private readonly placement: Placement,
  ) {}

  /**
   * The next ad with its creative, which the caller releases if it has come too late; null without fill.
   * @param onAnswer called with the ad before its creative is there; with null when nobody waits for the creative any more
   */
  next(signal: AbortSignal, onAnswer?: (ad: Ad | null) => void): Promise<ServedAd | null> {
    return this.host.byDecision(signal, (present) => this.ask(present, onAnswer));
  }

  private async ask(signal: AbortSignal, onAnswer?: (ad: Ad | null) => void): Promise<ServedAd | null> {
    const { host } = this;
    const { adSurfaceId } = this.placement.surface;
    const diagnosis: string[] = [];
    this.diagnosis = diagnosis;
    const tell = (message: string): void => {
      if (diagnosis.length < MAX_DIAGNOSIS) diagnosis.push(message);
    };
    for (let waiting = host.takePreloaded(adSurfaceId); waiting !== null; waiting = host.takePreloaded(adSurfaceId)) {
      const giveUp = this.claim(waiting.ad, tell);
      if (giveUp !== null) return this.served(waiting, giveUp);
      waiting.lease.release();
    }
    const ad = await host.requestAd(adSurfaceId, signal, tell);
    signal.throwIfAborted();
    if (ad.adId === '') return null;
    const giveUp = this.claim(ad, tell);
    if (giveUp === null) return null;
    onAnswer?.(ad);
    let served: ServedAd;
    try {
      served = this.served(await loadAd(ad, host, signal), giveUp);
    } catch (error) {
      giveUp();
      if (signal.aborted) onAnswer?.(null);
      throw error;
    }
    // While the creative was on its way, the player may have reported the ad elsewhere, or seen enough of its advertiser.
    const refusal = host.mix.refusalOf(adSurfaceId, ad);
    if (refusal === null) return served;
    this.refuse(refusal, tell);
    served.release();
    return null;
  }

  /** The ad's place among its neighbours; null when it may not hang. */
  private claim(ad: Ad, tell: (message: string) => void): (() => void) | null {
    const claim = this.host.mix.claim(this.placement.surface.adSurfaceId, ad);
    if (typeof claim === 'function') return claim;
    this.refuse(claim, tell);
    return null;
  }

  private refuse(refusal: MixRefusal, tell: (message: string) => void): void {
    tell(REFUSALS[refusal]);
    this.host.note(REFUSALS[refusal]);
  }

  /** @throws AdsError `ad/texture`; the ad is let go of then */
  private served(loaded: LoadedAd, giveUp: () => void): ServedAd {
    try {
      const lease = this.labelled(loaded.ad, loaded.lease);
      const release = (): void => {
        giveUp();
        lease.release();
      };
      return { ...loaded, lease, release };
    } catch (error) {
      giveUp();
      loaded.lease.release();
      tellFailure(loaded.ad, error, this.host.trackers);
      throw error;
    }
  }

  /** The creative with the word for "ad" on it, where the placement wants one. */
  private labelled(ad: Ad, lease: CreativeLease): CreativeLease {
    const { label, ...box } = this.placement;
    return label === null ? lease : lease.paintedOver(adLabel(label, ad.label, box, lease));
  }
}

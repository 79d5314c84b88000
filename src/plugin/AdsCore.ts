import type * as Phaser from 'phaser';

import { browserFault } from '../browserFault.js';
import { DEFAULT_CREATIVE_LIMITS } from '../creative/CreativeLimits.js';
import { type CreativeLease, CreativeStore } from '../creative/CreativeStore.js';
import { LoadQueue } from '../creative/LoadQueue.js';
import { AdsError, toAdsError } from '../errors.js';
import { isLoopbackHost } from '../hosts.js';
import { resolveAddress } from '../packagedFiles.js';
import type { ResolvedOptions } from '../resolveOptions.js';
import type { AdFact } from '../report/AdEvent.js';
import { uuidOf } from '../report/uuid.js';
import { fillConsent } from '../report/trackerMacros.js';
import { TrackerQueue } from '../report/TrackerQueue.js';
import type { Ad, AdService } from '../service/AdService.js';
import { describeWarning } from '../service/AdWarnings.js';
import { bounded } from '../waiting.js';
import type { ServiceClient } from '../service/ServiceClient.js';
import { resolveStandards, type ViewabilityStandard } from '../viewability/ViewabilityStandards.js';
import { TEST_HOST } from '../sources/TEST_HOST.js';
import { TestAds } from '../sources/TestAds.js';
import type { AdsEnvironment } from './AdsEnvironment.js';
import { AdMix } from '../placement/AdMix.js';
import { ConsentKeeper } from './ConsentKeeper.js';
import { DeviceClock } from './DeviceClock.js';
import { CreativeTextures } from '../placement/CreativeTextures.js';
import { Delivery } from '../placement/Delivery.js';
import { PreloadedAds } from '../placement/PreloadedAds.js';
import { LazyMeter } from '../meter/LazyMeter.js';
import { tellOnce, versionFault } from '../meter/phaserVersion.js';
import { Placeholders } from '../placement/Placeholders.js';
import { readServedAd, tellFailure } from '../placement/loadAd.js';
import type { TrackerSender } from '../placement/AdTrackers.js';
import { startReporting, type Reporting } from './startReporting.js';
import { testCreatives } from './testCreatives.js';

/** Ads that may be loaded at once in one game, and that may wait for their turn. */
const PARALLEL_LOADS = 6;
const WAITING_LOADS = 256;
/** A source that never answers, such as one of the game's own, would hold up the other ads for ever. */
const LONGEST_ANSWER_MS = 120_000;

/** Everything the ads of one game share. Lives as long as the game. */
export class AdsCore {
  /** Where ads come from: test ads, the source of the options, or the service. */
  readonly ads: AdService;
  /** Null unless in test mode. */
  readonly testAds: TestAds | null;
  /** What is known of the player's choices. */
  readonly consent: ConsentKeeper;
  /** Which ads may hang now. */
  readonly mix: AdMix;
  /** Measures the game's ads, once it is loaded. */
  readonly measuring: LazyMeter;
  readonly trackers: TrackerQueue;
  /** Calls the trackers of ads. */
  readonly sender: TrackerSender;
  readonly creatives: CreativeStore;
  readonly placeholders: Placeholders;
  /** How reports fare. */
  readonly delivery: Delivery;
  readonly preloaded: PreloadedAds;
  readonly #queue = new LoadQueue(PARALLEL_LOADS, WAITING_LOADS);
  readonly standards: readonly ViewabilityStandard[];
  /** The clock the placements live by: an ad that was bought before the device slept gets too old in its sleep. */
  readonly clock: DeviceClock;
  /** Why there are no ads in this game; null when there are. */
  readonly #fault: AdsError | null;
  /** Codes of errors that were printed. */
  readonly #warned = new Set<string>();
  readonly #client: ServiceClient | null;
  readonly #reporting: Reporting | null;

  constructor(
    game: Phaser.Game,
    readonly options: ResolvedOptions,
    readonly environment: AdsEnvironment,
  ) {
    this.#fault = versionFault(game) ?? browserFault();
    if (this.#fault !== null) tellOnce(game, this.#fault);
    this.standards = this.#fault === null ? resolveStandards(options.standards) : [];
    const { creatives, reporting, reportError, wallNow } = environment;
    this.clock = new DeviceClock(reporting);
    const { meter } = options;
    this.measuring = new LazyMeter(game, meter === null ? environment.loadMeter : () => meter.of);
    if (this.#fault === null) this.measuring.load();
    this.#client = options.credentialKind === 'none' ? null : environment.createClient(options);
    this.testAds = options.testMode === null ? null : new TestAds(options.testMode, creatives);
    this.ads = this.testAds ?? options.source ?? this.client;
    this.consent = new ConsentKeeper(options, reportError, this.tell);
    this.mix = new AdMix(options, wallNow);
    const { beforeReport } = options;
    const rules = { beforeReport, consent: () => this.consent.signals };
    this.#reporting =
      options.reporting && this.#fault === null ? startReporting(this.client, rules, reporting, reportError) : null;
    this.delivery = new Delivery(this.#reporting?.reporter ?? null);
    this.trackers = new TrackerQueue({
      ...reporting,
      // With the consent that holds when the request leaves, not when it was due.
      fetch: (url, init) => environment.fetchTracker(this.fillConsent(url), init),
      isHeld: () => this.consent.isHeld,
    });
    this.sender = { send: (url, mustArrive) => this.trackers.send(url, mustArrive), wallNow };
    this.placeholders = new Placeholders(game.textures, options.placeholder);
    const renderer = game.renderer as { getMaxTextureSize?(): number } | null;
    const maxSidePx = Math.min(DEFAULT_CREATIVE_LIMITS.maxSidePx, renderer?.getMaxTextureSize?.() ?? Infinity);
    this.creatives = new CreativeStore(
      // A local service serves its creatives locally too, and so does a page under development.
      {
        hosts: hostsOf(options),
        allowLoopback: isLoopbackHost(hostOfAds(options, environment)),
        page: environment.pageAddress(),
      },
      { ...DEFAULT_CREATIVE_LIMITS, maxSidePx },
      this.testAds === null ? creatives : testCreatives(creatives, environment.paintTestAd),
      new CreativeTextures(game),
    );
    this.preloaded = new PreloadedAds(this);
    this.consent.onChange(() => {
      // Bids made under the earlier consent are not shown.
      if (!this.#isFirstParty) this.preloaded.drop();
      this.trackers.resume();
    });
  }

  /**
   * The client of the ad and account service.
   * @throws AdsError `config/missing` in a game without credentials
   */
  get client(): ServiceClient {
    if (this.#client !== null) return this.#client;
    throw new AdsError('config/missing', 'There is no account service in this game: it was set up without credentials');
  }

  /**
   * Runs work that asks third parties for an ad and fetches it, under the player's decision: see `ConsentKeeper.byDecision`.
   * The studio's own ads do not depend on that decision.
   */
  byDecision<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    return this.#isFirstParty ? work(signal) : this.consent.byDecision(signal, work);
  }

  /**
   * Asks for an ad; with the option `debug`, oddities of the answer are printed.
   * @param tell called, for the developer, with the reason why there is no ad, as far as the source gives one
   * @throws AdsError as `readServedAd`, `net/timeout`, `net/aborted`, and whatever the source throws
   */
  async requestAd(adSurfaceId: string, signal: AbortSignal, tell?: (message: string) => void): Promise<Ad> {
    const note = (message: string): void => {
      tell?.(message);
      this.note(message);
    };
    const call = (url: string): void => this.trackers.send(url);
    const { signals: consent } = this.consent;
    const accepts = (ad: Ad): boolean => this.#mayLoad(ad, note) && this.mix.refusalOf(adSurfaceId, ad) === null;
    const late = (): AdsError =>
      new AdsError('net/timeout', `The source of ads did not answer within ${LONGEST_ANSWER_MS} ms`);
    const bounds = { clock: this.environment.creatives, ms: LONGEST_ANSWER_MS, late, signal };
    const ask = async (): Promise<Ad> => this.ads.getAd(adSurfaceId, { signal, note, consent, accepts, call });
    const askedAt = this.now();
    const ad = readServedAd(await bounded(bounds, ask));
    // The device has slept meanwhile: the bid may be as old as that.
    if (this.now() - askedAt > LONGEST_ANSWER_MS) throw late();
    for (const warning of ad.warnings ?? []) note(describeWarning(warning));
    return ad;
  }

  /** False for an ad whose creative has an address the gate refuses: the next best ad is better than none. */
  #mayLoad(ad: Ad, note: (message: string) => void): boolean {
    try {
      this.creatives.check(this.fillConsent(ad.url));
      return true;
    } catch (error) {
      note(`An ad is not taken: ${toAdsError(error).message}`);
      tellFailure(ad, error, this.sender);
      return false;
    }
  }

  get #isFirstParty(): boolean {
    return this.ads.isFirstParty === true;
  }

  /** Whether ads have to wait until the player has decided about consent. */
  get isHeld(): boolean {
    return !this.#isFirstParty && this.consent.isHeld;
  }

  /** @throws AdsError as `CreativeStore.acquire` */
  acquireCreative(url: string, signal: AbortSignal): Promise<CreativeLease> {
    return this.creatives.acquire(this.fillConsent(url), signal);
  }

  /**
   * @param address absolute or relative to the page; packaged games know only relative ones
   * @throws AdsError as `CreativeStore.acquire`
   */
  acquireHouseAd(address: string, signal: AbortSignal): Promise<CreativeLease> {
    return this.acquireCreative(resolveAddress(address, this.environment.baseAddress()) ?? address, signal);
  }

  /** Fills the macros of an address with what holds right now. */
  fillConsent(address: string): string {
    return fillConsent(address, this.consent.signals);
  }

  /**
   * Loads an ad when its turn comes and nothing waits for consent.
   * @throws AdsError `config/browser` or `config/phaser-version` before anything is asked in a game without ads; as
   *   `LoadQueue.run`, and whatever `load` throws
   */
  async enqueue<T>(load: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#fault !== null) throw this.#fault;
    // Waits here and not in the queue, where it would take the place of another load.
    if (this.isHeld) await this.consent.whenDecided(signal);
    return this.#queue.run(load, signal);
  }

  /** Prints an oddity that is no fault, with the option `debug`. */
  note(message: string): void {
    if (this.options.debug) this.environment.note(`phaser-inview: ${message}`);
  }

  /** Prints what the developer has to see, whatever the option `debug`. A function that may be handed on. */
  readonly tell = (message: string): void => this.environment.reporting.warn(message);

  /** Prints an error the game has no handler for, once per code: its developer would see a placeholder and no reason. */
  warn(error: AdsError): void {
    if (error === this.#fault || this.#warned.has(error.code)) return;
    this.#warned.add(error.code);
    this.tell(`phaser-inview: ${error.message}`);
  }

  /** Milliseconds of {@link AdsCore.clock}. */
  now(): number {
    return this.clock.now();
  }

  /** A name for one served ad in one placement. */
  newPlacementId(): string {
    return uuidOf(this.environment.reporting.randomBytes(16));
  }

  /**
   * Reports what happened to an ad to the service, unless the option `reporting` is off. Resolves once the report is
   * committed, and never rejects: an event that announces something as reported is emitted after that.
   */
  report(fact: AdFact): Promise<void> {
    return this.#reporting?.reporter.record(fact) ?? Promise.resolve();
  }

  /** Settles like `work`, or rejects after `ms`. */
  withPatience(work: Promise<void>, ms: number): Promise<void> {
    const late = (): AdsError => new AdsError('net/timeout', `No ad came within ${ms} ms`);
    return bounded({ clock: this.environment.creatives, ms, late }, () => work);
  }

  destroy(): void {
    // First, while the client still takes calls.
    this.#reporting?.stop();
    this.trackers.destroy();
    this.consent.destroy();
    this.#client?.destroy();
    this.preloaded.destroy();
    this.creatives.destroy();
  }
}

function hostOfAds(options: ResolvedOptions, environment: AdsEnvironment): string {
  const address = options.source === null ? options.baseUrl : environment.pageAddress();
  return address === null ? '' : new URL(address).hostname;
}

function hostsOf({ creativeHosts, testMode }: ResolvedOptions): readonly string[] | null {
  return creativeHosts === null || testMode === null ? creativeHosts : [...creativeHosts, TEST_HOST];
}

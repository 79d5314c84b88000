import type * as Phaser from 'phaser';

import { DEFAULT_CREATIVE_LIMITS } from '../creative/CreativeLimits.js';
import { CreativeStore } from '../creative/CreativeStore.js';
import { LoadQueue } from '../creative/LoadQueue.js';
import { isLoopbackHost, type ResolvedOptions } from '../options.js';
import type { AdFact } from '../report/AdEvent.js';
import { uuidOf } from '../report/uuid.js';
import type { ServiceClient } from '../service/ServiceClient.js';
import { resolveStandards, type ViewabilityStandard } from '../viewability/ViewabilityStandards.js';
import type { AdsEnvironment } from './AdsEnvironment.js';
import { CreativeTextures } from './CreativeTextures.js';
import { Delivery } from './Delivery.js';
import { Placeholders } from './Placeholders.js';
import { startReporting, type Reporting } from './startReporting.js';

/** Ads that may be loaded at once in one game, and that may wait for their turn. */
const PARALLEL_LOADS = 6;
const WAITING_LOADS = 256;

/** Everything the ads of one game share. Lives as long as the game. */
export class AdsCore {
  readonly client: ServiceClient;
  readonly creatives: CreativeStore;
  readonly placeholders: Placeholders;
  /** How reports fare. */
  readonly delivery: Delivery;
  readonly queue = new LoadQueue(PARALLEL_LOADS, WAITING_LOADS);
  readonly standards: readonly ViewabilityStandard[];
  readonly #reporting: Reporting | null;

  constructor(
    game: Phaser.Game,
    readonly options: ResolvedOptions,
    readonly environment: AdsEnvironment,
  ) {
    this.standards = resolveStandards(options.standards);
    this.client = environment.createClient(options);
    this.#reporting = options.reporting
      ? startReporting(this.client, options, environment.reporting, (message, error) =>
          environment.reportError(message, error),
        )
      : null;
    this.delivery = new Delivery(this.#reporting?.reporter ?? null);
    this.placeholders = new Placeholders(game.textures, options.placeholder);
    const renderer = game.renderer as { getMaxTextureSize?(): number } | null;
    const maxSidePx = Math.min(DEFAULT_CREATIVE_LIMITS.maxSidePx, renderer?.getMaxTextureSize?.() ?? Infinity);
    this.creatives = new CreativeStore(
      // A local service serves its creatives locally too.
      { hosts: options.creativeHosts, allowLoopback: isLoopbackHost(new URL(options.baseUrl).hostname) },
      { ...DEFAULT_CREATIVE_LIMITS, maxSidePx },
      environment.creatives,
      new CreativeTextures(game),
    );
  }

  /** A name for one served ad in one placement. */
  newPlacementId(): string {
    return uuidOf(this.environment.reporting.randomBytes(16));
  }

  /**
   * Tells the service, in its time, what happened to an ad; unless the option `reporting` is off. Resolves, and never
   * rejects, once the report is committed: what is announced to the game as reported is announced after that.
   */
  report(fact: AdFact): Promise<void> {
    return this.#reporting?.reporter.record(fact) ?? Promise.resolve();
  }

  destroy(): void {
    // First, while the client still takes calls.
    this.#reporting?.stop();
    this.client.destroy();
    this.creatives.destroy();
  }
}

import type { CountStorage, MixRules } from '../mixRules.js';
import type { Ad } from '../service/AdService.js';
import { writeJson } from '../writeJson.js';

/** Why an ad may not hang now. */
export type MixRefusal = 'frequency' | 'neighbour' | 'reported';

const STORAGE_KEY = 'phaser-inview.frequency';
/** The most advertisers whose counts are kept. Any other one counts as seen often enough. */
const MAX_ADVERTISERS = 500;
const DAY_MS = 86_400_000;

interface Claim {
  readonly adSurfaceId: string;
  readonly advertiser: string;
  /** Its impression is counted. */
  isSeen: boolean;
}

/** Which ads may hang beside one another, and how often the same advertiser comes again. */
export class AdMix {
  readonly #onPage = new Map<string, number>();
  readonly #reported = new Set<string>();
  /** Which ads hang, or are about to, by what gives their place up. */
  readonly #claims = new Map<() => void, Claim>();
  #today = new Map<string, number>();
  #day = NaN;

  /** @param wallNow in milliseconds since 1970 */
  constructor(
    private readonly rules: MixRules,
    private readonly wallNow: () => number,
  ) {}

  /**
   * Why the ad may not hang on the surface; null when it may. One that hangs and was not seen yet may be seen any moment, so
   * it counts as seen.
   * @param own gives up the place that the ad has already
   */
  refusalOf(adSurfaceId: string, ad: Ad, own?: () => void): MixRefusal | null {
    const advertiser = advertiserOf(ad);
    if (this.#reported.has(ad.adId)) return 'reported';
    let unseen = 0;
    let isNear = false;
    for (const [giveUp, { adSurfaceId: other, advertiser: theirs, isSeen }] of this.#claims) {
      if (theirs !== advertiser || giveUp === own) continue;
      if (!isSeen) unseen++;
      isNear ||= other !== adSurfaceId && this.#areNeighbours(adSurfaceId, other);
    }
    const { perPage = Infinity, perDay = Infinity } = this.rules.frequency ?? {};
    const onPage = countOf(this.#onPage, advertiser);
    if (onPage + unseen >= perPage || this.#countOfToday(advertiser) + unseen >= perDay) return 'frequency';
    return isNear ? 'neighbour' : null;
  }

  /**
   * The ad is about to hang on the surface: its neighbours are given none of the same advertiser until the claim is given up.
   * @returns gives it up, harmless when called twice; or why the ad may not hang
   */
  claim(adSurfaceId: string, ad: Ad): (() => void) | MixRefusal {
    const refusal = this.refusalOf(adSurfaceId, ad);
    if (refusal !== null) return refusal;
    const giveUp = (): void => void this.#claims.delete(giveUp);
    this.#claims.set(giveUp, { adSurfaceId, advertiser: advertiserOf(ad), isSeen: false });
    return giveUp;
  }

  /**
   * The player has seen the ad.
   * @param own gives up its place, if it has one
   */
  seen(ad: Ad, own?: () => void): void {
    if (this.rules.frequency === null) return;
    const claim = own && this.#claims.get(own);
    if (claim !== undefined) claim.isSeen = true;
    const advertiser = advertiserOf(ad);
    add(this.#onPage, advertiser);
    this.#countOfToday(advertiser);
    add(this.#today, advertiser);
    try {
      this.rules.frequency.storage?.setItem(STORAGE_KEY, writeJson({ day: this.#day, counts: [...this.#today] }));
    } catch {
      // The storage is full or denied: the counts of the day end with the page.
    }
  }

  /** The player wants to see the ad no more. */
  report(ad: Ad): void {
    this.#reported.add(ad.adId);
  }

  #areNeighbours(one: string, other: string): boolean {
    const { separateAdvertisers: rule } = this.rules;
    if (typeof rule === 'boolean') return rule;
    const namedBy = (a: string, b: string): boolean => Object.hasOwn(rule, a) && rule[a]!.includes(b);
    return namedBy(one, other) || namedBy(other, one);
  }

  #countOfToday(advertiser: string): number {
    const day = Math.floor(this.wallNow() / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#today = new Map();
    }
    // Other pages that are open count there, too.
    const counts = readCounts(this.rules.frequency?.storage, day);
    for (const [name, count] of counts) if (count > (this.#today.get(name) ?? 0)) this.#today.set(name, count);
    return countOf(this.#today, advertiser);
  }
}

/** The advertiser's domain, if the ad has one: names are written in many ways. */
function advertiserOf({ advertiserDomains, advertiser, adId }: Ad): string {
  return advertiserDomains?.[0] ?? advertiser ?? adId;
}

/** More than any limit where there is no room to count. */
function countOf(counts: ReadonlyMap<string, number>, advertiser: string): number {
  return counts.get(advertiser) ?? (counts.size < MAX_ADVERTISERS ? 0 : Number.MAX_SAFE_INTEGER);
}

function add(counts: Map<string, number>, advertiser: string): void {
  if (counts.size < MAX_ADVERTISERS || counts.has(advertiser)) {
    counts.set(advertiser, (counts.get(advertiser) ?? 0) + 1);
  }
}

/** The stored text may be anything. */
function readCounts(storage: CountStorage | undefined, day: number): Map<string, number> {
  const counts = new Map<string, number>();
  try {
    const kept = JSON.parse(storage?.getItem(STORAGE_KEY) ?? 'null') as { day?: unknown; counts?: unknown } | null;
    if (kept?.day !== day || !Array.isArray(kept.counts)) return counts;
    for (const [advertiser, count] of (kept.counts as [unknown, unknown][]).slice(0, MAX_ADVERTISERS)) {
      if (typeof advertiser === 'string' && Number.isInteger(count)) counts.set(advertiser, Number(count));
    }
  } catch {
    // Denied, or somebody else's.
  }
  return counts;
}

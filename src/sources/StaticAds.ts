import * as v from 'valibot';

import { AdsError, isAdsError } from '../errors.js';
import { fetchPackaged, isPackaged, resolveAddress } from '../packagedFiles.js';
import type { Ad, AdService, AdSurface, AdSurfaceList, CallOptions } from '../service/AdService.js';
import { readCallOptions, readSurfaceId } from '../service/arguments.js';
import { bounded } from '../waiting.js';
import { decodeAd, decodeSurfaces, noAd, pathOf } from '../service/decode.js';
import { browserEnvironment, type ClientEnvironment } from '../service/environment.js';
import { createHttp, isSuccess } from '../service/http.js';
import { parseJson } from '../service/json.js';
import { statusFault } from '../service/serviceFault.js';

/** One house ad. */
export interface StaticAd {
  /** @default the address */
  readonly adId?: string;
  /** Address of the image; a relative one counts from the JSON file, or from the page. */
  readonly url: string;
  /** The surfaces it may hang on; left out: every one. */
  readonly adSurfaceIds?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly clickUrl?: string;
  readonly alt?: string;
}

/** House ads, as an object or as the content of a JSON file. */
export interface StaticAdsConfig {
  /** Left out: the surfaces the ads name. */
  readonly surfaces?: readonly AdSurface[];
  readonly ads: readonly StaticAd[];
}

const TIMEOUT_MS = 10_000;
const MAX_ADS = 1_000;

/** Judged where it is used. */
const unjudged = v.optional(v.unknown());
const entrySchema = v.object({
  url: v.string(),
  adId: v.optional(v.pipe(v.string(), v.minLength(1))),
  adSurfaceIds: v.nullish(v.array(v.string())),
  width: unjudged,
  height: unjudged,
  clickUrl: unjudged,
  alt: unjudged,
});
const configSchema = v.object({
  surfaces: unjudged,
  ads: v.pipe(
    v.array(v.unknown()),
    v.transform((ads) => ads.slice(0, MAX_ADS)),
    v.array(entrySchema),
  ),
});

interface Inventory {
  readonly surfaces: AdSurfaceList;
  readonly ads: readonly { readonly ad: Ad; readonly adSurfaceIds: ReadonlySet<string> | null }[];
}

/**
 * House ads without any server: the ads of a JSON object or file, in turn. For games that advertise their own things,
 * and for development.
 *
 * ```ts
 * data: { source: new StaticAds({ ads: [{ url: 'ads/sequel.png', adSurfaceIds: ['roof'], clickUrl: 'https://…' }] }) }
 * data: { source: new StaticAds('ads/house-ads.json') }
 * ```
 */
export class StaticAds implements AdService {
  /** House ads go on while the player has not decided about consent. */
  readonly isFirstParty = true;
  readonly #config: unknown;
  readonly #environment: ClientEnvironment;
  #inventory: Promise<Inventory> | null = null;
  readonly #turns = new Map<string, number>();
  #serves = 0;

  /**
   * @param config the ads, or the address of a JSON file with them, which is fetched when first needed: by http(s), or, in a
   *   packaged game, from where its page comes, such as `file:` or `capacitor:`
   */
  constructor(config: StaticAdsConfig | string, environment: ClientEnvironment = browserEnvironment()) {
    if (typeof config !== 'string' && (typeof config !== 'object' || config === null)) {
      throw new AdsError('config/option', 'StaticAds: expected house ads, or the address of a JSON file');
    }
    this.#config = config;
    this.#environment = environment;
  }

  /** @throws AdsError `net/…`, `service/…`, `response/…` when the file cannot be had or is wrong */
  async getAdSurfaces(options?: CallOptions): Promise<AdSurfaceList> {
    return (await this.#read(options)).surfaces;
  }

  /** The next ad for this surface, in turn; no ad if there is none for it. */
  async getAd(adSurfaceId: string, options?: CallOptions): Promise<Ad> {
    const id = readSurfaceId(adSurfaceId);
    const { ads } = await this.#read(options);
    const fitting = ads.filter(({ adSurfaceIds }) => adSurfaceIds?.has(id) ?? true);
    if (fitting.length === 0) return noAd;
    const turn = this.#turns.get(id) ?? 0;
    this.#turns.set(id, turn + 1);
    return Object.freeze({ ...fitting[turn % fitting.length]!.ad, serveId: `static-${++this.#serves}` });
  }

  async #read(options: CallOptions | undefined): Promise<Inventory> {
    const { signal } = readCallOptions(options);
    // Loading ends by itself after half of this time, and says why.
    const bounds = { clock: this.#environment, ms: 2 * TIMEOUT_MS, late: unreadable, signal };
    // Shared by all who ask meanwhile; a failure is forgotten, so that the next one asks anew.
    return bounded(bounds, () => {
      this.#inventory ??= this.#load().catch((error: unknown) => {
        this.#inventory = null;
        throw error;
      });
      return this.#inventory;
    });
  }

  async #load(): Promise<Inventory> {
    const pageAddress =
      (globalThis as { document?: Document }).document?.baseURI ?? this.#environment.page?.origin ?? null;
    if (typeof this.#config !== 'string') return readInventory(this.#config, pageAddress);
    const address = resolveAddress(this.#config, pageAddress);
    if (address === null) {
      throw new AdsError(
        'config/option',
        'StaticAds: the address of the JSON file is no http(s) URL, nor one of where the page comes from',
      );
    }
    if (isPackaged(address)) return readInventory(await this.#readPackaged(address), address);
    const http = createHttp(address, this.#environment);
    const answer = await http.send({ method: 'GET', path: '', headers: {}, timeoutMs: TIMEOUT_MS });
    if (!isSuccess(answer)) throw statusFault('The file of house ads', answer);
    return readInventory(answer.body, address);
  }

  /** The content of a JSON file of a packaged game. */
  async #readPackaged(address: string): Promise<unknown> {
    try {
      return await bounded({ clock: this.#environment, ms: TIMEOUT_MS, late: unreadable }, async (signal) => {
        const response = await fetchPackaged(address, signal);
        if (response.status >= 300) throw unreadable();
        return parseJson(await response.arrayBuffer());
      });
    } catch (error) {
      throw isAdsError(error) ? error : unreadable();
    }
  }
}

function unreadable(): AdsError {
  return new AdsError('net/unreachable', 'The file of house ads cannot be read', {
    hint: 'Is it part of the package, and may the page read files? A browser does not let a page opened by file: read any.',
  });
}

/** @throws AdsError `response/schema` with the path of what is wrong */
function readInventory(json: unknown, base: string | null): Inventory {
  if (Array.isArray(json)) throw wrong('$');
  const read = v.safeParse(configSchema, json, { abortEarly: true });
  if (!read.success) throw wrong(pathOf(read.issues[0]));
  const { ads, surfaces } = read.output;
  const entries = ads.map((entry) => readEntry(entry, base));
  const named = [...new Set(entries.flatMap(({ adSurfaceIds }) => [...(adSurfaceIds ?? [])]))];
  const items = surfaces ?? named.map((adSurfaceId) => ({ adSurfaceId }));
  return { ads: entries, surfaces: decodeSurfaces({ items }, () => undefined) };
}

function readEntry(entry: v.InferOutput<typeof entrySchema>, base: string | null): Inventory['ads'][number] {
  const { adSurfaceIds, url, adId = url, width, height, clickUrl, alt } = entry;
  const address = resolveAddress(url, base) ?? url;
  // A service refuses what is reported with half a surrogate pair.
  const id = adId.slice(-256).replace(/^\p{Surrogate}/u, '');
  const ad = decodeAd({ adId: id, url: address, width, height, clickUrl, alt });
  return { ad, adSurfaceIds: adSurfaceIds ? new Set(adSurfaceIds) : null };
}

function wrong(path: string): AdsError {
  return new AdsError('response/schema', `The house ads are wrong at ${path}`, {
    path,
    hint: 'Expected { surfaces?: [{ adSurfaceId }], ads: [{ url, adSurfaceIds?, width?, height?, clickUrl?, alt? }] }.',
  });
}

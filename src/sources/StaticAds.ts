import { AdsError, isAdsError } from '../errors.js';
import { fetchPackaged, isPackaged, resolveAddress } from '../packagedFiles.js';
import type { Ad, AdService, AdSurface, AdSurfaceList, CallOptions } from '../service/AdService.js';
import { readCallOptions, readSurfaceId } from '../service/arguments.js';
import { decodeAd, decodeSurfaces, noAd } from '../service/decode.js';
import { browserEnvironment, type ClientEnvironment } from '../service/environment.js';
import { createHttp, type Http, isSuccess } from '../service/http.js';
import { parseJson } from '../service/json.js';
import { statusFault } from './statusFault.js';

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
    if (signal?.aborted) throw new AdsError('net/aborted', 'The call was cancelled');
    // Shared by all who ask meanwhile; a failure is forgotten, so that the next one asks anew.
    this.#inventory ??= this.#load().catch((error: unknown) => {
      this.#inventory = null;
      throw error;
    });
    const inventory = await this.#inventory;
    if (signal?.aborted) throw new AdsError('net/aborted', 'The call was cancelled');
    return inventory;
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
    const http: Http = createHttp(address, this.#environment);
    const answer = await http.send({ method: 'GET', path: '', headers: {}, timeoutMs: TIMEOUT_MS });
    if (!isSuccess(answer)) throw statusFault('The file of house ads', answer);
    return readInventory(answer.body, address);
  }

  /** The content of a JSON file of a packaged game. */
  async #readPackaged(address: string): Promise<unknown> {
    const controller = new AbortController();
    const cancelTimer = this.#environment.after(TIMEOUT_MS, () => controller.abort(unreadable()));
    try {
      const response = await fetchPackaged(address, controller.signal);
      if (response.status >= 300) throw unreadable();
      return parseJson(await response.arrayBuffer());
    } catch (error) {
      throw isAdsError(error) ? error : unreadable();
    } finally {
      cancelTimer();
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
  const { ads, surfaces } = fieldsOf(json, '$');
  if (!Array.isArray(ads)) throw wrong('$.ads');
  const entries = ads.slice(0, MAX_ADS).map((entry: unknown, i) => readEntry(entry, `$.ads[${i}]`, base));
  const named = [...new Set(entries.flatMap(({ adSurfaceIds }) => [...(adSurfaceIds ?? [])]))];
  const items = surfaces ?? named.map((adSurfaceId) => ({ adSurfaceId }));
  return { ads: entries, surfaces: decodeSurfaces({ items }, () => undefined) };
}

function readEntry(entry: unknown, path: string, base: string | null): Inventory['ads'][number] {
  const { adSurfaceIds = null, url, adId = url, width, height, clickUrl, alt } = fieldsOf(entry, path);
  if (typeof url !== 'string') throw wrong(`${path}.url`);
  if (typeof adId !== 'string' || adId === '') throw wrong(`${path}.adId`);
  const isList = Array.isArray(adSurfaceIds) && adSurfaceIds.every((id) => typeof id === 'string');
  if (adSurfaceIds !== null && !isList) throw wrong(`${path}.adSurfaceIds`);
  const address = resolveAddress(url, base) ?? url;
  const ad = decodeAd({ adId: adId.slice(-256), url: address, width, height, clickUrl, alt });
  return { ad, adSurfaceIds: adSurfaceIds === null ? null : new Set(adSurfaceIds) };
}

function fieldsOf(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path);
  return { ...value };
}

function wrong(path: string): AdsError {
  return new AdsError('response/schema', `The house ads are wrong at ${path}`, {
    path,
    hint: 'Expected { surfaces?: [{ adSurfaceId }], ads: [{ url, adSurfaceIds?, width?, height?, clickUrl?, alt? }] }.',
  });
}

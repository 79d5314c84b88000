import { bytesToHex } from '@noble/hashes/utils';

import type { ConsentSignals } from '../../consentRules.js';
import { AdsError, isAdsError } from '../../errors.js';
import { fillConsent, fillFiringTime } from '../../report/trackerMacros.js';
import { hasUserInfo, isSecure, parseUrl } from '../../hosts.js';
import type { Ad, AdService, AdSurfaceList, CallOptions } from '../../service/AdService.js';
import { readCallOptions, readSurfaceId } from '../../service/arguments.js';
import { decodeSurfaces } from '../../service/decode.js';
import { browserEnvironment, type ClientEnvironment } from '../../service/environment.js';
import { createHttp, type Http, isSuccess } from '../../service/http.js';
import { parseJsonText } from '../../service/json.js';
import { statusFault } from '../../service/serviceFault.js';
import { quoteForeign } from '../quoteForeign.js';
import { writeJson } from '../../writeJson.js';
import { bidRequest, IMP_ID, MAIN_IMAGE_ID, readCurrency, readFloor, SPONSOR_ID, TITLE_ID } from './bidRequest.js';
import { type BlockLists, readBlockLists } from './blockLists.js';
import { exchangeMessages } from './exchangeMessages.js';
import { contextualOnly } from './privacy.js';
import type { BidRequest, OpenRtbOptions, OpenRtbSurface } from './OpenRtbOptions.js';
import { type AskedFor, isFloorForeign, readBidResponse, type UnreadVideo } from './readBidResponse.js';
import { warnOfUnknownOptions } from '../../warnOfUnknownOptions.js';
import type { VideoAd, VideoMarkup } from './VideoMarkup.js';

/** The names of all options: the compiler misses one that is left out here. */
// prettier-ignore
const OPTIONS = {
  endpoint: 0, surfaces: 0, site: 0, app: 0, currency: 0, timeoutMs: 0, test: 0, storedRequest: 0, video: 0, events: 0,
  label: 0, plainText: 0, complete: 0, bcat: 0, badv: 0, battr: 0, blockUnknown: 0,
} satisfies Record<keyof OpenRtbOptions, 0>;
// prettier-ignore
const SURFACE_OPTIONS = {
  adSurfaceId: 0, name: 0, width: 0, height: 0, floor: 0, storedRequest: 0,
} satisfies Record<keyof OpenRtbSurface, 0>;

/** Time for the way to the exchange and back, in milliseconds, added to the exchange's own time. */
const WAY_MS = 500;
/** Prebid Server answers with every bid, each with its markup, and for a test with what it has asked the bidders. */
const MAX_AUCTION_BYTES = 1_048_576;

/**
 * Ads from an OpenRTB 2.6 exchange or from Prebid Server, as native ads (Native 1.2) whose main image hangs in the
 * game. Its event trackers and its billing notice are fetched by what is measured, not by what was loaded.
 *
 * ```ts
 * new OpenRtbAds({
 *   endpoint: 'https://prebid.example.com/openrtb2/auction',
 *   storedRequest: 'my-account', // Prebid Server: what all auctions have in common
 *   surfaces: [{ adSurfaceId: 'roof', width: 320, height: 180, storedRequest: 'roof-of-my-game' }], // and its bidders
 *   site: { publisher: { id: '1001' } },
 * })
 * ```
 */
export class OpenRtbAds implements AdService {
  readonly #options: OpenRtbOptions & { readonly currency: string };
  readonly #surfaces: AdSurfaceList;
  readonly #timeoutMs: number;
  readonly #blocked: Required<BlockLists>;
  readonly #environment: ClientEnvironment;
  readonly #http: Http;

  /** @throws AdsError `config/…` */
  constructor(options: OpenRtbOptions, environment: ClientEnvironment = browserEnvironment()) {
    if (typeof options !== 'object' || options === null) {
      throw new AdsError('config/missing', 'OpenRtbAds: expected { endpoint, surfaces }');
    }
    const copy = { ...options };
    const { endpoint, surfaces, timeoutMs = 3_000, storedRequest, site, app, complete, video, currency = 'USD' } = copy;
    // A block list or a floor under another name would do nothing, and nobody would notice.
    const warn = (message: string): void => environment.warn(message);
    warnOfUnknownOptions('OpenRtbAds', copy, Object.keys(OPTIONS), warn);
    checkEndpoint(endpoint);
    if (typeof timeoutMs !== 'number' || !(timeoutMs >= 50 && timeoutMs <= 30_000)) {
      throw new AdsError('config/timeout', 'OpenRtbAds: expected `timeoutMs` to be a number from 50 to 30000');
    }
    if (!Array.isArray(surfaces) || surfaces.length === 0 || !surfaces.every(isPlain)) {
      throw wrong('expected `surfaces` to be a list of ad surfaces');
    }
    for (const [name, value] of [
      ['site', site],
      ['app', app],
    ] as const) {
      if (value !== undefined && !isPlain(value)) throw wrong(`expected \`${name}\` to be an object`);
    }
    if (video !== undefined && (!isPlain(video) || typeof (video as Partial<VideoMarkup>).read !== 'function')) {
      throw wrong('expected `video` to be a VastVideo');
    }
    if (complete !== undefined && typeof complete !== 'function') throw wrong('expected `complete` to be a function');
    checkStoredRequest(storedRequest, '`storedRequest`');
    const sold = (surfaces as unknown[]).map((surface) => {
      const { storedRequest: own, floor } = surface as Partial<OpenRtbSurface>;
      checkStoredRequest(own, '`storedRequest` of a surface');
      warnOfUnknownOptions('a surface of OpenRtbAds', { ...(surface as object) }, Object.keys(SURFACE_OPTIONS), warn);
      return floor === undefined ? surface : { ...(surface as OpenRtbSurface), floor: readFloor(floor) };
    }) as OpenRtbSurface[];
    this.#options = { ...copy, surfaces: sold, currency: readCurrency(currency, '`currency`') };
    this.#timeoutMs = timeoutMs;
    this.#blocked = readBlockLists(this.#options);
    this.#surfaces = decodeSurfaces({ items: sold }, () => undefined);
    this.#environment = environment;
    this.#http = createHttp(endpoint, environment);
  }

  /** The surfaces of the options; an exchange does not list any. */
  getAdSurfaces(): Promise<AdSurfaceList> {
    return Promise.resolve(this.#surfaces);
  }

  /**
   * Holds an auction. No bid is no ad. `options.note` is called with why there is no bid, or why a request was refused, as far
   * as the exchange says it: `PlacedAd.diagnosis` holds it, and the option `debug` of the plugin prints it.
   * @throws AdsError `config/option`, `ad/unknown-surface`, `net/…`, `service/…`, `response/…`
   */
  async getAd(adSurfaceId: string, options?: CallOptions): Promise<Ad> {
    const id = readSurfaceId(adSurfaceId);
    const { signal, note, consent, accepts, call } = readCallOptions(options);
    const surface = this.#options.surfaces.find((known) => known.adSurfaceId === id);
    if (surface === undefined) {
      throw new AdsError('ad/unknown-surface', `getAd: ${JSON.stringify(id)} is not among the surfaces`);
    }
    const request = this.#makeRequest(surface, consent);
    const answer = await this.#http.send({
      method: 'POST',
      path: '',
      headers:
        this.#options.plainText === false
          ? { 'Content-Type': 'application/json', 'x-openrtb-version': '2.6' }
          : { 'Content-Type': 'text/plain' },
      body: toJson(request),
      timeoutMs: this.#timeoutMs + WAY_MS,
      answer: 'text',
      maxBytes: MAX_AUCTION_BYTES,
      signal,
    });
    const text = (answer.body as string).trim();
    if (!isSuccess(answer)) {
      if (text !== '') note(`The exchange answered ${answer.status}: ${quoteForeign(text)}`);
      throw statusFault('The exchange', answer);
    }
    // An exchange that does not bid may answer with nothing at all (OpenRTB 2.6 §7.1), whatever the status.
    const response = text === '' ? null : parseJsonText(text, 'all');
    for (const message of exchangeMessages(response)) note(message);
    if (isFloorForeign(response, surface.floor))
      note('The bids are in another currency than the floor: they are not held to it');
    const fillNow = (address: string): string =>
      fillConsent(fillFiringTime(address, this.#environment.wallNow()), consent);
    const begunAt = this.#environment.now();
    return this.#bestAd(response, { requestId: request.id, accepts, floor: surface.floor }, async ({ markup, fill }) =>
      this.#options.video!.read(markup, { surface, signal, begunAt, call, fill: (address) => fillNow(fill(address)) }),
    );
  }

  /** Reads videos as their turn comes: a wrapper is fetched only when its bid is the best that is left. */
  async #bestAd(
    response: unknown,
    its: Pick<AskedFor, 'requestId' | 'accepts' | 'floor'>,
    readVideo: (unread: UnreadVideo) => Promise<VideoAd>,
  ): Promise<Ad> {
    const { video, label = 'Ad' } = this.#options;
    const reading = readBidResponse(response, {
      ...its,
      impId: IMP_ID,
      mainImageId: MAIN_IMAGE_ID,
      titleId: TITLE_ID,
      sponsorId: SPONSOR_ID,
      label,
      blocked: this.#blocked,
      isVideo: (markup) => video?.isMarkup(markup) === true,
    });
    // Kept by markup, so that the buyer of a video that cannot be shown is told so only once.
    const videos = new Map<string, VideoAd | AdsError>();
    let step = reading.next();
    while (step.done !== true) {
      const { markup } = step.value;
      const fate = videos.get(markup) ?? (await readVideo(step.value).catch(faultOf));
      videos.set(markup, fate);
      step = reading.next(fate);
    }
    return step.value;
  }

  #makeRequest(surface: OpenRtbSurface, consent: ConsentSignals): BidRequest {
    const { currency, complete, video } = this.#options;
    const request = bidRequest(surface, this.#options, {
      id: bytesToHex(this.#environment.randomBytes(16)),
      page: this.#environment.page,
      currency,
      tmaxMs: this.#timeoutMs,
      consent,
      blocked: this.#blocked,
      video: video?.request(surface) ?? null,
    });
    const completed = complete === undefined ? request : completeWith(complete, request);
    return consent.underAge === true ? contextualOnly(completed) : completed;
  }
}

/** Why a video cannot be shown. Throws when nobody waits for it any more, so that no other video is looked at. */
function faultOf(error: unknown): AdsError {
  if (!isAdsError(error) || error.code === 'net/aborted') throw error;
  return error;
}

/** Runs the game's own code on a request. */
function completeWith(complete: NonNullable<OpenRtbOptions['complete']>, request: BidRequest): BidRequest {
  // A copy: its lists are those of the options and of other requests.
  const copy = JSON.parse(toJson(request)) as BidRequest;
  let completed: unknown;
  try {
    completed = complete(copy);
  } catch (cause) {
    throw new AdsError('config/option', 'OpenRtbAds: `complete` has thrown', { cause });
  }
  const { imp } = (isPlain(completed) ? completed : {}) as Partial<BidRequest>;
  if (Array.isArray(imp) && imp.length > 0) {
    // The answer is recognised by the request's id.
    return { ...(completed as BidRequest), id: request.id };
  }
  // Nobody waits for the promise: it must not reject unhandled.
  if (completed instanceof Promise) completed.catch(() => undefined);
  throw wrong(
    '`complete` did not return a request',
    'Return the request to be sent, such as { ...request, regs }; no promise.',
  );
}

/** @throws AdsError `config/option` for what cannot be written as JSON, such as an object that holds itself */
function toJson(request: BidRequest): string {
  try {
    return writeJson(request);
  } catch {
    throw wrong('the request cannot be written as JSON', 'Look at what `complete`, `site` and `app` hold.');
  }
}

/** An object that may be a part of a request: no list, no promise. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('then' in value);
}

function wrong(what: string, hint?: string): AdsError {
  return new AdsError('config/option', `OpenRtbAds: ${what}`, hint === undefined ? {} : { hint });
}

function checkStoredRequest(id: unknown, name: string): void {
  if (id === undefined || (typeof id === 'string' && id !== '')) return;
  throw wrong(`expected ${name} to be an id at Prebid Server`);
}

function checkEndpoint(endpoint: unknown): void {
  const url = parseUrl(endpoint);
  if (url !== null && isSecure(url) && !hasUserInfo(url)) return;
  throw new AdsError(
    'config/base-url',
    'OpenRtbAds: expected `endpoint` to be an https: URL (http: only for localhost)',
  );
}

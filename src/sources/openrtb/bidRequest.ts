import type { ConsentSignals } from '../../consentRules.js';
import { AdsError } from '../../errors.js';
import { writeJson } from '../../writeJson.js';
import type { BlockLists } from './blockLists.js';
import type { BidFloor, BidRequest, OpenRtbOptions, OpenRtbSurface } from './OpenRtbOptions.js';
import { privacyOf } from './privacy.js';

/** @throws AdsError `config/option` for a floor that could never be compared with a price */
export function readFloor(floor: unknown): BidFloor {
  const { price, currency } = (floor ?? {}) as Partial<BidFloor>;
  if (typeof price !== 'number' || !(price >= 0 && price < Infinity)) {
    throw new AdsError('config/option', 'OpenRtbAds: expected `floor.price` of a surface to be a number from 0');
  }
  return { price, currency: readCurrency(currency, '`floor.currency` of a surface') };
}

/** @throws AdsError `config/option` */
export function readCurrency(currency: unknown, name: string): string {
  if (typeof currency === 'string' && /^[a-z]{3}$/i.test(currency)) return currency.toUpperCase();
  throw new AdsError('config/option', `OpenRtbAds: expected ${name} to be three letters, such as USD`);
}

export const IMP_ID = '1';
/** Ids of the assets of {@link nativeRequest}. */
export const MAIN_IMAGE_ID = 1;
export const TITLE_ID = 2;
export const SPONSOR_ID = 3;

const DISPLAY_MANAGER = 'phaser-inview';
export const DISPLAY_MANAGER_VERSION = '0.1.0';
/** An ad that has not been seen for this long is dropped, in seconds. */
const EXPIRY_S = 300;
const MIMES = ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif'];
/** Event types of Native 1.2 (§7.6) that are measured: impression, viewable MRC 50 %, MRC 100 %, video 50 %. */
const EVENTS = [1, 2, 3, 4];
const BY_IMAGE = 1;
/** Content context "game" (AdCOM 1.0). */
const GAME = 2;

/** What a request says beside the options of its source. */
interface RequestFacts {
  readonly id: string;
  readonly page: { readonly hostname: string; readonly origin: string } | null;
  readonly currency: string;
  readonly tmaxMs: number;
  readonly consent: ConsentSignals;
  readonly blocked: Required<BlockLists>;
  /** `imp.video`; null where only images are asked for. */
  readonly video: object | null;
}

/** Asks for one native ad with a main image, as part of the game's world (`imp.ext.intrinsic`). */
export function bidRequest(surface: OpenRtbSurface, options: OpenRtbOptions, facts: RequestFacts): BidRequest {
  const { app, storedRequest, test: isTest, events: hasEvents } = options;
  const { id, page, currency, tmaxMs, consent, blocked, video } = facts;
  const { adSurfaceId, floor } = surface;
  const site = { ...siteOf(page), ...options.site };
  return {
    id,
    imp: [
      {
        id: IMP_ID,
        native: { request: writeJson(nativeRequest(surface)), ver: '1.2', ...battrOf(blocked) },
        ...(video === null ? {} : { video: { ...video, ...battrOf(blocked) } }),
        displaymanager: DISPLAY_MANAGER,
        displaymanagerver: DISPLAY_MANAGER_VERSION,
        instl: 0,
        tagid: adSurfaceId,
        secure: 1,
        exp: EXPIRY_S,
        ...(floor === undefined ? {} : { bidfloor: floor.price, bidfloorcur: floor.currency }),
        ext: { intrinsic: 1, ...atPrebidServer(surface.storedRequest) },
      },
    ],
    ...(app === undefined ? { site: inGame(site) } : { app: inGame(app) }),
    cur: [currency],
    at: 1,
    tmax: tmaxMs,
    ...(blocked.bcat.length === 0 ? {} : { bcat: blocked.bcat }),
    ...(blocked.badv.length === 0 ? {} : { badv: blocked.badv }),
    ...(isTest ? { test: 1 as const } : {}),
    ...privacyOf(consent),
    ...withExt(storedRequest, hasEvents),
  };
}

/** A page from a file, or written into a frame, has no address that tells a buyer anything. */
function siteOf(page: RequestFacts['page']): object {
  return page !== null && /^https?:\/\/./.test(page.origin) ? { domain: page.hostname, page: page.origin } : {};
}

function battrOf({ battr }: Required<BlockLists>): { readonly battr?: readonly number[] } {
  return battr.length === 0 ? {} : { battr };
}

function withExt(storedRequest: string | undefined, hasEvents = false): { readonly ext?: object } {
  const prebid = { ...atPrebidServer(storedRequest).prebid, ...(hasEvents ? { events: {} } : {}) };
  return Object.keys(prebid).length === 0 ? {} : { ext: { prebid } };
}

/** Prebid Server merges the request it stores under this id with the object that has this `ext`. */
function atPrebidServer(storedRequest: string | undefined): { readonly prebid?: object } {
  return storedRequest === undefined ? {} : { prebid: { storedrequest: { id: storedRequest } } };
}

/** The request of Native 1.2 (§4) that travels as a string. */
function nativeRequest({ width, height }: OpenRtbSurface): object {
  const size = width === undefined || height === undefined ? {} : { w: Math.round(width), h: Math.round(height) };
  return {
    ver: '1.2',
    plcmtcnt: 1,
    aurlsupport: 0,
    durlsupport: 0,
    eventtrackers: EVENTS.map((event) => ({ event, methods: [BY_IMAGE] })),
    assets: [
      { id: MAIN_IMAGE_ID, required: 1, img: { type: 3, ...size, mimes: MIMES } },
      { id: TITLE_ID, required: 0, title: { len: 90 } },
      { id: SPONSOR_ID, required: 0, data: { type: 1, len: 40 } },
    ],
  };
}

/** Says that the content is a game, unless the studio has said what it is. */
function inGame(siteOrApp: object): object {
  const { content } = siteOrApp as { content?: object };
  return { ...siteOrApp, content: { context: GAME, ...content } };
}

import { AdsError, isAdsError } from '../../errors.js';
import type { Ad, AdRevenue, AdTracker } from '../../service/AdService.js';
import { AdWarnings } from '../../service/AdWarnings.js';
import { decodeAd, noAd } from '../../service/decode.js';
import { present } from '../../service/present.js';
import { completeAddress } from '../../service/trackerUrl.js';
import type { BidFloor } from './OpenRtbOptions.js';
import { type BlockLists, categoriesOf, domainsOf, isBlocked } from './blockLists.js';
import { cut, type Fields, idOf, isAbsent, isObject, listOf, numberOf, prebidOf, textOf } from './foreignValues.js';
import { nativeMarkup } from './nativeMarkup.js';
import { isBillable, readTrackers } from './readTrackers.js';
import type { VideoAd } from './VideoMarkup.js';
import { type AuctionValues, MAX_VALUE_LENGTH, substituteMacros } from './substituteMacros.js';

/** What the bid request said, as far as the answer must fit it. */
export interface AskedFor {
  readonly requestId: string;
  readonly impId: string;
  /** Ids of the assets asked for. */
  readonly mainImageId: number;
  readonly titleId: number;
  readonly sponsorId: number;
  /** The word that tells the player that it is an ad. */
  readonly label: string;
  readonly blocked: Required<BlockLists>;
  readonly floor?: BidFloor | undefined;
  /** Whether a text is the markup of a video that may be shown. */
  isVideo(markup: string): boolean;
  /** Whether the game would show the ad. */
  accepts(ad: Ad): boolean;
}

/** The markup of a video that has to be read before it is known whether its bid can be shown. */
export interface UnreadVideo {
  readonly markup: string;
  /** Fills the macros of the auction. */
  fill(address: string): string;
}

/** Yields each video as its turn comes, and receives what it is, or why it cannot be shown. Each bid is looked at once. */
type Reading<T> = Generator<UnreadVideo, T, VideoAd | AdsError>;

const MAX_BIDS = 100;
const DEFAULT_CURRENCY = 'USD';
const MAIN_IMAGE = 3;
/** `mtype` of a video. */
const VIDEO = 2;
const MAX_SIDE_PX = 16_384;
const MAX_EXPIRY_S = 86_400;

/**
 * Reads a bid response (OpenRTB 2.6 §4.2) whose markup is a native ad (Native 1.2 §5): the best bid that can be shown.
 * No bid, in any of the forms of §7.1, is "no ad". Types are taken as they occur: numbers as texts, ids as numbers, one
 * object in place of a list. An optional part that cannot be read is left out and noted in `warnings`; it never costs the bid.
 *
 * Nothing of the answer is run: HTML and scripts are no ad here, and `nurl` is the exchange's business, except for a video that
 * has no other markup.
 * @throws AdsError `response/…` when there are bids with a price but none is usable; the reason is that of the best bid
 */
export function* readBidResponse(json: unknown, asked: AskedFor): Reading<Ad> {
  if (json === null || json === undefined) return noAd;
  const response: unknown = Array.isArray(json) ? json[0] : json;
  if (!isObject(response)) throw wrong('$');
  const seats = listOf(response['seatbid']);
  // An empty object and a no-bid reason alone are both legal refusals to bid.
  if (seats.length === 0) return noAd;
  const { id } = response;
  if (!isAbsent(id) && textOf(id) !== asked.requestId) throw wrong('$.id');

  const warnings = new AdWarnings();
  const bids = seats.flatMap((seat, i) => bidsOf(seat, `$.seatbid[${i}]`, asked, warnings));
  bids.sort((a, b) => b.price - a.price);
  if (bids.length > MAX_BIDS) warnings.add('bid/limit', bids[MAX_BIDS]!.path, bids.length - MAX_BIDS);
  let firstFault: AdsError | null = null;
  for (const bid of bids.slice(0, MAX_BIDS)) {
    try {
      if (isBelowFloor(bid, response, asked)) {
        warnings.add('bid/floor', bid.path);
        continue;
      }
      const ad = isBlocked(bid.fields, asked.blocked) ? null : yield* readBid(bid, response, asked, warnings);
      if (ad !== null && asked.accepts(ad)) return ad;
      warnings.add(ad === null ? 'bid/blocked' : 'bid/mix', bid.path);
    } catch (error) {
      if (!isAdsError(error)) throw error;
      firstFault ??= error;
      warnings.add('bid/unusable', error.path ?? bid.path);
    }
  }
  if (firstFault !== null) throw firstFault;
  return Object.freeze({ ...noAd, ...warnings.asField });
}

interface Bid {
  readonly fields: Fields;
  readonly seat: string | undefined;
  readonly price: number;
  readonly path: string;
}

/** The bids of one seat on what was asked for. A bid without a price cannot be compared or billed. */
function bidsOf(seatBid: unknown, path: string, asked: AskedFor, warnings: AdWarnings): Bid[] {
  if (!isObject(seatBid)) {
    warnings.add('bid/unusable', path);
    return [];
  }
  const seat = textOf(seatBid['seat']);
  return listOf(seatBid['bid']).flatMap((fields, i) => {
    const at = `${path}.bid[${i}]`;
    const price = isObject(fields) ? numberOf(fields['price']) : undefined;
    if (isObject(fields) && textOf(fields['impid']) === asked.impId && price !== undefined && price >= 0) {
      return [{ fields, seat, price, path: at }];
    }
    warnings.add('bid/unusable', at);
    return [];
  });
}

/** Whether there are bids whose prices are in another currency than the floor, and so cannot be compared with it. */
export function isFloorForeign(json: unknown, floor: BidFloor | undefined): boolean {
  const response: unknown = Array.isArray(json) ? json[0] : json;
  if (floor === undefined || !isObject(response)) return false;
  return listOf(response['seatbid']).length > 0 && currencyOf(response) !== floor.currency;
}

/** Checked here, because exchanges may leave it to bidders to mind the floor. */
function isBelowFloor({ price }: Bid, response: Fields, { floor }: AskedFor): boolean {
  return floor !== undefined && currencyOf(response) === floor.currency && price < floor.price;
}

/** Currency of all bids of an answer, ISO 4217; undefined for one that cannot be read. */
function currencyOf({ cur }: Fields): string | undefined {
  if (isAbsent(cur)) return DEFAULT_CURRENCY;
  const currency = textOf(listOf(cur)[0])?.trim().toUpperCase();
  return currency !== undefined && /^[A-Z]{3}$/.test(currency) ? currency : undefined;
}

/** @param outer gets the parts of the bid that could not be used, once it is known that the bid is taken */
function* readBid(
  { fields, seat, price, path }: Bid,
  response: Fields,
  asked: AskedFor,
  outer: AdWarnings,
): Reading<Ad> {
  const warnings = new AdWarnings();
  const currency = currencyOf(response);
  if (currency === undefined) warnings.add('field/unusable', '$.cur');
  const writtenPrice = typeof fields['price'] === 'string' ? fields['price'].trim() : '';
  const values: AuctionValues = {
    AUCTION_ID: asked.requestId,
    AUCTION_IMP_ID: asked.impId,
    AUCTION_BID_ID: textOf(response['bidid']),
    AUCTION_SEAT_ID: seat,
    AUCTION_AD_ID: textOf(fields['adid']),
    // As the bidder wrote it: rounding it is not up to this package.
    AUCTION_PRICE: writtenPrice !== '' && writtenPrice.length <= MAX_VALUE_LENGTH ? writtenPrice : String(price),
    AUCTION_CURRENCY: currency,
  };
  const fill = (address: string): string => substituteMacros(completeAddress(address), values);
  /** Reads a field that may be missing; adds a warning when it is there but cannot be read. */
  const optional = <T>(from: Fields, name: string, at: string, read: (value: unknown) => T | undefined) => {
    const value = read(from[name]);
    if (value === undefined && !isAbsent(from[name])) warnings.add('field/unusable', `${at}.${name}`);
    return value;
  };

  // Before a video is asked for, which may be the notice that its bid has won.
  if (!isBillable(fields, fill)) throw wrong(`${path}.burl`, 'Its billing notice cannot be called.');
  const markup = videoMarkup(fields);
  const creative = asked.isVideo(markup)
    ? videoCreative(yield { markup, fill }, path, warnings)
    : nativeCreative({ fields, path, optional }, asked);
  const { native, link } = creative;
  const trackers = readTrackers({ bid: fields, native, link, more: creative.trackers, path, fill }, warnings);

  const bidId = idOf(fields['id']);
  const { clickUrl } = creative;
  const ad = decodeAd({
    adId: optional(fields, 'adid', path, idOf) ?? optional(fields, 'crid', path, idOf) ?? bidId ?? asked.impId,
    serveId: cut(`${asked.requestId}:${bidId ?? ''}`, 256),
    url: fill(creative.url),
    width: creative.width,
    height: creative.height,
    clickUrl: clickUrl === undefined ? undefined : fill(clickUrl),
    alt: creative.alt === undefined ? undefined : cut(creative.alt, 1_024),
    expiresInSeconds: optional(fields, 'exp', path, expiryOf),
  });
  outer.addAll(warnings.list);
  const domains = domainsOf(fields);
  const categories = categoriesOf(fields);
  const advertiser = creative.advertiser ?? domains[0];
  const told = present({
    advertiser: advertiser === undefined ? undefined : cut(advertiser, 256),
    advertiserDomains: domains.length === 0 ? undefined : Object.freeze(domains),
    categories: categories.length === 0 ? undefined : Object.freeze(categories),
    revenue: currency === undefined ? undefined : revenueOf(fields, price, currency, trackers),
  });
  return Object.freeze({ ...ad, label: asked.label, ...told, trackers: Object.freeze(trackers), ...outer.asField });
}

/**
 * Answers need not repeat the type of an image; the id of the asset then tells what the request asked for. A lone image
 * without either is the main image.
 */
function findMainImage(assets: readonly Fields[], mainImageId: number): Fields | undefined {
  const images = assets.filter(({ img }) => isObject(img));
  const typeOf = ({ img }: Fields): unknown => (img as Fields)['type'];
  return (
    images.find(({ id }) => numberOf(id) === mainImageId) ??
    images.find((asset) => numberOf(typeOf(asset)) === MAIN_IMAGE) ??
    images.find((asset, _i, { length }) => length === 1 && isAbsent(typeOf(asset)))
  );
}

/** The creative that hangs in the game, whatever kind of markup it comes from. */
interface BidCreative {
  readonly url: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly clickUrl: string | undefined;
  readonly alt: string | undefined;
  readonly advertiser: string | undefined;
  /** The object of native markup that holds the trackers; empty for a video, whose trackers are read already. */
  readonly native: Fields;
  readonly link: Fields;
  readonly trackers: readonly AdTracker[];
}

interface NativeBid {
  readonly fields: Fields;
  readonly path: string;
  optional<T>(from: Fields, name: string, at: string, read: (value: unknown) => T | undefined): T | undefined;
}

function nativeCreative({ fields, path, optional }: NativeBid, asked: AskedFor): BidCreative {
  const native = nativeMarkup(fields);
  if (native === null) throw wrong(`${path}.adm`, 'Only native markup can be shown, and VAST with the option `video`.');
  const assets = listOf(native['assets']).filter(isObject);
  const main = findMainImage(assets, asked.mainImageId);
  if (main === undefined) throw wrong(`${path}.adm.assets`, 'It has no main image.');
  const image = main['img'] as Fields;
  const url = textOf(image['url']);
  if (url === undefined) throw wrong(`${path}.adm.assets[].img.url`);
  const sponsor = wordOf(assets, asked.sponsorId, 'data', 'value')?.trim() || undefined;
  const link = isObject(main['link']) ? main['link'] : isObject(native['link']) ? native['link'] : {};
  return {
    url,
    width: optional(image, 'w', `${path}.adm.assets[].img`, sizeOf),
    height: optional(image, 'h', `${path}.adm.assets[].img`, sizeOf),
    clickUrl: optional(link, isAppLink(link) ? 'fallback' : 'url', `${path}.adm.link`, textOf),
    alt: altOf(sponsor, wordOf(assets, asked.titleId, 'title', 'text')),
    advertiser: sponsor,
    native,
    link,
    trackers: [],
  };
}

/** Whether a link leads into an app, and names a page for players without that app (Native 1.2 §5.7). */
function isAppLink({ url, fallback }: Fields): boolean {
  return !isAbsent(fallback) && typeof url === 'string' && !/^\s*(https:)?\/\//i.test(url);
}

/** Buyers also give the address of a video's markup instead of the markup, or as the win notice (OpenRTB 2.6 §4.3.1). */
function videoMarkup({ adm, nurl, mtype, ext }: Fields): string {
  const isVideo = numberOf(mtype) === VIDEO || prebidOf(ext)['type'] === 'video';
  const markup = isAbsent(adm) && isVideo ? nurl : adm;
  if (typeof markup !== 'string' || !/^\s*(https:)?\/\//i.test(markup)) return typeof markup === 'string' ? markup : '';
  const address = markup.replaceAll(']]>', '');
  return `<VAST version="3.0"><Ad><Wrapper><VASTAdTagURI><![CDATA[${address}]]></VASTAdTagURI></Wrapper></Ad></VAST>`;
}

/** @throws why the video cannot be shown */
function videoCreative(video: VideoAd | AdsError, path: string, warnings: AdWarnings): BidCreative {
  if (isAdsError(video)) throw video;
  for (const dropped of video.dropped) warnings.add(dropped.code, `${path}.adm.${dropped.path}`);
  const { url, width, height, clickUrl, title, advertiser, trackers } = video;
  const shared = { clickUrl, advertiser, native: {}, link: {}, trackers };
  return { url, width: sizeOf(width), height: sizeOf(height), alt: altOf(advertiser, title), ...shared };
}

/** The price of a bid is for a thousand impressions. */
function revenueOf(bid: Fields, price: number, currency: string, trackers: readonly AdTracker[]): AdRevenue {
  const line = idOf(bid['dealid']) ?? idOf(bid['crid']) ?? idOf(bid['adid']);
  const precision: AdRevenue['precision'] = trackers.some(({ event }) => event === 'billable') ? 'exact' : 'estimated';
  return Object.freeze(present({ value: price / 1000, currency, precision, line }));
}

/** What the asset of an id says. */
function wordOf(assets: readonly Fields[], wanted: number, kind: string, field: string): string | undefined {
  const part = assets.find(({ id }) => numberOf(id) === wanted)?.[kind];
  return isObject(part) ? textOf(part[field]) : undefined;
}

function altOf(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(': ') || undefined;
}

function sizeOf(value: unknown): number | undefined {
  const size = numberOf(value);
  return size !== undefined && size > 0 && size <= MAX_SIDE_PX ? size : undefined;
}

function expiryOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  return seconds !== undefined && seconds > 0 ? Math.min(MAX_EXPIRY_S, Math.max(1, seconds)) : undefined;
}

function wrong(path: string, why = ''): AdsError {
  return new AdsError('response/schema', `The bid response is wrong at ${path}. ${why}`.trim(), {
    path,
    hint: 'Expected an OpenRTB 2.6 bid response with Native 1.2 markup.',
  });
}

import { AdsError, isAdsError } from '../../errors.js';
import type { Ad, AdTracker, AdTrackerEvent } from '../../service/AdService.js';
import { decodeAd, noAd } from '../../service/decode.js';
import { parseJsonText } from '../../service/json.js';
import { type AuctionValues, substituteMacros } from './substituteMacros.js';

/** What the bid request said, as far as the answer must fit it. */
export interface AskedFor {
  readonly requestId: string;
  readonly impId: string;
  /** Ids of the assets asked for. */
  readonly mainImageId: number;
  readonly titleId: number;
  readonly sponsorId: number;
}

const MAX_BIDS = 100;
const MAX_MARKUP_LENGTH = 65_536;
/** Of one ad, of all events together. */
const MAX_TRACKERS = 32;
const MAX_URL_LENGTH = 2_048;
const DEFAULT_CURRENCY = 'USD';

/** Tracking by image (Native 1.2 §7.7). Scripts (2) are never run. */
const BY_IMAGE = 1;
const MAIN_IMAGE = 3;

const EVENT_NAMES: Readonly<Record<number, AdTrackerEvent>> = Object.freeze({
  1: 'impression',
  2: 'viewable-mrc50',
  3: 'viewable-mrc100',
  4: 'viewable-video50',
});

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a bid response (OpenRTB 2.6 §4.2) whose markup is a native ad (Native 1.2 §5): the best bid that can be shown.
 * No bid, told in any of the ways of §7.1, is "no ad".
 *
 * Nothing of the answer is run: HTML, scripts and VAST are no ad here, `nurl` is the exchange's business.
 * @throws AdsError `response/…` when there are bids but none is usable; the reason is that of the best bid
 */
export function readBidResponse(json: unknown, asked: AskedFor): Ad {
  if (json === null || json === undefined) return noAd;
  const response = fieldsOf(json, '$');
  const seats = listOf(response['seatbid']);
  // An empty object and a no-bid reason alone are both legal refusals to bid.
  if (seats.length === 0) return noAd;
  if (response['id'] !== asked.requestId) throw wrong('$.id');

  const bids = seats.flatMap((seat, i) => bidsOf(seat, `$.seatbid[${i}]`, asked)).slice(0, MAX_BIDS);
  bids.sort((a, b) => b.price - a.price);
  let firstFault: AdsError | null = null;
  for (const bid of bids) {
    try {
      return readBid(bid, response, asked);
    } catch (error) {
      if (!isAdsError(error)) throw error;
      firstFault ??= error;
    }
  }
  if (firstFault !== null) throw firstFault;
  return noAd;
}

interface Bid {
  readonly fields: Fields;
  readonly seat: string | undefined;
  readonly price: number;
  readonly path: string;
}

/** The bids of one seat on what was asked for. */
function bidsOf(seatBid: unknown, path: string, asked: AskedFor): Bid[] {
  if (!isObject(seatBid)) return [];
  const seat = textOf(seatBid['seat']);
  return listOf(seatBid['bid']).flatMap((bid, i) => {
    if (!isObject(bid) || bid['impid'] !== asked.impId) return [];
    const { price } = bid;
    // A price that is none says nothing of the ad, but a bid without one cannot be compared or billed.
    if (typeof price !== 'number' || !Number.isFinite(price) || price < 0) return [];
    return [{ fields: bid, seat, price, path: `${path}.bid[${i}]` }];
  });
}

function readBid({ fields, seat, price, path }: Bid, response: Fields, asked: AskedFor): Ad {
  const bidId = textOf(fields['id']);
  if (bidId === undefined) throw wrong(`${path}.id`);
  const adId = textOf(fields['adid']);
  const native = readMarkup(fields['adm'], `${path}.adm`);
  const values: AuctionValues = {
    AUCTION_ID: asked.requestId,
    AUCTION_IMP_ID: asked.impId,
    AUCTION_BID_ID: textOf(response['bidid']) ?? '',
    AUCTION_SEAT_ID: seat ?? '',
    AUCTION_AD_ID: adId ?? '',
    AUCTION_PRICE: String(price),
    AUCTION_CURRENCY: textOf(response['cur']) ?? DEFAULT_CURRENCY,
  };
  const fill = (address: string): string => substituteMacros(address, values);

  const assets = listOf(native['assets']).filter(isObject);
  const main = findMainImage(assets, asked.mainImageId);
  if (main === undefined) throw wrong(`${path}.adm.assets`, 'It has no main image.');
  const image = fieldsOf(main['img'], `${path}.adm.assets[].img`);
  const url = textOf(image['url']);
  if (url === undefined) throw wrong(`${path}.adm.assets[].img.url`);
  const link = isObject(main['link']) ? main['link'] : isObject(native['link']) ? native['link'] : {};
  const clickUrl = textOf(link['url']);
  const alt = altOf(assets, asked);
  const expiry = fields['exp'];
  return Object.freeze({
    ...decodeAd({
      adId: (adId ?? textOf(fields['crid']) ?? bidId).slice(0, 256),
      serveId: `${asked.requestId}:${bidId}`.slice(0, 256),
      url: fill(url),
      width: sizeOf(image['w']),
      height: sizeOf(image['h']),
      clickUrl: clickUrl === undefined ? undefined : fill(clickUrl),
      alt,
      expiresInSeconds: typeof expiry === 'number' && expiry > 0 ? Math.min(86_400, Math.max(1, expiry)) : undefined,
    }),
    trackers: Object.freeze(readTrackers(fields, native, link, fill)),
  });
}

/** The native object: a string of JSON in `adm`; some exchanges send it as it is, or inside of `{ native: … }` (1.0). */
function readMarkup(adm: unknown, path: string): Fields {
  let markup = adm;
  if (typeof adm === 'string') {
    if (adm.length > MAX_MARKUP_LENGTH) throw new AdsError('response/too-large', 'The markup of a bid is too long');
    try {
      markup = parseJsonText(adm);
    } catch (error) {
      // HTML or VAST, most likely.
      throw isAdsError(error, 'response/not-json') ? wrong(path, 'Only native markup can be shown.') : error;
    }
  }
  const fields = fieldsOf(markup, path);
  return isObject(fields['native']) ? fields['native'] : fields;
}

/** Answers need not repeat the type of an image; the id of the asset then tells what it was asked for as. */
function findMainImage(assets: readonly Fields[], mainImageId: number): Fields | undefined {
  const images = assets.filter(({ img }) => isObject(img));
  return (
    images.find(({ id }) => id === mainImageId) ?? images.find(({ img }) => (img as Fields)['type'] === MAIN_IMAGE)
  );
}

function altOf(assets: readonly Fields[], asked: AskedFor): string | undefined {
  const words = (id: number, kind: 'title' | 'data', field: string): string | undefined => {
    const part = assets.find((asset) => asset['id'] === id)?.[kind];
    return isObject(part) ? textOf(part[field]) : undefined;
  };
  const parts = [words(asked.sponsorId, 'data', 'value'), words(asked.titleId, 'title', 'text')];
  const alt = parts.filter((part) => part !== undefined).join(': ');
  return alt === '' ? undefined : alt.slice(0, 1_024);
}

function readTrackers(bid: Fields, native: Fields, link: Fields, fill: (address: string) => string): AdTracker[] {
  const trackers: AdTracker[] = [];
  const add = (event: AdTrackerEvent, address: unknown): void => {
    if (typeof address !== 'string' || address.length > MAX_URL_LENGTH || trackers.length >= MAX_TRACKERS) return;
    const url = fill(address);
    const isKnown = trackers.some((tracker) => tracker.event === event && tracker.url === url);
    if (/^https:\/\//i.test(url) && !isKnown) trackers.push(Object.freeze({ event, url }));
  };
  // First, so that a flood of other trackers does not push it out.
  add('billable', bid['burl']);
  for (const tracker of listOf(native['eventtrackers'])) {
    if (!isObject(tracker) || tracker['method'] !== BY_IMAGE) continue;
    const { event } = tracker;
    const name = typeof event === 'number' ? EVENT_NAMES[event] : undefined;
    if (name !== undefined) add(name, tracker['url']);
  }
  // How 1.0 and 1.1 told the same as event 1.
  for (const address of listOf(native['imptrackers'])) add('impression', address);
  for (const address of listOf(link['clicktrackers'])) add('click', address);
  return trackers;
}

function fieldsOf(value: unknown, path: string): Fields {
  if (!isObject(value)) throw wrong(path);
  return value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Some exchanges send ids as numbers. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function sizeOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && value <= 16_384 ? value : undefined;
}

function wrong(path: string, why = ''): AdsError {
  return new AdsError('response/schema', `The bid response is wrong at ${path}. ${why}`.trim(), {
    path,
    hint: 'Expected an OpenRTB 2.6 bid response with Native 1.2 markup.',
  });
}

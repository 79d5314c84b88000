import type { AdTracker, AdTrackerEvent } from '../../service/AdService.js';
import { type AdWarnings, MAX_TRACKERS } from '../../service/AdWarnings.js';
import { readTrackerUrl } from '../../service/trackerUrl.js';
import { type Fields, isAbsent, isObject, listOf, numberOf, prebidOf } from './foreignValues.js';

/** Tracking by image (Native 1.2 §7.7). Scripts (2) are never run. */
const BY_IMAGE = 1;
const BY_SCRIPT = 2;

/** Of so many addresses none more is looked at: an answer may hold some hundred thousand, and each one takes 10 µs. */
const MAX_ADDRESSES = 2 * MAX_TRACKERS;

const EVENT_NAMES: Readonly<Record<number, AdTrackerEvent>> = Object.freeze({
  1: 'impression',
  2: 'viewable-mrc50',
  3: 'viewable-mrc100',
  4: 'viewable-video50',
});

/** Where the parts of a bid that hold trackers are, and how the macros of an address are filled. */
interface TrackedBid {
  readonly bid: Fields;
  readonly native: Fields;
  readonly link: Fields;
  /** Trackers of other markup, read already. */
  readonly more: readonly AdTracker[];
  /** JSON path of the bid. */
  readonly path: string;
  fill(address: string): string;
}

/** False when the billing notice of a bid (`burl`) is there and cannot be called. */
export function isBillable({ burl }: Fields, fill: TrackedBid['fill']): boolean {
  return isAbsent(burl) || urlOf(burl, fill) !== null;
}

function urlOf(given: unknown, fill: TrackedBid['fill']): string | null {
  return readTrackerUrl(typeof given === 'string' ? fill(given) : given);
}

/** All trackers of a bid. Each one that cannot be called is added to `warnings`. */
export function readTrackers({ bid, native, link, more, path, fill }: TrackedBid, warnings: AdWarnings): AdTracker[] {
  const trackers: AdTracker[] = [];
  const markup = `${path}.adm`;
  let looked = 0;
  const add = (event: AdTrackerEvent, given: unknown, from: string): void => {
    const isTooMany = ++looked > MAX_ADDRESSES;
    const url = isTooMany ? null : urlOf(given, fill);
    if (isTooMany) warnings.add('tracker/limit', from);
    else if (url === null) warnings.add('tracker/address', from);
    else if (trackers.some((known) => known.event === event && known.url === url)) return;
    else if (trackers.length >= MAX_TRACKERS) warnings.add('tracker/limit', from);
    else trackers.push(Object.freeze({ event, url }));
  };
  const addAll = (event: AdTrackerEvent, list: unknown, from: string): void =>
    listOf(list).forEach((address, i) => add(event, address, `${from}[${i}]`));

  // Read first, so that a flood of other trackers does not push it out.
  const { burl } = bid;
  if (!isAbsent(burl)) add('billable', burl, `${path}.burl`);
  listOf(native['eventtrackers']).forEach((tracker, i) => {
    const from = `${markup}.eventtrackers[${i}]`;
    const { event, method, url } = isObject(tracker) ? tracker : ({} as Fields);
    const name = EVENT_NAMES[numberOf(event) ?? 0];
    const by = numberOf(method);
    if (by === BY_SCRIPT) warnings.add('tracker/script', from);
    else if (by !== BY_IMAGE || name === undefined) warnings.add('tracker/event', from);
    else add(name, url, from);
  });
  // Native 1.0 and 1.1 give event 1 in these two fields, by image and by script.
  addAll('impression', native['imptrackers'], `${markup}.imptrackers`);
  if (!isAbsent(native['jstracker'])) warnings.add('tracker/script', `${markup}.jstracker`);
  // Prebid Server's own, where the account has them.
  const { win, imp } = eventsOf(bid);
  if (!isAbsent(win)) add('loaded', win, `${path}.ext.prebid.events.win`);
  if (!isAbsent(imp)) add('impression', imp, `${path}.ext.prebid.events.imp`);
  for (const { event, url } of more) add(event, url, markup);
  addAll('click', link['clicktrackers'], `${markup}.link.clicktrackers`);
  return trackers;
}

function eventsOf({ ext }: Fields): Fields {
  const { events } = prebidOf(ext);
  return isObject(events) ? events : {};
}

import { AdsError } from '../../errors.js';
import { MAX_ANSWER_BYTES } from '../../service/http.js';
import { completeAddress } from '../../service/trackerUrl.js';

/** What the numbers of VAST's errors say (VAST 4.3 §2.3.6.3). */
export const VastError = {
  NO_XML: 100,
  WRONG_SCHEMA: 101,
  WRAPPER: 300,
  WRAPPER_TIMEOUT: 301,
  TOO_MANY_WRAPPERS: 302,
  NO_AD: 303,
  NO_MEDIA: 403,
} as const;

/** An address to be called, for the event VAST names. */
export interface VastTracking {
  readonly event: string;
  readonly url: string;
}

export interface VastMediaFile {
  readonly url: string;
  /** Lower case, without parameters. */
  readonly type: string;
  readonly width: number;
  readonly height: number;
  /** In kilobits per second; NaN when it is not said. */
  readonly bitrate: number;
  /** Code that has to be run, such as VPAID: never used. */
  readonly needsCode: boolean;
  readonly isStreamed: boolean;
}

/** One ad of a VAST document: with its video, or a wrapper around another document. */
export interface VastAd {
  /** Address of the document inside; null for an ad that is whole. */
  readonly wrapped: string | null;
  readonly trackings: readonly VastTracking[];
  readonly errors: readonly string[];
  readonly mediaFiles: readonly VastMediaFile[];
  readonly durationSeconds: number;
  readonly clickUrl: string | null;
  readonly title: string | null;
  readonly advertiser: string | null;
  /** The ad brings scripts that measure it, which are never run. */
  readonly hasVerification: boolean;
}

/** What a document says that has no ad: whom to tell, at least. */
export interface VastDocument {
  readonly ads: readonly VastAd[];
  readonly errors: readonly string[];
}

const MAX_ADS = 10;
const MAX_URLS = 100;

/**
 * Reads a VAST document (2.0 to 4.3). What it has no use for is skipped: companions, non-linear ads, icons.
 * @param parseXml as `DOMParser`, which tells of faults by an element `parsererror`
 * @throws AdsError `response/too-large`, `response/schema`
 */
export function readVast(text: string, parseXml: (text: string) => Document): VastDocument {
  if (text.length > MAX_ANSWER_BYTES) throw new AdsError('response/too-large', 'A VAST document is too long');
  // Entities of its own can make a short document very long.
  const isOdd = /<!(DOCTYPE|ENTITY)/i.test(text);
  const root = isOdd ? null : parseXml(text.replace(/^\ufeff/, '').trim()).documentElement;
  if (root === null || root.localName.toUpperCase() !== 'VAST' || root.getElementsByTagName('parsererror').length > 0) {
    throw new AdsError('response/schema', 'A VAST document is no VAST', { path: '$.adm' });
  }
  const ads = children(root, 'Ad')
    .sort((a, b) => sequenceOf(a) - sequenceOf(b))
    .slice(0, MAX_ADS);
  return {
    ads: ads.flatMap((ad) => {
      const body = child(ad, 'InLine') ?? child(ad, 'Wrapper');
      return body === null ? [] : [readAd(body)];
    }),
    errors: texts(root, 'Error'),
  };
}

/** An ad that stands alone comes before those of a pod. */
function sequenceOf(ad: Element): number {
  return Number(ad.getAttribute('sequence') ?? 0) || 0;
}

function readAd(body: Element): VastAd {
  const linears = children(child(body, 'Creatives'), 'Creative').flatMap((creative) => children(creative, 'Linear'));
  const linear = linears.find((candidate) => child(candidate, 'MediaFiles') !== null) ?? null;
  const isWrapper = body.localName.toLowerCase() === 'wrapper';
  const viewable = child(body, 'ViewableImpression');
  // Trackers of a wrapper hold for whatever is inside, in whichever creative they stand.
  const tracked = linear === null || isWrapper ? linears : [linear];
  const trackings = [
    ...texts(body, 'Impression').map((url) => ({ event: 'impression', url })),
    ...(['Viewable', 'NotViewable', 'ViewUndetermined'] as const).flatMap((event) =>
      texts(viewable, event).map((url) => ({ event, url })),
    ),
    ...tracked.flatMap((part) => [
      ...children(child(part, 'TrackingEvents'), 'Tracking').map((tracking) => ({
        event: tracking.getAttribute('event') ?? '',
        url: wordsOf(tracking),
      })),
      ...texts(child(part, 'VideoClicks'), 'ClickTracking').map((url) => ({ event: 'click', url })),
    ]),
  ];
  return {
    wrapped: isWrapper ? (texts(body, 'VASTAdTagURI')[0] ?? '') : null,
    trackings: trackings.slice(0, MAX_URLS),
    errors: texts(body, 'Error'),
    mediaFiles: children(child(linear, 'MediaFiles'), 'MediaFile').map(readMediaFile),
    durationSeconds: secondsOf(texts(linear, 'Duration')[0] ?? ''),
    clickUrl: texts(child(linear, 'VideoClicks'), 'ClickThrough')[0] ?? null,
    title: texts(body, 'AdTitle')[0] ?? null,
    advertiser: texts(body, 'Advertiser')[0] ?? null,
    hasVerification: child(body, 'AdVerifications') !== null,
  };
}

function readMediaFile(file: Element): VastMediaFile {
  const number = (name: string): number => Number.parseFloat(file.getAttribute(name) ?? '');
  return {
    url: completeAddress(wordsOf(file)),
    type: (file.getAttribute('type') ?? '').toLowerCase().split(';')[0]!.trim(),
    width: number('width') || 0,
    height: number('height') || 0,
    bitrate: Number.isNaN(number('bitrate')) ? number('maxBitrate') : number('bitrate'),
    needsCode: (file.getAttribute('apiFramework') ?? '') !== '',
    isStreamed: file.getAttribute('delivery')?.toLowerCase() === 'streaming',
  };
}

/** `HH:MM:SS.mmm`; NaN for what is none. */
function secondsOf(text: string): number {
  const [, hours, minutes, seconds] = /^(\d+):(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(text) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** By name, whatever its case and prefix. */
function children(parent: Element | null, name: string): Element[] {
  if (parent === null) return [];
  return [...parent.children].filter(({ localName }) => localName.toLowerCase() === name.toLowerCase());
}

function child(parent: Element | null, name: string): Element | null {
  return children(parent, name)[0] ?? null;
}

function texts(parent: Element | null, name: string): string[] {
  return children(parent, name).map(wordsOf).filter((text) => text !== '').slice(0, MAX_URLS); // prettier-ignore
}

function wordsOf({ textContent }: Element): string {
  return (textContent as string | null)?.trim() ?? '';
}

import { MAX_ANSWER_BYTES } from '../../service/http.js';
import { completeAddress } from '../../service/trackerUrl.js';
import { VastError, VastFault } from './VastFault.js';

/** An address to be called, for the event VAST names. */
interface VastTracking {
  readonly event: string;
  readonly url: string;
}

export interface VastMediaFile {
  readonly url: string;
  /** Lower case, without parameters; derived from the ending of the address if the document gives none. */
  readonly type: string;
  /** The type to ask a browser with whether it plays the file: with the codecs, if the document gives them. */
  readonly fullType: string;
  readonly width: number;
  readonly height: number;
  /** In kilobits per second; NaN when it is not said. */
  readonly bitrate: number;
  /** NaN when it is not said. */
  readonly bytes: number;
  /** Code that has to be run, such as VPAID: never used. */
  readonly needsCode: boolean;
  readonly isStreamed: boolean;
}

/** One ad of a VAST document: with its video, or a wrapper around another document. */
export interface VastAd {
  /** Address of the document inside; null for an ad that is whole. */
  readonly wrapped: string | null;
  /** Of a wrapper: whether another wrapper may be inside. */
  readonly followsWrappers: boolean;
  /** Of a wrapper: whether any but the first ad inside may be shown. */
  readonly allowsMore: boolean;
  /** Only for players that run its code (VAST 4.1). */
  readonly isConditional: boolean;
  /** `video` where it is not said. */
  readonly adType: string;
  /** The ad has a creative that is a video, or one that lies over the content; without meaning for a wrapper. */
  readonly hasLinear: boolean;
  readonly hasNonLinear: boolean;
  readonly trackings: readonly VastTracking[];
  readonly errors: readonly string[];
  readonly mediaFiles: readonly VastMediaFile[];
  readonly durationSeconds: number;
  readonly clickUrl: string | null;
  readonly title: string | null;
  readonly advertiser: string | null;
  /** The ad brings scripts that measure it, which are never run; `trackings` tells that with `verificationNotExecuted`. */
  readonly hasVerification: boolean;
}

/** The ads of a document; for one without ads, at least whom to tell. */
interface VastDocument {
  readonly ads: readonly VastAd[];
  readonly errors: readonly string[];
}

const MAX_ADS = 10;
const MAX_FILES = 100;
/** Of one kind of address. More than an ad may call: whoever takes them tells of those that are too many. */
const MAX_URLS = 1_000;
/** Comments and processing instructions. Of some ten thousand before or after the root, Chromium freezes for seconds. */
const MAX_NOTES = 1_000;

/**
 * Reads a VAST document (2.0 to 4.3). Parts this package has no use for are skipped: companions, non-linear ads, icons.
 * @param parseXml as `DOMParser`, which tells of faults by an element `parsererror`
 * @throws VastFault
 */
export function readVast(text: string, parseXml: (text: string) => Document): VastDocument {
  if (text.length > MAX_ANSWER_BYTES) {
    throw new VastFault(VastError.WRONG_SCHEMA, 'A VAST document is too long', 'response/too-large');
  }
  if (text.split(/<!--|<\?/).length > MAX_NOTES) {
    throw new VastFault(VastError.WRONG_SCHEMA, 'A VAST document has too many comments');
  }
  // A server that has no ad may answer with nothing at all.
  if (text.trim() === '') return { ads: [], errors: [] };
  const root = hasDoctype(text) ? null : parseXml(text.trim()).documentElement;
  if (root === null || root.getElementsByTagName('parsererror').length > 0 || root.localName === 'parsererror') {
    throw new VastFault(VastError.NO_XML, 'A VAST document is no XML');
  }
  if (root.localName === 'VideoAdServingTemplate') throw new VastFault(VastError.WRONG_VERSION, 'VAST 1 is not read');
  if (root.localName.toUpperCase() !== 'VAST') throw new VastFault(VastError.WRONG_SCHEMA, 'A document is no VAST');
  const ads = children(root, 'Ad')
    .sort((a, b) => sequenceOf(a) - sequenceOf(b))
    .slice(0, MAX_ADS);
  return {
    ads: ads.flatMap((ad) => {
      const body = child(ad, 'InLine') ?? child(ad, 'Wrapper');
      return body === null ? [] : [readAd(ad, body)];
    }),
    errors: texts(root, 'Error'),
  };
}

/**
 * Entities that a document declares can make a short document very long. They are declared before the root, so only that part
 * is searched: a companion that is an HTML page, in CDATA, may well have a document type.
 */
function hasDoctype(text: string): boolean {
  const prolog = /^(?:\s|\ufeff|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/.exec(text)![0];
  return text.startsWith('<!', prolog.length);
}

/** An ad that stands alone comes before those of a pod. */
function sequenceOf(ad: Element): number {
  return Number(ad.getAttribute('sequence') ?? 0) || 0;
}

function readAd(ad: Element, body: Element): VastAd {
  const creatives = children(child(body, 'Creatives'), 'Creative');
  const linears = creatives.flatMap((creative) => children(creative, 'Linear'));
  const linear = linears.find((candidate) => child(candidate, 'MediaFiles') !== null) ?? null;
  const isWrapper = body.localName.toLowerCase() === 'wrapper';
  const viewable = child(body, 'ViewableImpression');
  // Before VAST 4 scripts that measure stood among the extensions.
  const extensions = children(child(body, 'Extensions'), 'Extension');
  const verifications = [body, ...extensions].flatMap((holder) => children(child(holder, 'AdVerifications'), 'Verification')); // prettier-ignore
  // Trackers of a wrapper hold for whatever is inside, in whichever creative they stand.
  const tracked = linear === null || isWrapper ? linears : [linear];
  const trackings = [
    ...texts(body, 'Impression').map((url) => ({ event: 'impression', url })),
    ...(['Viewable', 'NotViewable', 'ViewUndetermined'] as const).flatMap((event) =>
      texts(viewable, event).map((url) => ({ event, url })),
    ),
    ...verifications.flatMap((verification) => trackingsOf(verification).filter(({ event }) => event === 'verificationNotExecuted')), // prettier-ignore
    ...tracked.flatMap((part) => [
      ...trackingsOf(part),
      ...texts(child(part, 'VideoClicks'), 'ClickTracking').map((url) => ({ event: 'click', url })),
    ]),
  ];
  return {
    wrapped: isWrapper ? (texts(body, 'VASTAdTagURI')[0] ?? '') : null,
    followsWrappers: !isFalse(body, 'followAdditionalWrappers'),
    allowsMore: !isFalse(body, 'allowMultipleAds'),
    isConditional: /^\s*(true|1)\s*$/i.test(ad.getAttribute('conditionalAd') ?? ''),
    adType: (ad.getAttribute('adType') ?? 'video').trim().toLowerCase(),
    hasLinear: linears.length > 0,
    hasNonLinear: creatives.some((creative) => child(creative, 'NonLinearAds') !== null),
    trackings: trackings.slice(0, MAX_URLS),
    errors: texts(body, 'Error'),
    mediaFiles: children(child(linear, 'MediaFiles'), 'MediaFile').slice(0, MAX_FILES).map(readMediaFile),
    durationSeconds: secondsOf(texts(linear, 'Duration')[0] ?? ''),
    clickUrl: tracked.flatMap((part) => texts(child(part, 'VideoClicks'), 'ClickThrough'))[0] ?? null,
    title: texts(body, 'AdTitle')[0] ?? null,
    advertiser: texts(body, 'Advertiser')[0] ?? null,
    hasVerification: verifications.length > 0,
  };
}

function trackingsOf(part: Element): VastTracking[] {
  return children(child(part, 'TrackingEvents'), 'Tracking').map((tracking) => ({
    event: (tracking.getAttribute('event') ?? '').trim(),
    url: wordsOf(tracking),
  }));
}

/** An attribute that is left out does not forbid, whatever default a version of VAST has: servers rarely mean that default. */
function isFalse(body: Element, name: string): boolean {
  return /^\s*(false|0)\s*$/i.test(body.getAttribute(name) ?? '');
}

function readMediaFile(file: Element): VastMediaFile {
  const number = (name: string): number => Number.parseFloat(file.getAttribute(name) ?? '');
  const url = completeAddress(wordsOf(file));
  const said = (file.getAttribute('type') ?? '').trim();
  const [, ending] = /\.(mp4|webm)$/i.exec(url.split(/[?#]/)[0]!) ?? [];
  const fullType = said === '' && ending !== undefined ? `video/${ending.toLowerCase()}` : said;
  const codec = (file.getAttribute('codec') ?? '').trim();
  return {
    url,
    type: fullType.toLowerCase().split(';')[0]!.trim(),
    fullType: fullType.includes(';') || !isCodecs(codec) ? fullType : `${fullType}; codecs="${codec}"`,
    width: number('width') || 0,
    height: number('height') || 0,
    bitrate: Number.isNaN(number('bitrate')) ? number('maxBitrate') : number('bitrate'),
    bytes: number('fileSize'),
    needsCode: (file.getAttribute('apiFramework') ?? '') !== '',
    isStreamed: file.getAttribute('delivery')?.toLowerCase() === 'streaming',
  };
}

/** In the form of RFC 6381, such as `avc1.42E01E, mp4a.40.2`; browsers know no other form. */
function isCodecs(text: string): boolean {
  return /^\w{4}\.[\w.]+(\s*,\s*\w{4}(\.[\w.]+)?)*$/.test(text);
}

/** Reads `HH:MM:SS.mmm`, or seconds alone, as some servers write them; NaN for any other text. */
function secondsOf(text: string): number {
  const [, hours = 0, minutes = 0, seconds] = /^(?:(\d+):(\d{1,2}):)?(\d+(?:\.\d+)?)$/.exec(text) ?? [];
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
  return textContent.trim();
}

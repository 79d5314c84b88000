import { AdsError, isAdsError } from '../../errors.js';
import { fillErrorCode, fillVerificationReason } from '../../report/trackerMacros.js';
import type { AdSurface, AdTracker, AdTrackerEvent } from '../../service/AdService.js';
import { MAX_TRACKERS } from '../../service/AdWarnings.js';
import { browserEnvironment, type ClientEnvironment } from '../../service/environment.js';
import { createHttp, isSuccess } from '../../service/http.js';
import { present } from '../../service/present.js';
import { statusFault } from '../../service/serviceFault.js';
import { readTrackerUrl } from '../../service/trackerUrl.js';
import type { VideoAd, VideoContext, VideoMarkup } from '../openrtb/VideoMarkup.js';
import { chooseMediaFile, MAX_SECONDS, VIDEO_TYPES } from './chooseMediaFile.js';
import { readVast, type VastAd, type VastMediaFile } from './readVast.js';
import { VastError, VastFault } from './VastFault.js';

export interface VastVideoOptions {
  /**
   * How many wrappers may lie around a video, 0–10.
   * @default 5
   */
  readonly maxWrappers?: number;
  /**
   * How long the wrappers of all videos of one auction may take together, in milliseconds, 50–30000. Videos without wrappers
   * are read after that, too.
   * @default 3000
   */
  readonly timeoutMs?: number;
}

/** What reading VAST needs of the world. */
export interface VastEnvironment extends ClientEnvironment {
  parseXml(text: string): Document;
  /** Whether the browser plays videos of a type. */
  canPlay(type: string): boolean;
}

/** VAST 2.0 to 4.3, inline and wrappers (OpenRTB 2.6, AdCOM "Creative Subtypes - Audio/Video"). */
const PROTOCOLS = [2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16];
/** Standalone: no content around it (plcmt); by itself in view, without sound (playback); a whole file (delivery). */
const STANDALONE = 4;
const IN_VIEW_MUTED = 6;
const PROGRESSIVE = 2;

/** The most documents that are fetched for one video, however its wrappers branch. */
const MAX_REQUESTS = 20;

/** One bid being read. */
interface Walk {
  readonly context: VideoContext;
  /** When all wrappers have to be there, on the monotonic clock. */
  readonly endsAt: number;
  requests: number;
  /** Addresses called to tell why an ad cannot be shown. */
  told: number;
}

/** An ad that can be shown. */
interface FoundVideo {
  /** The ad and what is around it, the ad first. */
  readonly layers: readonly VastAd[];
  readonly file: VastMediaFile;
}

/** What is measured of a video, by VAST's names. */
const EVENTS: Readonly<Record<string, AdTrackerEvent>> = Object.freeze({
  impression: 'impression',
  creativeView: 'impression',
  loaded: 'loaded',
  start: 'start',
  firstQuartile: 'firstQuartile',
  midpoint: 'midpoint',
  thirdQuartile: 'thirdQuartile',
  complete: 'complete',
  click: 'click',
  // Called when the ad hangs: its script has not been run then.
  verificationNotExecuted: 'loaded',
  Viewable: 'viewable',
  NotViewable: 'not-viewable',
  ViewUndetermined: 'view-undetermined',
});

/**
 * Reads video bids whose markup is VAST (2.0 to 4.3): the option `video` of `OpenRtbAds`. Wrappers are followed within
 * bounds, and the media file that suits the surface and the browser is taken. Nothing of it is run: no VPAID, no SIMID, no
 * scripts. It plays muted, while it can be seen, as every video creative; its trackers are called by what is measured.
 *
 * ```ts
 * new OpenRtbAds({ endpoint, surfaces, video: new VastVideo() })
 * ```
 */
export class VastVideo implements VideoMarkup {
  readonly #maxWrappers: number;
  readonly #timeoutMs: number;
  readonly #environment: VastEnvironment;

  /** @throws AdsError `config/option`, `config/timeout` */
  constructor(options: VastVideoOptions = {}, environment: VastEnvironment = browserVastEnvironment()) {
    const { maxWrappers = 5, timeoutMs = 3_000 } = { ...options };
    if (!Number.isInteger(maxWrappers) || maxWrappers < 0 || maxWrappers > 10) {
      throw new AdsError('config/option', 'VastVideo: expected `maxWrappers` to be a whole number from 0 to 10');
    }
    if (typeof timeoutMs !== 'number' || !(timeoutMs >= 50 && timeoutMs <= 30_000)) {
      throw new AdsError('config/timeout', 'VastVideo: expected `timeoutMs` to be a number from 50 to 30000');
    }
    this.#maxWrappers = maxWrappers;
    this.#timeoutMs = timeoutMs;
    this.#environment = environment;
  }

  request({ width, height }: AdSurface): object {
    return {
      mimes: VIDEO_TYPES,
      protocols: PROTOCOLS,
      ...(width === undefined || height === undefined ? {} : { w: Math.round(width), h: Math.round(height) }),
      minduration: 1,
      maxduration: MAX_SECONDS,
      plcmt: STANDALONE,
      linearity: 1,
      skip: 0,
      startdelay: 0,
      playbackmethod: [IN_VIEW_MUTED],
      delivery: [PROGRESSIVE],
    };
  }

  isMarkup(text: string): boolean {
    return /^\s*<(\?xml|!--|(\w+:)?vast\b)/i.test(text.slice(0, 1_000)) && /<(\w+:)?vast\b/i.test(text);
  }

  async read(markup: string, context: VideoContext): Promise<VideoAd> {
    const walk: Walk = { context, endsAt: context.begunAt + this.#timeoutMs, requests: 0, told: 0 };
    try {
      return videoOf(await this.#read(markup, walk, 0, true));
    } catch (error) {
      throw error instanceof VastFault ? error.toAdsError() : error;
    }
  }

  /**
   * The first ad of a document that can be shown; ads that stand alone come before those of a pod. A surface shows one ad. If an
   * ad cannot be shown, its buyer is told why, and the next one gets its turn.
   * @throws VastFault why the first one cannot be shown
   */
  async #read(
    text: string,
    walk: Walk,
    depth: number,
    allowsMore: boolean,
    followsWrappers = true,
  ): Promise<FoundVideo> {
    const { ads, errors } = readVast(text, (xml) => this.#environment.parseXml(xml));
    if (ads.length === 0) {
      tell(walk, errors, VastError.NO_AD);
      throw new VastFault(VastError.NO_AD, 'A VAST document has no ad');
    }
    let first: VastFault | null = null;
    for (const ad of allowsMore ? ads : ads.slice(0, 1)) {
      try {
        return ad.wrapped === null
          ? { layers: [ad], file: this.#fileOf(ad, walk.context) }
          : await this.#unwrap(ad, ad.wrapped, walk, depth, followsWrappers);
      } catch (error) {
        // Aborted because nobody waits any more: there is nothing wrong with the ad.
        if (isAdsError(error, 'net/aborted')) throw error;
        tell(walk, ad.errors, error instanceof VastFault ? error.number : VastError.UNDEFINED);
        if (!(error instanceof VastFault)) throw error;
        first ??= error;
      }
    }
    throw first!;
  }

  async #unwrap(ad: VastAd, wrapped: string, walk: Walk, depth: number, isFollowed: boolean): Promise<FoundVideo> {
    if (!isFollowed) throw new VastFault(VastError.NO_AD, 'A wrapper has another one inside, and wants none');
    if (depth >= this.#maxWrappers) throw new VastFault(VastError.TOO_MANY_WRAPPERS, 'A video has too many wrappers');
    if (++walk.requests > MAX_REQUESTS) throw new VastFault(VastError.TOO_MANY_WRAPPERS, 'A video has too many wrappers in all'); // prettier-ignore
    const { context, endsAt } = walk;
    const url = readTrackerUrl(context.fill(wrapped));
    if (url === null) throw new VastFault(VastError.WRAPPER, 'The address of a wrapper cannot be asked');
    const text = await this.#fetch(url, endsAt - this.#environment.now(), context.signal);
    const { layers, file } = await this.#read(text, walk, depth + 1, ad.allowsMore, ad.followsWrappers);
    return { layers: [...layers, ad], file };
  }

  /** @throws VastFault */
  #fileOf(ad: VastAd, { surface }: VideoContext): VastMediaFile {
    if (ad.isConditional) throw new VastFault(VastError.CONDITIONAL, 'An ad is only for players that run its code');
    if (ad.adType !== 'video' && ad.adType !== 'hybrid') throw new VastFault(VastError.WRONG_AD_TYPE, 'An ad is no video'); // prettier-ignore
    if (!ad.hasLinear) throw new VastFault(ad.hasNonLinear ? VastError.NOT_LINEAR : VastError.WRONG_SCHEMA, 'An ad has no video'); // prettier-ignore
    if (ad.durationSeconds > MAX_SECONDS) throw new VastFault(VastError.TOO_LONG, 'A video is too long');
    const canPlay = (type: string): boolean => this.#environment.canPlay(type);
    const file = chooseMediaFile(ad.mediaFiles, ad.durationSeconds, surface, canPlay);
    if (file === null) throw new VastFault(VastError.NO_MEDIA, 'A video has no file that can be shown');
    return file;
  }

  async #fetch(url: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<string> {
    if (timeoutMs <= 0) throw new VastFault(VastError.WRAPPER_TIMEOUT, 'The wrappers of a video took too long');
    const limits = { timeoutMs, signal, answer: 'text', followsRedirects: true } as const;
    try {
      const http = createHttp(url, this.#environment);
      const answer = await http.send({ method: 'GET', path: '', headers: {}, ...limits });
      if (isSuccess(answer)) return answer.body as string;
      throw statusFault('The server of a wrapper', answer);
    } catch (error) {
      if (!isAdsError(error) || isAdsError(error, 'net/aborted')) throw error;
      throw new VastFault(VastError.WRAPPER_TIMEOUT, 'A wrapper cannot be had');
    }
  }
}

/** As many calls as a shown ad may make: a flood of them would keep the trackers of other ads from being called. */
function tell(walk: Walk, errors: readonly string[], number: number): void {
  const { fill, call } = walk.context;
  for (const url of errors) {
    if (++walk.told > MAX_TRACKERS) return;
    const address = readTrackerUrl(fillErrorCode(fill(url), number));
    if (address !== null) call(address);
  }
}

function videoOf({ layers, file }: FoundVideo): VideoAd {
  const ad = layers[0]!;
  const trackers: AdTracker[] = [];
  const dropped: VideoAd['dropped'][number][] = [];
  const add = (event: AdTrackerEvent | undefined, address: string, path: string): void => {
    const url = readTrackerUrl(address);
    if (event === undefined) dropped.push({ code: 'tracker/event', path });
    else if (url === null) dropped.push({ code: 'tracker/address', path });
    else trackers.push({ event, url });
  };
  // In VAST 2 a wrapper could say where a click leads.
  const clickUrl = layers.map((layer) => layer.clickUrl).find((url) => url !== null);
  layers.forEach((layer, i) => {
    const at = i === 0 ? 'InLine' : `Wrapper[${layers.length - 1 - i}]`;
    layer.trackings.forEach(({ event, url }) => {
      add(
        Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined,
        event === 'verificationNotExecuted' ? fillVerificationReason(url) : url,
        `${at}.${event.replace(/\W/g, '').slice(0, 40)}`,
      );
    });
    for (const url of layer.errors) add('error', url, `${at}.Error`);
    if (layer.hasVerification) dropped.push({ code: 'tracker/script', path: `${at}.AdVerifications` });
  });
  const { url, width, height } = file;
  return present({ url, width, height, clickUrl, title: ad.title, advertiser: ad.advertiser, trackers, dropped });
}

/** The browser's own. Reads every global when used, none when imported. */
function browserVastEnvironment(): VastEnvironment {
  return {
    ...browserEnvironment(),
    parseXml: (text) => new DOMParser().parseFromString(text, 'text/xml'),
    canPlay: (type) => document.createElement('video').canPlayType(type) !== '',
  };
}

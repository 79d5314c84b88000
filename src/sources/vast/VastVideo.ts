import { AdsError, isAdsError } from '../../errors.js';
import { fillErrorCode } from '../../report/trackerMacros.js';
import type { AdSurface, AdTracker, AdTrackerEvent } from '../../service/AdService.js';
import { browserEnvironment, type ClientEnvironment } from '../../service/environment.js';
import { createHttp, isSuccess } from '../../service/http.js';
import { readTrackerUrl } from '../../service/trackerUrl.js';
import type { VideoAd, VideoContext, VideoMarkup } from '../openrtb/VideoMarkup.js';
import { statusFault } from '../statusFault.js';
import { chooseMediaFile, MAX_SECONDS, VIDEO_TYPES } from './chooseMediaFile.js';
import { readVast, type VastAd, VastError, type VastMediaFile } from './readVast.js';

export interface VastVideoOptions {
  /**
   * How many wrappers may lie around a video, 0–10.
   * @default 5
   */
  readonly maxWrappers?: number;
  /**
   * How long all wrappers of one video may take together, in milliseconds, 50–30000.
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
  Viewable: 'viewable',
  NotViewable: 'not-viewable',
  ViewUndetermined: 'view-undetermined',
});

/**
 * Video bids whose markup is VAST (2.0 to 4.3): the option `video` of `OpenRtbAds`. Wrappers are followed within bounds;
 * of the media files the one is taken that suits the surface and the browser. Nothing of it is run: no VPAID, no SIMID, no
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

  /** @internal */
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

  /** @internal */
  isMarkup(text: string): boolean {
    return /^\s*\ufeff?\s*<(\?xml|!--|(\w+:)?vast\b)/i.test(text.slice(0, 1_000)) && /<(\w+:)?vast\b/i.test(text);
  }

  /** @internal */
  async read(markup: string, context: VideoContext): Promise<VideoAd> {
    const around: VastAd[] = [];
    const errors: string[] = [];
    try {
      const ad = await this.#unwrap(markup, context, around, errors);
      const file = chooseMediaFile(ad.mediaFiles, ad.durationSeconds, context.surface, (type) => this.#canPlay(type));
      if (file === null) throw new VastFault(VastError.NO_MEDIA, 'A video has no file that can be shown');
      return videoOf(ad, file, [ad, ...around], errors);
    } catch (error) {
      const code = error instanceof VastFault ? error.number : isAdsError(error) ? VastError.WRONG_SCHEMA : 900;
      for (const url of errors) {
        const address = readTrackerUrl(fillErrorCode(context.fill(url), code));
        if (address !== null) context.call(address);
      }
      throw error instanceof VastFault ? error.toAdsError() : error;
    }
  }

  #canPlay(type: string): boolean {
    return this.#environment.canPlay(type);
  }

  /**
   * The ad inside of all wrappers.
   * @param around gets the wrappers, the innermost first
   * @param errors gets whom to tell when it goes wrong from here on
   */
  async #unwrap(markup: string, context: VideoContext, around: VastAd[], errors: string[]): Promise<VastAd> {
    const { now } = this.#environment;
    const endsAt = now() + this.#timeoutMs;
    for (let text = markup; ;) {
      const document = readVast(text, (xml) => this.#environment.parseXml(xml));
      const ad = document.ads[0];
      if (ad === undefined) {
        errors.push(...document.errors);
        throw new VastFault(VastError.NO_AD, 'A VAST document has no ad');
      }
      errors.push(...ad.errors);
      if (ad.wrapped === null) return ad;
      if (around.length >= this.#maxWrappers) throw new VastFault(VastError.TOO_MANY_WRAPPERS, 'A video has too many wrappers'); // prettier-ignore
      around.unshift(ad);
      const url = readTrackerUrl(context.fill(ad.wrapped));
      if (url === null) throw new VastFault(VastError.WRAPPER, 'The address of a wrapper cannot be asked');
      text = await this.#fetch(url, endsAt - now(), context.signal);
    }
  }

  async #fetch(url: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<string> {
    if (timeoutMs <= 0) throw new VastFault(VastError.WRAPPER_TIMEOUT, 'The wrappers of a video took too long');
    const http = createHttp(url, this.#environment);
    try {
      const request = { method: 'GET', path: '', headers: {}, timeoutMs, answer: 'text' } as const;
      const answer = await http.send({ ...request, ...(signal === undefined ? {} : { signal }) });
      if (isSuccess(answer)) return answer.body as string;
      throw statusFault('The server of a wrapper', answer);
    } catch (error) {
      if (!isAdsError(error) || isAdsError(error, 'net/aborted')) throw error;
      const isLate = isAdsError(error, 'net/timeout');
      throw new VastFault(isLate ? VastError.WRAPPER_TIMEOUT : VastError.WRAPPER, 'A wrapper cannot be had');
    }
  }
}

/** Why a video cannot be shown, by VAST's number. */
class VastFault extends Error {
  constructor(
    readonly number: number,
    message: string,
  ) {
    super(message);
  }

  toAdsError(): AdsError {
    const hint = `VAST error ${this.number}. Is it a video of at most ${MAX_SECONDS} s, as MP4 or WebM, of at most 4 MiB?`;
    return new AdsError('response/schema', this.message, { path: '$.adm', hint });
  }
}

/** @param layers the ad and what is around it, the ad first */
function videoOf(ad: VastAd, file: VastMediaFile, layers: readonly VastAd[], errors: readonly string[]): VideoAd {
  const trackers: AdTracker[] = [];
  const dropped: VideoAd['dropped'][number][] = [];
  const add = (event: AdTrackerEvent | undefined, address: string, path: string): void => {
    const url = readTrackerUrl(address);
    if (event === undefined) dropped.push({ code: 'tracker/event', path });
    else if (url === null) dropped.push({ code: 'tracker/address', path });
    else if (!trackers.some((known) => known.event === event && known.url === url)) trackers.push({ event, url });
  };
  layers.forEach((layer, i) => {
    const at = i === 0 ? 'InLine' : `Wrapper[${layers.length - 1 - i}]`;
    layer.trackings.forEach(({ event, url }) => {
      add(
        Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined,
        url,
        `${at}.${event.replace(/\W/g, '').slice(0, 40)}`,
      );
    });
    if (layer.hasVerification) dropped.push({ code: 'tracker/script', path: `${at}.AdVerifications` });
  });
  for (const url of errors) add('error', url, 'Error');
  return {
    url: file.url,
    ...(file.width > 0 ? { width: file.width } : {}),
    ...(file.height > 0 ? { height: file.height } : {}),
    ...(ad.clickUrl === null ? {} : { clickUrl: ad.clickUrl }),
    ...(ad.title === null ? {} : { title: ad.title }),
    ...(ad.advertiser === null ? {} : { advertiser: ad.advertiser }),
    trackers,
    dropped,
  };
}

/** The browser's own. Reads every global when used, none when imported. */
function browserVastEnvironment(): VastEnvironment {
  return {
    ...browserEnvironment(),
    parseXml: (text) => new DOMParser().parseFromString(text, 'text/xml'),
    canPlay: (type) => document.createElement('video').canPlayType(type) !== '',
  };
}

import { browserCreativeEnvironment, type CreativeEnvironment } from '../creative/CreativeEnvironment.js';
import { loadMeter } from '../meter/loadMeter.js';
import type { ResolvedOptions } from '../resolveOptions.js';
import { ServiceClient } from '../service/ServiceClient.js';
import { browserReportingEnvironment, type ReportingEnvironment } from './startReporting.js';
import type { PaintTestAd } from '../testing/answerTestImage.js';

/** What the plugins need of the world around the game: functions that may be handed on by themselves. */
export interface AdsEnvironment {
  createClient(options: ResolvedOptions): ServiceClient;
  readonly loadMeter: typeof loadMeter;
  readonly creatives: CreativeEnvironment;
  readonly reporting: ReportingEnvironment;
  /** Calls an address for a buyer who counts; the answer is not read. */
  fetchTracker(url: string, init: RequestInit): Promise<unknown>;
  /** The wall clock, in milliseconds since 1970. */
  wallNow(): number;
  /** Address of this page; null outside of a browser. */
  pageAddress(): string | null;
  /** What relative addresses of this page are relative to; null outside of a browser. */
  baseAddress(): string | null;
  readonly paintTestAd: PaintTestAd;
  /** Opens a click-through address in a new tab that cannot reach back. */
  openWindow(url: string): void;
  /** For oddities that are no faults; only with the option `debug`. */
  note(message: string): void;
  /** For errors that the game's own code has thrown when the package called it. */
  reportError(message: string, error: unknown): void;
}

/** The browser's own. Reads every global when used, none when imported. */
export function browserAdsEnvironment(): AdsEnvironment {
  return {
    createClient: (options) => new ServiceClient(options),
    loadMeter,
    creatives: browserCreativeEnvironment(),
    reporting: browserReportingEnvironment(),
    fetchTracker: (url, init) => fetch(url, init),
    wallNow: () => Date.now(),
    pageAddress: () => (globalThis as { location?: Location }).location?.href ?? null,
    baseAddress: () => (globalThis as { document?: Document }).document?.baseURI ?? null,
    paintTestAd: async (...picture) => (await import('../testing/paintTestAd.js')).paintTestAd(...picture),
    openWindow: (url) => void window.open(url, '_blank', 'noopener,noreferrer'),
    // Not `debug`, which browsers hide unless they are told not to.
    note: (message) => console.info(message),
    reportError: (message, error) => console.error(message, error),
  };
}

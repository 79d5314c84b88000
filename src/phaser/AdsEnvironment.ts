import { browserCreativeEnvironment, type CreativeEnvironment } from '../creative/CreativeEnvironment.js';
import type { ResolvedOptions } from '../options.js';
import { ServiceClient } from '../service/ServiceClient.js';
import { browserReportingEnvironment, type ReportingEnvironment } from './startReporting.js';

/** What the plugins need of the world around the game. */
export interface AdsEnvironment {
  createClient(options: ResolvedOptions): ServiceClient;
  readonly creatives: CreativeEnvironment;
  readonly reporting: ReportingEnvironment;
  /** Opens a click-through address in a new tab that cannot reach back. */
  openWindow(url: string): void;
  /** For what the game's own code has thrown at the package. */
  reportError(message: string, error: unknown): void;
}

/** The browser's own. Reads every global when used, none when imported. */
export function browserAdsEnvironment(): AdsEnvironment {
  return {
    createClient: (options) => new ServiceClient(options),
    creatives: browserCreativeEnvironment(),
    reporting: browserReportingEnvironment(),
    openWindow: (url) => void window.open(url, '_blank', 'noopener,noreferrer'),
    reportError: (message, error) => console.error(message, error),
  };
}

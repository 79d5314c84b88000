import { hasUserInfo, isPublicHost, parseUrl } from '../hosts.js';
import { MAX_TRACKER_LENGTH } from './AdWarnings.js';

/**
 * The address of a tracker as it may be fetched: https, on a public host, whatever the port. Macros that are filled later
 * stay as they are.
 * @returns null for what cannot be called
 */
export function readTrackerUrl(given: unknown): string | null {
  if (typeof given !== 'string') return null;
  const address = completeAddress(given);
  const url = parseUrl(address, MAX_TRACKER_LENGTH);
  const isUsable = url?.protocol === 'https:' && !hasUserInfo(url) && isPublicHost(url.hostname);
  return isUsable ? address : null;
}

/** Without blanks around it, and with the scheme that one such as `//host/path` takes from a page. */
export function completeAddress(address: string): string {
  const trimmed = address.trim();
  return trimmed.startsWith('//') ? `https:${trimmed}` : trimmed;
}

import { AdsError } from '../errors.js';
import { hasUserInfo, isLoopbackHost, isPublicHost, parseUrl } from '../hosts.js';
import { isOwnOrigin } from '../packagedFiles.js';

const MAX_URL_LENGTH = 2048;
/** A click often leads through several servers, each with the next one's address in its own. */
const MAX_CLICK_LENGTH = 16_384;

/** Where creatives may come from. */
export interface CreativeUrlRules {
  /** Lower-case hosts, `host` or `host:port`, each standing for its subdomains too; null for every public https host. */
  readonly hosts: readonly string[] | null;
  /** Plain http, and any port, from this machine: for development against a local service. */
  readonly allowLoopback: boolean;
  /**
   * Address of the page. Its own origin is allowed in addition to `hosts`, whatever its scheme. Null or left out outside of a
   * browser.
   */
  readonly page?: string | null;
}

/**
 * The address of a creative as it may be fetched.
 * @throws AdsError `ad/url-invalid`, `ad/url-scheme`, `ad/url-credentials`, `ad/url-host`
 */
export function checkCreativeUrl(address: string, rules: CreativeUrlRules): string {
  const url = parseUrl(address, MAX_URL_LENGTH);
  if (url === null)
    throw new AdsError(
      'ad/url-invalid',
      `A creative address is no absolute URL of at most ${MAX_URL_LENGTH} characters`,
    );
  const isOwn = isOwnOrigin(url, rules.page ?? null);
  const isLocal = rules.allowLoopback && isLoopbackHost(url.hostname);
  if (!isOwn && url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw new AdsError('ad/url-scheme', `A creative address begins with ${url.protocol}`);
  }
  if (hasUserInfo(url)) {
    throw new AdsError('ad/url-credentials', 'A creative address carries user information');
  }
  if (!isOwn && !isAllowedHost(url, rules.hosts, isLocal)) {
    throw new AdsError('ad/url-host', `Creatives may not come from ${url.host}`);
  }
  return url.href;
}

/**
 * A click-through address as it may be opened.
 * @param hosts where it may lead, each host standing for its subdomains too; null for everywhere
 * @throws AdsError `click/url`
 */
export function checkClickUrl(address: string, hosts: readonly string[] | null = null): string {
  const url = parseUrl(address, MAX_CLICK_LENGTH);
  if (url === null || url.protocol !== 'https:' || hasUserInfo(url)) {
    throw new AdsError('click/url', 'The click-through address of an ad is not usable');
  }
  if (hosts !== null && !hosts.some((host) => isHostOrBelow(url, host))) {
    throw new AdsError('click/url', `The click-through address leads to ${url.hostname}, which is not in clickHosts`);
  }
  return url.href;
}

function isAllowedHost(url: URL, hosts: readonly string[] | null, isLocal: boolean): boolean {
  if (hosts !== null) return hosts.some((host) => isHostOrBelow(url, host));
  if (isLocal) return true;
  return url.port === '' && isPublicHost(url.hostname);
}

function isHostOrBelow(url: URL, allowed: string): boolean {
  const [name = '', port = ''] = allowed.split(':');
  // URL leaves out a port that is the scheme's own.
  const isPort = url.port === port || (url.port === '' && port === '443');
  return isPort && (url.hostname === name || url.hostname.endsWith(`.${name}`));
}

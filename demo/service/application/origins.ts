/** Stands for every page served from this machine, on any port. */
export const LOOPBACK_ORIGINS = 'loopback';

/**
 * Whether an application that registered `allowed` may be used from pages of `origin`.
 *
 * @param allowed exact origins such as `https://game.example`, or {@link LOOPBACK_ORIGINS}.
 */
export function isOriginAllowed(allowed: readonly string[], origin: string): boolean {
  return allowed.includes(origin) || (allowed.includes(LOOPBACK_ORIGINS) && isLoopback(origin));
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

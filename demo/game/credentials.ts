import type { AdsOptions } from '../../src/index.js';

/** Good for nothing but the service on this machine. */
const DEMO_API_KEY = 'demo-api-key';

/**
 * How the demo proves to the service which game it is: with short-lived tokens from the game's own backend, which alone
 * holds the private key. Nothing that this page downloads does.
 */
export function demoOptions(location: Pick<Location, 'origin' | 'search'>): AdsOptions {
  return {
    apiKey: DEMO_API_KEY,
    baseUrl: serviceUrl(location),
    // A player stays signed in, and a request pending, when the page is reloaded.
    persistSession: 'tab',
    async getToken({ signal }) {
      const response = await fetch('/game-backend/token', { method: 'POST', signal });
      if (!response.ok) throw new Error(`The game's backend answered ${response.status}`);
      return (await response.json()) as { token: string; expires_in: number };
    },
  };
}

/**
 * The service that this page came from, or one on this machine that `?baseUrl=` names. No other: whoever sends a player a
 * link would get the password that the player types.
 */
function serviceUrl({ origin, search }: Pick<Location, 'origin' | 'search'>): string {
  const asked = new URLSearchParams(search).get('baseUrl');
  return asked !== null && isOnThisMachine(asked) ? asked : `${origin}/api`;
}

export function isOnThisMachine(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  const isPlain = (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
  return isPlain && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

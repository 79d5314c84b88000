import type { AdsOptions } from '../../src/index.js';

/** Good for nothing but the service on this machine. */
const DEMO_API_KEY = 'demo-api-key';
const DEMO_PRIVATE_KEY = 'demo-private-key-for-localhost-only';

/**
 * How the demo proves to the service which game it is.
 *
 * As it stands, with short-lived tokens from the game's own backend, which alone holds the private key. With
 * `?credentials=key` in the address, with the key in the page: fine for a quick try, readable by every player.
 */
export function demoOptions(location: Location): AdsOptions {
  const query = new URLSearchParams(location.search);
  const baseUrl = query.get('baseUrl') ?? `${location.origin}/api`;
  // A player stays signed in, and a request pending, when the page is reloaded.
  const common = { apiKey: DEMO_API_KEY, baseUrl, persistSession: 'tab' } as const;
  if (query.get('credentials') === 'key') return { ...common, privateKey: DEMO_PRIVATE_KEY };
  return {
    ...common,
    async getToken({ signal }) {
      const response = await fetch('/game-backend/token', { method: 'POST', signal });
      if (!response.ok) throw new Error(`The game's backend answered ${response.status}`);
      return (await response.json()) as { token: string; expires_in: number };
    },
  };
}

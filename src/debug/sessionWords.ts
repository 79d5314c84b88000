import type { SessionSnapshot, SessionState } from '../index.js';

const WORDS: Readonly<Record<SessionState, string>> = {
  application: 'No player is signed in. Ads work all the same.',
  connecting: 'Asking the service to connect a player …',
  pending: 'The player is asked to confirm; the answer is awaited.',
  authenticating: 'Signing a player in …',
  connected: 'A player is signed in.',
  denied: 'The player has declined to connect.',
  expired: 'The request or the session of the player has ended.',
  signedOut: 'The player has signed out.',
  destroyed: 'The game has ended.',
};

/** Where the player's session stands. Names nobody. */
export function sessionWords({ state, isStale, expiredReason }: SessionSnapshot): string {
  const more = expiredReason === null ? '' : ` (${expiredReason})`;
  return `${WORDS[state]}${more}${isStale ? ' The session could not be renewed yet.' : ''}`;
}

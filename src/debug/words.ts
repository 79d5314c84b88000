import type { AdMeasurement, Delivery, SessionSnapshot, SessionState } from '../index.js';

type InView = Pick<AdMeasurement, 'percentageInView' | 'isFullyVisible'>;

/** How much of an ad is in view, for people: 100 % and 0 % are said only where nothing is missing, or nothing is there. */
export function percentWords({ percentageInView, isFullyVisible }: InView): string {
  if (isFullyVisible) return '100 %';
  if (percentageInView <= 0) return '0 %';
  return percentageInView < 1 ? '< 1 %' : `${Math.min(99, Math.round(percentageInView))} %`;
}

/** Why an ad is not wholly in view, as a sentence that says what to do. Reasons of a frame, and of frames that are missing. */
const SENTENCES: Readonly<Record<string, string>> = {
  notFound: 'The sprite is destroyed or on no display list. Add it to the scene, and keep it while the ad is needed.',
  hidden:
    'The sprite is not drawn. Check visible, scale, camera.ignore(), and that its scene is visible and not asleep.',
  transparent:
    'The ad is too transparent. Raise the alpha of the sprite, its container or the camera above 0.5, or clear its tint.',
  backgrounded: 'The page is hidden. Bring this browser tab to the front.',
  noWindowFocus: 'The window has no focus. Click into the game. Most standards count nothing without focus.',
  viewport: 'The ad is off screen. Move the camera to it, or the ad into the picture.',
  clipped: 'The ad is cut by the edge of the screen, a camera, the page or a mask. Move it inwards.',
  // Game objects and elements are named instead, where it is known which they are.
  obstructed: 'A fade or flash of the camera, or HTML of the page, covers the ad. End it, or move it off the ad.',
  unmeasurable:
    'It is not known what the player sees here, because of a shader, an effect, a custom object, or the page. See "Limits" in the docs.',
  notLoaded: 'The ad is still loading; a placeholder is shown. Wait, or load it earlier with preload().',
  contextLost: 'The browser has taken the graphics context away. The game is drawn again once it is given back.',
  gamePaused: 'The whole game is paused and draws no frames.',
  stall: 'There was no frame for too long. Time without frames does not count.',
  notPlaying:
    'The video stands still: it has ended, or less than half of it was in view. Time in which it stands still does not count.',
};

/** Why an ad is not wholly in view, in words a developer can act on. An unknown reason comes back as it is. */
export function reasonWords(reason: string): string {
  return SENTENCES[reason] ?? reason;
}

const KEPT: Readonly<Record<Delivery['durability'], string>> = {
  disk: 'Kept on disk: what waits outlives this page.',
  memory: 'Kept in memory only: what waits is lost with this page. The browser gives no storage.',
  off: 'Reporting is off: nothing is counted and nothing is paid for.',
};

type Fate = Pick<Delivery, 'durability' | 'ledger' | 'isBlocked'>;

/** How the reports of a game fare, one line each. */
export function deliveryWords({ durability, ledger, isBlocked }: Fate): string[] {
  const { created, accepted, duplicate, rejected, dropped, pending } = ledger;
  const lines = [KEPT[durability]];
  if (durability === 'off') return lines;
  lines.push(`${created} events = ${accepted + duplicate} counted by the service + ${pending} waiting + ${rejected} refused + ${sum(dropped)} given up`); // prettier-ignore
  for (const [why, count] of Object.entries(dropped)) if (count > 0) lines.push(`Given up (${why}): ${count}`);
  if (rejected > 0)
    lines.push('The service has refused events for good. Its clock or its rules differ from this game.');
  if (isBlocked) lines.push('Nothing gets through although the browser is online: an ad blocker, perhaps. Turn it off for this page.'); // prettier-ignore
  return lines;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

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

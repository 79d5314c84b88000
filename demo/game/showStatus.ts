import type * as Phaser from 'phaser';
import { SessionEvents } from '../../src/index.js';
import { adsClient } from './adsClient.js';
import { SURFACES_ANSWERED, visit } from './session.js';

/** Keeps a line of the page up to date: how many places for ads the service knows, or why there are none, and who plays. */
export function showStatus(line: HTMLElement, game: Phaser.Game): void {
  const client = adsClient(game);
  const show = (): void => {
    const { surfaces, surfacesError } = visit;
    const { player } = client.session;
    line.dataset.state = surfacesError ? 'error' : 'ok';
    line.textContent = surfacesError
      ? `${surfacesError.code}: ${surfacesError.hint}`
      : `${surfaces.length} ad surfaces · ${player === null ? 'no player signed in' : `player ${player.displayName}`}`;
  };
  game.events.on(SURFACES_ANSWERED, show);
  client.on(SessionEvents.CHANGE, show);
}

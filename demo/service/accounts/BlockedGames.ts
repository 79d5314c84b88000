import type { Database } from '../database/Database.js';

export interface BlockedGame {
  readonly applicationId: string;
  readonly name: string;
}

/**
 * Games that may not ask a player any more. Their requests are taken as ever and never reach the player, so that the game
 * does not learn of it.
 */
export class BlockedGames {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  async block(playerId: string, applicationId: string): Promise<void> {
    await this.#database.run(
      `INSERT INTO blocked_games (player_id, application_id, blocked_at)
       SELECT player_id, ?, ? FROM players WHERE player_id = ? ON CONFLICT DO NOTHING`,
      applicationId,
      this.#now(),
      playerId,
    );
  }

  /** Unblocking what is not blocked is no error. */
  async unblock(playerId: string, applicationId: string): Promise<void> {
    await this.#database.run(
      'DELETE FROM blocked_games WHERE player_id = ? AND application_id = ?',
      playerId,
      applicationId,
    );
  }

  /** @param playerId also of nobody: the question takes as long. */
  async has(playerId: string, applicationId: string): Promise<boolean> {
    const row = await this.#database.first(
      'SELECT 1 AS blocked FROM blocked_games WHERE player_id = ? AND application_id = ?',
      playerId,
      applicationId,
    );
    return row !== undefined;
  }

  async of(playerId: string): Promise<BlockedGame[]> {
    const rows = await this.#database.all<{ application_id: string; name: string }>(
      `SELECT a.application_id, a.name
       FROM blocked_games b JOIN applications a ON a.application_id = b.application_id
       WHERE b.player_id = ? ORDER BY a.name, a.application_id`,
      playerId,
    );
    return rows.map((row) => ({ applicationId: row.application_id, name: row.name }));
  }
}

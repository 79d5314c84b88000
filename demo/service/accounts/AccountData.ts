import type { Database } from '../database/Database.js';
import type { AccountSession, AccountSessions } from './AccountSessions.js';
import type { Passkey, Passkeys } from './Passkeys.js';

/** Everything the service knows of a player, for the player; no password, no token, no hash of either. */
export interface AccountExport {
  readonly exportedAt: number;
  readonly account: { readonly playerId: string; readonly email: string; readonly displayName: string };
  readonly sessions: readonly Omit<AccountSession, 'isCurrent'>[];
  readonly passkeys: readonly Passkey[];
  readonly connectRequests: readonly {
    readonly applicationName: string;
    readonly state: string;
    readonly createdAt: number;
    readonly expiresAt: number;
  }[];
}

/** A player's right to a copy of their data, and to have it deleted. What games report of ads names no player. */
export class AccountData {
  readonly #database: Database;
  readonly #sessions: AccountSessions;
  readonly #passkeys: Passkeys;
  readonly #now: () => number;

  constructor(database: Database, sessions: AccountSessions, passkeys: Passkeys, now: () => number) {
    this.#database = database;
    this.#sessions = sessions;
    this.#passkeys = passkeys;
    this.#now = now;
  }

  /** Undefined when there is no such player. */
  async export(playerId: string): Promise<AccountExport | undefined> {
    const player = await this.#database.first<{ email: string; display_name: string }>(
      'SELECT email, display_name FROM players WHERE player_id = ?',
      playerId,
    );
    if (player === undefined) return undefined;
    const requests = await this.#database.all<{
      name: string;
      state: string;
      created_at: number;
      expires_at: number;
    }>(
      `SELECT a.name, c.state, c.created_at, c.expires_at
       FROM connect_requests c JOIN applications a ON a.application_id = c.application_id
       WHERE c.player_id = ? ORDER BY c.created_at, c.connect_request_id`,
      playerId,
    );
    return {
      exportedAt: this.#now(),
      account: { playerId, email: player.email, displayName: player.display_name },
      sessions: (await this.#sessions.list(playerId)).map(({ isCurrent: _, ...session }) => session),
      passkeys: await this.#passkeys.of(playerId),
      connectRequests: requests.map((row) => ({
        applicationName: row.name,
        state: row.state,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      })),
    };
  }

  /**
   * Deletes the account with all that belongs to it: sessions end in games and in the web app. An open connect request
   * stays without its player, as one for an e-mail nobody has: its game cannot tell that an account was deleted.
   */
  async delete(playerId: string): Promise<void> {
    await this.#database.transaction(async (sql) => {
      // A request that was agreed to would else look as if the player had to decide yet.
      await sql.run(
        `UPDATE connect_requests
         SET state = CASE WHEN state = 'confirmed' THEN 'denied' ELSE state END, player_id = NULL
         WHERE player_id = ?`,
        playerId,
      );
      await sql.run('UPDATE popup_sign_ins SET code_hash = NULL, player_id = NULL WHERE player_id = ?', playerId);
      await sql.run('DELETE FROM web_sessions WHERE player_id = ?', playerId);
      await sql.run('DELETE FROM player_sessions WHERE player_id = ?', playerId);
      await sql.run('DELETE FROM players WHERE player_id = ?', playerId);
    });
  }
}

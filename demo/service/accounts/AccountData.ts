import type { Database, Sql } from '../database/Database.js';
import type { AccountSession, AccountSessions } from './AccountSessions.js';
import { subjectHash } from './ConnectRequests.js';
import type { Passkey, Passkeys } from './Passkeys.js';

/** Everything the service knows of a player, for the player; no password, no token, no hash of either. */
export interface AccountExport {
  readonly exportedAt: number;
  readonly account: { readonly playerId: string; readonly email: string; readonly displayName: string };
  readonly sessions: readonly Omit<AccountSession, 'isCurrent'>[];
  readonly passkeys: readonly Passkey[];
  readonly blockedGames: readonly { readonly applicationName: string; readonly blockedAt: number }[];
  /** Networks the player has signed in from. Only hashes of them are kept, and until when. */
  readonly familiarNetworks: readonly { readonly knownUntil: number }[];
  /** Also those of blocked games, which the player was never shown. */
  readonly connectRequests: readonly ExportedRequest[];
}

interface ExportedRequest {
  readonly applicationName: string;
  readonly state: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly device: string | null;
  /** Roughly where it came from. */
  readonly place: string | null;
  /** Of the game's page, for a request that may be answered in a popup. */
  readonly popupOrigin: string | null;
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
    return {
      exportedAt: this.#now(),
      account: { playerId, email: player.email, displayName: player.display_name },
      sessions: (await this.#sessions.all(playerId)).map(({ isCurrent: _, ...session }) => session),
      passkeys: await this.#passkeys.of(playerId),
      blockedGames: await this.#database.all(
        `SELECT a.name AS "applicationName", b.blocked_at AS "blockedAt"
         FROM blocked_games b JOIN applications a ON a.application_id = b.application_id
         WHERE b.player_id = ? ORDER BY b.blocked_at, a.name`,
        playerId,
      ),
      familiarNetworks: await this.#database.all(
        'SELECT expires_at AS "knownUntil" FROM familiar_places WHERE player_id = ? ORDER BY expires_at',
        playerId,
      ),
      connectRequests: await this.#requests(playerId, player.email),
    };
  }

  async #requests(playerId: string, email: string): Promise<ExportedRequest[]> {
    const requests: ExportedRequest[] = [];
    for (const { applicationId, subject } of await subjectsOf(this.#database, email)) {
      requests.push(
        ...(await this.#database.all<ExportedRequest>(
          `SELECT a.name AS "applicationName", c.state, c.created_at AS "createdAt", c.expires_at AS "expiresAt",
             c.device, c.place, p.origin AS "popupOrigin"
           FROM connect_requests c JOIN applications a ON a.application_id = c.application_id
           LEFT JOIN popup_sign_ins p ON p.connect_request_id = c.connect_request_id
           WHERE c.application_id = ? AND (c.player_id = ? OR p.player_id = ? OR (c.player_id IS NULL AND c.subject_hash = ?))`,
          applicationId,
          playerId,
          playerId,
          subject,
        )),
      );
    }
    return requests.sort((a, b) => a.createdAt - b.createdAt);
  }

  /**
   * Deletes the account with all that belongs to it: sessions end in games and in the web app. A connect request that was
   * not decided stays without its player, as one for an e-mail nobody has, and is cancelled by the next one: its game cannot
   * tell that an account was deleted. That is why its e-mail is kept as a hash until it is removed, a day after its end.
   */
  async delete(playerId: string): Promise<void> {
    await this.#database.transaction(async (sql) => {
      const player = await sql.first<{ email: string }>('SELECT email FROM players WHERE player_id = ?', playerId);
      if (player === undefined) return;
      for (const { applicationId, subject } of await subjectsOf(sql, player.email)) {
        // A request that was agreed to would else look as if the player had to decide yet.
        await sql.run(
          `UPDATE connect_requests
           SET state = CASE WHEN state = 'confirmed' THEN 'denied' ELSE state END, player_id = NULL,
             player_session_id = NULL, device = NULL, network_hash = NULL, place = NULL
           WHERE application_id = ? AND (player_id = ? OR (player_id IS NULL AND subject_hash = ?))`,
          applicationId,
          playerId,
          subject,
        );
        await sql.run(
          `UPDATE connect_requests SET subject_hash = NULL WHERE subject_hash = ? AND state <> 'pending'`,
          subject,
        );
      }
      await sql.run('UPDATE popup_sign_ins SET code_hash = NULL, player_id = NULL WHERE player_id = ?', playerId);
      await sql.run('DELETE FROM web_sessions WHERE player_id = ?', playerId);
      await sql.run('DELETE FROM player_sessions WHERE player_id = ?', playerId);
      await sql.run('DELETE FROM players WHERE player_id = ?', playerId);
    });
  }
}

/** How connect requests of each game name the player with this e-mail address. */
async function subjectsOf(sql: Sql, email: string): Promise<{ applicationId: string; subject: string }[]> {
  const rows = await sql.all<{ application_id: string }>('SELECT application_id FROM applications');
  return rows.map((row) => ({
    applicationId: row.application_id,
    subject: subjectHash(row.application_id, email),
  }));
}

import type { Database } from '../database/Database.js';
import { hashSecret } from '../secrets.js';

/** One place where a player's account is in use. */
export interface AccountSession {
  /** Names it towards {@link AccountSessions.end}; opens nothing. */
  readonly sessionId: string;
  readonly kind: 'game' | 'web';
  /** The game's name; undefined for the web app. */
  readonly applicationName: string | undefined;
  /** Such as "Firefox on Windows". */
  readonly device: string;
  /** Milliseconds since 1970 UTC; null for sessions from before this was kept. */
  readonly startedAt: number | null;
  /** When it was used last, to a minute. */
  readonly usedAt: number | null;
  /** The very session that asks. */
  readonly isCurrent: boolean;
  /** Ended, or not used for too long, and kept for a while. */
  readonly isOver: boolean;
}

interface Row {
  session_id: string;
  name: string | null;
  device: string | null;
  created_at: number | null;
  last_used_at: number | null;
  expires_at: number;
  revoked_at: number | null;
}

/** So much of a cookie's hash names its session. The hash itself opens nothing either. */
const WEB_ID_LENGTH = 24;
const WEB_PREFIX = 'web_';
const UNKNOWN_DEVICE = 'A browser';

/** Where a player is signed in, in games and in the web app: the account's own view, and its way to end them. */
export class AccountSessions {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * The sessions that live, the one used last first.
   *
   * @param webSecret the cookie of the web-app session that asks
   */
  async list(playerId: string, webSecret?: string): Promise<AccountSession[]> {
    return (await this.all(playerId, webSecret)).filter(({ isOver }) => !isOver);
  }

  /** Also those that are over and kept still. */
  async all(playerId: string, webSecret?: string): Promise<AccountSession[]> {
    const now = this.#now();
    const current = webSecret === undefined ? undefined : WEB_PREFIX + hashSecret(webSecret).slice(0, WEB_ID_LENGTH);
    const games = await this.#database.all<Row>(
      `SELECT s.player_session_id AS session_id, a.name, s.device, s.created_at, s.last_used_at, s.expires_at, s.revoked_at
       FROM player_sessions s JOIN applications a ON a.application_id = s.application_id
       WHERE s.player_id = ?`,
      playerId,
    );
    const web = await this.#database.all<Row>(
      `SELECT ? || SUBSTR(session_hash, 1, ?) AS session_id, NULL AS name, device, created_at, last_used_at,
         expires_at, NULL AS revoked_at
       FROM web_sessions WHERE player_id = ?`,
      WEB_PREFIX,
      WEB_ID_LENGTH,
      playerId,
    );
    return [...games.map((row) => sessionOf('game', row, now)), ...web.map((row) => sessionOf('web', row, now))]
      .map((session) => ({ ...session, isCurrent: session.sessionId === current }))
      .sort((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0) || (a.sessionId < b.sessionId ? -1 : 1));
  }

  /** @returns false when the player has no such session (any more). */
  async end(playerId: string, sessionId: string): Promise<boolean> {
    const changed = sessionId.startsWith(WEB_PREFIX)
      ? await this.#database.run(
          'DELETE FROM web_sessions WHERE player_id = ? AND SUBSTR(session_hash, 1, ?) = ?',
          playerId,
          WEB_ID_LENGTH,
          sessionId.slice(WEB_PREFIX.length),
        )
      : await this.#database.run(
          'UPDATE player_sessions SET revoked_at = ? WHERE player_id = ? AND player_session_id = ? AND revoked_at IS NULL',
          this.#now(),
          playerId,
          sessionId,
        );
    return changed > 0;
  }

  /**
   * Signs the player out everywhere: of all games, of the web app, and of what is about to begin, a request that was
   * agreed to and whose game has not fetched its tokens yet.
   */
  async endAll(playerId: string): Promise<void> {
    await this.#database.transaction(async (sql) => {
      await sql.run(
        'UPDATE player_sessions SET revoked_at = ? WHERE player_id = ? AND revoked_at IS NULL',
        this.#now(),
        playerId,
      );
      await sql.run('DELETE FROM web_sessions WHERE player_id = ?', playerId);
      await sql.run(
        `UPDATE connect_requests SET state = 'denied'
         WHERE player_id = ? AND state IN ('pending', 'confirmed')`,
        playerId,
      );
      await sql.run('UPDATE popup_sign_ins SET code_hash = NULL WHERE player_id = ?', playerId);
    });
  }
}

function sessionOf(kind: 'game' | 'web', row: Row, now: number): AccountSession {
  return {
    sessionId: row.session_id,
    kind,
    applicationName: row.name ?? undefined,
    device: row.device ?? UNKNOWN_DEVICE,
    startedAt: row.created_at,
    usedAt: row.last_used_at,
    isCurrent: false,
    isOver: row.revoked_at !== null || row.expires_at <= now,
  };
}

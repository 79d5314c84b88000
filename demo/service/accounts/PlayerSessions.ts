import type { Database, Sql } from '../database/Database.js';
import { ServiceError } from '../http/ServiceError.js';
import { hashSecret, newId, newSecret, type Random } from '../secrets.js';
import { REPEAT_GRACE_MS, SIBLING_GRACE_MS, USE_IS_TOLD_AFTER_MS } from './times.js';

const ACCESS_LIFETIME_MS = 10 * 60_000;
const SESSION_LIFETIME_MS = 8 * 3_600_000;

/** For whom a session begins, and where. */
export interface SessionStart {
  readonly applicationId: string;
  readonly playerId: string;
  /** What the player recognises the device by. */
  readonly device: string;
  /** The key its tokens are bound to (DPoP); undefined: they are worth the same to whoever holds them. */
  readonly keyThumbprint: string | undefined;
}

/** What a game gets for a player who agreed. */
export interface SessionTokens {
  readonly playerSessionId: string;
  readonly accessToken: string;
  readonly accessExpiresInSeconds: number;
  readonly refreshToken: string;
  readonly refreshExpiresInSeconds: number;
  readonly playerId: string;
  readonly isBound: boolean;
}

interface SessionRow {
  player_session_id: string;
  application_id: string;
  player_id: string;
  generation: number;
  expires_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
  key_thumbprint: string | null;
  /** Of the refresh token issued last, and when that was. Null: of a session from before they were kept. */
  newest_token_hash: string | null;
  renewed_at: number | null;
}

interface RefreshRow extends SessionRow {
  token_generation: number;
  used_at: number | null;
}

const REFRESH_TOKEN_QUERY = `
  SELECT s.*, r.generation AS token_generation, r.used_at
  FROM refresh_tokens r JOIN player_sessions s ON s.player_session_id = r.player_session_id
  WHERE r.token_hash = ? AND s.application_id = ?`;

/**
 * A player's sessions in games.
 *
 * Each refresh replaces the refresh token (rotation), but never moves the session's end. A replaced token that comes
 * back means that two parties hold the session: it is revoked as a whole. Only the immediate predecessor is forgiven,
 * for {@link REPEAT_GRACE_MS}: tabs refresh at the same time, and answers get lost. Of the tokens such repetitions
 * issue, the newest alone lives on: one of the others, used later, was not lost, so somebody else holds the newest.
 */
export class PlayerSessions {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #random: Random;

  constructor(database: Database, now: () => number, random: Random) {
    this.#database = database;
    this.#now = now;
    this.#random = random;
  }

  /**
   * Begins a session.
   *
   * @param sql a transaction it shall be part of. Default: one of its own, so that nothing comes between session and tokens.
   * @throws ServiceError 401 `invalid_credentials` when the player's account was deleted meanwhile
   */
  begin(start: SessionStart, sql?: Sql): Promise<SessionTokens> {
    return sql === undefined ? this.#database.transaction((own) => this.#begin(start, own)) : this.#begin(start, sql);
  }

  async #begin({ applicationId, playerId, device, keyThumbprint }: SessionStart, sql: Sql): Promise<SessionTokens> {
    const now = this.#now();
    await sql.run('DELETE FROM access_tokens WHERE expires_at <= ?', now);
    await sql.run('DELETE FROM player_sessions WHERE expires_at <= ?', now);
    const session: SessionRow = {
      player_session_id: newId('session', this.#random),
      application_id: applicationId,
      player_id: playerId,
      generation: 1,
      expires_at: now + SESSION_LIFETIME_MS,
      revoked_at: null,
      last_used_at: null,
      key_thumbprint: keyThumbprint ?? null,
      newest_token_hash: null,
      renewed_at: null,
    };
    const begun = await sql.run(
      `INSERT INTO player_sessions (player_session_id, application_id, player_id, generation, expires_at, created_at, device, key_thumbprint)
       SELECT ?, ?, player_id, ?, ?, ?, ?, ? FROM players WHERE player_id = ?`,
      session.player_session_id,
      session.application_id,
      session.generation,
      session.expires_at,
      now,
      device,
      session.key_thumbprint,
      playerId,
    );
    if (begun === 0) throw new ServiceError(401, 'invalid_credentials', 'E-mail or password is wrong.');
    return this.#issue(session, now, sql);
  }

  /**
   * Exchanges a refresh token for new tokens.
   *
   * A session bound to a key is renewed with that key only; without it, a token that was copied changes nothing, so that
   * its thief cannot sign the player out either. One that is not is bound to the key it is first renewed with.
   *
   * @throws ServiceError 400 `invalid_grant` when the token is unknown, used up, of another application or bound to another
   *   key, or its session has ended; `invalid_dpop_proof` when the proof is missing.
   */
  async refresh(applicationId: string, refreshToken: string, keyThumbprint?: string): Promise<SessionTokens> {
    const tokens = await this.#database.transaction(async (sql) => {
      const now = this.#now();
      const hash = hashSecret(refreshToken);
      const row = await sql.first<RefreshRow>(REFRESH_TOKEN_QUERY, hash, applicationId);
      if (row === undefined || row.revoked_at !== null || row.expires_at <= now) return undefined;
      if (row.key_thumbprint !== null && row.key_thumbprint !== keyThumbprint) {
        return keyThumbprint === undefined ? 'unproven' : undefined;
      }
      if (row.key_thumbprint === null && keyThumbprint !== undefined) {
        row.key_thumbprint = keyThumbprint;
        await sql.run(
          'UPDATE player_sessions SET key_thumbprint = ? WHERE player_session_id = ?',
          keyThumbprint,
          row.player_session_id,
        );
      }
      const isNewest = row.newest_token_hash === null || row.newest_token_hash === hash;
      if (!isNewest && row.used_at === null && now - (row.renewed_at ?? 0) > SIBLING_GRACE_MS) {
        await this.#end(row.player_session_id, sql);
        return undefined;
      }
      if (row.used_at !== null) {
        const forgiven = row.token_generation === row.generation - 1 && now - row.used_at <= REPEAT_GRACE_MS;
        if (forgiven) return this.#issue(row, now, sql);
        // Returned, not thrown: the revocation must be committed.
        await this.#end(row.player_session_id, sql);
        return undefined;
      }
      await sql.run('UPDATE refresh_tokens SET used_at = ? WHERE token_hash = ?', now, hash);
      const generation = row.token_generation + 1;
      if (generation > row.generation) {
        await sql.run(
          'UPDATE player_sessions SET generation = ? WHERE player_session_id = ?',
          generation,
          row.player_session_id,
        );
      }
      return this.#issue({ ...row, generation }, now, sql);
    });
    if (tokens === 'unproven') throw unproven();
    if (tokens === undefined) throw new ServiceError(400, 'invalid_grant', 'The refresh token is not valid any more.');
    return tokens;
  }

  /**
   * New tokens of a session whose first ones may have been lost.
   *
   * @returns undefined when the session has ended, is bound to another key, or its tokens have been used to refresh it.
   */
  async beginAgain(
    playerSessionId: string,
    keyThumbprint: string | undefined,
    sql: Sql,
  ): Promise<SessionTokens | undefined> {
    const now = this.#now();
    const row = await sql.first<SessionRow>(
      'SELECT * FROM player_sessions WHERE player_session_id = ? AND expires_at > ? AND revoked_at IS NULL',
      playerSessionId,
      now,
    );
    if (row !== undefined && row.key_thumbprint !== (keyThumbprint ?? null)) return undefined;
    return row?.generation === 1 ? this.#issue(row, now, sql) : undefined;
  }

  /**
   * The id of the player an access token speaks for.
   *
   * @param keyThumbprint of the key the request has proved to hold; a token bound to none goes without one
   * @throws ServiceError 401 `invalid_token`
   */
  async playerOf(applicationId: string, accessToken: string, keyThumbprint: string | undefined): Promise<string> {
    const now = this.#now();
    const row = await this.#database.first<
      Pick<SessionRow, 'player_session_id' | 'player_id' | 'last_used_at' | 'key_thumbprint'>
    >(
      `SELECT s.player_session_id, s.player_id, s.last_used_at, s.key_thumbprint
       FROM access_tokens a JOIN player_sessions s ON s.player_session_id = a.player_session_id
       WHERE a.token_hash = ? AND a.expires_at > ? AND s.application_id = ? AND s.expires_at > ? AND s.revoked_at IS NULL`,
      hashSecret(accessToken),
      now,
      applicationId,
      now,
    );
    if (row === undefined || row.key_thumbprint !== (keyThumbprint ?? null)) {
      throw new ServiceError(401, 'invalid_token', 'The access token is unknown or expired, or bound to another key.');
    }
    if (now - (row.last_used_at ?? 0) >= USE_IS_TOLD_AFTER_MS) {
      await this.#database.run(
        'UPDATE player_sessions SET last_used_at = ? WHERE player_session_id = ?',
        now,
        row.player_session_id,
      );
    }
    return row.player_id;
  }

  /** Ends the session an access or refresh token belongs to. Ending what is unknown or over is no error (RFC 7009). */
  async revoke(applicationId: string, token: string): Promise<void> {
    const hash = hashSecret(token);
    const row = await this.#database.first<{ player_session_id: string }>(
      `SELECT s.player_session_id FROM player_sessions s
       WHERE s.application_id = ? AND (
         s.player_session_id IN (SELECT player_session_id FROM access_tokens WHERE token_hash = ?) OR
         s.player_session_id IN (SELECT player_session_id FROM refresh_tokens WHERE token_hash = ?))`,
      applicationId,
      hash,
      hash,
    );
    if (row !== undefined) await this.#end(row.player_session_id, this.#database);
  }

  /** Ends a session whose first tokens have not been used to renew it. */
  async endUnused(playerSessionId: string, sql: Sql): Promise<void> {
    const row = await sql.first<SessionRow>(
      'SELECT * FROM player_sessions WHERE player_session_id = ?',
      playerSessionId,
    );
    if (row?.generation === 1) await this.#end(playerSessionId, sql);
  }

  /** Ends every session of a player in one game, also one that was agreed to and whose game has not fetched it yet. */
  async revokeAll(applicationId: string, playerId: string): Promise<void> {
    await this.#database.transaction(async (sql) => {
      await sql.run(
        'UPDATE player_sessions SET revoked_at = ? WHERE application_id = ? AND player_id = ? AND revoked_at IS NULL',
        this.#now(),
        applicationId,
        playerId,
      );
      await sql.run(
        `UPDATE connect_requests SET state = 'denied' WHERE application_id = ? AND player_id = ? AND state = 'confirmed'`,
        applicationId,
        playerId,
      );
      await sql.run(
        `UPDATE popup_sign_ins SET code_hash = NULL
         WHERE player_id = ? AND connect_request_id IN
           (SELECT connect_request_id FROM connect_requests WHERE application_id = ?)`,
        playerId,
        applicationId,
      );
    });
  }

  /** The applications a player is connected to now. */
  async applicationsOf(playerId: string): Promise<{ applicationId: string; name: string }[]> {
    const rows = await this.#database.all<{ application_id: string; name: string }>(
      `SELECT DISTINCT a.application_id, a.name
       FROM player_sessions s JOIN applications a ON a.application_id = s.application_id
       WHERE s.player_id = ? AND s.expires_at > ? AND s.revoked_at IS NULL
       ORDER BY a.name`,
      playerId,
      this.#now(),
    );
    return rows.map((row) => ({ applicationId: row.application_id, name: row.name }));
  }

  async #issue(session: SessionRow, now: number, sql: Sql): Promise<SessionTokens> {
    const accessToken = newSecret('at', this.#random);
    const refreshToken = newSecret('rt', this.#random);
    const accessExpiresAt = Math.min(now + ACCESS_LIFETIME_MS, session.expires_at);
    await sql.run(
      'INSERT INTO access_tokens (token_hash, player_session_id, expires_at) VALUES (?, ?, ?)',
      hashSecret(accessToken),
      session.player_session_id,
      accessExpiresAt,
    );
    await sql.run(
      'INSERT INTO refresh_tokens (token_hash, player_session_id, generation) VALUES (?, ?, ?)',
      hashSecret(refreshToken),
      session.player_session_id,
      session.generation,
    );
    await sql.run(
      'UPDATE player_sessions SET newest_token_hash = ?, renewed_at = ?, last_used_at = ? WHERE player_session_id = ?',
      hashSecret(refreshToken),
      now,
      now,
      session.player_session_id,
    );
    return {
      playerSessionId: session.player_session_id,
      accessToken,
      accessExpiresInSeconds: Math.floor((accessExpiresAt - now) / 1000),
      refreshToken,
      refreshExpiresInSeconds: Math.floor((session.expires_at - now) / 1000),
      playerId: session.player_id,
      isBound: session.key_thumbprint !== null,
    };
  }

  async #end(playerSessionId: string, sql: Sql): Promise<void> {
    await sql.run(
      'UPDATE player_sessions SET revoked_at = ? WHERE player_session_id = ? AND revoked_at IS NULL',
      this.#now(),
      playerSessionId,
    );
  }
}

/** What is bound to a key was asked for without a proof of it. */
export function unproven(): ServiceError {
  return new ServiceError(400, 'invalid_dpop_proof', 'This is bound to a key; a DPoP proof of it is required.');
}

import type { Database, Sql } from '../database/Database.js';
import { ServiceError } from '../http/ServiceError.js';
import { hashSecret, newId, newSecret, type Random } from '../secrets.js';
import { bindingCode } from './bindingCode.js';
import type { PlayerSessions, SessionTokens } from './PlayerSessions.js';
import { REPEAT_GRACE_MS } from './times.js';

/** How much longer a game must wait between polls after it polled too soon (CIBA Core, section 11). */
const SLOW_DOWN_MS = 5000;
/** How much too early a poll may come without being told off: timers and networks are not exact. */
const POLL_TOLERANCE_MS = 500;
const KEPT_AFTER_EXPIRY_MS = 24 * 3_600_000;

export interface ConnectTimes {
  /** How often a game may poll. Default 5. */
  readonly intervalSeconds: number;
  /** How long the player has for the decision. Default 300. */
  readonly expiresInSeconds: number;
}

export const DEFAULT_CONNECT_TIMES: ConnectTimes = { intervalSeconds: 5, expiresInSeconds: 300 };

/** What the game gets to know about the request it started. */
export interface StartedConnect {
  /** Names it to the player; opens nothing. */
  readonly connectRequestId: string;
  readonly authReqId: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
  readonly bindingCode: string;
}

/** What the player gets to see of a request. */
export interface PendingConnect {
  readonly connectRequestId: string;
  readonly applicationName: string;
  readonly bindingCode: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The player has not decided yet; with `slow_down` the game asks too often as well. */
export type Undecided = 'authorization_pending' | 'slow_down';

interface PollRow {
  connect_request_id: string;
  player_id: string | null;
  state: 'pending' | 'confirmed' | 'denied' | 'cancelled' | 'redeemed';
  interval_ms: number;
  expires_at: number;
  polled_at: number | null;
  player_session_id: string | null;
  redeemed_at: number | null;
}

/**
 * Requests of games to use a player's account, decided by the player on the web app: CIBA in poll mode.
 *
 * A request for an e-mail nobody has is kept like any other. It can never be confirmed, and no answer shows that.
 */
export class ConnectRequests {
  readonly #database: Database;
  readonly #sessions: PlayerSessions;
  readonly #now: () => number;
  readonly #random: Random;
  readonly #times: ConnectTimes;

  constructor(database: Database, sessions: PlayerSessions, now: () => number, random: Random, times: ConnectTimes) {
    this.#database = database;
    this.#sessions = sessions;
    this.#now = now;
    this.#random = random;
    this.#times = times;
  }

  /** @param playerId undefined when nobody has the e-mail. */
  async start(applicationId: string, playerId: string | undefined): Promise<StartedConnect> {
    const now = this.#now();
    const connectRequestId = newId('connect', this.#random);
    const authReqId = newSecret('arq', this.#random);
    const code = bindingCode(this.#random);
    await this.#database.run('DELETE FROM connect_requests WHERE expires_at < ?', now - KEPT_AFTER_EXPIRY_MS);
    await this.#database.run(
      `INSERT INTO connect_requests
         (connect_request_id, auth_req_id_hash, application_id, player_id, binding_code, state, interval_ms, created_at, expires_at)
       VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?)`,
      connectRequestId,
      hashSecret(authReqId),
      applicationId,
      playerId ?? null,
      code,
      this.#times.intervalSeconds * 1000,
      now,
      now + this.#times.expiresInSeconds * 1000,
    );
    return { connectRequestId, authReqId, bindingCode: code, ...this.#times };
  }

  /**
   * Answers a game's question whether the player has decided: not yet, or the tokens of a confirmed request, and again
   * for {@link REPEAT_GRACE_MS} if they were lost: it takes the secret id of the request to ask. One that was confirmed
   * at the last moment gives them for as long after its end.
   *
   * @throws ServiceError 400 `expired_token`, `access_denied` or `invalid_grant`.
   */
  async poll(applicationId: string, authReqId: string, device: string): Promise<SessionTokens | Undecided> {
    const outcome = await this.#database.transaction(async (sql) => {
      const now = this.#now();
      const row = await sql.first<PollRow>(
        'SELECT * FROM connect_requests WHERE auth_req_id_hash = ? AND application_id = ?',
        hashSecret(authReqId),
        applicationId,
      );
      if (row === undefined || row.state === 'cancelled') return 'invalid_grant';
      if (row.state === 'denied') return 'access_denied';
      if (row.state === 'redeemed') return (await this.#redeemAgain(row, now, sql)) ?? 'invalid_grant';
      if (row.expires_at + (row.state === 'confirmed' ? REPEAT_GRACE_MS : 0) <= now) return 'expired_token';
      if (row.state === 'confirmed' && row.player_id !== null) {
        const tokens = await this.#sessions.begin({ applicationId, playerId: row.player_id, device }, sql);
        await sql.run(
          `UPDATE connect_requests SET state = 'redeemed', player_session_id = ?, redeemed_at = ?
           WHERE connect_request_id = ?`,
          tokens.playerSessionId,
          now,
          row.connect_request_id,
        );
        return tokens;
      }
      const tooSoon = row.polled_at !== null && now - row.polled_at < row.interval_ms - POLL_TOLERANCE_MS;
      await sql.run(
        'UPDATE connect_requests SET polled_at = ?, interval_ms = ? WHERE connect_request_id = ?',
        now,
        row.interval_ms + (tooSoon ? SLOW_DOWN_MS : 0),
        row.connect_request_id,
      );
      return tooSoon ? 'slow_down' : 'authorization_pending';
    });
    if (typeof outcome !== 'string' || isUndecided(outcome)) return outcome;
    throw new ServiceError(400, outcome, POLL_REFUSALS[outcome]);
  }

  async #redeemAgain(row: PollRow, now: number, sql: Sql): Promise<SessionTokens | undefined> {
    if (row.player_session_id === null || now - (row.redeemed_at ?? 0) > REPEAT_GRACE_MS) return undefined;
    return this.#sessions.beginAgain(row.player_session_id, sql);
  }

  /** Whether the player has yet to decide, and may. */
  async isOpen(applicationId: string, authReqId: string): Promise<boolean> {
    const row = await this.#database.first(
      `SELECT state FROM connect_requests
       WHERE auth_req_id_hash = ? AND application_id = ? AND state = 'pending' AND expires_at > ?`,
      hashSecret(authReqId),
      applicationId,
      this.#now(),
    );
    return row !== undefined;
  }

  /**
   * The game no longer wants it, nor the session it has become if its tokens are still on their way. Cancelling what is
   * unknown or over is no error.
   */
  async cancel(applicationId: string, authReqId: string): Promise<void> {
    await this.#database.transaction(async (sql) => {
      const row = await sql.first<PollRow>(
        'SELECT * FROM connect_requests WHERE auth_req_id_hash = ? AND application_id = ?',
        hashSecret(authReqId),
        applicationId,
      );
      if (row === undefined) return;
      if (row.state === 'redeemed' && row.player_session_id !== null) {
        await this.#sessions.endUnused(row.player_session_id, sql);
      }
      await sql.run(
        `UPDATE connect_requests SET state = 'cancelled'
         WHERE connect_request_id = ? AND state IN ('pending', 'confirmed', 'redeemed')`,
        row.connect_request_id,
      );
    });
  }

  /** The requests that wait for this player, oldest first. */
  async pendingOf(playerId: string): Promise<PendingConnect[]> {
    const rows = await this.#database.all<{
      connect_request_id: string;
      name: string;
      binding_code: string;
      created_at: number;
      expires_at: number;
    }>(
      `SELECT c.connect_request_id, a.name, c.binding_code, c.created_at, c.expires_at
       FROM connect_requests c JOIN applications a ON a.application_id = c.application_id
       WHERE c.player_id = ? AND c.state = 'pending' AND c.expires_at > ?
       ORDER BY c.created_at, c.connect_request_id`,
      playerId,
      this.#now(),
    );
    return rows.map((row) => ({
      connectRequestId: row.connect_request_id,
      applicationName: row.name,
      bindingCode: row.binding_code,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }));
  }

  /**
   * The player's decision. The same one again, as a double click or a reload sends it, changes nothing and is no error.
   *
   * @returns false when there is nothing to decide (any more), or it is another player's request.
   */
  async decide(playerId: string, connectRequestId: string, decision: 'confirmed' | 'denied'): Promise<boolean> {
    const changed = await this.#database.run(
      `UPDATE connect_requests SET state = ?
       WHERE connect_request_id = ? AND player_id = ? AND state = 'pending' AND expires_at > ?`,
      decision,
      connectRequestId,
      playerId,
      this.#now(),
    );
    if (changed === 1) return true;
    const row = await this.#database.first<Pick<PollRow, 'state'>>(
      'SELECT state FROM connect_requests WHERE connect_request_id = ? AND player_id = ?',
      connectRequestId,
      playerId,
    );
    return row?.state === decision || (row?.state === 'redeemed' && decision === 'confirmed');
  }

  /** The player a game's request is for; undefined when it is for nobody. */
  async playerOf(applicationId: string, authReqId: string): Promise<string | undefined> {
    const row = await this.#database.first<{ player_id: string | null }>(
      'SELECT player_id FROM connect_requests WHERE auth_req_id_hash = ? AND application_id = ?',
      hashSecret(authReqId),
      applicationId,
    );
    return row?.player_id ?? undefined;
  }
}

function isUndecided(outcome: string): outcome is Undecided {
  return outcome === 'authorization_pending' || outcome === 'slow_down';
}

const POLL_REFUSALS = {
  expired_token: 'The player did not decide in time; start again.',
  access_denied: 'The player denied the request.',
  invalid_grant: 'No such request is open.',
} as const;

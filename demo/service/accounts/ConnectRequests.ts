import type { Database, Sql } from '../database/Database.js';
import { ServiceError } from '../http/ServiceError.js';
import { hashSecret, newId, newSecret, type Random } from '../secrets.js';
import { bindingCode } from './bindingCode.js';
import { codeChoices } from './codeChoices.js';
import { placeOf } from './place.js';
import { type PlayerSessions, type SessionTokens, unproven } from './PlayerSessions.js';
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
  /** See {@link ConnectRequests.channelOf}. */
  readonly channel: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
  readonly bindingCode: string;
}

/** Who asks, as far as the service can tell. */
export interface Asker {
  /** The e-mail address that was asked for, normalised. */
  readonly email: string;
  /** What the player recognises the device by; only what its browser says of itself. */
  readonly device: string;
  /** The network address the request came from. */
  readonly address: string;
}

/** What the player gets to see of a request. Not its code: the player knows that from the game. */
export interface PendingConnect {
  readonly connectRequestId: string;
  readonly applicationId: string;
  readonly applicationName: string;
  /** The code among others, in an order that stays. */
  readonly choices: readonly string[];
  readonly device: string;
  /** Of its network, to be compared with {@link networkHash} of whoever looks. */
  readonly networkHash: string;
  /** Roughly where it came from, for people. */
  readonly place: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** What became of the code a player has picked. */
export type PickOutcome = 'confirmed' | 'wrong code' | 'nothing to decide';

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
  key_thumbprint: string | null;
  redeemed_at: number | null;
}

interface PendingRow {
  connect_request_id: string;
  application_id: string;
  name: string;
  choices: string;
  device: string;
  network_hash: string;
  place: string;
  created_at: number;
  expires_at: number;
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

  /**
   * Takes the place of the request that the same game has open for the same e-mail address: however often a stranger
   * asks, the player has one to look at.
   *
   * @param playerId undefined when the request is for nobody.
   */
  async start(applicationId: string, playerId: string | undefined, asker: Asker): Promise<StartedConnect> {
    const now = this.#now();
    const connectRequestId = newId('connect', this.#random);
    const authReqId = newSecret('arq', this.#random);
    const code = bindingCode(this.#random);
    const subject = subjectHash(applicationId, asker.email);
    await this.#database.run('DELETE FROM connect_requests WHERE expires_at < ?', now - KEPT_AFTER_EXPIRY_MS);
    await this.#database.transaction(async (sql) => {
      await sql.run(
        `UPDATE connect_requests SET state = 'cancelled' WHERE subject_hash = ? AND state = 'pending'`,
        subject,
      );
      await sql.run(
        `INSERT INTO connect_requests
           (connect_request_id, auth_req_id_hash, application_id, player_id, binding_code, state, interval_ms,
            created_at, expires_at, subject_hash, choices, device, network_hash, place)
         VALUES (?, ?, ?, (SELECT player_id FROM players WHERE player_id = ?), ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?)`,
        connectRequestId,
        hashSecret(authReqId),
        applicationId,
        playerId ?? null,
        code,
        this.#times.intervalSeconds * 1000,
        now,
        now + this.#times.expiresInSeconds * 1000,
        subject,
        codeChoices(code, this.#random).join(' '),
        asker.device,
        networkHash(asker.address),
        placeOf(asker.address).label,
      );
    });
    return { connectRequestId, authReqId, channel: playerId ?? subject, bindingCode: code, ...this.#times };
  }

  /**
   * Answers a game's question whether the player has decided: not yet, or the tokens of a confirmed request, and again
   * for {@link REPEAT_GRACE_MS} if they were lost: it takes the secret id of the request to ask. One that was confirmed
   * at the last moment gives them for as long after its end.
   *
   * @param wasHeld the game has waited for this answer. Tokens that a newer poll has brought meanwhile are not replaced:
   *   the game has given up the older one, so what that brings is lost.
   * @throws ServiceError 400 `expired_token`, `access_denied` or `invalid_grant`.
   */
  async poll(
    applicationId: string,
    authReqId: string,
    device: string,
    keyThumbprint?: string,
    wasHeld = false,
  ): Promise<SessionTokens | Undecided> {
    const outcome = await this.#database.transaction(async (sql) => {
      const now = this.#now();
      const row = await sql.first<PollRow>(
        'SELECT * FROM connect_requests WHERE auth_req_id_hash = ? AND application_id = ?',
        hashSecret(authReqId),
        applicationId,
      );
      if (row === undefined || row.state === 'cancelled') return 'invalid_grant';
      if (row.key_thumbprint !== null && row.key_thumbprint !== keyThumbprint) {
        return keyThumbprint === undefined ? 'invalid_dpop_proof' : 'invalid_grant';
      }
      if (row.state === 'denied') return 'access_denied';
      if (row.state === 'redeemed' && wasHeld) return 'authorization_pending';
      if (row.state === 'redeemed') return (await this.#redeemAgain(row, keyThumbprint, now, sql)) ?? 'invalid_grant';
      if (row.expires_at + (row.state === 'confirmed' ? REPEAT_GRACE_MS : 0) <= now) return 'expired_token';
      if (row.state === 'confirmed' && row.player_id !== null) {
        const tokens = await this.#sessions.begin(
          { applicationId, playerId: row.player_id, device, keyThumbprint },
          sql,
        );
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
    if (outcome === 'invalid_dpop_proof') throw unproven();
    throw new ServiceError(400, outcome, POLL_REFUSALS[outcome]);
  }

  async #redeemAgain(
    row: PollRow,
    keyThumbprint: string | undefined,
    now: number,
    sql: Sql,
  ): Promise<SessionTokens | undefined> {
    if (row.player_session_id === null || now - (row.redeemed_at ?? 0) > REPEAT_GRACE_MS) return undefined;
    return this.#sessions.beginAgain(row.player_session_id, keyThumbprint, sql);
  }

  /** Lets only the holder of this key go on with a request. */
  async bind(connectRequestId: string, keyThumbprint: string): Promise<void> {
    await this.#database.run(
      'UPDATE connect_requests SET key_thumbprint = ? WHERE connect_request_id = ?',
      keyThumbprint,
      connectRequestId,
    );
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
         WHERE connect_request_id = ? AND state <> 'denied'`,
        row.connect_request_id,
      );
      await sql.run('UPDATE popup_sign_ins SET code_hash = NULL WHERE connect_request_id = ?', row.connect_request_id);
    });
  }

  /**
   * The requests that wait for this player, oldest first. One that the game shows in a popup is not among them until the
   * game polls for it: then nobody has answered there.
   */
  async pendingOf(playerId: string): Promise<PendingConnect[]> {
    const rows = await this.#database.all<PendingRow>(
      `SELECT c.*, a.name
       FROM connect_requests c JOIN applications a ON a.application_id = c.application_id
       WHERE c.player_id = ? AND c.state = 'pending' AND c.expires_at > ? AND (c.polled_at IS NOT NULL OR
         NOT EXISTS (SELECT 1 FROM popup_sign_ins p WHERE p.connect_request_id = c.connect_request_id))
       ORDER BY c.created_at, c.connect_request_id`,
      playerId,
      this.#now(),
    );
    return rows.map((row) => ({
      connectRequestId: row.connect_request_id,
      applicationId: row.application_id,
      applicationName: row.name,
      choices: row.choices.split(' '),
      device: row.device,
      networkHash: row.network_hash,
      place: row.place,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }));
  }

  /**
   * The player has picked a code as the one the game shows. Another one than that ends the request: whoever cannot see
   * the game may not try again. The same pick again, as a double click or a reload sends it, changes nothing.
   */
  async pick(playerId: string, connectRequestId: string, code: string): Promise<PickOutcome> {
    await this.#database.run(
      `UPDATE connect_requests SET state = CASE WHEN binding_code = ? THEN 'confirmed' ELSE 'denied' END
       WHERE connect_request_id = ? AND player_id = ? AND state = 'pending' AND expires_at > ?`,
      code,
      connectRequestId,
      playerId,
      this.#now(),
    );
    const row = await this.#decided(playerId, connectRequestId);
    const isRight = row?.binding_code === code;
    if (row?.state === 'denied' && !isRight) return 'wrong code';
    return isRight && (row.state === 'confirmed' || row.state === 'redeemed') ? 'confirmed' : 'nothing to decide';
  }

  /**
   * The player wants none of it. Said twice it is no error.
   *
   * @returns the game that asked; undefined when there is nothing to decide (any more), or it is another player's request.
   */
  async deny(playerId: string, connectRequestId: string): Promise<string | undefined> {
    await this.#database.run(
      `UPDATE connect_requests SET state = 'denied'
       WHERE connect_request_id = ? AND player_id = ? AND state = 'pending' AND expires_at > ?`,
      connectRequestId,
      playerId,
      this.#now(),
    );
    const row = await this.#decided(playerId, connectRequestId);
    return row?.state === 'denied' ? row.application_id : undefined;
  }

  #decided(playerId: string, connectRequestId: string) {
    return this.#database.first<Pick<PollRow, 'state'> & { binding_code: string; application_id: string }>(
      `SELECT state, binding_code, application_id FROM connect_requests
       WHERE connect_request_id = ? AND player_id = ?`,
      connectRequestId,
      playerId,
    );
  }

  /**
   * Where changes of a game's request are told; see {@link PlayerNotices}: its player, or who takes the player's part in
   * one for nobody, so that a poll that is held hears of its end as soon. Undefined when there is no such request.
   */
  async channelOf(applicationId: string, authReqId: string): Promise<string | undefined> {
    const row = await this.#database.first<{ channel: string | null }>(
      `SELECT COALESCE(player_id, subject_hash) AS channel FROM connect_requests
       WHERE auth_req_id_hash = ? AND application_id = ?`,
      hashSecret(authReqId),
      applicationId,
    );
    return row?.channel ?? undefined;
  }
}

/** Stands for the e-mail address a game asks for. */
export function subjectHash(applicationId: string, email: string): string {
  return hashSecret(`connect:${applicationId}:${email}`);
}

/** Stands for the network an address lies in. */
export function networkHash(address: string): string {
  return hashSecret(`network:${placeOf(address).network}`);
}

function isUndecided(outcome: string): outcome is Undecided {
  return outcome === 'authorization_pending' || outcome === 'slow_down';
}

const POLL_REFUSALS = {
  expired_token: 'The player did not decide in time; start again.',
  access_denied: 'The player denied the request.',
  invalid_grant: 'No such request is open.',
} as const;

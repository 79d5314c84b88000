import { createHash } from 'node:crypto';
import type { Database } from '../database/Database.js';
import { ServiceError } from '../http/ServiceError.js';
import { equalSecrets, hashSecret, newSecret, type Random } from '../secrets.js';
import type { PlayerSessions, SessionTokens } from './PlayerSessions.js';
import { REPEAT_GRACE_MS } from './times.js';

const CODE_LIFETIME_MS = 60_000;

/** What the game says when it wants to open a popup for its connect request. */
export interface PopupOffer {
  /** SHA-256 of the secret that the game will show with the code (PKCE, RFC 7636), base64url. */
  readonly challenge: string;
  /** Handed back with the code. */
  readonly state: string;
  /** Of the game's page: nobody else is told the code. */
  readonly origin: string;
}

/** A request as the popup shows it. */
export interface PopupRequest {
  readonly applicationName: string;
  readonly origin: string;
}

/** What the popup tells the page that opened it. */
export interface PopupAnswer {
  readonly origin: string;
  readonly message:
    { readonly state: string; readonly code: string } | { readonly state: string; readonly error: string };
}

interface Row {
  connect_request_id: string;
  application_id: string;
  name: string;
  state: string;
  expires_at: number;
  code_challenge: string;
  origin: string;
  popup_state: string;
  player_id: string | null;
  code_expires_at: number | null;
  redeemed_at: number | null;
  player_session_id: string | null;
  key_thumbprint: string | null;
}

const QUERY = `
  SELECT p.*, c.application_id, c.key_thumbprint, c.state, c.expires_at, c.redeemed_at, c.player_session_id, a.name
  FROM popup_sign_ins p
  JOIN connect_requests c ON c.connect_request_id = p.connect_request_id
  JOIN applications a ON a.application_id = c.application_id`;

/** Of a row of `connect_requests`. */
const HAS_POPUP =
  'EXISTS (SELECT 1 FROM popup_sign_ins p WHERE p.connect_request_id = connect_requests.connect_request_id)';

/**
 * Connect requests answered in a popup of the game's own page: the authorization-code grant with PKCE. Where game and web
 * app share a browser there is no code to compare, and nobody who asks from elsewhere gets anything: the code goes to
 * the page that opened the popup, and is worth nothing without that page's secret.
 *
 * Agreeing in the popup never answers a poll: whoever sends somebody the popup's address gains nothing by it.
 */
export class PopupSignIns {
  readonly #database: Database;
  readonly #sessions: PlayerSessions;
  readonly #now: () => number;
  readonly #random: Random;

  constructor(database: Database, sessions: PlayerSessions, now: () => number, random: Random) {
    this.#database = database;
    this.#sessions = sessions;
    this.#now = now;
    this.#random = random;
  }

  async offer(connectRequestId: string, { challenge, state, origin }: PopupOffer): Promise<void> {
    await this.#database.run(
      'INSERT INTO popup_sign_ins (connect_request_id, code_challenge, popup_state, origin) VALUES (?, ?, ?, ?)',
      connectRequestId,
      challenge,
      state,
      origin,
    );
  }

  /** The request that waits in a popup; undefined when there is none (any more). */
  async find(connectRequestId: string): Promise<PopupRequest | undefined> {
    const row = await this.#row(connectRequestId);
    return row?.state === 'pending' && row.expires_at > this.#now()
      ? { applicationName: row.name, origin: row.origin }
      : undefined;
  }

  /**
   * The player who is signed in agrees. Said again, as when the first answer was lost, a new code replaces the old one.
   *
   * @returns undefined when there is nothing to agree to (any more).
   */
  async approve(connectRequestId: string, playerId: string): Promise<PopupAnswer | undefined> {
    const now = this.#now();
    await this.#database.run(
      `UPDATE connect_requests SET state = 'approved', player_id = ?
       WHERE connect_request_id = ? AND state = 'pending' AND expires_at > ?
         AND ${HAS_POPUP}`,
      playerId,
      connectRequestId,
      now,
    );
    const row = await this.#row(connectRequestId);
    if (row?.state !== 'approved' || (row.player_id !== null && row.player_id !== playerId)) return undefined;
    const code = newSecret('code', this.#random);
    await this.#database.run(
      'UPDATE popup_sign_ins SET code_hash = ?, code_expires_at = ?, player_id = ? WHERE connect_request_id = ?',
      hashSecret(code),
      now + CODE_LIFETIME_MS,
      playerId,
      connectRequestId,
    );
    return { origin: row.origin, message: { state: row.popup_state, code } };
  }

  /** The player declines. */
  async refuse(connectRequestId: string): Promise<PopupAnswer | undefined> {
    await this.#database.run(
      `UPDATE connect_requests SET state = 'denied'
       WHERE connect_request_id = ? AND state = 'pending' AND ${HAS_POPUP}`,
      connectRequestId,
    );
    const row = await this.#row(connectRequestId);
    if (row?.state !== 'denied') return undefined;
    return { origin: row.origin, message: { state: row.popup_state, error: 'access_denied' } };
  }

  /**
   * The tokens for a code, and again for {@link REPEAT_GRACE_MS} if they were lost: it takes the game's secret to ask. A
   * code that comes with another secret is worth nothing from then on.
   *
   * @throws ServiceError 400 `invalid_grant`
   */
  async exchange(
    applicationId: string,
    code: string,
    verifier: string,
    device: string,
    keyThumbprint: string | undefined,
  ): Promise<SessionTokens> {
    const tokens = await this.#database.transaction(async (sql) => {
      const now = this.#now();
      const row = await sql.first<Row>(
        `${QUERY} WHERE p.code_hash = ? AND c.application_id = ?`,
        hashSecret(code),
        applicationId,
      );
      if (row === undefined || row.player_id === null) return undefined;
      if (!equalSecrets(createHash('sha256').update(verifier).digest('base64url'), row.code_challenge)) {
        await sql.run(
          'UPDATE popup_sign_ins SET code_hash = NULL WHERE connect_request_id = ?',
          row.connect_request_id,
        );
        return undefined;
      }
      // The request was bound to a key as it began: the code alone opens nothing.
      if (row.key_thumbprint !== null && row.key_thumbprint !== keyThumbprint) return undefined;
      if (row.state === 'redeemed') {
        const isLate = now - (row.redeemed_at ?? 0) > REPEAT_GRACE_MS;
        return isLate || row.player_session_id === null
          ? undefined
          : this.#sessions.beginAgain(row.player_session_id, keyThumbprint, sql);
      }
      if (row.state !== 'approved' || (row.code_expires_at ?? 0) <= now) return undefined;
      const begun = await this.#sessions.begin({ applicationId, playerId: row.player_id, device, keyThumbprint }, sql);
      await sql.run(
        `UPDATE connect_requests SET state = 'redeemed', redeemed_at = ?, player_session_id = ?
         WHERE connect_request_id = ?`,
        now,
        begun.playerSessionId,
        row.connect_request_id,
      );
      return begun;
    });
    if (tokens === undefined) throw new ServiceError(400, 'invalid_grant', 'The code is not valid (any more).');
    return tokens;
  }

  #row(connectRequestId: string): Promise<Row | undefined> {
    return this.#database.first<Row>(`${QUERY} WHERE p.connect_request_id = ?`, connectRequestId);
  }
}

import { createHash } from 'node:crypto';
import type { Database } from '../database/Database.js';
import { ServiceError } from '../http/ServiceError.js';
import { equalSecrets, hashSecret, newId, newSecret, type Random } from '../secrets.js';
import type { PlayerSessions, SessionTokens } from './PlayerSessions.js';
import { REPEAT_GRACE_MS } from './times.js';

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
  name: string;
  state: string;
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
  SELECT p.*, c.key_thumbprint, c.state, c.redeemed_at, c.player_session_id, a.name
  FROM popup_sign_ins p
  JOIN connect_requests c ON c.connect_request_id = p.connect_request_id
  JOIN applications a ON a.application_id = c.application_id`;

/** Of a row of `connect_requests`: it can be answered. A game that polls has left its popup, and hears no answer of it. */
const WAITS = "state = 'pending' AND expires_at > ? AND polled_at IS NULL";

/**
 * Connect requests answered in a popup of the game's own page: the authorization-code grant with PKCE. Where game and web
 * app share a browser there is no code to compare, and nobody who asks from elsewhere gets anything: the code goes to
 * the page that opened the popup, and is worth nothing without that page's secret.
 *
 * Agreeing in the popup makes a code and nothing else: it answers no poll, so whoever sends somebody the popup's address
 * gains nothing by it, and where the code gets lost, the request waits for its answer as any other does.
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

  /** @returns the popup's name. The game alone has it: the request's own stands in links and QR codes for all to read. */
  async offer(connectRequestId: string, { challenge, state, origin }: PopupOffer): Promise<string> {
    const popupId = newId('popup', this.#random);
    await this.#database.run(
      `INSERT INTO popup_sign_ins (popup_id, connect_request_id, code_challenge, popup_state, origin)
       VALUES (?, ?, ?, ?, ?)`,
      popupId,
      connectRequestId,
      challenge,
      state,
      origin,
    );
    return popupId;
  }

  /** The request that waits in a popup; undefined when there is none (any more). */
  async find(popupId: string): Promise<PopupRequest | undefined> {
    const row = await this.#database.first<Row>(`${QUERY} WHERE p.popup_id = ? AND ${WAITS}`, popupId, this.#now());
    return row && { applicationName: row.name, origin: row.origin };
  }

  /**
   * The player who is signed in agrees. Said again, as when the first answer was lost, a new code replaces the old one.
   *
   * @returns undefined when there is nothing to agree to (any more).
   */
  async approve(popupId: string, playerId: string): Promise<PopupAnswer | undefined> {
    const now = this.#now();
    const code = newSecret('code', this.#random);
    const changed = await this.#database.run(
      `UPDATE popup_sign_ins SET code_hash = ?, code_expires_at = ?, player_id = (SELECT player_id FROM players WHERE player_id = ?)
       WHERE popup_id = ? AND connect_request_id IN (SELECT connect_request_id FROM connect_requests WHERE ${WAITS})`,
      hashSecret(code),
      now + REPEAT_GRACE_MS,
      playerId,
      popupId,
      now,
    );
    const row = changed === 0 ? undefined : await this.#row(popupId);
    return row && { origin: row.origin, message: { state: row.popup_state, code } };
  }

  /** The player declines. Said twice it is no error. */
  async refuse(popupId: string): Promise<PopupAnswer | undefined> {
    await this.#database.run(
      `UPDATE connect_requests SET state = 'denied'
       WHERE connect_request_id = (SELECT connect_request_id FROM popup_sign_ins WHERE popup_id = ?) AND ${WAITS}`,
      popupId,
      this.#now(),
    );
    const row = await this.#row(popupId);
    if (row?.state !== 'denied') return undefined;
    return { origin: row.origin, message: { state: row.popup_state, error: 'access_denied' } };
  }

  /**
   * The tokens for a code, and again for {@link REPEAT_GRACE_MS} if they were lost: it takes the game's secret to ask. A
   * code that comes with another secret is worth nothing from then on. Of a request another has taken the place of since
   * it is worth as much: strangers may ask for the same e-mail.
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
      if (row.state === 'denied' || (row.code_expires_at ?? 0) <= now) return undefined;
      const begun = await this.#sessions.begin({ applicationId, playerId: row.player_id, device, keyThumbprint }, sql);
      await sql.run(
        `UPDATE connect_requests SET state = 'redeemed', redeemed_at = ?, player_session_id = ?, player_id = ?
         WHERE connect_request_id = ?`,
        now,
        begun.playerSessionId,
        row.player_id,
        row.connect_request_id,
      );
      return begun;
    });
    if (tokens === undefined) throw new ServiceError(400, 'invalid_grant', 'The code is not valid (any more).');
    return tokens;
  }

  #row(popupId: string): Promise<Row | undefined> {
    return this.#database.first<Row>(`${QUERY} WHERE p.popup_id = ?`, popupId);
  }
}

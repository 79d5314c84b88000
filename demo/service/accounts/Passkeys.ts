import { isIP } from 'node:net';
import { z } from '@hono/zod-openapi';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Database } from '../database/Database.js';
import { hashSecret, newId, type Random } from '../secrets.js';

const CHALLENGE_LIFETIME_MS = 5 * 60_000;
const MOST_PER_PLAYER = 20;
/** EdDSA, ES256, RS256, as COSE numbers them: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257];

/** Where passkeys are made and used: they are worth nothing anywhere else. */
export interface PasskeySite {
  readonly origin: string;
  /** Its host, which is a name. */
  readonly rpId: string;
}

/** Undefined where the host is an address of numbers: passkeys belong to names. */
export function passkeySite(origin: string): PasskeySite | undefined {
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { origin, rpId: hostname } : undefined;
}

/** A passkey as its player sees it. */
export interface Passkey {
  /** Names it towards {@link Passkeys.remove}; opens nothing. */
  readonly passkeyId: string;
  /** Where it was made, such as "Firefox on Windows". */
  readonly device: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  /** Null: never. */
  readonly usedAt: number | null;
}

interface Row {
  passkey_id: string;
  player_id: string;
  public_key: string;
  counter: number;
  device: string;
  created_at: number;
  last_used_at: number | null;
}

const base64url = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[\w-]+$/);
const credential = { id: base64url(1_366), rawId: base64url(1_366), type: z.literal('public-key') };
const Attestation = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url(4_096), attestationObject: base64url(12_000) }),
});
const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_096),
    authenticatorData: base64url(4_096),
    signature: base64url(2_048),
    userHandle: base64url(128).nullish(),
  }),
});
const ClientData = z.object({ challenge: base64url(128) });

/**
 * The players' passkeys (WebAuthn) for the web app. Whoever signs in names no e-mail address: the browser offers the
 * passkeys it has for this site, and the one that is chosen says whose it is. So there is nothing to learn of anybody.
 *
 * A challenge is good for a few minutes, for one answer, and for the browser it was given to.
 */
export class Passkeys {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #random: Random;

  constructor(database: Database, now: () => number, random: Random) {
    this.#database = database;
    this.#now = now;
    this.#random = random;
  }

  /**
   * What the browser needs to make a passkey.
   *
   * @param holder a secret of the browser that asks; its answer comes with the same
   */
  async creationOptions(
    { rpId }: PasskeySite,
    { playerId, displayName }: { readonly playerId: string; readonly displayName: string },
    holder: string,
  ) {
    const present = await this.#database.all<{ credential_id: string }>(
      'SELECT credential_id FROM passkeys WHERE player_id = ?',
      playerId,
    );
    const { generateRegistrationOptions } = await webAuthn();
    return generateRegistrationOptions({
      rpName: 'InView Accounts',
      rpID: rpId,
      userName: displayName,
      userDisplayName: displayName,
      userID: new Uint8Array(Buffer.from(playerId)),
      challenge: await this.#challenge(`create:${holder}`),
      timeout: CHALLENGE_LIFETIME_MS,
      excludeCredentials: present.map(({ credential_id }) => ({ id: credential_id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
  }

  /**
   * Keeps the passkey that the browser has made.
   *
   * @param answer of the browser, as JSON
   * @returns false when the answer is not valid, the passkey is known, or the player has too many.
   */
  async add(site: PasskeySite, playerId: string, holder: string, answer: string, device: string): Promise<boolean> {
    const response = read(Attestation, answer);
    const challenge = await this.#spend(`create:${holder}`, response?.response.clientDataJSON);
    if (response === undefined || challenge === undefined) return false;
    const { verifyRegistrationResponse } = await webAuthn();
    const made = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } satisfies RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(invalid);
    if (made?.registrationInfo === undefined) return false;
    const { id, publicKey, counter } = made.registrationInfo.credential;
    const kept = await this.#database.run(
      `INSERT INTO passkeys (passkey_id, credential_id, player_id, public_key, counter, device, created_at)
       SELECT ?, ?, player_id, ?, ?, ?, ? FROM players
       WHERE player_id = ? AND (SELECT COUNT(*) FROM passkeys WHERE player_id = ?) < ?
       ON CONFLICT DO NOTHING`,
      newId('passkey', this.#random),
      id,
      Buffer.from(publicKey).toString('base64url'),
      counter,
      device,
      this.#now(),
      playerId,
      playerId,
      MOST_PER_PLAYER,
    );
    return kept === 1;
  }

  /** What the browser needs to sign in with whichever passkey its user chooses. */
  async signInOptions({ rpId }: PasskeySite, holder: string) {
    const { generateAuthenticationOptions } = await webAuthn();
    return generateAuthenticationOptions({
      rpID: rpId,
      challenge: await this.#challenge(`sign-in:${holder}`),
      timeout: CHALLENGE_LIFETIME_MS,
      userVerification: 'required',
    });
  }

  /**
   * The player whose passkey has answered; undefined when it has not, whyever. A count that does not rise tells a copy of
   * the passkey, and is refused as well.
   *
   * @param answer of the browser, as JSON
   */
  async playerOf(site: PasskeySite, holder: string, answer: string): Promise<string | undefined> {
    const response = read(Assertion, answer);
    const challenge = await this.#spend(`sign-in:${holder}`, response?.response.clientDataJSON);
    if (response === undefined || challenge === undefined) return undefined;
    const row = await this.#database.first<Row>('SELECT * FROM passkeys WHERE credential_id = ?', response.id);
    if (row === undefined) return undefined;
    const { userHandle, ...signed } = response.response;
    if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== row.player_id) return undefined;
    const { verifyAuthenticationResponse } = await webAuthn();
    const proven = await verifyAuthenticationResponse({
      response: { ...response, response: signed, clientExtensionResults: {} } satisfies AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
        counter: row.counter,
      },
    }).catch(invalid);
    if (proven?.verified !== true) return undefined;
    const { newCounter } = proven.authenticationInfo;
    // Many authenticators do not count: theirs stays 0.
    const counted = await this.#database.run(
      `UPDATE passkeys SET counter = ?, last_used_at = ?
       WHERE credential_id = ? AND (counter < ? OR (counter = 0 AND ? = 0))`,
      newCounter,
      this.#now(),
      response.id,
      newCounter,
      newCounter,
    );
    return counted === 1 ? row.player_id : undefined;
  }

  /** The oldest first. */
  async of(playerId: string): Promise<Passkey[]> {
    const rows = await this.#database.all<Row>(
      'SELECT * FROM passkeys WHERE player_id = ? ORDER BY created_at, passkey_id',
      playerId,
    );
    return rows.map((row) => ({
      passkeyId: row.passkey_id,
      device: row.device,
      createdAt: row.created_at,
      usedAt: row.last_used_at,
    }));
  }

  /** @returns false when the player has no such passkey (any more). */
  async remove(playerId: string, passkeyId: string): Promise<boolean> {
    const removed = await this.#database.run(
      'DELETE FROM passkeys WHERE player_id = ? AND passkey_id = ?',
      playerId,
      passkeyId,
    );
    return removed > 0;
  }

  async #challenge(holder: string): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = this.#random(32);
    const now = this.#now();
    await this.#database.run('DELETE FROM passkey_challenges WHERE expires_at <= ?', now);
    await this.#database.run(
      'INSERT INTO passkey_challenges (challenge_hash, holder_hash, expires_at) VALUES (?, ?, ?)',
      hashSecret(challenge.toString('base64url')),
      hashSecret(holder),
      now + CHALLENGE_LIFETIME_MS,
    );
    return new Uint8Array(challenge);
  }

  /** The challenge an answer was made for, which from now on is spent; undefined when it is not one of this holder's. */
  async #spend(holder: string, clientDataJSON = ''): Promise<string | undefined> {
    const challenge = read(ClientData, Buffer.from(clientDataJSON, 'base64url').toString())?.challenge;
    if (challenge === undefined) return undefined;
    const spent = await this.#database.run(
      'DELETE FROM passkey_challenges WHERE challenge_hash = ? AND holder_hash = ? AND expires_at > ?',
      hashSecret(challenge),
      hashSecret(holder),
      this.#now(),
    );
    return spent === 1 ? challenge : undefined;
  }
}

/** Loaded when it is needed first: it knows every certificate format, which takes its time. */
function webAuthn() {
  return import('@simplewebauthn/server');
}

/** The library throws where an answer is not valid. What it says quotes the answer, so nobody is told. */
function invalid(): undefined {
  return undefined;
}

function read<T>(shape: z.ZodType<T>, text: string): T | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

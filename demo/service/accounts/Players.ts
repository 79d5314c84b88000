import type { Database, Sql } from '../database/Database.js';
import { newId, type Random } from '../secrets.js';
import { hashPassword, verifyPassword, type PasswordCost } from './passwords.js';

export interface Player {
  readonly playerId: string;
  readonly displayName: string;
}

interface Row {
  player_id: string;
  display_name: string;
  password_hash: string;
}

/** An e-mail address as a person would read it: NFKC, without invisible characters and blanks around it. */
export function plainEmail(email: string): string {
  return (
    email
      .normalize('NFKC')
      .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
      // Once more: a letter and its accent may have had an invisible character between them.
      .normalize('NFKC')
      .trim()
  );
}

/** Brings an e-mail address into the form in which it is compared and stored. */
export function normalizeEmail(email: string): string {
  return plainEmail(email).toLowerCase();
}

/** The player accounts. */
export class Players {
  readonly #database: Database;
  readonly #random: Random;
  readonly #cost: PasswordCost;
  #decoyHash: Promise<string> | undefined;

  constructor(database: Database, random: Random, cost: PasswordCost) {
    this.#database = database;
    this.#random = random;
    this.#cost = cost;
  }

  /** Opens an account. `sql` may be a transaction it shall be part of. */
  async create(email: string, password: string, displayName: string, sql: Sql = this.#database): Promise<Player> {
    const playerId = newId('player', this.#random);
    await sql.run(
      'INSERT INTO players (player_id, email, display_name, password_hash) VALUES (?, ?, ?, ?)',
      playerId,
      normalizeEmail(email),
      displayName,
      await hashPassword(password, this.#cost),
    );
    return { playerId, displayName };
  }

  async byEmail(email: string): Promise<Player | undefined> {
    const row = await this.#rowByEmail(email);
    return row && toPlayer(row);
  }

  async byId(playerId: string): Promise<Player | undefined> {
    const row = await this.#database.first<Row>('SELECT * FROM players WHERE player_id = ?', playerId);
    return row && toPlayer(row);
  }

  /** The player whose e-mail and password these are. Takes as long for an unknown e-mail as for a wrong password. */
  async authenticate(email: string, password: string): Promise<Player | undefined> {
    const row = await this.#rowByEmail(email);
    this.#decoyHash ??= hashPassword('a password no account has', this.#cost);
    const right = await verifyPassword(password, row?.password_hash ?? (await this.#decoyHash));
    return row !== undefined && right ? toPlayer(row) : undefined;
  }

  /** Whether this is the password of a player who is known already: asked before what cannot be undone. */
  async isPasswordOf(playerId: string, password: string): Promise<boolean> {
    const row = await this.#database.first<Row>('SELECT * FROM players WHERE player_id = ?', playerId);
    return row !== undefined && (await verifyPassword(password, row.password_hash));
  }

  #rowByEmail(email: string): Promise<Row | undefined> {
    return this.#database.first<Row>('SELECT * FROM players WHERE email = ?', normalizeEmail(email));
  }
}

function toPlayer(row: Row): Player {
  return { playerId: row.player_id, displayName: row.display_name };
}

import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

/**
 * Work factor of scrypt: memory is 128 · `cost` · 8 bytes, time grows with `cost` · `parallelization`.
 *
 * The default is one of OWASP's recommended pairs (Password Storage Cheat Sheet): 32 MiB.
 */
export interface PasswordCost {
  readonly cost: number;
  readonly parallelization: number;
}

export const DEFAULT_PASSWORD_COST: PasswordCost = { cost: 2 ** 15, parallelization: 3 };

const BLOCK_SIZE = 8;
const KEY_LENGTH = 32;

/** Salted scrypt hash, with its parameters written in front so that they can be raised later. */
export async function hashPassword(password: string, cost: PasswordCost = DEFAULT_PASSWORD_COST): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.cost, cost.parallelization, salt.toString('base64'), key.toString('base64')].join('$');
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, cost, parallelization, salt, key] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64');
  const derived = await derive(password, Buffer.from(salt, 'base64'), {
    cost: Number(cost),
    parallelization: Number(parallelization),
  });
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

function derive(password: string, salt: Buffer, { cost, parallelization }: PasswordCost): Promise<Buffer> {
  // What scrypt needs, told exactly: Node refuses more than 32 MiB unless it is announced.
  const maxmem = 128 * BLOCK_SIZE * (cost + parallelization + 2);
  const options: ScryptOptions = { cost, parallelization, blockSize: BLOCK_SIZE, maxmem };
  return new Promise((resolve, reject) => {
    // NFKC: the same password typed on another keyboard or system gives the same bytes.
    scrypt(password.normalize('NFKC'), salt, KEY_LENGTH, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

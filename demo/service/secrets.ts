import { createHash, timingSafeEqual } from 'node:crypto';

/** Gives `size` unpredictable bytes. */
export type Random = (size: number) => Buffer;

/** What a secret opens; written at its front, so that a leaked one can be recognised and named. */
export type SecretKind = 'at' | 'rt' | 'apt' | 'arq' | 'code' | 'web' | 'pre';

/** A new secret of 256 bits, such as `at_kTz…`. */
export function newSecret(kind: SecretKind, random: Random): string {
  return `${kind}_${random(32).toString('base64url')}`;
}

/** A new public name of 96 bits, such as `req_1f…`. Not a secret: it opens nothing. */
export function newId(prefix: string, random: Random): string {
  return `${prefix}_${random(12).toString('hex')}`;
}

/** How a secret of {@link newSecret} is stored. With 256 random bits in it, it needs neither salt nor slowness. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares in a time that depends on neither text, nor on where they differ. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

import type { Random } from '../secrets.js';

/** Capital letters and digits of which no two are mistaken for each other on a screen or when read aloud. */
export const BINDING_CODE_ALPHABET = 'ACDEFHJKMNPQRTUVWXY34679';
export const BINDING_CODE_LENGTH = 4;

/**
 * A short code that the game and the web app both show, so that the player confirms the request of the game in front of
 * them and not somebody else's. It recognises; it does not authenticate.
 */
export function bindingCode(random: Random): string {
  // Bytes above the last whole multiple of the alphabet would favour its first letters.
  const usable = 256 - (256 % BINDING_CODE_ALPHABET.length);
  let code = '';
  while (code.length < BINDING_CODE_LENGTH) {
    for (const byte of random(8)) {
      if (byte < usable && code.length < BINDING_CODE_LENGTH) {
        code += BINDING_CODE_ALPHABET.charAt(byte % BINDING_CODE_ALPHABET.length);
      }
    }
  }
  return code;
}

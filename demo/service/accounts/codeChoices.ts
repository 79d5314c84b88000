import type { Random } from '../secrets.js';
import { bindingCode } from './bindingCode.js';

/** How many codes the player chooses from. */
const CHOICES = 3;

/**
 * A code among others that differ from it, and from each other, in every character, at a random place. Made once for a
 * request and kept: made anew at every look, the right one would be the one that stays.
 */
export function codeChoices(code: string, random: Random): string[] {
  const choices: string[] = [];
  while (choices.length < CHOICES - 1) {
    const other = bindingCode(random);
    if ([code, ...choices].every((taken) => !isAlike(taken, other))) choices.push(other);
  }
  choices.splice(below(CHOICES, random), 0, code);
  return choices;
}

function isAlike(a: string, b: string): boolean {
  return Array.from(a).some((character, index) => character === b[index]);
}

/** An even choice from 0 to `count` - 1. */
function below(count: number, random: Random): number {
  const usable = 256 - (256 % count);
  for (;;) for (const byte of random(8)) if (byte < usable) return byte % count;
}

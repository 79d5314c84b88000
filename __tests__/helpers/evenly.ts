import * as fc from 'fast-check';

/**
 * Any number between two, each part of the way as often as another. Of `fc.double`, which takes each number that can be
 * written as often, half the values between 0 and 400 would be less than 1e-150: nearly nothing would lie on the canvas.
 */
export function evenly(min: number, max: number): fc.Arbitrary<number> {
  return fc.nat(2 ** 31 - 1).map((part) => min + ((max - min) * part) / (2 ** 31 - 1));
}

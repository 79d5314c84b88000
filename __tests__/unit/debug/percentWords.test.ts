import fc from 'fast-check';
import { percentWords } from '../../../src/debug/words.js';

const words = (percentageInView: number, isFullyVisible = false) => percentWords({ percentageInView, isFullyVisible });

it('says 100 % of an ad that is fully visible, and of no other', () => {
  expect(words(99.999, true)).toBe('100 %');
  fc.assert(fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (share) => words(share) !== '100 %'));
});

it('says 0 % only where nothing is in view', () => {
  expect(words(0)).toBe('0 %');
  fc.assert(fc.property(fc.double({ min: 1e-9, max: 100, noNaN: true }), (share) => words(share) !== '0 %'));
});

it('says the nearest of whole percent of what is in between, and no other word', () => {
  const said = [0.001, 0.99, 1, 1.4, 49.5, 72.49, 98.6, 99.999].map((share) => words(share));
  expect(said).toEqual(['< 1 %', '< 1 %', '1 %', '1 %', '50 %', '72 %', '99 %', '99 %']);
});

import { oneFor } from '../../src/oneFor.js';

it('each object has one of its own, made of what the first call says', () => {
  const made = jest.fn((of: object, word: string) => ({ of, word }));
  const wordOf = oneFor(made);
  const [a, b] = [{}, {}];
  const first = wordOf(a, 'first');
  expect(first).toEqual({ of: a, word: 'first' });
  expect(wordOf(b, 'second')).toEqual({ of: b, word: 'second' });
  expect(wordOf(a, 'third')).toBe(first);
  expect(made).toHaveBeenCalledTimes(2);
});

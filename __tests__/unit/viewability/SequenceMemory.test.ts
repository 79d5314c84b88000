import { SequenceMemory } from '../../../src/measure/SequenceMemory.js';

const [a, b] = [{ name: 'a' }, { name: 'b' }];

/** Whether each of some sequences is the one before it. */
function compare(...sequences: readonly (readonly unknown[])[]): boolean[] {
  const memory = new SequenceMemory();
  return sequences.map((sequence) => {
    memory.begin();
    for (const one of sequence) {
      if (typeof one === 'number') memory.number(one);
      else if (one instanceof Float64Array) memory.numbers(one, 0, one.length);
      else memory.reference(one);
    }
    return memory.end();
  });
}

it.each([
  ['numbers', [1, 2], [1]],
  ['objects', [a, b], [a]],
  ['both', [1, a, 2, b], [1, a]],
  ['arrays', [Float64Array.of(1, 2)], [Float64Array.of(1)]],
])('%s that are longer or shorter than the last ones are others, also when they come back', (_, long, short) => {
  expect(compare(long, long, short, short, long, long)).toEqual([false, true, false, true, false, true]);
});

it.each([
  ['numbers', Array.from({ length: 1000 }, (_, i) => i)],
  ['arrays', [Float64Array.from({ length: 1000 }, (_, i) => i), Float64Array.from({ length: 3000 }, (_, i) => -i)]],
])('so many %s are compared to the last one', (_, many) => {
  expect(compare(many, many, [...many, 1], [...many, 2])).toEqual([false, true, false, false]);
});

it('nothing is like what is not a number', () => {
  expect(compare([NaN], [NaN])).toEqual([false, false]);
});

it.each<[string, (memory: SequenceMemory) => void]>([
  ['objects', (memory) => memory.reference(a)],
  ['numbers', (memory) => memory.number(1)],
])('nothing is remembered of %s that were forgotten', (_, take) => {
  const memory = new SequenceMemory();
  const isSame = (): boolean => {
    memory.begin();
    take(memory);
    return memory.end();
  };
  expect([isSame(), isSame()]).toEqual([false, true]);
  memory.forget();
  expect([isSame(), isSame()]).toEqual([false, true]);
});

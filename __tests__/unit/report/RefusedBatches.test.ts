import { MAX_REFUSALS } from '../../../src/report/limits.js';
import { RefusedBatches } from '../../../src/report/RefusedBatches.js';

const all = () => true;

describe('the search for the event a service refuses others for', () => {
  it('tries the parts of a batch in the order recorded', () => {
    const search = new RefusedBatches<number>();
    search.refused([1, 2, 3, 4, 5]);
    expect([search.next(all), search.next(all), search.next(all)]).toEqual([[1, 2, 3], [4, 5], null]);
  });

  it('leaves out what waits no more, and a part of which nothing does', () => {
    const search = new RefusedBatches<number>();
    search.refused([1, 2, 3, 4]);
    expect(search.next((item) => item === 4)).toEqual([4]);
    expect(search.next(all)).toBeNull();
  });

  it('has no part left once it is given up: all go together again', () => {
    const search = new RefusedBatches<number>();
    const refused = Array.from({ length: MAX_REFUSALS }, () => search.refused([1, 2, 3, 4]));
    expect(refused.at(-1)).toBe('hopeless');
    expect(search.next(all)).toBeNull();
    expect(search.refused([1, 2])).toBe('narrowed');
  });

  it('blames an event that is refused alone only while others are taken', () => {
    const search = new RefusedBatches<number>();
    expect([search.refused([1]), search.refused([1])]).toEqual(['suspected', 'suspected']);
    search.taken();
    expect([search.isSuspect(1), search.refused([1])]).toEqual([true, 'convicted']);
    expect([search.isSuspect(1), search.refused([2])]).toEqual([false, 'suspected']);
  });

  it('does not hold against an event what was taken in another search', () => {
    const search = new RefusedBatches<number>();
    search.refused([1, 2]);
    search.taken();
    expect(search.next(all)).toEqual([1]);
    search.taken();
    expect(search.next(all)).toEqual([2]);
    search.taken();
    expect(search.refused([3])).toBe('suspected');
  });

  it('goes on until no part is left: what was taken in it speaks against each event refused alone', () => {
    const search = new RefusedBatches<number>();
    search.refused([1, 2, 3]);
    search.refused(search.next(all)!);
    search.taken();
    expect([search.next(all), search.refused([1])]).toEqual([[1], 'convicted']);
    expect([search.next(all), search.refused([2])]).toEqual([[2], 'convicted']);
    expect([search.next(all), search.refused([3])]).toEqual([[3], 'convicted']);
    // That was the end of it.
    expect(search.refused([4])).toBe('suspected');
  });

  it('is not over with a suspicion while there are parts: they are tried at once', () => {
    const search = new RefusedBatches<number>();
    search.refused([1, 2]);
    expect([search.next(all), search.refused([1])]).toEqual([[1], 'narrowed']);
  });

  /** How many refusals come before the search is given up. */
  function patience(search: RefusedBatches<number>, batch: number[]): number {
    const refusals = Array.from({ length: 2 * MAX_REFUSALS }, () => search.refused(batch));
    return refusals.indexOf('hopeless');
  }

  it('is given up after so many refusals in a row, of one batch or of one event after the other, again and again', () => {
    const search = new RefusedBatches<number>();
    const batches = [[1, 2, 3, 4], [1], [1, 2], [2]];
    expect(batches.map((batch) => patience(search, batch))).toEqual(batches.map(() => MAX_REFUSALS - 1));
  });

  it.each<[what: string, happens: (search: RefusedBatches<number>) => void]>([
    ['something is taken', (search) => search.taken()],
    [
      'an event is to blame, and the search is over',
      (search) => {
        search.next(all);
        search.taken();
        search.next(all);
        expect(search.refused([2])).toBe('convicted');
      },
    ],
  ])('is patient anew once %s', (_what, happens) => {
    const search = new RefusedBatches<number>();
    search.refused([1, 2]);
    happens(search);
    expect(patience(search, [3, 4])).toBe(MAX_REFUSALS - 1);
  });
});

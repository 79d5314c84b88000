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
});

import fc from 'fast-check';

import { DROP_REASONS, imbalanceOf, type ReportBooks, sumOfBooks } from '../../../src/report/ReportLedger.js';

const count = fc.nat(1_000);
const books: fc.Arbitrary<ReportBooks> = fc.record({
  created: count,
  accepted: count,
  duplicate: count,
  rejected: count,
  dropped: fc.record({ overflow: count, tooOld: count, tooLarge: count, corrupt: count, storageLost: count }),
  pending: count,
});

it('the books of two outboxes together hold of everything what both hold, and change neither', () => {
  fc.assert(
    fc.property(books, books, (a, b) => {
      const before = structuredClone([a, b]);
      const both = sumOfBooks(a, b);
      for (const field of ['created', 'accepted', 'duplicate', 'rejected', 'pending'] as const) {
        expect([field, both[field]]).toEqual([field, a[field] + b[field]]);
      }
      for (const reason of DROP_REASONS) {
        expect([reason, both.dropped[reason]]).toEqual([reason, a.dropped[reason] + b.dropped[reason]]);
      }
      expect(imbalanceOf(both)).toBe(imbalanceOf(a) + imbalanceOf(b));
      expect([a, b]).toEqual(before);
    }),
  );
});

import fc from 'fast-check';
import * as v from 'valibot';

import {
  DROP_REASONS,
  emptyLedger,
  enterFate,
  type EventFate,
  imbalanceOf,
  ledgerSchema,
  type ReportBooks,
  sumOfBooks,
} from '../../../src/report/ReportLedger.js';

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

it('what became of an event is entered under its name and in no other place, and the books still balance', () => {
  const fates = fc.array(fc.constantFrom<EventFate>('accepted', 'duplicate', 'rejected', ...DROP_REASONS));
  fc.assert(
    fc.property(fates, (entered) => {
      const ledger = { ...emptyLedger('one'), created: 100, pending: 100 };
      for (const fate of entered) enterFate(ledger, fate);
      const { accepted, duplicate, rejected, dropped, pending } = ledger;
      const counts: Record<string, number> = { accepted, duplicate, rejected, ...dropped };
      for (const [fate, times] of Object.entries(counts)) {
        expect([fate, times]).toEqual([fate, entered.filter((one) => one === fate).length]);
      }
      expect([pending, imbalanceOf(ledger)]).toEqual([100 - entered.length, 0]);
    }),
  );
});

it('stored books are read only if they have a name, count from 0 on and balance', () => {
  const stored = { ...emptyLedger('one'), created: 2, accepted: 1, rejected: 1 };
  expect([emptyLedger('one'), stored].map((one) => v.is(ledgerSchema, one))).toEqual([true, true]);
  for (const fault of [{ outboxId: '' }, { accepted: 2, rejected: 0, duplicate: 1 }, { accepted: 3, rejected: -1 }]) {
    expect([fault, v.is(ledgerSchema, { ...stored, ...fault })]).toEqual([fault, false]);
  }
});

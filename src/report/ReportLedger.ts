import * as v from 'valibot';

/** Why an event was given up. */
export const DROP_REASONS = ['overflow', 'tooOld', 'tooLarge', 'corrupt', 'storageLost'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** What became of an event. */
export type EventFate = 'accepted' | 'duplicate' | 'rejected' | DropReason;

/**
 * Where every event has gone: `created = accepted + duplicate + rejected + pending + ` all of `dropped`, at any time.
 */
export interface ReportBooks {
  readonly created: number;
  /** Counted by the service when it answered. */
  readonly accepted: number;
  /** The service had counted it before: an earlier answer was lost. */
  readonly duplicate: number;
  /** Refused by the service for good. */
  readonly rejected: number;
  /** Given up here. If it was sent before and the answer got lost, the service may have counted it all the same. */
  readonly dropped: Readonly<Record<DropReason, number>>;
  readonly pending: number;
}

/** The books of one outbox. Of two versions the one with the higher revision is newer. */
export interface ReportLedger extends ReportBooks {
  readonly outboxId: string;
  readonly revision: number;
}

/** A ledger one can write in. */
type LedgerDraft = v.InferOutput<typeof ledgerSchema>;

export function emptyLedger(outboxId: string): LedgerDraft {
  const dropped = { overflow: 0, tooOld: 0, tooLarge: 0, corrupt: 0, storageLost: 0 };
  return { outboxId, revision: 0, created: 0, accepted: 0, duplicate: 0, rejected: 0, dropped, pending: 0 };
}

/** Enters what became of a pending event. */
export function enterFate(draft: LedgerDraft, fate: EventFate, count = 1): void {
  if (fate === 'accepted' || fate === 'duplicate' || fate === 'rejected') draft[fate] += count;
  else draft.dropped[fate] += count;
  draft.pending -= count;
}

/** What is missing in the books; 0 when they balance. */
export function imbalanceOf({ created, accepted, duplicate, rejected, dropped, pending }: ReportBooks): number {
  const given = DROP_REASONS.reduce((sum, reason) => sum + dropped[reason], 0);
  return created - accepted - duplicate - rejected - given - pending;
}

/** The books of two outboxes together. */
export function sumOfBooks(a: ReportBooks, b: ReportBooks): ReportBooks {
  const dropped = { ...a.dropped };
  for (const reason of DROP_REASONS) dropped[reason] += b.dropped[reason];
  return {
    created: a.created + b.created,
    accepted: a.accepted + b.accepted,
    duplicate: a.duplicate + b.duplicate,
    rejected: a.rejected + b.rejected,
    dropped,
    pending: a.pending + b.pending,
  };
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** A ledger that balances. */
export const ledgerSchema = v.pipe(
  v.object({
    outboxId: v.pipe(v.string(), v.minLength(1)),
    revision: count,
    created: count,
    accepted: count,
    duplicate: count,
    rejected: count,
    dropped: v.object({ overflow: count, tooOld: count, tooLarge: count, corrupt: count, storageLost: count }),
    pending: count,
  }),
  v.check((ledger) => imbalanceOf(ledger) === 0),
);

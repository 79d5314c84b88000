import type { Acknowledgement } from '../service/decode.js';
import type { AdEvent } from './AdEvent.js';
import type { Durability } from './Outbox.js';
import type { ReportLedger } from './ReportLedger.js';

/** Events on their way, and what the service should know of the outbox they come from. */
export interface ReportBatch {
  readonly events: readonly AdEvent[];
  readonly durability: Durability;
  /** As it stood before this batch. */
  readonly ledger: ReportLedger | null;
}

export interface SendOptions {
  /** The page may be gone before the answer: the request must outlive it, and must not need a preflight. */
  readonly outlivesPage: boolean;
}

/** Hands a batch to the service. Rejects when it is not known what became of it. */
export type SendBatch = (batch: ReportBatch, options: SendOptions) => Promise<Acknowledgement>;

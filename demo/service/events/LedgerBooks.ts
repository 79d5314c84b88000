import type { Database } from '../database/Database.js';

/** Where the events of one application have gone, by its games' own account, and what of it is here. */
export interface ApplicationLedger {
  readonly applicationId: string;
  readonly name: string;
  /** Outboxes that have sent a ledger; each counts in its newest revision. */
  readonly outboxes: number;
  /** Of these, how many keep events only as long as the page lives. */
  readonly outboxesInMemory: number;
  readonly created: number;
  /** Taken here, whether or not the game has heard of it. */
  readonly accepted: number;
  readonly duplicate: number;
  readonly rejected: number;
  readonly dropped: {
    readonly overflow: number;
    readonly tooOld: number;
    readonly tooLarge: number;
    readonly corrupt: number;
    readonly storageLost: number;
  };
  /** Not here yet. */
  readonly pending: number;
  /** `created − (accepted + duplicate + rejected + dropped + pending)`: 0, or the books do not balance. */
  readonly remainder: number;
  /** Events stored here: as many as accepted, duplicate and unbooked together once nothing is pending. */
  readonly stored: number;
  /**
   * Stored here, and in no books that have come so far: those of a page that ended before its storage could be used, or
   * of a game that keeps none.
   */
  readonly unbooked: number;
  /** When the newest of the ledgers came, milliseconds since 1970 UTC. Null: none has. */
  readonly newestAt: number | null;
}

interface Row {
  application_id: string;
  name: string;
  stored: number;
  outboxes: number;
  in_memory: number | null;
  created: number | null;
  accepted: number | null;
  duplicate: number | null;
  rejected: number | null;
  overflow: number | null;
  too_old: number | null;
  too_large: number | null;
  corrupt: number | null;
  storage_lost: number | null;
  pending: number | null;
  newest_at: number | null;
}

// Sums of fractions: those of integers end with an error beyond 64 bits, and what games claim is theirs.
const QUERY = `
  SELECT a.application_id, MAX(a.name) AS name,
    (SELECT COUNT(*) FROM events e WHERE e.application_id = a.application_id) AS stored,
    COUNT(o.outbox_id) AS outboxes,
    SUM(CASE WHEN o.durability = 'memory' THEN 1 ELSE 0 END) AS in_memory,
    SUM(1.0 * o.created) AS created, SUM(1.0 * o.accepted) AS accepted, SUM(1.0 * o.duplicate) AS duplicate,
    SUM(1.0 * o.rejected) AS rejected, SUM(1.0 * o.dropped_overflow) AS overflow, SUM(1.0 * o.dropped_too_old) AS too_old,
    SUM(1.0 * o.dropped_too_large) AS too_large, SUM(1.0 * o.dropped_corrupt) AS corrupt,
    SUM(1.0 * o.dropped_storage_lost) AS storage_lost, SUM(1.0 * o.pending) AS pending,
    MAX(o.received_at) AS newest_at
  FROM applications a LEFT JOIN outboxes o ON o.application_id = a.application_id
  GROUP BY a.application_id ORDER BY a.application_id`;

/** The books of reporting: what games say became of their events, held against what the service has. */
export class LedgerBooks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** One ledger for each application, in the order of their ids. */
  async all(): Promise<ApplicationLedger[]> {
    return (await this.#database.all<Row>(QUERY)).map(toLedger);
  }
}

function toLedger(row: Row): ApplicationLedger {
  const dropped = {
    overflow: row.overflow ?? 0,
    tooOld: row.too_old ?? 0,
    tooLarge: row.too_large ?? 0,
    corrupt: row.corrupt ?? 0,
    storageLost: row.storage_lost ?? 0,
  };
  const created = row.created ?? 0;
  const duplicate = row.duplicate ?? 0;
  const rejected = row.rejected ?? 0;
  // A game tells its books before it has the answer, and one that closes never tells them again.
  const arrived = Math.min(row.pending ?? 0, Math.max(0, row.stored - (row.accepted ?? 0) - duplicate));
  const pending = (row.pending ?? 0) - arrived;
  const accepted = (row.accepted ?? 0) + arrived;
  const gone = Object.values(dropped).reduce((sum, count) => sum + count, 0);
  return {
    applicationId: row.application_id,
    name: row.name,
    outboxes: row.outboxes,
    outboxesInMemory: row.in_memory ?? 0,
    created,
    accepted,
    duplicate,
    rejected,
    dropped,
    pending,
    remainder: created - (accepted + duplicate + rejected + gone + pending),
    stored: row.stored,
    unbooked: Math.max(0, row.stored - accepted - duplicate),
    newestAt: row.newest_at,
  };
}

import { AdEvent, MAX_EVENT_BYTES, type Acknowledgement, type EventBatch, type OutboxLedger } from '../contract.js';
import type { Database, Sql, SqlValue } from '../database/Database.js';
import { insertRows } from '../database/insertRows.js';
import { eventHash } from './eventHash.js';
import { naturalKey } from './naturalKey.js';

export type EventKind = AdEvent['kind'];

type Rejection = Acknowledgement['rejected'][number];

/** An event that may be stored. */
interface GoodEvent {
  readonly event: AdEvent;
  /** Of what was sent, including members the contract does not name. */
  readonly hash: string;
  /** Whether the contract names all of it; what it does not name is not stored. */
  readonly isWhole: boolean;
}

/** Takes in what games report about their ads, and counts each event once. */
export class EventLog {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * Stores the good events of a batch and the ledger that came with it, all or nothing, and tells what became of each
   * event. Two unique indexes decide what is new, so that any number of copies of the service may be told the same
   * event at the same time: one of them stores it.
   */
  receive(applicationId: string, { events, ledger, sentAt, durability }: EventBatch): Promise<Acknowledgement> {
    return this.#database.transaction(async (sql) => {
      const receivedAt = Math.round(this.#now());
      const surfaces = await surfacesOf(sql, applicationId);
      const judged = events.map((raw) => judge(raw, surfaces));
      const good = judged.filter((event) => 'event' in event);
      const isNew = await insertRows(
        sql,
        'events',
        EVENT_COLUMNS,
        good.map((one) => eventRow(applicationId, one, receivedAt, sentAt)),
        'event_id',
      );
      const answer: Acknowledgement = { accepted: [], duplicate: [], rejected: [] };
      const stored: AdEvent[] = [];
      for (const one of judged) {
        if (!('event' in one)) answer.rejected.push(one);
        // Deleted, so that a second one of the same id in this batch is a duplicate.
        else if (isNew.delete(one.event.id)) {
          answer.accepted.push(one.event.id);
          stored.push(one.event);
        } else answer.duplicate.push(one.event.id);
      }
      await insertSummaries(sql, applicationId, stored);
      if (ledger !== undefined) await keepLedger(sql, applicationId, ledger, durability, receivedAt);
      return answer;
    });
  }
}

function judge(raw: { readonly id: string }, surfaces: ReadonlySet<string>): GoodEvent | Rejection {
  const { id } = raw;
  const text = jsonOf(raw);
  if (text === undefined || Buffer.byteLength(text) > MAX_EVENT_BYTES) {
    const error_description = `An event may have at most ${String(MAX_EVENT_BYTES)} bytes as JSON.`;
    return { id, error: 'event_too_large', error_description };
  }
  const parsed = AdEvent.safeParse(raw);
  if (!parsed.success) {
    const places = new Set(parsed.error.issues.map((issue) => ['$', ...issue.path].join('.')));
    const error_description = `Missing or malformed: ${[...places].join(', ')}.`;
    return { id, error: 'invalid_event', error_description };
  }
  const event = parsed.data;
  if (event.adSurfaceId !== undefined && !surfaces.has(event.adSurfaceId)) {
    return { id, error: 'unknown_ad_surface', error_description: 'The application has no ad surface of this id.' };
  }
  const hash = eventHash(raw);
  return { event, hash, isWhole: eventHash(event) === hash };
}

/** Undefined for what is nested too deep to be written, which no event is. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

async function surfacesOf(sql: Sql, applicationId: string): Promise<Set<string>> {
  const rows = await sql.all<{ ad_surface_id: string }>(
    'SELECT ad_surface_id FROM ad_surfaces WHERE application_id = ?',
    applicationId,
  );
  return new Set(rows.map((row) => row.ad_surface_id));
}

const EVENT_COLUMNS = [
  'application_id',
  'event_id',
  'natural_key',
  'kind',
  'session_id',
  'placement_id',
  'sequence',
  'standard',
  'ad_surface_id',
  'ad_id',
  'event',
  'event_hash',
  'is_whole',
  'happened_at',
  'received_at',
];

function eventRow(
  applicationId: string,
  { event, hash, isWhole }: GoodEvent,
  receivedAt: number,
  sentAt: number | undefined,
): SqlValue[] {
  return [
    applicationId,
    event.id,
    naturalKey(event) ?? null,
    event.kind,
    event.sessionId,
    event.placementId ?? null,
    event.sequence ?? null,
    event.kind === 'viewable' ? event.standard : null,
    event.adSurfaceId ?? null,
    event.adId ?? null,
    JSON.stringify(event),
    hash,
    isWhole ? 1 : 0,
    happenedAt(event, receivedAt, sentAt),
    receivedAt,
  ];
}

/**
 * When an event happened by the service's clock: the device's clock, corrected by how far off it was when the batch
 * left. Never later than it arrived: then the device's clock was set in between.
 */
function happenedAt({ wallTime }: AdEvent, receivedAt: number, sentAt: number | undefined): number {
  if (wallTime === undefined) return receivedAt;
  const skew = sentAt === undefined ? 0 : receivedAt - sentAt;
  return Math.min(receivedAt, Math.round(wallTime + skew));
}

async function insertSummaries(sql: Sql, applicationId: string, events: readonly AdEvent[]): Promise<void> {
  const summaries = events.flatMap((event) =>
    event.kind === 'summary' && event.placementId !== undefined ? [{ ...event, placementId: event.placementId }] : [],
  );
  await insertRows(
    sql,
    'summaries',
    SUMMARY_COLUMNS,
    summaries.map((summary) => [
      applicationId,
      summary.id,
      summary.placementId,
      summary.ordinal ?? 1,
      summary.timeInViewMs,
      summary.longestInViewMs,
      summary.maxPercentageInView,
      summary.measurableMs,
      summary.unmeasurableMs,
      Object.values(summary.refusedClicks ?? {}).reduce((sum, times) => sum + times, 0),
    ]),
    'event_id',
  );
  const of = <Value extends SqlValue>(read: (summary: (typeof summaries)[number]) => Record<string, Value>) =>
    summaries.flatMap((summary) =>
      Object.entries(read(summary)).map(([name, value]) => [applicationId, summary.id, name, value]),
    );
  await insertRows(
    sql,
    'summary_verdicts',
    ['application_id', 'event_id', 'standard', 'verdict'],
    of(({ verdicts }) => verdicts),
    'event_id',
  );
  await insertRows(
    sql,
    'summary_reasons',
    ['application_id', 'event_id', 'reason', 'duration_ms'],
    of(({ reasonsMs }) => reasonsMs),
    'event_id',
  );
}

const SUMMARY_COLUMNS = [
  'application_id',
  'event_id',
  'placement_id',
  'ordinal',
  'time_in_view_ms',
  'longest_in_view_ms',
  'max_percentage_in_view',
  'measurable_ms',
  'unmeasurable_ms',
  'refused_clicks',
];

/** The newest ledger of an outbox stands, whichever order they arrive in. */
async function keepLedger(
  sql: Sql,
  applicationId: string,
  ledger: OutboxLedger,
  durability: EventBatch['durability'],
  receivedAt: number,
): Promise<void> {
  const { dropped } = ledger;
  const columns: Record<string, SqlValue> = {
    revision: ledger.revision,
    created: ledger.created,
    accepted: ledger.accepted,
    duplicate: ledger.duplicate,
    rejected: ledger.rejected,
    dropped_overflow: dropped.overflow,
    dropped_too_old: dropped.tooOld,
    dropped_too_large: dropped.tooLarge,
    dropped_corrupt: dropped.corrupt,
    dropped_storage_lost: dropped.storageLost,
    pending: ledger.pending,
    durability: durability ?? null,
    received_at: receivedAt,
  };
  const names = Object.keys(columns);
  await sql.run(
    `INSERT INTO outboxes (application_id, outbox_id, ${names.join(', ')})
     VALUES (?, ?, ${names.map(() => '?').join(', ')})
     ON CONFLICT (application_id, outbox_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
     WHERE excluded.revision > outboxes.revision`,
    applicationId,
    ledger.outboxId,
    ...Object.values(columns),
  );
}

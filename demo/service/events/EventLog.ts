import { AdEvent } from '../contract.js';
import type { Database, Sql } from '../database/Database.js';

export type EventKind = AdEvent['kind'];

export interface RejectedEvent {
  readonly id: string;
  readonly error: 'invalid_event' | 'unknown_ad_surface';
  readonly error_description: string;
}

/** What became of each event of a batch, by id. */
export interface Acknowledgement {
  readonly accepted: string[];
  readonly duplicate: string[];
  readonly rejected: RejectedEvent[];
}

export interface EventFilter {
  /** Undefined: every surface, and events without one. */
  readonly adSurfaceId?: string | undefined;
  /** Undefined: every kind. */
  readonly kind?: EventKind | undefined;
}

export interface LoggedEvent {
  readonly event: AdEvent;
  /** Undefined for a sprite the game made itself. */
  readonly surfaceName: string | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly receivedAt: number;
}

/** How many events of one kind one surface has. */
export interface EventCount {
  readonly adSurfaceId: string | null;
  readonly surfaceName: string | null;
  readonly kind: EventKind;
  readonly count: number;
}

interface EventRow {
  event: string;
  name: string | null;
  received_at: number;
}

/** What games reported about their ads, each event once. */
export class EventLog {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Stores the good events of a batch, all or none of them, and tells what became of each. */
  receive(applicationId: string, batch: readonly { readonly id: string }[]): Promise<Acknowledgement> {
    return this.#database.transaction(async (sql) => {
      const answer: Acknowledgement = { accepted: [], duplicate: [], rejected: [] };
      for (const raw of batch) {
        const { id } = raw;
        const parsed = AdEvent.safeParse(raw);
        if (!parsed.success) {
          const places = new Set(parsed.error.issues.map((issue) => ['$', ...issue.path].join('.')));
          const error_description = `Missing or malformed: ${[...places].join(', ')}.`;
          answer.rejected.push({ id, error: 'invalid_event', error_description });
        } else if (!(await hasSurface(sql, applicationId, parsed.data.adSurfaceId))) {
          const error_description = 'The application has no ad surface of this id.';
          answer.rejected.push({ id, error: 'unknown_ad_surface', error_description });
        } else {
          const isNew = await this.#insert(sql, applicationId, parsed.data);
          answer[isNew ? 'accepted' : 'duplicate'].push(id);
        }
      }
      return answer;
    });
  }

  /** The newest events that fit, newest first. */
  async latest({ adSurfaceId, kind }: EventFilter, limit: number): Promise<LoggedEvent[]> {
    const rows = await this.#database.all<EventRow>(
      `SELECT event, name, received_at FROM events LEFT JOIN ad_surfaces USING (ad_surface_id)
       WHERE (? IS NULL OR ad_surface_id = ?) AND (? IS NULL OR kind = ?) ORDER BY arrival DESC LIMIT ?`,
      adSurfaceId ?? null,
      adSurfaceId ?? null,
      kind ?? null,
      kind ?? null,
      limit,
    );
    return rows.map(({ event, name, received_at }) => ({
      event: JSON.parse(event) as AdEvent,
      surfaceName: name ?? undefined,
      receivedAt: received_at,
    }));
  }

  /** Counts of all events, in the order of the surfaces; those without a surface last. */
  async counts(): Promise<EventCount[]> {
    const rows = await this.#database.all<{ ad_surface_id: string | null; name: string; kind: EventKind; n: number }>(
      `SELECT ad_surface_id, name, kind, n
       FROM (SELECT ad_surface_id, kind, COUNT(*) AS n FROM events GROUP BY ad_surface_id, kind) AS counted
       LEFT JOIN ad_surfaces USING (ad_surface_id)
       ORDER BY position IS NULL, position, ad_surface_id`,
    );
    return rows.map((row) => ({
      adSurfaceId: row.ad_surface_id,
      surfaceName: row.name,
      kind: row.kind,
      count: row.n,
    }));
  }

  /** Number of the newest event; 0 while there is none. Another number: there is something new. */
  async newest(): Promise<number> {
    const row = await this.#database.first<{ newest: number | null }>('SELECT MAX(arrival) AS newest FROM events');
    return row?.newest ?? 0;
  }

  /** @returns false when an event of this id is there already; the first one stands. */
  async #insert(sql: Sql, applicationId: string, event: AdEvent): Promise<boolean> {
    const inserted = await sql.run(
      `INSERT INTO events (application_id, event_id, kind, ad_surface_id, event, received_at)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (application_id, event_id) DO NOTHING`,
      applicationId,
      event.id,
      event.kind,
      event.adSurfaceId ?? null,
      JSON.stringify(event),
      this.#now(),
    );
    return inserted > 0;
  }
}

async function hasSurface(sql: Sql, applicationId: string, adSurfaceId: string | undefined): Promise<boolean> {
  if (adSurfaceId === undefined) return true;
  const row = await sql.first(
    'SELECT 1 FROM ad_surfaces WHERE ad_surface_id = ? AND application_id = ?',
    adSurfaceId,
    applicationId,
  );
  return row !== undefined;
}

import type { AdEvent } from '../contract.js';
import type { Database, SqlValue } from '../database/Database.js';
import type { EventKind } from './EventLog.js';

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

/** The events as they came in. */
export class EventList {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The newest events that fit, newest first. */
  async latest({ adSurfaceId, kind }: EventFilter, limit: number): Promise<LoggedEvent[]> {
    const conditions = ['1 = 1'];
    const values: SqlValue[] = [];
    if (adSurfaceId !== undefined) {
      conditions.push('ad_surface_id = ?');
      values.push(adSurfaceId);
    }
    if (kind !== undefined) {
      conditions.push('kind = ?');
      values.push(kind);
    }
    const rows = await this.#database.all<EventRow>(
      `SELECT event, name, received_at FROM events LEFT JOIN ad_surfaces USING (ad_surface_id)
       WHERE ${conditions.join(' AND ')} ORDER BY arrival DESC LIMIT ?`,
      ...values,
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

  /** A text that changes whenever there is something new. */
  async mark(): Promise<string> {
    // The sum as well: of several copies, one may commit a lower number after another committed a higher one.
    const events = await this.#database.first<{ newest: number | null; all_of_them: number | null }>(
      `SELECT MAX(arrival) AS newest, SUM(arrival) AS all_of_them
       FROM (SELECT arrival FROM events ORDER BY arrival DESC LIMIT 1000) AS newest_ones`,
    );
    const ledgers = await this.#database.first<{ revisions: number | null }>(
      'SELECT SUM(1.0 * revision) AS revisions FROM outboxes',
    );
    return [events?.newest, events?.all_of_them, ledgers?.revisions].map((n) => String(n ?? 0)).join('-');
  }
}

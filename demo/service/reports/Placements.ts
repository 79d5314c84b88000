import type { AdEvent } from '../contract.js';
import type { Database } from '../database/Database.js';
import { checkChain, type ChainCheck, type ChainLink } from '../events/checkChain.js';

/** Which placement, by what names it. */
export interface PlacementName {
  readonly applicationId: string;
  readonly placementId: string;
}

export interface PlacementEvent extends ChainLink {
  /** By the service's clock, milliseconds since 1970 UTC. */
  readonly happenedAt: number;
  readonly receivedAt: number;
}

/** All that is known about one served ad in one place. */
export interface Placement extends PlacementName {
  readonly surfaceName: string | undefined;
  /** In the order they were made in. */
  readonly events: readonly [PlacementEvent, ...PlacementEvent[]];
  readonly chain: ChainCheck;
}

export interface RecentPlacement extends PlacementName {
  readonly adSurfaceId: string | null;
  readonly surfaceName: string | null;
  readonly adId: string | null;
}

/** How many of the newest events are looked through for placements. */
const EVENTS_LOOKED_AT = 400;

/** The placements games have reported. */
export class Placements {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those with the newest events, newest first. */
  async recent(limit: number): Promise<RecentPlacement[]> {
    const rows = await this.#database.all<{
      application_id: string;
      placement_id: string;
      ad_surface_id: string | null;
      name: string | null;
      ad_id: string | null;
    }>(
      `SELECT e.application_id, e.placement_id, e.ad_surface_id, s.name, e.ad_id
       FROM (SELECT application_id, placement_id, MAX(ad_surface_id) AS ad_surface_id, MAX(ad_id) AS ad_id,
               MAX(arrival) AS newest
             FROM (SELECT * FROM events ORDER BY arrival DESC LIMIT ?) AS latest
             WHERE placement_id IS NOT NULL GROUP BY application_id, placement_id) AS e
       LEFT JOIN ad_surfaces s ON s.ad_surface_id = e.ad_surface_id
       ORDER BY e.newest DESC LIMIT ?`,
      EVENTS_LOOKED_AT,
      limit,
    );
    return rows.map((row) => ({
      applicationId: row.application_id,
      placementId: row.placement_id,
      adSurfaceId: row.ad_surface_id,
      surfaceName: row.name,
      adId: row.ad_id,
    }));
  }

  /** Undefined when nothing of it has arrived. */
  async byName({ applicationId, placementId }: PlacementName): Promise<Placement | undefined> {
    const rows = await this.#database.all<{
      event: string;
      event_hash: string;
      is_whole: number;
      happened_at: number;
      received_at: number;
      name: string | null;
    }>(
      `SELECT e.event, e.event_hash, e.is_whole, e.happened_at, e.received_at, s.name
       FROM events e LEFT JOIN ad_surfaces s ON s.ad_surface_id = e.ad_surface_id
       WHERE e.application_id = ? AND e.placement_id = ? ORDER BY e.sequence, e.arrival`,
      applicationId,
      placementId,
    );
    const [first, ...others] = rows.map((row) => ({
      event: JSON.parse(row.event) as AdEvent,
      hash: row.event_hash,
      isWhole: row.is_whole === 1,
      happenedAt: row.happened_at,
      receivedAt: row.received_at,
    }));
    if (first === undefined) return undefined;
    const events: Placement['events'] = [first, ...others];
    const surfaceName = rows.find(({ name }) => name !== null)?.name ?? undefined;
    return { applicationId, placementId, surfaceName, events, chain: checkChain(events) };
  }
}

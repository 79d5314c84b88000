import type { Database } from '../database/Database.js';

/** What one ad did on one surface, each placement counted once. */
export interface AdFigure {
  /** Null: sprites of the game's own. */
  readonly adSurfaceId: string | null;
  readonly adId: string | null;
  /** Answers of getAd. */
  readonly served: number;
  /** Placements with an impression: any pixel of the ad was drawn in view. */
  readonly rendered: number;
  /** By standard. `rendered = viewable + not viewable + undetermined`, where `measurable` is the first two. */
  readonly standards: Readonly<Record<string, StandardFigure>>;
  /** By the newest summary of each placement. */
  readonly timeInViewMs: number;
  /** Presses that were no clicks, by the newest summary of each placement, rendered or not: invalid traffic. */
  readonly refusedClicks: number;
  /** Why not all of it was in view, the longest first. */
  readonly reasons: readonly ReasonTime[];
}

export interface StandardFigure {
  /** Placements with a verdict, either way. */
  readonly measurable: number;
  readonly viewable: number;
}

export interface ReasonTime {
  readonly reason: string;
  readonly durationMs: number;
}

/** Placements that were seen at all. One that became viewable was, even where its impression was given up. */
const RENDERED = `rendered AS (
  SELECT application_id, placement_id, MAX(ad_surface_id) AS ad_surface_id, MAX(ad_id) AS ad_id
  FROM events WHERE placement_id IS NOT NULL AND kind IN ('impression', 'viewable')
  GROUP BY application_id, placement_id)`;

const NEWEST = `newest AS (
  SELECT * FROM summaries s WHERE NOT EXISTS (
    SELECT 1 FROM summaries later WHERE later.application_id = s.application_id
      AND later.placement_id = s.placement_id AND later.ordinal > s.ordinal))`;

/** A verdict stands once it is viewable; else the newest summary has the last word. */
const VERDICTS = `verdicts AS (
  SELECT application_id, placement_id, standard, MAX(is_viewable) AS is_viewable, MAX(is_measured) AS is_measured
  FROM (
    SELECT application_id, placement_id, standard, 1 AS is_viewable, 1 AS is_measured
    FROM events WHERE kind = 'viewable' AND placement_id IS NOT NULL
    UNION ALL
    SELECT n.application_id, n.placement_id, v.standard,
      CASE WHEN v.verdict = 'viewable' THEN 1 ELSE 0 END, CASE WHEN v.verdict = 'undetermined' THEN 0 ELSE 1 END
    FROM newest n JOIN summary_verdicts v ON v.application_id = n.application_id AND v.event_id = n.event_id
  ) AS said
  GROUP BY application_id, placement_id, standard)`;

interface Key {
  ad_surface_id: string | null;
  ad_id: string | null;
}

interface Building {
  adSurfaceId: string | null;
  adId: string | null;
  served: number;
  rendered: number;
  standards: Record<string, StandardFigure>;
  timeInViewMs: number;
  refusedClicks: number;
  reasons: ReasonTime[];
}

/** Adds up what was reported, per surface and ad. */
export class AdFigures {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the order of the surfaces' and the ads' ids; sprites of the game's own last. */
  async all(): Promise<AdFigure[]> {
    const figures = new Map<string, Building>();
    const at = ({ ad_surface_id, ad_id }: Key): Building => {
      const key = JSON.stringify([ad_surface_id === null, ad_surface_id, ad_id]);
      let figure = figures.get(key);
      if (figure === undefined) {
        const none = { served: 0, rendered: 0, standards: {}, timeInViewMs: 0, refusedClicks: 0, reasons: [] };
        figure = { adSurfaceId: ad_surface_id, adId: ad_id, ...none };
        figures.set(key, figure);
      }
      return figure;
    };

    const served = await this.#database.all<Key & { n: number }>(
      'SELECT ad_surface_id, ad_id, COUNT(*) AS n FROM serves GROUP BY ad_surface_id, ad_id',
    );
    for (const row of served) at(row).served = row.n;

    const rendered = await this.#database.all<Key & { n: number; time_ms: number | null }>(
      `WITH ${RENDERED}, ${NEWEST}
       SELECT r.ad_surface_id, r.ad_id, COUNT(*) AS n, SUM(n.time_in_view_ms) AS time_ms
       FROM rendered r LEFT JOIN newest n ON n.application_id = r.application_id AND n.placement_id = r.placement_id
       GROUP BY r.ad_surface_id, r.ad_id`,
    );
    for (const row of rendered) {
      at(row).rendered = row.n;
      at(row).timeInViewMs = row.time_ms ?? 0;
    }

    const verdicts = await this.#database.all<Key & { standard: string; measurable: number; viewable: number }>(
      `WITH ${RENDERED}, ${NEWEST}, ${VERDICTS}
       SELECT r.ad_surface_id, r.ad_id, v.standard, SUM(v.is_measured) AS measurable, SUM(v.is_viewable) AS viewable
       FROM rendered r JOIN verdicts v ON v.application_id = r.application_id AND v.placement_id = r.placement_id
       GROUP BY r.ad_surface_id, r.ad_id, v.standard`,
    );
    for (const row of verdicts) {
      at(row).standards[row.standard] = { measurable: row.measurable, viewable: row.viewable };
    }

    const refused = await this.#database.all<Key & { n: number }>(
      `WITH ${NEWEST}
       SELECT e.ad_surface_id, e.ad_id, SUM(n.refused_clicks) AS n
       FROM newest n JOIN events e ON e.application_id = n.application_id AND e.event_id = n.event_id
       WHERE n.refused_clicks > 0 GROUP BY e.ad_surface_id, e.ad_id`,
    );
    for (const row of refused) at(row).refusedClicks = row.n;

    const reasons = await this.#database.all<Key & { reason: string; duration_ms: number }>(
      `WITH ${RENDERED}, ${NEWEST}
       SELECT r.ad_surface_id, r.ad_id, s.reason, SUM(s.duration_ms) AS duration_ms
       FROM rendered r
       JOIN newest n ON n.application_id = r.application_id AND n.placement_id = r.placement_id
       JOIN summary_reasons s ON s.application_id = n.application_id AND s.event_id = n.event_id
       GROUP BY r.ad_surface_id, r.ad_id, s.reason ORDER BY duration_ms DESC, s.reason`,
    );
    for (const row of reasons) at(row).reasons.push({ reason: row.reason, durationMs: row.duration_ms });

    return [...figures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, figure]) => figure);
  }
}

/** The reasons of several ads together, the longest first. */
export function addReasons(figures: readonly Pick<AdFigure, 'reasons'>[]): ReasonTime[] {
  const sums = new Map<string, number>();
  for (const { reason, durationMs } of figures.flatMap(({ reasons }) => reasons)) {
    sums.set(reason, (sums.get(reason) ?? 0) + durationMs);
  }
  return [...sums]
    .map(([reason, durationMs]) => ({ reason, durationMs }))
    .sort((a, b) => b.durationMs - a.durationMs || (a.reason < b.reason ? -1 : 1));
}

import type { Database } from '../database/Database.js';
import { newId, type Random } from '../secrets.js';

export interface AdSurface {
  readonly adSurfaceId: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** One ad, served once. */
export interface ServedAd {
  readonly adId: string;
  /** Unique for each serve. */
  readonly serveId: string;
  /** File name below `/creatives/`. */
  readonly creative: string;
  readonly width: number;
  readonly height: number;
  readonly clickUrl: string | undefined;
  readonly alt: string | undefined;
}

interface AdRow {
  ad_id: string;
  creative: string;
  width: number;
  height: number;
  click_url: string | null;
  alt: string | null;
}

/** What can hang where. The ads of a surface take turns. */
export class AdInventory {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #random: Random;

  constructor(database: Database, now: () => number, random: Random) {
    this.#database = database;
    this.#now = now;
    this.#random = random;
  }

  async surfacesOf(applicationId: string): Promise<AdSurface[]> {
    const rows = await this.#database.all<{ ad_surface_id: string; name: string; width: number; height: number }>(
      'SELECT ad_surface_id, name, width, height FROM ad_surfaces WHERE application_id = ? ORDER BY position',
      applicationId,
    );
    return rows.map((row) => ({
      adSurfaceId: row.ad_surface_id,
      name: row.name,
      width: row.width,
      height: row.height,
    }));
  }

  /** The surfaces of every application, by name. */
  async allSurfaces(): Promise<Pick<AdSurface, 'adSurfaceId' | 'name'>[]> {
    const rows = await this.#database.all<{ ad_surface_id: string; name: string }>(
      'SELECT ad_surface_id, name FROM ad_surfaces ORDER BY application_id, position',
    );
    return rows.map((row) => ({ adSurfaceId: row.ad_surface_id, name: row.name }));
  }

  /** @returns `unknown` for a surface the application does not have, `no fill` when no ad is booked for it. */
  async serve(applicationId: string, adSurfaceId: string): Promise<ServedAd | 'unknown' | 'no fill'> {
    const [surface] = await this.#database.all<{ serve_count: number }>(
      `UPDATE ad_surfaces SET serve_count = serve_count + 1
       WHERE ad_surface_id = ? AND application_id = ? RETURNING serve_count`,
      adSurfaceId,
      applicationId,
    );
    if (surface === undefined) return 'unknown';
    const ads = await this.#database.all<AdRow>(
      'SELECT * FROM ads WHERE ad_surface_id = ? ORDER BY position',
      adSurfaceId,
    );
    const ad = ads[(surface.serve_count - 1) % ads.length];
    if (ad === undefined) return 'no fill';
    const serveId = newId('serve', this.#random);
    await this.#database.run(
      'INSERT INTO serves (serve_id, application_id, ad_surface_id, ad_id, served_at) VALUES (?, ?, ?, ?, ?)',
      serveId,
      applicationId,
      adSurfaceId,
      ad.ad_id,
      this.#now(),
    );
    return {
      adId: ad.ad_id,
      serveId,
      creative: ad.creative,
      width: ad.width,
      height: ad.height,
      clickUrl: ad.click_url ?? undefined,
      alt: ad.alt ?? undefined,
    };
  }
}

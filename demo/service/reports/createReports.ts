import { join } from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import type { AdInventory } from '../ads/AdInventory.js';
import { EVENT_KINDS } from '../contract.js';
import type { Database } from '../database/Database.js';
import { EventList, type EventFilter } from '../events/EventList.js';
import { LedgerBooks } from '../events/LedgerBooks.js';
import { ServiceError } from '../http/ServiceError.js';
import { clientAddress, type ServiceContext, type ServiceEnv } from '../http/ServiceEnv.js';
import { securityHeaders } from '../webapp/securityHeaders.js';
import { serveAsset } from '../webapp/serveAsset.js';
import { AdFigures } from './AdFigures.js';
import { placementPage } from './placementPage.js';
import { Placements, type Placement } from './Placements.js';
import { liveReport, reportPage, type ReportView } from './reportPage.js';

export interface ReportParts {
  readonly database: Database;
  readonly inventory: AdInventory;
  /** Folder with reports.css and reports.js. */
  readonly assets: string;
}

/** How many of the newest events a page shows. */
const EVENTS_SHOWN = 100;
const PLACEMENTS_SHOWN = 12;

/**
 * Pages that list what games reported. They ask for no login, and are therefore for the machine the service runs on
 * alone. To be mounted at `/reports`.
 */
export function createReports({ database, inventory, assets }: ReportParts): Hono<ServiceEnv> {
  const events = new EventList(database);
  const ledgers = new LedgerBooks(database);
  const figures = new AdFigures(database);
  const placements = new Placements(database);
  const app = new Hono<ServiceEnv>();
  app.use(securityHeaders);
  app.use(loopbackOnly);
  serveAsset(app, join(assets, 'reports.css'));
  serveAsset(app, join(assets, 'reports.js'));

  app.get('/', async (c) => {
    return c.html(reportPage(await view(c)));
  });

  app.get('/ledger.json', async (c) => c.json({ applications: await ledgers.all() }));

  app.get('/placements/:applicationId/:placementId', async (c) => c.html(placementPage(await placementOf(c))));

  // What `npm run replay` reads.
  app.get('/placements/:applicationId/:placementId/events.json', async (c) => {
    const { applicationId, placementId, chain, events: links } = await placementOf(c);
    return c.json({ applicationId, placementId, chain, events: links.map(({ event }) => event) });
  });

  // The part of the page that changes; a page that has the newest already is told so.
  app.get('/live', async (c) => {
    const tag = `"${await events.mark()}"`;
    c.header('ETag', tag);
    if (c.req.header('If-None-Match') === tag) return c.body(null, 304);
    return c.html(liveReport(await view(c)));
  });

  return app;

  async function view(c: ServiceContext): Promise<ReportView> {
    const filter = filterOf(c.req.query('surface'), c.req.query('kind'));
    return {
      filter,
      standard: c.req.query('standard') || undefined,
      figures: await figures.all(),
      ledgers: await ledgers.all(),
      placements: await placements.recent(PLACEMENTS_SHOWN),
      surfaces: await inventory.allSurfaces(),
      counts: await events.counts(),
      latest: await events.latest(filter, EVENTS_SHOWN),
    };
  }

  async function placementOf(c: ServiceContext): Promise<Placement> {
    const { applicationId = '', placementId = '' } = c.req.param() as Record<string, string | undefined>;
    const placement = await placements.byName({ applicationId, placementId });
    if (placement === undefined) throw new ServiceError(404, 'unknown_placement', 'Nothing of this placement is here.');
    return placement;
  }
}

/** What cannot be a surface or a kind filters nothing. */
function filterOf(surface: string | undefined, kind: string | undefined): EventFilter {
  return { adSurfaceId: surface || undefined, kind: EVENT_KINDS.find((known) => known === kind) };
}

const LOOPBACK_ADDRESS = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)(:\d+)?$/i;

const FROM_A_PROXY = /^(forwarded|x-forwarded-.*|x-real-ip|via)$/i;

/**
 * The name counts as well: a page of the web could give its own name the address of this machine. And a proxy on this
 * machine asks for whoever asks it.
 */
const loopbackOnly: MiddlewareHandler<ServiceEnv> = async (c, next) => {
  const isForwarded = Object.keys(c.req.header()).some((name) => FROM_A_PROXY.test(name));
  if (isForwarded || !LOOPBACK_ADDRESS.test(clientAddress(c)) || !LOOPBACK_HOST.test(c.req.header('Host') ?? '')) {
    throw new ServiceError(403, 'not_local', 'These pages are for the machine the service runs on.');
  }
  await next();
};

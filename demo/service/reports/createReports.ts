import { join } from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import type { AdInventory } from '../ads/AdInventory.js';
import { EVENT_KINDS } from '../contract.js';
import type { EventFilter, EventList } from '../events/EventList.js';
import { ServiceError } from '../http/ServiceError.js';
import { clientAddress, type ServiceEnv } from '../http/ServiceEnv.js';
import { securityHeaders } from '../webapp/securityHeaders.js';
import { serveAsset } from '../webapp/serveAsset.js';
import { liveReport, reportPage, type ReportView } from './reportPage.js';

export interface ReportParts {
  readonly events: EventList;
  readonly inventory: AdInventory;
  /** Folder with reports.css and reports.js. */
  readonly assets: string;
}

/** How many of the newest events a page shows. */
const EVENTS_SHOWN = 100;

/**
 * Pages that list what games reported. They ask for no login, and are therefore for the machine the service runs on
 * alone. To be mounted at `/reports`.
 */
export function createReports({ events, inventory, assets }: ReportParts): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.use(securityHeaders);
  app.use(loopbackOnly);
  serveAsset(app, join(assets, 'reports.css'));
  serveAsset(app, join(assets, 'reports.js'));

  app.get('/', async (c) => {
    const filter = filterOf(c.req.query('surface'), c.req.query('kind'));
    return c.html(reportPage(await view(filter), await inventory.allSurfaces()));
  });

  // The part of the page that changes; a page that has the newest already is told so.
  app.get('/live', async (c) => {
    const tag = `"${await events.mark()}"`;
    c.header('ETag', tag);
    if (c.req.header('If-None-Match') === tag) return c.body(null, 304);
    return c.html(liveReport(await view(filterOf(c.req.query('surface'), c.req.query('kind')))));
  });

  return app;

  async function view(filter: EventFilter): Promise<ReportView> {
    return { filter, counts: await events.counts(), latest: await events.latest(filter, EVENTS_SHOWN) };
  }
}

/** What cannot be a surface or a kind filters nothing. */
function filterOf(surface: string | undefined, kind: string | undefined): EventFilter {
  return { adSurfaceId: surface || undefined, kind: EVENT_KINDS.find((known) => known === kind) };
}

const LOOPBACK_ADDRESS = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)(:\d+)?$/i;

/** The name counts as well: a page of the web could give its own name the address of this machine. */
const loopbackOnly: MiddlewareHandler<ServiceEnv> = async (c, next) => {
  if (!LOOPBACK_ADDRESS.test(clientAddress(c)) || !LOOPBACK_HOST.test(c.req.header('Host') ?? '')) {
    throw new ServiceError(403, 'not_local', 'These pages are for the machine the service runs on.');
  }
  await next();
};

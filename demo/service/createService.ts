import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Hono } from 'hono';
import { AccountData } from './accounts/AccountData.js';
import { AccountLimits, DEFAULT_ACCOUNT_LIMITS, type AccountLimitOptions } from './accounts/AccountLimits.js';
import { AccountSessions } from './accounts/AccountSessions.js';
import { BlockedGames } from './accounts/BlockedGames.js';
import { ConnectRequests, DEFAULT_CONNECT_TIMES, type ConnectTimes } from './accounts/ConnectRequests.js';
import { DpopProofs } from './accounts/DpopProofs.js';
import { type HeldPollLimits, HeldPolls } from './accounts/HeldPolls.js';
import { DEFAULT_PASSWORD_COST, type PasswordCost } from './accounts/passwords.js';
import { Passkeys } from './accounts/Passkeys.js';
import { PlayerNotices } from './accounts/PlayerNotices.js';
import { Players } from './accounts/Players.js';
import { PopupSignIns } from './accounts/PopupSignIns.js';
import { PlayerSessions } from './accounts/PlayerSessions.js';
import { AdInventory } from './ads/AdInventory.js';
import { creatives } from './ads/creatives.js';
import { Applications } from './application/Applications.js';
import { ApplicationTokens } from './application/ApplicationTokens.js';
import { NonceMemory } from './application/NonceMemory.js';
import { createApi, type ConnectNotice } from './createApi.js';
import type { Database } from './database/Database.js';
import { EventLog } from './events/EventLog.js';
import { faultAdmin } from './faults/faultAdmin.js';
import { faultInQuery } from './faults/faultInQuery.js';
import type { FaultPlan } from './faults/FaultPlan.js';
import { injectFaults } from './faults/injectFaults.js';
import { answerError, describeFault } from './http/answerError.js';
import { cors } from './http/cors.js';
import { requestLog } from './http/requestLog.js';
import { ServiceError } from './http/ServiceError.js';
import type { ServiceContext, ServiceEnv } from './http/ServiceEnv.js';
import { believeProxies } from './http/trustedProxies.js';
import { openApiDocument } from './openApiDocument.js';
import { createReports } from './reports/createReports.js';
import type { Random } from './secrets.js';
import { createWebApp } from './webapp/createWebApp.js';
import { WebSessions } from './webapp/WebSessions.js';

export interface ServiceOptions {
  readonly database: Database;
  /** Folder of this service, where `creatives/` and the pages' assets are. */
  readonly directory: string;
  /** Milliseconds since 1970 UTC. Default: the clock of the machine. */
  readonly now?: () => number;
  /** Default: the system's source of randomness. */
  readonly random?: Random;
  /** Takes one line per request, and one for each unexpected fault. Default: nothing is logged. */
  readonly log?: (line: string) => void;
  /**
   * Carries a connect request to the player beside the web app, which has it even if this throws or rejects: then the log
   * is told. Default: the web app alone.
   */
  readonly notify?: (notice: ConnectNotice) => unknown;
  /** Origin in addresses of creatives and of the web app. Default: the one the request came to. */
  readonly publicOrigin?: string;
  /** Proxies before the service, by address or network: what they say of a request's address is believed. Default: none. */
  readonly trustedProxies?: readonly string[];
  readonly connect?: Partial<ConnectTimes>;
  readonly limits?: Partial<AccountLimitOptions>;
  readonly heldPolls?: HeldPollLimits;
  readonly passwordCost?: PasswordCost;
  /** Lets requests fail on order, also over HTTP at `/faults`. For tests and demonstrations only. */
  readonly faults?: FaultPlan;
}

/** First parts of the paths the service answers. */
export const SERVICE_PATHS = ['/api', '/app', '/reports', '/creatives', '/faults'] as const;

/**
 * The ad and account service: contract v1 below `/api`, the players' web app at `/app`, what games reported at
 * `/reports`, the images of the ads at `/creatives`. Returns the app, the contract's OpenAPI document, and the polls it holds.
 */
export function createService(options: ServiceOptions) {
  const { database, directory, publicOrigin, faults } = options;
  const clock = options.now ?? Date.now;
  // Whole milliseconds: instants are stored as integers.
  const now = () => Math.round(clock());
  const random = options.random ?? randomBytes;
  const log = options.log ?? (() => {});

  const players = new Players(database, random, options.passwordCost ?? DEFAULT_PASSWORD_COST);
  const sessions = new PlayerSessions(database, now, random);
  const accountSessions = new AccountSessions(database, now);
  const connectTimes = { ...DEFAULT_CONNECT_TIMES, ...options.connect };
  const connectRequests = new ConnectRequests(database, sessions, now, random, connectTimes);
  const limits = new AccountLimits(database, now, { ...DEFAULT_ACCOUNT_LIMITS, ...options.limits });
  const popupSignIns = new PopupSignIns(database, sessions, now, random);
  const passkeys = new Passkeys(database, now, random);
  const origin = (c: ServiceContext) => publicOrigin ?? new URL(c.req.url).origin;
  const blockedGames = new BlockedGames(database, now);
  const applications = new Applications(database);
  const notices = new PlayerNotices();
  const notify = async (notice: ConnectNotice): Promise<void> => {
    try {
      await options.notify?.(notice);
    } catch (error) {
      log(`notify ${describeFault(error)}`);
    }
  };
  const nonces = new NonceMemory(database, now);
  const heldPolls = new HeldPolls(notices, options.heldPolls);
  const inventory = new AdInventory(database, now, random);
  const events = new EventLog(database, now);

  const api = createApi({
    applications,
    tokens: new ApplicationTokens(database, now, random),
    nonces,
    proofs: new DpopProofs(nonces, now),
    notify: (notice) => void notify(notice),
    origin,
    heldPolls,
    now,
    players,
    sessions,
    connectRequests,
    blockedGames,
    popupSignIns,
    limits,
    notices,
    inventory,
    events,
  });
  const webApp = createWebApp({
    webSessions: new WebSessions(database, now, random),
    accountSessions,
    accountData: new AccountData(database, accountSessions, passkeys, now),
    assets: join(directory, 'webapp', 'assets'),
    passkeys,
    origin,
    players,
    sessions,
    connectRequests,
    blockedGames,
    popupSignIns,
    limits,
    notices,
    now,
    random,
  });

  const app = new Hono<ServiceEnv>({ strict: false });
  app.onError((error, c) => answerError(error, c, log));
  app.notFound((c) => answerError(new ServiceError(404, 'not_found', NO_SUCH_ADDRESS), c, log));
  app.use(requestLog(log, now, random));
  app.use((c, next) => {
    if (!URL.canParse(c.req.url)) throw new ServiceError(400, 'invalid_request', 'The Host header names no host.');
    return next();
  });
  app.use(believeProxies(options.trustedProxies ?? []));
  if (faults !== undefined) {
    app.route('/faults', faultAdmin(faults));
    app.use(injectFaults((c) => faultInQuery(c.req.query('fault')) ?? faults.next(c.req.method, c.req.path)));
  }
  const document = openApiDocument(api);
  app.get('/api/openapi.json', (c) => c.json(document));
  app.route('/api', api);
  // A game with a wrong baseUrl learns that it is wrong, instead of that it may not read the answer.
  const openToGames = cors((origin) => applications.knowsOrigin(origin));
  app.use((c, next) => (SERVICE_PATHS.some((path) => isBelow(c.req.path, path)) ? next() : openToGames(c, next)));
  app.route('/app', webApp);
  app.route('/reports', createReports({ database, inventory, assets: join(directory, 'reports', 'assets') }));
  app.route('/creatives', creatives(join(directory, 'creatives')));
  return { app, document, heldPolls };
}

const NO_SUCH_ADDRESS =
  "The service has no such address. The interface of games is below /api, where a game's baseUrl ends.";

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

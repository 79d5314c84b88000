import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import type { HeldPolls } from './accounts/HeldPolls.js';
import { createService, type ServiceOptions } from './createService.js';
import type { Database } from './database/Database.js';
import { openDatabase } from './database/openDatabase.js';
import { FaultPlan } from './faults/FaultPlan.js';
import { keepConnections } from './http/keepConnections.js';
import { ManualClock } from './ManualClock.js';
import { seedDemo } from './seedDemo.js';

export interface StartOptions extends Partial<Omit<ServiceOptions, 'database' | 'now'>> {
  /** Default 0: any free one. */
  readonly port?: number;
  /** File of the embedded database. Default: in memory. */
  readonly databasePath?: string;
  /** A PostgreSQL server and a schema there that stays. */
  readonly postgres?: { readonly url: string; readonly schema: string };
  /** Whether an empty database gets the demo's game, ads and player. Default true. */
  readonly seed?: boolean;
}

export interface RunningService {
  /** What a client is given: ends in `/api`. */
  readonly baseUrl: string;
  /** Where `/app` and `/creatives` are. */
  readonly origin: string;
  readonly db: Database;
  readonly faults: FaultPlan;
  /** The service's clock. */
  readonly clock: ManualClock;
  readonly heldPolls: HeldPolls;
  /** Ends every connection at once. */
  close(): Promise<void>;
}

/**
 * The database that was asked for. Without a wish: where the environment names a PostgreSQL server for tests, a schema of
 * its own there, which goes with the service; else the embedded database in memory.
 */
async function openStorage({ databasePath, postgres }: StartOptions): Promise<Database> {
  const path = databasePath ?? ':memory:';
  const url = process.env['SERVICE_TEST_POSTGRES'];
  if (postgres !== undefined) return openDatabase({ path, url: postgres.url, options: { schema: postgres.schema } });
  if (url === undefined || databasePath !== undefined) return openDatabase({ path });
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const database = await openDatabase({ path, url, options: { schema, maxConnections: 4 } });
  const close = database.close.bind(database);
  database.close = async () => {
    await database.run(`DROP SCHEMA ${schema} CASCADE`);
    await close();
  };
  return database;
}

/** A password hash for tests: as cheap as scrypt allows. */
const CHEAP_PASSWORDS = { cost: 2, parallelization: 1 };

/**
 * Runs the whole service by itself on a loopback port, for tests. Everything is in memory unless asked otherwise, the
 * fault plan and the clock are in the caller's hand.
 *
 * Expects to be run from the root of the package.
 */
export async function startService(options: StartOptions = {}): Promise<RunningService> {
  const clock = new ManualClock();
  const passwordCost = options.passwordCost ?? CHEAP_PASSWORDS;
  const faults = options.faults ?? new FaultPlan();
  const db = await openStorage(options);
  if (options.seed ?? true) await seedDemo(db, options.random ?? randomBytes, passwordCost);

  const { app, heldPolls } = createService({
    directory: join(process.cwd(), 'demo', 'service'),
    ...options,
    database: db,
    now: clock.now,
    passwordCost,
    faults,
  });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  keepConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

  return {
    baseUrl: `${origin}/api`,
    origin,
    db,
    faults,
    clock,
    heldPolls,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await db.close();
    },
  };
}

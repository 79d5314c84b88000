import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { createService, SERVICE_PATHS } from '../../../demo/service/createService.js';
import { openEmbeddedDatabase } from '../../../demo/service/database/openEmbeddedDatabase.js';
import { ManualClock } from '../../../demo/service/ManualClock.js';
import { FaultPlan } from '../../../demo/service/faults/FaultPlan.js';
import { DEMO_APPLICATION, seedDemo } from '../../../demo/service/seedDemo.js';
import { createTokenBackend } from '../../../demo/token-backend/createTokenBackend.js';

export interface RunningDemo {
  /** Address of the game, without a slash at the end. */
  readonly origin: string;
  readonly faults: FaultPlan;
  /** The service's clock. */
  readonly clock: ManualClock;
  close(): Promise<void>;
}

/** As cheap as scrypt allows: what passwords are worth is not the subject here. */
const CHEAP_PASSWORDS = { cost: 2, parallelization: 1 };

/** The game as bundled, the real service with an empty database in memory, and the game's token backend, on one port. */
export async function serveDemo(folder: string): Promise<RunningDemo> {
  const database = openEmbeddedDatabase(':memory:');
  await seedDemo(database, randomBytes, CHEAP_PASSWORDS);
  const faults = new FaultPlan();
  const clock = new ManualClock();
  const app = new Hono<{ Bindings: HttpBindings }>();
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

  const { app: service } = createService({
    database,
    directory: path.resolve('demo/service'),
    passwordCost: CHEAP_PASSWORDS,
    connect: { intervalSeconds: 1 },
    faults,
    now: clock.now,
  });
  const { apiKey, privateKey } = DEMO_APPLICATION;
  const tokenBackend = createTokenBackend({ serviceUrl: `${origin}/api`, apiKey, privateKey });
  for (const base of SERVICE_PATHS) {
    app.all(base, (c) => service.fetch(c.req.raw, c.env));
    app.all(`${base}/*`, (c) => service.fetch(c.req.raw, c.env));
  }
  app.all('/game-backend/*', (c) => tokenBackend.fetch(c.req.raw, c.env));
  app.use(serveStatic({ root: path.relative(process.cwd(), folder) }));

  return {
    origin,
    faults,
    clock,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await database.close();
    },
  };
}

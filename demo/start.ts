import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import webpack, { type Stats } from 'webpack';
import WebpackDevServer from 'webpack-dev-server';
import { startExchange } from '../examples/prebid/exchange.js';
import { demoOn } from '../webpack.config.js';
import { createService, SERVICE_PATHS } from './service/createService.js';
import type { Database } from './service/database/Database.js';
import { DatabaseUnavailable } from './service/database/DatabaseUnavailable.js';
import { openDatabase } from './service/database/openDatabase.js';
import { FaultPlan } from './service/faults/FaultPlan.js';
import { keepConnections } from './service/http/keepConnections.js';
import { DEMO_APPLICATION, DEMO_PLAYER, seedDemo } from './service/seedDemo.js';
import { databaseFiles, readStartOptions, START_HELP, type StartOptions } from './startOptions.js';
import { createTokenBackend } from './token-backend/createTokenBackend.js';

/*
 * `npm start`: the game, the ad and account service and the game's token backend, in one process on one port of the
 * loopback address. `npm start -- --help` tells the options.
 */

const HOST = '127.0.0.1';
const PORTS_TO_TRY = 20;

const options = startOptions();
const directory = join(import.meta.dirname, 'service');
const [databaseFile, ...besideIt] = databaseFiles(options.dataDirectory);
if (options.fresh) for (const file of [databaseFile, ...besideIt]) rmSync(file, { force: true });

const database = await openStorage();
await seedDemo(database, randomBytes);

const port = await freePort(options.port);
const origin = `http://${HOST}:${String(port)}`;
const { publicOrigin, trustedProxies } = options;
/** Where players and games find it. */
const known = publicOrigin ?? origin;

const { app: service } = createService({
  database,
  directory,
  trustedProxies,
  ...(publicOrigin === undefined ? {} : { publicOrigin }),
  connect: { intervalSeconds: 2 },
  notify: ({ displayName, applicationName, device }) => {
    console.log(`  ${applicationName} asks ${displayName} to connect, from ${device}: ${known}/app`);
  },
  ...(options.log ? { log: console.log } : {}),
  ...(options.faults ? { faults: new FaultPlan() } : {}),
});
const exchange = options.prebid ? await startExchange(`${origin}/creatives`) : null;
const game = exchange === null ? `${origin}/` : `${origin}/?exchange=${encodeURIComponent(exchange.endpoint)}`;
const { apiKey, privateKey } = DEMO_APPLICATION;
const tokenBackend = createTokenBackend({ serviceUrl: `${origin}/api`, apiKey, privateKey });

const compiler = webpack({ ...demoOn(options.phaserPackage), infrastructureLogging: { level: 'warn' } });
if (compiler === null) throw new Error('webpack made no compiler of the demo configuration.');

const server = new WebpackDevServer(
  {
    host: HOST,
    port,
    static: false,
    // The signals are handled here, so that the database is closed as well.
    setupExitSignals: false,
    // Of the page's own address, which may be localhost, too.
    client: { logging: 'warn', webSocketURL: 'auto://0.0.0.0:0/ws' },
    devMiddleware: { stats: 'errors-warnings' },
    setupMiddlewares: (middlewares) => [
      // First, so that nothing compresses or rewrites what the service answers: its live page is a stream.
      // Also where a game lands whose baseUrl lacks /api.
      mount('service', [...SERVICE_PATHS, '/v1'], getRequestListener(service.fetch, { overrideGlobalObjects: false })),
      mount(
        'token-backend',
        ['/game-backend'],
        getRequestListener(tokenBackend.fetch, { overrideGlobalObjects: false }),
      ),
      ...middlewares,
    ],
  },
  compiler,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());

const built = new Promise<Stats>((resolve) => compiler.hooks.done.tap('demo', resolve));
await server.start();
if (server.server) keepConnections(server.server);
const stats = await built;
if (stats.hasErrors()) console.error('\nThe game does not build yet; it appears by itself once it does.');
console.log(`
  The game      ${game}
  The web app   ${known}/app      where the player confirms or denies what games ask for
  The reports   ${origin}/reports  what the game reported about its ads, live
  The player    ${DEMO_PLAYER.email} / ${DEMO_PLAYER.password}

  From your own game, in the plugin's \`data\`:
                { apiKey: '${apiKey}', privateKey: '${privateKey}', baseUrl: '${known}/api' }
                (keep the key in a backend of your own: examples/own-backend)

  The data      ${options.databaseUrl === undefined ? options.dataDirectory : 'in PostgreSQL, at DATABASE_URL'}

  Stop with Ctrl+C.
`);

/** What the command line asks for; ends the process when that is help, or cannot be. */
function startOptions(): StartOptions {
  try {
    const read = readStartOptions(process.argv.slice(2), process.env, join(import.meta.dirname, '.data'));
    if (read !== 'help') return read;
    console.log(START_HELP);
    return process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${START_HELP}`);
    return process.exit(2);
  }
}

/** Ends the process in words when the database cannot be had. */
async function openStorage(): Promise<Database> {
  try {
    return await openDatabase({ url: options.databaseUrl, path: databaseFile });
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    console.error(`${error.message}\n${error.hint}`);
    return process.exit(2);
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Hands what lies below these paths to a listener and lets the rest pass. */
function mount(name: string, paths: readonly string[], listener: Listener) {
  return {
    name,
    middleware: (request: IncomingMessage, response: ServerResponse, next: () => void) => {
      const [path = '/'] = (request.url ?? '/').split('?');
      if (paths.some((base) => path === base || path.startsWith(`${base}/`))) void listener(request, response);
      else next();
    },
  };
}

/** The wanted port, or the next one nobody listens on. */
async function freePort(wanted: number): Promise<number> {
  for (let candidate = wanted; candidate < wanted + PORTS_TO_TRY; candidate += 1) {
    const probe = createServer();
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(candidate, HOST, () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => probe.close(resolve));
    if (candidate !== wanted) console.log(`Port ${String(wanted)} is taken; using ${String(candidate)}.`);
    return candidate;
  }
  throw new Error(`No free port from ${String(wanted)} on; choose another with --port`);
}

async function stop(): Promise<void> {
  await server.stop();
  await exchange?.close();
  await database.close();
  process.exit(0);
}

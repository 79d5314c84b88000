import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Not that of the dev servers that a game beside it is likely to run on (8080, 5173, 3000). */
export const DEFAULT_PORT = 8321;

export const START_HELP = `The game Rush Street, the ad and account service and the game's token backend, on this machine only.

  npm start                       begin, or go on with the data of last time
  npm start -- --port 9000        another port than ${String(DEFAULT_PORT)}; also PORT=9000 npm start
  npm start -- --data <folder>    keep the data there instead of in demo/.data
  npm start -- --fresh            begin with a new database
  npm start -- --phaser 4         the same game on Phaser 4 instead of 3
  npm start -- --prebid           take the ads from an exchange, a stand-in for Prebid Server on this machine
  npm start -- --log              print one line per request of the service
  npm start -- --faults           let requests fail on order: ?fault=… in an address, and /faults
  DATABASE_URL=postgres://… npm start
                                  keep the data in PostgreSQL; as many copies as wanted may share it
  npm start -- --public https://ads.example
                                  the address a reverse proxy on this machine makes it known by; also PUBLIC_ORIGIN
  npm start -- --proxies 127.0.0.1
                                  proxies whose X-Forwarded-For is believed, with commas; also TRUSTED_PROXIES
  npm start -- --help             print this

A port that is taken is told, and the next free one used.`;

export interface StartOptions {
  /** 1–65535. */
  readonly port: number;
  /** Folder of the database, absolute. */
  readonly dataDirectory: string;
  /** Address of the PostgreSQL database to use instead. Undefined: the embedded one. */
  readonly databaseUrl: string | undefined;
  readonly fresh: boolean;
  /** The package of this project that holds the Phaser to run with. */
  readonly phaserPackage: 'phaser' | 'phaser-4.2';
  /** Start an exchange, too, from which the game takes its ads. */
  readonly prebid: boolean;
  /** Where the service is known, when that is not where it listens. */
  readonly publicOrigin: string | undefined;
  /** Addresses and networks. */
  readonly trustedProxies: readonly string[];
  readonly log: boolean;
  readonly faults: boolean;
}

/**
 * Reads the command line of `npm start`.
 *
 * @param defaultDataDirectory where the data is kept when nothing else is said.
 * @returns `help` when only the help is wanted.
 * @throws Error in words for whoever typed it.
 */
export function readStartOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  defaultDataDirectory: string,
): StartOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      phaser: { type: 'string', default: '3' },
      prebid: { type: 'boolean', default: false },
      public: { type: 'string' },
      proxies: { type: 'string' },
      log: { type: 'boolean', default: false },
      faults: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const { fresh, prebid, log, faults } = values;
  const databaseUrl = environment['DATABASE_URL'] || undefined;
  if (fresh && databaseUrl !== undefined) {
    throw new Error(
      '--fresh removes the files of the embedded database; the one at DATABASE_URL is not emptied by it.',
    );
  }
  if (values.data === '') throw new Error('--data needs a folder.');
  return {
    port: readPort(values.port ?? environment['PORT']),
    dataDirectory: values.data === undefined ? defaultDataDirectory : resolve(values.data),
    databaseUrl,
    fresh,
    phaserPackage: readPhaser(values.phaser),
    prebid,
    publicOrigin: readOrigin(values.public ?? environment['PUBLIC_ORIGIN']),
    trustedProxies: (values.proxies ?? environment['TRUSTED_PROXIES'] ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
    log,
    faults,
  };
}

/** The files of the database in a folder: the rest of the folder is none of our business. */
export function databaseFiles(dataDirectory: string): [database: string, ...beside: string[]] {
  const database = join(dataDirectory, 'service.db');
  return [database, `${database}-wal`, `${database}-shm`];
}

function readPhaser(version: string): StartOptions['phaserPackage'] {
  if (version === '3') return 'phaser';
  if (version === '4') return 'phaser-4.2';
  throw new Error(`--phaser takes 3 or 4, not ${JSON.stringify(version)}.`);
}

function readOrigin(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/') {
    throw new Error(`--public takes an address such as https://ads.example, not ${JSON.stringify(text)}.`);
  }
  return url.origin;
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new Error(`A port is a number from 1 to 65535, not ${JSON.stringify(text)}.`);
  return port;
}

import { env } from 'node:process';
import { tsImport } from 'tsx/esm/api';
import { findPostgres } from './findPostgres.js';

/** Runs once before the first test on PostgreSQL: finds the server or starts one. */
export default async function postgresSetup() {
  const found = findPostgres();
  if (found === undefined) throw new Error('PostgreSQL was there when the tests were listed, and is gone.');
  if ('url' in found) {
    env.POSTGRES_FOR_TESTS = found.url;
    return;
  }
  const { startPostgres } = await tsImport('./startPostgres.ts', import.meta.url);
  const server = await startPostgres(found.programs);
  env.POSTGRES_FOR_TESTS = server.url;
  globalThis.stopPostgres = () => server.stop();
}

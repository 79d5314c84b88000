import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';

/** Where Debian's packages put the programs, one folder per version. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

/**
 * The PostgreSQL that the service's tests can use: the server at DATABASE_URL, or else the folder of the programs to
 * start one with. Undefined when there is neither.
 *
 * @returns {{ url: string } | { programs: string } | undefined}
 */
export function findPostgres() {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL };
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const programs = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_FOLDER, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
  return programs === undefined ? undefined : { programs };
}

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresDatabase } from '../../../demo/service/database/openPostgresDatabase.js';
import type { StartOptions } from '../../../demo/service/startService.js';

export interface SharedStorage {
  /** For every service that shall use it. */
  readonly options: Pick<StartOptions, 'databasePath' | 'postgres'>;
  remove(): Promise<void>;
}

/** A place for data that outlives the service which uses it, on the database these tests run on. */
export function sharedStorage(): SharedStorage {
  const url = process.env['SERVICE_TEST_POSTGRES'];
  if (url === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'inview-service-'));
    return {
      options: { databasePath: join(folder, 'service.db') },
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const schema = `test_${randomBytes(8).toString('hex')}`;
  return {
    options: { postgres: { url, schema } },
    async remove() {
      const database = await openPostgresDatabase(url, { schema, maxConnections: 1 });
      await database.run(`DROP SCHEMA ${schema} CASCADE`);
      await database.close();
    },
  };
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createService } from './createService.js';
import { openEmbeddedDatabase } from './database/openEmbeddedDatabase.js';
import { openApiYaml } from './openApiYaml.js';

// Run after a change of the contract: npx tsx demo/service/writeOpenApi.ts
const { document } = createService({
  database: openEmbeddedDatabase(':memory:'),
  directory: join(process.cwd(), 'demo', 'service'),
});
await writeFile(join(process.cwd(), 'docs', 'openapi.yaml'), openApiYaml(document));

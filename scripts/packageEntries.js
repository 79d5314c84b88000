import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What the package can be imported by, as `exports` in package.json says.
 *
 * @returns {{ request: string, name: string }[]} `request`: as it is imported; `name`: its file in `src`, and in `dist`
 */
export function packageEntries() {
  const { name: packageName, exports } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
  );
  return Object.keys(exports)
    .filter((key) => !key.endsWith('.json'))
    .map((key) => ({ request: packageName + key.slice(1), name: key === '.' ? 'index' : key.slice(2) }));
}

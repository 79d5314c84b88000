import type { Sql, SqlValue } from './Database.js';

/** Rows of one statement. Databases keep each statement they have seen, so one for each number of rows would be too many. */
const SIZES = [1, 4, 16, 64, 256, 1024] as const;
const LARGEST = 1024;

/**
 * Inserts several rows, up to {@link LARGEST} by one statement; rows that a unique index knows already are left out. A
 * statement is filled up with repetitions of its last row, which are left out as well: so every row needs a unique index.
 *
 * @param rows each with one value per column.
 * @param key column that names a row.
 * @returns the keys of the rows that are new.
 */
export async function insertRows(
  sql: Pick<Sql, 'all'>,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  key: string,
): Promise<Set<string>> {
  const row = `(${columns.map(() => '?').join(', ')})`;
  const isNew = new Set<string>();
  for (let at = 0; at < rows.length; at += LARGEST) {
    const some = rows.slice(at, at + LARGEST);
    const size = SIZES.find((one) => one >= some.length) ?? LARGEST;
    const filled = Array.from({ length: size }, (_, i) => some[Math.min(i, some.length - 1)] ?? []);
    const inserted = await sql.all<Record<string, string>>(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${filled.map(() => row).join(', ')}
       ON CONFLICT DO NOTHING RETURNING ${key}`,
      ...filled.flat(),
    );
    for (const one of inserted) isNew.add(one[key] ?? '');
  }
  return isNew;
}

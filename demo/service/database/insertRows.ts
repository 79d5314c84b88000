import type { Sql, SqlValue } from './Database.js';

/** Rows of one statement. Databases keep each statement they have seen, so a statement per number of rows would be many. */
const CHUNKS = [256, 64, 16, 4, 1] as const;

/**
 * Inserts several rows by few statements; rows that a unique index knows already are left out. To be called in a
 * transaction.
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
  for (let at = 0; at < rows.length;) {
    const size = CHUNKS.find((chunk) => chunk <= rows.length - at) ?? 1;
    const inserted = await sql.all<Record<string, string>>(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array.from({ length: size }, () => row).join(', ')}
       ON CONFLICT DO NOTHING RETURNING ${key}`,
      ...rows.slice(at, at + size).flat(),
    );
    for (const one of inserted) isNew.add(one[key] ?? '');
    at += size;
  }
  return isNew;
}

import type { Sql, SqlValue } from './Database.js';

/**
 * Inserts several rows by one statement; rows that a unique index knows already are left out.
 *
 * @param rows each with one value per column.
 * @param key column that names a row.
 * @returns the keys of the rows that are new.
 */
export async function insertRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  key: string,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const row = `(${columns.map(() => '?').join(', ')})`;
  const inserted = await sql.all<Record<string, string>>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => row).join(', ')}
     ON CONFLICT DO NOTHING RETURNING ${key}`,
    ...rows.flat(),
  );
  return new Set(inserted.map((one) => one[key] ?? ''));
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import LibsqlDatabase from 'libsql';
import type { Database } from '../../../demo/service/database/Database.js';
import { DatabaseUnavailable } from '../../../demo/service/database/DatabaseUnavailable.js';
import { insertRows } from '../../../demo/service/database/insertRows.js';
import { migrationsFrom } from '../../../demo/service/database/migrations.js';
import { openDatabase } from '../../../demo/service/database/openDatabase.js';
import { openEmbeddedDatabase } from '../../../demo/service/database/openEmbeddedDatabase.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { atOnce } from './ServiceCaller.js';

describe('the database', () => {
  let service: RunningService;
  let db: Database;

  beforeAll(async () => {
    service = await startService({ seed: false });
    db = service.db;
    await db.run('CREATE TABLE things (name TEXT PRIMARY KEY, size BIGINT, weight DOUBLE PRECISION)');
  });
  beforeEach(() => db.run('DELETE FROM things'));
  afterAll(() => service.close());

  const add = (name: string, sql: Pick<Database, 'run'> = db) =>
    sql.run('INSERT INTO things (name, size) VALUES (?, 0)', name);

  test('gives numbers as numbers, nothing as null, and text as it was', async () => {
    const name = 'Ünïcödé \u{1F6B2} ? $1 \'"';
    await db.run('INSERT INTO things VALUES (?, ?, ?)', name, 8_640_000_000_000_000, 0.1);
    await db.run('INSERT INTO things VALUES (?, ?, ?)', 'empty', null, null);
    expect(await db.all('SELECT * FROM things WHERE name <> ?', 'empty')).toEqual([
      { name, size: 8_640_000_000_000_000, weight: 0.1 },
    ]);
    expect(await db.first('SELECT size, weight FROM things WHERE name = ?', 'empty')).toEqual({
      size: null,
      weight: null,
    });
    expect(await db.first('SELECT COUNT(*) AS n, SUM(size) AS size FROM things')).toEqual({
      n: 2,
      size: 8_640_000_000_000_000,
    });
    expect(await db.first('SELECT * FROM things WHERE name = ?', 'a\0b')).toBeUndefined();
  });

  test('tells how many rows a statement changed', async () => {
    await add('a');
    expect(await db.run('INSERT INTO things (name) VALUES (?) ON CONFLICT DO NOTHING', 'a')).toBe(0);
    expect(await db.run('UPDATE things SET size = 7 WHERE name = ?', 'a')).toBe(1);
    expect(await db.run('DELETE FROM things')).toBe(1);
  });

  test('counts all of a transaction, or nothing of one that throws', async () => {
    const failed = db.transaction(async (sql) => {
      await add('a', sql);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await db.all('SELECT * FROM things')).toEqual([]);
    expect(await db.transaction(async (sql) => [await add('a', sql), await add('b', sql)])).toEqual([1, 1]);
    expect(await db.all('SELECT name FROM things ORDER BY name')).toEqual([{ name: 'a' }, { name: 'b' }]);
  });

  test('is whole again after a transaction whose statement failed', async () => {
    await add('a');
    await expect(db.transaction((sql) => add('a', sql))).rejects.toThrow();
    expect(await add('b')).toBe(1);
  });

  test('however many rows come, few statements are written: each is kept for as long as the service runs', async () => {
    const statements = new Set<string>();
    const all: Database['all'] = (statement, ...values) => {
      statements.add(statement);
      return db.all(statement, ...values);
    };
    let sent = 0;
    for (const count of [...Array.from({ length: 70 }, (_, i) => i), 1_999, 2_000]) {
      const rows = Array.from({ length: count }, (_, i) => [`row ${sent + i}`, i]);
      const known = sent === 0 ? [] : [['row 0', 0]];
      const isNew = await insertRows({ all }, 'things', ['name', 'size'], [...rows, ...known], 'name');
      expect([...isNew].sort()).toEqual(rows.map(([name]) => name).sort());
      sent += count;
    }
    expect(await db.first('SELECT COUNT(*) AS n FROM things')).toEqual({ n: sent });
    expect(statements.size).toBeLessThan(10);
  });

  test('runs transactions as if one came after the other: of reads and writes at once none is lost', async () => {
    await add('counter');
    await atOnce(12, () =>
      db.transaction(async (sql) => {
        const row = await sql.first<{ size: number }>('SELECT size FROM things WHERE name = ?', 'counter');
        await sql.run('UPDATE things SET size = ? WHERE name = ?', (row?.size ?? 0) + 1, 'counter');
      }),
    );
    expect(await db.first('SELECT size FROM things')).toEqual({ size: 12 });
  });
});

describe('a database that cannot be had', () => {
  test.each([
    ['no address', 'my database'],
    ['the address of something else', 'mysql://ads:canary@localhost/ads'],
    ['a machine nobody knows', 'postgres://ads:canary@no-such-machine.invalid/ads'],
    ['a port nobody listens on', 'postgres://ads:canary@127.0.0.1:1/ads'],
  ])('is told as such when DATABASE_URL is %s, with a hint and without the password', async (_, url) => {
    const error: unknown = await openDatabase({ url, path: ':memory:' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    const { code, message, hint } = error as DatabaseUnavailable;
    expect(code).toBe('database_unavailable');
    expect(message).toMatch(/PostgreSQL/);
    expect(hint).toMatch(/DATABASE_URL|postgres:/);
    expect(message + hint).not.toContain('canary');
  });
});

describe('a database file of version 0.1.0', () => {
  test('is brought up to date with all it holds, once, and opens again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inview-migration-'));
    try {
      const path = join(folder, 'service.db');
      const old = new LibsqlDatabase(path);
      old.exec(migrationsFrom(0, { ownNumber: 'INTEGER PRIMARY KEY' })[0]?.script ?? '');
      old.exec(`INSERT INTO applications VALUES ('app', 'Game', 'key', 'secret', '[]');
        INSERT INTO events (application_id, event_id, kind, event, received_at)
        VALUES ('app', 'e1', 'click', '{"kind":"click"}', 5)`);
      old.close();
      for (let opening = 0; opening < 2; opening += 1) {
        const database = openEmbeddedDatabase(path);
        expect(await database.first('SELECT event_id, natural_key, received_at FROM events')).toEqual({
          event_id: 'e1',
          natural_key: null,
          received_at: 5,
        });
        await database.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

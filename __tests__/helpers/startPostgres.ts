import { execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export interface PostgresServer {
  readonly url: string;
  /** Ends the server and removes what it kept. */
  stop(): Promise<void>;
}

/** The path of a Unix socket has at most 107 bytes; the server adds its own name for it. */
const MAX_SOCKET_FOLDER = 80;
const READY_WITHIN_MS = 30_000;

/**
 * Runs a PostgreSQL server of its own for a test run, reachable through a Unix socket in its folder alone. It is as
 * fast as it can be and survives nothing, least of all the process that started it.
 *
 * @param programs folder of `initdb` and `postgres`.
 */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const parent = tmpdir().length < MAX_SOCKET_FOLDER ? tmpdir() : '/tmp';
  const folder = mkdtempSync(join(parent, 'inview-pg-'));
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'inview', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'initdb'), initdb, { stdio: 'pipe', ...user, cwd: folder });

  const settings = { listen_addresses: '', unix_socket_directories: folder, fsync: 'off', full_page_writes: 'off' };
  const more = { synchronous_commit: 'off', shared_buffers: '32MB', max_connections: '100', log_min_messages: 'fatal' };
  const options = Object.entries({ ...settings, ...more }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // The shell's input ends with this process, however that ends, and the server and its folder with the shell's input.
  const script = '"$@" & server=$!; read -r _; kill -INT $server; wait $server; rm -rf "$0"';
  const shell = spawn('sh', ['-c', script, folder, join(programs, 'postgres'), '-D', data, ...options], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: folder,
    ...user,
  } satisfies SpawnOptions);
  const ended = once(shell, 'exit');
  const url = `postgres://inview@localhost/postgres?host=${encodeURIComponent(folder)}`;
  await untilReady(url);
  return {
    url,
    async stop() {
      shell.stdin?.end();
      await ended;
    },
  };
}

/** PostgreSQL refuses to run as root; undefined when this is not root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (what: string) => Number(execFileSync('id', [what, name], { stdio: 'pipe' }).toString());
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No such user here.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.');
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

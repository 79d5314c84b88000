import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** Files on a free port of this machine. */
export interface PageServer {
  /** `http://127.0.0.1:<port>`, or of the host asked for, without a slash at the end. */
  readonly url: string;
  /** Ends the server and the connections browsers keep open. */
  close(): Promise<void>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.woff2': 'font/woff2',
};

/**
 * Serves folders to a test's browser. A path that ends in `/` gives its `index.html`.
 *
 *     const server = await servePages({ '/': await bundlePage('__tests__/browser/pages/ring.ts') });
 *     await page.goto(server.url);
 *     await server.close();
 *
 * @param folders absolute folder per path prefix, each prefix from `/` to `/`; the longest that fits is taken
 * @param headers what else every answer carries
 * @param address where to listen; by default on any free port, for this machine alone
 */
export async function servePages(
  folders: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  { host, port }: { readonly host: string; readonly port: number } = { host: '127.0.0.1', port: 0 },
): Promise<PageServer> {
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);

  const server = createServer((request, response) => {
    void fileOf(request.url ?? '/', folders, prefixes).then((file) => {
      if (file === undefined) {
        response.writeHead(404).end();
        return;
      }
      const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { ...headers, 'Content-Type': type, 'Cache-Control': 'max-age=3600' });
      createReadStream(file).pipe(response);
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const listening = server.address() as AddressInfo;
  return {
    url: `http://${host}:${listening.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** The existing file a request asks for, never one outside its folder. */
async function fileOf(
  url: string,
  folders: Readonly<Record<string, string>>,
  prefixes: readonly string[],
): Promise<string | undefined> {
  try {
    const pathname = decodeURIComponent(new URL(url, 'http://127.0.0.1').pathname);
    const prefix = prefixes.find((candidate) => pathname.startsWith(candidate));
    const folder = prefix === undefined ? undefined : folders[prefix];
    if (prefix === undefined || folder === undefined) return undefined;
    const inside = pathname.slice(prefix.length);
    const file = path.join(folder, inside === '' || inside.endsWith('/') ? `${inside}index.html` : inside);
    return file.startsWith(folder + path.sep) && (await stat(file)).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

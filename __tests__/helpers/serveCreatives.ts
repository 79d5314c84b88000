import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file an ad may have, as the image host answers with it. */
export interface ServedCreative {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly contentLength?: number;
  readonly contentEncoding?: string;
}

export interface CreativeServer {
  /** For the option `baseUrl` of the game. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** An ad service that knows one ad for every surface: the creative of the same name, served by itself. */
export async function serveCreatives(creatives: ReadonlyMap<string, ServedCreative>): Promise<CreativeServer> {
  const server = createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*');
    response.setHeader('Cache-Control', 'no-store');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const path = new URL(request.url!, 'http://localhost').pathname;
    const [, surface] = /^\/v1\/ad-surfaces\/([^/]+)\/ad$/.exec(path) ?? [];
    if (surface !== undefined) {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      return void response.end(JSON.stringify({ adId: surface, url: `${baseUrl}/creatives/${surface}` }));
    }
    const creative = creatives.get(path.replace('/creatives/', ''));
    if (creative === undefined) return void response.writeHead(404).end();
    const { bytes, contentType, contentLength, contentEncoding } = creative;
    if (contentType !== '') response.setHeader('Content-Type', contentType);
    if (contentLength !== undefined) response.setHeader('Content-Length', contentLength);
    if (contentEncoding !== undefined) response.setHeader('Content-Encoding', contentEncoding);
    // A client that hangs up in the middle is what the test is about.
    response.on('error', () => undefined);
    response.writeHead(200);
    response.flushHeaders();
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

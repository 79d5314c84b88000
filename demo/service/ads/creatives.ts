import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { ServiceError } from '../http/ServiceError.js';
import type { ServiceEnv } from '../http/ServiceEnv.js';

interface Creative {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = { png: 'image/png', webm: 'video/webm' };

/** Serves images and videos of the ads to pages of every origin: what comes without CORS cannot become a texture. */
export function creatives(directory: string): Hono<ServiceEnv> {
  const files = new Map<string, Promise<Creative>>();
  const app = new Hono<ServiceEnv>();
  app.get('/:name{[a-z0-9-]+\\.(?:png|webm)}', async (c) => {
    c.header('Access-Control-Allow-Origin', '*');
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    c.header('X-Content-Type-Options', 'nosniff');

    const name = c.req.param('name');
    let loading = files.get(name);
    if (loading === undefined) {
      loading = load(join(directory, name));
      files.set(name, loading);
      // Only what exists is remembered: names are the caller's choice.
      loading.catch(() => files.delete(name));
    }
    const creative = await loading.catch(() => undefined);
    if (creative === undefined) throw new ServiceError(404, 'unknown_creative', 'There is no creative of this name.');

    c.header('Cache-Control', 'public, max-age=3600');
    c.header('ETag', creative.etag);
    if (c.req.header('If-None-Match') === creative.etag) return c.body(null, 304);
    c.header('Content-Type', TYPES[name.slice(name.lastIndexOf('.') + 1)]);
    return c.body(creative.bytes);
  });
  return app;
}

async function load(path: string): Promise<Creative> {
  const bytes = new Uint8Array(await readFile(path));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Hono } from 'hono';
import { ServiceError } from '../http/ServiceError.js';
import type { ServiceEnv } from '../http/ServiceEnv.js';

interface Image {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Serves the images of the ads to pages of every origin: an image without CORS cannot become a texture. */
export function creatives(directory: string): Hono<ServiceEnv> {
  const images = new Map<string, Promise<Image>>();
  const app = new Hono<ServiceEnv>();
  app.get('/:name{[a-z0-9-]+\\.png}', async (c) => {
    c.header('Access-Control-Allow-Origin', '*');
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    c.header('X-Content-Type-Options', 'nosniff');

    const name = c.req.param('name');
    let loading = images.get(name);
    if (loading === undefined) {
      loading = load(join(directory, name));
      images.set(name, loading);
      // Only what exists is remembered: names are the caller's choice.
      loading.catch(() => images.delete(name));
    }
    const image = await loading.catch(() => undefined);
    if (image === undefined) throw new ServiceError(404, 'unknown_creative', 'There is no creative of this name.');

    c.header('Cache-Control', 'public, max-age=3600');
    c.header('ETag', image.etag);
    if (c.req.header('If-None-Match') === image.etag) return c.body(null, 304);
    c.header('Content-Type', 'image/png');
    return c.body(image.bytes);
  });
  return app;
}

async function load(path: string): Promise<Image> {
  const bytes = new Uint8Array(await readFile(path));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Hono } from 'hono';
import type { ServiceEnv } from '../http/ServiceEnv.js';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Serves a style sheet or script, by default under its own name. */
export function serveAsset(app: Hono<ServiceEnv>, file: string, name = basename(file)): void {
  const text = readFileSync(file, 'utf8');
  const type = TYPES[extname(file)] ?? 'text/plain; charset=utf-8';
  app.get(`/${name}`, (c) => {
    c.header('Content-Type', type);
    c.header('Cache-Control', 'no-cache');
    return c.body(text);
  });
}

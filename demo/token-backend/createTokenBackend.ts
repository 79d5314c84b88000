import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Hono } from 'hono';

export interface TokenBackendOptions {
  /** Base URL of the ad service. */
  readonly serviceUrl: string;
  readonly apiKey: string;
  /** Stays here: that is what this backend is for. */
  readonly privateKey: string;
}

/**
 * A game's own little backend, to be mounted at `/game-backend`: it holds the private key and gives the game's pages
 * application tokens that live 15 minutes. `POST /game-backend/token` answers `{ token, expires_in }`.
 *
 * A real one would also ask who the player is, and how often.
 */
export function createTokenBackend({ serviceUrl, apiKey, privateKey }: TokenBackendOptions): Hono {
  const app = new Hono();
  app.post('/game-backend/token', async (c) => {
    const origin = c.req.header('Origin');
    const ownPage = origin !== undefined && URL.canParse(origin) && new URL(origin).host === c.req.header('Host');
    if (!ownPage) return c.json({ error: 'origin_not_allowed' }, 403);

    const url = new URL(`${serviceUrl}/v1/app-token`);
    const body = JSON.stringify({ origin });
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signatureHeaders(url, body, apiKey, privateKey) },
      body,
      signal: AbortSignal.timeout(10_000),
    });
    c.header('Cache-Control', 'no-store');
    if (!answer.ok) return c.json({ error: 'token_unavailable' }, 502);
    return c.json((await answer.json()) as { token: string; expires_in: number });
  });
  return app;
}

/** Signs a POST the way contract v1 wants it (RFC 9421). */
function signatureHeaders(url: URL, body: string, apiKey: string, privateKey: string): Record<string, string> {
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const parameters =
    '("@method" "@path" "@query" "@authority" "content-digest")' +
    `;created=${String(Math.floor(Date.now() / 1000))};nonce="${randomBytes(16).toString('hex')}"` +
    `;keyid="${apiKey}";alg="hmac-sha256"`;
  const base = [
    '"@method": POST',
    `"@path": ${url.pathname}`,
    `"@query": ${url.search || '?'}`,
    `"@authority": ${url.host}`,
    `"content-digest": ${digest}`,
    `"@signature-params": ${parameters}`,
  ].join('\n');
  const signature = createHmac('sha256', privateKey).update(base).digest('base64');
  return {
    'Content-Digest': digest,
    'Signature-Input': `sig1=${parameters}`,
    Signature: `sig1=:${signature}:`,
  };
}

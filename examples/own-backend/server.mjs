import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createVite } from 'vite';

// The game's own backend: it alone knows the private key, and gives the game's page tokens that live 15 minutes.
// These keys are the demo's: they work with the local service only (`npm start` in the repository's folder).
const SERVICE_URL = process.env.SERVICE_URL ?? 'http://127.0.0.1:8321/api';
const API_KEY = process.env.ADS_API_KEY ?? 'demo-api-key';
const PRIVATE_KEY = process.env.ADS_PRIVATE_KEY ?? 'demo-private-key-for-localhost-only';
const port = Number(process.env.PORT ?? 5181);

const server = createServer(async (request, response) => {
  if (request.method !== 'POST' || request.url !== '/token') return vite.middlewares(request, response);
  // A real backend would also ask who the player is, and how often.
  if (request.headers.origin !== `http://${request.headers.host}`) return response.writeHead(403).end();
  const answer = await mintToken(request.headers.origin).catch(() => null);
  response.setHeader('Cache-Control', 'no-store');
  if (!answer?.ok) return response.writeHead(502).end();
  response.setHeader('Content-Type', 'application/json');
  response.end(await answer.text());
});

const vite = await createVite({
  appType: 'mpa',
  // By itself Vite would tell pages of changes by a port of its own, the same for each of its servers on this machine.
  server: { middlewareMode: true, hmr: { server } },
  define: { SERVICE_URL: JSON.stringify(SERVICE_URL) },
});

server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));

/** Asks the ad service for a token; the request is signed (RFC 9421), so that the key itself never travels. */
async function mintToken(origin) {
  const url = new URL(`${SERVICE_URL}/v1/app-token`);
  const body = JSON.stringify({ origin });
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const parameters =
    '("@method" "@path" "@query" "@authority" "content-digest")' +
    `;created=${Math.floor(Date.now() / 1000)};nonce="${randomBytes(16).toString('hex')}"` +
    `;keyid="${API_KEY}";alg="hmac-sha256"`;
  const base = [
    '"@method": POST',
    `"@path": ${url.pathname}`,
    `"@query": ?`,
    `"@authority": ${url.host}`,
    `"content-digest": ${digest}`,
    `"@signature-params": ${parameters}`,
  ].join('\n');
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Digest': digest,
      'Signature-Input': `sig1=${parameters}`,
      Signature: `sig1=:${createHmac('sha256', PRIVATE_KEY).update(base).digest('base64')}:`,
    },
    body,
    signal: AbortSignal.timeout(10_000),
  });
}

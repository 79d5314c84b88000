import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEMO_APPLICATION } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { createTokenBackend } from '../../../demo/token-backend/createTokenBackend.js';
import { ServiceCaller } from './ServiceCaller.js';

describe('the token backend of a game', () => {
  let service: RunningService;
  let server: Server;
  let origin: string;

  const run = async (privateKey: string) => {
    const { apiKey } = DEMO_APPLICATION;
    const backend = createTokenBackend({ serviceUrl: service.baseUrl, apiKey, privateKey });
    server = createAdaptorServer({ fetch: backend.fetch, overrideGlobalObjects: false }) as Server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  };
  const ask = (from: string | undefined) =>
    fetch(`${origin}/game-backend/token`, { method: 'POST', headers: from === undefined ? {} : { Origin: from } });

  beforeEach(async () => {
    service = await startService();
    await run(DEMO_APPLICATION.privateKey);
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await service.close();
  });

  test('gives its own page a token that the service accepts, and keeps the private key', async () => {
    const response = await ask(origin);
    const text = await response.text();
    const { token, expires_in } = JSON.parse(text) as { token: string; expires_in: number };
    expect([response.status, expires_in]).toEqual([200, 900]);
    expect(text).not.toContain(DEMO_APPLICATION.privateKey);
    const credential = { 'Application-Token': token };
    const answer = await new ServiceCaller(service).get('/v1/ad-surfaces', { credential, headers: { Origin: origin } });
    expect(answer.status).toBe(200);
    // The application may be used from any page of this machine, the token from this one only.
    const headers = { Origin: 'http://localhost:1' };
    expect((await new ServiceCaller(service).get('/v1/ad-surfaces', { credential, headers })).status).toBe(403);
  });

  test('gives nothing to pages of other origins, nor to a caller that names none', async () => {
    for (const from of ['https://elsewhere.example', 'http://127.0.0.1:1', 'null', undefined]) {
      expect((await ask(from)).status).toBe(403);
    }
  });

  test('answers 502 without details when the service refuses its key', async () => {
    server.close();
    server.closeAllConnections();
    await run('retired key');
    const response = await ask(origin);
    expect([response.status, await response.json()]).toEqual([502, { error: 'token_unavailable' }]);
  });
});

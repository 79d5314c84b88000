import { z } from '@hono/zod-openapi';
import { readFileSync } from 'node:fs';
import { METHODS, STATUS_CODES } from 'node:http';
import { connect } from 'node:net';
import { openApiYaml } from '../../../demo/service/openApiYaml.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { adEvent } from './adEvents.js';
import { openApi, operations } from './ContractChecker.js';
import { ServiceCaller, type Answer } from './ServiceCaller.js';

const PLAIN = { 'Api-Key': DEMO_APPLICATION.apiKey, 'Private-Key': DEMO_APPLICATION.privateKey };

describe('contract v1', () => {
  let service: RunningService;
  let caller: ServiceCaller;

  beforeAll(async () => {
    service = await startService();
    caller = new ServiceCaller(service);
  });
  afterAll(() => service.close());

  test('docs/openapi.yaml is what the running service is built on (else: npx tsx demo/service/writeOpenApi.ts)', async () => {
    const running = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as object;
    expect(readFileSync('docs/openapi.yaml', 'utf8')).toBe(openApiYaml(running));
    expect(openApi).toEqual(running);
  });

  test('who checks events by the document alone takes those that games report, and no control characters', () => {
    const schema = openApi.components.schemas['AdEvent'] as Parameters<typeof z.fromJSONSchema>[0];
    const isTaken = (fields: object): boolean => z.fromJSONSchema(schema).safeParse(adEvent({ ...fields })).success;
    expect(isTaken({ adId: 'Käse 😀' })).toBe(true);
    expect(['a\nb', 'a\u007fb', ''].map((adId) => isTaken({ adId }))).toEqual([false, false, false]);
  });

  test('the document names all operations of the contract', () => {
    expect(operations.map((operation) => operation.join(' ')).sort()).toEqual([
      'GET /v1/ad-surfaces',
      'GET /v1/ad-surfaces/{adSurfaceId}/ad',
      'GET /v1/player',
      'POST /v1/app-token',
      'POST /v1/bc-authorize',
      'POST /v1/bc-cancel',
      'POST /v1/events',
      'POST /v1/login',
      'POST /v1/revoke',
      'POST /v1/token',
    ]);
  });

  test.each(operations)(
    '%s %s without proof of the application is refused with invalid_client',
    async (method, path) => {
      const answer = await caller.call(method, path.replace('{adSurfaceId}', 'park-board'), {
        credential: {},
        ...(method === 'POST' ? { body: {} } : {}),
      });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    },
  );

  test.each([
    ['/v1/login', {}],
    ['/v1/login', { email: 'ada@example.com' }],
    ['/v1/login', { email: 'not an address', password: 'x' }],
    ['/v1/login', { email: 'ada@example.com', password: '' }],
    ['/v1/login', { email: 'ada@example.com', password: 'x'.repeat(1025) }],
    ['/v1/login', { email: ['ada@example.com'], password: { length: 3 } }],
    ['/v1/login', null],
    ['/v1/login', []],
    ['/v1/bc-authorize', { login_hint: `${'a'.repeat(250)}@example.com` }],
    ['/v1/bc-authorize', { login_hint: 'a\r\nb@example.com' }],
    ['/v1/bc-cancel', { auth_req_id: 7 }],
    ['/v1/token', { grant_type: 'password' }],
    ['/v1/token', { grant_type: 'refresh_token' }],
    ['/v1/revoke', { token: '' }],
  ])('POST %s with %j is refused with invalid_request', async (path, body) => {
    expect(await caller.post(path, body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test.each([
    ['text that is not JSON', '{"email":', 'application/json'],
    ['a form', 'email=ada%40example.com', 'application/x-www-form-urlencoded'],
    ['nothing', '', 'application/json'],
  ])('a body that is %s is refused with invalid_request', async (_, body, type) => {
    const response = await fetch(`${service.baseUrl}/v1/login`, {
      method: 'POST',
      headers: { ...PLAIN, 'Content-Type': type },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('a body above 64 KiB is refused before it is looked at', async () => {
    const answer = await caller.post('/v1/login', { email: 'a@b.example', password: 'x'.repeat(70_000) });
    expect(answer).toMatchObject({ status: 413, body: { error: 'body_too_large' } });
  });

  test('a body that comes in pieces is read to its end, or refused above 64 KiB', async () => {
    const send = (body: string) =>
      fetch(`${service.baseUrl}/v1/login`, {
        method: 'POST',
        headers: { ...PLAIN, 'Content-Type': 'application/json' },
        body: new Blob([body]).stream(),
        // A stream needs it, which the types of the page do not know.
        duplex: 'half',
      } as RequestInit);
    const { email, password } = DEMO_PLAYER;
    const right = await send(JSON.stringify({ email, password }));
    expect(right.status).toBe(200);
    expect(await right.json()).toMatchObject({ player: { displayName: DEMO_PLAYER.displayName } });
    const large = await send(JSON.stringify({ email, password: 'x'.repeat(70_000) }));
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ error: 'body_too_large' });
    expect((await send('')).status).toBe(400);
  });

  test.each([
    ['DELETE', '/api/v1/ad-surfaces', 401],
    ['DELETE', '/app', 404],
    ['OPTIONS', '/app', 404],
  ])('%s %s, which has no body and is not for it, is no fault of the service', async (method, path, status) => {
    expect((await fetch(service.origin + path, { method })).status).toBe(status);
  });

  test('no method, form of a body or name of a host is a fault of the service', async () => {
    const { port } = new URL(service.origin);
    const bodies = ['\r\n', 'Content-Length: 2\r\n\r\n{}', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'];
    const paths = ['/api/v1/ad-surfaces', '/app', '/app/sign-in', '/creatives/no.png'];
    const hosts = [`127.0.0.1:${port}`, 'xn--', 'a:99999', 'a b', '[::1', ''];
    const credentials = Object.entries(PLAIN).map(([name, value]) => `${name}: ${value}\r\n`).join(''); // prettier-ignore
    const statusOf = async (request: string): Promise<string> => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(request);
      let answer = '';
      for await (const piece of socket) answer += String(piece);
      return answer.slice('HTTP/1.1 '.length).slice(0, 3);
    };
    const faults: string[] = [];
    for (const method of METHODS) {
      for (const path of paths) {
        const asked = hosts.flatMap((host) => bodies.map((body) => `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${credentials}Connection: close\r\n${body}`)); // prettier-ignore
        const statuses = await Promise.all(asked.map(statusOf));
        faults.push(...asked.filter((_, i) => !/^[234]|^$/.test(statuses[i]!)));
      }
    }
    expect(faults).toEqual([]);
  });

  test.each<[string, number, () => Promise<Answer>]>([
    ['without credentials', 401, () => caller.get('/v1/ad-surfaces', { credential: {} })],
    ['malformed', 400, () => caller.post('/v1/login', {})],
    ['of an unknown surface', 404, () => caller.get('/v1/ad-surfaces/moon/ad')],
    ['to an unknown address', 404, () => caller.get('/v2/ads')],
    ['too large', 413, () => caller.post('/v1/login', { password: 'x'.repeat(70_000) })],
  ])('a request %s is answered with %d as problem+json, without a word of the inside', async (_, status, call) => {
    const { body, headers } = await call();
    expect(headers.get('Content-Type')).toBe('application/problem+json');
    expect(Object.keys(body).sort()).toEqual(
      ['detail', 'error', 'error_description', 'request_id', 'status', 'title', 'type'].sort(),
    );
    expect(body).toMatchObject({ type: 'about:blank', status, title: STATUS_CODES[status] });
    expect(body['detail']).toBe(body['error_description']);
    expect(JSON.stringify(body)).not.toMatch(/\\n +at |node_modules|\.ts|Error:/);
  });

  test('a refusal does not repeat what the request carried', async () => {
    const { body } = await caller.post('/v1/login', { email: 'canary-address', password: 12_345_678 });
    expect(JSON.stringify(body)).not.toMatch(/canary|12345678/);
  });

  test('an address nobody knows is answered with not_found and a request id', async () => {
    const { status, body, headers } = await caller.get('/v2/ads');
    expect(status).toBe(404);
    expect(body['error']).toBe('not_found');
    expect(body['request_id']).toBe(headers.get('X-Request-Id'));
  });

  test('a fault nobody foresaw is answered with 500 in the same shape, its cause in the log only', async () => {
    const lines: string[] = [];
    const broken = await startService({ log: (line) => lines.push(line) });
    await broken.db.run('DROP TABLE ads');
    const answer = await new ServiceCaller(broken).get('/v1/ad-surfaces/park-board/ad');
    await broken.close();
    expect(answer).toMatchObject({ status: 500, body: { error: 'internal_error' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/SQL|ads/i);
    expect(
      lines.some((line) => line.startsWith(String(answer.body['request_id'])) && line.includes('unexpected')),
    ).toBe(true);
  });
});

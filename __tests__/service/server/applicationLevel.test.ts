import { DEMO_APPLICATION } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { hmacSha256, parseSignatureInput, signatureBase } from '../../../demo/service/application/httpSignature.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { atOnce, ServiceCaller, sign } from './ServiceCaller.js';

const SURFACES = '/v1/ad-surfaces';
const TARGET = `/api${SURFACES}`;
const LOGIN = JSON.stringify({ email: 'ada@example.com', password: 'wrong' });

describe('the application level', () => {
  let service: RunningService;
  let caller: ServiceCaller;

  beforeEach(async () => {
    service = await startService();
    service.clock.stop();
    caller = new ServiceCaller(service);
  });
  afterEach(() => service.close());

  const get = (credential: Record<string, string>, headers: Record<string, string> = {}) =>
    caller.get(SURFACES, { credential, headers });

  describe('by signature', () => {
    test('the signature of RFC 9421, appendix B.2.5, comes out byte for byte', () => {
      const key = Buffer.from(
        'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==',
        'base64',
      );
      const base = signatureBase(
        [
          ['date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
          ['@authority', 'example.com'],
          ['content-type', 'application/json'],
        ],
        '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
      );
      expect(hmacSha256(key, base).toString('base64')).toBe('pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=');
    });

    test('a request signed as the contract says passes, with and without a body and a query', async () => {
      expect((await get(sign({ method: 'GET', target: TARGET }))).status).toBe(200);
      const query = `${SURFACES}?page=1&x=%20`;
      expect((await caller.get(query, { credential: sign({ method: 'GET', target: `/api${query}` }) })).status).toBe(
        200,
      );
      const answer = await caller.post('/v1/login', { email: 'ada@example.com', password: 'wrong' });
      expect(answer.body['error']).toBe('invalid_credentials');
    });

    test.each<[string, Parameters<typeof sign>[0]]>([
      ['another method', { method: 'POST', target: TARGET }],
      ['another path', { method: 'GET', target: '/api/v1/player' }],
      ['another query', { method: 'GET', target: `${TARGET}?page=2` }],
      ['an unknown key', { method: 'GET', target: TARGET, keyId: 'somebody-else' }],
      ['a wrong private key', { method: 'GET', target: TARGET, key: 'guess' }],
      ['an empty private key', { method: 'GET', target: TARGET, key: '' }],
      ['too little: without the path', { method: 'GET', target: TARGET, components: ['@method', '@query'] }],
      ['too little: nothing', { method: 'GET', target: TARGET, components: [] }],
      ['one thing twice', { method: 'GET', target: TARGET, components: ['@method', '@path', '@query', '@path'] }],
      [
        'a header that is not there',
        { method: 'GET', target: TARGET, components: ['@method', '@path', '@query', 'x-y'] },
      ],
      ['a nonce of 64 bits', { method: 'GET', target: TARGET, nonce: '0123456789abcdef' }],
    ])('a signature over %s is refused with invalid_client', async (_, options) => {
      expect(await get(sign(options))).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    });

    test('a body exchanged under its signature is refused', async () => {
      const credential = sign({ method: 'POST', target: '/api/v1/login', body: LOGIN });
      const answer = await caller.post('/v1/login', { email: 'ada@example.com', password: 'other' }, { credential });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    });

    test('a body that the signature does not cover is refused', async () => {
      const credential = sign({ method: 'POST', target: '/api/v1/login' });
      const answer = await caller.post('/v1/login', JSON.parse(LOGIN), { credential });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    });

    test('an access token that the signature does not cover, or another one, is refused', async () => {
      const { access_token: bearer } = await caller.login();
      const target = '/api/v1/player';
      const uncovered = sign({ method: 'GET', target });
      const exchanged = sign({ method: 'GET', target, authorization: 'Bearer at_other' });
      for (const credential of [uncovered, exchanged]) {
        const answer = await caller.get('/v1/player', { bearer, credential });
        expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      }
    });

    test.each(['', 'sig1=', 'sig2=("@method");created=1', 'garbage', `sig1=(${'"a" '.repeat(2000)})`])(
      'the header Signature-Input: %.40s is refused without a fault',
      async (header) => {
        const credential = { ...sign({ method: 'GET', target: TARGET }), 'Signature-Input': header };
        expect(await get(credential)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      },
    );

    test('a request is accepted once; its replay is refused with replayed_request', async () => {
      const credential = sign({ method: 'GET', target: TARGET });
      expect((await get(credential)).status).toBe(200);
      expect(await get(credential)).toMatchObject({ status: 401, body: { error: 'replayed_request' } });
    });

    test('of ten copies of one request sent at the same time, one is accepted', async () => {
      const credential = sign({ method: 'GET', target: TARGET });
      const statuses = (await atOnce(10, () => get(credential))).map((answer) => answer.status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    });

    test('a refused request does not use its nonce up', async () => {
      const nonce = 'a'.repeat(32);
      await get(sign({ method: 'GET', target: TARGET, nonce, key: 'guess' }));
      expect((await get(sign({ method: 'GET', target: TARGET, nonce }))).status).toBe(200);
    });

    test.each([-301, 302])(
      'a clock %d s off is refused with clock_skew and the time of the service',
      async (seconds) => {
        const now = Math.floor(service.clock.now() / 1000);
        const answer = await get(sign({ method: 'GET', target: TARGET, created: now + seconds }));
        expect(answer).toMatchObject({ status: 401, body: { error: 'clock_skew' } });
        expect(Math.abs(Number(answer.body['server_time']) - now)).toBeLessThanOrEqual(1);
      },
    );

    test.each([-298, 298])('a clock %d s off is accepted', async (seconds) => {
      const now = Math.floor(service.clock.now() / 1000);
      expect((await get(sign({ method: 'GET', target: TARGET, created: now + seconds }))).status).toBe(200);
    });

    test('a nonce is remembered as long as its request could be accepted, then forgotten', async () => {
      const created = Math.floor(service.clock.now() / 1000) + 290;
      const credential = sign({ method: 'GET', target: TARGET, created });
      await get(credential);
      service.clock.advance(570_000);
      expect((await get(credential)).body['error']).toBe('replayed_request');
      service.clock.advance(40_000);
      expect((await get(credential)).body['error']).toBe('clock_skew');
      await caller.get(SURFACES);
      const rows = await service.db.all('SELECT * FROM nonces');
      expect(rows).toHaveLength(1);
    });

    test('parameters the contract does not have, or in another order, are not understood', () => {
      const nonce = '0'.repeat(32);
      const right = `sig1=("@method");created=1;nonce="${nonce}";keyid="k";alg="hmac-sha256"`;
      expect(parseSignatureInput(right)).toMatchObject({ created: 1, nonce, keyId: 'k', components: ['@method'] });
      expect(parseSignatureInput(`${right};tag="x"`)).toBeUndefined();
      expect(parseSignatureInput(right.replace('created=1;', ''))).toBeUndefined();
      expect(parseSignatureInput(right.replace('hmac-sha256', 'rsa-pss-sha512'))).toBeUndefined();
      expect(parseSignatureInput(`${right}, sig2=("@method");created=1`)).toBeUndefined();
    });
  });

  test('R6: a request of the client that was captured is worth nothing at another host that knows the same key', async () => {
    const other = await startService();
    other.clock.stop();
    const captured: { url: string; headers: Headers }[] = [];
    const real = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      captured.push({ url: (input as Request).url, headers: new Headers((input as Request).headers) });
      return real(input, init);
    };
    const { apiKey, privateKey } = DEMO_APPLICATION;
    const client = new ServiceClient({ apiKey, privateKey, baseUrl: service.baseUrl });
    await client.getAdSurfaces().finally(() => {
      globalThis.fetch = real;
      client.destroy();
    });
    const [{ headers, url } = { headers: new Headers(), url: '' }] = captured;
    const replayed = await fetch(url.replace(service.origin, other.origin), { headers });
    await other.close();
    expect(headers.get('Signature-Input')).toContain('"@authority"');
    expect([replayed.status, await replayed.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  describe('by token of the game’s backend', () => {
    const mint = (body: unknown = {}) => caller.post('/v1/app-token', body);

    test('a minted token passes for 15 minutes', async () => {
      const { body } = await mint();
      expect(body['expires_in']).toBe(900);
      const credential = { 'Application-Token': String(body['token']) };
      expect((await get(credential)).status).toBe(200);
      service.clock.advance(899_000);
      expect((await get(credential)).status).toBe(200);
      service.clock.advance(2000);
      expect(await get(credential)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    });

    test('a token minted for one origin is refused on pages of another, registered one', async () => {
      const { body } = await mint({ origin: 'http://localhost:8080' });
      const credential = { 'Application-Token': String(body['token']) };
      expect((await get(credential, { Origin: 'http://localhost:8080' })).status).toBe(200);
      const answer = await get(credential, { Origin: 'http://localhost:9090' });
      expect(answer).toMatchObject({ status: 403, body: { error: 'origin_not_allowed' } });
    });

    test('no token is minted for an origin that is not registered', async () => {
      expect(await mint({ origin: 'https://elsewhere.example' })).toMatchObject({ status: 403 });
    });

    test('a token cannot mint tokens, nor can the plain key', async () => {
      const { body } = await mint();
      const { apiKey, privateKey } = DEMO_APPLICATION;
      for (const credential of [
        { 'Application-Token': String(body['token']) },
        { 'Api-Key': apiKey, 'Private-Key': privateKey },
      ]) {
        const answer = await caller.post('/v1/app-token', {}, { credential });
        expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      }
    });

    test('an invented token is refused', async () => {
      expect((await get({ 'Application-Token': 'apt_invented' })).body['error']).toBe('invalid_client');
    });
  });

  describe('by the plain keys', () => {
    const { apiKey, privateKey } = DEMO_APPLICATION;

    test('the right pair passes', async () => {
      expect((await get({ 'Api-Key': apiKey, 'Private-Key': privateKey })).status).toBe(200);
    });

    test.each([
      { 'Api-Key': apiKey },
      { 'Api-Key': apiKey, 'Private-Key': `${privateKey}x` },
      { 'Api-Key': 'unknown', 'Private-Key': privateKey },
      { 'Api-Key': 'unknown', 'Private-Key': 'no such application' },
    ])('%j is refused with invalid_client', async (credential) => {
      expect(await get(credential)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    });
  });

  describe('an address the interface does not have', () => {
    test.each(['/v1/ad-surfaces', '/', '/api/v1/nothing', '/apis/v1/ad-surfaces'])(
      '%s says so to a page of a registered origin, preflight included, and names /api',
      async (path) => {
        const headers = { Origin: 'http://localhost:9000' };
        const preflight = await fetch(service.origin + path, {
          method: 'OPTIONS',
          headers: {
            ...headers,
            'Access-Control-Request-Method': 'GET',
            'Access-Control-Request-Headers': 'signature',
          },
        });
        expect([preflight.status, preflight.headers.get('Access-Control-Allow-Origin')]).toEqual([204, headers.Origin]);
        const answer = await fetch(service.origin + path, { headers });
        expect([answer.status === 200, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([
          false,
          headers.Origin,
        ]);
        if (path !== '/api/v1/nothing') expect(await answer.text()).toContain('below /api');
      },
    );

    test('opens neither the web app nor the reports to pages', async () => {
      for (const path of ['/app', '/app/nothing', '/reports']) {
        const { headers } = await fetch(service.origin + path, { headers: { Origin: 'http://localhost:9000' } });
        expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
      }
    });
  });

  describe('origins and CORS', () => {
    const preflight = (origin: string) =>
      fetch(service.baseUrl + SURFACES, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'signature',
        },
      });

    test.each(['http://localhost:3000', 'http://127.0.0.1:8080', 'https://localhost', 'http://[::1]:5000'])(
      'the loopback origin %s may use the demo application and read its answers',
      async (origin) => {
        const answer = await get(sign({ method: 'GET', target: TARGET }), { Origin: origin });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(origin);
        expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
        expect(answer.headers.get('Vary')).toContain('Origin');
      },
    );

    test.each(['https://elsewhere.example', 'http://localhost.elsewhere.example', 'http://127.0.0.1.nip.io', 'null'])(
      'the origin %s is refused with origin_not_allowed and gets no CORS headers',
      async (origin) => {
        const answer = await get(sign({ method: 'GET', target: TARGET }), { Origin: origin });
        expect(answer).toMatchObject({ status: 403, body: { error: 'origin_not_allowed' } });
        expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
        expect((await preflight(origin)).status).toBe(403);
      },
    );

    test('a preflight of a registered origin is answered with every header the contract uses', async () => {
      const response = await preflight('http://localhost:3000');
      expect(response.status).toBe(204);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('http://localhost:3000');
      const allowed = response.headers.get('Access-Control-Allow-Headers')?.toLowerCase().split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining([
          'content-type',
          'authorization',
          'application-token',
          'api-key',
          'private-key',
          'content-digest',
          'signature-input',
          'signature',
        ]),
      );
      expect(response.headers.get('Access-Control-Allow-Methods')).toBe('GET, POST');
    });

    test('refusals can be read by pages of registered origins too', async () => {
      const answer = await get({}, { Origin: 'http://localhost:3000' });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('http://localhost:3000');
    });

    test('a request without Origin, as a same-origin GET is, passes', async () => {
      expect((await caller.get(SURFACES)).status).toBe(200);
    });
  });
});

import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';

const PUBLIC = 'https://accounts.example';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** As a reverse proxy on the machine of the service sends it: with these headers, from the loopback address. */
function ask(service: RunningService, method: string, path: string, headers: Record<string, string>, body = '') {
  return new Promise<Answer>((resolve, reject) => {
    const sent = httpRequest(service.origin + path, { method, headers }, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += String(part)));
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

let service: RunningService;
afterEach(() => service.close());

describe('the pages for this machine alone', () => {
  test.each([
    ['X-Forwarded-For', '198.51.100.9'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Real-IP', '198.51.100.9'],
    ['Forwarded', 'for=198.51.100.9'],
    ['Via', '1.1 proxy'],
  ])('are not handed out through a proxy that says so by %s', async (name, value) => {
    service = await startService();
    expect((await ask(service, 'GET', '/reports/ledger.json', {})).status).toBe(200);
    expect((await ask(service, 'GET', '/reports/ledger.json', { [name]: value })).status).toBe(403);
  });

  test('are nobody’s, however a trusted proxy hides the name it was asked by', async () => {
    service = await startService({ trustedProxies: ['127.0.0.1'] });
    for (const client of ['198.51.100.9', '127.0.0.1'])
      expect((await ask(service, 'GET', '/reports/ledger.json', { 'X-Forwarded-For': client })).status).toBe(403);
  });
});

describe('who signs in through a proxy', () => {
  const login = async (
    forwardedFor: string,
    email: string = DEMO_PLAYER.email,
    password: string = DEMO_PLAYER.password,
  ) => {
    const { apiKey, privateKey } = DEMO_APPLICATION;
    const credential = { 'Api-Key': apiKey, 'Private-Key': privateKey, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ email, password });
    return (await ask(service, 'POST', '/api/v1/login', { ...credential, 'X-Forwarded-For': forwardedFor }, body))
      .status;
  };
  const guess = async (forwardedFor: string) => {
    for (let i = 0; i < 60; i += 1) await login(forwardedFor, `player${i}@example.com`, 'guess');
  };

  test.each([[['127.0.0.1']], [['127.0.0.0/8', '::1']]])(
    'is told apart by what trusted proxies (%j) say: a stranger locks nobody else out',
    async (trustedProxies) => {
      service = await startService({ trustedProxies });
      await guess('203.0.113.5, 198.51.100.66');
      expect(await login('203.0.113.5')).toBe(200);
      // What the stranger's own request said before the proxy wrote its address behind it is not believed.
      expect(await login('192.0.2.1, 198.51.100.66')).toBe(429);
      expect(await login('192.0.2.1, 198.51.100.66, 127.0.0.1')).toBe(429);
    },
  );

  test('is one caller where no proxy is trusted, whatever is claimed', async () => {
    service = await startService();
    await guess('198.51.100.66');
    expect(await login('203.0.113.5')).toBe(429);
  });
});

test('a proxy that is none is refused at the start', async () => {
  service = await startService();
  await expect(startService({ trustedProxies: ['proxy.example'] })).rejects.toThrow('proxy.example');
});

test.each<[string, Record<string, string>]>([
  ['passes on the name it was asked by', { Host: 'accounts.example' }],
  ['asks by the name of this machine', {}],
])('signing in at a public https address gives cookies for https only, where the proxy %s', async (_name, host) => {
  service = await startService({ publicOrigin: PUBLIC });
  const page = await ask(service, 'GET', '/app', host);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? [];
  const cookies = page.headers['set-cookie']!;
  const signedIn = await ask(
    service,
    'POST',
    '/app/sign-in',
    {
      ...host,
      Origin: PUBLIC,
      Cookie: cookies[0]!.split(';')[0]!,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    new URLSearchParams({ csrf, email: DEMO_PLAYER.email, password: DEMO_PLAYER.password }).toString(),
  );
  expect(signedIn.status).toBe(303);
  const set = [...cookies, ...signedIn.headers['set-cookie']!].filter((cookie) => !/Max-Age=0/.test(cookie));
  expect(set).toHaveLength(2);
  for (const cookie of set) expect(cookie).toContain('; Secure');
});

// nginx uses a connection again that was idle for up to 60 seconds, and so do the balancers of clouds.
test('a connection is kept for longer than proxies keep it', async () => {
  service = await startService();
  const agent = new Agent({ keepAlive: true });
  const { headers } = await new Promise<{ headers: IncomingHttpHeaders }>((resolve, reject) => {
    httpRequest(`${service.origin}/app`, { agent }, (answer) => resolve(answer.resume()))
      .once('error', reject)
      .end();
  });
  agent.destroy();
  const [, seconds] = /timeout=(\d+)/.exec(String(headers['keep-alive'])) ?? [];
  expect(Number(seconds)).toBeGreaterThan(60);
});

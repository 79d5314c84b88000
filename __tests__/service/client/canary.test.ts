import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import type { Fault } from '../../../demo/service/faults/FaultPlan.js';
import { Players } from '../../../demo/service/accounts/Players.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { createTokenBackend } from '../../../demo/token-backend/createTokenBackend.js';
import type { AdsOptions } from '../../../src/options.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { until } from '../../helpers/until.js';
import { WebAppVisitor } from '../server/WebAppVisitor.js';

/*
 * A canary of every kind of secret goes through the real client and the real service, in fair weather and foul. Then
 * everything that anybody could read, print or store is searched for it.
 */

const API_KEY = 'canary-api-key';
const PRIVATE_KEY = 'canary-private-key';
const EMAIL = 'canary-mail@example.com';
const PASSWORD = 'canary password';
const WRONG_PASSWORD = 'canary typo';

const faults: readonly (Fault | null)[] = [
  null,
  { kind: 'drop-before' },
  { kind: 'status', status: 503, retryAfter: '0' },
  { kind: 'status', status: 401 },
  { kind: 'truncate' },
  { kind: 'html' },
  { kind: 'redirect', location: 'http://127.0.0.1:9/' },
  { kind: 'mutate', body: { access_token: `${PASSWORD}\n`, token_type: 'Bearer', expires_in: 'soon', items: EMAIL } },
  // A careless service that repeats what was sent.
  { kind: 'mutate', body: { error: EMAIL, error_description: PASSWORD + PRIVATE_KEY, request_id: EMAIL } },
];

/** What may be read by others, by where it was. */
const seen: Record<'errors' | 'events' | 'urls' | 'refusals' | 'log' | 'console' | 'objects' | 'results', unknown[]> = {
  errors: [],
  events: [],
  urls: [],
  refusals: [],
  log: [],
  console: [],
  objects: [],
  results: [],
};
/** Whether what comes is the service's own: an ordered fault puts the canaries into the answer itself. */
let isGenuine = true;
/** Every token the service has given out. */
const tokens = new Set<string>();

let service: RunningService;
const realFetch = globalThis.fetch;

/** Goes between client and service: keeps addresses, refusals, and the tokens that are to be searched for. */
const wiretap: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const response = await realFetch(request);
  seen.urls.push(request.url);
  const text = await response
    .clone()
    .text()
    .catch(() => '');
  if (!response.ok && isGenuine) seen.refusals.push(text, [...response.headers]);
  for (const [, token] of text.matchAll(/"(?:access_token|refresh_token|token|auth_req_id)":"([\w-]{20,})"/g)) {
    tokens.add(token!);
  }
  return response;
};

function newClient(options: object): ServiceClient {
  const client = new ServiceClient({
    apiKey: API_KEY,
    baseUrl: service.baseUrl,
    debug: true,
    ...options,
  } as AdsOptions);
  client.on('sessionchange', (change) => seen.events.push(change));
  return client;
}

async function keep<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: unknown) => void seen.errors.push(error));
}

/** Everything a game does with an account, right and wrong. */
async function useEverything(client: ServiceClient): Promise<void> {
  await keep(client.getAdSurfaces());
  await keep(client.getAd('no-such-surface'));
  await keep(client.login(EMAIL, WRONG_PASSWORD));
  await keep(client.getPlayer());
  seen.results.push(await keep(client.login(EMAIL, PASSWORD)));
  await service.db.run('DELETE FROM access_tokens');
  seen.results.push(await keep(client.getPlayer()));
  await keep(client.connect(EMAIL));
  seen.objects.push(client, client.session);
  await keep(client.logout());
  const request = await keep(client.connect(EMAIL));
  seen.results.push(request);
  seen.objects.push(client.session);
  request?.cancel();
}

beforeAll(async () => {
  globalThis.fetch = wiretap;
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    jest.spyOn(console, name).mockImplementation((...args) => void seen.console.push(args));
  }
  const unlimited = { limit: 1e6, windowMs: 1 };
  service = await startService({
    log: (line) => seen.log.push(line),
    connect: { intervalSeconds: 1 },
    limits: { loginPerEmail: unlimited, loginPerAddress: unlimited, connectPerEmail: unlimited, connectPerAddress: unlimited }, // prettier-ignore
  });
  await service.db.run(
    `INSERT INTO applications (application_id, name, api_key, private_key, allowed_origins)
     VALUES ('canary', 'Canary', '${API_KEY}', '${PRIVATE_KEY}', '["loopback"]')`,
  );
  const cheap = { cost: 2, parallelization: 1 };
  await new Players(service.db, randomBytes, cheap).create(EMAIL, PASSWORD, 'Ada');

  const backend = createTokenBackend({ serviceUrl: service.baseUrl, apiKey: API_KEY, privateKey: PRIVATE_KEY });
  const getToken = async () => {
    const headers = { Origin: service.origin, Host: new URL(service.origin).host };
    const answer = await backend.request(`${service.origin}/game-backend/token`, { method: 'POST', headers });
    const text = await answer.text();
    if (!answer.ok) seen.refusals.push(text);
    return JSON.parse(text) as { token: string; expires_in: number };
  };
  const plain = { privateKey: PRIVATE_KEY, allowPlainPrivateKey: true };
  const rounds: [credentials: object, fault: Fault | null][] = [
    [plain, null],
    [{ getToken }, null],
    [{ getToken }, { kind: 'status', status: 401 }],
    // The service itself says that the key is wrong.
    [{ privateKey: `${PRIVATE_KEY}-of-yesterday` }, null],
    ...faults.map((fault): [object, Fault | null] => [{ privateKey: PRIVATE_KEY }, fault]),
  ];
  for (const [credentials, fault] of rounds) {
    service.faults.clear();
    if (fault !== null) service.faults.add({ fault, path: '/api' });
    isGenuine = fault?.kind !== 'mutate';
    // In foul weather most calls use up their time with repetitions.
    const client = newClient({ ...credentials, timeoutMs: fault === null ? 30_000 : 600 });
    await useEverything(client);
    client.destroy();
  }
  service.faults.clear();
  isGenuine = true;
  // A client that is destroyed withdraws nothing.
  await service.db.run('DELETE FROM connect_requests');

  const visitor = new WebAppVisitor(service);
  const pages = [await visitor.signIn(EMAIL, WRONG_PASSWORD)];
  await visitor.signIn(EMAIL, PASSWORD);
  const client = newClient({ privateKey: PRIVATE_KEY, timeoutMs: 30_000 });
  const request = await client.connect(EMAIL);
  await until(async () => (await visitor.requestIds()).length > 0);
  pages.push(await visitor.open(), await visitor.decide('confirm'), await visitor.submit('/requests/none/confirm'));
  seen.results.push(await request.game.waitForGameConnect());
  seen.objects.push(client, client.session);
  seen.refusals.push(pages);
  // A fault in the middle of the work, whose stack goes to the log.
  await service.db.run('ALTER TABLE players RENAME TO elsewhere');
  await client.logout();
  await keep(client.login(EMAIL, PASSWORD));
  client.destroy();
}, 120_000);

afterAll(async () => {
  globalThis.fetch = realFetch;
  await service.close();
});

/** All a program or a person can get out of something: text, JSON, every property, stack and cause. */
function everywhere(thing: unknown): string {
  const { stack, cause } = (thing ?? {}) as { stack?: string; cause?: unknown };
  return [String(thing), JSON.stringify(thing), inspect(thing, { depth: 12, showHidden: true }), stack, inspect(cause)].join('\n'); // prettier-ignore
}

describe('a canary key, password, e-mail address and every token', () => {
  it('have gone through all of it', () => {
    expect(tokens.size).toBeGreaterThan(10);
    expect(seen.results).toContain(true);
    const codes = new Set(seen.errors.map((error) => (error as { code?: string }).code));
    const expected = ['session/invalid-credentials', 'session/user-required', 'session/already-connected', 'ad/unknown-surface', 'config/credentials-rejected', 'config/token-provider', 'service/redirected', 'response/schema']; // prettier-ignore
    expect(expected.filter((code) => !codes.has(code))).toEqual([]);
    expect(seen.log.some((line) => String(line).includes('unexpected'))).toBe(true);
    expect(seen.refusals.join()).toContain('"type":"about:blank"');
  });

  it.each(Object.keys(seen) as (keyof typeof seen)[])('are nowhere in the %s', (where) => {
    const text = seen[where].map(everywhere).join('\n');
    for (const secret of [API_KEY, PRIVATE_KEY, EMAIL, PASSWORD, WRONG_PASSWORD, ...tokens]) {
      expect(text.includes(secret) ? `${secret} in the ${where}` : 'nowhere').toBe('nowhere');
    }
  });
});

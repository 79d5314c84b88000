import { inspect } from 'node:util';

import { resolveOptions } from '../../../src/resolveOptions.js';
import { createSigner } from '../../../src/service/signing.js';
import { CONNECT, GRANT, type SeenRequest } from './FakeService.js';
import { FakeWorld } from './FakeWorld.js';
import { startClient, stopClients } from './startClient.js';

const CANARIES = {
  apiKey: 'canary-api-key',
  privateKey: 'canary-private-key',
  email: 'canary@example.com',
  password: 'canary_password',
  access: 'canary-access-token',
  refresh: 'canary-refresh-token',
  minted: 'canary-minted-token',
};

const everywhere = (thing: unknown): string => {
  const { stack, cause } = (thing ?? {}) as { stack?: string; cause?: unknown };
  return [JSON.stringify(thing), inspect(thing, { depth: 10, showHidden: true }), stack, inspect(cause)].join('\n');
};

/** A refusal that repeats a secret, if it was sent, in the very forms that a request id and a word for an error have. */
const echoOf =
  (secret: string) =>
  ({ headers, body }: SeenRequest) => {
    const sent = [JSON.stringify(body), ...headers.values()].some((text) => text.includes(secret));
    const repeated = sent ? secret : 'nothing';
    return { status: 400, body: { error: repeated, request_id: repeated } };
  };

afterEach(stopClients);

describe('keys, tokens, passwords and e-mail addresses', () => {
  it('are found nowhere: not in errors, events, snapshots, storage keys, the console or the objects themselves', async () => {
    const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
      jest.spyOn(console, name).mockImplementation(() => undefined),
    );
    const found: unknown[] = [];
    const { apiKey, privateKey, email, password } = CANARIES;
    const world = new FakeWorld();
    const options = { apiKey, privateKey, debug: true, persistSession: 'tab' as const };
    const { service, client } = startClient(options, world);
    const getToken = async () => ({ token: CANARIES.minted, expiresInSeconds: 600 });
    const minting = startClient({ apiKey, getToken, privateKey: undefined } as never).client;
    for (const one of [client, minting]) one.on('sessionchange', (change) => found.push(change));
    const grant = { ...GRANT, access_token: CANARIES.access, refresh_token: CANARIES.refresh };
    // Everything that comes back repeats what was sent, as careless services do.
    const echo = { error_description: JSON.stringify(CANARIES), request_id: `${email} ${password}` };
    const faults = [
      { status: 401, body: { error: 'invalid_credentials', ...echo } },
      { status: 500, body: { error: 'oops', ...echo } },
      // In the very forms that a request id and a word for an error have.
      ...[apiKey, privateKey, password, CANARIES.minted].map(echoOf),
      { status: 200, text: `{"${CANARIES.access}` },
      { status: 200, body: { ...grant, expires_in: CANARIES.access } },
      { status: 307, headers: { Location: `https://x.example/?${CANARIES.access}` } },
      Object.assign(new TypeError(`fetch failed: Authorization: Bearer ${CANARIES.access}`), { config: CANARIES }),
    ];
    for (const fault of faults) {
      service.on('', fault);
      const calls = [
        () => client.login(email, password),
        () => client.connect(email),
        () => minting.login(email, password),
        () => client.getAdSurfaces(),
      ];
      for (const call of calls) {
        const end = call().then(
          () => undefined,
          (error: unknown) => found.push(error),
        );
        await world.advance(11_000);
        await end;
      }
    }
    service.on('', { body: grant });
    found.push(await client.login(email, password));
    service.on('', echoOf(CANARIES.access));
    await client.getAdSurfaces().catch((error: unknown) => found.push(error));
    service.on('', { body: CONNECT });
    found.push(await minting.connect(email));
    found.push(
      client,
      minting,
      client.session,
      minting.session,
      resolveOptions({ apiKey, privateKey }),
      world.warnings,
    );
    found.push(
      world.notes,
      service.seen.map(({ path }) => path),
      createSigner(apiKey, privateKey),
    );
    await client.logout();
    found.push([...world.storage.entries]);
    found.push(spies.map((spy) => spy.mock.calls));

    const text = found.map(everywhere).join('\n');
    expect(found.length).toBeGreaterThan(30);
    for (const canary of Object.values(CANARIES)) expect(text.includes(canary) ? canary : 'nowhere').toBe('nowhere');
  });
});

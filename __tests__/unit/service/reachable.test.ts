import { findTexts } from '../../helpers/findTexts.js';
import { CONNECT, GRANT } from './FakeService.js';
import { startClient, stopClients } from './startClient.js';

afterEach(stopClients);

const EMAIL = 'canary@example.com';
const PASSWORD = 'canary-password';
const KEYS = { apiKey: 'canary-api-key', privateKey: 'canary-private-key' };
const GRANTED = { ...GRANT, access_token: 'canary-access-token', refresh_token: 'canary-refresh-token' };

test('R1: no key, token, password or e-mail address can be reached from a client that has signed in and connects', async () => {
  const { service, client } = startClient(KEYS);
  service.on('', { body: GRANTED });
  const texts = [EMAIL, ...Object.values(KEYS), PASSWORD, GRANTED.access_token, GRANTED.refresh_token];
  await client.login(EMAIL, PASSWORD);
  expect(client.session).toMatchObject({ player: { playerId: 'p1' } });
  expect(findTexts(client, texts)).toEqual([]);
  await client.logout();
  service.on('', { body: CONNECT });
  await client.connect(EMAIL);
  expect(findTexts(client, texts)).toEqual([]);
});

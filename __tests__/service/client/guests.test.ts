import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';

const { apiKey, privateKey } = DEMO_APPLICATION;
const { email, password } = DEMO_PLAYER;

let service: RunningService;
const clients: ServiceClient[] = [];

beforeEach(async () => (service = await startService({ connect: { intervalSeconds: 1 } })));
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await service.close();
});

/** A device whose player has played as a guest; what the game links is written down as the guide says. */
function openDevice(guest: string, links: Record<string, string>): ServiceClient {
  const client = new ServiceClient({ apiKey, privateKey, baseUrl: service.baseUrl });
  clients.push(client);
  client.on('sessionchange', ({ previous, session }) => {
    if (session.player !== null && previous !== 'connected') links[guest] = session.player.playerId;
  });
  return client;
}

test('A6: a guest plays with ads and without an account, and is linked once by whichever way a player signs in', async () => {
  const links: Record<string, string> = {};
  const phone = openDevice('guest on a phone', links);
  const desk = openDevice('guest at a desk', links);
  const { items } = await phone.getAdSurfaces();
  expect((await phone.getAd(items[0]!.adSurfaceId)).adId).not.toBe('');
  await expect(phone.getPlayer()).rejects.toMatchObject({ code: 'session/user-required' });
  expect(links).toEqual({});

  const { game } = await phone.connect(email);
  await service.db.run(`UPDATE connect_requests SET state = 'confirmed'`);
  expect(await game.waitForGameConnect()).toBe(true);
  await desk.login(email, password);
  const { playerId } = await phone.getPlayer();
  expect(links).toEqual({ 'guest on a phone': playerId, 'guest at a desk': playerId });

  // A renewed session is the same player's, and a guest who plays on after signing out stays one.
  service.clock.advance(11 * 60_000);
  links['guest on a phone'] = 'not linked twice';
  await phone.getPlayer();
  await phone.logout();
  expect((await phone.getAdSurfaces()).items).toEqual(items);
  expect(links['guest on a phone']).toBe('not linked twice');
});

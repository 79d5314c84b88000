import { randomBytes } from 'node:crypto';
import { Players } from '../../../demo/service/accounts/Players.js';
import { DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { ServiceCaller } from './ServiceCaller.js';
import { type Oddity, SoftAuthenticator } from './SoftAuthenticator.js';
import { OWN_PAGE, type PageAnswer, WebAppVisitor } from './WebAppVisitor.js';

const ORIGIN = 'https://accounts.example';

describe('passkeys of the web app', () => {
  let service: RunningService;
  let ada: WebAppVisitor;
  let passkey: SoftAuthenticator;

  beforeEach(async () => {
    service = await startService({ publicOrigin: ORIGIN });
    service.clock.stop();
    ada = new WebAppVisitor(service);
    await ada.signIn();
    passkey = new SoftAuthenticator(ORIGIN);
  });
  afterEach(() => service.close());

  /** As the page's script sends it, with the token of the page that is open. */
  async function send(who: WebAppVisitor, path: string, fields: Record<string, string> = {}) {
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec((await who.open()).text) ?? [];
    const headers = { Accept: 'application/json', ...OWN_PAGE(service.origin) };
    const answer = await who.send('POST', `/passkeys${path}`, { csrf, ...fields }, headers);
    return { ...answer, body: JSON.parse(answer.text) as { challenge: string; user: { id: string }; error?: string } };
  }
  const optionsToMake = (who = ada) => send(who, '/options', { password: DEMO_PLAYER.password });
  const keep = (answer: string, who = ada) => send(who, '', { answer });
  async function make(made = passkey): Promise<void> {
    expect((await keep(made.create((await optionsToMake()).body))).status).toBe(200);
  }
  /** Signs in from a browser that was never here. */
  async function signIn(odd: Oddity = {}, who = new WebAppVisitor(service)): Promise<PageAnswer & { name: boolean }> {
    const { body } = await send(who, '/sign-in/options');
    const answer = await send(who, '/sign-in', { answer: passkey.get(body, odd) });
    return { ...answer, name: (await who.open()).text.includes(`Hello, ${DEMO_PLAYER.displayName}`) };
  }

  test('A6: is added, signs in without an e-mail or a password, is listed, and is worth nothing once removed', async () => {
    await make();
    expect(await signIn()).toMatchObject({ status: 200, name: true });
    const { text } = await ada.open('/account');
    const [, id = ''] = /\/passkeys\/(passkey_[^/]+)\/remove/.exec(text) ?? [];
    expect(text).toContain('last used just now');
    expect((await send(ada, `/${id}/remove`)).status).toBe(200);
    expect((await ada.open('/account')).text).not.toContain(id);
    expect(await signIn()).toMatchObject({ status: 401, name: false });
  });

  test('A6: another player’s passkey cannot be removed', async () => {
    await make();
    const [, id = ''] = /\/passkeys\/(passkey_[^/]+)\/remove/.exec((await ada.open('/account')).text) ?? [];
    await new Players(service.db, randomBytes, { cost: 2, parallelization: 1 }).create('eve@example.com', 'x', 'Eve');
    const eve = new WebAppVisitor(service);
    await eve.signIn('eve@example.com', 'x');
    await send(eve, `/${id}/remove`);
    expect((await signIn()).name).toBe(true);
  });

  test('the options ask for a passkey that finds its player by itself and recognises who uses it; the player by name, not by e-mail', async () => {
    const { body, text } = await optionsToMake();
    expect(body).toMatchObject({
      rp: { id: 'accounts.example' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(text).not.toContain(DEMO_PLAYER.email);
    const asked = (await send(new WebAppVisitor(service), '/sign-in/options')).body;
    expect(asked).toMatchObject({ rpId: 'accounts.example', userVerification: 'required' });
    expect(asked).not.toHaveProperty('allowCredentials.0');
    await keep(passkey.create(body));
    expect((await optionsToMake()).body).toMatchObject({ excludeCredentials: [{ id: passkey.id }] });
  });

  test('a session left open does not suffice to add one: the password is asked for, and guesses are counted', async () => {
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await send(ada, '/options', { password: `guess ${guess}` })).status).toBe(401);
    }
    expect((await optionsToMake()).status).toBe(429);
  });

  const elsewhere = { origin: 'https://accounts.example.evil.example' };
  test.each<[string, Oddity]>([
    ['of another origin', elsewhere],
    ['of a page below the host', { origin: 'https://games.accounts.example' }],
    ['of the host without TLS', { origin: 'http://accounts.example' }],
    ['for another host', { rpId: 'example' }],
    ['made for another purpose', { type: 'webauthn.create' }],
    ['by nobody', { flags: 0 }],
    ['by somebody who was not recognised', { flags: 1 }],
    ['signed by another key', { isForged: true }],
    ['of another passkey', { id: randomBytes(32).toString('base64url') }],
    ['for another player', { userHandle: Buffer.from('player_other').toString('base64url') }],
  ])('an answer %s signs nobody in, and says as much as any other', async (_, odd) => {
    await make();
    const refused = await signIn(odd);
    expect(refused).toMatchObject({ status: 401, name: false });
    const unknown = await (async () => {
      passkey = new SoftAuthenticator(ORIGIN);
      passkey.create({ challenge: '', user: { id: 'cGxheWVy' } });
      return signIn();
    })();
    const words = ({ text }: PageAnswer) => text.replace(/req_\w+/, '');
    expect(words(refused)).toBe(words(unknown));
  });

  test.each<[string, Oddity]>([
    ['of another origin', elsewhere],
    ['for another host', { rpId: 'example' }],
    ['made for another purpose', { type: 'webauthn.get' }],
    ['by somebody who was not recognised', { flags: 1 }],
  ])('a passkey %s is not kept', async (_, odd) => {
    expect((await keep(passkey.create((await optionsToMake()).body, odd))).status).toBe(400);
    expect(await service.db.all('SELECT * FROM passkeys')).toEqual([]);
  });

  test.each([
    ['nothing', ''],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['half of an array', '['],
    ['an answer without its parts', '{"id":"a","rawId":"a","type":"public-key","response":{}}'],
    ['9 KB of text', 'x'.repeat(9_000)],
  ])('what is no answer at all is refused like any: %s', async (_, answer) => {
    expect((await keep(answer)).status).toBe(400);
    expect((await send(new WebAppVisitor(service), '/sign-in', { answer })).status).toBe(401);
  });

  test('a challenge is good once, for five minutes, for the browser that asked and for what it asked', async () => {
    await make();
    const [home, other] = [new WebAppVisitor(service), new WebAppVisitor(service)];
    const answerTo = async (who: WebAppVisitor) => passkey.get((await send(who, '/sign-in/options')).body);
    const one = await answerTo(home);
    // Somebody else who has the answer cannot use it, and does not spend it either.
    expect((await send(other, '/sign-in', { answer: one })).status).toBe(401);
    expect((await send(home, '/sign-in', { answer: one })).status).toBe(200);
    await send(ada, '/options', { password: DEMO_PLAYER.password });
    expect((await send(other, '/sign-in', { answer: one })).status).toBe(401);
    const late = await answerTo(other);
    service.clock.advance(300_000);
    expect((await send(other, '/sign-in', { answer: late })).status).toBe(401);
    const made = (await optionsToMake()).body;
    expect((await send(other, '/sign-in', { answer: passkey.get(made) })).status).toBe(401);
  });

  test('of one answer sent many times at once, one signs in', async () => {
    await make();
    const who = new WebAppVisitor(service);
    const { body } = await send(who, '/sign-in/options');
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec((await who.open()).text) ?? [];
    const fields = { csrf, answer: passkey.get(body) };
    const headers = { Accept: 'application/json', ...OWN_PAGE(service.origin) };
    const sent = Array.from({ length: 8 }, () => who.send('POST', '/passkeys/sign-in', fields, headers));
    expect((await Promise.all(sent)).filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a count that does not rise tells a copy; an authenticator that does not count signs in again and again', async () => {
    await make();
    expect([(await signIn()).status, (await signIn()).status]).toEqual([200, 200]);
    expect((await signIn({ counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0]) expect((await signIn({ counter })).status).toBe(401);
    expect((await signIn({ counter: 8 })).status).toBe(200);
  });

  test('one passkey is one player’s, and a player has at most twenty', async () => {
    await make();
    expect((await keep(passkey.create((await optionsToMake()).body))).status).toBe(400);
    for (let count = 1; count < 20; count += 1) {
      service.clock.advance(60_000);
      await make(new SoftAuthenticator(ORIGIN));
    }
    service.clock.advance(60_000);
    expect((await keep(new SoftAuthenticator(ORIGIN).create((await optionsToMake()).body))).status).toBe(400);
    expect(await service.db.all('SELECT * FROM passkeys')).toHaveLength(20);
  });

  test('beginning to sign in is limited by address', async () => {
    const who = new WebAppVisitor(service);
    for (let turn = 0; turn < 60; turn += 1) expect((await send(who, '/sign-in/options')).status).toBe(200);
    const refused = await send(who, '/sign-in/options');
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, expect.any(String)]);
  });

  test('nothing is taken from another site’s page, and nothing from nobody', async () => {
    const cross = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    for (const path of ['/sign-in/options', '/sign-in', '/options', '', '/passkey_1/remove']) {
      expect((await ada.send('POST', `/passkeys${path}`, { csrf: 'guessed' }, cross)).status).toBe(403);
    }
    expect((await send(new WebAppVisitor(service), '/options', { password: DEMO_PLAYER.password })).status).toBe(403);
  });

  test('A6: is in the export by its device and times, and goes with the account', async () => {
    await make();
    const { text } = await ada.open('/account/export');
    expect(JSON.parse(text)).toMatchObject({ passkeys: [{ device: 'A browser', usedAt: null }] });
    expect(text).not.toContain(passkey.id);
    await ada.submit('/account/delete', { password: DEMO_PLAYER.password });
    expect(await service.db.all('SELECT * FROM passkeys')).toEqual([]);
    expect((await signIn()).status).toBe(401);
  });

  test('signing in with one goes through the popup and the account’s other doors like a password', async () => {
    await make();
    const { body } = await new ServiceCaller(service).post(
      '/v1/bc-authorize',
      { login_hint: DEMO_PLAYER.email, code_challenge: 'x'.repeat(43), state: 'y'.repeat(22) },
      { headers: { Origin: 'http://localhost:4000' } },
    );
    const path = new URL(String(body['popup_url'])).pathname;
    expect((await new WebAppVisitor(service).open(path.replace('/app', ''))).text).toContain(`data-next="${path}"`);
  });
});

test('at an address of numbers there are no passkeys, in words', async () => {
  const service = await startService();
  const ada = new WebAppVisitor(service);
  await ada.signIn();
  const { status, text } = await ada.submit('/passkeys/options', { password: DEMO_PLAYER.password });
  expect([status, text]).toEqual([400, expect.stringContaining('host name')]);
  await service.close();
});

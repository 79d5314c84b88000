import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import * as fc from 'fast-check';
import { BINDING_CODE_ALPHABET, bindingCode } from '../../../demo/service/accounts/bindingCode.js';
import { codeChoices } from '../../../demo/service/accounts/codeChoices.js';
import { placeOf } from '../../../demo/service/accounts/place.js';
import type { ConnectNotice } from '../../../demo/service/createApi.js';
import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { until } from '../../helpers/until.js';
import { CIBA, ServiceCaller } from './ServiceCaller.js';
import { WebAppVisitor } from './WebAppVisitor.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const OTHER_GAME = { 'Api-Key': 'other-key', 'Private-Key': 'other-private' };

describe('the confirm page', () => {
  let service: RunningService;
  let caller: ServiceCaller;
  let visitor: WebAppVisitor;
  let notices: ConnectNotice[];

  beforeEach(async () => {
    notices = [];
    service = await startService({ notify: (notice) => notices.push(notice) });
    service.clock.stop();
    caller = new ServiceCaller(service);
    visitor = new WebAppVisitor(service);
    await visitor.signIn();
  });
  afterEach(() => service.close());

  const ask = (headers: Record<string, string> = {}, credential?: Record<string, string>) =>
    caller.post(
      '/v1/bc-authorize',
      { login_hint: DEMO_PLAYER.email },
      { headers, ...(credential === undefined ? {} : { credential }) },
    );
  const addOtherGame = () =>
    service.db.run(
      `INSERT INTO applications VALUES ('app_other', 'Other', 'other-key', 'other-private', '["loopback"]')`,
    );
  /** Asks, and gives the request as the page names it. */
  async function request(): Promise<{ id: string; code: string; authReqId: string }> {
    const { authReqId, code } = await caller.connect();
    for (const id of await visitor.requestIds())
      if ((await visitor.codeOf(id)) === code) return { id, code, authReqId };
    throw new Error('The request is not on the page');
  }
  /** The status of an answer to somebody at another address of this machine. */
  const postFrom = (localAddress: string, path: string, body: object) =>
    new Promise<number>((resolve, reject) => {
      const { apiKey, privateKey } = DEMO_APPLICATION;
      const headers = { 'Content-Type': 'application/json', 'Api-Key': apiKey, 'Private-Key': privateKey };
      const sent = httpRequest(service.baseUrl + path, { method: 'POST', localAddress, headers }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.once('error', reject);
      sent.end(JSON.stringify(body));
    });
  /** As if the request had come from elsewhere. */
  const moveTo = (address: string) =>
    service.db.run(`UPDATE connect_requests SET network_hash = 'another', place = ?`, placeOf(address).label);

  test('A1: shows who asks, when, from which browser and roughly where', async () => {
    await ask({ 'User-Agent': FIREFOX });
    service.clock.advance(65_000);
    const { text } = await visitor.open();
    for (const told of [DEMO_APPLICATION.name, '1 min ago', 'Firefox on Windows', 'The network this page is in']) {
      expect(text).toContain(told);
    }
    await moveTo('203.0.113.77');
    const elsewhere = (await visitor.open()).text;
    expect(elsewhere).toContain('Another network (203.0.113.…)');
    expect(elsewhere).not.toContain('203.0.113.77');
  });

  test.each([
    ['none', undefined],
    ['one with markup', '<img src=x onerror=alert(1)> Evil/1.0'],
    ['one of 8 KB', `Evil ${'x'.repeat(8000)}`],
  ])('A1: of a browser’s own words nothing gets onto the page: %s', async (_, userAgent) => {
    await ask({ 'User-Agent': userAgent ?? '' });
    const { text } = await visitor.open();
    expect(text).toContain('<dd>A browser</dd>');
    expect(text).not.toMatch(/Evil|onerror/);
  });

  test('A1: says to decline what the player did not start; all answers look the same, and declining is the larger', async () => {
    await request();
    const { text } = await visitor.open();
    expect(text).toContain('Decline if you did not start this');
    const answers = [...text.matchAll(/<button class="([^"]*\banswer\b[^"]*)"/g)].map(([, names]) => names);
    expect(answers).toEqual(['answer code', 'answer code', 'answer code', 'answer wide']);
  });

  test('A2: offers the game’s code among two others, the same at every look', async () => {
    const { id, code } = await request();
    const choices = await visitor.choices(id);
    expect(choices).toHaveLength(3);
    expect(choices).toContain(code);
    for (let look = 0; look < 5; look += 1) expect(await visitor.choices(id)).toEqual(choices);
  });

  test('A2: nothing on the page or in its stream tells the right code from the others', async () => {
    const { id, code } = await request();
    const { text } = await visitor.open();
    const places = (await visitor.choices(id)).map((choice) => text.split(choice).length);
    expect(places[0]).toBeGreaterThan(1);
    expect(new Set(places).size).toBe(1);
    expect(code).toHaveLength(4);
  });

  test('A2: a wrong code ends the request: the right one after it is too late', async () => {
    const { id, code, authReqId } = await request();
    const wrong = (await visitor.choices(id)).find((choice) => choice !== code) ?? '';
    const answer = await visitor.pick(id, wrong);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('declined')]);
    expect((await visitor.pick(id, wrong)).status).toBe(400);
    expect((await visitor.pick(id, code)).status).toBe(404);
    expect((await caller.poll(authReqId)).body).toMatchObject({ error: 'access_denied' });
    expect(await visitor.requestIds()).toEqual([]);
  });

  test.each(['', ' ', 'x'.repeat(5000), 'AAAA', '%00'])('A2: %j is no code', async (code) => {
    const { id, authReqId } = await request();
    expect((await visitor.pick(id, code)).status).toBe(400);
    expect((await caller.poll(authReqId)).body).toMatchObject({ error: 'access_denied' });
  });

  test('A2: a form without a code decides nothing', async () => {
    const { id, authReqId } = await request();
    expect((await visitor.submit(`/requests/${id}/confirm`)).status).toBe(400);
    expect((await caller.poll(authReqId)).body).toMatchObject({ status: 'authorization_pending' });
  });

  test('A2: a new request of the same game takes the place of the one that waits; those of other games stay', async () => {
    await addOtherGame();
    await ask({}, OTHER_GAME);
    const first = await request();
    const second = await caller.connect();
    expect(await visitor.requestIds()).toHaveLength(2);
    expect((await caller.poll(first.authReqId)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await caller.poll(second.authReqId)).body).toMatchObject({ status: 'authorization_pending' });
    expect((await visitor.pick(first.id, first.code)).status).toBe(404);
  });

  test('A2: for an e-mail nobody has, requests take each other’s place all the same', async () => {
    const first = await caller.connect('nobody@example.com');
    await caller.connect('nobody@example.com');
    expect((await caller.poll(first.authReqId)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('A2: a held poll hears of the request that takes its place as soon for an e-mail nobody has', async () => {
    const heard: Record<string, number[]> = { [DEMO_PLAYER.email]: [], 'nobody@example.com': [] };
    for (let round = 0; round < 6; round += 1) {
      for (const [email, times] of Object.entries(heard)) {
        const { authReqId } = await caller.connect(email);
        const poll = { grant_type: CIBA, auth_req_id: authReqId, wait: 5 };
        const held = caller.post('/v1/token', poll).then(({ body }) => [body['error'], performance.now()] as const);
        await new Promise((resolve) => setTimeout(resolve, 60));
        const replacedAt = performance.now();
        await caller.connect(email);
        const [error, heardAt] = await held;
        expect(error).toBe('invalid_grant');
        times.push(heardAt - replacedAt);
      }
      service.clock.advance(600_000);
    }
    const [known = 0, nobody = 0] = Object.values(heard).map((times) => times.sort((a, b) => a - b)[3]);
    // Half a second apart, were it not told.
    expect(Math.abs(known - nobody)).toBeLessThan(150);
  });

  test('A2: a blocked game is declined, and what it asks later reaches nobody, without its learning so', async () => {
    const { id, authReqId } = await request();
    expect((await visitor.submit(`/requests/${id}/block`)).status).toBe(303);
    expect((await caller.poll(authReqId)).body).toMatchObject({ error: 'access_denied' });
    await until(() => notices.length === 1);
    const blocked = await caller.connect();
    const unknown = await caller.connect('nobody@example.com');
    expect(await visitor.requestIds()).toEqual([]);
    for (const seconds of [0, 20, 300]) {
      service.clock.advance(seconds * 1000);
      const [mine, none] = [await caller.poll(blocked.authReqId), await caller.poll(unknown.authReqId)];
      expect([mine.status, mine.body['status'], mine.body['error']]).toEqual([
        none.status,
        none.body['status'],
        none.body['error'],
      ]);
    }
    await addOtherGame();
    await ask({}, OTHER_GAME);
    expect(await visitor.requestIds()).toHaveLength(1);
    await until(() => notices.length === 2);
    expect(notices.map(({ applicationName }) => applicationName)).toEqual([DEMO_APPLICATION.name, 'Other']);
  });

  test('A2: what a stranger asks and guesses elsewhere leaves the player at home able to connect and sign in', async () => {
    const wrong = { email: DEMO_PLAYER.email, password: 'wrong' };
    for (const stranger of [
      '127.0.0.2',
      '127.0.0.3',
      '127.0.0.4',
      '127.0.0.5',
      '127.0.0.6',
      '127.0.0.7',
      '127.0.0.8',
    ]) {
      const asked: number[] = [];
      for (let turn = 0; turn < 11; turn += 1) {
        asked.push(await postFrom(stranger, '/v1/bc-authorize', { login_hint: DEMO_PLAYER.email }));
        await postFrom(stranger, '/v1/login', wrong);
      }
      expect(asked).toEqual([...Array<number>(10).fill(200), 429]);
    }
    // Where nobody has signed in yet, all strangers together have no more than 60 tries.
    expect(await postFrom('127.0.0.9', '/v1/login', wrong)).toBe(429);
    expect((await ask()).status).toBe(200);
    expect((await new WebAppVisitor(service).signIn()).status).toBe(303);
  });

  test('A2: one game’s many requests are carried to the player five times in ten minutes, and shown every time', async () => {
    for (let turn = 0; turn < 10; turn += 1) await caller.connect();
    await until(() => notices.length >= 5);
    const { code } = await caller.connect('nobody@example.com');
    expect(code).toHaveLength(4);
    expect(notices).toHaveLength(5);
    expect(await visitor.requestIds()).toHaveLength(1);
  });

  test('a link to a request leads to it, through the sign-in where need be, and tells nobody else of it', async () => {
    const { id } = await request();
    const there = await visitor.open(`/requests/${id}`);
    expect([there.status, there.headers.get('Location')]).toEqual([303, '/app']);
    expect((await visitor.open('/requests/connect_invented')).text).toContain('Nothing to decide');

    const stranger = new WebAppVisitor(service);
    const { text } = await stranger.open(`/requests/${id}`);
    expect(text).toContain(`name="next" value="/app/requests/${id}"`);
    expect(text).not.toContain(DEMO_APPLICATION.name);
    const { email, password } = DEMO_PLAYER;
    const signedIn = await stranger.submit('/sign-in', { email, password, next: `/app/requests/${id}` });
    expect(signedIn.headers.get('Location')).toBe(`/app/requests/${id}`);
  });

  test.each([
    'https://elsewhere.example/',
    '//elsewhere.example',
    '/reports',
    '/app/../x',
    'javascript:alert(1)',
    '/app?x',
  ])('signing in goes on to a page of the web app only, not to %s', async (next) => {
    const { email, password } = DEMO_PLAYER;
    const answer = await new WebAppVisitor(service).submit('/sign-in', { email, password, next });
    expect(answer.headers.get('Location')).toBe('/app');
  });

  test('a link of another site is passed on by a page of our own, so that the session cookie comes along', async () => {
    const { text } = await visitor.send('GET', '/requests/a"b?x=<y>', undefined, {
      'Sec-Fetch-Site': 'cross-site',
    });
    expect(text).toMatch(
      /http-equiv="refresh" content="0;url=\/app\/requests\/a(%22|&quot;)b\?x=(%3C|&lt;)y(%3E|&gt;)"/,
    );
    expect(text).not.toContain(DEMO_PLAYER.displayName);
  });
});

describe('the codes to choose from', () => {
  test('differ from each other in every character, and the right one is at each place equally often', () => {
    const places = [0, 0, 0];
    for (let round = 0; round < 900; round += 1) {
      const code = bindingCode(randomBytes);
      const choices = codeChoices(code, randomBytes);
      expect(choices).toHaveLength(3);
      for (let at = 0; at < code.length; at += 1) expect(new Set(choices.map((choice) => choice[at])).size).toBe(3);
      for (const character of choices.join('')) expect(BINDING_CODE_ALPHABET).toContain(character);
      places[choices.indexOf(code)]! += 1;
    }
    // 300 expected at each; 5 standard deviations are about 71.
    for (const count of places) expect(Math.abs(count - 300)).toBeLessThan(90);
  });
});

describe('where a request comes from', () => {
  test.each([
    ['203.0.113.77', '203.0.113.77', '203.0.113.…'],
    ['::ffff:203.0.113.77', '203.0.113.77', '203.0.113.…'],
    ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7', '2001:db8:0:…'],
    ['2001:DB8::9', '2001:db8:0:0', '2001:db8:0:…'],
    ['fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0:…'],
    ['::1', '0:0:0:0', '0:0:0:…'],
    ['unknown', '', 'unknown'],
  ])('%s is the network %s, shown as %s', (address, network, label) => {
    expect(placeOf(address)).toEqual({ network, label });
  });

  test('two addresses of one IPv6 household are one network; no label holds a whole address', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV4(), (v6, v4) => {
        const { network, label } = placeOf(v6);
        expect(network.split(':')).toHaveLength(network.includes('.') ? 1 : 4);
        expect(label.endsWith('…')).toBe(true);
        expect(placeOf(v4).label).not.toContain(v4);
      }),
    );
  });
});

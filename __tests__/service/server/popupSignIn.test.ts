import { createHash, randomBytes } from 'node:crypto';
import { Players } from '../../../demo/service/accounts/Players.js';
import { DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { contractTimes } from '../../helpers/contractTimes.js';
import { ServiceCaller, tokens } from './ServiceCaller.js';
import { OWN_PAGE, WebAppVisitor } from './WebAppVisitor.js';

const GAME = 'http://localhost:4000';

describe('a connect request answered in a popup', () => {
  let service: RunningService;
  let caller: ServiceCaller;
  let visitor: WebAppVisitor;
  let verifier: string;
  let state: string;

  beforeEach(async () => {
    service = await startService();
    service.clock.stop();
    caller = new ServiceCaller(service);
    visitor = new WebAppVisitor(service);
    await visitor.signIn();
    verifier = randomBytes(32).toString('base64url');
    state = randomBytes(16).toString('base64url');
  });
  afterEach(() => service.close());

  /** @returns the path of the popup below `/app`, the one for links, and the request's id towards polls. */
  async function ask(email: string = DEMO_PLAYER.email) {
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const body = { login_hint: email, code_challenge, state };
    const answer = await caller.post('/v1/bc-authorize', body, { headers: { Origin: GAME } });
    const [path = '', link = ''] = ['popup_url', 'confirm_url'].map((name) =>
      new URL(String(answer.body[name])).pathname.replace('/app', ''),
    );
    return { path, link, authReqId: String(answer.body['auth_req_id']) };
  }
  async function answer(path: string, verb: 'approve' | 'refuse', who = visitor) {
    const [, csrf = ''] = /data-csrf="([^"]+)"/.exec((await who.open()).text) ?? [];
    const headers = { Accept: 'application/json', ...OWN_PAGE(service.origin) };
    const { status, text } = await who.send('POST', `${path}/${verb}`, { csrf }, headers);
    return {
      status,
      ...(JSON.parse(text) as { origin?: string; message?: { state: string; code: string; error?: string } }),
    };
  }
  const exchange = (code: string, code_verifier = verifier) =>
    caller.post('/v1/token', { grant_type: 'authorization_code', code, code_verifier });
  const refused = { status: 400, body: { error: 'invalid_grant' } };

  test('A3: agreed to, gives the page that asked a code, and for the code and its secret the tokens', async () => {
    const { path } = await ask();
    const { text } = await visitor.open(path);
    for (const told of [GAME, 'Rush Street', DEMO_PLAYER.displayName]) expect(text).toContain(told);
    const { status, origin, message } = await answer(path, 'approve');
    expect([status, origin, message!.state]).toEqual([200, GAME, state]);
    const session = tokens(await exchange(message!.code));
    expect(session.player.displayName).toBe(DEMO_PLAYER.displayName);
    expect((await caller.player(session.access_token)).status).toBe(200);
  });

  test('A3: declined, gives no code, and no other way to the tokens', async () => {
    const { path, authReqId } = await ask();
    expect((await answer(path, 'refuse')).message).toEqual({ state, error: 'access_denied' });
    expect((await caller.poll(authReqId)).body).toMatchObject({ error: 'access_denied' });
    expect((await answer(path, 'approve')).status).toBe(404);
  });

  test('A3: whoever sends somebody a popup’s address gains nothing: agreeing in it answers no poll', async () => {
    const { path, authReqId } = await ask();
    await answer(path, 'approve');
    expect((await caller.poll(authReqId)).body).toMatchObject({ status: 'authorization_pending' });
    service.clock.advance(301_000);
    expect((await caller.poll(authReqId)).body).toMatchObject({ error: 'expired_token' });
  });

  test('A3: a code is worth nothing with another secret, and from then on with the right one', async () => {
    const { path } = await ask();
    const { message } = await answer(path, 'approve');
    expect(await exchange(message!.code, randomBytes(32).toString('base64url'))).toMatchObject(refused);
    expect(await exchange(message!.code)).toMatchObject(refused);
  });

  test('A3: a code is good for the grace of the contract and for one session, whose tokens are given again when they were lost', async () => {
    const graceMs = contractTimes().repeatGraceSeconds * 1000;
    const late = (await answer((await ask()).path, 'approve')).message!.code;
    service.clock.advance(graceMs);
    expect(await exchange(late)).toMatchObject(refused);
    const { path } = await ask();
    const replaced = (await answer(path, 'approve')).message!.code;
    const { code } = (await answer(path, 'approve')).message!;
    expect(await exchange(replaced)).toMatchObject(refused);
    service.clock.advance(graceMs - 1);
    tokens(await exchange(code));
    service.clock.advance(graceMs);
    const again = tokens(await exchange(code));
    await caller.post('/v1/revoke', { token: again.refresh_token });
    expect(await exchange(code)).toMatchObject(refused);
  });

  test.each([
    ['its tokens were fetched', async (code: string) => tokens(await exchange(code)).token_type],
    [
      'its time is over',
      () => {
        service.clock.advance(300_000);
      },
    ],
    ['its game has left it and polls', (_: string, authReqId: string) => caller.poll(authReqId)],
  ])('A3: a popup is answered once: not again when %s', async (_, pass) => {
    const { path, authReqId } = await ask();
    await pass((await answer(path, 'approve')).message!.code, authReqId);
    for (const verb of ['approve', 'refuse'] as const) expect((await answer(path, verb)).status).toBe(404);
    expect((await visitor.open(path)).text).toContain('Nothing to decide');
  });

  test('A3: a code that never reached its game, as when that reloads, leaves the request to be answered by e-mail', async () => {
    const { path, authReqId } = await ask();
    await answer(path, 'approve');
    expect((await caller.poll(authReqId)).body).toMatchObject({ status: 'authorization_pending' });
    expect(await visitor.requestIds()).toHaveLength(1);
    await visitor.decide('confirm');
    tokens(await caller.poll(authReqId));
  });

  test('A3: whoever reads the address of the link or QR code off the screen answers no popup', async () => {
    const { path, link } = await ask();
    for (const verb of ['refuse', 'approve'] as const) {
      expect((await answer(link.replace('requests', 'popup'), verb)).status).toBe(404);
    }
    tokens(await exchange((await answer(path, 'approve')).message!.code));
  });

  test('A3: a stranger’s request for the same e-mail takes nothing from a popup that was agreed to', async () => {
    const { path } = await ask();
    const { code } = (await answer(path, 'approve')).message!;
    await caller.connect();
    tokens(await exchange(code));
  });

  test('A3: whoever is signed in there signs in, whatever address was typed; it says nothing of that address', async () => {
    const { path } = await ask('nobody@example.com');
    const { message } = await answer(path, 'approve');
    expect(tokens(await exchange(message!.code)).player.displayName).toBe(DEMO_PLAYER.displayName);
  });

  test('A3: nobody is asked anywhere else, until the game polls', async () => {
    const { authReqId } = await ask();
    expect(await visitor.requestIds()).toEqual([]);
    await caller.poll(authReqId);
    expect(await visitor.requestIds()).toHaveLength(1);
    await visitor.decide('confirm');
    tokens(await caller.poll(authReqId));
  });

  test('A3: its pages, redirects included, keep the page that opened them; all others are cut off from theirs', async () => {
    const { path } = await ask();
    const stranger = new WebAppVisitor(service);
    const form = await stranger.open(path);
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(form.text) ?? [];
    const { email, password } = DEMO_PLAYER;
    const signedIn = await stranger.send(
      'POST',
      `${path}/sign-in`,
      { csrf, email, password },
      OWN_PAGE(service.origin),
    );
    expect(signedIn.headers.get('Location')).toBe(`/app${path}`);
    const passing = await stranger.send('GET', path, undefined, { 'Sec-Fetch-Site': 'cross-site' });
    for (const { headers } of [form, signedIn, passing, await stranger.open(path)]) {
      expect(headers.get('Cross-Origin-Opener-Policy')).toBe('unsafe-none');
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    }
    expect((await stranger.open()).headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
  });

  test.each([
    ['log out everywhere', () => visitor.submit('/account/sign-out-everywhere')],
    ['disconnecting the game', () => visitor.submit('/games/app_rush_street/disconnect')],
  ])('A6: %s ends what was agreed to and has not been fetched', async (_, end) => {
    const { path } = await ask();
    const { message } = await answer(path, 'approve');
    expect((await end()).status).toBe(303);
    expect(await exchange(message!.code)).toMatchObject(refused);
  });

  test.each(['before', 'after'])(
    'a game that withdraws its request %s it fetched the tokens has none',
    async (when) => {
      const { path, authReqId } = await ask();
      const { code } = (await answer(path, 'approve')).message!;
      const session = when === 'after' ? tokens(await exchange(code)) : undefined;
      await caller.post('/v1/bc-cancel', { auth_req_id: authReqId });
      expect(await exchange(code)).toMatchObject(refused);
      if (session !== undefined) expect((await caller.player(session.access_token)).status).toBe(401);
    },
  );

  test('a game that withdraws a request takes nothing from another popup that was agreed to', async () => {
    const [withdrawn, other] = [await ask(), await ask('nobody@example.com')];
    await answer(withdrawn.path, 'approve');
    const { code } = (await answer(other.path, 'approve')).message!;
    await caller.post('/v1/bc-cancel', { auth_req_id: withdrawn.authReqId });
    tokens(await exchange(code));
  });

  test('nobody answers a request by e-mail through the address of a popup it never had', async () => {
    const { authReqId } = await caller.connect();
    const [id = ''] = await visitor.requestIds();
    const { email, password } = { email: 'eve@example.com', password: 'secret' };
    await new Players(service.db, randomBytes, { cost: 2, parallelization: 1 }).create(email, password, 'Eve');
    const eve = new WebAppVisitor(service);
    await eve.signIn(email, password);
    for (const verb of ['refuse', 'approve'] as const) {
      expect((await answer(`/popup/${id}`, verb, eve)).status).toBe(404);
      expect((await caller.poll(authReqId)).body['error']).toBeUndefined();
    }
    expect(await visitor.requestIds()).toEqual([id]);
  });

  test('without a page’s origin, a challenge or a state there is no popup', async () => {
    const body = { login_hint: DEMO_PLAYER.email, code_challenge: 'x'.repeat(43), state };
    expect((await caller.post('/v1/bc-authorize', body)).body['popup_url']).toBeUndefined();
    const stateless = { login_hint: body.login_hint, code_challenge: body.code_challenge };
    const answered = await caller.post('/v1/bc-authorize', stateless, { headers: { Origin: GAME } });
    expect(answered.body['popup_url']).toBeUndefined();
  });
});

describe('the account page', () => {
  let service: RunningService;
  let caller: ServiceCaller;
  let visitor: WebAppVisitor;

  beforeEach(async () => {
    service = await startService();
    caller = new ServiceCaller(service);
    visitor = new WebAppVisitor(service);
    await visitor.signIn();
  });
  afterEach(() => service.close());

  test('A6: shows where the player is signed in, and signs out of one', async () => {
    const session = await caller.login();
    const { text } = await visitor.open('/account');
    expect(text).toContain('in use here');
    const [, id = ''] = /\/account\/sessions\/(session_[^/]+)\/end/.exec(text) ?? [];
    expect((await visitor.submit(`/account/sessions/${id}/end`)).status).toBe(303);
    expect((await caller.player(session.access_token)).status).toBe(401);
    expect((await visitor.submit(`/account/sessions/${id}/end`)).status).toBe(404);
  });

  test('A6: logs out everywhere: of games, of other browsers, and here', async () => {
    const session = await caller.login();
    const other = new WebAppVisitor(service);
    await other.signIn();
    expect((await visitor.submit('/account/sign-out-everywhere')).status).toBe(303);
    expect((await caller.player(session.access_token)).status).toBe(401);
    for (const who of [visitor, other]) expect((await who.open()).text).toContain('name="password"');
  });

  test('A6: gives the account as a file, to its player alone', async () => {
    const { headers, text } = await visitor.open('/account/export');
    expect(headers.get('Content-Disposition')).toContain('attachment');
    expect(JSON.parse(text)).toMatchObject({ account: { email: DEMO_PLAYER.email } });
    expect((await new WebAppVisitor(service).open('/account/export')).status).toBe(401);
  });

  test('A6: deletes the account for its password only', async () => {
    expect((await visitor.submit('/account/delete', { password: 'wrong' })).status).toBe(401);
    expect((await visitor.submit('/account/delete', { password: DEMO_PLAYER.password })).status).toBe(200);
    expect((await new WebAppVisitor(service).signIn()).status).toBe(401);
  });

  test('A2: lists blocked games and lets them ask again', async () => {
    await caller.connect();
    const [id = ''] = await visitor.requestIds();
    await visitor.submit(`/requests/${id}/block`);
    expect((await visitor.open('/account')).text).toContain('Unblock: Rush Street');
    await visitor.submit('/account/blocked/app_rush_street/unblock');
    await caller.connect();
    expect(await visitor.requestIds()).toHaveLength(1);
  });
});

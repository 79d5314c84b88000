import { BINDING_CODE_ALPHABET, bindingCode } from '../../../demo/service/accounts/bindingCode.js';
import type { ConnectNotice } from '../../../demo/service/createApi.js';
import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { contractTimes } from '../../helpers/contractTimes.js';
import { until } from '../../helpers/until.js';
import { atOnce, ServiceCaller, tokens } from './ServiceCaller.js';
import { WebAppVisitor } from './WebAppVisitor.js';

const refusal = (error: string) => ({ status: 400, body: { error } });
/** No refusal: browsers print every 400 in the console. */
const undecided = (status: string) => ({ status: 200, body: { status } });

describe('connecting without a password', () => {
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

  const wait = (seconds: number) => service.clock.advance(seconds * 1000);

  test('a request says its times and its code, and waits', async () => {
    const { status, body } = await caller.post('/v1/bc-authorize', { login_hint: DEMO_PLAYER.email });
    expect(status).toBe(200);
    expect(body).toMatchObject({ expires_in: 300, interval: 5 });
    expect(await caller.poll(String(body['auth_req_id']))).toMatchObject(undecided('authorization_pending'));
  });

  test('confirmed by the player it gives the tokens of that player, once', async () => {
    const { authReqId } = await caller.connect();
    await visitor.decide('confirm');
    const session = tokens(await caller.poll(authReqId));
    expect(session.player.displayName).toBe(DEMO_PLAYER.displayName);
    expect((await caller.player(session.access_token)).status).toBe(200);
    expect((await caller.refresh(session.refresh_token)).status).toBe(200);
    expect(await caller.poll(authReqId)).toMatchObject(refusal('invalid_grant'));
  });

  test('confirmed, it answers the next poll even when that comes too soon', async () => {
    const { authReqId } = await caller.connect();
    await caller.poll(authReqId);
    await visitor.decide('confirm');
    tokens(await caller.poll(authReqId));
  });

  test('S3: the tokens are given again, for the grace the contract states, when their answer was lost', async () => {
    const { authReqId } = await caller.connect();
    await visitor.decide('confirm');
    tokens(await caller.poll(authReqId));
    wait(contractTimes().repeatGraceSeconds);
    const again = tokens(await caller.poll(authReqId));
    expect((await caller.player(again.access_token)).status).toBe(200);
    expect((await caller.refresh(again.refresh_token)).status).toBe(200);
    wait(1);
    expect(await caller.poll(authReqId)).toMatchObject(refusal('invalid_grant'));
  });

  test('S3: confirmed at the last moment it gives its tokens after its end too', async () => {
    const { authReqId } = await caller.connect();
    wait(299);
    await visitor.decide('confirm');
    wait(100);
    tokens(await caller.poll(authReqId));
  });

  test('S3: a session that was ended is not given again', async () => {
    const { authReqId } = await caller.connect();
    await visitor.decide('confirm');
    const { refresh_token } = tokens(await caller.poll(authReqId));
    await caller.post('/v1/revoke', { token: refresh_token });
    expect(await caller.poll(authReqId)).toMatchObject(refusal('invalid_grant'));
  });

  test('of ten polls at the same time after the confirmation, all speak for one session', async () => {
    const { authReqId } = await caller.connect();
    await visitor.decide('confirm');
    const answers = await atOnce(10, () => caller.poll(authReqId));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await caller.post('/v1/revoke', { token: answers[0]!.body['refresh_token'] });
    for (const { body } of answers) expect((await caller.player(String(body['access_token']))).status).toBe(401);
  });

  test('of two polls at the same time before the decision, one is told to slow down', async () => {
    const { authReqId } = await caller.connect();
    const answers = (await atOnce(2, () => caller.poll(authReqId))).map(({ body }) => body['status']);
    expect(answers.sort()).toEqual(['authorization_pending', 'slow_down']);
  });

  test('denied by the player it is refused with access_denied', async () => {
    const { authReqId } = await caller.connect();
    await visitor.decide('deny');
    expect(await caller.poll(authReqId)).toMatchObject(refusal('access_denied'));
    wait(400);
    expect(await caller.poll(authReqId)).toMatchObject(refusal('access_denied'));
  });

  test('not decided within 300 s it expires, and cannot be confirmed any more', async () => {
    const { authReqId, code } = await caller.connect();
    const [id = ''] = await visitor.requestIds();
    wait(299);
    expect(await caller.poll(authReqId)).toMatchObject(undecided('authorization_pending'));
    wait(2);
    expect(await caller.poll(authReqId)).toMatchObject(refusal('expired_token'));
    expect(await visitor.requestIds()).toEqual([]);
    expect((await visitor.pick(id, code)).status).toBe(404);
    expect(await caller.poll(authReqId)).toMatchObject(refusal('expired_token'));
  });

  test('polled too soon it answers slow_down, and each time wants 5 s more between polls', async () => {
    const { authReqId } = await caller.connect();
    const poll = async () => (await caller.poll(authReqId)).body['status'];
    expect(await poll()).toBe('authorization_pending');
    wait(3);
    expect(await poll()).toBe('slow_down');
    wait(6);
    expect(await poll()).toBe('slow_down');
    wait(14);
    expect(await poll()).toBe('slow_down');
    wait(20);
    expect(await poll()).toBe('authorization_pending');
    wait(20);
    expect(await poll()).toBe('authorization_pending');
  });

  test('polled at its interval it never answers slow_down, a timer that is half a second early included', async () => {
    const { authReqId } = await caller.connect();
    for (let poll = 0; poll < 20; poll += 1) {
      expect(await caller.poll(authReqId)).toMatchObject(undecided('authorization_pending'));
      wait(4.6);
    }
  });

  test('cancelled by the game it is gone from the web app and gives no tokens, even when confirmed before', async () => {
    const first = await caller.connect();
    await caller.post('/v1/bc-cancel', { auth_req_id: first.authReqId });
    expect(await visitor.requestIds()).toEqual([]);
    const second = await caller.connect();
    await visitor.decide('confirm');
    await caller.post('/v1/bc-cancel', { auth_req_id: second.authReqId });
    for (const { authReqId } of [first, second]) {
      expect(await caller.poll(authReqId)).toMatchObject(refusal('invalid_grant'));
    }
    expect((await caller.post('/v1/bc-cancel', { auth_req_id: 'unknown' })).status).toBe(200);
  });

  /** Registers another application, and gives what proves it. */
  const registerOther = async () => {
    await service.db.run(
      `INSERT INTO applications VALUES ('app_other', 'Other', 'other-key', 'other-private', '["loopback"]')`,
    );
    return { 'Api-Key': 'other-key', 'Private-Key': 'other-private' };
  };

  /** Another player, with the password of the first. */
  const registerBob = async () => {
    const { password_hash } = (await service.db.first<{ password_hash: string }>('SELECT * FROM players')) ?? {};
    await service.db.run(`INSERT INTO players VALUES ('player_bob', 'bob@example.com', 'Bob', ?)`, password_hash ?? '');
  };

  test('a request of another application, or an invented one, is refused with invalid_grant', async () => {
    const credential = await registerOther();
    const { authReqId } = await caller.connect();
    const body = { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: authReqId };
    expect(await caller.post('/v1/token', body, { credential })).toMatchObject(refusal('invalid_grant'));
    expect(await caller.poll('arq_invented')).toMatchObject(refusal('invalid_grant'));
  });

  test.each([
    ['confirm', 'deny'],
    ['deny', 'confirm'],
  ] as const)('a form sent twice, by a double click say, decides once: %s', async (verb, other) => {
    const { authReqId, code } = await caller.connect();
    const [id = ''] = await visitor.requestIds();
    const twice = await Promise.all([1, 2].map(() => visitor.submit(`/requests/${id}/${verb}`, { code })));
    expect(twice.map(({ status }) => status)).toEqual([303, 303]);
    const { status, body } = await caller.poll(authReqId);
    expect([status, body['error']]).toEqual(verb === 'confirm' ? [200, undefined] : [400, 'access_denied']);
    expect((await visitor.submit(`/requests/${id}/${verb}`, { code })).status).toBe(303);
    expect((await visitor.submit(`/requests/${id}/${other}`, { code })).status).toBe(404);
    wait(contractTimes().repeatGraceSeconds + 1);
    expect((await caller.poll(authReqId)).status).toBe(400);
  });

  test('only the player it is for can decide', async () => {
    const { authReqId, code } = await caller.connect();
    const [id = ''] = await visitor.requestIds();
    await registerBob();
    const bob = new WebAppVisitor(service);
    await bob.signIn('bob@example.com');
    expect(await bob.requestIds()).toEqual([]);
    expect((await bob.pick(id, code)).status).toBe(404);
    expect(await caller.poll(authReqId)).toMatchObject(undecided('authorization_pending'));
  });

  test('a request goes its own way, whatever becomes of those of other players and other games', async () => {
    const credential = await registerOther();
    await registerBob();
    const bob = new WebAppVisitor(service);
    await bob.signIn('bob@example.com');
    const { authReqId, code } = await caller.connect();
    wait(1);
    await caller.post('/v1/bc-authorize', { login_hint: DEMO_PLAYER.email }, { credential });
    const bobs = await caller.connect('bob@example.com');
    const [ownId = '', idElsewhere] = await visitor.requestIds();
    expect(await visitor.requestIds()).toEqual([ownId, idElsewhere]);
    const [bobsId] = await bob.requestIds();
    expect(await bob.requestIds()).toEqual([bobsId]);
    expect(new Set([ownId, idElsewhere, bobsId, undefined]).size).toBe(4);

    await caller.poll(authReqId);
    expect(await caller.poll(bobs.authReqId)).toMatchObject(undecided('authorization_pending'));
    await caller.post('/v1/bc-cancel', { auth_req_id: authReqId }, { credential });
    await visitor.pick(ownId, code);
    tokens(await caller.poll(authReqId));
    expect(await visitor.requestIds()).toEqual([idElsewhere]);
    wait(5);
    expect(await caller.poll(bobs.authReqId)).toMatchObject(undecided('authorization_pending'));
    await caller.post('/v1/bc-cancel', { auth_req_id: bobs.authReqId });
    expect(await bob.requestIds()).toEqual([]);
    expect(await visitor.requestIds()).toEqual([idElsewhere]);
    // A new request takes the place of one that waits, not of one that was answered and whose tokens may have been lost.
    await caller.connect();
    expect((await caller.player(tokens(await caller.poll(authReqId)).access_token)).status).toBe(200);
  });

  test('the player’s other channel is told of a request, but never for an e-mail nobody has', async () => {
    await caller.connect('nobody@example.com');
    const { code } = await caller.connect();
    await until(() => notices.length > 0);
    expect(notices).toEqual([
      expect.objectContaining({ displayName: DEMO_PLAYER.displayName, applicationName: DEMO_APPLICATION.name }),
    ]);
    // The code is to be read in the game.
    expect(JSON.stringify(notices)).not.toContain(code);
  });

  describe('for an e-mail nobody has', () => {
    test('all answers of a request’s life are the same as for a known one', async () => {
      const life = async (email: string) => {
        const { status, body } = await caller.post('/v1/bc-authorize', { login_hint: email });
        const seen: unknown[] = [status, Object.keys(body), body['expires_in'], body['interval']];
        seen.push(String(body['auth_req_id']).length, String(body['binding_message']).length);
        for (const seconds of [0, 1, 20, 300]) {
          wait(seconds);
          const answer = await caller.poll(String(body['auth_req_id']));
          seen.push(answer.status, answer.body['status'], answer.body['error'], answer.body['error_description']);
        }
        return seen;
      };
      expect(await life('nobody@example.com')).toEqual(await life(DEMO_PLAYER.email));
    });

    test('the answer takes as long as for a known one', async () => {
      const unlimited = { limit: 1e6, windowMs: 1 };
      const measured = await startService({ limits: { connectPerEmail: unlimited, connectPerAddress: unlimited } });
      const other = new ServiceCaller(measured);
      const timed = async (email: string) => {
        const start = performance.now();
        await other.connect(email);
        return performance.now() - start;
      };
      // In pairs and taking turns: what slows the machine down slows both halves of a pair.
      const ratios: number[] = [];
      for (let round = 0; round < 40; round += 1) {
        const known = await timed(DEMO_PLAYER.email);
        const unknown = await timed('nobody@example.com');
        ratios.push(known / unknown, known / (await timed('nobody@example.com')));
        ratios.push((await timed(DEMO_PLAYER.email)) / unknown);
      }
      await measured.close();
      const median = ratios.sort((a, b) => a - b)[ratios.length >> 1];
      expect(median).toBeGreaterThan(0.5);
      expect(median).toBeLessThan(2);
    });
  });

  test('the eleventh request for one e-mail is refused with 429 and Retry-After, known or not', async () => {
    for (const email of [DEMO_PLAYER.email, 'nobody@example.com']) {
      for (let request = 0; request < 10; request += 1) await caller.connect(email);
      const answer = await caller.post('/v1/bc-authorize', { login_hint: email });
      expect(answer).toMatchObject({ status: 429, body: { error: 'too_many_requests' } });
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    wait(61);
    await caller.connect();
  });

  test('one address asking for many e-mails is refused with 429', async () => {
    for (let request = 0; request < 60; request += 1) await caller.connect(`player${String(request)}@example.com`);
    const answer = await caller.post('/v1/bc-authorize', { login_hint: DEMO_PLAYER.email });
    expect(answer).toMatchObject({ status: 429, body: { error: 'too_many_requests' } });
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('the times can be chosen', async () => {
    const quick = await startService({ connect: { intervalSeconds: 2, expiresInSeconds: 30 } });
    const { body } = await new ServiceCaller(quick).post('/v1/bc-authorize', { login_hint: DEMO_PLAYER.email });
    await quick.close();
    expect(body).toMatchObject({ interval: 2, expires_in: 30 });
  });
});

describe('binding codes', () => {
  test('have four characters that cannot be mistaken for each other, all about equally often', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 6000; round += 1) {
      const code = bindingCode((size) =>
        Buffer.from(Array.from({ length: size }, () => Math.floor(Math.random() * 256))),
      );
      expect(code).toHaveLength(4);
      for (const character of code) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join('')).toBe(Array.from(BINDING_CODE_ALPHABET).sort().join(''));
    for (const lookalike of '01258BGILOSZ') expect(BINDING_CODE_ALPHABET).not.toContain(lookalike);
    // 1000 expected for each; 5 standard deviations are about 155.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200);
  });
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('no mail server');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no mail server'))],
])(
  'a connect request is in the web app, and the service goes on, when what should tell of it %s',
  async (_how, fail) => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const notify = jest.fn(fail);
    const lines: string[] = [];
    const service = await startService({ notify, log: (line) => lines.push(line) });
    const visitor = new WebAppVisitor(service);
    await visitor.signIn();
    const { authReqId } = await new ServiceCaller(service).connect();
    await until(() => notify.mock.calls.length > 0);
    await visitor.decide('confirm');
    tokens(await new ServiceCaller(service).poll(authReqId));
    process.off('unhandledRejection', unhandled);
    await service.close();
    expect(unhandled).not.toHaveBeenCalled();
    const told = lines.filter((line) => line.startsWith('notify '));
    expect(told).toEqual([expect.stringContaining('unexpected Error')]);
    // Its message may quote whom it was to reach.
    expect(told[0]).not.toContain('mail');
  },
);

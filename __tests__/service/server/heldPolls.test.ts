import { AccountSessions } from '../../../demo/service/accounts/AccountSessions.js';
import { HeldPolls } from '../../../demo/service/accounts/HeldPolls.js';
import { PlayerNotices } from '../../../demo/service/accounts/PlayerNotices.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { until } from '../../helpers/until.js';
import { CIBA, ServiceCaller, sign, tokens } from './ServiceCaller.js';
import { WebAppVisitor } from './WebAppVisitor.js';

const PENDING = { status: 200, body: { status: 'authorization_pending' } };

describe('A4: a poll that is held', () => {
  let service: RunningService;
  let caller: ServiceCaller;
  let visitor: WebAppVisitor;

  beforeEach(async () => {
    service = await startService();
    caller = new ServiceCaller(service);
    visitor = new WebAppVisitor(service);
  });
  afterEach(() => service.close());

  const poll = (authReqId: string, wait: number) =>
    caller.post('/v1/token', { grant_type: CIBA, auth_req_id: authReqId, wait });

  test.each(['confirm', 'deny'] as const)(
    'A4: is answered as the player decides to %s, and not before',
    async (decision) => {
      const { authReqId } = await caller.connect();
      await visitor.signIn();
      let isAnswered = false;
      const held = poll(authReqId, 25).finally(() => (isAnswered = true));
      await visitor.requestIds();
      expect(isAnswered).toBe(false);
      const decided = await visitor.decide(decision);
      expect(decided.status).toBe(303);
      const answer = await held;
      if (decision === 'confirm') expect(tokens(answer).player.displayName).toBe('Ada');
      else expect(answer).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    },
  );

  test('A4: is answered “pending” when its time is over; the next may follow at once, one too soon is told off', async () => {
    const { authReqId } = await caller.connect();
    expect(await poll(authReqId, 1)).toMatchObject(PENDING);
    expect(await poll(authReqId, 1)).toMatchObject({ status: 200, body: { status: 'slow_down' } });
    service.clock.advance(25_000);
    expect(await poll(authReqId, 1)).toMatchObject(PENDING);
  });

  test('A4: for an e-mail nobody has is held just the same', async () => {
    const { authReqId } = await caller.connect('nobody@example.com');
    let isAnswered = false;
    const held = poll(authReqId, 1).finally(() => (isAnswered = true));
    await caller.get('/v1/ad-surfaces');
    expect(isAnswered).toBe(false);
    expect(await held).toMatchObject(PENDING);
  });

  test('A4: makes room for a newer one of the same request', async () => {
    const { authReqId } = await caller.connect();
    const older = poll(authReqId, 25);
    await visitor.signIn();
    service.clock.advance(6_000);
    const newer = poll(authReqId, 25);
    expect(await older).toMatchObject(PENDING);
    await visitor.decide('confirm');
    tokens(await newer);
  });

  test('A4: brings no tokens of its own once another poll has brought them: those are the session’s', async () => {
    const { authReqId } = await caller.connect();
    const older = poll(authReqId, 25);
    await until(() => service.heldPolls.size === 1);
    // Decided at another copy of the service, which the game's newer poll comes to as well.
    await service.db.run(`UPDATE connect_requests SET state = 'confirmed'`);
    const { refresh_token } = tokens(await caller.poll(authReqId));
    const late = await older;
    service.clock.advance(300_000);
    expect((await caller.refresh(refresh_token)).status).toBe(200);
    expect(late).toMatchObject(PENDING);
  });

  test('A4: longer than the contract says is refused', async () => {
    const { authReqId } = await caller.connect();
    for (const wait of [0, 26, 1.5]) expect((await poll(authReqId, wait)).status).toBe(400);
  });

  test('A4: a game that withdraws while its tokens are on their way leaves no session', async () => {
    const { authReqId } = await caller.connect();
    await visitor.signIn();
    await visitor.decide('confirm');
    const { access_token, player } = tokens(await caller.poll(authReqId));
    await caller.post('/v1/bc-cancel', { auth_req_id: authReqId });
    expect((await caller.player(access_token)).status).toBe(401);
    const games = (await new AccountSessions(service.db, service.clock.now).list(player.playerId)).filter(
      ({ kind }) => kind === 'game',
    );
    expect(games).toEqual([]);
  });

  test('A4: whoever hangs up is held no longer, and the service stops without waiting for those it holds', async () => {
    const { authReqId } = await caller.connect();
    const body = JSON.stringify({ grant_type: CIBA, auth_req_id: authReqId, wait: 25 });
    const abort = new AbortController();
    const created = Math.floor(service.clock.now() / 1000);
    const hungUp = fetch(`${service.baseUrl}/v1/token`, {
      method: 'POST',
      body,
      signal: abort.signal,
      headers: {
        'Content-Type': 'application/json',
        ...sign({ method: 'POST', target: '/api/v1/token', body, created }),
      },
    });
    await until(() => service.heldPolls.size === 1);
    abort.abort();
    await expect(hungUp).rejects.toThrow();
    await until(() => service.heldPolls.size === 0);
  });
});

describe('A4: the polls that are held', () => {
  const ask = (key: string, caller: string, isOpen = (): Promise<boolean> => Promise.resolve(true)) => ({
    key,
    caller,
    channel: undefined,
    seconds: 60,
    isOpen,
    whenGone: (callback: () => void) => void gone.push(callback),
  });
  let gone: (() => void)[];
  beforeEach(() => (gone = []));

  test('A4: are limited per caller and in all; beyond, an answer comes at once', async () => {
    const polls = new HeldPolls(new PlayerNotices(), { perCaller: 2, total: 3 });
    const held = [polls.hold(ask('1', 'a')), polls.hold(ask('2', 'a'))];
    expect(await polls.hold(ask('3', 'a'))).toBe(false);
    held.push(polls.hold(ask('4', 'b')));
    expect(await polls.hold(ask('5', 'c'))).toBe(false);
    expect(polls.size).toBe(3);
    for (const hangUp of gone) hangUp();
    expect(await Promise.all(held)).toEqual([false, false, false]);
    expect(polls.size).toBe(0);
  });

  test('A4: give their place to a newer poll of the same request, also where no other is free', async () => {
    const polls = new HeldPolls(new PlayerNotices(), { perCaller: 1, total: 1 });
    let isDecided = false;
    const held = [0, 1, 2].map(() => polls.hold(ask('1', 'a', () => Promise.resolve(!isDecided))));
    expect(await Promise.all(held.slice(0, 2))).toEqual([false, false]);
    expect(polls.size).toBe(1);
    isDecided = true;
    expect(await held[2]).toBe(true);
    expect(polls.size).toBe(0);
    const next = polls.hold(ask('2', 'a'));
    for (const hangUp of gone) hangUp();
    expect(await next).toBe(false);
  });

  test('A4: end as the decision is there, also one another copy of the service took, or a fault', async () => {
    const polls = new HeldPolls(new PlayerNotices());
    let isDecided = false;
    const held = polls.hold(ask('1', 'a', () => Promise.resolve(!isDecided)));
    isDecided = true;
    expect(await held).toBe(true);
    await expect(polls.hold(ask('2', 'a', () => Promise.reject(new Error('down'))))).rejects.toThrow('down');
    expect(polls.size).toBe(0);
  });
});

import { createHash, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { AccountData } from '../../../demo/service/accounts/AccountData.js';
import { AccountSessions } from '../../../demo/service/accounts/AccountSessions.js';
import { ConnectRequests, DEFAULT_CONNECT_TIMES } from '../../../demo/service/accounts/ConnectRequests.js';
import { Passkeys } from '../../../demo/service/accounts/Passkeys.js';
import { PlayerSessions, type SessionTokens } from '../../../demo/service/accounts/PlayerSessions.js';
import { Players } from '../../../demo/service/accounts/Players.js';
import { PopupSignIns } from '../../../demo/service/accounts/PopupSignIns.js';
import type { Database } from '../../../demo/service/database/Database.js';
import { openEmbeddedDatabase } from '../../../demo/service/database/openEmbeddedDatabase.js';
import { ServiceError } from '../../../demo/service/http/ServiceError.js';
import { DEMO_APPLICATION, seedDemo } from '../../../demo/service/seedDemo.js';
import { contractTimes } from '../../helpers/contractTimes.js';

/*
 * Random lives of an account, as its player and its game lead them, against the table below: requests by e-mail and by
 * popup, with tokens bound to a key and without, and all the ways to end them. Plain calls on a database in memory; the
 * table is written from the promised behaviour and shares no code with the service.
 */

const LIVES = process.env['DEEP'] ? 100_000 : 10_000;
const APP = DEMO_APPLICATION.applicationId;
const CHEAP = { cost: 2, parallelization: 1 };
const REQUEST_MS = 300_000;
const ACCESS_MS = 600_000;
const GRACE_MS = contractTimes().repeatGraceSeconds * 1000;

type Key = string | undefined;

interface Session {
  readonly id: string;
  key: Key;
  isAlive: boolean;
  isRenewed: boolean;
  newest: SessionTokens;
  issuedAt: number;
}

interface Request {
  readonly id: string;
  readonly authReqId: string;
  readonly bindingCode: string;
  readonly key: Key;
  readonly verifier: string | undefined;
  readonly popupId: string | undefined;
  readonly endsAt: number;
  isPolled: boolean;
  state: 'pending' | 'confirmed' | 'denied' | 'cancelled' | 'redeemed';
  code: string | undefined;
  /** False from when something has made it worthless for good. */
  isCodeGood: boolean;
  codeEndsAt: number;
  session: Session | undefined;
  redeemedAt: number;
}

const MOVES = [
  'ask',
  'ask in a popup',
  'pick',
  'pick wrong',
  'deny',
  'approve',
  'refuse',
  'poll',
  'poll',
  'exchange',
  'exchange',
  'exchange with another secret',
  'refresh',
  'refresh',
  'withdraw',
  'sign out',
  'end one',
  'disconnect',
  'log out everywhere',
  'delete',
  'wait',
] as const;
type Move = (typeof MOVES)[number];
/** What the web app takes from somebody who is signed in only. */
const BY_PLAYER: ReadonlySet<Move> = new Set(['pick', 'pick wrong', 'deny', 'approve', 'end one', 'disconnect', 'log out everywhere', 'delete']); // prettier-ignore

let database: Database;
let now = 1_700_000_000_000;
const clock = () => now;

const parts = () => {
  const sessions = new PlayerSessions(database, clock, randomBytes);
  const accountSessions = new AccountSessions(database, clock);
  return {
    sessions,
    accountSessions,
    requests: new ConnectRequests(database, sessions, clock, randomBytes, DEFAULT_CONNECT_TIMES),
    popups: new PopupSignIns(database, sessions, clock, randomBytes),
    data: new AccountData(database, accountSessions, new Passkeys(database, clock, randomBytes), clock),
    players: new Players(database, randomBytes, CHEAP),
  };
};

class Life {
  readonly requests: Request[] = [];
  readonly sessions: Session[] = [];
  readonly outcomes: string[] = [];
  isDeleted = false;

  constructor(
    readonly service: ReturnType<typeof parts>,
    readonly playerId: string,
    readonly email: string,
  ) {}

  async move(move: Move, draw: number, key: Key): Promise<void> {
    const request = this.requests[draw % Math.max(1, this.requests.length)];
    const session = this.sessions[draw % Math.max(1, this.sessions.length)];
    const isOpen = request?.state === 'pending' && now < request.endsAt;
    const { service, playerId } = this;
    if (this.isDeleted && BY_PLAYER.has(move)) return;
    switch (move) {
      case 'ask':
      case 'ask in a popup':
        return this.ask(move === 'ask in a popup', key);
      case 'pick':
      case 'pick wrong':
        if (request === undefined) return;
        await service.requests.pick(playerId, request.id, move === 'pick' ? request.bindingCode : '????');
        if (isOpen) request.state = move === 'pick' ? 'confirmed' : 'denied';
        return;
      case 'deny':
        if (request !== undefined) await service.requests.deny(playerId, request.id);
        if (isOpen) request.state = 'denied';
        return;
      case 'approve':
        return request === undefined ? undefined : this.approve(request, isOpen);
      case 'refuse':
        if (request?.popupId === undefined) return;
        await service.popups.refuse(request.popupId);
        if (isOpen && !request.isPolled) request.state = 'denied';
        return;
      case 'poll':
        return (
          request &&
          this.compare(move, this.polled(request, key), request, key, () =>
            service.requests.poll(APP, request.authReqId, 'A browser', key),
          )
        );
      case 'exchange':
        return request?.code === undefined ? undefined : this.exchange(request, request.verifier!, key);
      case 'exchange with another secret':
        return request?.code === undefined ? undefined : this.exchange(request, 'x'.repeat(43), key);
      case 'refresh':
        return session && this.refresh(session, key);
      case 'withdraw':
        return request && this.withdraw(request);
      case 'sign out':
        if (session === undefined) return;
        await service.sessions.revoke(APP, session.newest.refreshToken);
        session.isAlive = false;
        return;
      case 'end one':
        if (session !== undefined) await service.accountSessions.end(playerId, session.id);
        if (session !== undefined) session.isAlive = false;
        return;
      case 'disconnect':
        await service.sessions.revokeAll(APP, playerId);
        this.endAll(['confirmed']);
        return;
      case 'log out everywhere':
        await service.accountSessions.endAll(playerId);
        this.endAll(['pending', 'confirmed']);
        return;
      case 'delete':
        // One life in some: there is little to tell afterwards.
        if (draw % 4 > 0) return;
        await service.data.delete(playerId);
        this.isDeleted = true;
        this.endAll(['confirmed']);
        return;
      case 'wait':
        now += [1_000, 60_000, REQUEST_MS, GRACE_MS + 1][draw % 4]!;
    }
  }

  /** The tokens of sessions open what they should, with their key and no other. */
  async check(sessions: readonly Session[]): Promise<void> {
    for (const session of sessions) {
      const isOpen = session.isAlive && now < session.issuedAt + ACCESS_MS;
      for (const key of [undefined, 'key a', 'key b']) {
        const opened = await this.service.sessions
          .playerOf(APP, session.newest.accessToken, key)
          .catch(() => undefined);
        if ((opened !== undefined) !== (isOpen && key === session.key)) {
          throw new Error(
            `A session of ${String(session.key)} that is ${isOpen ? '' : 'not '}open, with ${String(key)}`,
          );
        }
      }
    }
  }

  private async ask(inPopup: boolean, key: Key): Promise<void> {
    const asker = { email: this.email, device: 'A browser', address: '127.0.0.1' };
    const started = await this.service.requests.start(APP, this.isDeleted ? undefined : this.playerId, asker);
    for (const request of this.requests) if (request.state === 'pending') request.state = 'cancelled';
    const verifier = inPopup ? randomBytes(32).toString('base64url') : undefined;
    let popupId: string | undefined;
    if (verifier !== undefined) {
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      popupId = await this.service.popups.offer(started.connectRequestId, {
        challenge,
        state: 's',
        origin: 'https://game.example',
      });
    }
    if (key !== undefined) await this.service.requests.bind(started.connectRequestId, key);
    this.requests.push({
      id: started.connectRequestId,
      authReqId: started.authReqId,
      bindingCode: started.bindingCode,
      key,
      verifier,
      popupId,
      endsAt: now + REQUEST_MS,
      isPolled: false,
      state: 'pending',
      code: undefined,
      isCodeGood: false,
      codeEndsAt: 0,
      session: undefined,
      redeemedAt: 0,
    });
  }

  private async approve(request: Request, isOpen: boolean): Promise<void> {
    if (request.popupId === undefined) return;
    const answer = await this.service.popups.approve(request.popupId, this.playerId);
    const isGiven = isOpen && !request.isPolled;
    if (isGiven !== (answer !== undefined)) throw new Error(`approve of ${request.state}: ${JSON.stringify(answer)}`);
    if (answer === undefined) return;
    if ('code' in answer.message) request.code = answer.message.code;
    request.isCodeGood = true;
    request.codeEndsAt = now + GRACE_MS;
  }

  private polled(request: Request, key: Key): string {
    if (request.state === 'cancelled') return 'invalid_grant';
    if (request.key !== undefined && request.key !== key) {
      return key === undefined ? 'invalid_dpop_proof' : 'invalid_grant';
    }
    if (request.state === 'denied') return 'access_denied';
    if (request.state === 'redeemed') return this.again(request, key);
    if (now >= request.endsAt + (request.state === 'confirmed' ? GRACE_MS : 0)) return 'expired_token';
    if (request.state === 'confirmed') return 'tokens';
    request.isPolled = true;
    return 'undecided';
  }

  private again({ session, redeemedAt }: Request, key: Key): string {
    const isGiven = session?.isAlive && !session.isRenewed && session.key === key && now <= redeemedAt + GRACE_MS;
    return isGiven ? 'tokens' : 'invalid_grant';
  }

  private exchange(request: Request, verifier: string, key: Key): Promise<void> {
    const { code, state } = request;
    let expected = 'invalid_grant';
    if (verifier !== request.verifier) request.isCodeGood = false;
    if (request.isCodeGood && (request.key === undefined || request.key === key)) {
      if (state === 'redeemed') expected = this.again(request, key);
      else if (state !== 'denied' && now < request.codeEndsAt) expected = 'tokens';
    }
    return this.compare('exchange', expected, request, key, () =>
      this.service.popups.exchange(APP, code!, verifier, 'A browser', key),
    );
  }

  private async refresh(session: Session, key: Key): Promise<void> {
    const { key: bound, isAlive } = session;
    const expected = !isAlive || (bound !== undefined && key !== undefined && bound !== key) ? 'invalid_grant' : bound !== undefined && key === undefined ? 'invalid_dpop_proof' : 'tokens'; // prettier-ignore
    const tokens = await this.outcome('refresh', expected, () =>
      this.service.sessions.refresh(APP, session.newest.refreshToken, key),
    );
    if (tokens === undefined) return;
    Object.assign(session, { newest: tokens, issuedAt: now, isRenewed: true, key: bound ?? key });
  }

  private async withdraw(request: Request): Promise<void> {
    await this.service.requests.cancel(APP, request.authReqId);
    if (request.state === 'redeemed' && request.session?.isRenewed === false) request.session.isAlive = false;
    if (request.state !== 'denied') request.state = 'cancelled';
    request.isCodeGood = false;
  }

  private endAll(states: readonly Request['state'][]): void {
    for (const session of this.sessions) session.isAlive = false;
    for (const request of this.requests) {
      request.isCodeGood = false;
      if (states.includes(request.state)) request.state = 'denied';
    }
  }

  private async compare(
    what: Move,
    expected: string,
    request: Request,
    key: Key,
    call: () => Promise<SessionTokens | string>,
  ): Promise<void> {
    const tokens = await this.outcome(what, expected, call);
    if (tokens === undefined) return;
    if (request.session === undefined) {
      const id = tokens.playerSessionId;
      request.session = { id, key, isAlive: true, isRenewed: false, newest: tokens, issuedAt: now };
      this.sessions.push(request.session);
      Object.assign(request, { state: 'redeemed', redeemedAt: now });
    }
    Object.assign(request.session, { newest: tokens, issuedAt: now });
  }

  private async outcome(
    what: Move,
    expected: string,
    call: () => Promise<SessionTokens | string>,
  ): Promise<SessionTokens | undefined> {
    const answer = await call().catch((error: unknown) => {
      if (error instanceof ServiceError) return error;
      throw error;
    });
    const told = answer instanceof ServiceError ? answer.code : typeof answer === 'string' ? 'undecided' : 'tokens';
    if (told !== expected) throw new Error(`${what}: ${told}, the table says ${expected}`);
    this.outcomes.push(`${what}: ${told}`);
    return typeof answer === 'object' && !(answer instanceof ServiceError) ? answer : undefined;
  }
}

describe(`${LIVES.toLocaleString('en')} random lives of an account`, () => {
  beforeAll(async () => {
    database = openEmbeddedDatabase(':memory:');
    await seedDemo(database, randomBytes, CHEAP);
  });
  afterAll(() => database.close());

  const step = fc.tuple(
    fc.constantFrom(...MOVES),
    fc.nat(999),
    fc.constantFrom(undefined, undefined, 'key a', 'key b'),
  );

  /** An account that is deleted takes no popup with it: that can be declined still. */
  const agreedDeletedDeclined = (['ask in a popup', 'approve', 'delete', 'refuse', 'poll'] as const).map(
    (move): [Move, number, Key] => [move, 0, undefined],
  );

  test('A3 A5 A6: follow the table, whatever comes first: nothing that was ended gives or opens anything', async () => {
    const service = parts();
    const seen = new Set<string>();
    let lives = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }), async (steps) => {
        const email = `player-${String((lives += 1))}@example.com`;
        const { playerId } = await service.players.create(email, 'secret', 'Ada');
        const life = new Life(service, playerId, email);
        for (const [move, draw, key] of steps) {
          await life.move(move, draw, key);
          if (life.sessions.length > 0) await life.check([life.sessions[draw % life.sessions.length]!]);
        }
        await life.check(life.sessions);
        for (const outcome of life.outcomes) seen.add(outcome);
        await service.data.delete(playerId);
        await database.run('DELETE FROM connect_requests');
      }),
      { numRuns: LIVES, examples: [[agreedDeletedDeclined]] },
    );
    expect([...seen]).toEqual(
      expect.arrayContaining([
        ...['tokens', 'undecided', 'access_denied', 'expired_token', 'invalid_grant', 'invalid_dpop_proof'].map((told) => `poll: ${told}`), // prettier-ignore
        ...['tokens', 'invalid_grant'].map((told) => `exchange: ${told}`),
        ...['tokens', 'invalid_grant', 'invalid_dpop_proof'].map((told) => `refresh: ${told}`),
      ]),
    );
  }, 1_200_000);
});

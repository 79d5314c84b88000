import { AdsError } from '../../../src/errors.js';
import type { ConnectRequest } from '../../../src/service/decode.js';
import { type PlainSessionCalls, type PopupChallenge, PopupSignIn } from '../../../src/service/PopupSignIn.js';
import { FakePopup, FakeWorld } from './FakeWorld.js';

const POPUP_URL = 'https://accounts.example/app/popup/connect_1';
const GRANT = { player: { playerId: 'p', displayName: 'Ada' } } as never;

let world: FakeWorld;
let popup: FakePopup;
let offered: (PopupChallenge | null)[];
let exchanged: [code: string, verifier: string][];
let polls: number;
let polled: unknown[];
let popupUrl: string;
let exchangeAnswers: (() => Promise<never>)[];
let connectAnswers: Promise<void>[];

beforeEach(() => {
  world = new FakeWorld();
  popup = new FakePopup();
  world.popup = popup;
  [offered, exchanged, exchangeAnswers, connectAnswers, polls, popupUrl] = [[], [], [], [], 0, POPUP_URL];
});

function start(): PopupSignIn {
  const plain: Partial<PlainSessionCalls> = {
    connect: async (_, challenge) => {
      const requestId = `arq_${String(offered.push(challenge))}`;
      await connectAnswers.shift();
      return { requestId, expiresInMs: 300_000, popupUrl } as ConnectRequest;
    },
    poll: (...asked) => {
      polls++;
      polled = asked;
      return Promise.resolve({ verdict: 'authorization_pending' as const });
    },
    exchange: (code, verifier) => {
      exchanged.push([code, verifier]);
      return exchangeAnswers.shift()?.() ?? Promise.resolve(GRANT);
    },
    cancel: () => Promise.resolve(),
  };
  return new PopupSignIn(plain as PlainSessionCalls, world);
}

const poll = (signIn: PopupSignIn, signal = new AbortController().signal) => signIn.calls.poll('arq_1', 20_000, signal);
const challengeOf = async (verifier: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString('base64url');

test('A3: the code that the popup tells is exchanged with the secret of the challenge, and everything is given back', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  expect(popup.url).toBe(POPUP_URL);
  expect([...popup.listeners.values()]).toEqual(['https://accounts.example']);
  const answer = poll(signIn);
  popup.say({ state: offered[0]!.state, code: 'code_1' });
  expect(await answer).toEqual({ grant: GRANT });
  expect(exchanged[0]![0]).toBe('code_1');
  expect(await challengeOf(exchanged[0]![1])).toBe(offered[0]!.challenge);
  // 256 and 128 random bits.
  expect([exchanged[0]![1].length, offered[0]!.state.length]).toEqual([43, 22]);
  expect([popup.isClosed, popup.listeners.size, polls]).toEqual([true, 0, 0]);
});

test.each([
  ['no object', 'code_1'],
  ['null', null],
  ['another state', { state: 'x'.repeat(22), code: 'code_1' }],
  ['no state', { code: 'code_1' }],
])('A3: a message with %s is no answer', async (_, message) => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  popup.say(message);
  popup.say({ state: offered[0]!.state, code: 'with blanks' });
  popup.say({ state: offered[0]!.state, code: 7 });
  popup.say({ state: offered[0]!.state, error: 'access_denied' });
  expect(await poll(signIn)).toEqual({ verdict: 'access_denied' });
  expect(exchanged).toEqual([]);
});

test('A3: an exchange that does not get through is made again with the same code', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  popup.say({ state: offered[0]!.state, code: 'code_1' });
  exchangeAnswers.push(() => Promise.reject(new Error('lost')));
  await expect(poll(signIn)).rejects.toThrow('lost');
  expect(await poll(signIn)).toEqual({ grant: GRANT });
  expect(exchanged[1]).toEqual(exchanged[0]);
});

test('A3: a blocked popup, or a service without one, leaves the request as it is by e-mail', async () => {
  world.popup = null;
  const blocked = start();
  await blocked.calls.connect('ada@example.com', true);
  expect(offered).toEqual([null]);
  await poll(blocked);
  world.popup = popup;
  popupUrl = '';
  const without = start();
  await without.calls.connect('ada@example.com', true);
  expect(popup.isClosed).toBe(true);
  await poll(without);
  expect(polls).toBe(2);
});

test('A3: without being asked to, a connect opens no popup and offers none', async () => {
  const openPopup = jest.spyOn(world, 'openPopup');
  await start().calls.connect('ada@example.com', false);
  expect([openPopup.mock.calls.length, offered]).toEqual([0, [null]]);
});

test('A3: a popup that is closed without an answer goes on by e-mail', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  const { signal } = new AbortController();
  const answer = poll(signIn, signal);
  popup.isClosed = true;
  await world.advance(2_000);
  expect(await answer).toEqual({ verdict: 'authorization_pending' });
  // As a poll that may be held, and is ended when nobody waits for it.
  expect(polled).toEqual(['arq_1', 20_000, signal]);
  expect([polls, popup.listeners.size]).toEqual([1, 0]);
});

test('A3: the last message of a popup may arrive a moment after the popup has closed', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  const answer = poll(signIn);
  popup.isClosed = true;
  await world.advance(600);
  popup.say({ state: offered[0]!.state, code: 'code_1' });
  expect(await answer).toEqual({ grant: GRANT });
});

test('A3: a code that the service refuses is not told again, its popup closes, and the request goes on by e-mail', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  popup.say({ state: offered[0]!.state, code: 'code_1' });
  exchangeAnswers.push(() => Promise.resolve('refused' as never));
  for (let i = 0; i < 2; i++) expect(await poll(signIn)).toEqual({ verdict: 'authorization_pending' });
  expect([exchanged.length, polls, popup.isClosed]).toEqual([1, 2, true]);
});

test('A3: tokens that come late, after another connect, leave its popup alone', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  popup.say({ state: offered[0]!.state, code: 'code_1' });
  let give = (_grant: never): void => undefined;
  exchangeAnswers.push(() => new Promise((resolve) => (give = resolve)));
  const late = poll(signIn);
  world.popup = popup = new FakePopup();
  await signIn.calls.connect('ada@example.com', true);
  give(GRANT);
  expect(await late).toEqual({ grant: GRANT });
  popup.say({ state: offered[1]!.state, error: 'access_denied' });
  expect(await signIn.calls.poll('arq_2', 20_000, new AbortController().signal)).toEqual({ verdict: 'access_denied' });
});

test('A3: cancelling the request, or the end of the client, closes the popup', async () => {
  for (const end of [(s: PopupSignIn) => s.calls.cancel('arq_1'), (s: PopupSignIn) => s.close()]) {
    popup = new FakePopup();
    world.popup = popup;
    const signIn = start();
    await signIn.calls.connect('ada@example.com', true);
    end(signIn);
    expect([popup.isClosed, popup.listeners.size, world.leftovers]).toEqual([true, 0, 0]);
  }
});

test('A3: a page that wakes and polls anew while a code is exchanged does not exchange it twice', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  popup.say({ state: offered[0]!.state, code: 'code_1' });
  const given = new AbortController();
  const answers = [poll(signIn, given.signal), poll(signIn)];
  given.abort();
  expect(await Promise.all(answers)).toEqual([{ grant: GRANT }, { grant: GRANT }]);
  expect(exchanged).toHaveLength(1);
});

test('A3: another connect closes the popup of the one before, also when it opens none', async () => {
  for (const wantsPopup of [true, false]) {
    const signIn = start();
    const former = (world.popup = popup = new FakePopup());
    await signIn.calls.connect('ada@example.com', true);
    world.popup = popup = new FakePopup();
    await signIn.calls.connect('ada@example.com', wantsPopup);
    expect([former.isClosed, former.listeners.size, popup.listeners.size]).toEqual([true, 0, wantsPopup ? 1 : 0]);
  }
});

test('A3: nothing is asked of a request that was withdrawn while its popup was open', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  const answer = poll(signIn);
  await signIn.calls.cancel('arq_1');
  await expect(answer).rejects.toMatchObject({ code: 'net/aborted' });
  expect(polls).toBe(0);
});

test('A3: a connect that fails says why, and its popup closes', async () => {
  const fault = new AdsError('net/timeout', 'too late');
  connectAnswers.push(Promise.reject(fault));
  await expect(start().calls.connect('ada@example.com', true)).rejects.toBe(fault);
  expect([popup.isClosed, popup.url, popup.listeners.size, world.leftovers]).toEqual([true, '', 0, 0]);
});

test('A3: a poll that nobody waits for any more ends, and the popup waits on for the next one', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  const controller = new AbortController();
  const answer = poll(signIn, controller.signal);
  controller.abort();
  await expect(answer).rejects.toMatchObject({ code: 'net/aborted' });
  expect(popup.isClosed).toBe(false);
  popup.say({ state: offered[0]!.state, code: 'code_1' });
  expect(await poll(signIn)).toEqual({ grant: GRANT });
});

test('A3: an answer at the very end is waited for a little', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  const answer = poll(signIn);
  await world.advance(304_500);
  popup.say({ state: offered[0]!.state, code: 'code_1' });
  expect(await answer).toEqual({ grant: GRANT });
});

test('A3: a popup nobody has answered closes by itself, a little after the end of its request', async () => {
  const signIn = start();
  await signIn.calls.connect('ada@example.com', true);
  const answer = poll(signIn);
  await world.advance(305_500);
  expect(await answer).toEqual({ verdict: 'authorization_pending' });
  expect([popup.isClosed, popup.listeners.size, world.leftovers]).toEqual([true, 0, 0]);
});

test('A3: the late answer to a connect that another has replaced takes nothing from the other’s popup', async () => {
  const signIn = start();
  const former = popup;
  let answer = (): void => undefined;
  connectAnswers.push(new Promise((resolve) => (answer = resolve)));
  const replaced = signIn.calls.connect('ada@example.com', true);
  world.popup = popup = new FakePopup();
  await signIn.calls.connect('ada@example.com', true);
  answer();
  await signIn.calls.cancel((await replaced).requestId);
  expect([former.isClosed, popup.isClosed]).toEqual([true, false]);
  popup.say({ state: offered[1]!.state, code: 'code_2' });
  expect(await signIn.calls.poll('arq_2', 20_000, new AbortController().signal)).toEqual({ grant: GRANT });
});

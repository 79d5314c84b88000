import { ADS_ERROR_CODES, AdsError, isAdsError } from '../../../src/errors.js';
import { type Http, type HttpAnswer, type HttpRequest, MAX_ANSWER_BYTES } from '../../../src/service/http.js';
import { parseJson } from '../../../src/service/json.js';
import { parseRetryAfter } from '../../../src/service/retry.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { IMP_ID, MAIN_IMAGE_ID, SPONSOR_ID, TITLE_ID } from '../../../src/sources/openrtb/bidRequest.js';
import { OpenRtbAds } from '../../../src/sources/openrtb/OpenRtbAds.js';
import { StaticAds } from '../../../src/sources/StaticAds.js';
import type { Ad } from '../../../src/service/AdService.js';
import { seededRandom } from '../../bench/seededRandom.js';
import { type Dice, diceOf, mutateAnswer } from '../../helpers/mutateAnswer.js';
import { API_KEY, BASE_URL, CONNECT, GRANT, PRIVATE_KEY } from './FakeService.js';
import { FakeWorld } from './FakeWorld.js';

/** What makes the network of clients and sources made from now on; null for the real one. */
const mockNetwork: { current: ((baseUrl: string) => Http) | null } = { current: null };

jest.mock('../../../src/service/http.js', () => {
  const real = jest.requireActual<typeof import('../../../src/service/http.js')>('../../../src/service/http.js');
  return {
    ...real,
    createHttp: (...given: Parameters<typeof real.createHttp>) =>
      mockNetwork.current?.(given[0]) ?? real.createHttp(...given),
  };
});

/*
 * Answers that follow the contract but for a few places, with statuses and headers to match, to every operation of the
 * client and to the other sources of ads. Whatever comes, a call resolves to a value of its type or rejects with a
 * documented code.
 */

const ANSWERS = process.env['DEEP'] ? 1_000_000 : 100_000;

const SURFACES = {
  items: [
    { adSurfaceId: 'billboard', name: 'Billboard', width: 320, height: 180 },
    { adSurfaceId: 'bus-stop', name: 'Bus stop' },
    { adSurfaceId: 'roof' },
  ],
};
const AD = {
  adId: 'ad-1',
  url: 'https://cdn.example.com/ad.png',
  serveId: 'serve-1',
  width: 320,
  height: 180,
  clickUrl: 'https://shop.example.com/',
  alt: 'A drink',
};
const PLAYER = { playerId: 'p1', displayName: 'Ada' };
const EVENT_IDS = ['e1', 'e2', 'e3'];
const ACKNOWLEDGEMENT = { accepted: ['e1'], duplicate: ['e2'], rejected: [{ id: 'e3', reason: 'too-old' }] };
const FAULT = { error: 'invalid_token', request_id: 'r-1', server_time: 1_795_000_000 };

const EXCHANGE = 'https://exchange.example.com/openrtb2/auction';
const HOUSE_ADS_FILE = 'https://game.example.com/ads/house-ads.json';
const HOUSE_ADS = {
  surfaces: [{ adSurfaceId: 'billboard', width: 320, height: 180 }, { adSurfaceId: 'roof' }],
  ads: [
    { adId: 'sequel', url: 'sequel.png', adSurfaceIds: ['billboard', 'roof'], clickUrl: 'https://game.example.com/' },
    { url: 'https://cdn.example.com/merch.png', width: 300, height: 250, alt: 'Mugs' },
  ],
};
const NATIVE = {
  ver: '1.2',
  link: { url: 'https://shop.example.com/?a=${AUCTION_AD_ID}', clicktrackers: ['https://t.example.com/click'] },
  assets: [
    { id: TITLE_ID, title: { text: 'A drink' } },
    { id: MAIN_IMAGE_ID, img: { type: 3, url: 'https://cdn.example.com/ad.png', w: 320, h: 180 } },
    { id: SPONSOR_ID, data: { value: 'Fizzwick' } },
  ],
  eventtrackers: [1, 2, 3, 4].map((event) => ({ event, method: 1, url: `https://t.example.com/${event}` })),
  imptrackers: ['https://t.example.com/imp?p=${AUCTION_PRICE}'],
};

/** An exchange's answer to a request, whose markup may have been mutated before the answer around it is. */
function bidResponse(body: string | undefined, dice: Dice | null): unknown {
  const { id } = JSON.parse(body ?? '{}') as { id?: string };
  const mutateMarkup = dice !== null && dice.below(2) === 0;
  const adm = dice?.below(4) === 0 ? NATIVE : mutateMarkup ? mutateAnswer(NATIVE, dice) : JSON.stringify(NATIVE);
  const bid = {
    id: 'bid-1',
    impid: IMP_ID,
    price: 2.5,
    adid: 'ad-7',
    exp: 60,
    burl: 'https://t.example.com/bill',
    adm,
  };
  return { id, bidid: 'b-9', cur: 'USD', seatbid: [{ seat: '512', bid: [bid, { ...bid, id: 'bid-2', price: 1 }] }] };
}

/** What each address answers when all is well. */
const GOOD: readonly (readonly [path: RegExp, answer: unknown])[] = [
  [/\/auction$/, bidResponse],
  [/\/house-ads\.json$/, HOUSE_ADS],
  [/\/ad-surfaces$/, SURFACES],
  [/\/ad$/, AD],
  [/\/bc-authorize$/, CONNECT],
  [/\/(login|token)$/, GRANT],
  [/\/player$/, PLAYER],
  [/\/events$/, ACKNOWLEDGEMENT],
  [/\/(revoke|bc-cancel)$/, {}],
];

const STATUSES = [
  400, 401, 401, 403, 404, 408, 409, 413, 422, 425, 429, 451, 500, 502, 503, 504, 201, 202, 206, 299, 301, 599,
];
const WORDS = ['invalid_token', 'invalid_grant', 'invalid_credentials', 'expired_token', 'access_denied', 'slow_down', 'authorization_pending', 'clock_skew', 'replayed_request', 'origin_not_allowed', 'constructor', 'x'.repeat(100)]; // prettier-ignore
/** Of a `Retry-After` header. */
const PAUSES = ['0', '5', '-1', '1e9', 'soon', 'NaN', '', 'Wed, 21 Oct 2099 07:28:00 GMT', '99999999999999999999'];

/** Answers in place of the network; while `isHostile`, with mutated answers. */
class HostileNetwork {
  answers = 0;
  isHostile = true;

  constructor(private readonly dice: Dice) {}

  /** What the real one does with the bytes of an answer, without the sockets. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    if (request.signal?.aborted) throw new AdsError('net/aborted', 'test');
    const { status, text, retryAfter } = this.answer(request.path, request.body);
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > MAX_ANSWER_BYTES) throw new AdsError('response/too-large', 'test');
    if (status >= 300 && status < 400) throw new AdsError('service/redirected', 'test', { status });
    const retryAfterMs = parseRetryAfter(retryAfter, null, 0);
    if (request.answer === 'text') return { status, body: new TextDecoder().decode(bytes), retryAfterMs };
    if (status < 300) return { status, body: parseJson(bytes), retryAfterMs };
    try {
      return { status, body: parseJson(bytes), retryAfterMs };
    } catch {
      return { status, body: undefined, retryAfterMs };
    }
  }

  /** A mutated answer that is JSON; null when it is none. */
  parsedAnswer(path: string): unknown {
    try {
      return parseJson(new TextEncoder().encode(this.answer(path, undefined).text));
    } catch {
      return null;
    }
  }

  /** This network below an address. */
  at(baseUrl: string): Http {
    const { pathname } = new URL(baseUrl);
    return { send: (request) => this.send({ ...request, path: pathname + request.path }), isBlocked: () => false, reset: () => undefined }; // prettier-ignore
  }

  answer(path: string, body: string | undefined): { status: number; text: string; retryAfter?: string } {
    const answer = GOOD.find(([pattern]) => pattern.test(path))![1];
    const good = answer === bidResponse ? bidResponse(body, this.isHostile ? this.dice : null) : answer;
    if (!this.isHostile) return { status: 200, text: JSON.stringify(good) };
    this.answers++;
    const { dice } = this;
    if (dice.below(4) > 0) return { status: 200, text: mutateAnswer(good, dice) };
    const fault = { ...FAULT, error: WORDS[dice.below(WORDS.length)]! };
    return {
      status: STATUSES[dice.below(STATUSES.length)]!,
      text: dice.below(2) === 0 ? JSON.stringify(fault) : mutateAnswer(fault, dice),
      ...(dice.below(3) === 0 ? { retryAfter: PAUSES[dice.below(PAUSES.length)]! } : {}),
    };
  }
}

/** Shorter than any deadline of a call. */
const SHORT_MS = 9_000;

/** A world in which short waits are over at once; longer ones wait for the test. */
class HastyWorld extends FakeWorld {
  constructor() {
    super(undefined, turns);
    const later = this.after;
    this.after = (ms, callback) => {
      if (ms > SHORT_MS) return later(ms, callback);
      let isCancelled = false;
      queueMicrotask(() => {
        if (isCancelled) return;
        this.monotonic += ms;
        callback();
      });
      return () => (isCancelled = true);
    };
  }

  override random = (): number => 0.5;
}

/** Lets everything run that waits for nothing but its turn. */
async function turns(): Promise<void> {
  for (let i = 0; i < 100; i++) await Promise.resolve();
}

const documented: ReadonlySet<string> = new Set(ADS_ERROR_CODES);

/** What escaped the promise of every call: a value of its type, or a documented code that is not the one of defects. */
class Judge {
  readonly defects: string[] = [];
  readonly codes = new Map<string, number>();
  readonly resolved = new Map<string, number>();

  async hear(what: string, call: Promise<unknown>, isRight: (value: never) => boolean): Promise<void> {
    try {
      const value = await call;
      this.resolved.set(what, (this.resolved.get(what) ?? 0) + 1);
      if (!isRight(value as never)) this.note(`${what} resolved to ${JSON.stringify(value)}`);
    } catch (error) {
      if (!isAdsError(error)) {
        this.note(`${what} rejected with ${String(error)}`);
        return;
      }
      this.codes.set(error.code, (this.codes.get(error.code) ?? 0) + 1);
      if (!documented.has(error.code) || error.code === 'internal/unexpected') this.note(`${what}: ${error.code}`);
      if (/access-1|refresh-1|secret-of-player|test-private-key/.test(`${error.message}${JSON.stringify(error)}`))
        // prettier-ignore
        this.note(`${what}: ${error.code} tells a secret`);
    }
  }

  note(defect: string): void {
    if (this.defects.length < 20) this.defects.push(defect);
  }
}

type Operation = (client: ServiceClient, world: HastyWorld, network: HostileNetwork, judge: Judge) => Promise<void>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isMaybe = (value: unknown, type: string): boolean => value === undefined || typeof value === type;

const isAd = (ad: Ad): boolean =>
  isText(ad.adId) &&
  isText(ad.url) &&
  isMaybe(ad.clickUrl, 'string') &&
  isMaybe(ad.height, 'number') &&
  (ad.expiresInSeconds === undefined || ad.expiresInSeconds > 0) &&
  (ad.trackers ?? []).every(({ url }) => /^https:\/\//i.test(url));

const operations: Readonly<Record<string, Operation>> = {
  getAdSurfaces: (client, _world, _network, judge) =>
    judge.hear('getAdSurfaces', client.getAdSurfaces(), ({ items }: { items: Record<string, unknown>[] }) =>
      items.every((item) => isText(item['adSurfaceId']) && isMaybe(item['width'], 'number')),
    ),
  getAd: (client, _world, _network, judge) => judge.hear('getAd', client.getAd('billboard'), isAd),
  reportEvents: (client, _world, _network, judge) =>
    judge.hear('reportEvents', client.reportEvents(EVENT_IDS.map((id) => ({ id }))), (result: Record<string, string[]>) =>
      Object.values(result).flat().every((id) => EVENT_IDS.includes(id)),
    ), // prettier-ignore
  auction: async (_client, world, _network, judge) => {
    const source = new OpenRtbAds({ endpoint: EXCHANGE, surfaces: [{ adSurfaceId: 'billboard', width: 320, height: 180 }] }, world); // prettier-ignore
    await judge.hear('auction', source.getAd('billboard'), isAd);
  },
  houseAds: async (_client, world, network, judge) => {
    const fromFile = new StaticAds(HOUSE_ADS_FILE, world);
    await judge.hear('house ads', fromFile.getAd('billboard'), isAd);
    await judge.hear('surfaces of house ads', fromFile.getAdSurfaces(), ({ items }: { items: unknown[] }) => Array.isArray(items)); // prettier-ignore
    const given = network.parsedAnswer('/house-ads.json');
    if (typeof given !== 'object' || given === null) return;
    await judge.hear('given house ads', new StaticAds(given as never, world).getAd('roof'), isAd);
  },
  connect: (client, _world, _network, judge) =>
    judge.hear('connect', client.connect('a@b.c'), ({ expiresAt }: { expiresAt: number }) =>
      Number.isFinite(expiresAt),
    ),
  poll: async (client, world, network, judge) => {
    network.isHostile = false;
    const { game } = await client.connect('a@b.c');
    network.isHostile = true;
    const waiting = judge.hear('poll', game.waitForGameConnect(), (value) => typeof value === 'boolean');
    await world.advance(30_000);
    client.destroy();
    await waiting;
  },
  login: (client, _world, _network, judge) =>
    judge.hear('login', client.login('a@b.c', 'secret-of-player'), ({ player }: { player: Record<string, unknown> }) =>
      isText(player['playerId']),
    ), // prettier-ignore
  getPlayer: async (client, _world, network, judge) => {
    network.isHostile = false;
    await client.login('a@b.c', 'secret-of-player');
    network.isHostile = true;
    await judge.hear('getPlayer', client.getPlayer(), (player: Record<string, unknown>) => isText(player['playerId']));
  },
  refresh: async (client, world, network, judge) => {
    network.isHostile = false;
    await client.login('a@b.c', 'secret-of-player');
    network.isHostile = true;
    await world.advance(GRANT.expires_in * 1_000 + 60_000);
    await judge.hear('getAd after refresh', client.getAd('billboard'), () => true);
  },
  logout: async (client, _world, network, judge) => {
    network.isHostile = false;
    await client.login('a@b.c', 'secret-of-player');
    network.isHostile = true;
    await judge.hear('logout', client.logout(), (value) => value === undefined);
  },
};

/** So many of them, the first, leave nothing behind for the next. */
const STATELESS = Object.keys(operations).indexOf('connect');

/** A client over the given network, or over axios and `fetch` when it is null. */
function startClient(world: HastyWorld, network: HostileNetwork | null): ServiceClient {
  mockNetwork.current = network === null ? null : (baseUrl) => network.at(baseUrl);
  return new ServiceClient(
    { apiKey: API_KEY, privateKey: PRIVATE_KEY, baseUrl: BASE_URL, allowPlainPrivateKey: true },
    world,
  );
}

/** One call of every operation, and many of those that do not care what came before. */
async function callEverything(network: HostileNetwork, isOverAxios: boolean, judge: Judge, dice: Dice): Promise<void> {
  const names = Object.keys(operations);
  const plan = [...names, ...Array.from({ length: isOverAxios ? 0 : 100 }, () => names[dice.below(STATELESS)]!)];
  let world = new HastyWorld();
  let client = startClient(world, isOverAxios ? null : network);
  for (const name of plan) {
    network.isHostile = true;
    await operations[name]!(client, world, network, judge);
    // Past every pause the service may have asked for.
    world.monotonic += 400_000;
    if (client.session.state === 'application') continue;
    client.destroy();
    world = new HastyWorld();
    client = startClient(world, isOverAxios ? null : network);
  }
  client.destroy();
}

/** Everything an answer must not touch. */
function globals(): unknown {
  const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype, Promise.prototype];
  return prototypes.map((prototype) => Reflect.ownKeys(prototype));
}

async function fuzz(answers: number, isOverAxios: boolean): Promise<Judge> {
  const dice = diceOf(seededRandom(20_261_121));
  const network = new HostileNetwork(dice);
  const judge = new Judge();
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const realFetch = globalThis.fetch;
  // Stacks nobody reads would take most of the time.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  globalThis.fetch = async (input) => {
    const request = input as Request;
    const { status, text, retryAfter } = network.answer(new URL(request.url).pathname, await request.text());
    return new Response(text, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
  };
  const before = globals();
  try {
    while (network.answers < answers) await callEverything(network, isOverAxios, judge, dice);
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    globalThis.fetch = realFetch;
    Error.stackTraceLimit = stackTraceLimit;
    process.off('unhandledRejection', unhandled);
  }
  expect(judge.defects).toEqual([]);
  expect(unhandled).not.toHaveBeenCalled();
  expect(globals()).toEqual(before);
  return judge;
}

it(`${ANSWERS} mutated answers to all operations and all sources of ads: values of their type or documented codes, and nothing else`, async () => {
  const judge = await fuzz(ANSWERS, false);
  // The answers reach both ends: neither all refused nor all let through.
  for (const what of ['getAdSurfaces', 'getAd', 'reportEvents', 'auction', 'house ads', 'given house ads'])
    expect(judge.resolved.get(what)).toBeGreaterThan(ANSWERS / 100);
  expect([...judge.resolved.keys()]).toEqual(
    expect.arrayContaining(['connect', 'poll', 'login', 'getPlayer', 'logout']),
  );
  if (process.env['DEEP']) console.info(judge.resolved, judge.codes);
  for (const code of [
    'response/schema',
    'response/not-json',
    'response/forbidden-key',
    'response/too-deep',
    'service/unavailable',
  ] as const)
    // prettier-ignore
    expect(judge.codes.get(code)).toBeGreaterThan(10);
}, 3_600_000);

it('a hundredth of them through the real HTTP client too', async () => {
  const judge = await fuzz(ANSWERS / 100, true);
  expect(judge.resolved.size).toBeGreaterThan(0);
}, 600_000);

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { deleteDB, openDB } from 'idb';

import { DpopProver } from '../../../src/service/DpopProver.js';
import { IndexedDbKeyStore } from '../../../src/service/KeyStore.js';
import { FakeKeyStore, FakeWorld } from './FakeWorld.js';
import { outcomeOf, watch } from './startClient.js';

const { subtle } = globalThis.crypto;
const P256 = { name: 'ECDSA', namedCurve: 'P-256' };
const USAGES: KeyUsage[] = ['sign', 'verify'];
const makePair = (algorithm = P256, isExtractable = false): Promise<CryptoKeyPair> =>
  subtle.generateKey(algorithm, isExtractable, USAGES);

describe('the keys that a browser keeps', () => {
  const store = new IndexedDbKeyStore();

  beforeEach(() => void (globalThis.indexedDB = new IDBFactory()));

  /** As any page of the same origin may do. */
  const leave = async (name: string, value: unknown): Promise<void> => {
    await store.get(name);
    const database = await openDB('phaser-inview-keys', 1);
    await database.put('keys', value, name);
    database.close();
  };

  const signsFor = async (pair: CryptoKeyPair | null, { publicKey }: CryptoKeyPair): Promise<boolean> => {
    const [text, how] = [new Uint8Array([1, 2, 3]), { name: 'ECDSA', hash: 'SHA-256' }];
    return pair !== null && subtle.verify(how, publicKey, await subtle.sign(how, pair.privateKey, text), text);
  };

  it('are those of the tab that came first, for all tabs and later pages, and of one name alone', async () => {
    const [first, second] = [await makePair(), await makePair()];
    const kept = await Promise.all([store.keep('game', first), store.keep('game', second)]);
    for (const pair of [...kept, await store.get('game')]) expect(await signsFor(pair, first)).toBe(true);
    expect(await store.get('other game')).toBeNull();
  });

  it('hold no connection, so that the player can clear them', async () => {
    await store.get('game');
    await store.keep('game', await makePair());
    const blocked = jest.fn();
    await deleteDB('phaser-inview-keys', { blocked });
    expect(blocked).not.toHaveBeenCalled();
  });

  it.each<[what: string, make: () => unknown]>([
    ['text', () => 'key'],
    ['null', () => null],
    ['an object', () => ({ privateKey: {}, publicKey: {} })],
    ['a private key that can be copied', () => makePair(P256, true)],
    ['of another curve', () => makePair({ name: 'ECDSA', namedCurve: 'P-384' })],
    ...(['privateKey', 'publicKey'] as const).map((half): [string, () => unknown] => [
      `of two curves, another one that of the ${half}`,
      async () => ({ ...(await makePair()), [half]: (await makePair({ name: 'ECDSA', namedCurve: 'P-384' }))[half] }),
    ]),
    [
      'for something else',
      () => crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits']),
    ],
    ['half a pair', async () => ({ privateKey: (await makePair()).privateKey })],
    ['the other half', async () => ({ publicKey: (await makePair()).publicKey })],
    [
      'two public keys',
      async () => ({ privateKey: (await makePair()).publicKey, publicKey: (await makePair()).publicKey }),
    ],
    [
      'two private keys',
      async () => ({ privateKey: (await makePair()).privateKey, publicKey: (await makePair()).privateKey }),
    ],
  ])('are none where something else lies: %s. A fresh pair takes its place', async (_what, make) => {
    await leave('game', await make());
    expect(await store.get('game')).toBeNull();
    const fresh = await makePair();
    expect(await signsFor(await store.keep('game', fresh), fresh)).toBe(true);
    expect(await signsFor(await store.get('game'), fresh)).toBe(true);
  });
});

describe('a proof', () => {
  const target = { method: 'POST', url: 'https://ads.example/api/v1/token' };
  const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string;
  const claimsOf = (proof: string): Record<string, unknown>[] =>
    proof
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);

  it('says what it is for, by the clock of the service once that is known, and shows no private part of its key', async () => {
    const world = new FakeWorld();
    const prover = new DpopProver(world, 'game');
    world.wall += 700;
    const [header, claims] = claimsOf(await prover.proofFor(target));
    expect(header).toEqual({
      typ: 'dpop+jwt',
      alg: 'ES256',
      jwk: {
        kty: 'EC',
        crv: 'P-256',
        x: matching(/^[\w-]{43}$/),
        y: matching(/^[\w-]{43}$/),
      },
    });
    const now = Math.floor(world.wall / 1_000);
    expect(claims).toEqual({ jti: matching(/^[\da-f]{32}$/), htm: 'POST', htu: target.url, iat: now });
    prover.correctClock(now + 3_600);
    const [, later] = claimsOf(await prover.proofFor({ ...target, accessToken: 'access-1' }));
    expect(later).toMatchObject({ iat: now + 3_600, ath: matching(/^[\w-]{43}$/) });
    expect(later!['jti']).not.toBe(claims!['jti']);
  });

  it('is made with one key of the game on all pages of a browser', async () => {
    globalThis.indexedDB = new IDBFactory();
    const keyOf = async (name: string): Promise<unknown> => {
      const world = new FakeWorld();
      world.keys = new IndexedDbKeyStore();
      return claimsOf(await new DpopProver(world, name).proofFor(target))[0]!['jwk'];
    };
    const key = await keyOf('game');
    expect(await keyOf('game')).toEqual(key);
    expect(await keyOf('other game')).not.toEqual(key);
  });

  it('does not wait for ever for a storage that hangs: it fails typed, and the next one looks anew', async () => {
    const world = new FakeWorld();
    const keys = new FakeKeyStore();
    const { get } = keys;
    keys.get = () => new Promise(() => undefined);
    world.keys = keys;
    const prover = new DpopProver(world, 'game');
    const proof = watch(prover.proofFor(target));
    await world.advance(2_000);
    expect([proof.code, world.leftovers]).toEqual(['session/refresh-failed', 0]);
    keys.get = get;
    expect(await outcomeOf(prover.proofFor(target))).toBe('ok');
  });

  it('is made with the key that lies there, though the storage takes no other', async () => {
    const world = new FakeWorld();
    const keys = new FakeKeyStore();
    const pair = await makePair();
    keys.pairs.set('game', pair);
    keys.keep = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    world.keys = keys;
    const { x, y } = await subtle.exportKey('jwk', pair.publicKey);
    const [header] = claimsOf(await new DpopProver(world, 'game').proofFor(target));
    expect(header!['jwk']).toMatchObject({ x, y });
  });

  const denies = (name: string) => (): never => {
    throw new DOMException('denied', name);
  };
  it.each<[where: string, outcome: string, world: Partial<FakeWorld>]>([
    ['there is no storage', 'ok', { keys: null }],
    ['a sandbox denies it', 'ok', { openKeyStore: denies('SecurityError') }],
    ['it fails', 'session/refresh-failed', { openKeyStore: denies('UnknownError') }],
    ['the page is not secure', 'config/browser', { subtle: () => null }],
  ])('is made with a key of this page, or not at all, where %s: %s', async (_where, outcome, odd) => {
    const prover = new DpopProver(Object.assign(new FakeWorld(), odd), 'game');
    const proofs = [prover.proofFor(target), prover.proofFor(target)];
    expect(await outcomeOf(Promise.all(proofs))).toBe(outcome);
    if (outcome !== 'ok') return;
    const [first, second] = (await Promise.all(proofs)).map((proof) => claimsOf(proof)[0]!['jwk']);
    expect(first).toEqual(second);
  });

  it('is made with a key of this page alone where the storage never says that it has kept one', async () => {
    const world = new FakeWorld();
    const keys = new FakeKeyStore();
    let isAsked = false;
    keys.keep = () => ((isAsked = true), new Promise(() => undefined));
    world.keys = keys;
    const prover = new DpopProver(world, 'game');
    const proofs = Promise.all([prover.proofFor(target), prover.proofFor(target)]);
    while (!isAsked) await world.advance(0);
    await world.advance(2_000);
    const [first, second] = (await proofs).map((proof) => claimsOf(proof)[0]!['jwk']);
    expect(first).toEqual(second);
  });
});

import fc from 'fast-check';
import type { AdsError } from '../../../src/errors.js';
import { bounded } from '../../../src/service/bounded.js';
import { MAX_JSON_DEPTH, parseJson, parseJsonText } from '../../../src/service/json.js';
import { operations } from '../../../src/service/operations.js';
import { present } from '../../../src/service/present.js';
import { parseRetryAfter, retryWait } from '../../../src/service/retry.js';
import { serviceFault, statusFault } from '../../../src/service/serviceFault.js';
import { readTrackerUrl } from '../../../src/service/trackerUrl.js';
import { withCode } from '../../helpers/withCode.js';

describe('JSON of others', () => {
  /** What looks like structure inside of texts, and texts that are not whole. */
  const text = fc.array(fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', 'a', '\u00e9', '\ud83d\ude00', '\ud83d', '\u2028'), { maxLength: 6 }).map((parts) => parts.join('')); // prettier-ignore
  const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'prototype'));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .array(fc.tuple(key, tie('value')), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries.map(([name, part]) => [name, part]))),
      fc.tuple(fc.integer({ min: 25, max: 33 }), tie('value'), fc.boolean()).map(([levels, part, isList]) => {
        let nested = part;
        for (let i = 0; i < levels; i++) nested = isList ? [nested] : { a: nested };
        return nested;
      }),
    ),
  }));

  const isForbidden = (name: string, part: unknown): boolean =>
    name === '__proto__' ||
    (name === 'constructor' && typeof part === 'object' && part !== null && Object.hasOwn(part, 'prototype'));

  /** The value as it may be used at a depth, and what had to be mended for it. */
  function mended(given: unknown, depth: number, faults: Set<string>): unknown {
    if (typeof given === 'string') {
      const whole = given.replace(/\p{Surrogate}/gu, '\ufffd');
      if (whole !== given) faults.add('response/not-json');
      return whole;
    }
    if (typeof given !== 'object' || given === null) return given;
    if (depth === MAX_JSON_DEPTH) {
      faults.add('response/too-deep');
      return null;
    }
    if (Array.isArray(given)) return given.map((part) => mended(part, depth + 1, faults));
    const entries = Object.entries(given).map(([name, part]) => [name, mended(part, depth + 1, faults)] as const);
    const kept = entries.filter(([name, part]) => !isForbidden(name, part));
    if (kept.length < entries.length) faults.add('response/forbidden-key');
    return Object.fromEntries(kept);
  }

  it('is read as it stands if nothing is wrong with it, refused for what is wrong, and mended where a part may be lost', () => {
    fc.assert(
      fc.property(value, fc.boolean(), (given, isSpaced) => {
        const json = JSON.stringify(given, null, isSpaced ? 1 : 0);
        const faults = new Set<string>();
        const usable = JSON.stringify(mended(given, 0, faults));
        expect(JSON.stringify(parseJsonText(json, 'all'))).toBe(usable);
        if (faults.size === 0) {
          expect(JSON.stringify(parseJsonText(json))).toBe(usable);
          expect(JSON.stringify(parseJson(new TextEncoder().encode(`\ufeff${json}`)))).toBe(usable);
          return;
        }
        try {
          parseJsonText(json);
          throw new Error('taken');
        } catch (error) {
          expect(faults).toContain((error as AdsError).code);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each(['[1', '{"a":1', '[[1]', ']', '{]', '', '"a', '[1]]', `${'['.repeat(40)}1`])('%s is none', (broken) => {
    expect(() => parseJsonText(broken, 'all')).toThrow(withCode('response/not-json'));
  });

  it('that is not UTF-8 is none', () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toThrow(withCode('response/not-json'));
  });
});

describe('a Retry-After', () => {
  const NOW = Date.UTC(2026, 10, 21);

  it.each([
    [null, undefined],
    [undefined, undefined],
    ['0', 0],
    ['+5', 5_000],
    [' 1.5 ', 1_500],
    ['300', 300_000],
    ['301', 300_000],
    ['-1', 60_000],
    ['5 s', 60_000],
    ['s5', 60_000],
    ['1e1', 60_000],
    ['21 Nov 2026 00:00:20 GMT', 60_000],
    ['', 60_000],
    ['Sat, 21 Nov 2026 00:00:20 GMT', 20_000],
    [' Saturday, 21-Nov-26 00:00:20 GMT ', 20_000],
    ['Sat Nov 21 00:00:20 2026 GMT', 20_000],
    ['Sat, 21 Nov 2026 00:00:00 GMT', 60_000],
    ['2026-11-21T00:00:20Z', 60_000],
    ['3 Sat, 21 Nov 2026 00:00:20 GMT', 60_000],
  ])('%j asks for %s ms', (header, pauseMs) => {
    expect(parseRetryAfter(header, undefined, NOW)).toBe(pauseMs);
    expect(parseRetryAfter(header, 'yesterday', NOW)).toBe(pauseMs);
    expect(parseRetryAfter(header, ' Sat, 21 Nov 2026 00:00:00 GMT', NOW + 86_400_000)).toBe(pauseMs);
  });

  it('that is missing leaves a random wait below a bound that doubles', () => {
    expect([retryWait(0, 0.5), retryWait(1, 0.5), retryWait(1, 0)]).toEqual([250, 500, 0]);
  });
});

describe('the address of a tracker', () => {
  const ADDRESS = 'https://t.example.com:8443/a?m=${MACRO}';
  const long = (length: number): string => ADDRESS.padEnd(length, 'x');

  it.each([
    [ADDRESS, ADDRESS],
    [` ${ADDRESS}\n`, ADDRESS],
    [' //t.example.com/a ', 'https://t.example.com/a'],
    [long(16_384), long(16_384)],
    [long(16_385), null],
    ['http://t.example.com/a', null],
    ['ftp://t.example.com/a', null],
    ['javascript:alert(1)', null],
    ['https://name@t.example.com/a', null],
    ['https://:word@t.example.com/a', null],
    ['https://localhost/a', null],
    ['https://10.0.0.1/a', null],
    ['t.example.com/a', null],
    ['https://', null],
    ['', null],
    [7, null],
    [null, null],
    [[ADDRESS], null],
    [{ toString: () => ADDRESS }, null],
  ])('no. %# is called only with https, on a public host, without a name and a word', (given, address) => {
    expect(readTrackerUrl(given)).toBe(address);
  });
});

describe('an answer that is no success', () => {
  const answer = (status: number, error?: unknown, more: object = {}) =>
    ({ status, body: { error, request_id: 'r1' }, ...more }) as never;

  it.each([
    [399, 'service/refused'],
    [400, 'service/refused'],
    [403, 'service/refused'],
    [404, 'service/not-found'],
    [405, 'service/refused'],
    [408, 'service/unavailable'],
    [425, 'service/unavailable'],
    [429, 'service/rate-limited'],
    [460, 'service/unavailable'],
    [498, 'service/refused'],
    [499, 'service/unavailable'],
    [500, 'service/unavailable'],
    [503, 'service/unavailable'],
  ])('with %s is %s, whatever server it comes from, unless a word of the service says more', (status, code) => {
    expect(statusFault('The exchange', answer(status, 'invalid_client'))).toMatchObject({ code, status });
    const isWord = status >= 400 && status < 500;
    const faults = [undefined, 'no_such_word', 'toString', 'invalid_client'].map((word) =>
      serviceFault(operations.getAd, answer(status, word)),
    );
    expect(faults.map((fault) => fault.code)).toEqual([
      code,
      code,
      code,
      isWord ? 'config/credentials-rejected' : code,
    ]);
    expect(faults.map(({ retryAfterMs }) => retryAfterMs)).toEqual(Array(4).fill(status === 429 ? 60_000 : undefined));
  });

  it.each([
    ['invalid_client', 'config/credentials-rejected'],
    ['unauthorized_client', 'config/credentials-rejected'],
    ['origin_not_allowed', 'config/origin-not-allowed'],
    ['clock_skew', 'service/clock-skew'],
    ['replayed_request', 'service/unavailable'],
    ['invalid_credentials', 'session/invalid-credentials'],
    ['invalid_token', 'session/user-required'],
    ['unknown_ad_surface', 'ad/unknown-surface'],
  ])('says with the word %s that it is %s, and names the request', (word, code) => {
    expect(serviceFault(operations.getAd, answer(401, word))).toMatchObject({ code, status: 401, requestId: 'r1' });
  });

  it('keeps the pause it asks for, and the word', () => {
    const fault = serviceFault(operations.getAd, answer(429, 'slow', { retryAfterMs: 7 }));
    expect([fault.retryAfterMs, fault.message.includes(' 429 slow [')]).toEqual([7, true]);
    expect(serviceFault(operations.getAd, answer(500)).message).toContain(' 500 [');
  });

  it('is told without fields that are not known', () => {
    expect(Object.keys(present({ a: 0, b: undefined, c: null, d: '', e: false }))).toEqual(['a', 'd', 'e']);
  });
});

describe('work within bounds', () => {
  const timers = new Set<() => void>();
  const clock = {
    after(_ms: number, callback: () => void) {
      timers.add(callback);
      return () => void timers.delete(callback);
    },
  };
  const late = () => new Error('late') as AdsError;
  const never = () => new Promise<never>(() => undefined);

  /** A signal, and how many listen to it. */
  function listened() {
    const controller = new AbortController();
    const { signal } = controller;
    const heard = { count: 0 };
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      if (args[0] === 'abort') heard.count++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      if (args[0] === 'abort') heard.count--;
      remove(...args);
    };
    return { controller, signal, heard };
  }

  it.each([
    ['it ends', () => Promise.resolve('done'), () => undefined, 'done'],
    ['it fails', () => Promise.reject(new Error('failed')), () => undefined, 'failed'],
    ['its signal is aborted', never, (abort: () => void) => abort(), 'The call was cancelled'],
    ['its time is over', never, () => timers.forEach((fire) => fire()), 'late'],
  ])('leaves no timer and no listener when %s', async (_how, work: () => Promise<string>, then, outcome) => {
    const { controller, signal, heard } = listened();
    const running = bounded({ clock, ms: 5, late, signal }, work).catch((error: unknown) => (error as Error).message);
    expect([timers.size, heard.count]).toEqual([1, 1]);
    then(() => controller.abort());
    expect(await running).toContain(outcome);
    expect([timers.size, heard.count]).toEqual([0, 0]);
  });

  it('does not begin once its signal is aborted', async () => {
    const work = jest.fn(never);
    const signal = AbortSignal.abort();
    await expect(bounded({ clock, ms: 5, late, signal }, work)).rejects.toMatchObject({ code: 'net/aborted' });
    expect([work.mock.calls.length, timers.size]).toEqual([0, 0]);
  });
});

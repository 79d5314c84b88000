import { AdsError, type AdsErrorCode } from '../../../src/errors.js';
import { BACKOFF_BASE_MS, BACKOFF_CAP_MS, BLOCKED_AFTER, REFUSAL_PAUSE_MS } from '../../../src/report/limits.js';
import { SendPauses } from '../../../src/report/SendPauses.js';

describe('pauses between requests', () => {
  let now = 0;
  let random = 0;
  let isOnline = true;
  let pauses: SendPauses;
  const fail = (code: AdsErrorCode, retryAfterMs?: number): void =>
    pauses.failed(new AdsError(code, 'failed', retryAfterMs === undefined ? {} : { retryAfterMs }));

  beforeEach(() => {
    [now, random, isOnline] = [1_000, 0, true];
    pauses = new SendPauses(
      () => now,
      () => random,
      () => isOnline,
    );
  });

  it('there are none before a failure', () => {
    expect([pauses.until <= now, pauses.isPaused, pauses.isBlocked, pauses.isTroubled]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('are a random part of a bound that doubles up to a minute with each failure, and begin anew after a success', () => {
    random = 0.5;
    const waits = Array.from({ length: 9 }, () => {
      pauses.failed(undefined);
      return pauses.until - now;
    });
    expect(waits).toEqual(Array.from({ length: 9 }, (_, i) => Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** i) / 2));
    expect(pauses.isTroubled).toBe(true);
    pauses.succeeded();
    expect(pauses.isTroubled).toBe(false);
    pauses.failed(undefined);
    expect([pauses.until - now, pauses.isTroubled]).toEqual([BACKOFF_BASE_MS / 2, true]);
  });

  it('of our own are dropped by a reset, those that the service asks for are not', () => {
    random = 0.5;
    fail('service/unavailable');
    pauses.reset();
    expect(pauses.until).toBeLessThanOrEqual(now);
    for (const [ask, ms] of [
      [() => fail('service/rate-limited', 7_000), 7_000],
      [() => pauses.refused(), REFUSAL_PAUSE_MS],
    ] as const) {
      ask();
      pauses.reset();
      expect([pauses.until - now, pauses.isPaused]).toEqual([ms, true]);
      now += ms - 1;
      expect(pauses.isPaused).toBe(true);
      now += 1;
      expect(pauses.isPaused).toBe(false);
    }
  });

  it.each(['net/unreachable', 'net/blocked-or-cors'] as const)(
    'have no end after three failures in a row with %s though the device is online, until something changes',
    (code) => {
      const block = (): void => {
        for (let i = 1; i <= BLOCKED_AFTER; i++) {
          expect(pauses.isBlocked).toBe(false);
          fail(code);
        }
        expect(pauses.isBlocked).toBe(true);
      };
      for (const change of [
        () => pauses.reset(),
        () => pauses.succeeded(),
        () => pauses.refused(),
        () => fail('service/unavailable'),
        () => pauses.failed(undefined),
        () => {
          isOnline = false;
          fail(code);
          isOnline = true;
        },
      ]) {
        block();
        change();
      }
      block();
    },
  );
});

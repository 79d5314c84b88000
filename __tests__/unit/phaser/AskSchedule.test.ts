import fc from 'fast-check';

import { ADS_ERROR_CODES, AdsError } from '../../../src/errors.js';
import { AskSchedule } from '../../../src/placement/AskSchedule.js';

describe('AskSchedule', () => {
  it('waits half a minute, then twice as long each time, ten minutes at most', () => {
    const schedule = new AskSchedule();
    const waits = Array.from({ length: 8 }, () => schedule.waitAfter(null, 0));
    expect(waits.map((ms) => ms! / 1000)).toEqual([30, 60, 120, 240, 480, 600, 600, 600]);
    schedule.reset();
    expect(schedule.waitAfter(null, 0)).toBe(30_000);
  });

  it.each(['waitAfter', 'waitAfterExpiry'] as const)('spreads the waits over a quarter more: %s', (wait) => {
    const [short, long] = [0, 0.5].map((random) => {
      const schedule = new AskSchedule();
      return Array.from({ length: 1_200 }, () =>
        wait === 'waitAfter' ? schedule.waitAfter(null, random)! : schedule.waitAfterExpiry(random),
      );
    });
    expect(long).toEqual(short!.map((ms) => ms * 1.125));
    expect(Math.max(...long!)).toBe(675_000);
  });

  it('never asks before the service wants to be asked', () => {
    const error = new AdsError('service/rate-limited', 'slow', { retryAfterMs: 300_000 });
    expect(new AskSchedule().waitAfter(error, 0.9)).toBe(300_000);
  });

  it.each(['ad/unknown-surface', 'config/credentials-rejected', 'arg/surface-id', 'lifecycle/destroyed'] as const)(
    'S17: does not ask again after %s',
    (code) => expect(new AskSchedule().waitAfter(new AdsError(code, ''), 0)).toBeNull(),
  );

  it.each([
    'service/unavailable',
    'service/refused',
    'service/not-found',
    'service/redirected',
    'config/token-provider',
    'net/offline',
    'ad/cors',
    'response/schema',
    'place/too-many',
  ] as const)('S17: asks again after %s', (code) =>
    expect(new AskSchedule().waitAfter(new AdsError(code, ''), 0)).toBe(30_000),
  );

  it('replaces the first ad nobody came to see at once, and the next ones later and later', () => {
    const schedule = new AskSchedule();
    const waits = Array.from({ length: 7 }, () => schedule.waitAfterExpiry(0) / 1000);
    expect(waits).toEqual([0, 30, 60, 120, 240, 480, 600]);
  });

  it('whatever happens, asks at most nine times in the first half hour', () => {
    const outcome = fc.record({ code: fc.constantFrom(...ADS_ERROR_CODES), random: fc.double({ min: 0, max: 0.999, noNaN: true }) }); // prettier-ignore
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 30, maxLength: 30 }), (outcomes) => {
        const schedule = new AskSchedule();
        let now = 0;
        let asks = 1;
        for (const { code, random } of outcomes) {
          const waitMs = schedule.waitAfter(new AdsError(code, ''), random);
          if (waitMs === null) break;
          now += waitMs;
          if (now > 1_800_000) break;
          asks++;
        }
        expect(asks).toBeLessThanOrEqual(9);
      }),
    );
  });
});

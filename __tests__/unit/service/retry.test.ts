import { parseRetryAfter, retryWait } from '../../../src/service/retry.js';

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

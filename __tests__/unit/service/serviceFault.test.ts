import { operations } from '../../../src/service/operations.js';
import { serviceFault, statusFault } from '../../../src/service/serviceFault.js';

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
});
